"""The reader of Topple: stacks of discs on a balance board, read from the empty board on."""

from collections.abc import Mapping
from typing import Any, Final

from companion.rules import topple
from companion.watching.readers import Description, Reader, ReaderSetup, usual_table
from vision.capture.frame import Frame
from vision.columns.grid import cells_of, parse_tower
from vision.columns.tower_reader import TowerReader


def open_reader(description: Description) -> Reader:
    """Return a reader of the table that *description* lays out; raises BadLayout."""
    return TowerReader(parse_tower(description or usual_table(topple.NAME)))


def check(frame: Frame, truth: Mapping[str, Any]) -> str | None:
    """Return why *frame* cannot be a picture of the stacks in *truth*, None if it may be one."""
    return TowerReader(parse_tower(usual_table(topple.NAME))).check(frame, truth)


READER_SETUP: Final = ReaderSetup(open_reader, check=check, calibration_truth=cells_of)
