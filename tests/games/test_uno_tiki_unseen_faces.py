"""Tiki Faces that nobody saw go into the idol: asked for, and never passed over."""

from dataclasses import replace
from typing import Any

import pytest

from companion.games.uno_tiki.game import GAME
from companion.referee.facts import SeenFact, Traces
from companion.referee.game import EMPTY
from companion.referee.live_session import LiveSession
from companion.referee.notices import Ask, Illegal
from companion.rules.uno_tiki.naming import FACES
from hardware.facts import Spun
from tests.games.uno_tiki_games import GOTO, PEOPLE, acts, after, asked, pointing, sit
from tests.referee.entering import SPUN, handle, said
from tests.tables import see_hand, see_table
from vision.observation import HIDDEN, Observation, Pointing

START = "turn blue-2"
NOTHING = "No Tiki Face was put in"


def see(frame: str, card: str, face: str = HIDDEN) -> Observation:
    """Return the observation of a *card* on the pile; behind its head nobody sees the idol's."""
    return see_table(frame, (card, face), doubt=0.0)


def see_arm(frame: str, card: str, deg: float, face: str = HIDDEN) -> Observation:
    """Return the same, with the idol pointing to *deg*."""
    return replace(see(frame, card, face), facts=(Pointing(deg),))


def offered(live_session: LiveSession) -> list[tuple[str, ...]]:
    """Return the actions of all that the question offers."""
    return [each.actions for each in asked(live_session).candidates]


def overlooked(now: float, before: float | None, **traces: Any) -> Ask | None:
    """Return what is asked when the arm has turned after a Go To that pointed at Bob."""
    state = traces.pop("state", after(*GOTO, "spin 1"))
    known = None if before is None else Pointing(before)
    table = traces.pop("table", ("blue-2", "tiki-goto"))
    fact = SeenFact(Pointing(now), known, traces.pop("since", ()))
    return GAME.overlooked(state, Traces(table=table, facts=(fact,), **traces), PEOPLE)


def test_a_spin_that_was_not_due_is_asked_about() -> None:
    """Which face it was for, each with where the idol has stopped; or none."""
    live_session = sit(START)
    handle(live_session, SPUN)
    assert asked(live_session).message == "The idol was turned. Was a Tiki Face put in?"
    assert offered(live_session) == [*((f"play {face}", "spin 1") for face in FACES), ()]
    assert live_session.referee.choose(1)
    assert acts(live_session) == [START, "play tiki-draw2", "spin 1"]
    assert live_session.referee.question is None


@pytest.mark.parametrize("seats", [(), (7,)])
def test_a_spin_that_names_no_seat_leaves_the_seat_open(seats: tuple[int, ...]) -> None:
    """Then only the face is asked, and afterwards where the idol points."""
    live_session = sit(START)
    handle(live_session, replace(SPUN, seats=seats))
    if not seats:
        assert ("play tiki-goto",) in offered(live_session)
    else:
        assert said(live_session).startswith("Nobody has to spin now")


def test_less_than_a_full_turn_is_no_spin_for_a_face() -> None:
    """Who shoves the idol aside is not asked anything."""
    live_session = sit(START)
    handle(live_session, replace(SPUN, seats=(), turns=0.5, void=True))
    assert live_session.referee.question is None
    assert said(live_session) == "Nobody has to spin now, so this spin does not count"


def test_nothing_that_is_seen_passes_over_a_spin_that_was_asked_about() -> None:
    """Bob's card waits for the answer; then it is his, and not Ann's."""
    live_session = sit(START)
    live_session.observe(see("1", "blue-2"))
    handle(live_session, SPUN)
    live_session.observe(see("2", "blue-9"))
    assert acts(live_session) == [START]
    assert asked(live_session).candidates[-1].text == NOTHING
    assert live_session.referee.choose(0)
    assert acts(live_session)[1:] == ["play tiki-draw1", "spin 1", "play blue-9"]
    assert live_session.session.history.acts[-1].seat == 1


def test_who_says_that_no_face_was_put_in_goes_on() -> None:
    """The card that lies there by then is the one that was due."""
    live_session = sit(START)
    handle(live_session, SPUN)
    live_session.observe(see("1", "blue-9"))
    assert live_session.referee.choose(len(FACES))
    assert acts(live_session)[1:] == ["play blue-9"]
    assert live_session.session.history.acts[-1].seat == 0


