"""The sets of films that a browser draws: what lies on a table, as snapshots of the virtual table.

A snapshot is what `companion/apps/virtual` draws: pieces in mm of the table's frame (x right, y
down, z up), each as a careful hand has left it. Layouts are those of the instructions.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np

from companion.table.readers import usual_table
from rendering.film_sets import Lying, keep_lying
from rendering.plot_cards import tell_piles, uno_face
from rendering.plot_columns import TRIBES, lean_of
from rendering.plots import Table
from rendering.prints import Random
from rendering.room import Spot
from rendering.scenes import Scene
from vision.geometry.layout import Mat, parse_mat

Piece: TypeAlias = dict[str, Any]
Lay: TypeAlias = Callable[[Lying, str], Piece]

CARD_MM: Final = 0.4
HELD_MM: Final = 8.0
"""So far below its fingers a hand holds a piece."""
ASIDE_MM, APART_MM = 24.0, 31.0
"""How far beyond the tiles' middles defeated figures stand in a row, and from one another."""
GONE: Final = (20.0, 60.0, 36.0)
"""Where tikis lie that were toasted: x and y of the first, and how far the next is from it."""
UNEVEN_MM: Final = 12.0
"""As if so much lay aside of the middle of a balance board that carries nothing."""
DRAW_HIGH: Final = (20, 60)
CARD_SIZE: Final = (58.0, 88.0)


@dataclass(frozen=True, slots=True)
class Hand:
    """How a careful hand puts a kind of piece down.

    stray_mm, most_mm: how far from its place, usually and at most, along x and along y.
    onto_mm: the same for what it puts onto another piece.  askew_deg: how far it is turned.
    lean_deg: how far it leans.  turned: how many are laid upside down.
    stands: what is put onto another goes by that one, not by the place.
    """

    stray_mm: float
    most_mm: float
    onto_mm: float
    askew_deg: float
    lean_deg: float = 0.0
    turned: float = 0.0
    stands: bool = False


HANDS: Final = {
    "tiki": Hand(0.7, 1.5, 0.0, 1.2),
    "figure": Hand(1.5, 4.0, 0.5, 180.0, 0.4, stands=True),
    "disc": Hand(1.0, 3.0, 0.6, 180.0, 0.4, stands=True),
    "card": Hand(1.2, 4.0, 1.2, 2.5, turned=0.3),
    "loose card": Hand(1.2, 4.0, 1.2, 11.0, turned=0.3),
    "dealt": Hand(1.0, 3.0, 0.5, 2.0),
}


