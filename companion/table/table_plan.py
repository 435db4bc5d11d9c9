"""What lies where on a game's table, to be drawn over its picture: its places, and its outline."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import cos, pi, sin
from typing import Final, TypeAlias

from companion.language.message import say
from vision.geometry.layout import Mat, Rig

Points: TypeAlias = tuple[tuple[float, float], ...]
"""Points in mm of the table: x to the right, y towards the near player."""

DISC_CORNERS: Final = 20
SHEET_MM: Final = (420.0, 297.0)
"""An A3 sheet, of which the corners are dragged where a table of cards has no board."""
SHEET_WORDS: Final = say(
    "of the A3 sheet under the cards (it must be clearly lighter or darker than the table)"
)


@dataclass(frozen=True, slots=True)
class Shape:
    """A flat shape that lies *z_mm* above the table."""

    points: Points
    z_mm: float = 0.0

    @property
    def middle(self) -> tuple[float, float]:
        """The middle of its points."""
        xs, ys = zip(*self.points, strict=True)
        return sum(xs) / len(xs), sum(ys) / len(ys)


@dataclass(frozen=True, slots=True)
class TablePlan:
    """The table of a game.

    outline: what people can fit by its four corners where no tiles lie, from the top left
        clockwise.  outline_words: which thing's corners these are, such as "of the printed board".
    places: of the game, in its order, and then what else lies there.
    is_board: whether the outline is that of a board that always lies there.
    own: of a board with markers of its own, these and the same shapes in its frame.
    """

    outline: Shape
    outline_words: str
    places: tuple[Shape, ...]
    is_board: bool = True
    own: "OwnBoard | None" = None


@dataclass(frozen=True, slots=True)
class OwnBoard:
    """A board that carries markers of its own, and may be tilted and turned on its table."""

    rig: Rig
    outline: Shape
    places: tuple[Shape, ...]


def rectangle(edges: Iterable[float], z_mm: float = 0.0) -> Shape:
    """Return the rectangle with these left, top, right and bottom *edges*.

    >>> rectangle((0, 1, 4, 3)).points
    ((0, 1), (4, 1), (4, 3), (0, 3))
    """
    left, top, right, bottom = edges
    return Shape(((left, top), (right, top), (right, bottom), (left, bottom)), z_mm)


def around(x: float, y: float, width: float, height: float, z_mm: float = 0.0) -> Shape:
    """Return the rectangle of that size around its middle."""
    half = width / 2, height / 2
    return rectangle((x - half[0], y - half[1], x + half[0], y + half[1]), z_mm)


def sheet_under(mat: Mat) -> Shape:
    """Return the sheet of paper that may lie in the middle of *mat*, under the cards."""
    return around(mat.width / 2, mat.height / 2, *SHEET_MM)


def disc(x: float, y: float, radius: float, z_mm: float = 0.0) -> Shape:
    """Return a disc around its middle."""
    turns = (2 * pi * corner / DISC_CORNERS for corner in range(DISC_CORNERS))
    return Shape(tuple((x + radius * cos(a), y + radius * sin(a)) for a in turns), z_mm)
