"""The set-up of a game with piles of flat discs at places of its own: read by `vision.columns`."""

from typing import Any

from companion.language.message import say
from companion.table.columns_setup import DISC_SLANTS, ColumnsSetup
from companion.table.declared_table import DeclaredTable, Extent
from companion.table.readers import Description, usual_table
from companion.table.table_plan import TablePlan, disc, rectangle
from vision.columns.grid import PlacesLayout, parse_places
from vision.columns.model import Model
from vision.columns.stack_reader import StackReader


class DeclaredPiles(DeclaredTable, ColumnsSetup):
    """Piles of flat discs that the game declares: at five places or more, anywhere on its board.

    colours: of the discs, as `Game.shown` has them: "pink 2" are two discs, the upper one pink.
        Those that do not lie on top at the start are learned as they first do.
    piles: the middles of the places, in the order of `shown`.
    disc_mm: diameter and height of a disc.
    """

    colours: tuple[str, ...]
    piles: tuple[tuple[float, float], ...]
    disc_mm: tuple[float, float]
    slants = DISC_SLANTS
    rows = PlacesLayout.rows

    def layout(self, description: Description) -> PlacesLayout:
        """Return where everything lies; raises BadLayout."""
        return parse_places(description or usual_table(self.game), self.colours)

    def open_reader(self, description: Description) -> StackReader:
        """Return a reader of the piles; raises BadLayout."""
        return StackReader(self.layout(description), Model.DISCS)

    def plan(self, description: Description) -> TablePlan:
        """Return the board and the places of its piles."""
        layout = self.layout(description)
        radius, z_mm = layout.figure.radius, layout.floor_z
        places = tuple(disc(x, y, radius, z_mm) for x, y in layout.cells)
        return TablePlan(rectangle(layout.edges, z_mm), say("of the board"), places)

    def places(self) -> dict[str, Any]:
        """Return the places and the disc."""
        diameter, height = self.disc_mm
        places = [{"x": x, "y": y} for x, y in self.piles]
        return {"places": places, "disc": {"diameter": diameter, "height": height}}

    def extents(self) -> list[Extent]:
        """Return where the discs of each pile lie."""
        return [(x, y, self.disc_mm[0], self.disc_mm[0]) for x, y in self.piles]
