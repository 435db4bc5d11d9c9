"""The sets of films that a browser draws: what lies on a table, as snapshots of the virtual table.

What a snapshot is, `companion/apps/virtual/known_tables.py` says; layouts are those of the
instructions.
"""

from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, Final

from companion.apps.virtual.known_tables import KnownDiscs, open_table
from companion.table.readers import usual_table
from rendering.plot_cards import tell_piles, uno_face
from rendering.plots import Table
from rendering.prints import Random
from rendering.room import Spot
from rendering.scenes import Scene
from vision.geometry.layout import Mat, parse_mat

HELD_MM: Final = 8.0
"""So far below its fingers a hand holds a piece."""


class VirtualSet(ABC):
    """A table that is filmed; what nobody touches stays as it lies."""

    def __init__(self, random: Random, game: str) -> None:
        self._random = random
        self.table = usual_table(game)
        self.mat: Mat = parse_mat(self.table)
        self.known = open_table(self.table, random)

    @property
    def layout(self) -> dict[str, Any]:
        """The layout, as a session.json has it."""
        return dict(self.table["layout"])

    @property
    def kept(self) -> tuple[Spot, ...]:
        """Where nothing else may lie."""
        return self.edges()

    def dress(self, folder: Path) -> Scene:
        """Return nothing: the browser has its own prints."""
        del folder
        return {}

    def arrange(self, table: Table, seat: int | None) -> Scene:
        """Return the parts of a snapshot in which *table* is, as *seat* leaves it."""
        return self.known.lay(self.name(table), 90.0 * (seat or 0))

    def name(self, table: Table) -> Table:
        """Return *table* with what lies there as truth.jsonl calls it."""
        return table

    @abstractmethod
    def tell(self, table: Table, *, still: bool) -> dict[str, Any]:
        """Return the truth of *table*; not *still*: while a hand is there."""

    def call(self, name: str) -> Any:
        """Return what truth.jsonl calls a piece in a hand."""
        return name

    @abstractmethod
    def spots(self) -> dict[Any, Spot]:
        """Return where the places now are that a hand may hide, by their names in the truth."""

    def edges(self) -> tuple[Spot, ...]:
        """Return the areas at whose edges a hand may wait."""
        return tuple(self.spots().values())

    def hold(self, name: str, tip: tuple[float, float, float]) -> Scene:
        """Return a piece in a hand with its fingers at *tip*."""
        at, turn = (tip[0], tip[1], tip[2] - HELD_MM), float(self._random.normal(0, 20))
        lean = self._random.normal(0, 12, 2).tolist()
        return {"holds": self.known.make(self.face(name), at, turn, lean)}

    def face(self, name: str) -> Any:
        """Return what truth.jsonl calls the piece of the plot *name* as it lies there."""
        return name


class LineSet(VirtualSet):
    """Tikis in a line."""

    def tell(self, table: Table, *, still: bool) -> dict[str, Any]:
        """Return the truth of *table*."""
        line, slots = table["line"], len(self.layout["slots"])
        return {"line": line} if still else {"slots": [*line, *[None] * (slots - len(line))]}

    def spots(self) -> dict[Any, Spot]:
        """Return the slots by their numbers."""
        top = self.layout["floor_z"] + self.layout["piece"]["height"]
        return {
            at: Spot(slot["x"], slot["y"], slot["w"] / 2, slot["h"] / 2, top)
            for at, slot in enumerate(self.layout["slots"])
        }

    def edges(self) -> tuple[Spot, ...]:
        """Return the line as a whole."""
        first, *_, last = self.spots().values()
        half_h = (last.y - first.y) / 2 + first.half_h
        return (Spot(first.x, (first.y + last.y) / 2, first.half_w, half_h, first.z),)


