"""From sights to moves: what the referee accepts, asks and refuses."""

import random

import pytest

from companion.referee.live_session import LiveSession
from companion.referee.notices import Ask, Illegal
from companion.rules.base import IllegalAction
from companion.rules.tiki_topple import TIKIS
from companion.session.history import ReplayError
from companion.session.log import Log
from tests.tables import (
    SIDES,
    moves,
    random_round,
    see,
    see_hand,
    sit_down,
    told,
)

LOKAHI_UP = ("lokahi", "hookipa", *TIKIS[2:])
LAST_TWO_SWAPPED = (*TIKIS[:7], TIKIS[8], TIKIS[7])


def question(live_session: LiveSession) -> Illegal | Ask | None:
    """Return the question that stands; a function, since types do not see it change."""
    return live_session.referee.question


def test_a_legal_line_becomes_the_move_that_explains_it() -> None:
    """One legal move explains the line: accepted without a word."""
    live_session = sit_down()
    live_session.observe(see("1", TIKIS))
    live_session.observe(see("2", LOKAHI_UP))
    (move,) = told(live_session, "move")
    assert (move["seat"], move["action"], move["frame"]) == (0, "up1 lokahi", "2")
    assert "also" not in move
    assert told(live_session, "ask", "illegal") == []


def test_an_unchanged_line_is_no_move() -> None:
    """Looking again changes nothing."""
    live_session = sit_down()
    for frame in "123":
        live_session.observe(see(frame, TIKIS))
    assert told(live_session, "move", "illegal", "ask", "undo") == []


def test_a_hand_is_waited_for_and_told_once() -> None:
    """One notice at each change of reason, not one a frame."""
    live_session = sit_down()
    for frame in "123":
        live_session.observe(see_hand(frame))
    assert [body["frame"] for body in told(live_session, "waiting")] == ["1"]
    assert told(live_session, "waiting")[0]["reason"] == "hand"
    live_session.observe(see("4", TIKIS))
    live_session.observe(see_hand("5"))
    assert [body["frame"] for body in told(live_session, "waiting")] == ["1", "5"]


def test_up_1_on_the_last_or_topple_above_it_are_both_kept_unasked() -> None:
    """Both leave the same table and score, so nobody is asked."""
    live_session = sit_down()
    live_session.observe(see("1", LAST_TWO_SWAPPED))
    (move,) = told(live_session, "move")
    assert {move["action"], *move["also"]} == {f"up1 {TIKIS[8]}", f"topple {TIKIS[7]}"}
    assert told(live_session, "ask") == []


def test_later_play_resolves_which_of_the_two_it_was() -> None:
    """A `resolved` event names the move that it settles; no move is told twice."""
    live_session = sit_down(2)
    live_session.observe(see("1", LAST_TWO_SWAPPED))
    line = list(LAST_TWO_SWAPPED)
    seq = told(live_session, "move")[0]["seq"]
    for frame in ("2", "3", "4", "5"):  # seat 0 plays both of its Up 1 on the top two
        line[0], line[1] = line[1], line[0]
        line[3], line[4] = (line[4], line[3]) if frame in "24" else (line[3], line[4])
        if frame in "24":  # seat 1 raises the fifth instead
            line[0], line[1] = line[1], line[0]
        live_session.observe(see_hand(f"h{frame}", SIDES[frame in "24"]))
        live_session.observe(see(frame, line))
    (resolved,) = told(live_session, "resolved")
    assert resolved["settles"] == seq
    assert resolved["action"] == f"topple {TIKIS[7]}"
    assert len(told(live_session, "move")) == 5
    history, apply = live_session.session.history, live_session.session.rules.apply
    place = history.index(seq)
    assert history.step(place)[1] == f"topple {TIKIS[7]}"  # not what seemed likelier at first
    for at in range(len(history.acts)):
        before, form, after = history.step(at)
        assert apply(before, live_session.session.rules.parse_action(form)) == after


def test_a_wrong_swap_is_named_and_never_becomes_a_move() -> None:
    """The slots, the nearest legal line, one report, and the corrected line is taken."""
    live_session = sit_down()
    wrong = [*TIKIS]
    wrong[1], wrong[6] = wrong[6], wrong[1]
    live_session.observe(see("1", wrong))
    live_session.observe(see("2", wrong))
    (illegal,) = told(live_session, "illegal")
    assert illegal["slots"] == [1, 6]
    assert illegal["nearest"] == list(TIKIS)
    assert illegal["frame"] == "1"
    assert "Lokahi in place 2" in illegal["message"]
    assert isinstance(question(live_session), Illegal)
    assert told(live_session, "move") == []
    live_session.observe(see("3", TIKIS))
    assert question(live_session) is None
    live_session.observe(see("4", LOKAHI_UP))
    assert moves(live_session) == [(0, "up1 lokahi")]


