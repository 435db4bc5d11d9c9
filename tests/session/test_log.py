"""The log on disk."""

import json
import re
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.session.events import (
    KINDS,
    BadEvent,
    ChanceObserved,
    Entry,
    Event,
    MoveAccepted,
    MoveCorrected,
    MoveResolved,
    MoveUndone,
    RoundScored,
    SecretEntered,
    SessionClosed,
    SpinObserved,
    TableAdopted,
    TurnTimed,
    event_from_json,
    event_to_json,
    public_json,
)
from companion.session.log import Log, LogError, utc_now
from companion.session.schema import add_entry, add_session
from companion.session.session import Header
from tests.log_files import AT

MOVE = MoveAccepted(0, "up1 nani", ("topple huhu",), ("nani", "huhu", "nui"), "003.jpg")


def test_an_entry_is_there_after_the_file_was_closed_and_opened(tmp_path: Path) -> None:
    """What append returned can be read back, equal."""
    path = tmp_path / "games.db"
    with Log(path) as log:
        number = log.open_session({"game": "tiki_topple"})
        written = [log.append(number, 1, MOVE), log.append(number, 2, MoveUndone(1, "up1 nani"))]
    with Log(path) as log:
        assert log.entries(number) == written
        assert log.header(number) == {"game": "tiki_topple"}
        assert log.unfinished() == number


def test_a_closed_session_is_not_taken_up_again(tmp_path: Path) -> None:
    """Only a session without a closing entry is unfinished."""
    with Log(tmp_path / "games.db") as log:
        assert log.unfinished() is None
        number = log.open_session({})
        log.append(number, 1, SessionClosed("the game is over"))
        assert log.unfinished() is None
        assert log.open_session({}) == number + 1 == log.unfinished()


def test_a_log_in_memory_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is called a file nowhere becomes none."""
    monkeypatch.chdir(tmp_path)
    with Log(":memory:") as log:
        log.open_session({})
    assert list(tmp_path.iterdir()) == []


def test_times_are_those_of_greenwich(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever the table stands, and whatever its clock is set to."""
    monkeypatch.setenv("TZ", "Pacific/Auckland")
    time.tzset()
    try:
        told = datetime.fromisoformat(utc_now())
    finally:
        monkeypatch.undo()
        time.tzset()
    assert told.utcoffset() == timedelta(0)
    assert abs(datetime.now(UTC) - told) < timedelta(minutes=1)


def test_the_log_keeps_through_a_power_cut() -> None:
    """The pragmas that make it so are in force: WAL and FULL."""
    with Log(":memory:") as log:
        assert log._file.db.execute("PRAGMA synchronous").fetchone() == (2,)


@pytest.mark.parametrize(
    "statement", ["UPDATE entry SET body = '{}'", "DELETE FROM entry", "DELETE FROM session"]
)
def test_entries_can_neither_be_changed_nor_removed(tmp_path: Path, statement: str) -> None:
    """The file itself refuses, whoever asks."""
    path = tmp_path / "games.db"
    with Log(path) as log:
        log.append(log.open_session({}), 1, MOVE)
    refused = pytest.raises(sqlite3.IntegrityError, match="append-only")
    with closing(sqlite3.connect(path)) as database, refused:
        database.execute(statement)


def test_a_number_is_given_only_once() -> None:
    """Two entries with one number cannot both be written."""
    with Log(":memory:") as log:
        number = log.open_session({})
        log.append(number, 1, MOVE)
        with pytest.raises(LogError):
            log.append(number, 1, MOVE)


def test_a_second_tiki_on_the_same_log_is_told_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two referees on one log would both be wrong."""
    monkeypatch.setattr("companion.session.log_file.BUSY_TIMEOUT_S", 0.01)
    path = tmp_path / "games.db"
    with Log(path), pytest.raises(LogError, match=r"games\.db is in use by another tiki"):
        Log(path)


def test_a_file_that_is_no_log_is_left_alone(tmp_path: Path) -> None:
    """A text, another program's database and a future format are named, not overwritten."""
    text = tmp_path / "notes.txt"
    text.write_text("buy milk " * 1000)
    with pytest.raises(LogError, match="is not a game log"):
        Log(text)
    assert text.read_text().startswith("buy milk")
    other = tmp_path / "other.db"
    with closing(sqlite3.connect(other)) as database:
        database.execute("CREATE TABLE milk (litres)")
    with pytest.raises(LogError, match="another program's database"):
        Log(other)
    future = tmp_path / "future.db"
    with Log(future) as log:
        log._file.db.execute("PRAGMA user_version=99")
    with pytest.raises(LogError, match="format 99"):
        Log(future)


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    """The message says which file and what to look at."""
    with pytest.raises(LogError, match=r"nowhere/games\.db.*is the folder there"):
        Log(tmp_path / "nowhere" / "games.db")


