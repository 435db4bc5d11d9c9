"""The set-up of a game whose pieces, all different, stand in one line: read by `vision.line`."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from companion.language.message import say
from companion.referee.game import EMPTY, Table
from companion.registry import GAMES, TILES
from companion.table.readers import Description, ReaderSetup, usual_table
from companion.table.table_plan import TablePlan, around, rectangle
from vision.geometry.layout import Layout, Piece, Slot, parse_layout
from vision.line.reader import LineReader
from vision.observation import Observation

MARKER_MM, TILE_MM = 40.0, 50.0
"""The sides of a printed marker and of its tile."""
USUAL_HFOV_DEG = 66.0
"""The horizontal field of view of a Raspberry Pi camera module 3."""


class LineSetup(ReaderSetup):
    """How a line is read that closes up, without gaps, from its first place on.

    game: its name.  pieces: the names of all its pieces, as `Game.shown` has them.
    """

    game: str
    pieces: tuple[str, ...]

    def layout(self, description: Description) -> Layout:
        """Return where everything lies; raises BadLayout."""
        return parse_layout(description or usual_table(self.game), self.pieces)

    def open_reader(self, description: Description) -> LineReader:
        """Return a reader of the line; raises BadLayout."""
        return LineReader(self.layout(description))

    def known_truth(self, table: Table) -> Mapping[str, Any] | None:
        """Return the line in *table*, None if it is not known."""
        if not table or None in table or table[0] == EMPTY:
            return None
        return {"line": [piece for piece in table if piece != EMPTY]}

    def table_of(self, truth: Mapping[str, Any]) -> Table:
        """Return what lies in the slots if a picture shows the line of *truth*."""
        line = truth["line"]
        return (*line, *(EMPTY,) * (len(self.pieces) - len(line)))

    def shows(self, observation: Observation, truth: Mapping[str, Any]) -> bool:
        """Return whether the very line that was learned is read again."""
        reading = observation.reading
        return reading is not None and reading["line"] == list(truth["line"])

    def plan(self, description: Description) -> TablePlan:
        """Return the board and the slots of the line."""
        layout = self.layout(description)
        slots = tuple(around(s.x, s.y, s.w, s.h, layout.floor_z) for s in layout.slots)
        return TablePlan(rectangle(layout.board), say("of the printed board"), slots)


class DeclaredLine(LineSetup):
    """A line on a table that the game declares, in mm from the middle of the top left tile.

    mat_mm: from there to the top right tile's middle, and down to the bottom left one's.
    slots: from the far end of the line to the near one, as many as *pieces*.  piece: its size.
    board: left, top, right and bottom edge of the printed board.  floor_mm: how high its top lies.

    The first picture that it learns shows all the pieces.
    """

    mat_mm: tuple[float, float] = (420.0, 300.0)
    slots: tuple[Slot, ...]
    piece: Piece
    board: tuple[float, float, float, float]
    floor_mm: float = 0.0

    def calibration_truth(self, table: Table) -> Mapping[str, Any] | None:
        """Return the line in *table*, None unless all the pieces stand in it."""
        return self.known_truth(table) if sorted(map(str, table)) == sorted(self.pieces) else None

    def declared_table(self) -> Mapping[str, Any]:
        """Return how the table is laid out, as a session.json says it."""
        first = TILES * GAMES[self.game].mat
        return {
            "mat": {
                "width": self.mat_mm[0],
                "height": self.mat_mm[1],
                "marker_ids": list(range(first, first + TILES)),
                "marker_mm": MARKER_MM,
                "tile_mm": TILE_MM,
            },
            "image": {"hfov_deg": USUAL_HFOV_DEG},
            "layout": {
                "slots": [asdict(slot) for slot in self.slots],
                "piece": asdict(self.piece),
                "floor_z": self.floor_mm,
                "board": list(self.board),
            },
        }
