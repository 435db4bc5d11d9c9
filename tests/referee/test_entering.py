"""What people enter, as far as the rules allow it."""

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.referee.live_session import LiveSession
from companion.referee.narrator import narrate
from companion.registry import GAMES
from companion.rules import topple, uno_tiki
from companion.rules.base import IllegalAction, InvalidAction
from companion.session.events import RoundScored
from companion.session.history import ReplayError
from tests.enterable import enterable
from tests.referee.entering import SPUN, acts, handle, press, said, sit, tell, tower
from tests.tables import NAMES, open_log, told


def test_a_take_back_undoes_the_newest_thing_whatever_it_was() -> None:
    """A roll too; with nothing left it says so."""
    live_session = sit("topple", "roll 3", "place 20 pink", "roll 6")
    handle(live_session, press("undo"))
    assert acts(live_session) == ["roll 3", "place 20 pink"]
    handle(live_session, press("undo"), press("undo"), press("undo"))
    assert (acts(live_session), said(live_session)) == ([], "There is nothing to take back")
    with pytest.raises(ReplayError):
        live_session.referee.undo()


def test_what_the_rules_forbid_is_refused_with_their_reason() -> None:
    """The clause's words, and nothing has changed."""
    live_session = sit("topple", "roll 3")
    with pytest.raises(IllegalAction, match="a roll of 3 only allows level 3"):
        tell(live_session, "place 22 pink")
    with pytest.raises(InvalidAction):
        tell(live_session, "fly")
    with pytest.raises(IllegalAction):
        live_session.referee.replace("place 22 pink")
    assert acts(live_session) == ["roll 3"]


def test_more_of_a_card_than_the_deck_has_is_taken_with_a_warning() -> None:
    """UT-20: the deck's list is a guess; what lies on the table counts."""
    live_session = sit("uno_tiki", "turn red-1", "play red-1", "play red-1")
    assert acts(live_session)[-1] == "play red-1"
    assert (
        "red 1 has come up more often"
        in live_session.game.view(live_session.session.state)["warnings"][0]
    )


@pytest.mark.parametrize("action", ["hand 1 red-1 red-2 red-3 red-4 red-5 red-6 red-8"])
def test_a_hand_is_not_told_to_everybody(action: str) -> None:
    """What would put a hand into everybody's view is refused, whoever says it."""
    live_session = sit("uno_tiki", "turn red-7", "play red-1")
    with pytest.raises(InvalidAction, match="that is secret"):
        tell(live_session, action)
    with pytest.raises(InvalidAction, match="that is secret"):
        live_session.referee.replace(action)
    assert acts(live_session) == ["turn red-7", "play red-1"]


def test_a_correction_moves_all_that_follows() -> None:
    """A wrong number on the die is put right, and the points of later pieces follow."""
    live_session = sit("topple", "roll 6", "place 20 pink")
    live_session.referee.correct(1, "roll 3")
    assert acts(live_session) == ["roll 3", "place 20 pink"]
    with pytest.raises(ReplayError):
        live_session.referee.correct(1, "roll 1")


def test_a_round_is_scored_once_in_the_log() -> None:
    """Also after it was taken back and ended again, and after a restart."""
    log = open_log()
    live_session = sit("topple", "roll 3", "place 20 pink", "roll 6", "topple", log=log)
    live_session.referee.undo()
    tell(live_session, "topple", "roll 1")
    live_session.referee.undo()
    again = LiveSession(log, live_session.header)
    assert again.resumed
    rounds = [entry for entry in again.session.entries if isinstance(entry.event, RoundScored)]
    assert [entry.event.points for entry in rounds if isinstance(entry.event, RoundScored)] == [
        (3, -10, 0),
        (3, -10, 0),
    ]
    assert topple.totals(again.session.state) == (3, -10, 0)


@pytest.mark.parametrize("fall", ["topple", "knock 2"])
def test_taking_back_a_replacement_brings_back_what_it_replaced(fall: str) -> None:
    """A fall that was none leaves the piece that was placed before it; also after a restart."""
    log = open_log()
    live_session = sit("topple", "roll 3", "place 20 pink", log=log)
    placed = live_session.session.state
    referee = live_session.referee
    if fall == "topple":
        referee.replace(fall)
    else:
        tell(live_session, "roll 1")
        referee.replace(fall)
        assert acts(live_session) == ["roll 3", "place 20 pink", fall]
    fallen = live_session.session.state
    again = LiveSession(log, live_session.header)
    assert again.session.state == fallen
    again.referee.undo()
    assert acts(again)[:2] == ["roll 3", "place 20 pink"]
    if fall == "knock 2":
        assert acts(again)[2:] == ["roll 1"]
        again.referee.undo()
    assert again.session.state == placed
    assert LiveSession(log, live_session.header).session.state == placed
    again.referee.undo()
    assert acts(again) == ["roll 3"]