def test_who_enters_what_was_played_has_answered() -> None:
    """On a page people may as well say themselves what happened."""
    live_session = sit(START)
    handle(live_session, SPUN)
    live_session.referee.enter("play tiki-goto")
    assert live_session.referee.question is None
    live_session.referee.enter("spin 1")
    live_session.observe(see("1", "blue-9"))
    assert acts(live_session)[-1] == "play blue-9"


def test_a_face_on_the_pile_that_is_gone_is_asked_for() -> None:
    """People did as they were told and put it into the idol, whose head hides it."""
    live_session = sit(START)
    live_session.observe(see("1", "blue-2"))
    live_session.observe(see("2", "tiki"))
    assert isinstance(live_session.referee.question, Illegal)
    live_session.observe(see_hand("3", "near"))
    live_session.observe(see("4", "blue-2"))
    question = asked(live_session)
    assert question.message == "A Tiki Face lay on the discard pile. Was it put into the idol?"
    assert question.frame == "4"
    assert offered(live_session) == [*((f"play {face}",) for face in FACES), ()]
    assert live_session.referee.choose(1)
    assert acts(live_session) == [START, "play tiki-draw2"]
    assert live_session.referee.question is None


def test_a_face_on_the_pile_that_was_taken_back_was_not_played() -> None:
    """Whoever changed their mind says so, and nothing has happened."""
    live_session = sit(START)
    live_session.observe(see("1", "tiki"))
    live_session.observe(see("2", "blue-2"))
    assert asked(live_session).candidates[-1].text == "No, it was taken back"
    assert live_session.referee.choose(len(FACES))
    live_session.observe(see("3", "blue-2"))
    assert (acts(live_session), live_session.referee.question) == ([START], None)


def test_a_face_on_the_pile_that_the_next_card_covers_is_asked_for() -> None:
    """It was played all the same: then the card is the next player's, once it is known who."""
    live_session = sit(START)
    live_session.observe(see("1", "blue-2"))
    live_session.observe(see("2", "tiki"))
    live_session.observe(see_hand("3"))
    live_session.observe(see("4", "blue-9"))
    assert acts(live_session) == [START]
    candidate = asked(live_session).candidates[0]
    assert candidate.text == "Ann plays Tiki Face Draw 1, before blue 9 was played"
    assert offered(live_session) == [*((f"play {face}",) for face in FACES), ()]
    assert live_session.referee.choose(0)
    assert acts(live_session) == [START, "play tiki-draw1"]
    live_session.referee.enter("spin 2")
    assert acts(live_session)[-2:] == ["spin 2", "play blue-9"]
    assert live_session.session.history.acts[-1].seat == 1
    assert live_session.referee.question is None


def test_a_face_on_the_pile_that_was_entered_is_not_asked_for_again() -> None:
    """People may leave it lying there; the next card covers it."""
    live_session = sit(START)
    live_session.observe(see("1", "tiki"))
    for text in ("play tiki-draw2", "spin 1"):
        live_session.referee.enter(text)
    live_session.observe(see("2", "tiki"))
    assert isinstance(live_session.referee.question, Illegal)
    live_session.observe(see("3", "blue-9"))
    assert acts(live_session)[-3:] == ["play tiki-draw2", "spin 1", "play blue-9"]
    assert live_session.referee.question is None


def test_a_face_on_the_pile_that_is_seen_in_the_idol_needs_no_question() -> None:
    """And while a hand is over the table nothing is asked."""
    live_session = sit(START)
    live_session.observe(see("1", "blue-2"))
    live_session.observe(see("2", "tiki"))
    live_session.observe(see_hand("3", "near"))
    assert isinstance(live_session.referee.question, Illegal)
    live_session.observe(see_table("4", ("blue-2", "tiki-draw2")))
    assert acts(live_session)[-1] == "play tiki-draw2"
    assert live_session.referee.question is None


def test_a_turned_arm_is_asked_about_before_the_card_that_lies_there_by_then() -> None:
    """Ann put one in and Bob played on before the table was seen at rest."""
    live_session = sit(START)
    live_session.observe(see_arm("1", "blue-2", 0.0))
    live_session.observe(see_arm("2", "blue-9", 92.0))
    assert acts(live_session) == [START]
    ways = offered(live_session)
    assert ways[0] == ("play tiki-draw1",)
    assert ("play blue-9", "play tiki-draw1") in ways
    assert ways[-1] == ()
    live_session.observe(see_arm("3", "blue-9", 92.0))
    assert live_session.referee.choose(0)
    assert asked(live_session).message == "The idol has been spun: where does it point?"
    assert offered(live_session) == [("spin 2",), ("spin void",)]
    assert live_session.referee.choose(0)
    assert acts(live_session)[1:] == ["play tiki-draw1", "spin 2", "play blue-9"]