def test_a_first_toast_is_refused_with_its_clause() -> None:
    """TT-8: the line looks like a move that the rules forbid, and the referee says which."""
    live_session = sit_down()
    live_session.observe(see("1", TIKIS[:-1]))
    (illegal,) = told(live_session, "illegal")
    assert illegal["clause"] == "TT-8"
    assert "Toast" in illegal["message"]
    assert moves(live_session) == []


def test_a_card_that_is_spent_is_refused_however_long_it_stands() -> None:
    """TT-4: Up 3 again, by a player who has none left, is not two quick moves either."""
    live_session = sit_down(2)
    live_session.observe(see("1", ("wikiwiki", *TIKIS[:3], *TIKIS[4:])))
    live_session.observe(see("2", ("wikiwiki", "hookipa", "nani", "lokahi", *TIKIS[4:])))
    stands = ("wikiwiki", "hookipa", "nani", "lokahi", *TIKIS[4:])
    again = (*stands[:5], stands[8], *stands[5:8])  # the last one goes up 3
    for frame in "345":
        live_session.observe(see_hand(f"h{frame}"))
        live_session.observe(see(frame, again))
    (illegal,) = told(live_session, "illegal")
    assert illegal["clause"] == "TT-4"
    assert "Ann has no Tiki Up 3 left" in illegal["message"]
    assert len(moves(live_session)) == 2


def test_two_quick_moves_are_told_as_illegal_with_the_pair_and_taken_when_they_stand() -> None:
    """A pair whose middle was never seen is not accepted unasked."""
    live_session = sit_down()
    line = ("lokahi", "hookipa", *TIKIS[2:5], "kapu", "huhu", *TIKIS[7:])
    live_session.observe(see("1", line))
    (illegal,) = told(live_session, "illegal")
    assert illegal["candidates"]
    live_session.observe(see("2", line))
    assert moves(live_session) == []  # the same look still
    live_session.observe(see_hand("3"))
    live_session.observe(see("4", line))
    assert [seat for seat, _ in moves(live_session)] == [0, 1]


def test_two_quick_moves_are_taken_when_a_third_follows() -> None:
    """The next settled position decides, if only the pair leads there."""
    live_session = sit_down()
    line = ("lokahi", "hookipa", *TIKIS[2:5], "kapu", "huhu", *TIKIS[7:])
    live_session.observe(see("1", line))
    live_session.observe(see("2", (line[3], *line[:3], *line[4:])))
    assert [seat for seat, _ in moves(live_session)] == [0, 1, 2]
    assert moves(live_session)[2] == (2, "up3 wikiwiki")


def test_two_quick_moves_can_be_chosen_by_a_tap() -> None:
    """A tap on the candidate settles it at once."""
    live_session = sit_down()
    line = ("lokahi", "hookipa", *TIKIS[2:5], "kapu", "huhu", *TIKIS[7:])
    live_session.observe(see("1", line))
    assert live_session.referee.choose(0)
    assert len(moves(live_session)) == 2
    assert not live_session.referee.choose(0)


def test_a_pair_put_right_was_no_pair() -> None:
    """The line as it was: nothing has happened."""
    live_session = sit_down()
    line = ("lokahi", "hookipa", *TIKIS[2:5], "kapu", "huhu", *TIKIS[7:])
    live_session.observe(see("1", line))
    live_session.observe(see("2", TIKIS))
    assert moves(live_session) == []
    assert live_session.referee.question is None


def test_a_piece_moved_back_takes_the_move_back() -> None:
    """The line before an Up 3 cannot be reached by a card: it is a take-back."""
    live_session = sit_down()
    live_session.observe(see("1", ("wikiwiki", *TIKIS[:3], *TIKIS[4:])))
    live_session.observe(see("2", TIKIS))
    (undo,) = told(live_session, "undo")
    assert undo["action"] == "up3 wikiwiki"
    assert moves(live_session) == []
    assert live_session.session.state.seat == 0


