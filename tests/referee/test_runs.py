"""Three or four plays that nobody saw: they are worked out, and only the people can say so."""

from companion.referee.notices import Illegal
from companion.referee.sitting import Sitting
from tests.referee.test_entering import acts, sit
from tests.tables import see_table
from vision.observation import EMPTY

BEFORE = ("roll 6", "place 22 pink")


def board(**discs: str) -> tuple[str, ...]:
    """Return the board with *discs*, a class for each spot such as s22="pink 1"; else empty."""
    return tuple(discs.get(f"s{at // 5}{at % 5}", EMPTY) for at in range(25))


def begun() -> Sitting:
    """Return a sitting of three at which pink has placed one disc, as was seen."""
    sitting = sit("topple", *BEFORE)
    sitting.observe(see_table("1", board(s22="pink 1")))
    return sitting


def test_a_run_is_offered_and_taken_with_one_tap() -> None:
    """Three discs of three colours, one on another: in one order alone the rules allow it."""
    sitting = begun()
    sitting.observe(see_table("2", board(s22="pink 1", s00="yellow 1", s40="pink 2")))
    question = sitting.referee.question
    assert isinstance(question, Illegal)
    assert len(question.candidates) == 1
    assert acts(sitting)[-1] == "place 22 pink"
    assert sitting.referee.choose(0)
    placed = [text for text in acts(sitting) if text.startswith("place")]
    assert placed == ["place 22 pink", "place 00 yellow", "place 40 blue", "place 40 pink"]
    assert sitting.referee.question is None


def test_a_run_is_never_believed_without_a_word() -> None:
    """Not at a second look, nor once more was played on top of it."""
    sitting = begun()
    for name in ("2", "3"):
        sitting.observe(see_table(name, board(s22="pink 1", s00="yellow 1", s40="pink 2")))
    more = board(s22="pink 1", s00="yellow 1", s40="pink 2", s44="yellow 1")
    sitting.observe(see_table("4", more))
    assert acts(sitting)[-1] == "place 22 pink"


def test_a_table_that_no_run_leads_to_has_no_candidates() -> None:
    """Two discs of one colour more than turns allow are named, and nothing is offered."""
    sitting = begun()
    sitting.observe(see_table("2", board(s22="pink 1", s00="pink 1", s40="pink 1", s44="pink 1")))
    question = sitting.referee.question
    assert isinstance(question, Illegal)
    assert question.candidates == ()
