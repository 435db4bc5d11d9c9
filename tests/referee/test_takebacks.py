"""Moves that are taken back one by one, also where one picture has shown several of them."""

import pytest

from companion.referee.live_session import LiveSession
from companion.referee.notices import Illegal
from companion.rules import tiki_topple
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


def spent() -> LiveSession:
    """Return a session of four: the first two tikis are swapped, by Ann, and Bob has no Up 1."""
    live_session = sit_down(4)
    line = TIKIS
    for text in ("up2 kapu", "up1 akamai", "up3 nui", "up2 eepo", "up1 lokahi"):
        played = tiki_topple.parse_action(text)
        assert isinstance(played, tiki_topple.Played)
        line = tiki_topple.move(line, played.card, played.tiki)
        live_session.observe(see(text, line))
    assert len(moves(live_session)) == 5
    return live_session


def swapped_back(live_session: LiveSession) -> tuple[str, ...]:
    """Return the line with its first two swapped."""
    first, second, *rest = live_session.session.state.line
    return (second, first, *rest)


def test_a_forbidden_move_that_looks_like_a_take_back_is_told_as_both() -> None:
    """No arm was seen: Ann may have taken her move back, or Bob has played what he has not."""
    live_session = spent()
    live_session.observe(see("back", swapped_back(live_session)))
    question = live_session.referee.question
    assert isinstance(question, Illegal)
    assert question.clause == "TT-4"
    assert question.why == (
        "Did Ann take the last move back? If not: This looks like Tiki Up 1 on Hookipa, but Bob has"
        " no Tiki Up 1 left."
    )
    assert question.slots == (0, 1)
    assert [each.text for each in question.candidates] == ["Ann took back the last move"]
    assert len(moves(live_session)) == 5
    assert live_session.referee.choose(0)
    assert len(moves(live_session)) == 4


def test_the_arm_of_who_moved_last_tells_that_it_is_a_take_back() -> None:
    """Ann sits near."""
    live_session = spent()
    live_session.observe(see_hand("hand", "near"))
    live_session.observe(see("back", swapped_back(live_session)))
    assert live_session.referee.question is None
    assert len(moves(live_session)) == 4


@pytest.mark.parametrize("arm", ["near", "right", "far"])
def test_what_was_told_as_both_is_believed_by_the_arm_that_goes_on(arm: str) -> None:
    """After a take-back it is Ann's turn again, and nobody else's."""
    live_session = spent()
    back = swapped_back(live_session)
    live_session.observe(see("back", back))
    live_session.observe(see_hand("hand", arm))
    live_session.observe(see("on", (back[3], *back[:3], *back[4:])))
    newest = f"up3 {back[3]}" if arm == "near" else "up1 lokahi"
    assert moves(live_session)[4:] == [(0, newest)]


def test_what_was_told_as_both_is_believed_if_no_arm_speaks_against_what_goes_on() -> None:
    """No arm was seen, and Ann's next move is legal after a take-back alone."""
    live_session = spent()
    back = swapped_back(live_session)
    for frame, line in (("back", back), ("on", (back[3], *back[:3], *back[4:]))):
        live_session.observe(see(frame, line))
    assert moves(live_session)[4:] == [(0, f"up3 {back[3]}")]


def test_what_was_told_as_both_and_put_right_was_neither() -> None:
    """The line as the game has it: nothing has happened."""
    live_session = spent()
    line = live_session.session.state.line
    live_session.observe(see("back", swapped_back(live_session)))
    live_session.observe(see("right", line))
    assert live_session.referee.question is None
    assert len(moves(live_session)) == 5
