"""The log on disk: one SQLite file, append-only, each entry there before it is published.

WAL with synchronous=FULL keeps every committed entry through a kill and a power cut; see
docs/decisions/0003-append-only-sqlite-log.md.
"""

import contextlib
import json
import os
import sqlite3
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Self

from companion.files import make_table_private
from companion.session.events import BadEvent, Entry, Event, event_from_json, event_to_json

SCHEMA: Final = 1
APPLICATION_ID: Final = 0x74696B69  # "tiki" in ASCII marks the file as ours

_TABLES: Final = """
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
"""


class LogError(OSError):
    """The log cannot be opened or written; says which file, why, and what to do."""


def utc_now() -> str:
    """Return the present time, ISO 8601, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class Log:
    """The sessions of one file.  Only one process at a time may hold it.

    path: the file, made if missing; ":memory:" keeps nothing.
    Raises LogError.
    """

    def __init__(self, path: Path | str, now: Callable[[], str] = utc_now) -> None:
        self.path = str(path)
        self._now = now
        if self.path != ":memory:":
            with contextlib.suppress(OSError):  # it is there already, or SQLite will say why not
                # Secrets are in it: for nobody else on this machine to read.
                os.close(os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        try:
            self._db = sqlite3.connect(self.path, isolation_level=None, timeout=1.0)
        except sqlite3.Error as error:
            raise self._trouble(error) from None
        try:
            self._prepare()
        except sqlite3.Error as error:
            self._db.close()
            raise self._trouble(error) from None
        except LogError:
            self._db.close()
            raise
        if self.path != ":memory:":
            make_table_private(Path(self.path))  # an earlier version let everybody read it

    def _prepare(self) -> None:
        execute = self._db.execute
        # Held until the process ends, however it ends: two referees on one log would both be wrong.
        execute("PRAGMA locking_mode=EXCLUSIVE")
        execute("PRAGMA journal_mode=WAL")
        execute("PRAGMA synchronous=FULL")
        (mark,) = execute("PRAGMA application_id").fetchone()
        (schema,) = execute("PRAGMA user_version").fetchone()
        (tables,) = execute("SELECT count(*) FROM sqlite_schema").fetchone()
        if tables == 0:
            self._db.executescript(
                f"BEGIN EXCLUSIVE; {_TABLES}"
                f"PRAGMA application_id={APPLICATION_ID}; PRAGMA user_version={SCHEMA}; COMMIT;"
            )
        elif mark != APPLICATION_ID:
            raise LogError(
                f"{self.path} is another program's database; choose another file for the log"
            )
        elif schema != SCHEMA:
            raise LogError(
                f"{self.path} was written by another version (format {schema}, this one reads"
                f" {SCHEMA}); update the companion, or choose another file for the log"
            )

    def _trouble(self, error: sqlite3.Error) -> LogError:
        if "locked" in str(error):
            return LogError(
                f"{self.path} is in use by another tiki; stop that one or name another log file"
            )
        if "not a database" in str(error):
            return LogError(
                f"{self.path} is not a game log; choose another file, or move this one away"
            )
        return LogError(
            f"{self.path}: {error}; is the folder there, writable, and the disk not full?"
        )

    def open_session(self, header: Mapping[str, Any]) -> int:
        """Begin a session and return its number."""
        row = (self._now(), json.dumps(header))
        return self._write("INSERT INTO session (opened_at, header) VALUES (?, ?)", row)

    def unfinished(self) -> int | None:
        """Return the number of the newest session if it was never closed, else None."""
        row = self._db.execute("SELECT max(id) FROM session").fetchone()
        if row[0] is None:
            return None
        closed = self._db.execute(
            "SELECT 1 FROM entry WHERE session = ? AND type = 'closed'", row
        ).fetchone()
        return None if closed else int(row[0])

    def header(self, session: int) -> dict[str, Any]:
        """Return what the session was opened with; raises LogError if it cannot be understood."""
        row = self._db.execute("SELECT header FROM session WHERE id = ?", (session,)).fetchone()
        if row is None:
            raise LogError(f"{self.path} has no session {session}")
        try:
            found = json.loads(row[0])
        except json.JSONDecodeError as error:
            raise self._unreadable(session, f"its header is not JSON: {error}") from None
        if not isinstance(found, dict):
            raise self._unreadable(session, "its header is not a JSON object")
        return found

    def entries(self, session: int) -> list[Entry]:
        """Return all entries of a session in order; raises LogError if one cannot be understood."""
        rows = self._db.execute(
            "SELECT seq, at, body FROM entry WHERE session = ? ORDER BY seq", (session,)
        )
        try:
            found = [Entry(seq, at, event_from_json(json.loads(body))) for seq, at, body in rows]
        except (BadEvent, json.JSONDecodeError) as error:
            raise self._unreadable(session, str(error)) from None
        for number, entry in enumerate(found, start=1):
            if entry.seq != number:
                raise self._unreadable(session, f"entry {number} is missing")
        return found

    def _unreadable(self, session: int, reason: str) -> LogError:
        return LogError(
            f"{self.path}, session {session} cannot be read: {reason}; use the version"
            " that wrote it, or choose another file for the log"
        )

    def append(self, session: int, seq: int, event: Event) -> Entry:
        """Write *event* as number *seq*; it is on the disk when this returns.  Raises LogError."""
        at = self._now()
        body = json.dumps(event_to_json(event))
        self._write(
            "INSERT INTO entry VALUES (?, ?, ?, ?, ?)", (session, seq, at, event.type, body)
        )
        return Entry(seq, at, event)

    def _write(self, statement: str, row: tuple[object, ...]) -> int:
        try:
            return self._db.execute(statement, row).lastrowid or 0
        except sqlite3.Error as error:
            raise self._trouble(error) from None

    def close(self) -> None:
        """Let the file go; may be called twice."""
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