class FigureSet(VirtualSet):
    """Figures in stacks on fields."""

    def tell(self, table: Table, *, still: bool) -> dict[str, Any]:
        """Return the truth of *table*; a hand changes nothing about what stands where."""
        del still
        return {"cells": table["cells"]}

    def spots(self) -> dict[Any, Spot]:
        """Return where the tops of all columns are, by row and column."""
        floor, figure = self.layout["floor_z"], self.layout["figure"]
        half = figure["width"] / 2
        found = {}
        for row in self.layout["cells"]:
            for cell in row:
                place = (cell["r"], cell["c"])
                z = floor + figure["stack_pitch"] * self.known.lies(place)
                found[place] = Spot(cell["x"], cell["y"], half, half, z)
        return found

    def edges(self) -> tuple[Spot, ...]:
        """Return the board."""
        left, top, right, bottom = self.layout["board"]
        half = ((right - left) / 2, (bottom - top) / 2)
        return (Spot((left + right) / 2, (top + bottom) / 2, *half, self.layout["floor_z"]),)


class DiscSet(VirtualSet):
    """Discs in towers on a balance board."""

    def tell(self, table: Table, *, still: bool) -> dict[str, Any]:
        """Return the truth of *table*; a hand changes nothing about what stands where."""
        del still
        assert isinstance(self.known, KnownDiscs)
        tilt_deg = round(self.known.tilt(table)[0], 2)
        return {"cells": table["cells"], "tilt_deg": tilt_deg, "toppled": False}

    def spots(self) -> dict[Any, Spot]:
        """Return where the tops of all towers are, by row and column."""
        balance, disc = self.layout["balance"], self.layout["disc"]
        half = disc["diameter"] / 2
        found = {}
        for row in balance["spots"]:
            for spot in row:
                place = (spot["r"], spot["c"])
                z = balance["top_height"] + disc["height"] * self.known.lies(place)
                x, y = balance["x"] + spot["x"], balance["y"] + spot["y"]
                found[place] = Spot(x, y, half, half, z)
        return found

    def edges(self) -> tuple[Spot, ...]:
        """Return the board."""
        balance, half = self.layout["balance"], self.layout["balance"]["size"] / 2
        return (Spot(balance["x"], balance["y"], half, half, balance["top_height"]),)


class PileSet(VirtualSet):
    """Piles of cards, with the goals above them."""

    def name(self, table: Table) -> Table:
        """Return *table* with its cards as truth.jsonl calls them."""
        return {**table, "piles": [[*map(self.face, pile)] for pile in table["piles"]]}

    def face(self, name: str) -> Any:
        """Return a card as truth.jsonl has it."""
        return {"color": name[:-1], "value": int(name[-1])}

    call = face

    def tell(self, table: Table, *, still: bool) -> dict[str, Any]:
        """Return the truth of *table*."""
        return {"piles": tell_piles(table)} if still else {}

    def spots(self) -> dict[Any, Spot]:
        """Return the piles by their numbers."""
        return {
            at: Spot(pile["x"], pile["y"], pile["w"] / 2, pile["h"] / 2, 4.0)
            for at, pile in enumerate(self.layout["piles"])
        }


class DiscardSet(VirtualSet):
    """A discard pile, a pile to draw from, and the idol, with a face that may be in it."""

    def name(self, table: Table) -> Table:
        """Return *table* with its cards as truth.jsonl calls them."""
        faces, name = [*map(uno_face, table["discard"])], table.get("idol")
        idol = {**uno_face(name), "face": name} if name else None
        return {**table, "discard": faces, "idol": idol}

    def face(self, name: str) -> Any:
        """Return a card as truth.jsonl has it."""
        return uno_face(name)

    def call(self, name: str) -> Any:
        """Return what truth.jsonl calls any card in a hand."""
        del name
        return "card"

    def tell(self, table: Table, *, still: bool) -> dict[str, Any]:
        """Return the truth of *table*."""
        if not still:
            return {}
        return {"discard": uno_face(table["discard"][-1]), "idol_deg": table["idol_deg"]}

    def spots(self) -> dict[Any, Spot]:
        """Return the discard pile and the idol."""
        at, card, idol = self.layout["discard"], self.layout["card"], self.layout["idol"]
        reach = 0.8 * idol["arm_reach"]
        return {
            "discard": Spot(at["x"], at["y"], card["w"] / 2, card["h"] / 2, 4.0),
            "idol": Spot(idol["x"], idol["y"], reach, reach, 30.0),
        }


SETS: Final[dict[str, type[VirtualSet]]] = {
    "tiki_topple": LineSet,
    "tactiki": FigureSet,
    "topple": DiscSet,
    "tippi_toppi": PileSet,
    "uno_tiki": DiscardSet,
}
