"""What lies on the virtual table of a game: its pieces, the places they go to, and how to tell.

Each game that a camera reads has a module `virtual`, whose `VIRTUAL_SET` is one of these. It says
what lies where and what a hand may do with it; it knows nothing of what has been played.
Millimetres of the table frame, degrees clockwise seen from above.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any, Final, Protocol, TypeAlias

Look: TypeAlias = Any
"""What a piece looks like, as JSON: a name, a colour, or what is printed on a card."""
Size: TypeAlias = tuple[float, float, float]
"""Width, depth and height in mm; round pieces are as wide as deep."""

TILE: Final = "tile"
TILE_HEIGHT_MM: Final = 0.5
CARD_HEIGHT_MM: Final = 0.4
IDOL: Final = "idol"
"""What a card rides on that is in the idol."""


@dataclass(frozen=True, slots=True)
class Laid:
    """A piece as it is put down; pieces that are put to the same place come to rest on each other.

    kind, look, size: as the snapshot has them.  pitch: how much higher the next of its kind stands
    on it; None for its height.  up: whether its face shows.  of: the seat in whose hand it lies.
    mark: what is hidden below it.  owner: the seat that may look at the mark; None for anybody.
    """

    kind: str
    look: Look
    size: Size
    x: float = 0.0
    y: float = 0.0
    turn: float = 0.0
    up: bool = True
    of: int | None = None
    mark: str = ""
    owner: int | None = None
    pitch: float | None = None


class Lying(Protocol):
    """A piece that lies on the table."""

    @property
    def kind(self) -> str:
        """As the snapshot has it."""

    @property
    def look(self) -> Look:
        """As the snapshot has it."""

    @property
    def x(self) -> float:
        """To the right, in mm."""

    @property
    def y(self) -> float:
        """To the near player, in mm."""

    @property
    def z(self) -> float:
        """Of its underside, in mm."""

    @property
    def up(self) -> bool:
        """Whether its face shows."""

    @property
    def rides(self) -> str | None:
        """On what it rides."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A place that a careful hand aims at: pieces of *kinds* let go within *reach* of it.

    turn: of what lies there, or the half turn from it; None for any.
    """

    x: float
    y: float
    reach: float
    kinds: tuple[str, ...]
    turn: float | None = None


@dataclass(frozen=True, slots=True)
class Floor:
    """A board that lies on the table: its edges, and how high its top is."""

    left: float
    top: float
    right: float
    bottom: float
    z: float

    def carries(self, x: float, y: float) -> bool:
        """Return whether what has its middle there rests on it."""
        return self.left <= x <= self.right and self.top <= y <= self.bottom


@dataclass(frozen=True, slots=True)
class Balance:
    """A board on a stem: its middle, its side, and how high its top is when it is level."""

    x: float
    y: float
    size: float
    z: float

    @property
    def floor(self) -> Floor:
        """Its top when it is level."""
        half = self.size / 2
        return Floor(self.x - half, self.y - half, self.x + half, self.y + half, self.z)


@dataclass(frozen=True, slots=True)
class IdolSpot:
    """The idol: its middle, and how wide it is."""

    x: float
    y: float
    diameter: float


class VirtualSet(ABC):
    """All that a game has on its table.

    game: its name.  find_table: returns how the table of a game is laid out; asked once, when that
    is first wanted.  is_row: whether its slots are a row, along which a hand shoves what lies there
    to make room.
    """

    is_row: bool = False

    def __init__(self, game: str, find_table: Callable[[str], Mapping[str, Any]]) -> None:
        self.game = game
        self._find_table = find_table

    @cached_property
    def table(self) -> Mapping[str, Any]:
        """How the table is laid out, as a session.json says it."""
        return self._find_table(self.game)

    @property
    def layout(self) -> Mapping[str, Any]:
        """Where everything lies."""
        found: Mapping[str, Any] = self.table["layout"]
        return found

    @property
    def width(self) -> float:
        """From the left tiles to the right ones, in mm."""
        return float(self.table["mat"]["width"])

    @property
    def height(self) -> float:
        """From the far tiles to the near ones, in mm."""
        return float(self.table["mat"]["height"])

    def tiles(self) -> list[Laid]:
        """Return the corner tiles."""
        mat = self.table["mat"]
        side = float(mat["tile_mm"])
        corners = ((0.0, 0.0), (self.width, 0.0), (self.width, self.height), (0.0, self.height))
        return [
            Laid(TILE, number, (side, side, TILE_HEIGHT_MM), x, y)
            for number, (x, y) in zip(mat["marker_ids"], corners, strict=True)
        ]

    @property
    def floors(self) -> Sequence[Floor]:
        """The boards that lie there."""
        edges = self.layout.get("board")
        if edges is None:
            return ()
        left, top, right, bottom = edges
        return (Floor(left, top, right, bottom, self.layout["floor_z"]),)

    @property
    def balance(self) -> Balance | None:
        """The board that balances, None where there is none."""
        return None

    @property
    def idol(self) -> IdolSpot | None:
        """The idol, None where there is none."""
        return None

    @property
    @abstractmethod
    def slots(self) -> Sequence[Slot]:
        """The places that a careful hand aims at, beside what lies there already."""

    @abstractmethod
    def start(self, seats: int, random: Random) -> list[Laid]:
        """Return the table on which a game of so many *seats* begins, bottom first."""

    @abstractmethod
    def lay(self, reading: Mapping[str, Any], random: Random) -> list[Laid]:
        """Return a table that shows *reading*, in the words of truth.jsonl, bottom first."""

    def idol_deg(self, reading: Mapping[str, Any]) -> float:
        """Return where the idol's arm points in *reading*."""
        return float(reading.get("idol_deg", 0.0))

    @abstractmethod
    def lies(
        self, pieces: Iterable[Lying], *, idol_deg: float = 0.0, fallen: bool = False
    ) -> dict[str, Any]:
        """Return what lies there as a reading says it; for tests and for judging alone."""


