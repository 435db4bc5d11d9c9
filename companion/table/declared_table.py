"""A table that a game declares: corner tiles, a printed board, and places on it; all in mm."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from companion.registry import GAMES, TILES
from companion.table.readers import ReaderSetup
from vision.geometry.session_values import BadLayout

MARKER_MM: Final = 40.0
TILE_MM: Final = 50.0
"""The sides of a printed marker and of its tile."""
Extent: TypeAlias = tuple[float, float, float, float]
"""A place: the middle, x and y, and the width and the depth that its pieces need."""


class DeclaredTable(ReaderSetup):
    """The set-up of a game that says where its places lie, x to the right, y to the near player.

    game: its name.
    mat_mm: from the middle of the top left tile, which is the origin, to that of the top right one,
        and down to that of the bottom left one.
    board: left, top, right and bottom edge of the printed board.  floor_mm: how high its top lies.
    """

    game: str
    mat_mm: tuple[float, float]
    board: tuple[float, float, float, float]
    floor_mm: float = 0.0

    def __init__(self) -> None:
        """Refuse a place that is not all on the board: raises BadLayout, in one line."""
        left, top, right, bottom = self.board
        for number, (x, y, wide, deep) in enumerate(self.extents(), start=1):
            if min(x - left, right - x) < wide / 2 or min(y - top, bottom - y) < deep / 2:
                where = f"{wide:g} x {deep:g} mm around {x:g}, {y:g}"
                raise BadLayout(f"{self.game}: place {number}, {where}, is not all on the board")

    @abstractmethod
    def places(self) -> dict[str, Any]:
        """Return the places and the pieces, as the layout in a session.json has them."""

    @abstractmethod
    def extents(self) -> list[Extent]:
        """Return where the pieces of each place lie, in the order of `Game.shown`."""

    def declared_table(self) -> Mapping[str, Any]:
        """Return how the table is laid out, as a session.json says it."""
        first = TILES * GAMES[self.game].mat
        width, height = self.mat_mm
        return {
            "mat": {
                "width": width,
                "height": height,
                "marker_ids": list(range(first, first + TILES)),
                "marker_mm": MARKER_MM,
                "tile_mm": TILE_MM,
            },
            "layout": {**self.places(), "floor_z": self.floor_mm, "board": list(self.board)},
        }
