"""The reader of TacTiki: stacks on a field, their colours learned as they stand at the start."""

from collections.abc import Mapping
from typing import Any, Final

from companion.language.message import say
from companion.rules import tactiki
from companion.table.readers import Description, Reader, ReaderSetup, Slants, usual_table
from companion.table.table_plan import TablePlan, around, rectangle
from vision.capture.frame import Frame
from vision.columns.grid import StackLayout, cells_of, parse_stacks, table_of
from vision.columns.stack_reader import StackReader

FIELD_MM: Final = 52.0
"""Side of a field as it is drawn: the printed ones touch at 60."""


def _layout(description: Description) -> StackLayout:
    return parse_stacks(description or usual_table(tactiki.NAME))


def open_reader(description: Description) -> Reader:
    """Return a reader of the table that *description* lays out; raises BadLayout."""
    return StackReader(_layout(description))


def check(frame: Frame, truth: Mapping[str, Any], description: Description = None, /) -> str | None:
    """Return why *frame* cannot be a picture of the stacks in *truth*, None if it may be one."""
    return StackReader(_layout(description)).check(frame, truth)


def plan(description: Description) -> TablePlan:
    """Return the board and its fields."""
    layout = _layout(description)
    fields = tuple(around(x, y, FIELD_MM, FIELD_MM, layout.floor_z) for x, y in layout.cells)
    return TablePlan(rectangle(layout.edges, layout.floor_z), say("of the board"), fields)


READER_SETUP: Final = ReaderSetup(
    open_reader,
    check=check,
    calibration_truth=cells_of,
    table_of=table_of,
    class_words=str.upper,
    plan=plan,
    slants=Slants(best=(10, 30)),
)
