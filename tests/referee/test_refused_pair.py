"""What looks like one forbidden move is not two quick ones, however play goes on from it."""

import pytest

from companion.referee.live_session import LiveSession
from companion.referee.notices import Illegal
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


def refused() -> LiveSession:
    """Return a session of two at which a spent card was played, after a move of each."""
    live_session = sit_down(2)
    for frame, line in (("1", FIRST), ("2", STANDS), ("3", AGAIN)):
        live_session.observe(see(frame, line))
    question = live_session.referee.question
    assert isinstance(question, Illegal)
    assert question.clause == "TT-4"
    assert question.candidates
    return live_session


@pytest.mark.parametrize("move", ON_TOP)
def test_a_refused_pair_is_not_believed_for_what_was_played_on_top_of_it(move: str) -> None:
    """Nothing is logged, and what was forbidden is still named."""
    live_session = refused()
    before = moves(live_session)
    for frame in "456":
        live_session.observe(see_hand(f"hand {frame}"))
        live_session.observe(see(frame, ON_TOP[move]))
        question = live_session.referee.question
        assert isinstance(question, Illegal)
        assert question.clause == "TT-4"
    assert moves(live_session) == before


def test_people_may_say_that_it_was_a_pair() -> None:
    """Then the move on top of it is seen, too."""
    live_session = refused()
    live_session.observe(see_hand("hand"))
    live_session.observe(see("4", ON_TOP["up1 hookipa"]))
    assert live_session.referee.choose(0)
    assert live_session.referee.question is None
    assert [seat for seat, _ in moves(live_session)] == [0, 1, 0, 1, 0]
    assert moves(live_session)[-1] == (0, "up1 hookipa")
