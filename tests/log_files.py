"""Logs to open, with anything in them."""

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from companion.session.log import Log
from companion.session.schema import add_entry, add_session

AT: Final = "2026-01-01T20:00:00.000+00:00"


def write_games(path: Path, *games: tuple[Mapping[str, Any], Sequence[Mapping[str, Any]]]) -> Path:
    """Write *games*, each a header and its entries, into a log; return *path*."""
    with Log(path) as log:
        for header, entries in games:
            number = add_session(log._file.db, AT, json.dumps(header))
            for seq, body in enumerate(entries, start=1):
                add_entry(log._file.db, number, seq, AT, body["type"], json.dumps(body))
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
