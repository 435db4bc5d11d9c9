"""The reader of Topple: stacks of discs on a balance board, read from the empty board on."""

from typing import Final

from companion.language.message import say
from companion.rules import topple
from companion.rules.topple.board import colour_words
from companion.table.columns_setup import DISC_SLANTS, ColumnsSetup
from companion.table.readers import Description, usual_table
from companion.table.table_plan import OwnBoard, TablePlan, disc, rectangle
from vision.columns.grid import TowerLayout, parse_tower
from vision.columns.tower_reader import TowerReader
from vision.geometry.layout import BareRig


class ToppleSetup(ColumnsSetup):
    """How Topple is read."""

    slants = DISC_SLANTS

    class_words = staticmethod(colour_words)

    def open_reader(self, description: Description) -> TowerReader:
        """Return a reader of the table that *description* lays out; raises BadLayout."""
        return TowerReader(_layout(description))

    def plan(self, description: Description) -> TablePlan:
        """Return the balance board, level in the middle of the table, and its places."""
        layout = _layout(description)
        mat, board = layout.mat, layout.board
        left, top = (mat.width - board.width) / 2, (mat.height - board.height) / 2
        low, high = layout.edges[0], layout.edges[2]
        edges = (left + low, top + low, left + high, top + high)
        radius, z_mm = layout.figure.radius, layout.top_z
        return TablePlan(
            rectangle(edges, z_mm),
            say("of the balance board, empty and level"),
            tuple(disc(left + x, top + y, radius, z_mm) for x, y in layout.cells),
            own=OwnBoard(
                BareRig(board, layout.hfov_deg),
                rectangle(layout.edges),
                tuple(disc(x, y, radius) for x, y in layout.cells),
            ),
        )


def _layout(description: Description) -> TowerLayout:
    return parse_tower(description or usual_table(topple.NAME))


READER_SETUP: Final = ToppleSetup()
