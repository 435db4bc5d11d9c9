"""What people are told when the log cannot be opened, read or written: one line each."""

import shlex
import sqlite3
from pathlib import Path
from textwrap import shorten
from typing import Final

from companion.session.log_place import obstacle

MEMORY: Final = ":memory:"
MAX_REASON_CHARS: Final = 120
ELSEWHERE: Final = "make that possible, or name a file on another disk with --log"


class LogError(OSError):
    """The log cannot be opened or written; says which file, why, and what to do."""


class LogInUse(LogError):
    """Another process has the log open."""


class CannotWrite(LogError):
    """The log cannot be written at present; it is worth another try."""


def write_error(path: str, error: Exception) -> CannotWrite:
    """Return in one line why the log at *path* could not be written, and what to do."""
    code = code_of(error)
    if code == sqlite3.SQLITE_FULL:
        return CannotWrite(f"{path}: the disk is full; free some space on it")
    if isinstance(error, sqlite3.Error) and code in (
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_NOTADB,
    ):
        quoted = shlex.quote(path)
        return CannotWrite(
            f"{path} was damaged while the companion ran ({in_one_line(str(error))});"
            f" stop it, then:"
            f" tiki log recover {quoted} NEW.db"
        )
    if path != MEMORY and (hindrance := obstacle(Path(path))):
        return CannotWrite(f"{path} cannot be written: {hindrance}; {ELSEWHERE}")
    reason = error.strerror if isinstance(error, OSError) and error.strerror else error
    return CannotWrite(f"{path}: {reason}; is the folder there, writable, and the disk not full?")


def is_there(path: Path) -> bool:
    """Return whether there is something at *path*; raises LogError if that cannot be seen."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise LogError(f"{path} cannot be read: {error.strerror}{remedy_for(error)}") from None
    return True


def remedy_for(error: OSError) -> str:
    """Return what to do when a log cannot be read, after a semicolon; "" if nothing is known."""
    if isinstance(error, PermissionError):
        return "; run this as the user whose file it is, or with sudo"
    return ""


def in_one_line(text: str) -> str:
    """Return *text*, which may quote what a damaged file has, fit for a line."""
    words = "".join(letter if letter.isprintable() else " " for letter in text).split()
    return shorten(" ".join(words), MAX_REASON_CHARS, placeholder=" ...")


def code_of(error: Exception) -> int:
    """Return SQLite's primary code of *error*."""
    return int(getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)) & 0xFF
