"""Pieces of the virtual table, and the hands over it."""

from dataclasses import dataclass
from typing import Any, Final

from companion.apps.virtual.footprint import ROUND, Footprint

CARD: Final = "card"
TILE: Final = "tile"
DIE: Final = "die"
BOARD: Final = "board"
IDOL: Final = "idol"


@dataclass(slots=True)
class Piece:
    """A piece, wherever it is: on the table, in the air or in a private hand.

    kind, look, size, x, y, z, turn, lean, up, held, of: as the snapshot has them.
    rides: "board" or "idol" where it moves with that.  mark: below its foot.  owner: whose private
    hand may see the mark, None for anybody's.  pitch: how much higher the next of its kind stands.
    is_known: whether who holds it has seen its face, since it comes from the own hand.
    """

    id: int
    kind: str
    look: Any
    size: tuple[float, float, float]
    x: float
    y: float
    z: float = 0.0
    turn: float = 0.0
    lean: tuple[float, float] = (0.0, 0.0)
    up: bool = True
    held: int | None = None
    of: int | None = None
    rides: str | None = None
    mark: str = ""
    owner: int | None = None
    pitch: float | None = None
    is_known: bool = False

    @property
    def is_on_table(self) -> bool:
        """Whether it lies on the table, in nobody's hand."""
        return self.held is None and self.of is None

    @property
    def footprint(self) -> Footprint:
        """What of the table it covers."""
        width, depth, _ = self.size
        return Footprint(self.x, self.y, width, depth, self.turn, self.kind in ROUND)

    def rise(self, above: "Piece") -> float:
        """Return how much higher the foot of *above* stands than its own."""
        nests = above.kind == self.kind and self.pitch is not None
        return self.pitch if nests and self.pitch is not None else self.size[2]


@dataclass(slots=True)
class Hand:
    """A hand over the table.

    number: the seat's, or one below 0.  private: the number of the hand of cards that it has, a
    seat's or its own.  x, y, z: of the fingertips, None while it is away.
    side: from where it comes.  piece: what it holds.  origin: where that was taken from the table.
    """

    number: int
    private: int
    side: str = "near"
    x: float = 0.0
    y: float = 0.0
    z: float = 0.0
    is_over: bool = False
    piece: int | None = None
    origin: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks at the table: its arm, its private hand, and what it may do.

    hand, private: numbers as in `Hand`, None for somebody who only watches.
    """

    hand: int | None = None
    private: int | None = None
    is_host: bool = False


class Refused(ValueError):
    """What cannot be done at this table; one sentence says why."""
