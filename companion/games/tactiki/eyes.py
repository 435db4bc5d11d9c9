"""The eyes of TacTiki: a field of stacked figures, read after a known picture."""

from typing import Final

from companion.eyes import Description, Eyes, Reader
from vision.grid import parse_stacks
from vision.stacks import StackReader


def open_reader(description: Description) -> Reader:
    """Return a reader of the table that *description* lays out; raises BadLayout."""
    return StackReader(parse_stacks(description or {}))


EYES: Final = Eyes(open_reader)
