"""Disks on which nothing more can be written, for the log of a test."""

import contextlib
import resource
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from companion.referee.live_session import LiveSession
from companion.rules.tiki_topple import TIKIS
from companion.scoreboard import read_scoreboard
from companion.session.log import Log
from companion.session.log_errors import CannotWrite
from companion.session.log_file import LogFile

FULL = "the disk is full"
LINES: Final = (
    ("lokahi", "hookipa", *TIKIS[2:]),
    ("lokahi", "nani", "hookipa", *TIKIS[3:]),
    ("lokahi", "nani", "hookipa", "akamai", "wikiwiki", *TIKIS[5:]),
)
PLAYED: Final = [(0, "up1 lokahi"), (1, "up1 nani"), (2, "up1 akamai")]


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Log]:
    """Return a log on disk."""
    with Log(tmp_path / "games.db") as log:
        yield log


def waiting(live_session: LiveSession) -> tuple[str, str]:
    """Return what pages, display and voice say is waited for."""
    board = read_scoreboard(live_session)
    return board.waiting, board.waiting_for


@contextlib.contextmanager
def full_disk(log: Log) -> Iterator[None]:
    """Let *log* have no page more than it has now; SQLite itself then says that the disk is full.

    What still fits into its pages can be written.
    """
    (pages,) = log._file.db.execute("PRAGMA page_count").fetchone()
    log._file.db.execute(f"PRAGMA max_page_count={pages}")
    try:
        yield
    finally:
        log._file.db.execute("PRAGMA max_page_count=1000000")


@contextlib.contextmanager
def read_only(log: Log) -> Iterator[None]:
    """Let *log* refuse every write."""
    log._file.db.execute("PRAGMA query_only=1")
    try:
        yield
    finally:
        log._file.db.execute("PRAGMA query_only=0")


def limit_files(process: int, most_bytes: int) -> None:
    """Let no file of *process* grow beyond *most_bytes*: a full disk, without being root."""
    resource.prlimit(process, resource.RLIMIT_FSIZE, (most_bytes, resource.RLIM_INFINITY))


class FailingWrite:
    """Lets write number *at*, from 1, fail in every log while it is in use; *count*: of writes."""

    def __init__(self, at: int) -> None:
        self.at = at
        self.count = 0

    def __enter__(self) -> "FailingWrite":
        self._patch = pytest.MonkeyPatch()
        write = LogFile.write

        def failing(file: LogFile, change: Callable[[Any], Any]) -> Any:
            self.count += 1
            if self.count == self.at:
                raise CannotWrite(FULL)
            return write(file, change)

        self._patch.setattr(LogFile, "write", failing)
        return self

    def __exit__(self, *_: object) -> None:
        self._patch.undo()
