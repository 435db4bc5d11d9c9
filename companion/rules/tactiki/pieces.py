"""The board and pieces of TacTiki (Armored Panda 2019) as data.

A field is r * 5 + c, row 0 far and row 4 near. A piece is seat + 2 * k: its parity names its side,
k counts its side's pieces. Two stand on each start field: piece 2c below 2c + 1. A piece that comes
back gets the next k, because nobody but its owner knows which it was.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final, Literal, TypeAlias, get_args

from companion.language.message import Message, say

Result: TypeAlias = Literal["win", "lose", "tie"]
Piece: TypeAlias = int
Column: TypeAlias = tuple[Piece, ...]

SIZE: Final = 5
SIDES: Final = ("tiki", "tac")  # TA-1: by seat
TRIBES: Final = ("TIKI", "TAC")
"""The sides as people write them."""
HOME: Final = (4, 0)  # TA-1: a seat's row of start fields
FORWARD: Final = (-1, 1)
RANKS: Final = (1, 2, 3, 4, 5)
RESULTS: Final[tuple[Result, ...]] = get_args(Result)
PIECES: Final = 10  # TA-2: by side, two of each rank
STATUE: Final = 5  # TA-11

# TA-3: the higher rank wins, except that 1 beats 5.
BEATEN: Final[dict[int, frozenset[int]]] = {
    5: frozenset((4, 3, 2)),
    4: frozenset((3, 2, 1)),
    3: frozenset((2, 1)),
    2: frozenset((1,)),
    1: frozenset((5,)),
}


@dataclass(frozen=True, slots=True)
class Moved:
    """The top piece of field *source* moved to field *target*."""

    source: int
    target: int


@dataclass(frozen=True, slots=True)
class Reincarnated:
    """A defeated piece came back on *field*; rank is 0 if the engine does not know it."""

    field: int
    rank: int = 0


@dataclass(frozen=True, slots=True)
class Clashed:
    """The attacker's win, loss or tie against the next piece below it was observed."""

    result: Result


@dataclass(frozen=True, slots=True)
class Arranged:
    """A seat's ranks became known: field by field from column 0, the lower piece first."""

    seat: int
    ranks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Claimed:
    """The seat to act claimed a draw by repetition."""


Action: TypeAlias = Moved | Reincarnated | Clashed | Arranged | Claimed


def compare(attacker: int, defender: int) -> Result:
    """Return how rank *attacker* fares against rank *defender* (TA-3).

    >>> compare(1, 5), compare(4, 5), compare(3, 3)
    ('win', 'lose', 'tie')
    """
    if attacker == defender:
        return "tie"
    return "win" if defender in BEATEN[attacker] else "lose"


def _look(seat: int, field: int, height: int) -> int:
    # The battlefield, where looks differ soonest, has the highest bits; they are compared first.
    places = (field + 2 * SIZE) % (SIZE * SIZE) * 2 * PIECES + height
    return (seat + 1) << (1 + 2 * places)


LOOK: Final = tuple(
    tuple(
        tuple(_look(seat, field, height) for height in range(2 * PIECES))
        for field in range(SIZE * SIZE)
    )
    for seat in (0, 1)
)
"""What a piece adds to the look of a board, by seat, field and height.

The lowest bit of a look is left for the seat to act.
"""


@lru_cache(maxsize=4096)
def look_at(field: int, column: Column) -> int:
    """Return what *column* adds to the look of a board on *field*."""
    return sum([LOOK[piece & 1][field][height] for height, piece in enumerate(column)])


def look_of(columns: Iterable[Column]) -> int:
    """Return how a board with *columns* looks: the side of each piece, whichever it is.

    >>> look_of([(0, 2), (1,)]) == look_of([(4, 0), (3,)]) != look_of([(0, 1), (2,)])
    True
    """
    return sum([look_at(field, column) for field, column in enumerate(columns)])


def tops_of(columns: Iterable[Column]) -> tuple[int, int]:
    """Return the fields where each seat's piece stands on top, as bits.

    >>> tops_of([(), (0, 1), (3,), (1, 2)])
    (8, 6)
    """
    tops = [0, 0]
    for field, column in enumerate(columns):
        if column:
            tops[column[-1] & 1] |= 1 << field
    return tops[0], tops[1]


