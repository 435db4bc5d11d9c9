"""A copy of a log that is being written: as a power cut at one instant would leave it.

The daemon holds its log for itself, so no other process can open it with SQLite. But all of it may
be read. Where two readings, one after the other, find the same bytes, nothing was written from the
end of the first to the start of the second: that is how the file was at one instant. SQLite brings
in what stands in the journal alone, and every checksum is verified.
"""

import contextlib
import hashlib
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from companion.files import begin_private, copy_summed
from companion.session.log_errors import LogError
from companion.session.recovery import check
from companion.session.schema import Extent
from companion.session.spare import journal_of, spare_of

ATTEMPTS: Final = 40
PAUSE_S: Final = 0.1
"""A tap is written within some milliseconds, so that one of so many attempts falls between two."""


def take_snapshot(
    log: Path, target: Path, pause: Callable[[], None] = lambda: time.sleep(PAUSE_S)
) -> Extent:
    """Copy the log at *log* to *target*, verified, as one file without a journal.

    Returns how much it holds.  Raises LogError, which names *log*, or OSError.
    Not for a process that has the log open: closing the file here would let go of SQLite's lock.
    """
    if not log.exists():
        raise LogError(f"there is no {log}; name the saved games with --log or --config")
    for _ in range(ATTEMPTS):
        if _copy(log, target) == _sums(log):
            break
        pause()
    else:
        raise LogError(f"{log} is written all the time; try again in a moment")
    try:
        extent = check(target)
        with contextlib.closing(sqlite3.connect(target, isolation_level=None)) as db:
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        spare_of(target).unlink(missing_ok=True)
    except LogError as error:
        raise LogError(str(error).replace(str(target), str(log))) from None
    except sqlite3.Error as error:
        raise LogError(f"{log} cannot be copied: {error}; try again in a moment") from None
    return extent


def _parts(log: Path) -> tuple[Path, ...]:
    return log, journal_of(log), spare_of(log)


def _copy(log: Path, target: Path) -> list[str]:
    """Copy log, journal and spare; return the sums of what was read, "" for no file."""
    sums = []
    for source, copy in zip(_parts(log), _parts(target), strict=True):
        begin_private(copy)
        try:
            with source.open("rb") as file, copy.open("wb") as written:
                _, digest = copy_summed(file, written)
        except FileNotFoundError:
            copy.unlink()
            digest = ""
        sums.append(digest)
    return sums


def _sums(log: Path) -> list[str]:
    sums = []
    for source in _parts(log):
        try:
            with source.open("rb") as file:
                sums.append(hashlib.file_digest(file, "sha256").hexdigest())
        except FileNotFoundError:
            sums.append("")
    return sums
