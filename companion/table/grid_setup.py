"""The set-up of a game with figures on 5 x 5 fields: read by `vision.columns`."""

from collections.abc import Mapping
from typing import Any, Final

from companion.language.message import say
from companion.table.declared_table import DeclaredTable
from companion.table.readers import Description, ReaderSetup, Slants, usual_table
from companion.table.table_plan import TablePlan, around, rectangle
from vision.capture.frame import Frame
from vision.columns.grid import CELLS_PER_SIDE, StackLayout, cells_of, parse_stacks, table_of
from vision.columns.stack_reader import StackReader

FIELD_SHARE: Final = 52.0 / 60.0
"""Side of a field as it is drawn, of the distance of two: the printed ones touch."""


class GridSetup(ReaderSetup):
    """How fields are read on which figures stand, one or several on each other.

    game: its name.  colours: of its pieces, as `Game.shown` has them: "yellow 2" are two pieces,
    the upper one yellow.  The start of the game shows each on top of some field, and is learned.
    """

    game: str
    colours: tuple[str, ...]
    slants = Slants(best=(10, 30))

    calibration_truth = staticmethod(cells_of)
    table_of = staticmethod(table_of)

    def layout(self, description: Description) -> StackLayout:
        """Return where everything lies; raises BadLayout."""
        return parse_stacks(description or usual_table(self.game), self.colours)

    def open_reader(self, description: Description) -> StackReader:
        """Return a reader of the fields; raises BadLayout."""
        return StackReader(self.layout(description))

    def check(
        self, frame: Frame, truth: Mapping[str, Any], description: Description = None, /
    ) -> str | None:
        """Return why *frame* cannot be a picture of the stacks in *truth*."""
        return self.open_reader(description).check(frame, truth)

    def plan(self, description: Description) -> TablePlan:
        """Return the board and its fields."""
        layout = self.layout(description)
        side = FIELD_SHARE * (layout.cells[1][0] - layout.cells[0][0])
        fields = tuple(around(x, y, side, side, layout.floor_z) for x, y in layout.cells)
        return TablePlan(rectangle(layout.edges, layout.floor_z), say("of the board"), fields)


class DeclaredGrid(DeclaredTable, GridSetup):
    """A grid that the game declares.

    first_mm: the middle of the top left field.  field_mm: from there to the next one's.
    figure_mm: width and height of a piece, and how much higher one on top of another stands.
    """

    first_mm: tuple[float, float]
    field_mm: float
    figure_mm: tuple[float, float, float]

    def places(self) -> dict[str, Any]:
        """Return the fields and the figure."""
        (left, top), step = self.first_mm, self.field_mm
        width, height, pitch = self.figure_mm
        side = range(CELLS_PER_SIDE)
        cells = [[{"x": left + c * step, "y": top + r * step} for c in side] for r in side]
        figure = {"width": width, "height": height, "stack_pitch": pitch}
        return {"cells": cells, "figure": figure}
