"""Recovery: a log checked without playing on, and a damaged one written anew."""

import contextlib
import sqlite3
from pathlib import Path

from companion.session.log_errors import LogError, is_there, remedy_for
from companion.session.log_file import LogFile
from companion.session.log_place import is_in_use
from companion.session.salvage import Salvage, salvage
from companion.session.schema import Extent, add_entry, add_session


def check(path: Path) -> Extent:
    """Return how much the log at *path* holds, if it is undamaged; it is only read.

    Raises LogError.
    """
    if not is_there(path):
        raise LogError(f"there is no {path}; name the log that is to be checked")
    file = LogFile(str(path), is_changed=False)
    file.close()
    return file.extent


def recover(path: Path, new: Path) -> Salvage:
    """Write what can be read of the log at *path* to *new* and return it; *path* stays as it is.

    Raises LogError; then there is no *new*.
    """
    if is_there(new):
        raise LogError(f"{new} exists already; name a new file")
    try:
        if is_in_use(path):
            raise LogError(f"{path} is in use by another tiki; stop that one first")
        found = salvage(path)
    except OSError as error:
        if isinstance(error, LogError):
            raise
        raise LogError(f"{path} cannot be read: {error.strerror}{remedy_for(error)}") from None
    if not found.sessions:
        raise LogError(f"no game can be read in {path}; is it a game log?")
    file = LogFile(str(new))
    try:
        file.write(lambda db: _add(db, found))
        file.commit()
    except BaseException:
        file.close()
        with contextlib.suppress(OSError):
            new.unlink(missing_ok=True)
        raise
    file.close()
    return found


def _add(db: sqlite3.Connection, found: Salvage) -> None:
    for each in found.sessions:
        add_session(db, each.opened_at, each.header, each.number)
        for entry in each.entries:
            add_entry(db, each.number, entry.seq, entry.at, entry.kind, entry.body)
