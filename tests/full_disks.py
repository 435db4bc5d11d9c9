"""Disks on which nothing more can be written, for the log of a test."""

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from companion.session.log import Log
from companion.session.log_file import CannotWrite, LogFile

FULL = "the disk is full"


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
