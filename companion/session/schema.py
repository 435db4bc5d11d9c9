"""The tables of a log's file, the checksums in them, and how both are verified.

Every header carries the checksum of itself and of the header before it, every entry that of itself
and of all that precedes it in its session. `tail` says how far each session goes, so that a lost
end is noticed too; and it has every header once more, since without its header no entry counts.
"""

import contextlib
import json
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final

SCHEMA: Final = 2
APPLICATION_ID: Final = 0x74696B69  # "tiki" in ASCII marks the file as ours
DIGEST_BYTES: Final = 16
_ENCODER: Final = json.JSONEncoder(default=repr)  # made once: json.dumps makes one at each call

_TRIGGERS: Final = {
    f"{table}_{name}": (
        f"CREATE TRIGGER {table}_{name} BEFORE {action} ON {table}"
        " BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END"
    )
    for table in ("entry", "session")
    for name, action in (("keeps", "UPDATE"), ("stays", "DELETE"))
}
_TABLES: Final = (
    """CREATE TABLE session (
    id INTEGER PRIMARY KEY,
    opened_at TEXT NOT NULL,
    header TEXT NOT NULL,
    sum TEXT NOT NULL
) STRICT""",
    """CREATE TABLE entry (
    session INTEGER NOT NULL REFERENCES session (id),
    seq INTEGER NOT NULL,
    at TEXT NOT NULL,
    type TEXT NOT NULL,
    body TEXT NOT NULL,
    sum TEXT NOT NULL,
    PRIMARY KEY (session, seq)
) STRICT, WITHOUT ROWID""",
    """CREATE TABLE tail (
    session INTEGER PRIMARY KEY,
    seq INTEGER NOT NULL,
    sum TEXT NOT NULL,
    opened_at TEXT NOT NULL,
    header TEXT NOT NULL,
    header_sum TEXT NOT NULL
) STRICT""",
    "CREATE TABLE trial (padding BLOB NOT NULL) STRICT",
)
_ENTRIES: Final = "SELECT seq, at, type, body, sum FROM entry WHERE session = ? ORDER BY seq"


class Damage(ValueError):
    """A log's file is not as it was written; says where."""


@dataclass(frozen=True, slots=True)
class Extent:
    """How much a log holds."""

    sessions: int
    entries: int

    def __str__(self) -> str:
        games = "1 game" if self.sessions == 1 else f"{self.sessions} games"
        return f"{games} with {self.entries} {'entry' if self.entries == 1 else 'entries'}"


def header_sum(previous: str, session: int, opened_at: str, header: str) -> str:
    """Return the checksum of a header; *previous*: that of the session before, "" if none is."""
    return _digest(previous, session, opened_at, header)


def entry_sum(previous: str, session: int, seq: int, at: str, kind: str, body: str) -> str:
    """Return the checksum of an entry; *previous*: that of the entry before, or of the header."""
    return _digest(previous, session, seq, at, kind, body)


def _digest(*fields: object) -> str:
    # What a damaged file has in the place of a text or a number gets a checksum as well.
    text = _ENCODER.encode(fields)
    return blake2b(text.encode(), digest_size=DIGEST_BYTES).hexdigest()


def create(db: sqlite3.Connection) -> None:
    """Make the tables in an empty file; all or none of them."""
    with _whole(db):
        for statement in (*_TABLES, *_TRIGGERS.values()):
            db.execute(statement)
        db.execute(f"PRAGMA application_id={APPLICATION_ID}")
        db.execute(f"PRAGMA user_version={SCHEMA}")


def add_session(
    db: sqlite3.Connection, opened_at: str, header: str, number: int | None = None
) -> int:
    """Add a session and return its number: *number*, or the next one."""
    last, before = db.execute(
        "SELECT id, sum FROM session ORDER BY id DESC LIMIT 1"
    ).fetchone() or (0, "")
    number = number or last + 1
    link = header_sum(before, number, opened_at, header)
    db.execute("INSERT INTO session VALUES (?, ?, ?, ?)", (number, opened_at, header, link))
    row = (number, link, opened_at, header, link)
    db.execute("INSERT INTO tail VALUES (?, 0, ?, ?, ?, ?)", row)
    return number


def add_entry(
    db: sqlite3.Connection, session: int, seq: int, at: str, kind: str, body: str
) -> None:
    """Add an entry to a session."""
    (before,) = db.execute("SELECT sum FROM tail WHERE session = ?", (session,)).fetchone()
    link = entry_sum(before, session, seq, at, kind, body)
    row = (session, seq, at, kind, body, link)
    db.execute("INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?)", row)
    db.execute("UPDATE tail SET seq = ?, sum = ? WHERE session = ?", (seq, link, session))


def add_entries(
    db: sqlite3.Connection, session: int, rows: Iterable[tuple[int, str, str, str]]
) -> None:
    """Add what another log has as entries to a session: seq, time, type and body of each."""
    (seq, link) = db.execute("SELECT seq, sum FROM tail WHERE session = ?", (session,)).fetchone()
    linked = []
    for seq, *entry in rows:
        link = entry_sum(link, session, seq, *entry)
        linked.append((session, seq, *entry, link))
    db.executemany("INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?)", linked)
    db.execute("UPDATE tail SET seq = ?, sum = ? WHERE session = ?", (seq, link, session))


@contextlib.contextmanager
def _whole(db: sqlite3.Connection) -> Iterator[None]:
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def verify(db: sqlite3.Connection) -> Extent:
    """Return how much is in *db*, a file of SCHEMA; raises Damage or sqlite3.Error."""
    _check_pages(db)
    tails = {number: end for number, *end in db.execute("SELECT * FROM tail")}
    before, entries = "", 0
    headers = "SELECT id, opened_at, header, sum FROM session ORDER BY id"
    for number, opened_at, header, known in db.execute(headers).fetchall():
        before = header_sum(before, number, opened_at, header)
        if known != before:
            raise Damage(f"the header of session {number} does not match its checksum")
        end, link = 0, before
        for seq, *entry, written in db.execute(_ENTRIES, (number,)):
            end += 1
            _check_number(number, seq, end)
            link = entry_sum(link, number, seq, *entry)
            if written != link:
                raise Damage(f"entry {seq} of session {number} does not match its checksum")
        entries += end
        if tails.pop(number, None) != [end, link, opened_at, header, before]:
            raise Damage(f"session {number} does not end where it should")
    _check_orphans(db)
    for number in tails:
        raise Damage(f"session {number} is missing")
    (sessions,) = db.execute("SELECT count(*) FROM session").fetchone()
    return Extent(sessions, entries)


def _check_pages(db: sqlite3.Connection) -> None:
    (answer,) = db.execute("PRAGMA quick_check(1)").fetchone()
    if answer != "ok":
        raise Damage(" ".join(str(answer).removeprefix("*** in database main ***").split()))


def _check_number(session: int, seq: int, expected: int) -> None:
    if seq != expected:
        raise Damage(f"entry {expected} of session {session} is missing")


def _check_orphans(db: sqlite3.Connection) -> None:
    orphan = db.execute(
        "SELECT session FROM entry WHERE session NOT IN (SELECT id FROM session) LIMIT 1"
    ).fetchone()
    if orphan is not None:
        raise Damage(f"the header of session {orphan[0]} is missing")