# Every move there is, made once.
MOVE: Final[dict[tuple[int, int], Moved]] = {
    (source, target): Moved(source, target)
    for source in range(SIZE * SIZE)
    for target in (source - SIZE, source + SIZE, source - 1, source + 1)
    if 0 <= target < SIZE * SIZE
    and (abs(target - source) == SIZE or target // SIZE == source // SIZE)
}


# Where a piece of a seat may go from a field, whatever stands there (TA-4, TA-7).
TARGETS: Final = tuple(
    tuple(
        ()
        if source // SIZE == HOME[1 - seat]
        else tuple(
            target
            for target in (source + FORWARD[seat] * SIZE, source - 1, source + 1)
            if (source, target) in MOVE
        )
        for source in range(SIZE * SIZE)
    )
    for seat in (0, 1)
)


WHOLE_ROW: Final = (1 << SIZE) - 1
"""The five fields of a row, as bits."""
START_FIELDS: Final = tuple([WHOLE_ROW << SIZE * row for row in HOME])
"""Each seat's, as bits."""


def _row_moves(seat: int, row: int, tops: int) -> tuple[Moved, ...]:
    return tuple(
        MOVE[row * SIZE + c, target]
        for c in range(SIZE)
        if tops >> c & 1
        for target in TARGETS[seat][row * SIZE + c]
    )


ROW_MOVES: Final = tuple(
    tuple(
        tuple(_row_moves(seat, row, tops) for tops in range(WHOLE_ROW + 1)) for row in range(SIZE)
    )
    for seat in (0, 1)
)
"""The moves of a seat out of a row, by the fields there where it has the top piece, as bits."""


@cache
def start_moves(seat: int, mine: int, arrived: int) -> tuple[Moved, ...]:
    """Return the moves of *seat* out of its start row, but onto no enemy that has arrived (TA-7).

    mine, arrived: the start fields where a piece of its own and of the enemy is on top, as bits.
    """
    row = HOME[seat]
    moves = ROW_MOVES[seat][row][mine >> SIZE * row]
    return tuple([move for move in moves if not arrived >> move.target & 1])


@cache
def returns(seat: int, taken: int, ranks: tuple[int, ...]) -> tuple[Reincarnated, ...]:
    """Return how a piece of these *ranks* may come back to the start row (TA-10).

    taken: the start fields with a piece on them, as bits.
    """
    near = HOME[seat] * SIZE
    return tuple(
        [
            Reincarnated(field, rank)
            for field in range(near, near + SIZE)
            if not taken >> field & 1
            for rank in ranks
        ]
    )


@cache
def field_name(field: int) -> str:
    """Return the name of *field* for people: a letter for the column, a number for the row.

    >>> field_name(20)
    'A5'
    """
    row, c = divmod(field, SIZE)
    return f"{'ABCDE'[c]}{row + 1}"


def piece_name(piece: Piece) -> str:
    """Return a piece's name for programs: its side and number, such as tiki3."""
    return f"{SIDES[piece & 1]}{(piece >> 1) + 1}"


def piece_words(piece: Piece) -> Message:
    """Return which piece it is for people, who know the pieces by where they began.

    >>> piece_words(2), piece_words(41)
    ('TIKI’s upper piece from A5', 'a piece of TAC’s that came back')
    """
    seat, number = piece & 1, piece >> 1
    if number >= PIECES:
        return say("a piece of {side}’s that came back", side=TRIBES[seat])
    field = field_name(HOME[seat] * SIZE + number // 2)
    if number % 2:
        return say("{side}’s upper piece from {field}", side=TRIBES[seat], field=field)
    return say("{side}’s lower piece from {field}", side=TRIBES[seat], field=field)


def is_statue(column: Column, seat: int, rule: str) -> bool:
    """Tell whether *column* is a statue of *seat* (TA-11)."""
    ours = sum(piece & 1 == seat for piece in column)
    return ours >= STATUE and (rule == "five" or ours == len(column))


def is_whole(ranks: tuple[int, ...]) -> bool:
    """Tell whether *ranks* are a side's ten pieces (TA-2)."""
    return sorted(ranks) == sorted(RANKS * 2) and len(ranks) == PIECES
