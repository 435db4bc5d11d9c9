"""The spare: what was written since SQLite's journal was last copied into the log, once more.

SQLite goes back without a word to what was before a spoilt place of its journal, and a journal that
was removed is nothing to it. Until its content is in the log itself, each row stands in the spare
as a line of JSON, too. Nobody waits for the disk to have it: after a power cut the journal has all.
"""

import contextlib
import json
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from companion.files import PRIVATE
from companion.session.schema import add_entry, add_session, entry_sum, header_sum

Row = tuple[Any, ...]
"""A session (number, when it was opened, header, checksum) or an entry (session, number, time,
type, body, checksum)."""

MAX_ROWS: Final = 100
"""What wrote more is not worth a spare; it is copied into the log at once."""
_HEADER: Final = (int, str, str, str)
_ENTRY: Final = (int, int, str, str, str, str)
_NOTES: Final = """
PRAGMA temp_store=MEMORY;
CREATE TEMP TABLE written (row TEXT NOT NULL);
CREATE TEMP TRIGGER note_session AFTER INSERT ON main.session BEGIN
    INSERT INTO written VALUES (json_array(NEW.id, NEW.opened_at, NEW.header, NEW.sum));
END;
CREATE TEMP TRIGGER note_entry AFTER INSERT ON main.entry BEGIN
    INSERT INTO written
    VALUES (json_array(NEW.session, NEW.seq, NEW.at, NEW.type, NEW.body, NEW.sum));
END;
"""


def journal_of(log: Path) -> Path:
    """Return SQLite's journal, whose content is a part of *log*."""
    return log.with_name(f"{log.name}-wal")


def spare_of(log: Path) -> Path:
    """Return where the spare of *log* is."""
    return log.with_name(f"{log.name}-spare")


class Spare:
    """The spare of the log that *db* has open at *log*; raises sqlite3.Error."""

    def __init__(self, log: Path, db: sqlite3.Connection) -> None:
        self._path, self._journal = spare_of(log), journal_of(log)
        self._db = db
        self._file: int | None = None
        self._is_old = True
        db.executescript(_NOTES)

    def keep(self) -> bool:
        """Write what was committed since the last time; return whether that could be done."""
        try:
            rows = [row for (row,) in self._db.execute("SELECT row FROM written ORDER BY rowid")]
            self._db.execute("DELETE FROM written")
            if len(rows) > MAX_ROWS:
                return False
            data = "".join(f"{row}\n" for row in rows).encode()
            if self._file is None:
                self._file = os.open(self._path, os.O_CREAT | os.O_APPEND | os.O_WRONLY, PRIVATE)
            if self._is_old:
                os.ftruncate(self._file, 0)
            self._is_old = False
            return os.write(self._file, data) == len(data)
        except (OSError, sqlite3.Error):
            return False

    def outdate(self) -> None:
        """Let the next row be the first one: the log has all others."""
        self._is_old = True

    def close(self) -> None:
        """Let the file go, and remove it, unless SQLite left its journal; may be called twice."""
        if self._file is None:
            return
        with contextlib.suppress(OSError):
            is_ours = os.path.samestat(os.fstat(self._file), self._path.stat())
            if is_ours and not self._journal.exists():
                self._path.unlink()
        os.close(self._file)
        self._file = None


def read_spare(log: Path) -> list[Row]:
    """Return the rows of the spare of *log*, up to what cannot be read; raises OSError."""
    try:
        data = spare_of(log).read_bytes()
    except FileNotFoundError:
        return []
    return [*_rows(data)]


def bring_in(db: sqlite3.Connection, rows: list[Row]) -> int:
    """Add to *db* those of *rows* that its checksums tell to be next; return how many that is."""
    return sum(_add(db, row) for row in rows)


def _rows(data: bytes) -> Iterator[Row]:
    for line in data.splitlines():
        try:
            row = json.loads(line)
        except ValueError:  # noise, or the end of what a power cut left
            return
        kinds = tuple(map(type, row)) if isinstance(row, list) else ()
        if kinds not in (_HEADER, _ENTRY):
            return
        yield tuple(row)


def _add(db: sqlite3.Connection, row: Row) -> bool:
    if len(row) == len(_HEADER):
        number, opened_at, header, link = row
        last, before = db.execute(
            "SELECT id, sum FROM session ORDER BY id DESC LIMIT 1"
        ).fetchone() or (0, "")
        is_next = number > last and link == header_sum(before, number, opened_at, header)
        if is_next:
            add_session(db, opened_at, header, number)
        return bool(is_next)
    number, *entry, link = row
    ends = db.execute("SELECT seq, sum FROM tail WHERE session = ?", (number,)).fetchall()
    for end, before in ends:
        if entry[0] == end + 1 and link == entry_sum(before, number, *entry):
            add_entry(db, number, *entry)
            return True
    return False