def test_a_reversal_that_may_be_either_is_asked() -> None:
    """The next player may swap the two back; so may the one who swapped them."""
    live_session = sit_down()
    live_session.observe(see("1", LOKAHI_UP))
    live_session.observe(see("2", TIKIS))
    (ask,) = told(live_session, "ask")
    assert [candidate["actions"] for candidate in ask["candidates"]] == [["up1 hookipa"], ["undo"]]
    assert isinstance(live_session.referee.question, Ask)
    assert moves(live_session) == [(0, "up1 lokahi")]


@pytest.mark.parametrize(("index", "expected"), [(0, 2), (1, 0)])
def test_a_tap_answers_the_question(index: int, expected: int) -> None:
    """Either candidate can be chosen, and the game goes on from it."""
    live_session = sit_down()
    live_session.observe(see("1", LOKAHI_UP))
    live_session.observe(see("2", TIKIS))
    assert live_session.referee.choose(index)
    assert len(moves(live_session)) == expected
    assert live_session.referee.question is None


@pytest.mark.parametrize(("side", "expected"), [("right", "move"), ("near", "undo")])
def test_the_arm_that_was_seen_tells_a_reversal_from_a_take_back(side: str, expected: str) -> None:
    """Ann sits near, Bob right: who reached in is who moved."""
    live_session = sit_down()
    live_session.observe(see("1", LOKAHI_UP))
    live_session.observe(see_hand("2", side))
    live_session.observe(see("3", TIKIS))
    assert told(live_session, "ask") == []
    assert told(live_session, expected)[-1]["frame"] == "3"


def test_an_open_question_outlasts_a_line_that_was_there_before() -> None:
    """Swapped, swapped back, swapped again, no arm seen: nothing, or two moves by the next two."""
    live_session = sit_down()
    for frame, line in (("1", LOKAHI_UP), ("2", TIKIS), ("3", LOKAHI_UP)):
        live_session.observe(see(frame, line))
    asked = question(live_session)
    assert isinstance(asked, Ask)
    assert [candidate.actions for candidate in asked.candidates] == [
        (),
        ("up1 hookipa", "up1 lokahi"),
    ]


def test_a_move_by_the_wrong_arm_may_be_the_last_one_changed() -> None:
    """Ann's arm again, and her Up 1 has become an Up 2: or Bob's Up 1; that is asked."""
    live_session = sit_down()
    live_session.observe(see("1", (TIKIS[0], TIKIS[2], TIKIS[1], *TIKIS[3:])))
    live_session.observe(see_hand("2", "near"))
    live_session.observe(see("3", (TIKIS[2], *TIKIS[:2], *TIKIS[3:])))
    (ask,) = told(live_session, "ask")
    actions = [candidate["actions"] for candidate in ask["candidates"]]
    assert actions == [["up1 nani"], ["undo", "up2 nani"]]


def test_an_unanswered_question_is_settled_by_what_only_one_answer_allows() -> None:
    """Bob's Toast shows that he had moved before: it cannot be Ann's first card (TT-8)."""
    live_session = sit_down(2)
    live_session.observe(see("1", LAST_TWO_SWAPPED))
    live_session.observe(see("2", TIKIS))
    assert told(live_session, "ask")
    live_session.observe(see("3", TIKIS[:-1]))
    assert [seat for seat, _ in moves(live_session)] == [0, 1, 0]
    assert told(live_session, "undo") == []


def test_the_sixth_toast_shows_the_cards_and_scores_the_round() -> None:
    """TT-9, TT-11: the secrets entered before are shown at the end, not earlier."""
    rng = random.Random(11)
    secrets = ["card 0 kapu nui nani", "card 1 eepo huhu lokahi", "card 2 nani kapu akamai"]
    live_session = sit_down(3, secrets=secrets)
    for number, (seat, _, line) in enumerate(random_round(rng, 3, TIKIS)):
        assert told(live_session, "observed") == []
        live_session.observe(see_hand(f"h{number}", SIDES[seat]))
        live_session.observe(see(str(number), line))
    shown = [body["action"] for body in told(live_session, "observed")]
    assert shown == secrets
    (scored,) = told(live_session, "round")
    assert scored["scores"] == list(live_session.session.state.scores)
    assert scored["round_ended_by"] in ("TT-9", "TT-10")


