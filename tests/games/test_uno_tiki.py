"""UNO Tiki at the table: what the referee makes of the pile, of the faces and of the idol's arm."""

from dataclasses import replace
from typing import Any

import pytest

from companion.games.uno_tiki.arm import seats_at
from companion.games.uno_tiki.game import GAME
from companion.referee.facts import SeenFact
from companion.referee.game import EMPTY, Game, Table
from companion.referee.notices import Illegal
from companion.rules import uno_tiki as rules
from companion.rules.uno_tiki import Action, State
from tests.games.uno_tiki_games import BEARINGS, GOTO, PEOPLE, acts, after, asked, pointing, sit
from tests.rules.texts import Texts
from tests.tables import see_hand, see_table
from vision.observation import HIDDEN, Pointing

REFEREED: Game[State, Action] = GAME  # mypy holds the class to the contract


def test_the_places_are_the_pile_and_the_idol() -> None:
    """A Tiki Face leaves the pile as it is and shows in the idol; a card does the opposite."""
    assert GAME.shown(after()) == (EMPTY, EMPTY)
    assert GAME.shown(after(*GOTO)) == ("blue-2", "tiki-goto")
    tables = {play.actions: play.table for play in GAME.plays(after("turn blue-2"))}
    assert tables["play tiki-draw4",] == ("blue-2", "tiki-draw4")
    assert tables["play blue-8-spin",] == ("blue-8-spin", EMPTY)
    assert tables["draw", "pass"] == ("blue-2", EMPTY)
    lookalike_places = {
        play.actions: play.lookalike_places
        for play in GAME.plays(after("turn blue-7"))
        if play.lookalike_places
    }
    assert lookalike_places == {("play blue-7",): {0}}


def test_uno_may_be_called_while_a_draw_is_told() -> None:
    """UT-15: on the pages, too, which name no card that may be drawn."""
    state = after("turn blue-2")
    hands = (("tiki-draw2", "red-3"), ("red-1",), ("red-4",))
    state = Texts(rules).after(state._replace(hands=hands), "play tiki-draw2", "spin 1")
    assert state.phase == "draw"
    offers = [rules.format_action(action) for action in GAME.offers(state)]
    assert offers == ["drew hidden", "uno 0", "catch 0"]


def test_a_recording_says_where_everybody_sits() -> None:
    """seat_deg of a recording is where the arm points for each seat; one too few is refused."""
    assert GAME.recorded({"seat_deg": [180, 300, 60]}, 3).bearings_deg == (180.0, 300.0, 60.0)
    assert GAME.recorded({}, 3).bearings_deg == ()
    with pytest.raises(ValueError, match="2 angles for 3 seats"):
        GAME.recorded({"seat_deg": [180, 300]}, 3)


@pytest.mark.parametrize(
    ("seen", "clause"),
    [
        (("tiki", EMPTY), "UT-9"),
        (("red-5", EMPTY), "UT-4"),
        (("blue-5", EMPTY), None),
        (("blue-2", "tiki-draw1"), None),
        ((None, EMPTY), None),
    ],
)
def test_what_may_not_lie_there_is_refused_by_its_clause(seen: Table, clause: str | None) -> None:
    """A Tiki Face belongs into the idol, a card onto its colour or symbol."""
    refusal = GAME.refusal(after("turn blue-2"), seen, "Ann")
    assert (refusal and refusal.clause) == clause


def test_a_face_on_the_pile_is_named_and_may_be_moved_into_the_idol() -> None:
    """The companion says where it goes; once it is there, it has been played."""
    live_session = sit("turn blue-2")
    live_session.observe(see_table("1", ("blue-2", EMPTY)))
    live_session.observe(see_table("2", ("tiki", EMPTY)))
    question = live_session.referee.question
    assert isinstance(question, Illegal)
    assert (question.clause, question.slots) == ("UT-9", (0,))
    assert "a Tiki Face on the discard pile, but Tiki Faces go into the idol" in question.message
    assert acts(live_session) == ["turn blue-2"]
    live_session.observe(see_table("3", ("blue-2", "tiki-draw2")))
    assert acts(live_session)[-1] == "play tiki-draw2"
    assert live_session.referee.question is None


def test_a_face_that_cannot_be_seen_is_believed_when_it_is_entered() -> None:
    """Behind the idol's head any face may be: nobody is told to put right what nobody sees."""
    live_session = sit("turn blue-2")
    hidden = see_table("1", ("blue-2", HIDDEN), doubt=0.0)
    live_session.observe(hidden)
    live_session.referee.enter("play tiki-draw2")
    assert live_session.referee.question is None
    live_session.observe(replace(hidden, frame="2"))
    assert live_session.referee.question is None
    live_session.referee.enter("spin 1", "sensor")
    live_session.observe(see_table("3", ("blue-9", HIDDEN), doubt=0.0))
    assert acts(live_session)[-2:] == ["spin 1", "play blue-9"]


def test_a_wild_is_believed_and_its_colour_asked() -> None:
    """The table cannot tell the colour; who names it has answered."""
    live_session = sit("turn blue-2")
    live_session.observe(see_table("1", ("wild", EMPTY)))
    colours = [each.actions for each in asked(live_session).candidates]
    assert colours == [(f"play wild {colour}",) for colour in rules.COLOURS]
    live_session.referee.enter("play wild red")
    assert live_session.referee.question is None
    live_session.observe(see_table("2", ("red-4", EMPTY)))
    assert acts(live_session)[1:] == ["play wild red", "play red-4"]


