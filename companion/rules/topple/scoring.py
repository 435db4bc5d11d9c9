"""What one piece scores, part by part: each row and each stack counts by itself (TO-8)."""

from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

from companion.rules.topple.board import ROWS, SIZE, SPOTS
from companion.rules.topple.play import ROW, TALL
from companion.rules.topple.state import State


class Part(NamedTuple):
    """A row or a stack that a piece has scored for.

    kind: "completed" a row has become full (TO-5), "added" it was full already (TO-6), "stack" the
        stack was three or more high (TO-7).
    spots: of the row in order, or the one of the stack.
    points: in all.  own: the stacks, or pieces of the stack, of its colour that were counted.
    """

    kind: Literal["completed", "added", "stack"]
    spots: tuple[int, ...]
    points: int
    own: int


_SPOTS: Final = {
    row: tuple(spot for spot in SPOTS if row >> spot & 1) for rows in ROWS for row in rows
}


def parts(state: State, spot: int, colour: int) -> Iterator[Part]:
    """Yield what a piece of *colour* on *spot* scores; `play.worth` is the sum, and fast."""
    if state.options.young:  # TO-14
        return
    bit, marks = 1 << spot, state.marks
    before = marks[0] | marks[1] | marks[2] | marks[3]
    mine = marks[colour] | bit
    for row in ROWS[spot]:
        if (before | bit) & row != row:
            continue
        if before & row == row:
            own = (mine & row).bit_count()
            yield Part("added", _SPOTS[row], own, own)
        else:
            others = mine if state.options.count_completing else mine ^ bit
            own = (others & row).bit_count()
            yield Part("completed", _SPOTS[row], ROW + own, own)
    column = state.cells[spot]
    if len(column) >= TALL:
        own = column.count(colour) + 1
        yield Part("stack", (spot,), own, own)


def line_name(spots: tuple[int, ...]) -> tuple[Literal["row", "column", "diagonal"], int]:
    """Return which row or column *spots* are, from 0; of a diagonal, where it begins.

    >>> line_name((5, 6, 7, 8, 9)), line_name((3, 8, 13, 18, 23)), line_name((4, 8, 12, 16, 20))
    (('row', 1), ('column', 3), ('diagonal', 4))
    """
    step = spots[1] - spots[0]
    if step == 1:
        return "row", spots[0] // SIZE
    return ("column" if step == SIZE else "diagonal"), spots[0]
