"""TacTiki against its rulebook: set-ups, options and actions."""

from random import Random

import pytest

from companion.rules import tactiki as game
from companion.rules.base import IllegalAction
from tests.rules.tactiki_tables import RANKS, after, listed, refused


def test_tiki_begins_from_row_four() -> None:
    """TA-1: two pieces stand on each start field, forward is towards the other side."""
    state = game.initial(2)
    assert game.turn(state) == 0
    assert [len(column) for column in state.columns] == [2] * 5 + [0] * 15 + [2] * 5
    assert "move 40 30" in listed(state)
    state = after(state, "move 40 30", "move 30 20")
    assert game.turn(state) == 1
    assert "move 04 14" in listed(state)


def test_a_side_has_its_ranks_in_any_arrangement() -> None:
    """TA-2: and the other side's may be unknown."""
    shuffled = Random(1).sample(RANKS, 10)
    assert game.initial(2, {}, {"ranks": {"tac": shuffled}}).ranks == ((0,) * 10, tuple(shuffled))


def test_ranks_may_be_told_before_the_first_move() -> None:
    """TA-2: whole sets only, and the last entry counts; seats 0 and 1 only (TA-1)."""
    told = "ranks 1 1 1 2 2 3 3 4 4 5 5"
    state = after(game.initial(2), told)
    assert state.ranks[1] == tuple(RANKS)
    state = after(state, "ranks 1 2 1 1 2 3 3 4 4 5 5")
    assert state.ranks == ((0,) * 10, (2, 1, 1, 2, 3, 3, 4, 4, 5, 5))
    assert refused(state, "ranks 0 1 1 1 2 3 3 4 4 5 5") == "TA-2"
    assert refused(after(state, "move 40 30"), "ranks 0 1 1 2 2 3 3 4 4 5 5") == "TA-2"
    with pytest.raises(IllegalAction) as refusal:
        game.apply(state, game.Arranged(2, tuple(RANKS)))
    assert refusal.value.clause == "TA-1"
