"""What looks like one forbidden move is not two quick ones, however play goes on from it."""

import pytest

from companion.referee.notices import Illegal
from companion.referee.sitting import Sitting
from companion.rules.tiki_topple import TIKIS
from tests.tables import moves, see, see_hand, sit_down

FIRST = ("wikiwiki", *TIKIS[:3], *TIKIS[4:])
STANDS = ("wikiwiki", "hookipa", "nani", "lokahi", *TIKIS[4:])
AGAIN = (*STANDS[:5], STANDS[8], *STANDS[5:8])
"""The last one has gone up 3, for which Ann has no card left."""
ON_TOP = {
    "up1 hookipa": ("hookipa", "wikiwiki", *AGAIN[2:]),
    "up2 nani": ("nani", "wikiwiki", "hookipa", *AGAIN[3:]),
}


def refused() -> Sitting:
    """Return a sitting of two at which a spent card was played, after a move of each."""
    sitting = sit_down(2)
    for frame, line in (("1", FIRST), ("2", STANDS), ("3", AGAIN)):
        sitting.observe(see(frame, line))
    question = sitting.referee.question
    assert isinstance(question, Illegal)
    assert question.clause == "TT-4"
    assert question.candidates
    return sitting


@pytest.mark.parametrize("move", ON_TOP)
def test_a_refused_pair_is_not_believed_for_what_was_played_on_top_of_it(move: str) -> None:
    """Nothing is logged, and what was forbidden is still named."""
    sitting = refused()
    before = moves(sitting)
    for frame in "456":
        sitting.observe(see_hand(f"hand {frame}"))
        sitting.observe(see(frame, ON_TOP[move]))
        question = sitting.referee.question
        assert isinstance(question, Illegal)
        assert question.clause == "TT-4"
    assert moves(sitting) == before


def test_people_may_say_that_it_was_a_pair() -> None:
    """Then the move on top of it is seen, too."""
    sitting = refused()
    sitting.observe(see_hand("hand"))
    sitting.observe(see("4", ON_TOP["up1 hookipa"]))
    assert sitting.referee.choose(0)
    assert sitting.referee.question is None
    assert [seat for seat, _ in moves(sitting)] == [0, 1, 0, 1, 0]
    assert moves(sitting)[-1] == (0, "up1 hookipa")
