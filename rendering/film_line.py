"""The set of films with Tiki Topple's line. See `films.py`."""

from pathlib import Path
from typing import Any, Final

import numpy as np

from rendering.line_table import LineTable
from rendering.plots import Table
from rendering.prints import Random
from rendering.props import Thing
from rendering.room import Spot
from rendering.scenes import Scene
from vision.geometry.layout import TIKI_TOPPLE, Mat

STEM: Final = "set"
BESIDE: Final = Spot(20.0, 150.0, 42.0, 112.0, 0.0)
"""Where the tikis lie that were toasted, one below the other."""
APART_MM: Final = 36.0
ASTRAY_MM, ASKEW_DEG = 3.0, 12.0
"""How untidily they usually lie."""


class LineSet:
    """A line of tikis that is filmed; each lies as it does until it has to make room."""

    def __init__(self, random: Random) -> None:
        self._random, self._table = random, LineTable()
        self._looks: dict[str, Any] = {}
        self._board: list[Thing] = []
        self._lying: dict[str, tuple[int, Thing]] = {}

    @property
    def mat(self) -> Mat:
        """Its corner tiles."""
        return self._table.mat

    @property
    def kept(self) -> tuple[Spot, ...]:
        """Where nothing else may lie."""
        return (*self._table.kept, BESIDE)

    @property
    def layout(self) -> dict[str, Any]:
        """The layout, as a session.json has it."""
        return self._table.layout

    def dress(self, folder: Path) -> Scene:
        """Return nothing: board and tikis are things; their prints are drawn into *folder*."""
        self._looks = self._table.dress(self._random, folder, STEM)
        self._board = self._table.lay_board(self._random, self._looks)
        return {}

    def arrange(self, table: Table, seat: int | None) -> Scene:
        """Return the parts of a scene in which *table* is."""
        del seat  # a line looks alike, whoever has moved it
        line, lying = table["line"], {}
        gone = [name for name in TIKI_TOPPLE.names if name in table.get("toasted", ())]
        places = {name: at for at, name in enumerate(line) if name}
        places |= {name: -1 - table["toasted"].index(name) for name in gone}
        for name, place in places.items():
            before = self._lying.get(name)
            lying[name] = before if before and before[0] == place else self._lay(name, place)
        self._lying = {**self._lying, **lying}
        return {"cards": [*self._board, *(thing for _, thing in lying.values())]}

    def _lay(self, name: str, place: int) -> tuple[int, Thing]:
        """Put a tiki into a slot, or beside the board as number -1, -2 and so on."""
        if place >= 0:
            return place, self._table.lay_tiki(self._random, self._looks, name, place)
        dx, dy = np.clip(self._random.normal(0, ASTRAY_MM, 2), -5.0, 5.0)
        y = BESIDE.y - 2.5 * APART_MM + APART_MM * (-1 - place)
        turn = float(np.clip(self._random.normal(0, ASKEW_DEG), -20.0, 20.0))
        return place, self._table.tiki(self._looks, name, (BESIDE.x + dx, y + dy, 0.0), turn)

    def tell(self, table: Table, *, still: bool) -> dict[str, Any]:
        """Return the truth of *table*."""
        if still:
            return {"line": table["line"]}
        return {"slots": [*table["line"], *[None] * (len(TIKI_TOPPLE.slots) - len(table["line"]))]}

    def call(self, name: str) -> Any:
        """Return what truth.jsonl calls a tiki in a hand."""
        return name

    def spots(self) -> dict[Any, Spot]:
        """Return the slots by their numbers."""
        return dict(enumerate(self._table.spots))

    def edges(self) -> tuple[Spot, ...]:
        """Return the line as a whole."""
        first, last = self._table.spots[0], self._table.spots[-1]
        half_h = (last.y - first.y) / 2 + first.half_h
        return (Spot(first.x, (first.y + last.y) / 2, first.half_w, half_h, first.z),)

    def hold(self, name: str, tip: tuple[float, float, float]) -> Scene:
        """Return a tiki in a hand."""
        return {"things": [self._table.hold_tiki(self._looks, name, tip)]}
