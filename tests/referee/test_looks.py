"""What looks as it did and what does not: cards laid on their like, and cards only pushed."""

from dataclasses import replace

import pytest

from companion.referee.live_session import LiveSession
from companion.referee.notices import Ask
from companion.referee.opening import open_header
from companion.registry import game_of
from tests.tables import NAMES, open_log, see_hand, see_table
from vision.observation import Observation

TOPS = ("green 7", "orange 7", "pink 2", "pink 3")
GOALS = ("only green orange", "sum all 28", "count green 4", "run 4 ascending")


def sit() -> LiveSession:
    """Return a game of Tippi Toppi whose first cards were seen in picture "0", goals told."""
    header = open_header(game_of("tippi_toppi"), NAMES[:3], {}, 0)
    live_session = LiveSession(open_log(), header)
    live_session.observe(see_table("0", TOPS))
    for goal in GOALS:
        live_session.referee.enter(f"goal {goal}")
    live_session.observe(see_table("1", TOPS))
    return live_session


def seen(frame: str, *unchanged: float, tops: tuple[str, ...] = TOPS) -> Observation:
    """Return the observation of *tops*, compared with the picture "1"."""
    return replace(see_table(frame, tops), unchanged=unchanged, since="1")


def acts(live_session: LiveSession) -> list[str]:
    """Return the texts of all that counts."""
    return [act.forms[0] for act in live_session.session.history.acts]


def test_four_cards_at_once_are_the_start() -> None:
    """They lie there in one picture, from the left; whoever looks again changes nothing."""
    live_session = sit()
    lays = ["lay green7", "lay orange7", "lay pink2", "lay pink3"]
    assert acts(live_session) == lays + [f"goal {goal}" for goal in GOALS]
    live_session.observe(see_table("2", TOPS))
    assert len(acts(live_session)) == 8


def test_three_cards_are_no_start_yet() -> None:
    """Until all four lie there, people are still laying them."""
    header = open_header(game_of("tippi_toppi"), NAMES[:3], {}, 0)
    live_session = LiveSession(open_log(), header)
    live_session.observe(see_table("0", (*TOPS[:3], None)))
    assert not acts(live_session)
    assert live_session.referee.waiting is not None


def test_a_card_laid_on_its_twin_is_believed_if_it_surely_lies_otherwise() -> None:
    """The name is the same, the look is not: Ann has played."""
    live_session = sit()
    live_session.observe(seen("2", 0.97, 0.97, 0.02, 0.97))
    assert acts(live_session)[-1] == "play pink2 2"
    assert live_session.referee.question is None


def test_a_card_that_may_only_have_been_pushed_is_asked_about() -> None:
    """It matters whose turn it is, and the table does not tell for sure."""
    live_session = sit()
    before = acts(live_session)
    for frame in ("2", "3", "4"):
        live_session.observe(seen(frame, 0.97, 0.97, 0.15, 0.97))
    question = live_session.referee.question
    assert isinstance(question, Ask)
    assert ("play pink2 2",) in [each.actions for each in question.candidates]
    assert acts(live_session) == before


@pytest.mark.parametrize("unchanged", [(0.97,) * 4, (0.97, 0.5, 0.5, 0.97), ()])
def test_where_the_looks_do_not_tell_nothing_has_happened(unchanged: tuple[float, ...]) -> None:
    """A twin is never guessed."""
    live_session = sit()
    before = acts(live_session)
    live_session.observe(seen("2", *unchanged))
    assert acts(live_session) == before
    assert live_session.referee.question is None


def test_a_card_that_lies_otherwise_and_has_no_twin_was_pushed() -> None:
    """Both orange sevens have come up: nothing is illegal about a neat pile."""
    live_session = sit()
    live_session.observe(seen("2", 0.02, 0.97, 0.97, 0.97, tops=("orange 7", *TOPS[1:])))
    assert acts(live_session)[-1] == "play orange7 0"
    for frame in ("3", "4"):
        live_session.observe(see_hand(frame))
        observation = see_table(f"{frame}b", ("orange 7", *TOPS[1:]))
        live_session.observe(replace(observation, unchanged=(0.02, 0.97, 0.97, 0.97), since="2"))
    assert acts(live_session)[-1] == "play orange7 0"
    assert live_session.referee.question is None
