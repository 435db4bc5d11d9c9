"""A session that goes on with another one: its copy in the log."""

from pathlib import Path

import pytest

from companion.session.events import ChanceObserved, Event, MoveAccepted, MoveUndone, SessionClosed
from companion.session.log import Log, LogError
from companion.session.recovery import check, recover

EVENTS = (
    ChanceObserved("roll 3"),
    MoveAccepted(0, "place 21 pink"),
    MoveUndone(2, "place 21 pink"),
    MoveAccepted(0, "place 12 pink"),
)


def written(log: Log, *events: Event) -> int:
    """Open a session, write *events*, and return its number."""
    number = log.open_session({"game": "topple"})
    for seq, event in enumerate(events, 1):
        log.append(number, seq, event)
    return number


def test_a_copy_has_every_entry_with_its_number_and_time(tmp_path: Path) -> None:
    """But for the end of the old session, which is not that of the new one."""
    with Log(tmp_path / "games.db") as log:
        first = written(log, *EVENTS, SessionClosed("put away"))
        written(log, EVENTS[0], SessionClosed("another"))
        copy = log.copy_session(first, {"game": "topple", "resumes": first})
        assert copy == 3
        assert log.entries(copy) == log.entries(first)[:-1]
        assert log.header(copy) == {"game": "topple", "resumes": first}
        assert log.unfinished() == copy
        log.append(copy, 5, EVENTS[1])
        assert list(log.opened()) == [1, 2, 3]
        assert log.resumed() == {first}
    assert check(tmp_path / "games.db").entries == 5 + 2 + 5
    assert recover(tmp_path / "games.db", tmp_path / "new.db").sessions[2].number == 3


def test_a_copy_of_an_open_session_and_of_an_empty_one() -> None:
    """Whole, whatever it ends with."""
    with Log(":memory:") as log:
        first, empty = written(log, *EVENTS), written(log)
        assert log.entries(log.copy_session(first, {})) == log.entries(first)
        assert log.entries(log.copy_session(empty, {})) == []


def test_a_copy_that_fails_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """All of it is written, or none."""
    with Log(":memory:") as log:
        first = written(log, *EVENTS)

        def refuse(*_: object) -> None:
            raise LogError("the disk is full")

        monkeypatch.setattr("companion.session.log.add_entry", refuse)
        with pytest.raises(LogError):
            log.copy_session(first, {})
        monkeypatch.undo()
        assert list(log.opened()) == [first]
        assert log.unfinished() == first