def nearest(places: Sequence[tuple[float, float]], x: float, y: float, reach: float) -> int | None:
    """Return which of *places* is nearest to a point, None if none is within *reach*."""
    far, at = min(
        (((px - x) ** 2 + (py - y) ** 2) ** 0.5, at) for at, (px, py) in enumerate(places)
    )
    return at if far <= reach else None


def in_cells(
    pieces: Iterable[Lying], kind: str, places: Sequence[tuple[float, float]], reach: float
) -> list[list[str]]:
    """Return the looks of the pieces of *kind* at each of *places*, bottom first."""
    found: list[list[tuple[float, str]]] = [[] for _ in places]
    for piece in pieces:
        if piece.kind == kind:
            at = nearest(places, piece.x, piece.y, reach)
            if at is not None:
                found[at].append((piece.z, str(piece.look)))
    return [[look for _, look in sorted(column)] for column in found]


def columns_of(cells: Sequence[Sequence[Any]], colours: Sequence[str]) -> list[list[str]]:
    """Return the columns of a reading's *cells*, row by row, bottom first.

    A cell is a list of colours, or its height and the top, below which the others take turns.
    """
    return [_column_of(cell, colours) for row in cells for cell in row]


def _column_of(cell: Any, colours: Sequence[str]) -> list[str]:
    if not isinstance(cell, Mapping):
        return list(cell)
    height, top = int(cell["height"]), cell["top"]
    first = colours.index(top) if top is not None else 0
    return [colours[(first + below) % len(colours)] for below in reversed(range(height))]


def deck_at(
    looks: Iterable[Look], size: Size, place: tuple[float, float], random: Random
) -> list[Laid]:
    """Return cards face down on a pile, shuffled, each as straight as a hand lays it."""
    cards = list(looks)
    random.shuffle(cards)
    x, y = place
    return [
        Laid(
            "card", look, size, x + random.gauss(0, 0.5), y + random.gauss(0, 0.5),
            turn=random.gauss(0, 0.8), up=False,
        )
        for look in cards
    ]  # fmt: skip


def supply(
    kind: str, looks: Sequence[Look], size: Size, place: tuple[float, float], tall: int
) -> list[Laid]:
    """Return pieces in stacks of at most *tall*, each stack nearer than the one before."""
    x, y = place
    return [
        Laid(kind, look, size, x, y + (size[1] + 8.0) * (at // tall))
        for at, look in enumerate(looks)
    ]
