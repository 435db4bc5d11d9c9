"""Pruning: a log written anew without its old games, for that is the only way out of it."""

import contextlib
import os
import sqlite3
from dataclasses import dataclass
from pathlib import Path

from companion.files import sync_folder
from companion.session.log_file import LogError, LogFile
from companion.session.schema import Extent, add_entry, add_session


@dataclass(frozen=True, slots=True)
class Pruning:
    """What of a log is old.

    numbers: of the sessions that began before a day, but for the newest and the one that is on.
    oldest, newest: when the first and the last of them began, ISO 8601, "" if there are none.
    extent: how much the log holds, before anything is removed.
    """

    numbers: tuple[int, ...]
    oldest: str
    newest: str
    extent: Extent


def find_old(path: Path, before: str) -> Pruning:
    """Return what in the log at *path* began *before*, ISO 8601; raises LogError."""
    file = _open(path, is_changed=False)
    try:
        return _find(file, before)
    finally:
        file.close()


def prune(path: Path, before: str) -> Pruning:
    """Remove what began *before* from the log at *path*; raises LogError, and all is there then."""
    file = _open(path, is_changed=True)
    draft = path.with_name(f"{path.name}.part")
    try:
        found = _find(file, before)
        if found.numbers:
            draft.unlink(missing_ok=True)
            _write_rest(file, draft, found.numbers)
            file.close()  # it takes care of a log that is replaced while it is open
            draft.replace(path)
            sync_folder(path.parent)
    except (OSError, sqlite3.Error) as error:
        for left in (draft, draft.with_name(f"{draft.name}-wal")):
            with contextlib.suppress(OSError):
                left.unlink(missing_ok=True)
        if isinstance(error, LogError):
            raise
        reason = getattr(error, "strerror", None) or error
        raise LogError(f"{path} is as it was: {reason}; free some space on its disk") from None
    finally:
        file.close()
    return found


def _open(path: Path, *, is_changed: bool) -> LogFile:
    if not path.exists():
        raise LogError(f"there is no {path}; name the saved games with --log")
    return LogFile(str(path), is_changed=is_changed)


def _find(file: LogFile, before: str) -> Pruning:
    rows = file.read(
        "SELECT id, opened_at FROM session WHERE opened_at < ?"
        " AND id <> (SELECT max(id) FROM session)"
        " AND id <> coalesce((SELECT max(id) FROM session"
        "  WHERE id NOT IN (SELECT session FROM entry WHERE type = 'closed')), 0)"
        " ORDER BY id",
        (before,),
    )
    times = sorted(at for _, at in rows) or [""]
    return Pruning(tuple(number for number, _ in rows), times[0], times[-1], file.extent)


def _write_rest(file: LogFile, draft: Path, gone: tuple[int, ...]) -> None:
    """Write to *draft* what stays; every session keeps its number, every entry its time."""
    rest = LogFile(str(draft))

    def write(db: sqlite3.Connection) -> None:
        for number, at, header in file.read(
            "SELECT id, opened_at, header FROM session ORDER BY id"
        ):
            if number not in gone:
                add_session(db, at, header, number)
                rows = file.read(
                    "SELECT seq, at, type, body FROM entry WHERE session = ? ORDER BY seq",
                    (number,),
                )
                for row in rows:
                    add_entry(db, number, *row)

    try:
        rest.write(write)
        rest.commit()
        if rest.behind:
            raise LogError(rest.behind)
    finally:
        rest.close()
    with draft.open("rb") as written:
        os.fsync(written.fileno())
