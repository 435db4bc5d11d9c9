"""Questions that later play settles: asked once, in their shortest form."""

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.tiki_topple.game import GAME
from companion.referee.hypotheses import Proposal, Step
from companion.referee.live_session import LiveSession
from companion.referee.questions import find_answers, shared_steps
from companion.rules import tiki_topple
from companion.rules.tiki_topple import TIKIS, Line
from companion.session.history import History
from tests.tables import SIDES, moves, see, see_hand, sit_down, told


def after(line: Line, *actions: str) -> Line:
    """Return *line* after *actions*, whoever plays them."""
    for text in actions:
        played = tiki_topple.parse_action(text)
        assert isinstance(played, tiki_topple.Played)
        line = tiki_topple.move(line, played.card, played.tiki)
    return line


def show(live_session: LiveSession, *lines: Line, arm: Sequence[str] = ()) -> None:
    """Show *lines*, one after the other, after a hand with *arm* each."""
    for line in lines:
        frame = str(live_session.feed.newest)
        live_session.observe(see_hand(f"hand before {frame}", *arm))
        live_session.observe(see(frame, line))


def reversal() -> tuple[LiveSession, Line]:
    """Return a session of four that is asked whether Kapu went up 2 or came back, and the line."""
    live_session = sit_down(4)
    line = after(TIKIS, "up1 nani")
    show(live_session, line, after(line, "topple kapu"), line)
    (ask,) = told(live_session, "ask")
    assert [each["actions"] for each in ask["candidates"]] == [["up2 kapu"], ["undo"]]
    return live_session, line


def test_a_question_is_asked_once_however_play_goes_on_from_both_answers() -> None:
    """No arm was seen, and either answer allows what follows: the question stays as it was."""
    live_session, line = reversal()
    asked = live_session.referee.question
    for text in ("up3 eepo", "topple lokahi", "up3 akamai", "topple nani"):
        line = after(line, text)
        show(live_session, line)
        assert live_session.referee.question is asked
    assert len(told(live_session, "ask")) == 1
    assert len(moves(live_session)) == 2


def test_its_answer_brings_all_that_has_followed() -> None:
    """Each move keeps the picture that showed it, as if nobody had been asked."""
    live_session, line = reversal()
    for text in ("up3 eepo", "topple lokahi"):
        line = after(line, text)
        show(live_session, line)
    assert live_session.referee.choose(0)
    assert moves(live_session)[2:] == [(2, "up2 kapu"), (3, "up3 eepo"), (0, "topple lokahi")]
    frames = [move["frame"] for move in told(live_session, "move")]
    assert len(set(frames)) == len(frames) == 5
    assert live_session.referee.question is None


def test_the_arm_of_a_later_move_settles_it() -> None:
    """Dia's arm: after Cem's Up 2 it is her turn, after a take-back it would be Bob's."""
    live_session, line = reversal()
    show(live_session, after(line, "up3 eepo"))
    show(live_session, after(line, "up3 eepo", "topple lokahi"), arm=[SIDES[0]])
    assert live_session.referee.question is None
    assert [seat for seat, _ in moves(live_session)] == [0, 1, 2, 3, 0]


def test_two_arms_speak_against_whose_arm_was_not_among_them() -> None:
    """Dia's and Cem's arms: it was not Bob's turn, so that nothing was taken back."""
    live_session, line = reversal()
    show(live_session, after(line, "up3 eepo"), arm=[SIDES[3], SIDES[2]])
    assert [seat for seat, _ in moves(live_session)] == [0, 1, 2, 3]


def test_two_moves_at_once_are_asked_about_without_what_is_open_before_them() -> None:
    """After either answer the same two: their answer leaves the first question as it was."""
    live_session, line = reversal()
    first = live_session.referee.question
    assert first is not None
    line = after(line, "up3 eepo")
    show(live_session, line, after(line, "topple lokahi", "up3 akamai"))
    asked = live_session.referee.question
    assert asked is not None
    assert [each.actions for each in asked.candidates] == [("topple lokahi", "up3 akamai")]
    assert live_session.referee.choose(0)
    again = live_session.referee.question
    assert again is not None
    assert again.candidates == first.candidates
    assert live_session.referee.choose(0)
    assert [seat for seat, _ in moves(live_session)] == [0, 1, 2, 3, 0, 1]
    assert live_session.referee.question is None


def test_an_answer_that_needs_a_take_back_loses_to_one_that_needs_none() -> None:
    """What then stays open, by the newest picture alone, is another question."""
    live_session, line = reversal()
    line = after(line, "up3 eepo")
    show(live_session, line, after(line, "up3 huhu"))
    line = after(line, "up3 huhu")
    swapped = after(line, f"up1 {line[4]}")
    show(live_session, swapped, line)  # back by Cem's Up 1; Ann, whose turn it else was, has none
    assert [seat for seat, _ in moves(live_session)] == [0, 1, 2, 3, 0, 1]
    question = live_session.referee.question
    assert question is not None
    assert [each.actions for each in question.candidates] == [(f"up1 {line[3]}",), ("undo",)]


def test_a_forbidden_move_that_was_put_right_settles_nothing() -> None:
    """After Cem's Up 2 it was taken back; after a take-back Cem may have answered it."""
    live_session, line = reversal()
    asked = live_session.referee.question
    show(live_session, after(line, f"up1 {line[4]}"), line)  # Ann has no Up 1 to answer it with
    assert live_session.referee.question is asked
    assert len(moves(live_session)) == 2


STEPS = st.lists(st.sampled_from([Step((text,)) for text in "abc"]), max_size=4).map(tuple)


@settings(deadline=None)
@given(
    asked=st.lists(STEPS, max_size=3, unique=True), found=st.lists(STEPS, min_size=1, max_size=5)
)
def test_each_proposal_belongs_to_one_answer_that_it_goes_on_from(
    asked: list[tuple[Step, ...]], found: list[tuple[Step, ...]]
) -> None:
    """None is lost, and none is put twice; what all share is where each begins."""
    history = History(GAME, tiki_topple.initial(2))
    old, new = ([Proposal(history, steps) for steps in each] for each in (asked, found))
    answers = find_answers(old, new)
    meant = [each for answer in answers for each in answer.meant]
    assert sorted(map(id, meant)) == sorted(map(id, new))
    assert all(each.goes_on_from(answer.told) for answer in answers for each in answer.meant)
    shared = shared_steps(new)
    assert all(each.steps[: len(shared)] == shared for each in new)
