"""The places as the last picture at rest shows them, drawn where they lie on the table."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Final

from companion.colours import COLOURS
from companion.language.message import say
from companion.language.speech import translated
from companion.referee.clerk import Look
from companion.referee.game import EMPTY
from companion.table.readers import reader_setup_of
from companion.table.table_plan import Shape, TablePlan
from companion.web.site import Site
from vision.observation import HIDDEN, Evidence

SAME: Final = 0.7
"""From this probability on a place looks as it did; below 1 minus this it looks new."""
SURE: Final = 0.9
"""A place of which less is certain is listed with what else it may be."""
LEAST_SHARE: Final = 0.02
MARGIN_MM: Final = 8.0
LINE_LETTERS: Final = 9
LETTER_WIDTH: Final = 0.62
"""Of a letter, of the size of its type."""
LARGEST_MM: Final = 17.0
SMALLEST_MM: Final = 4.0


@dataclass(frozen=True, slots=True)
class SeenPlace:
    """One place.

    number: from 0.  lines: its likeliest class in short words, for the map.  words: in full.
    paint: the name of its colour, "" if it has none.  percent: how sure that is.
    looks: "same" as in the last accepted picture, "new", or "" where that is not known.
    others: what else it may be, in words with their percentages.
    is_hidden: whether something lies over it.
    """

    number: int
    lines: tuple[str, ...]
    words: str
    paint: str
    percent: int
    looks: str
    others: tuple[tuple[str, int], ...]
    is_hidden: bool

    @property
    def is_plain(self) -> bool:
        """Whether there is nothing to say of it: sure, seen, and as it was."""
        return self.percent >= 100 * SURE and not self.is_hidden and self.looks != "new"


@dataclass(frozen=True, slots=True)
class DrawnPlace:
    """A place on the map, in mm of the table.

    points: of its outline.  x, y: its middle.  left, low: where its bar begins.  width: of the
    whole bar.  size: of its letters.
    """

    place: SeenPlace
    points: str
    x: float
    y: float
    left: float
    low: float
    width: float
    size: float


@dataclass(frozen=True, slots=True)
class PlaceMap:
    """The map: what an SVG shows, in mm, and the outlines that hold no place of the game."""

    view_box: str
    ground: str
    places: tuple[DrawnPlace, ...]
    others: tuple[str, ...]


def seen_places(site: Site, look: Look) -> tuple[SeenPlace, ...]:
    """Return what the picture of *look* shows in each place."""
    game = site.live_session.game
    observation = look.observation
    unchanged = observation.unchanged or (0.5,) * len(observation.places)
    short = short_words(reader_setup_of(game.name).class_words)

    def describe(number: int, seen: Evidence) -> SeenPlace:
        best = seen.best
        is_hidden = best == HIDDEN
        same = unchanged[number]
        ranked = [each for each in seen.list_likely(LEAST_SHARE, 3) if each[0] != best]
        return SeenPlace(
            number,
            ("?",) if is_hidden else short(best),
            say("hidden") if is_hidden else game.place_words(number, best),
            paint_of(best),
            percent(seen.of(best)),
            "same" if same >= SAME else "new" if same <= 1.0 - SAME else "",
            tuple(
                (
                    say("hidden") if name == HIDDEN else game.place_words(number, name),
                    percent(share),
                )
                for name, share in ranked
            ),
            is_hidden,
        )

    return tuple(describe(*each) for each in enumerate(observation.places))


def short_words(class_words: Callable[[str], str]) -> Callable[[str], tuple[str, ...]]:
    """Return what says a class in a few short lines: a kind and how many, or what it is.

    class_words: what people call a class without its number.

    >>> short_words(str.upper)("tac 3"), short_words(str.title)("nani"), short_words(str)("empty")
    (('TAC', '3'), ('Nani',), ('–',))
    """

    def words(name: str) -> tuple[str, ...]:
        if name == EMPTY:
            return ("–",)
        first, *more = name.replace("-", " ").split()
        if not all(map(str.isdigit, more)):
            return tuple(
                wrap(str(translated(class_words(name))), LINE_LETTERS, break_long_words=False)
            )
        known = COLOURS.get(first)
        return (known.words if known else class_words(first), *more)

    return words


def paint_of(name: str) -> str:
    """Return the colour that the first word of a class names, "" if it names none.

    >>> paint_of("green 7"), paint_of("nani")
    ('green', '')
    """
    first = name.replace("-", " ").split()[0]
    return first if first in COLOURS else ""


def percent(share: float) -> int:
    """Return *share* in whole percent; never 0 or 100 for what is only nearly so.

    >>> percent(0.999), percent(0.001), percent(1.0), percent(0.5)
    (99, 1, 100, 50)
    """
    if share in (0.0, 1.0):
        return round(100 * share)
    return min(max(round(100 * share), 1), 99)


def map_of(plan: TablePlan, places: Sequence[SeenPlace]) -> PlaceMap:
    """Return *places* drawn where *plan* has them."""
    drawn = tuple(_drawn(place, shape) for place, shape in zip(places, plan.places, strict=False))
    rest = plan.places[len(places) :]
    xs, ys = zip(*_corners([plan.outline, *plan.places]), strict=True)
    left, top = min(xs) - MARGIN_MM, min(ys) - MARGIN_MM
    width, height = max(xs) + MARGIN_MM - left, max(ys) + MARGIN_MM - top
    box = f"{left:.1f} {top:.1f} {width:.1f} {height:.1f}"
    return PlaceMap(box, _points(plan.outline), drawn, tuple(map(_points, rest)))


def _corners(shapes: Sequence[Shape]) -> Iterator[tuple[float, float]]:
    for shape in shapes:
        yield from shape.points


def _points(shape: Shape) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in shape.points)


def _drawn(place: SeenPlace, shape: Shape) -> DrawnPlace:
    """Return *place* in *shape*, with letters as large as have room beside the bar."""
    xs, ys = zip(*shape.points, strict=True)
    width, height = max(xs) - min(xs), max(ys) - min(ys)
    x, y = shape.middle
    longest = max(len(str(translated(line))) for line in place.lines)
    size = min(
        0.82 * width / (LETTER_WIDTH * longest), 0.56 * height / len(place.lines), LARGEST_MM
    )
    bar = 0.7 * width
    return DrawnPlace(
        place,
        _points(shape),
        round(x, 1),
        round(y, 1),
        round(x - bar / 2, 1),
        round(y + 0.3 * height, 1),
        round(bar, 1),
        round(max(size, SMALLEST_MM), 1),
    )
