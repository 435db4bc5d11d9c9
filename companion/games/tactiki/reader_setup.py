"""The reader of TacTiki: stacks on a field, their colours learned as they stand at the start."""

from collections.abc import Mapping
from typing import Any, Final

from companion.rules import tactiki
from companion.watching.readers import Description, Reader, ReaderSetup, usual_table
from vision.capture.frame import Frame
from vision.columns.grid import cells_of, parse_stacks
from vision.columns.stack_reader import StackReader


def open_reader(description: Description) -> Reader:
    """Return a reader of the table that *description* lays out; raises BadLayout."""
    return StackReader(parse_stacks(description or usual_table(tactiki.NAME)))


def check(frame: Frame, truth: Mapping[str, Any]) -> str | None:
    """Return why *frame* cannot be a picture of the stacks in *truth*, None if it may be one."""
    return StackReader(parse_stacks(usual_table(tactiki.NAME))).check(frame, truth)


READER_SETUP: Final = ReaderSetup(open_reader, check=check, calibration_truth=cells_of)
