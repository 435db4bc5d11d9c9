"""Where a log lies: what keeps it from being written there, and whole copies of it elsewhere.

SQLite opens a log with WAL only where it can write beside it. With `immutable=1` it would, and
silently leave out what still stands in the journal (https://www.sqlite.org/wal.html, "Read-Only
Databases"). So both are copied to where it can, and there it brings the journal in.
"""

import contextlib
import fcntl
import os
import shutil
import sqlite3
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from itertools import count
from pathlib import Path
from typing import Final

from companion.files import PRIVATE, begin_private, scratch_folder, scratch_places
from companion.language.message import say
from companion.session.spare import journal_of, spare_of

_SHARED_LOCK: Final = (510, 0x40000002)
"""The bytes that SQLite locks while a file is in use: how many, and from where on."""
_NAME_BYTES: Final = 6
_LAST: Final = "SELECT session, seq, sum FROM tail"
_SAME: Final = (
    "SELECT sum FROM entry WHERE session = ?1 AND seq = ?2"
    " UNION ALL SELECT sum FROM session WHERE id = ?1 AND ?2 = 0"
)


class CannotCopy(OSError):
    """A log that cannot be written where it lies cannot be copied elsewhere either; one line."""


def obstacle(log: Path) -> str:
    """Return why *log*, there or not, cannot be written where it lies, "" if nothing is known."""
    folder = log.parent
    with contextlib.suppress(OSError):
        there = next(each for each in log.absolute().parents if each.exists())
        if os.statvfs(there).f_flag & os.ST_RDONLY:
            return say("its disk is read-only")
    if os.path.lexists(folder) and not os.access(folder, os.W_OK | os.X_OK):
        return say("this user may not write in {folder}", folder=folder)
    for part in (log, journal_of(log)):
        if os.path.lexists(part) and not os.access(part, os.R_OK | os.W_OK):
            return say("this user may not write to {file}", file=part)
    return ""


def is_in_use(log: Path) -> bool:
    """Return whether another process has *log* open; raises OSError.

    Not for a process that has it open itself: closing the file here lets go of SQLite's lock.
    """
    with log.open("rb") as file:
        try:
            fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB, *_SHARED_LOCK)
        except (BlockingIOError, PermissionError):
            return True
    return False


def copy_log(log: Path, folder: Path) -> Path:
    """Copy *log*, which nobody writes, its journal and its spare into *folder*; return the copy.

    Raises OSError.
    """
    # The log last: without it the copy counts for nothing.
    for part in (spare_of(log), journal_of(log), log):
        with contextlib.suppress(FileNotFoundError):
            _copy_file(part, folder / part.name)
    return folder / log.name


def stand_in(log: Path, lasting: Iterable[Path]) -> Path:
    """Return a copy of *log* and of all that is kept beside it, to play on in where it can be.

    One that was begun before, and only goes on from where *log* ends, is taken up.
    lasting: folders that are still there when the machine was switched off; tried first.
    Raises CannotCopy.
    """
    name = blake2b(os.fsencode(log.absolute()), digest_size=_NAME_BYTES).hexdigest()
    reasons = []
    for place in (*lasting, *scratch_places()):
        for number in count(1):
            folder = place / f"tiki-{os.geteuid()}-{name}-{number}"
            try:
                copy = _begun(folder, log) or _begin(folder, log)
            except OSError as error:
                reasons.append(f"{place}: {error.strerror or error}")
                break
            if copy is not None:
                return copy
    raise CannotCopy(f"there is no room for a copy to play on in ({'; '.join(reasons)})")


def _begun(folder: Path, log: Path) -> Path | None:
    """Return the copy in *folder* if that goes on from where *log* ends; raises OSError."""
    copy = folder / log.name
    return copy if _is_own(folder) and copy.exists() and _goes_on(copy, log) else None


def _begin(folder: Path, log: Path) -> Path | None:
    """Return a new copy in *folder*, None if there is another one already; raises OSError."""
    if os.path.lexists(folder) and (not _is_own(folder) or (folder / log.name).exists()):
        return None
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for beside in log.parent.glob(f"{log.stem}.*"):
        is_log = beside.name.startswith(log.name)
        if beside.is_file() and not is_log and os.access(beside, os.R_OK):
            _copy_file(beside, folder / beside.name)
    return copy_log(log, folder)


def _is_own(folder: Path) -> bool:
    """Return whether *folder* is this user's alone: names in /tmp are for everybody to take."""
    try:
        found = folder.lstat()
    except FileNotFoundError:
        return False
    return folder.is_dir() and not folder.is_symlink() and found.st_uid == os.geteuid()


def _goes_on(copy: Path, log: Path) -> bool:
    """Return whether all that *log* has is in *copy*, by the checksums of every session's end."""
    with _scratch(log) as whole, contextlib.ExitStack() as opened:
        old, new = (
            opened.enter_context(contextlib.closing(sqlite3.connect(path)))
            for path in (whole, copy)
        )
        try:
            ends = old.execute(_LAST).fetchall()
            return all(
                (known,) in new.execute(_SAME, (number, seq)).fetchall()
                for number, seq, known in ends
            )
        except sqlite3.Error:  # in use or damaged: whoever opens it is told
            return True


@contextlib.contextmanager
def _scratch(log: Path) -> Iterator[Path]:
    with scratch_folder("log") as folder:
        yield copy_log(log, folder)


def _copy_file(source: Path, target: Path) -> None:
    draft = target.with_name(f"{target.name}.part")
    begin_private(draft)
    with source.open("rb") as file, draft.open("wb") as written:
        shutil.copyfileobj(file, written)
        written.flush()
        os.fsync(written.fileno())
    draft.chmod(PRIVATE)
    draft.replace(target)
