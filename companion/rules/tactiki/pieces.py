"""The board and pieces of TacTiki (Armored Panda 2019) as data.

A field is r * 5 + c, row 0 far and row 4 near. A piece is seat + 2 * k: its parity names its side,
k counts its side's pieces. Two stand on each start field: piece 2c below 2c + 1. A piece that comes
back gets the next k, because nobody but its owner knows which it was.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product
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


SIDE: Final = ("0", "1")
"""What stands for a piece of each seat in the words that say how the board looks."""
NOBODY: Final = "."


@lru_cache(maxsize=4096)
def sides_of(column: Column) -> str:
    """Return the side of each piece of *column*, bottom first: 0 for TIKI, 1 for TAC.

    >>> sides_of((1, 4, 6))
    '100'
    """
    return "".join([SIDE[piece & 1] for piece in column])


def look_of(sides: Iterable[str], seat: int) -> str:
    """Return how a board looks when *seat* is to act: the side of each piece, whichever it is."""
    return f"{seat} {'/'.join(sides)}"


def tops_of(sides: Iterable[str]) -> tuple[str, ...]:
    """Return the side of the piece on top of each field, a word for each row.

    >>> tops_of(["", "10", "1", "", ""] * 5)[0]
    '.01..'
    """
    tops = "".join([word[-1:] or NOBODY for word in sides])
    return tuple([tops[row : row + SIZE] for row in range(0, SIZE * SIZE, SIZE)])


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


def _row_moves(seat: int, row: int, tops: str) -> tuple[Moved, ...]:
    """Return the moves of *seat* out of *row* (TA-4), but onto no enemy that has arrived (TA-7)."""
    return tuple(
        MOVE[row * SIZE + c, target]
        for c, top in enumerate(tops)
        if top == SIDE[seat]
        for target in TARGETS[seat][row * SIZE + c]
        if not (target // SIZE == HOME[seat] and tops[target % SIZE] == SIDE[1 - seat])
    )


_ROWS: Final = tuple(map("".join, product((*SIDE, NOBODY), repeat=SIZE)))
ROW_MOVES: Final = tuple(
    tuple({tops: _row_moves(seat, row, tops) for tops in _ROWS} for row in range(SIZE))
    for seat in (0, 1)
)
"""By seat, row, and what stands on top in the row."""


@cache
def returns(seat: int, tops: str, pool: tuple[int, ...]) -> tuple[Reincarnated, ...]:
    """Return how a piece of *pool* may come back to a start row with *tops* (TA-10)."""
    fields = [HOME[seat] * SIZE + c for c, top in enumerate(tops) if top == NOBODY]
    return tuple(Reincarnated(field, rank) for field in fields for rank in sorted(set(pool)))


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
