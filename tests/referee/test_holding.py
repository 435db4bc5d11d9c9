"""What people enter is held until the table follows, whatever they enter after it."""

import pytest

from companion.referee.notices import Illegal
from companion.referee.sitting import Sitting
from tests.referee.test_entering import acts, sit
from tests.tables import see_hand, see_table

EMPTY_BOARD = (None,) * 25
ON_A3 = 10


def board(*columns: tuple[int, str]) -> tuple[str | None, ...]:
    """Return the board with such columns as (10, "pink 1") and nothing else."""
    standing = dict(columns)
    return tuple(standing.get(place) for place in range(25))


def show(sitting: Sitting, *columns: tuple[int, str], frames: str = "abc") -> None:
    """Let several pictures show the board with those columns, a hand before each."""
    for frame in frames:
        sitting.observe(see_hand(f"hand {frame}"))
        sitting.observe(see_table(frame, board(*columns)))


def wanted(sitting: Sitting) -> str | None:
    """Return what the table has to be put right to on A3; None if nothing is held."""
    question = sitting.referee.question
    if isinstance(question, Illegal) and question.frame is None:
        return question.nearest[ON_A3]
    return None


PINK = (ON_A3, "pink 1")


@pytest.mark.parametrize("second", ["undo", "roll 5"])
def test_a_take_back_is_held_through_an_entry_that_moves_nothing(second: str) -> None:
    """The piece that still stands there is not taken for a new one."""
    sitting = sit("topple", "roll 3")
    show(sitting, PINK, frames="1")
    assert acts(sitting) == ["roll 3", "place 20 pink"]
    sitting.referee.undo()
    assert wanted(sitting) == "empty"
    sitting.referee.undo() if second == "undo" else sitting.referee.replace(second)
    known = acts(sitting)
    assert known == ([] if second == "undo" else [second])
    assert wanted(sitting) == "empty"
    show(sitting, PINK)
    assert acts(sitting) == known
    assert wanted(sitting) == "empty"


def test_a_placement_is_held_through_the_next_roll() -> None:
    """The board that is still empty does not take it back."""
    sitting = sit("topple", "roll 3")
    show(sitting, frames="1")
    sitting.referee.enter("place 20 pink")
    assert wanted(sitting) == "pink 1"
    sitting.referee.enter("roll 6")
    assert wanted(sitting) == "pink 1"
    show(sitting)
    assert acts(sitting) == ["roll 3", "place 20 pink", "roll 6"]
    assert wanted(sitting) == "pink 1"


def test_a_table_that_follows_ends_the_hold() -> None:
    """And play goes on from there."""
    sitting = sit("topple", "roll 3")
    show(sitting, frames="1")
    sitting.referee.enter("place 20 pink")
    sitting.referee.enter("roll 6")
    show(sitting, PINK, frames="2")
    assert sitting.referee.question is None
    show(sitting, PINK, (12, "yellow 1"), frames="3")
    assert acts(sitting)[-1] == "place 22 yellow"


def test_a_roll_alone_holds_nothing() -> None:
    """What was placed before it was told is believed at once."""
    sitting = sit("topple")
    show(sitting, frames="1")
    sitting.referee.enter("roll 3")
    assert wanted(sitting) is None
    show(sitting, PINK, frames="2")
    assert acts(sitting) == ["roll 3", "place 20 pink"]
