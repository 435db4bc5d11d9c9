"""What looks as it did is what it was; what does not may be anything that it is named as."""

from dataclasses import replace

import pytest

from companion.referee.evidence import Fit, may_be_one_table
from companion.referee.live_session import LiveSession
from companion.referee.notices import Illegal
from companion.rules.tiki_topple import TIKIS
from tests.tables import moves, see, sit_down, told
from vision.observation import HIDDEN, Evidence, Observation, Reason, Status

LOKAHI_UP = ("lokahi", "hookipa", *TIKIS[2:])
SAME = 0.98
OTHER = 0.04


def sit() -> LiveSession:
    """Return a session whose line was seen and believed in the picture "1"."""
    live_session = sit_down()
    live_session.observe(see("1", TIKIS))
    return live_session


def look(
    line: tuple[str, ...], *otherwise: int, since: str = "1", name: str = "2", doubt: float = 0.1
) -> Observation:
    """Return the observation of *line*, in which all places but *otherwise* look as in *since*."""
    seen = see(name, line)
    unchanged = tuple(OTHER if place in otherwise else SAME for place in range(len(TIKIS)))
    places = tuple(Evidence({tiki: 1.0 - doubt, HIDDEN: doubt}) for tiki in line)
    return replace(seen, places=places, unchanged=unchanged, since=since)


def mistake(place: int, name: str = "nui") -> tuple[str, ...]:
    """Return the line with one *place* taken for something else."""
    return tuple(name if at == place else tiki for at, tiki in enumerate(TIKIS))


def test_what_looks_as_it_did_is_what_it_was_whatever_it_is_named() -> None:
    """The evidence says something else with 0.9, and the looks know better."""
    live_session = sit()
    live_session.observe(look(mistake(0)))
    assert told(live_session, "illegal", "ask", "move") == []
    assert live_session.referee.question is None


def test_a_wrong_name_is_wrong_where_nobody_compared() -> None:
    """The same evidence without the looks is an illegal line."""
    live_session = sit()
    live_session.observe(replace(look(mistake(0)), unchanged=(), since=""))
    assert isinstance(live_session.referee.question, Illegal)


def test_a_wrong_name_beside_a_move_does_no_harm() -> None:
    """What was moved looks otherwise; what was not is known, however it is named."""
    live_session = sit()
    wrong = (*LOKAHI_UP[:5], "nui", *LOKAHI_UP[6:])
    live_session.observe(look(wrong, 0, 1))
    assert moves(live_session) == [(0, "up1 lokahi")]


@pytest.mark.parametrize("otherwise", [(3,), (0, 1), tuple(range(len(TIKIS)))])
def test_what_looks_otherwise_may_still_be_what_it_is_named(otherwise: tuple[int, ...]) -> None:
    """A nudge and a neighbour's shadow change looks too: by themselves they are no move."""
    live_session = sit()
    live_session.observe(look(TIKIS, *otherwise))
    assert told(live_session, "illegal", "ask", "move") == []
    assert live_session.referee.question is None


def test_a_move_beside_which_all_looks_otherwise_is_seen() -> None:
    """The names of the places that were not played in are not doubted for their looks."""
    live_session = sit()
    live_session.observe(look(LOKAHI_UP, *range(len(TIKIS))))
    assert moves(live_session) == [(0, "up1 lokahi")]


@pytest.mark.parametrize("since", ["", "0", "2"])
def test_looks_beside_another_picture_tell_nothing(since: str) -> None:
    """Only those beside the picture that was believed count."""
    live_session = sit()
    live_session.observe(look(mistake(0), since=since))
    assert isinstance(live_session.referee.question, Illegal)


def test_looks_beside_a_table_that_was_left_since_tell_nothing() -> None:
    """A move that was taken back on a page is not undone on the table by looking as before."""
    live_session = sit()
    live_session.observe(look(LOKAHI_UP, 0, 1))
    live_session.referee.undo()
    wrong = (*LOKAHI_UP[:5], "nui", *LOKAHI_UP[6:])
    live_session.observe(look(wrong, since="2", name="3"))
    assert isinstance(live_session.referee.question, Illegal)
    assert moves(live_session) == []


def test_what_was_believed_is_passed_on_to_the_eyes() -> None:
    """Each picture that shows the line as the log has it, and no other."""
    live_session, believed = sit_down(), []
    live_session.on_accepted_frame.add(lambda frame, table: believed.append((frame, table)))
    live_session.observe(see("1", TIKIS))
    live_session.observe(see("2", mistake(0)))
    live_session.observe(see("3", LOKAHI_UP))
    assert believed == [("1", TIKIS), ("3", LOKAHI_UP)]


def test_a_change_of_what_looks_as_it_did_scores_far_less() -> None:
    """Of two tables the one that leaves it alone is shown, though it is named as the other."""
    fit = Fit(look(mistake(0)), before=TIKIS)
    assert fit.prefers(TIKIS, mistake(0))
    assert Fit(look(mistake(0), 0), before=TIKIS).prefers(mistake(0), TIKIS)
    assert Fit(look(mistake(0))).prefers(mistake(0), TIKIS)


def test_what_looks_as_it_did_is_legible_though_it_is_named_otherwise() -> None:
    """And a place without a likely name is, if it looks as it did."""
    unclear = look(mistake(0), doubt=0.7)
    assert Fit(unclear, before=TIKIS).legible() == TIKIS
    assert Fit(unclear).legible() is None


def test_what_people_change_on_a_page_the_eyes_look_at_anew() -> None:
    """Only there: what lies in all other places is known still."""
    live_session, believed = sit(), []
    live_session.observe(look(LOKAHI_UP, 0, 1))
    live_session.on_accepted_frame.add(lambda frame, table: believed.append((frame, table)))
    live_session.referee.undo()
    changed = {at for at, tiki in enumerate(TIKIS) if tiki != LOKAHI_UP[at]}
    known = tuple(None if at in changed else tiki for at, tiki in enumerate(LOKAHI_UP))
    assert believed == [("2", known)]


def test_pictures_of_two_tables_do_not_add_up() -> None:
    """A doubtful picture of a table that was left since says nothing of the next one."""
    first = replace(see("2", TIKIS), places=tuple(Evidence({tiki: 1.0}) for tiki in TIKIS))
    other = replace(first, places=tuple(Evidence({tiki: 1.0}) for tiki in LOKAHI_UP))
    vague = replace(first, places=tuple(Evidence({t: 0.5, HIDDEN: 0.5}) for t in LOKAHI_UP))
    assert may_be_one_table(first, first)
    assert may_be_one_table(first, vague)
    assert not may_be_one_table(first, other)


@pytest.mark.parametrize("reason", [Reason.UNCLEAR, Reason.HIDDEN])
def test_a_picture_in_doubt_is_none_to_compare_with(reason: Reason) -> None:
    """In the dark or under a lid the line is as it was, as far as one can tell; a move is kept."""
    live_session, believed = sit(), list[str]()
    live_session.on_accepted_frame.add(lambda frame, _: believed.append(frame))

    def doubtful(line: tuple[str, ...], name: str) -> Observation:
        return replace(see(name, line), status=Status.UNSETTLED, reason=reason)

    live_session.observe(doubtful(TIKIS, "2"))
    assert believed == []
    live_session.observe(see("3", TIKIS))
    live_session.observe(doubtful(LOKAHI_UP, "4"))
    assert moves(live_session) == [(0, "up1 lokahi")]
    assert believed == ["3", "4"]
