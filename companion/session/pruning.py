"""Pruning: a log written anew without its old games, for that is the only way out of it."""

from dataclasses import dataclass
from pathlib import Path

from companion.session.log_errors import LogError, is_there
from companion.session.log_file import LogFile
from companion.session.rewriting import replace_file
from companion.session.schema import Extent


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
    try:
        found = _find(file, before)
        if found.numbers:
            replace_file(file, lambda number, text: None if number in found.numbers else text)
    finally:
        file.close()
    return found


def _open(path: Path, *, is_changed: bool) -> LogFile:
    if not is_there(path):
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
