"""What an upgrade has to know of a table's settings and games; the system's Python runs it.

    python3 kept.py log CONFIG STATE      where games are saved
    python3 kept.py format LOG            the format of its saved games; nothing if it has none
    python3 kept.py answers CONFIG        whether the page answers, as status 0 or 1
    python3 kept.py copy FROM TO          copy saved games, checked; what is not ours is left

Errors are one line, with status 1.
"""

import contextlib
import sqlite3
import struct
import sys
import tomllib
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

PORT: Final = 8321
APPLICATION_ID: Final = 0x74696B69
"""As in companion/session/schema.py."""
EVERYWHERE: Final = ("0.0.0.0", "::", "")  # noqa: S104 - compared, not bound
ANSWER_LIMIT_S: Final = 5.0
HEADER: Final = struct.Struct(">60xI4xI28x")
"""SQLite's first 100 bytes: user_version and application_id (sqlite.org/fileformat2.html, 1.3)."""


class Unkept(Exception):
    """Something cannot be read, or cannot be copied; says what to do."""


def settings(config: Path) -> Mapping[str, Any]:
    """Return all settings of *config*; none if there is no such file.  Raises Unkept."""
    try:
        return tomllib.loads(config.read_text())
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeError, tomllib.TOMLDecodeError) as error:
        raise Unkept(f"{config} cannot be read ({error}); correct it, or move it away") from None


def setting(config: Path, section: str, key: str, usual: str) -> str:
    """Return one setting as text; raises Unkept."""
    found = settings(config).get(section, {})
    value = found.get(key, usual) if isinstance(found, Mapping) else usual
    return str(value) or usual


def log_of(config: Path, state: Path) -> Path:
    """Return where games are saved; raises Unkept."""
    return Path(setting(config, "log", "file", str(state / "games.db")))


def page_of(config: Path) -> str:
    """Return where the page can be asked on this machine; raises Unkept."""
    host, port = setting(config, "web", "host", ""), setting(config, "web", "port", str(PORT))
    if host in EVERYWHERE:
        host = "127.0.0.1"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def answers(url: str) -> bool:
    """Return whether the page at *url* tells the table's state."""
    try:
        with urllib.request.urlopen(f"{url}/api/state", timeout=ANSWER_LIMIT_S) as answer:  # noqa: S310 - http, see page_of
            return bool(answer.status == 200)
    except (OSError, ValueError):
        return False


def format_of(log: Path) -> int | None:
    """Return the format of the games in *log*, None if it has none; raises Unkept.

    It is read from the file, which may be in use: the daemon lets nobody else open it as SQLite.
    """
    try:
        with log.open("rb") as file:
            header = file.read(HEADER.size)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Unkept(f"{log} cannot be read ({error.strerror}); is it on a disk?") from None
    if len(header) < HEADER.size or not header.startswith(b"SQLite format 3\0"):
        return None
    number, mark = HEADER.unpack(header)
    return int(number) if mark == APPLICATION_ID else None


def copy(log: Path, target: Path) -> None:
    """Copy the games of *log* to *target* with SQLite's own backup, and check it; raises Unkept."""
    try:
        with (
            contextlib.closing(sqlite3.connect(f"{log.as_uri()}?mode=rw", uri=True)) as source,
            contextlib.closing(sqlite3.connect(target)) as copied,
        ):
            source.execute(
                "SELECT count(*) FROM entry"
            )  # while it is in use, backup waits for ever
            source.backup(copied)
            (verdict,) = copied.execute("PRAGMA integrity_check").fetchone()
            before, after = (
                db.execute("SELECT count(*) FROM entry").fetchone() for db in (source, copied)
            )
    except sqlite3.Error as error:
        raise Unkept(
            f"the games in {log} could not be copied ({error}); see: sudo tiki log check {log}"
        ) from None
    if verdict != "ok" or before != after:
        raise Unkept(f"the copy of {log} is not whole ({verdict}); is the disk full? Try: df -h")


def main(words: list[str]) -> int:
    """Do what *words* say and return the exit status."""
    try:
        match words:
            case ["log", config, state]:
                print(log_of(Path(config), Path(state)))
            case ["format", log]:
                found = format_of(Path(log))
                print("" if found is None else found)
            case ["answers", config]:
                return 0 if answers(page_of(Path(config))) else 1
            case ["copy", log, target]:
                copy(Path(log).absolute(), Path(target))
            case _:
                print(f"kept.py does not know '{' '.join(words)}'", file=sys.stderr)
                return 2
    except Unkept as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
