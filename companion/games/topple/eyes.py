"""The eyes of Topple: stacks of discs on a balance board, read after a known picture."""

from typing import Final

from companion.eyes import Description, Eyes, Reader
from vision.grid import parse_tower
from vision.tower import TowerReader


def open_reader(description: Description) -> Reader:
    """Return a reader of the table that *description* lays out; raises BadLayout."""
    return TowerReader(parse_tower(description or {}))


EYES: Final = Eyes(open_reader)
