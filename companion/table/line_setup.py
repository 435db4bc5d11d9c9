"""The set-up of a game whose pieces, all different, stand in one line: read by `vision.line`."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from companion.language.message import say
from companion.referee.game import EMPTY, Table
from companion.table.declared_table import DeclaredTable, Extent
from companion.table.readers import Description, ReaderSetup, usual_table
from companion.table.table_plan import TablePlan, around, rectangle
from vision.geometry.layout import Layout, Piece, Slot, parse_layout
from vision.line.reader import LineReader
from vision.observation import Observation


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


class DeclaredLine(DeclaredTable, LineSetup):
    """A line that the game declares; the first picture that it learns shows all the pieces.

    slots: from the far end of the line to the near one, as many as *pieces*.  piece: its size.
    """

    slots: tuple[Slot, ...]
    piece: Piece

    def calibration_truth(self, table: Table) -> Mapping[str, Any] | None:
        """Return the line in *table*, None unless all the pieces stand in it."""
        return self.known_truth(table) if sorted(map(str, table)) == sorted(self.pieces) else None

    def places(self) -> dict[str, Any]:
        """Return the slots and the piece."""
        return {"slots": list(map(asdict, self.slots)), "piece": asdict(self.piece)}

    def extents(self) -> list[Extent]:
        """Return the slots."""
        return [(slot.x, slot.y, slot.w, slot.h) for slot in self.slots]
