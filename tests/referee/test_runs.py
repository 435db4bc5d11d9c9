"""Plays that nobody saw: they are worked out, and believed once play has gone on from them."""

from companion.referee.live_session import LiveSession
from companion.referee.notices import Illegal
from companion.referee.runs import _differences
from tests.referee.entering import acts, sit
from tests.tables import see_table
from vision.observation import EMPTY, Observation, Reason, Status

BEFORE = ("roll 6", "place 22 pink")


def board(**discs: str) -> tuple[str, ...]:
    """Return the board with *discs*, a class for each spot such as s22="pink 1"; else empty."""
    return tuple(discs.get(f"s{at // 5}{at % 5}", EMPTY) for at in range(25))


def begun() -> LiveSession:
    """Return a session of three at which pink has placed one disc, as was seen."""
    live_session = sit("topple", *BEFORE)
    live_session.observe(see_table("1", board(s22="pink 1")))
    return live_session


def test_a_run_is_offered_and_taken_with_one_tap() -> None:
    """Three discs of three colours, one on another: in one order alone the rules allow it."""
    live_session = begun()
    live_session.observe(see_table("2", board(s22="pink 1", s00="yellow 1", s40="pink 2")))
    question = live_session.referee.question
    assert isinstance(question, Illegal)
    assert len(question.candidates) == 1
    assert acts(live_session)[-1] == "place 22 pink"
    assert live_session.referee.choose(0)
    placed = [text for text in acts(live_session) if text.startswith("place")]
    assert placed == ["place 22 pink", "place 00 yellow", "place 40 blue", "place 40 pink"]
    assert live_session.referee.question is None


def test_a_run_is_not_believed_while_it_just_lies_there() -> None:
    """The same look again is no second one."""
    live_session = begun()
    for name in ("2", "3"):
        live_session.observe(see_table(name, board(s22="pink 1", s00="yellow 1", s40="pink 2")))
    assert acts(live_session)[-1] == "place 22 pink"


def test_a_run_is_believed_once_play_goes_on_from_it() -> None:
    """Who goes on from three plays that nobody saw has meant them."""
    live_session = begun()
    live_session.observe(see_table("2", board(s22="pink 1", s00="yellow 1", s40="pink 2")))
    more = board(s22="pink 1", s00="yellow 1", s40="pink 2", s44="yellow 1")
    live_session.observe(see_table("3", more))
    placed = [text for text in acts(live_session) if text.startswith("place")]
    assert placed == [
        "place 22 pink",
        "place 00 yellow",
        "place 40 blue",
        "place 40 pink",
        "place 44 yellow",
    ]


def test_a_run_that_stood_through_a_hand_is_believed() -> None:
    """What stands so after somebody was there again has stood by intent."""
    live_session = begun()
    table = board(s22="pink 1", s00="yellow 1", s40="pink 2")
    live_session.observe(see_table("2", table))
    live_session.observe(Observation("3", Status.UNSETTLED, reason=Reason.HAND))
    live_session.observe(see_table("4", table))
    assert acts(live_session)[-1] == "place 40 pink"


def test_what_looks_like_a_forbidden_move_is_no_run() -> None:
    """A disc too high for any die is named by its rule, however often it is seen."""
    live_session = begun()
    for name in ("2", "4"):
        table = board(s22="pink 1", s00="yellow 1", s40="blue 1", s44="blue 1")
        live_session.observe(see_table(name, table))
        live_session.observe(Observation(f"{name} again", Status.UNSETTLED, reason=Reason.HAND))
    assert acts(live_session)[-1] == "place 22 pink"


def test_a_table_that_no_run_leads_to_has_no_candidates() -> None:
    """Two discs of one colour more than turns allow are named, and nothing is offered."""
    live_session = begun()
    live_session.observe(
        see_table("2", board(s22="pink 1", s00="pink 1", s40="pink 1", s44="pink 1"))
    )
    question = live_session.referee.question
    assert isinstance(question, Illegal)
    assert question.candidates == ()


def test_a_place_of_which_a_table_says_nothing_differs_from_no_sight() -> None:
    """Each other place counts that has something else than what is seen, seen or not."""
    assert _differences(("kohu", None, "empty"), ("kohu", "nui", "empty")) == 0
    assert _differences(("kohu", None, "empty"), ("nui", None, "kohu")) == 2
    assert _differences(("kohu", None, None), (None, "nui", None)) == 1
