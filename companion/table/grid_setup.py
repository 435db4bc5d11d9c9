"""The set-up of a game with figures on 5 x 5 fields: read by `vision.columns`."""

from typing import Any, Final

from companion.language.message import say
from companion.table.columns_setup import ColumnsSetup
from companion.table.declared_table import DeclaredTable, Extent
from companion.table.readers import Description, Slants, usual_table
from companion.table.table_plan import TablePlan, around, rectangle
from vision.columns.grid import CELLS_PER_SIDE, StackLayout, in_rows, parse_stacks
from vision.columns.stack_reader import StackReader

FIELD_SHARE: Final = 52.0 / 60.0
"""Side of a field as it is drawn, of the distance of two: the printed ones touch."""


class GridSetup(ColumnsSetup):
    """How fields are read on which figures stand, one or several on each other.

    game: its name.  colours: of its pieces, as `Game.shown` has them: "yellow 2" are two pieces,
    the upper one yellow.  The start of the game shows each on top of some field, and is learned.
    """

    game: str
    colours: tuple[str, ...]
    slants = Slants(best=(10, 30))

    def layout(self, description: Description) -> StackLayout:
        """Return where everything lies; raises BadLayout."""
        return parse_stacks(description or usual_table(self.game), self.colours)

    def open_reader(self, description: Description) -> StackReader:
        """Return a reader of the fields; raises BadLayout."""
        return StackReader(self.layout(description))

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
        fields = [{"x": x, "y": y} for x, y, *_ in self.extents()]
        width, height, pitch = self.figure_mm
        return {
            "cells": in_rows(fields, CELLS_PER_SIDE),
            "figure": {"width": width, "height": height, "stack_pitch": pitch},
        }

    def extents(self) -> list[Extent]:
        """Return where a figure stands on each field, row by row."""
        (left, top), step, wide = self.first_mm, self.field_mm, self.figure_mm[0]
        side = range(CELLS_PER_SIDE)
        return [(left + c * step, top + r * step, wide, wide) for r in side for c in side]