def test_an_entry_of_an_unknown_kind_is_named_not_skipped(tmp_path: Path) -> None:
    """A log that cannot be read whole is not played on."""
    with Log(tmp_path / "games.db") as log:
        number = log.open_session({})
        add_entry(log._file.db, number, 1, AT, "jump", '{"type": "jump"}')
        with pytest.raises(LogError, match=f"session {number} cannot.*'jump'"):
            log.entries(number)


ALL_FIELDS: Final = sorted({name for kind in KINDS.values() for name in kind.__struct_fields__})
WRITTEN: Final = (
    (
        MOVE,
        (
            '{"type": "move", "seat": 0, "action": "up1 nani", "also": ["topple huhu"],'
            ' "table": ["nani", "huhu", "nui"], "frame": "003.jpg", "by": ""}'
        ),
    ),
    (
        MoveAccepted(1, "discard 5-blue", (), ("5-blue", None), by="hand"),
        (
            '{"type": "move", "seat": 1, "action": "discard 5-blue", "also": [],'
            ' "table": ["5-blue", null], "frame": null, "by": "hand"}'
        ),
    ),
    (
        ChanceObserved("roll 3", by="sensor"),
        (
            '{"type": "observed", "action": "roll 3", "frame": null, "by": "sensor", "also": [],'
            ' "table": null}'
        ),
    ),
    (
        MoveUndone(7, "up1 nani", "005.jpg"),
        '{"type": "undo", "undone": 7, "action": "up1 nani", "frame": "005.jpg"}',
    ),
    (MoveResolved(3, "roll 1"), '{"type": "resolved", "settles": 3, "action": "roll 1"}'),
    (MoveCorrected(3, "roll 2"), '{"type": "corrected", "corrects": 3, "action": "roll 2"}'),
    (
        SecretEntered(2, 1, "card 2 kapu"),
        '{"type": "secret", "seat": 2, "round": 1, "action": "card 2 kapu"}',
    ),
    (
        RoundScored(1, ("nani",), (5, 0), (5, 3), "TT-10"),
        (
            '{"type": "round", "round": 1, "table": ["nani"], "points": [5, 0], "scores": [5, 3],'
            ' "round_ended_by": "TT-10"}'
        ),
    ),
    (
        SpinObserved(90.0, 2.5, True, (1,), True, False),
        (
            '{"type": "spin", "angle_deg": 90.0, "turns": 2.5, "clockwise": true, "seats": [1],'
            ' "trusted": true, "void": false, "spinner": null}'
        ),
    ),
    (TurnTimed(7, 63.25), '{"type": "timed", "entry": 7, "played_s": 63.25}'),
    (
        TableAdopted(("nani", None), 1, "up2", "7"),
        ('{"type": "adopted", "table": ["nani", null], "seat": 1, "used": "up2", "frame": "7"}'),
    ),
    (
        MoveUndone(7, "up1 nani", replaced=True),
        '{"type": "undo", "undone": 7, "action": "up1 nani", "frame": null, "replaced": true}',
    ),
    (SessionClosed("é"), '{"type": "closed", "reason": "\\u00e9"}'),
)


@pytest.mark.parametrize(("event", "body"), WRITTEN, ids=lambda value: getattr(value, "type", ""))
def test_an_event_is_written_as_it_always_was(event: Event, body: str) -> None:
    """To the byte, and reading is the inverse, for each kind of event."""
    assert json.dumps(event_to_json(event)) == body
    assert event_to_json(event) == json.loads(body)
    assert event_from_json(json.loads(body)) == event


def test_every_kind_of_event_is_among_those_written() -> None:
    """None is forgotten above."""
    assert {event.type for event, _ in WRITTEN} == KINDS.keys()


def test_a_header_is_written_as_it_always_was() -> None:
    """To the byte, and reading is the inverse."""
    setup = {"first": 0, "line": ["nani"]}
    header = Header("topple", ("Ann", "Bob"), {"target": 5}, setup, ("near", "far"))
    body = (
        '{"game": "topple", "players": ["Ann", "Bob"], "options": {"target": 5}, "setup": {"first":'
        ' 0, "line": ["nani"]}, "sides": ["near", "far"], "version": 1, "bearings_deg": []}'
    )
    assert json.dumps(header.to_json()) == body
    assert Header.from_json(json.loads(body)) == header


