"""Moves that are taken back one by one, also where one picture has shown several of them."""

from companion.referee.live_session import LiveSession
from companion.referee.notices import Illegal
from companion.rules.tiki_topple import TIKIS
from tests.tables import moves, see, see_hand, sit_down, told

FIRST = ("wikiwiki", *TIKIS[:3], *TIKIS[4:])
BOTH = (*FIRST[:4], FIRST[7], *FIRST[4:7], FIRST[8])
"""After two moves that no card alone takes back: Up 3 of the fourth, then of the eighth."""


def pair() -> LiveSession:
    """Return a session of three that has believed two moves of one picture."""
    live_session = sit_down()
    for frame in "13":
        live_session.observe(see(frame, BOTH))
        live_session.observe(see_hand(f"hand {frame}"))
    assert [seat for seat, _ in moves(live_session)] == [0, 1]
    assert len({move["frame"] for move in told(live_session, "move")}) == 1
    return live_session


def test_the_camera_takes_back_one_of_two_moves_that_it_saw_together() -> None:
    """The line after the first of them: the first still counts."""
    live_session = pair()
    live_session.observe(see("5", FIRST))
    assert [seat for seat, _ in moves(live_session)] == [0]


def test_people_take_back_one_of_two_moves_that_were_seen_together() -> None:
    """Each word of theirs takes back one."""
    live_session = pair()
    live_session.referee.undo()
    assert [seat for seat, _ in moves(live_session)] == [0]
    live_session.referee.undo()
    assert moves(live_session) == []


def test_both_are_taken_back_each_by_itself_once_they_are_seen_to_stay_away() -> None:
    """Two take-backs at once are not believed at a first look; then each is an entry of its own."""
    live_session = pair()
    live_session.observe(see("5", TIKIS))
    question = live_session.referee.question
    assert isinstance(question, Illegal)
    assert question.candidates[0].actions == ("undo", "undo")
    assert question.candidates[0].text == (
        "Bob took back the last move, then Ann took back the last move"
    )
    assert len(moves(live_session)) == 2
    live_session.observe(see_hand("6"))
    live_session.observe(see("7", TIKIS))
    assert moves(live_session) == []
    second, first = (undo["action"] for undo in told(live_session, "undo"))
    assert [first, second] == [move["action"] for move in told(live_session, "move")]
