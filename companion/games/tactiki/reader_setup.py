"""The reader of TacTiki: stacks on a field, their colours learned as they stand at the start."""

from collections.abc import Mapping
from typing import Any, Final

from companion.language.message import say
from companion.rules import tactiki
from companion.table.readers import Description, ReaderSetup, Slants, usual_table
from companion.table.table_plan import TablePlan, around, rectangle
from vision.capture.frame import Frame
from vision.columns.grid import StackLayout, cells_of, parse_stacks, table_of
from vision.columns.stack_reader import StackReader

FIELD_MM: Final = 52.0
"""Side of a field as it is drawn: the printed ones touch at 60."""


class TacTikiSetup(ReaderSetup):
    """How TacTiki is read."""

    slants = Slants(best=(10, 30))

    calibration_truth = staticmethod(cells_of)
    table_of = staticmethod(table_of)

    def open_reader(self, description: Description) -> StackReader:
        """Return a reader of the table that *description* lays out; raises BadLayout."""
        return StackReader(_layout(description))

    def check(
        self, frame: Frame, truth: Mapping[str, Any], description: Description = None, /
    ) -> str | None:
        """Return why *frame* cannot be a picture of the stacks in *truth*."""
        return self.open_reader(description).check(frame, truth)

    def class_words(self, name: str) -> str:
        """Return the name of a tribe."""
        return name.upper()

    def plan(self, description: Description) -> TablePlan:
        """Return the board and its fields."""
        layout = _layout(description)
        fields = tuple(around(x, y, FIELD_MM, FIELD_MM, layout.floor_z) for x, y in layout.cells)
        return TablePlan(rectangle(layout.edges, layout.floor_z), say("of the board"), fields)


def _layout(description: Description) -> StackLayout:
    return parse_stacks(description or usual_table(tactiki.NAME))


READER_SETUP: Final = TacTikiSetup()
