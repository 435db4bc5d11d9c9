"""The board and the die of Topple as data. A spot is r * 5 + c."""

from dataclasses import dataclass
from functools import cache
from typing import Final, TypeAlias

from companion.colours import COLOURS as KNOWN_COLOURS

Colour: TypeAlias = str
Column: TypeAlias = tuple[int, ...]  # colours by number, bottom first

SIZE: Final = 5
SPOTS: Final = range(SIZE * SIZE)
PIECES: Final = 12  # TO-2: of each colour
PIPS: Final = range(1, 7)
ANY: Final = 6  # TO-4: the roll that allows every spot
UNSEEN: Final = 0  # a roll whose number is unknown: any spot may have been allowed
COLOURS: Final = ("pink", "yellow", "blue", "green")

# TO-1: the middle is level 1; each step away from it is one level more.
LEVEL: Final = tuple(1 + abs(spot // SIZE - 2) + abs(spot % SIZE - 2) for spot in SPOTS)

# TO-5: five rows, five columns and two diagonals, as bits of their spots.
_LINES: Final = (
    *(tuple(range(row * SIZE, row * SIZE + SIZE)) for row in range(SIZE)),
    *(tuple(range(c, SIZE * SIZE, SIZE)) for c in range(SIZE)),
    tuple(range(0, SIZE * SIZE, SIZE + 1)),
    tuple(range(SIZE - 1, SIZE * SIZE - 1, SIZE - 1)),
)
ROWS: Final[tuple[tuple[int, ...], ...]] = tuple(
    tuple(sum(1 << spot for spot in line) for line in _LINES if here in line) for here in SPOTS
)


def colour_words(colour: Colour) -> str:
    """Return what people call *colour*; the owner of another edition has named it already."""
    known = KNOWN_COLOURS.get(colour)
    return known.words if known else colour


@dataclass(frozen=True, slots=True)
class Rolled:
    """The die was rolled, for the first turn or for a placement.

    pips: what it shows; 0 if unknown, which may be before a placement only.
    """

    pips: int


@dataclass(frozen=True, slots=True)
class Placed:
    """The seat to act placed a piece, and nothing fell."""

    spot: int
    colour: Colour


@dataclass(frozen=True, slots=True)
class Toppled:
    """Pieces fell while the seat to act was placing one."""


@dataclass(frozen=True, slots=True)
class Knocked:
    """Pieces fell because *seat* knocked the board or the table."""

    seat: int


@dataclass(frozen=True, slots=True)
class Passed:
    """The seat to act placed nothing, where the table allows that."""


Action: TypeAlias = Rolled | Placed | Toppled | Knocked | Passed

ROLLS: Final = tuple(map(Rolled, PIPS))
TOPPLED: Final = Toppled()
PASSED: Final = Passed()


@cache
def knocks(players: tuple[int, ...]) -> tuple[Knocked, ...]:
    """Return the knocks that *players* might cause."""
    return tuple(map(Knocked, players))


@cache
def allows(pips: int, spot: int) -> bool:
    """Tell whether a roll of *pips* allows *spot* (TO-4), or may have, if it is `UNSEEN`."""
    return pips in (ANY, UNSEEN) or LEVEL[spot] == pips


@cache
def placements(pips: int, colours: tuple[Colour, ...]) -> tuple[Placed, ...]:
    """Return the placements of these *colours* that a roll allows (TO-4)."""
    return tuple(Placed(spot, colour) for colour in colours for spot in SPOTS if allows(pips, spot))
