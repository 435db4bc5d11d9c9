"""A referee that is a move behind: what is entered or falls then belongs to the turn it was of."""

import pytest

from companion.film.prompting import Prompter
from companion.recording import EnteredAction
from companion.referee.live_session import LiveSession
from companion.referee.notices import Ask
from companion.rules.base import IllegalAction
from tests.games.topple_falls import fallen
from tests.referee.entering import acts, handle, sit, tower
from tests.tables import see_table
from vision.observation import EMPTY, Evidence, Observation, Reason, Status

BEGUN = ("roll 6", "place 22 pink", "roll 6")
"""It is Bob's turn, who is yellow."""
PLACED = {12: "pink 1", 0: "yellow 1"}


def see_discs(frame: str, discs: dict[int, str], doubt: float = 0.01) -> Observation:
    """Return a picture of a board with *discs* by spot, the last of them as doubtful as *doubt*."""
    sure = see_table(frame, [discs.get(spot, EMPTY) for spot in range(25)])
    spot, name = [*discs.items()][-1]
    places = list(sure.places)
    places[spot] = Evidence({name: 1 - doubt, EMPTY: doubt})
    return Observation(frame, Status.UNSETTLED, tuple(places), reason=Reason.UNCLEAR)


def behind() -> LiveSession:
    """Return a session in which Bob has placed a piece that the camera is not sure of."""
    live_session = sit("topple", *BEGUN)
    live_session.observe(see_discs("1", {12: "pink 1"}))
    live_session.observe(see_discs("2", PLACED, doubt=0.45))
    assert acts(live_session) == [*BEGUN]
    return live_session


def asked(live_session: LiveSession) -> str:
    """Return the question that stands, "" if none does."""
    question = live_session.referee.question
    return question.message if question else ""


def test_a_die_goes_to_the_turn_after_the_placement_that_is_not_understood_yet() -> None:
    """Bob's die is known, so that this one is Cem's; and Bob's piece has to lie where it seems."""
    live_session = behind()
    live_session.referee.enter("roll 2")
    assert acts(live_session) == [*BEGUN, "place 00 yellow", "roll 2"]
    assert live_session.session.history.acts[-2].frame == "2"
    assert live_session.session.state.seat == 2


def test_a_die_is_refused_while_nobody_seems_to_have_placed() -> None:
    """The same die when nothing is open."""
    live_session = sit("topple", *BEGUN)
    live_session.observe(see_discs("1", {12: "pink 1"}))
    with pytest.raises(IllegalAction, match="already been rolled"):
        live_session.referee.enter("roll 2")


def test_a_die_after_two_placements_at_once_says_that_both_were_made() -> None:
    """Without it they are asked about."""
    live_session = sit("topple", *BEGUN)
    live_session.observe(see_discs("1", {12: "pink 1"}))
    live_session.observe(see_discs("2", {**PLACED, 24: "blue 1"}))
    assert asked(live_session).startswith("Two moves at once?")
    live_session.referee.enter("roll 2")
    assert asked(live_session) == ""
    assert acts(live_session)[3:] == ["place 00 yellow", "roll 5", "place 44 blue", "roll 2"]


def test_nobody_is_blamed_for_a_fall_while_a_placement_is_not_understood() -> None:
    """It may have been Cem's turn already: that is asked, and no points are lost until it is."""
    live_session = behind()
    live_session.observe(Observation("3", Status.UNSETTLED, reason=Reason.HAND))
    live_session.observe(fallen("4"))
    question = live_session.referee.question
    assert isinstance(question, Ask)
    assert question.message == "Who made it fall?"
    assert question.candidates[0].text == "It fell while Bob was placing"
    assert acts(live_session) == [*BEGUN]
    assert live_session.referee.choose(0)
    assert acts(live_session) == [*BEGUN, "topple"]


def test_a_recorded_fall_blames_nobody_either_while_a_move_may_be_missing() -> None:
    """The film goes on with the question open."""
    live_session = behind()
    known = [EnteredAction("0", text, "hand") for text in BEGUN]
    prompter = Prompter(live_session, [*known, EnteredAction("3", "topple", "sensor")])
    prompter.pass_frame("3")
    assert isinstance(live_session.referee.question, Ask)
    assert acts(live_session) == [*BEGUN]
    assert [*prompter.not_entered()] == []


def test_whose_turn_it_certainly_is_is_blamed() -> None:
    """What was understood in the end leaves nothing open."""
    live_session = behind()
    live_session.observe(see_discs("3", {12: "pink 1"}))
    handle(live_session, tower("topple"))
    assert acts(live_session) == [*BEGUN, "topple"]


def test_a_die_that_pictures_have_shown_is_not_given_to_a_later_turn() -> None:
    """Two equal dice wait behind a placement; then one picture shows what both were for."""
    live_session = sit("topple", *BEGUN)
    known = [EnteredAction("0", text, "hand") for text in BEGUN]
    later = [EnteredAction(frame, "roll 5", "sensor") for frame in "12"]
    prompter = Prompter(live_session, [*known, *later])
    live_session.observe(see_discs("0", {12: "pink 1"}))
    for frame in "12":
        prompter.pass_frame(frame)
    run = {**PLACED, 4: "blue 1", 20: "pink 1"}
    for frame in "34":
        live_session.observe(see_discs(frame, run))
        live_session.observe(Observation(f"hand {frame}", Status.UNSETTLED, reason=Reason.HAND))
    prompter.pass_frame("4")
    assert acts(live_session)[3:] == [
        *("place 00 yellow", "roll 5", "place 04 blue", "roll 5", "place 40 pink")
    ]
    assert [*prompter.not_entered()] == []