class VirtualSet:
    """A table that is filmed; what nobody touches stays as it lies."""

    def __init__(self, random: Random, game: str) -> None:
        self._random = random
        self.table: Mapping[str, Any] = usual_table(game)
        self.layout: dict[str, Any] = dict(self.table["layout"])
        self.mat: Mat = parse_mat(self.table)
        self._lying: dict[Any, Lying] = {}
        self._count = 0

    @property
    def kept(self) -> tuple[Spot, ...]:
        """Return where nothing else may lie."""
        return self.edges()

    def dress(self, folder: Path) -> Scene:
        """Return nothing: the browser has its own prints."""
        del folder
        return {}

    def arrange(self, table: Table, seat: int | None) -> Scene:
        """Return the parts of a snapshot in which *table* is, as *seat* leaves it."""
        wanted = list(self._wanted(table, 90.0 * (seat or 0)))
        for place, names, lay in wanted:
            self._lying[place] = keep_lying(self._lying.get(place, []), names, lay)
        pieces = [piece for place, *_ in wanted for _, piece in self._lying[place]]
        return {"pieces": pieces, **self._parts(table)}

    def _wanted(
        self, table: Table, turn_deg: float
    ) -> Iterator[tuple[Any, Sequence[str], Lay]]:
        """Yield each place with what lies there, bottom first, and how it is put there."""
        raise NotImplementedError

    def _parts(self, table: Table) -> Scene:
        """Return what a snapshot says besides of pieces."""
        del table
        return {}

    def tell(self, table: Table, *, still: bool) -> dict[str, Any]:
        """Return the truth of *table*; not *still*: while a hand is there."""
        raise NotImplementedError

    def call(self, name: str) -> Any:
        """Return what truth.jsonl calls a piece in a hand."""
        return name

    def spots(self) -> dict[Any, Spot]:
        """Return where the places now are that a hand may hide, by their names in the truth."""
        raise NotImplementedError

    def edges(self) -> tuple[Spot, ...]:
        """Return the areas at whose edges a hand may wait."""
        return tuple(self.spots().values())

    def hold(self, name: str, tip: tuple[float, float, float]) -> Scene:
        """Return a piece in a hand with its fingers at *tip*."""
        at = (tip[0], tip[1], tip[2] - HELD_MM)
        lean = [float(angle) for angle in self._random.normal(0, 12, 2)]
        turn = float(self._random.normal(0, 20))
        return {"holds": self._piece(name, at, turn, lean=lean)}

    def _piece(
        self,
        name: str,
        at: tuple[float, float, float],
        turn: float,
        *,
        lean: Sequence[float] = (0.0, 0.0),
        up: bool = True,
    ) -> Piece:
        """Return a piece of the snapshot; *at*: the middle of its underside, in mm."""
        kind, look, size = self._look(name)
        self._count += 1
        return {
            "id": self._count, "kind": kind, "look": look if up else None,
            "x": float(at[0]), "y": float(at[1]), "z": float(at[2]),
            "turn": float(turn), "lean": [float(angle) for angle in lean], "up": up,
            "held": None, "of": None, "size": [float(side) for side in size],
        }  # fmt: skip

    def _look(self, name: str) -> tuple[str, Any, Sequence[float]]:
        """Return a piece's kind, look and size."""
        raise NotImplementedError

    def _put(
        self, hand: Hand, at: tuple[float, float, float], pitch: float, turn_deg: float = 0.0
    ) -> Lay:
        """Return what puts pieces onto the place *at*, *pitch* mm above one another."""
        random = self._random

        def lay(below: Lying, name: str) -> Piece:
            usual, (x, y, z) = hand.onto_mm if below else hand.stray_mm, at
            if below and hand.stands:
                x, y = below[-1][1]["x"], below[-1][1]["y"]
            dx, dy = np.clip(random.normal(0, usual, 2), -hand.most_mm, hand.most_mm)
            turn = turn_deg + float(random.normal(0, hand.askew_deg))
            turn += 180.0 * (random.random() < hand.turned)
            lean = random.normal(0, hand.lean_deg, 2)
            where = (x + dx, y + dy, z + pitch * len(below))
            return self._piece(name, where, turn, lean=list(lean))

        return lay