def test_a_turn_without_a_card_is_asked_about_where_the_arm_speaks_for_it() -> None:
    """Ann is to play, but Bob's arm was seen: she may have drawn and passed."""
    live_session = sit("turn blue-2")
    live_session.observe(see_hand("1", "left"))
    live_session.observe(see_table("2", ("blue-7", EMPTY)))
    actions = [each.actions for each in asked(live_session).candidates]
    assert ("play blue-7",) in actions
    assert ("draw", "pass", "play blue-7") in actions
    live_session.observe(see_hand("3", "near"))
    assert acts(live_session) == ["turn blue-2"]


def test_who_plays_on_has_discarded_all_that_was_to_be() -> None:
    """Nobody said that Bob keeps his cards: seen twice, the next card says so."""
    live_session = sit("turn blue-2", "play tiki-discard2", "spin 1")
    table = ("blue-7", "tiki-discard2")
    live_session.observe(see_table("1", table))
    assert isinstance(live_session.referee.question, Illegal)
    assert acts(live_session)[-1] == "spin 1"
    live_session.observe(see_hand("2"))
    live_session.observe(see_table("3", table))
    assert acts(live_session)[-2:] == ["keep", "play blue-7"]


@pytest.mark.parametrize(
    ("deg", "seats"), [(175.0, (0,)), (88.0, (2,)), (2.0, (1, 2)), (136.0, (0, 2)), (300.0, (1,))]
)
def test_the_arm_points_to_a_seat_or_between_two(deg: float, seats: tuple[int, ...]) -> None:
    """People do not sit by the compass: near the line between two seats both may be meant."""
    assert seats_at(deg, BEARINGS) == seats
    assert seats_at(deg, ()) == ()


def seen(now: float, before: float | None = 0.0, *since: str, **people: Any) -> Any:
    """Return what the game makes of an arm during the spin that a Go To has asked for."""
    known = None if before is None else Pointing(before)
    fact = SeenFact(Pointing(now), known, since)
    state = people.pop("state", after(*GOTO))
    return GAME.on_fact(state, fact, replace(PEOPLE, **people))


@pytest.mark.parametrize(
    ("now", "before", "since", "newest"),
    [
        (0.0, 4.0, (), ""),  # nothing has turned
        (88.0, None, (), ""),  # nobody knows whether it has
        (88.0, 0.0, ("spin 2",), "spin 2"),
        (175.0, 0.0, ("spin void",), "spin void"),
        (10.0, 88.0, ("spin between 1 2",), "spin between 1 2"),
    ],
)
def test_an_arm_that_fits_is_not_talked_about(
    now: float, before: float | None, since: tuple[str, ...], newest: str
) -> None:
    """What was told of the spin agrees, or there was none."""
    reaction = seen(now, before, *since, newest=newest)
    assert (reaction.ask, reaction.transient_notice, reaction.action) == (None, None, "")


def test_without_an_encoder_the_camera_offers_the_answer() -> None:
    """It sees where the arm points, not how often it turned: the people confirm."""
    reaction = seen(88.0)
    actions = [each.actions for each in reaction.ask.candidates]
    assert actions == [("spin 2",), ("spin void",)]
    between = [each.actions for each in seen(2.0, 90.0).ask.candidates]
    assert between == [("spin 1",), ("spin 2",), ("spin between 1 2",), ("spin void",)]
    assert seen(88.0, bearings_deg=()).ask is None


def test_an_idol_that_is_turned_while_it_is_empty_is_only_remarked_on() -> None:
    """Children turn it for fun."""
    reaction = seen(88.0, 0.0, state=after("turn blue-2"))
    assert reaction.ask is None
    assert reaction.transient_notice.words == "The idol was turned, but nobody has to spin it now"


def test_an_encoder_that_the_camera_contradicts_is_asked_about() -> None:
    """Nothing is changed silently; the question stands while the table does, until answered."""
    live_session = sit(*GOTO)
    table = ("blue-2", "tiki-goto")
    live_session.observe(pointing("1", table, 0.0))
    live_session.referee.enter("spin 1", "sensor")
    for frame in ("2", "3"):
        live_session.observe(pointing(frame, table, 92.0))
    question = asked(live_session)
    assert question.message == (
        "By what was entered, the idol points to Bob, but the camera sees it pointing to Cem"
    )
    assert acts(live_session)[-1] == "spin 1"
    assert live_session.referee.choose(0)
    assert acts(live_session)[-1] == "spin 2"
    assert live_session.referee.question is None


def test_whoever_trusts_the_encoder_keeps_its_word() -> None:
    """The other answer leaves the game as it is."""
    live_session = sit(*GOTO)
    live_session.observe(pointing("1", ("blue-2", "tiki-goto"), 0.0))
    live_session.referee.enter("spin 1", "sensor")
    live_session.observe(pointing("2", ("blue-2", "tiki-goto"), 92.0))
    assert live_session.referee.choose(1)
    assert acts(live_session)[-1] == "spin 1"
    assert live_session.referee.question is None


def test_a_contradiction_after_play_went_on_is_said() -> None:
    """Then only the desk can put it right."""
    live_session = sit(*GOTO)
    live_session.observe(pointing("1", ("blue-2", "tiki-goto"), 0.0))
    live_session.referee.enter("spin 1", "sensor")
    live_session.observe(pointing("2", ("blue-9", "tiki-goto"), 92.0))
    assert acts(live_session)[-1] == "play blue-9"
    assert live_session.referee.question is None
    transient_notice = live_session.transient_notice
    assert transient_notice is not None
    assert transient_notice.words.endswith(
        "Play has gone on since then; correct it on the host’s desk"
    )