def test_nobody_has_to_say_where_people_sit_for_a_turned_arm_to_be_asked_about() -> None:
    """Whom it points to is another matter."""
    live_session = sit(START, sides=())
    live_session.observe(see_arm("1", "blue-2", 0.0))
    live_session.observe(see_arm("2", "blue-2", 92.0))
    assert ("play tiki-goto",) in offered(live_session)


def test_an_arm_that_a_spin_card_has_turned_is_no_riddle() -> None:
    """With a face in the idol the card itself has it spun."""
    live_session = sit("turn tiki-draw4", START)
    live_session.observe(see_arm("1", "blue-2", 0.0))
    live_session.observe(see_arm("2", "blue-8-spin", 92.0))
    assert acts(live_session)[-1] == "play blue-8-spin"
    assert asked(live_session).message == "The idol has been spun: where does it point?"


def test_who_has_not_said_that_discarding_is_over_may_be_done() -> None:
    """The next player's face is offered after that."""
    state = after(START, "play tiki-discard2", "spin 1")
    ask = overlooked(88.0, 0.0, state=state, table=("blue-2", None))
    assert ask is not None
    assert ask.candidates[0].actions == ("keep", "play tiki-draw1")


def test_a_spin_may_end_near_where_it_began() -> None:
    """One in fifteen does within twelve degrees."""
    assert overlooked(8.5, 0.0, table=("blue-2", None)) is not None


def test_a_turned_idol_may_have_got_the_same_face_again() -> None:
    """A second Go To on the first changes nothing that is seen but the arm."""
    ask = overlooked(88.0, 0.0)
    assert ask is not None
    assert [each.actions for each in ask.candidates] == [("play tiki-goto",), ()]
    assert ask.message.endswith("Was another Tiki Face of the same kind put in?")


def test_a_turned_idol_may_have_got_a_face_that_no_play_was_seen_of() -> None:
    """The face that is seen, by who is to play or after a card that nobody saw played either."""
    ask = overlooked(88.0, 0.0, table=("blue-5", "tiki-draw2"))
    assert ask is not None
    one, two, nothing = ask.candidates
    assert one.actions == ("play tiki-draw2",)
    assert two.actions == ("play blue-5", "play tiki-draw2")
    assert two.text == "Bob plays blue 5, then Cem plays Tiki Face Draw 2"
    assert nothing.actions == ()


def test_what_may_have_been_put_in_tells_nothing_of_a_hand() -> None:
    """The same faces are offered whatever the player is known to hold."""
    state = after(*GOTO, "spin 1")
    hands = tuple(("red-1",) * len(hand) for hand in state.hands)
    table = ("blue-2", None)
    one, other = (
        overlooked(88.0, 0.0, state=each, table=table)
        for each in (state, state._replace(hands=hands))
    )
    assert one == other


@pytest.mark.parametrize(
    ("now", "before", "traces"),
    [
        (3.5, 0.0, {}),  # a push
        (88.0, None, {}),  # nobody knows how it stood
        (88.0, 0.0, {"since": ("spin 1",)}),
        (88.0, 0.0, {"table": ("blue-2", EMPTY)}),  # children turn it for fun
        (88.0, 0.0, {"table": ("blue-2", "tiki-draw1")}),  # a play that is seen
        (88.0, 0.0, {"state": after(*GOTO), "table": ("blue-2", None)}),  # the spin that is due
    ],
)
def test_what_is_explained_is_not_asked_about(
    now: float, before: float | None, traces: dict[str, Any]
) -> None:
    """An arm that has hardly turned, or by a spin that is known."""
    assert overlooked(now, before, **traces) is None


def test_an_encoder_and_a_camera_ask_once() -> None:
    """What the encoder asked for is not asked again when the camera sees the arm."""
    live_session = sit(START)
    live_session.observe(pointing("1", ("blue-2", EMPTY), 0.0))
    spun = Spun(92.0, 2.0, clockwise=True, trusted=True, seats=(2,), at_s=0.0)
    handle(live_session, spun)
    asked_first = asked(live_session)
    live_session.observe(see_arm("2", "blue-2", 92.0))
    assert asked(live_session) is asked_first
    assert live_session.referee.choose(0)
    live_session.observe(see_arm("3", "blue-2", 92.0))
    assert acts(live_session)[1:] == ["play tiki-draw1", "spin 2"]
    assert live_session.referee.question is None