class LineSet(VirtualSet):
    """Tikis in a line."""

    def _wanted(self, table: Table, turn_deg: float) -> Iterator[tuple[Any, Sequence[str], Lay]]:
        del turn_deg  # a line looks alike, whoever has moved it
        hand, floor = HANDS["tiki"], float(self.layout["floor_z"])
        line = table["line"]
        for at, slot in enumerate(self.layout["slots"]):
            names = [line[at]] if at < len(line) and line[at] else []
            yield at, names, self._put(hand, (slot["x"], slot["y"], floor), 0.0)
        x, y, apart = GONE
        for at, name in enumerate(table.get("toasted", ())):
            yield (name,), [name], self._put(hand, (x, y + apart * at, 0.0), 0.0)

    def _look(self, name: str) -> tuple[str, Any, Sequence[float]]:
        piece = self.layout["piece"]
        return "tiki", name, (piece["w"], piece["h"], piece["height"])

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

    def _wanted(self, table: Table, turn_deg: float) -> Iterator[tuple[Any, Sequence[str], Lay]]:
        del turn_deg  # a column looks alike, whoever has built it
        hand, pitch = HANDS["figure"], float(self.layout["figure"]["stack_pitch"])
        floor = float(self.layout["floor_z"])
        for row in self.layout["cells"]:
            for cell in row:
                names = table["cells"][cell["r"]][cell["c"]]
                put = self._put(hand, (cell["x"], cell["y"], floor), pitch)
                yield (cell["r"], cell["c"]), names, put
        for tribe, count in table.get("beside", {}).items():
            y = self.mat.height + ASIDE_MM if tribe == TRIBES[0] else -ASIDE_MM
            for at in range(count):
                x = self.mat.width / 2 + APART_MM * (at - 3.5)
                yield (tribe, at), [tribe], self._put(hand, (x, y, 0.0), 0.0)

    def _look(self, name: str) -> tuple[str, Any, Sequence[float]]:
        figure = self.layout["figure"]
        return "figure", name, (figure["width"], figure["width"], figure["height"])

    def tell(self, table: Table, *, still: bool) -> dict[str, Any]:
        """Return the truth of *table*; a hand changes nothing about what stands where."""
        del still
        return {"cells": table["cells"]}

    def spots(self) -> dict[Any, Spot]:
        """Return where the tops of all columns are, by row and column."""
        pitch, half = self.layout["figure"]["stack_pitch"], self.layout["figure"]["width"] / 2
        return {
            (cell["r"], cell["c"]): Spot(
                cell["x"],
                cell["y"],
                half,
                half,
                self.layout["floor_z"]
                + pitch * len(self._lying.get((cell["r"], cell["c"]), ())),
            )
            for row in self.layout["cells"]
            for cell in row
        }

    def edges(self) -> tuple[Spot, ...]:
        """Return the board."""
        left, top, right, bottom = self.layout["board"]
        half = ((right - left) / 2, (bottom - top) / 2)
        return (Spot((left + right) / 2, (top + bottom) / 2, *half, self.layout["floor_z"]),)


class DiscSet(VirtualSet):
    """Discs in towers on a balance board."""

    def __init__(self, random: Random, game: str) -> None:
        super().__init__(random, game)
        self._uneven = random.normal(0, UNEVEN_MM, 2)
        self._balance = self.layout["balance"]

    def _wanted(self, table: Table, turn_deg: float) -> Iterator[tuple[Any, Sequence[str], Lay]]:
        del turn_deg
        hand, pitch = HANDS["disc"], float(self.layout["disc"]["height"])
        for place, spot in self.spots().items():
            at = (spot.x, spot.y, float(self._balance["top_height"]))
            yield place, table["cells"][place[0]][place[1]], self._put(hand, at, pitch)

    def _parts(self, table: Table) -> Scene:
        tilt, towards = self._tilt(table)
        return {"board": {"tilt": tilt, "towards": towards, "fallen": False}}

    def _tilt(self, table: Table) -> tuple[float, float]:
        """Return how far the board tilts, and the way down, clockwise from the table's top."""
        tilt, x, y = lean_of(table["cells"], (float(self._uneven[0]), float(self._uneven[1])))
        return tilt, float(np.degrees(np.arctan2(x, -y)))

    def _look(self, name: str) -> tuple[str, Any, Sequence[float]]:
        disc = self.layout["disc"]
        return "disc", name, (disc["diameter"], disc["diameter"], disc["height"])

    def tell(self, table: Table, *, still: bool) -> dict[str, Any]:
        """Return the truth of *table*; a hand changes nothing about what stands where."""
        del still
        tilt = round(self._tilt(table)[0], 2)
        return {"cells": table["cells"], "tilt_deg": tilt, "toppled": False}

    def spots(self) -> dict[Any, Spot]:
        """Return where the tops of all towers are, by row and column."""
        balance, disc = self._balance, self.layout["disc"]
        half = disc["diameter"] / 2
        return {
            (spot["r"], spot["c"]): Spot(
                balance["x"] + spot["x"],
                balance["y"] + spot["y"],
                half,
                half,
                balance["top_height"]
                + disc["height"] * len(self._lying.get((spot["r"], spot["c"]), ())),
            )
            for row in balance["spots"]
            for spot in row
        }

    def edges(self) -> tuple[Spot, ...]:
        """Return the board."""
        balance, half = self._balance, self._balance["size"] / 2
        return (Spot(balance["x"], balance["y"], half, half, balance["top_height"]),)