def test_replacements_of_replacements_come_back_one_by_one() -> None:
    """Each take-back shows what was believed before."""
    live_session = sit("topple", "roll 3", "place 20 pink")
    live_session.referee.replace("topple")
    live_session.referee.replace("topple")
    tell(live_session, "roll 1")
    live_session.referee.undo()
    for expected in (["roll 3", "topple"], ["roll 3", "place 20 pink"], ["roll 3"], []):
        live_session.referee.undo()
        assert acts(live_session) == expected


def test_a_piece_that_a_correction_has_forbidden_does_not_come_back() -> None:
    """Once the die showed another number, the piece that was replaced is not legal any more."""
    live_session = sit("topple", "roll 3", "place 20 pink")
    live_session.referee.replace("topple")
    live_session.referee.correct(1, "roll 1")
    live_session.referee.undo()
    assert acts(live_session) == ["roll 1"]


def test_an_end_that_comes_back_is_scored_again() -> None:
    """The newest score in the log is that of the round as it stands."""
    live_session = sit("topple", "roll 3", "place 20 pink", "roll 6", "topple")
    live_session.referee.replace("knock 2")
    live_session.referee.undo()
    scored = [
        entry.event.points
        for entry in live_session.session.entries
        if isinstance(entry.event, RoundScored)
    ]
    assert scored == [(3, -10, 0), (0, 0, -10), (3, -10, 0)]


def test_a_moment_passes_but_not_a_newer_one() -> None:
    """What was shown is forgotten in its time; what came after it stays, and so does a pause."""
    live_session = sit("topple")
    handle(live_session, tower("wobble"))
    first = live_session.transient_notice
    handle(live_session, tower("lean"))
    assert first is not None
    live_session.forget(first)
    assert said(live_session) == "The tower is leaning!"
    assert live_session.transient_notice is not None
    live_session.forget(live_session.transient_notice)
    assert said(live_session) == ""
    handle(live_session, press("pause"))
    assert live_session.transient_notice is not None
    live_session.forget(live_session.transient_notice)
    assert said(live_session).startswith("Paused")


@pytest.mark.slow
def test_everything_told_has_words() -> None:
    """The terminal tells an evening of each game without a raw record in it."""
    for game in GAMES:
        live_session = sit(game, seats=2)
        rng = random.Random(5)
        for _ in range(250):
            offers = [each for each in enterable(live_session) if each != "spin void"]
            if not offers:
                break
            tell(live_session, rng.choice(offers))
        for body in told(live_session):
            words = narrate(body, live_session.game, NAMES[:2])
            assert words
            assert "{" not in words


FACTS = st.one_of(
    st.builds(tower, st.sampled_from(["still", "wobble", "lean", "topple"]), knocked=st.booleans()),
    st.builds(
        press,
        st.sampled_from(["done", "uno", "me", "undo", "pause"]),
        st.none() | st.integers(0, 4),
    ),
    st.builds(
        lambda seats, void, trusted: replace(SPUN, seats=seats, void=void, trusted=trusted),
        st.sampled_from([(), (0,), (1,), (2,), (0, 1), (1, 2), (0, 2), (5,), (3, 9)]),
        st.booleans(),
        st.booleans(),
    ),
)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(["topple", "uno_tiki"]), st.data())
def test_whatever_is_told_the_log_replays_to_the_same_game(game: str, data: st.DataObject) -> None:
    """Taps and facts in any order: the rules alone, fed the accepted texts, agree after all."""
    log = open_log()
    live_session = sit(game, log=log)
    rules: Any = topple if game == "topple" else uno_tiki
    for _ in range(data.draw(st.integers(0, 40))):
        if data.draw(st.integers(0, 3)) == 0:
            handle(live_session, data.draw(FACTS))
        elif offers := live_session.referee.offers():
            tell(live_session, data.draw(st.sampled_from(offers)))
    state: Any = rules.initial(3, live_session.header.options, live_session.header.setup)
    for action in acts(live_session):
        state = rules.apply(state, rules.parse_action(action))
    assert state == live_session.session.state
    assert LiveSession(log, live_session.header).session.state == state