def test_a_round_without_cards_waits_for_them_and_goes_on() -> None:
    """The seats whose cards are missing are named; the last one entered scores the round."""
    live_session = sit_down(2, rounds=1)
    for number, (seat, _, line) in enumerate(random_round(random.Random(2), 2, TIKIS)):
        live_session.observe(see_hand(f"h{number}", SIDES[seat]))
        live_session.observe(see(str(number), line))
    waiting = live_session.referee.waiting
    assert waiting
    assert waiting.reason == "cards"
    assert "Ann and Bob" in waiting.message
    live_session.referee.enter_secret(0, "card 0 kapu nui nani")
    assert told(live_session, "round") == []
    live_session.referee.enter_secret(1, "card 1 eepo huhu lokahi")
    assert len(told(live_session, "round")) == 1


def test_a_new_round_begins_with_nine_tikis_in_line() -> None:
    """TT-14: fewer are waited for, nine are the starting line."""
    live_session = sit_down(line=None)
    live_session.observe(see("1", TIKIS[:5]))
    assert live_session.referee.waiting
    assert "5 of 9" in live_session.referee.waiting.message
    grouped = ("nani", "huhu", "wikiwiki", "nui", "akamai", "lokahi", "kapu", "eepo", "hookipa")
    live_session.observe(see("2", grouped))
    assert live_session.session.state.line == grouped


def test_an_ungrouped_start_may_still_be_rearranged() -> None:
    """Nine tikis out of their groups may be people who are not done yet (TT-2)."""
    live_session = sit_down(line=None)
    live_session.observe(see("1", TIKIS))
    grouped = ("nani", "huhu", "wikiwiki", "nui", "akamai", "lokahi", "kapu", "eepo", "hookipa")
    live_session.observe(see("2", grouped))
    assert live_session.session.state.line == grouped
    assert told(live_session, "illegal") == []


def test_an_undo_on_the_page_waits_until_the_table_follows() -> None:
    """What still stands is not accepted a second time."""
    live_session = sit_down()
    live_session.observe(see("1", LOKAHI_UP))
    live_session.referee.undo()
    live_session.observe(see("2", LOKAHI_UP))
    assert moves(live_session) == []
    held = question(live_session)
    assert isinstance(held, Illegal)
    assert held.nearest == TIKIS
    live_session.observe(see("3", TIKIS))
    assert question(live_session) is None
    live_session.observe(see("4", LOKAHI_UP))
    assert moves(live_session) == [(0, "up1 lokahi")]


def test_two_undos_on_the_page_are_not_taken_for_two_quick_moves() -> None:
    """What stands is compared with what was seen, not with the game between the two undos."""
    live_session = sit_down()
    live_session.observe(see("1", LOKAHI_UP))
    twice = ("lokahi", "hookipa", *TIKIS[2:5], "kapu", "huhu", *TIKIS[7:])
    live_session.observe(see("2", twice))
    live_session.referee.undo()
    live_session.referee.undo()
    for frame in "345":
        live_session.observe(see_hand(f"h{frame}"))
        live_session.observe(see(frame, twice))
    assert moves(live_session) == []
    live_session.observe(see("6", TIKIS))
    assert question(live_session) is None


def test_nothing_to_undo_is_said() -> None:
    """An undo on an untouched table is refused in words."""
    with pytest.raises(ReplayError, match="nothing to take back"):
        sit_down().referee.undo()


def test_a_move_can_be_tapped_in_when_the_camera_is_gone() -> None:
    """The camera may be away: people tell, and the rules still judge."""
    live_session = sit_down()
    live_session.referee.enter("up1 lokahi")
    assert moves(live_session) == [(0, "up1 lokahi")]
    with pytest.raises(IllegalAction, match="first card"):
        live_session.referee.enter("toast nui")


def test_a_corrected_move_asks_for_the_table_to_follow() -> None:
    """After a correction the table is compared with the corrected line."""
    live_session = sit_down()
    live_session.observe(see("1", LOKAHI_UP))
    seq = told(live_session, "move")[0]["seq"]
    live_session.referee.correct(seq, "up2 nani")
    assert live_session.session.state.line == ("nani", *TIKIS[:2], *TIKIS[3:])
    assert isinstance(live_session.referee.question, Illegal)


def test_a_resumed_sitting_knows_all_that_was_accepted(tmp_path: object) -> None:
    """The state after taking up the log again is the one before."""
    path = f"{tmp_path}/games.db"
    with Log(path) as log:
        live_session = sit_down(log=log)
        live_session.observe(see("1", LAST_TWO_SWAPPED))
        before = live_session.session.history.branches
    with Log(path) as log:
        again = sit_down(log=log)
        assert again.resumed
        assert again.session.history.branches == before
