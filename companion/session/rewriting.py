"""A log written anew: the only way to take something out of it, or to change a header."""

import contextlib
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from companion.files import sync_folder
from companion.session.log_errors import LogError
from companion.session.log_file import LogFile
from companion.session.schema import add_entries, add_session
from companion.session.spare import journal_of

HeaderOf: TypeAlias = Callable[[int, str], str | None]
"""Returns the header that a session gets, by its number and the text of its present one; None
leaves the session out."""


def copy_sessions(source: LogFile, target: LogFile, header_of: HeaderOf) -> None:
    """Write to the empty *target* what is in *source*, with other headers.

    Every session keeps its number, every entry its time.  Raises LogError.
    """

    def write(db: sqlite3.Connection) -> None:
        for number, at, text in source.read(
            "SELECT id, opened_at, header FROM session ORDER BY id"
        ):
            header = header_of(number, text)
            if header is not None:
                add_session(db, at, header, number)
                rows = source.read(
                    "SELECT seq, at, type, body FROM entry WHERE session = ? ORDER BY seq",
                    (number,),
                )
                add_entries(db, number, rows)

    target.write(write)
    target.commit()
    target.copy_journal()
    if target.behind:
        raise LogError(target.behind)


def replace_file(file: LogFile, header_of: HeaderOf) -> None:
    """Put a file with other headers in the place of *file*, which is closed then.

    Raises LogError, and the file is as it was.
    """
    path = Path(file.path)
    draft = path.with_name(f"{path.name}.part")
    try:
        draft.unlink(missing_ok=True)
        _write(file, draft, header_of)
        file.close()  # it takes care of a log that is replaced while it is open
        draft.replace(path)
        sync_folder(path.parent)
    except (OSError, sqlite3.Error) as error:
        for left in (draft, journal_of(draft)):
            with contextlib.suppress(OSError):
                left.unlink(missing_ok=True)
        if isinstance(error, LogError):
            raise
        reason = getattr(error, "strerror", None) or error
        raise LogError(f"{path} is as it was: {reason}; free some space on its disk") from None


def _write(file: LogFile, draft: Path, header_of: HeaderOf) -> None:
    rest = LogFile(str(draft))
    try:
        copy_sessions(file, rest, header_of)
    finally:
        rest.close()
    with draft.open("rb") as written:
        os.fsync(written.fileno())
