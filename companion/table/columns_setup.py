"""The set-up of a game whose pieces are stacked in columns: read by `vision.columns`."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, Final

from companion.referee.game import Table
from companion.table.readers import Description, ReaderSetup, Slants
from vision.capture.frame import Frame
from vision.columns.board_reader import BoardReader
from vision.columns.grid import Grid, cells_of, table_of

DISC_SLANTS: Final = Slants(best=(25, 35), least=18)
"""From lower down 19 of 322 boards of Topple were read; from there on whole games are followed."""


class ColumnsSetup(ReaderSetup):
    """How columns are read, whatever they stand on.

    rows: in how many rows a truth has their cells.
    """

    rows: int = Grid.rows
    px_per_mm = 1.2  # with 1.0 discs lose 74 of 82 moves, figures 6 of 51

    table_of = staticmethod(table_of)

    @abstractmethod
    def open_reader(self, description: Description) -> BoardReader:
        """Return a reader of the columns; raises BadLayout."""

    def calibration_truth(self, table: Table) -> Mapping[str, Any] | None:
        """Return the columns of *table*, None if a cell is not known."""
        return cells_of(table, self.rows)

    def weigh(
        self, frame: Frame, truth: Mapping[str, Any], description: Description, /
    ) -> float | None:
        """Return the log likelihood of the columns of *truth*."""
        return self.open_reader(description).weigh(frame, truth)

    def check(
        self, frame: Frame, truth: Mapping[str, Any], description: Description = None, /
    ) -> str | None:
        """Return why *frame* cannot be a picture of the columns in *truth*."""
        return self.open_reader(description).check(frame, truth)