def test_what_may_be_left_out_is_at_its_default() -> None:
    """What reads the log needs not say all of it."""
    event = event_from_json({"type": "move", "seat": 0, "action": "up1 nani"})
    assert event == MoveAccepted(0, "up1 nani")


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("action", 7, "action is 7; it must be text"),
        ("seat", "0", "seat is '0'; it must be a whole number"),
        ("seat", True, "seat is true; it must be a whole number"),
        ("also", 7, "also is 7; it must be a list of texts"),
        ("also", [7], r"also is \[7\]; it must be a list of texts"),
        ("table", 7, "table is 7; it must be a list of texts and nulls or null"),
        ("table", [7], r"table is \[7\]; it must be a list of texts and nulls or null"),
        ("frame", 7, "frame is 7; it must be text or null"),
        ("by", None, "by is null; it must be text"),
        ("seats", [1], "unknown field 'seats'; did you mean 'seat'"),
    ],
)
def test_a_field_of_another_form_is_refused(name: str, value: object, words: str) -> None:
    """Whatever stands in a log on disk ends in one line, not in a fold that breaks."""
    move = event_to_json(MoveAccepted(0, "up1 nani"))
    with pytest.raises(BadEvent, match=f"^move: {words}"):
        event_from_json(move | {name: value})


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"type": "spin", "angle_deg": "north"}, "spin: turns is missing"),
        ({**json.loads(WRITTEN[8][1]), "angle_deg": "north"}, "angle_deg is 'north'; it must be a"),
        ({**json.loads(WRITTEN[8][1]), "trusted": 1}, "trusted is 1; it must be true or false"),
        ({**json.loads(WRITTEN[7][1]), "table": None}, "table is null; it must be a list of texts"),
    ],
)
def test_a_damaged_event_is_refused(body: dict[str, object], words: str) -> None:
    """Also in fields that nobody counts with."""
    with pytest.raises(BadEvent, match=words):
        event_from_json(body)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text("ab\n", max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab\n"), inner, max_size=3),
    max_leaves=4,
)


@given(
    st.sampled_from([json.loads(body) for _, body in WRITTEN]),
    st.dictionaries(st.sampled_from([*ALL_FIELDS, "line", "x"]), json_values, max_size=3),
    st.sets(st.sampled_from(ALL_FIELDS), max_size=1),
)
def test_whatever_a_log_holds_the_answer_is_an_event_or_one_line(
    body: dict[str, Any], changed: dict[str, Any], dropped: set[str]
) -> None:
    """An event of one kind whose fields have its types, or BadEvent."""
    found = {name: value for name, value in (body | changed).items() if name not in dropped}
    try:
        event = event_from_json(found)
    except BadEvent as error:
        assert str(error).isprintable()  # noqa: PT017 - either answer is right
        return
    assert event_from_json(json.loads(json.dumps(event_to_json(event)))) == event


@pytest.mark.parametrize(
    ("header", "said"),
    [("nothing", "its header is not JSON: "), ("[1]", "its header is not a JSON object;")],
)
def test_a_header_that_is_none_is_named(tmp_path: Path, header: str, said: str) -> None:
    """The file, the session, what is wrong, and what to do."""
    path = tmp_path / "games.db"
    with Log(path) as log:
        number = add_session(log._file.db, AT, header)
        begin = re.escape(f"{path}, session {number} cannot be read: {said}")
        with pytest.raises(LogError, match=f"{begin}.*choose another file for the log"):
            log.header(number)
        with pytest.raises(LogError, match=re.escape(f"{path} has no session 7")):
            log.header(7)


def test_a_log_that_was_let_go_writes_nothing_more(tmp_path: Path) -> None:
    """The refusal says which file it is about, and why."""
    path = tmp_path / "games.db"
    with Log(path) as log:
        log._file.db.execute("PRAGMA query_only=1")
        with pytest.raises(
            LogError, match=rf"{path}: attempt to write a readonly database; is the"
        ):
            log.open_session({})


def test_a_missing_entry_is_named(tmp_path: Path) -> None:
    """Whoever cut something out of the log is told so."""
    with Log(tmp_path / "games.db") as log:
        number = log.open_session({})
        for seq in (1, 3):
            log.append(number, seq, MoveAccepted(0, "up1 nani"))
        with pytest.raises(LogError, match=f"session {number} cannot.*entry 2 is missing"):
            log.entries(number)


def test_a_secret_is_on_disk_but_not_in_public() -> None:
    """The public form tells that a card was entered, and nothing of it."""
    entry = Entry(4, "2026-01-01", SecretEntered(2, 1, "card 2 kapu nui nani"))
    assert event_to_json(entry.event)["action"] == "card 2 kapu nui nani"
    assert public_json(entry) == {
        "type": "secret", "seq": 4, "seat": 2, "round": 1, "at": "2026-01-01",
    }  # fmt: skip


WRITER = """
import sys
from companion.session.events import MoveAccepted
from companion.session.log import Log

log = Log(sys.argv[1])
number = log.open_session({})
for seq in range(1, 10_000):
    log.append(number, seq, MoveAccepted(0, "up1 nani"))
    print(seq, flush=True)
"""


def test_a_killed_writer_loses_nothing_that_it_had_said(tmp_path: Path) -> None:
    """Every number that was printed is in the file after kill -9."""
    path = tmp_path / "games.db"
    command = [sys.executable, "-c", WRITER, str(path)]
    for stop_after in (1, 7, 40):
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout
            said = [int(writer.stdout.readline()) for _ in range(stop_after)]
            writer.kill()
        with Log(path) as log:
            number = log.unfinished()
            assert number is not None
            seqs = [entry.seq for entry in log.entries(number)]
        assert seqs[: len(said)] == said