class PileSet(VirtualSet):
    """Piles of cards, with the goals above them."""

    def _wanted(self, table: Table, turn_deg: float) -> Iterator[tuple[Any, Sequence[str], Lay]]:
        del turn_deg  # cards face the near player
        for at, pile in enumerate(self.layout["piles"]):
            put = self._put(HANDS["card"], (pile["x"], pile["y"], 0.0), CARD_MM)
            yield at, table["piles"][at], put
        for place, goal in zip(self.layout["goals"], table["goals"], strict=True):
            put = self._put(HANDS["card"], (place["x"], place["y"], 0.0), CARD_MM)
            yield ("goal", place["x"]), [f"goal {goal}"] if goal else [], put

    def _look(self, name: str) -> tuple[str, Any, Sequence[float]]:
        size = (*CARD_SIZE, CARD_MM)
        if name.startswith("goal "):
            return "card", {"goal": name.removeprefix("goal ")}, size
        return "card", {"color": name[:-1], "value": int(name[-1])}, size

    def tell(self, table: Table, *, still: bool) -> dict[str, Any]:
        """Return the truth of *table*."""
        return {"piles": tell_piles(table)} if still else {}

    def call(self, name: str) -> Any:
        """Return what truth.jsonl calls a card in a hand."""
        return {"color": name[:-1], "value": int(name[-1])}

    def spots(self) -> dict[Any, Spot]:
        """Return the piles by their numbers."""
        return {
            at: Spot(pile["x"], pile["y"], pile["w"] / 2, pile["h"] / 2, 4.0)
            for at, pile in enumerate(self.layout["piles"])
        }


class DiscardSet(VirtualSet):
    """A discard pile, a pile to draw from, and the idol."""

    def __init__(self, random: Random, game: str) -> None:
        super().__init__(random, game)
        self._high = int(random.integers(*DRAW_HIGH))
        self._askew = float(random.normal(0, 1.0))

    def _wanted(self, table: Table, turn_deg: float) -> Iterator[tuple[Any, Sequence[str], Lay]]:
        at = self.layout["discard"]
        put = self._put(HANDS["loose card"], (at["x"], at["y"], 0.0), CARD_MM, turn_deg)
        yield "discard", table["discard"], put
        at = self.layout["draw"]
        put = self._put(HANDS["dealt"], (at["x"], at["y"], 0.0), CARD_MM)
        yield "draw", ["back"] * self._high, put

    def _parts(self, table: Table) -> Scene:
        angle = float(table["idol_deg"]) + self._askew
        return {"idol": {"angle": angle, "card": uno_face("tiki-goto")}}

    def _look(self, name: str) -> tuple[str, Any, Sequence[float]]:
        card = self.layout["card"]
        look = None if name == "back" else uno_face(name)
        return "card", look, (card["w"], card["h"], CARD_MM)

    def _piece(
        self,
        name: str,
        at: tuple[float, float, float],
        turn: float,
        *,
        lean: Sequence[float] = (0.0, 0.0),
        up: bool = True,
    ) -> Piece:
        """Return a card, face down in the pile to draw from."""
        return super()._piece(name, at, turn, lean=lean, up=up and name != "back")

    def tell(self, table: Table, *, still: bool) -> dict[str, Any]:
        """Return the truth of *table*."""
        if not still:
            return {}
        return {"discard": uno_face(table["discard"][-1]), "idol_deg": table["idol_deg"]}

    def call(self, name: str) -> Any:
        """Return what truth.jsonl calls any card in a hand."""
        del name
        return "card"

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
