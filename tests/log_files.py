"""Logs to open: as version 0.1 wrote them, and of the present format with anything in them."""

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from companion.session.log import Log
from companion.session.schema import add_entry, add_session

AT: Final = "2026-01-01T20:00:00.000+00:00"
OLD_TABLES: Final = """
CREATE TABLE session (
    id INTEGER PRIMARY KEY,
    opened_at TEXT NOT NULL,
    header TEXT NOT NULL
) STRICT;
CREATE TABLE entry (
    session INTEGER NOT NULL REFERENCES session (id),
    seq INTEGER NOT NULL,
    at TEXT NOT NULL,
    type TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (session, seq)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER entry_keeps BEFORE UPDATE ON entry
    BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
CREATE TRIGGER entry_stays BEFORE DELETE ON entry
    BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
CREATE TRIGGER session_keeps BEFORE UPDATE ON session
    BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
CREATE TRIGGER session_stays BEFORE DELETE ON session
    BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
PRAGMA application_id=1953065833;
PRAGMA user_version=1;
"""


def write_old(path: Path, *sessions: tuple[Mapping[str, Any], Sequence[Mapping[str, Any]]]) -> Path:
    """Write *sessions*, each a header and its entries, as version 0.1 did; return *path*."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode=WAL")
        db.executescript(f"BEGIN; {OLD_TABLES} COMMIT;")
        for number, (header, entries) in enumerate(sessions, start=1):
            db.execute("INSERT INTO session VALUES (?, ?, ?)", (number, AT, json.dumps(header)))
            for seq, body in enumerate(entries, start=1):
                row = (number, seq, AT, body["type"], json.dumps(body))
                db.execute("INSERT INTO entry VALUES (?, ?, ?, ?, ?)", row)
    return path


def write_raw(path: Path, header: str, bodies: Iterable[str], kind: str = "move") -> Path:
    """Write a session of the present format, whose texts are right to the letter; return *path*."""
    with Log(path) as log:
        number = add_session(log._file.db, AT, header)
        for seq, body in enumerate(bodies, start=1):
            add_entry(log._file.db, number, seq, AT, kind, body)
    return path


def rows_of(path: Path) -> list[list[tuple[Any, ...]]]:
    """Return all sessions and entries that the log at *path* holds, without their checksums."""
    with closing(sqlite3.connect(path)) as db:
        return [
            db.execute("SELECT id, opened_at, header FROM session").fetchall(),
            db.execute("SELECT session, seq, at, type, body FROM entry").fetchall(),
        ]
