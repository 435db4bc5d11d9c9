"""The log on disk: one SQLite file, append-only, each entry there before it is published.

WAL with synchronous=FULL keeps every committed entry through a kill and a power cut; see
docs/decisions/0003-append-only-sqlite-log.md, 0312-checksums-in-the-log.md and
0382-keep-a-spare-of-what-the-journal-has.md.
"""

import contextlib
import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Final, ParamSpec, Self, TypeVar

from companion.session.events import BadEvent, Entry, Event, event_from_json, event_to_json
from companion.session.log_errors import MEMORY, CannotWrite, LogError
from companion.session.log_file import LogFile
from companion.session.rewriting import copy_sessions, replace_file
from companion.session.schema import Extent, add_entry, add_session

__all__ = ["Log", "LogError", "utc_now"]

P = ParamSpec("P")
T = TypeVar("T")

TRIAL_BYTES: Final = 16_384
"""So much is written to find out whether a log that failed can be written again: more than what
belongs together usually takes."""
_PAD: Final = ("INSERT INTO trial VALUES (zeroblob(?))", (TRIAL_BYTES,))


def utc_now() -> str:
    """Return the present time, ISO 8601, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


@dataclass(slots=True)
class _Transaction:
    """What is to be done when a transaction ends: *undo* if it fails, *announce* if it does not."""

    undo: list[Callable[[], object]] = field(default_factory=list)
    announce: list[Callable[[], object]] = field(default_factory=list)
    has_written: bool = False
    error: LogError | None = None


class Log:
    """The sessions of one file.  Only one process at a time may hold it.

    path: the file, made if missing; ":memory:" keeps nothing.
    extent: how much it held when it was opened.
    trouble: why it cannot be written, "" while all is well.  Nothing is written then until `retry`
        has found that it can be.
    is_changed: whether a new file becomes a log; else it is only read.
    on_trouble: called with *trouble* whenever that changes, after all has been put back as it was.
    on_moved: called with one line when the file was deleted or replaced, and all that is in it has
        been written anew.
    Raises LogError; if the file is damaged, that says what `tiki log recover` can save.
    """

    def __init__(
        self, path: Path | str, now: Callable[[], str] = utc_now, *, is_changed: bool = True
    ) -> None:
        self._now = now
        self.on_trouble: Callable[[str], None] = lambda _: None
        self.on_moved: Callable[[str], None] = lambda _: None
        self.trouble = ""
        self._told = ""
        self._transaction: _Transaction | None = None
        self._file = LogFile(str(path), is_changed=is_changed)

    @property
    def path(self) -> str:
        """The file that is written now."""
        return self._file.path

    def beside(self, ending: str) -> Path | None:
        """Return the file that belongs to this log and ends in *ending*; None if nothing is kept.

        >>> with Log(":memory:") as log:
        ...     log.beside("keys.json") is None
        True
        """
        return None if self.path == MEMORY else Path(self.path).with_suffix(f".{ending}")

    @property
    def extent(self) -> Extent:
        """How much it held when it was opened."""
        return self._file.extent

    @contextlib.contextmanager
    def transaction(self, undo: Callable[[], None] = lambda: None) -> Iterator[None]:
        """Write all that is added meanwhile together, or nothing of it.

        Inside another transaction it is a part of that one; do not go on there after an error.
        undo: puts back what has changed in memory; called if nothing is written.
        Raises LogError.
        """
        if self._transaction is not None:
            self._transaction.undo.append(undo)
            yield
            return
        transaction = self._transaction = _Transaction([undo])
        try:
            yield
            if transaction.has_written:
                self._attempt(self._file.commit)
        except BaseException:
            self._file.roll_back()
            self._transaction = None
            for each in reversed(transaction.undo):
                each()
            self._tell()
            raise
        self._transaction = None
        self.trouble = self.trouble or self._file.behind
        for each in transaction.announce:
            each()
        self._tell()

    def when_written(self, action: Callable[[], object]) -> None:
        """Do *action* as soon as all that was added so far is on the disk: now, later or never."""
        if self._transaction is None:
            action()
        else:
            self._transaction.announce.append(action)

    def deferred(self, action: Callable[P, object]) -> Callable[P, None]:
        """Return *action*, each call of it put off by `when_written`."""

        def put_off(*args: P.args, **kwargs: P.kwargs) -> None:
            self.when_written(partial(action, *args, **kwargs))

        return put_off

    def retry(self) -> bool:
        """Try to write, if that has failed; return whether the log can be written now."""
        if self.trouble:
            self.trouble = ""
            with contextlib.suppress(LogError):
                self._write(lambda db: db.execute(*_PAD))
                self._write(lambda db: db.execute("DELETE FROM trial"))
                self._file.copy_journal()
                self.trouble = self.trouble or self._file.behind
            self._tell()
        return not self.trouble

    def open_session(self, header: Mapping[str, Any], at: str = "") -> int:
        """Begin a session and return its number; *at*: when it began, "" for now.

        Raises LogError.
        """
        text, now = json.dumps(header), at or self._now()
        return self._write(lambda db: add_session(db, now, text))

    def copy_session(self, number: int, header: Mapping[str, Any]) -> int:
        """Begin a session with *header* and all that session *number* has before it was closed.

        Every entry keeps its number and its time, so that the copy replays as the original did.
        Returns its number; raises LogError.
        """
        text, now = json.dumps(header), self._now()
        rows = self._file.read(
            "SELECT seq, at, type, body FROM entry WHERE session = ? ORDER BY seq", (number,)
        )
        if rows and rows[-1][2] == "closed":
            del rows[-1]

        def copy(db: sqlite3.Connection) -> int:
            new = add_session(db, now, text)
            for row in rows:
                add_entry(db, new, *row)
            return new

        return self._write(copy)

    def rewrite_headers(self, change: Callable[[str], str]) -> None:
        """Write the file anew with every header as *change* returns its text; the old go.

        Not inside a transaction.  Raises LogError, and all is as it was then.
        """
        assert self._transaction is None
        if self.trouble:
            raise LogError(self.trouble)

        def header_of(_: int, text: str) -> str:
            return change(text)

        path = self._file.path
        if path == MEMORY:
            rest = LogFile(MEMORY)
            copy_sessions(self._file, rest, header_of)
            self._file.close()
            self._file = rest
            return
        try:
            replace_file(self._file, header_of)
        finally:
            if not self._file.is_open:
                self._file = LogFile(path)

    def append(self, session: int, seq: int, event: Event, at: str = "") -> Entry:
        """Write *event* as number *seq*; it is on the disk when this returns.  Raises LogError.

        In a transaction it is on the disk when that has ended.  at: its time, "" for now.
        """
        at, body = at or self._now(), json.dumps(event_to_json(event))
        self._write(lambda db: add_entry(db, session, seq, at, event.type, body))
        return Entry(seq, at, event)

    def unfinished(self) -> int | None:
        """Return the number of the newest session that was never closed, None if all were.

        Those after it were imported from game records.
        """
        closed = "SELECT session FROM entry WHERE type = 'closed'"
        ((newest,),) = self._file.read(f"SELECT max(id) FROM session WHERE id NOT IN ({closed})")  # noqa: S608
        return None if newest is None else int(newest)

    def opened(self) -> dict[int, str]:
        """Return when each session was opened, by its number, ISO 8601."""
        return dict(self._file.read("SELECT id, opened_at FROM session ORDER BY id"))

    def marks(self) -> dict[int, str]:
        """Return by number what tells each session, as far as it has come, from every other.

        Names are no part of it.
        """
        last = (
            "SELECT ' ' || seq || ' ' || at FROM entry WHERE session = id ORDER BY seq DESC LIMIT 1"
        )
        return dict(
            self._file.read(
                f"SELECT id, opened_at || coalesce(({last}), '') FROM session ORDER BY id"  # noqa: S608
            )
        )

    def resumed(self) -> frozenset[int]:
        """Return the numbers of the sessions that a later one goes on with."""
        rows = self._file.read(
            "SELECT json_extract(header, '$.resumes') FROM session WHERE json_valid(header)"
        )
        return frozenset(number for (number,) in rows if isinstance(number, int))

    def header(self, session: int) -> dict[str, Any]:
        """Return what the session was opened with; raises LogError if it cannot be understood."""
        rows = self._file.read("SELECT header FROM session WHERE id = ?", (session,))
        if not rows:
            raise LogError(f"{self.path} has no session {session}")
        try:
            found = json.loads(rows[0][0])
        except json.JSONDecodeError as error:
            raise self._unreadable(session, f"its header is not JSON: {error}") from None
        if not isinstance(found, dict):
            raise self._unreadable(session, "its header is not a JSON object")
        return found

    def entries(self, session: int) -> list[Entry]:
        """Return all entries of a session in order; raises LogError if one cannot be understood."""
        rows = self._file.read(
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

    def close(self) -> None:
        """Let the file go; may be called twice."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _unreadable(self, session: int, reason: str) -> LogError:
        return LogError(
            f"{self.path}, session {session} cannot be read: {reason}; use the version"
            " that wrote it, or choose another file for the log"
        )

    def _write(self, change: Callable[[sqlite3.Connection], T]) -> T:
        with self.transaction():
            return self._attempt(partial(self._file.write, change))

    def _attempt(self, action: Callable[[], T]) -> T:
        """Return what *action* returns, unless a write has failed before; raises LogError."""
        assert self._transaction is not None
        if self.trouble:
            raise LogError(self.trouble)
        if self._transaction.error is not None:
            raise self._transaction.error
        self._transaction.has_written = True
        try:
            return action()
        except LogError as error:
            self._transaction.error = error
            if isinstance(error, CannotWrite):
                self.trouble = str(error)
            raise

    def _tell(self) -> None:
        """Tell of trouble that has come or gone, and of a file that was written anew."""
        if self.trouble != self._told:
            self._told = self.trouble
            self.on_trouble(self.trouble)
        moved, self._file.moved = self._file.moved, ""
        if moved:
            self.on_moved(moved)
