"""What people enter is held until the table follows, whatever they enter after it."""

import random

import pytest

from companion.referee.live_session import LiveSession
from companion.referee.notices import Illegal
from companion.rules.tiki_topple import TIKIS
from tests.referee.entering import acts, sit
from tests.tables import random_round, see, see_hand, see_table, sit_down

EMPTY_BOARD = (None,) * 25
ON_A3 = 10


def board(*columns: tuple[int, str]) -> tuple[str | None, ...]:
    """Return the board with such columns as (10, "pink 1") and nothing else."""
    standing = dict(columns)
    return tuple(standing.get(place) for place in range(25))


def show(live_session: LiveSession, *columns: tuple[int, str], frames: str = "abc") -> None:
    """Let several pictures show the board with those columns, a hand before each."""
    for frame in frames:
        live_session.observe(see_hand(f"hand {frame}"))
        live_session.observe(see_table(frame, board(*columns)))


def wanted(live_session: LiveSession) -> str | None:
    """Return what the table has to be put right to on A3; None if nothing is held."""
    question = live_session.referee.question
    if isinstance(question, Illegal) and question.frame is None:
        return question.nearest[ON_A3]
    return None


PINK = (ON_A3, "pink 1")


@pytest.mark.parametrize("second", ["undo", "roll 5"])
def test_a_take_back_is_held_through_an_entry_that_moves_nothing(second: str) -> None:
    """The piece that still stands there is not taken for a new one."""
    live_session = sit("topple", "roll 3")
    show(live_session, PINK, frames="1")
    assert acts(live_session) == ["roll 3", "place 20 pink"]
    live_session.referee.undo()
    assert wanted(live_session) == "empty"
    live_session.referee.undo() if second == "undo" else live_session.referee.replace(second)
    known = acts(live_session)
    assert known == ([] if second == "undo" else [second])
    assert wanted(live_session) == "empty"
    show(live_session, PINK)
    assert acts(live_session) == known
    assert wanted(live_session) == "empty"


def test_a_placement_is_held_through_the_next_roll() -> None:
    """The board that is still empty does not take it back."""
    live_session = sit("topple", "roll 3")
    show(live_session, frames="1")
    live_session.referee.enter("place 20 pink")
    assert wanted(live_session) == "pink 1"
    live_session.referee.enter("roll 6")
    assert wanted(live_session) == "pink 1"
    show(live_session)
    assert acts(live_session) == ["roll 3", "place 20 pink", "roll 6"]
    assert wanted(live_session) == "pink 1"


def test_a_table_that_follows_ends_the_hold() -> None:
    """And play goes on from there."""
    live_session = sit("topple", "roll 3")
    show(live_session, frames="1")
    live_session.referee.enter("place 20 pink")
    live_session.referee.enter("roll 6")
    show(live_session, PINK, frames="2")
    assert live_session.referee.question is None
    show(live_session, PINK, (12, "yellow 1"), frames="3")
    assert acts(live_session)[-1] == "place 22 yellow"


def test_a_roll_alone_holds_nothing() -> None:
    """What was placed before it was told is believed at once."""
    live_session = sit("topple")
    show(live_session, frames="1")
    live_session.referee.enter("roll 3")
    assert wanted(live_session) is None
    show(live_session, PINK, frames="2")
    assert acts(live_session) == ["roll 3", "place 20 pink"]


@pytest.mark.parametrize("told", [-1, -2])
def test_a_game_that_is_won_wants_no_table_any_more(told: int) -> None:
    """What was entered last does not stand there, and nobody has to put it there."""
    cards = tuple(f"card {seat} nani kapu nui" for seat in range(2))
    live_session = sit_down(2, secrets=cards, rounds=1, tie="share")
    played = random_round(random.Random(3), 2, TIKIS)
    for _, action, _ in played[:told]:
        live_session.referee.enter(action)
    live_session.observe(see("1", live_session.session.state.line))
    for _, action, _ in played[told:]:
        assert live_session.session.rules.outcome(live_session.session.state) is None
        live_session.referee.enter(action)
    assert live_session.session.rules.outcome(live_session.session.state)
    assert live_session.referee.question is None
