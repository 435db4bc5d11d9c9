"""Known tables: pieces of the snapshot where a truth says that they are, as a careful hand leaves.

A truth has the form of truth.jsonl, with what lies below what is seen where that is known: a
``line``, the ``cells`` of columns, ``piles`` or a ``discard`` pile. What nobody touches from one
table to the next stays as it lies.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np

from companion.apps.virtual.balance import lean_of
from companion.apps.virtual.piece import BOARD

Piece: TypeAlias = dict[str, Any]
Lying: TypeAlias = list[tuple[Any, Piece]]
"""What lies in one place, bottom first: what it is, and the piece."""
Lay: TypeAlias = Callable[[Lying, Any], Piece]
Wanted: TypeAlias = Iterator[tuple[Any, Sequence[Any], Lay]]
"""Places, each with what is to lie there, bottom first, and how it is put there."""
Truth: TypeAlias = Mapping[str, Any]

CARD_MM: Final = 0.4
CARD_SIZE: Final = (58.0, 88.0)
ASIDE_MM, APART_MM = 24.0, 31.0
"""How far beyond the tiles' middles what is out of play stands, and from one another."""
GONE: Final = (20.0, 60.0, 36.0)
"""Where what left a line lies: x and y of the first in mm, and how far the next is from it."""
UNEVEN_MM: Final = 12.0
"""As if so much lay aside of the middle of a balance board that carries nothing."""
DRAW_HIGH: Final = (20, 60)
"""Cards in a pile to draw from, at least and at most."""
BACK: Final = "back"


@dataclass(frozen=True, slots=True)
class Hand:
    """How a careful hand puts a kind of piece down.

    stray_mm, most_mm: how far from its place, usually and at most, along x and along y.
    onto_mm: the same for what it puts onto another piece.  askew_deg: how far it is turned.
    lean_deg: how far it leans.  turned: how many are laid upside down.
    stands: what is put onto another goes by that one, not by the place.  rides: see `make`.
    """

    stray_mm: float
    most_mm: float
    onto_mm: float
    askew_deg: float
    lean_deg: float = 0.0
    turned: float = 0.0
    stands: bool = False
    rides: str | None = None


HANDS: Final = {
    "tiki": Hand(0.7, 1.5, 0.0, 1.2),
    "figure": Hand(1.5, 4.0, 0.5, 180.0, 0.4, stands=True),
    "disc": Hand(1.0, 3.0, 0.6, 180.0, 0.4, stands=True, rides=BOARD),
    "card": Hand(1.2, 4.0, 1.2, 2.5, turned=0.3),
    "loose card": Hand(1.2, 4.0, 1.2, 11.0, turned=0.3),
    "dealt": Hand(1.0, 3.0, 0.5, 2.0),
}


class KnownTable(ABC):
    """A table of one layout, and how what was put there lies.

    table: as `companion.table.readers.usual_table` describes it.
    """

    def __init__(self, table: Mapping[str, Any], random: np.random.Generator) -> None:
        self.table = table
        self.layout: Mapping[str, Any] = table["layout"]
        self._random = random
        self._lying: dict[Any, Lying] = {}
        self._count = 0

    def lay(self, truth: Truth, turn_deg: float = 0.0) -> dict[str, Any]:
        """Return the parts of a snapshot in which the table shows *truth*.

        turn_deg: how new cards are turned, clockwise: as who lays them sees them upright.
        """
        wanted = list(self._wanted(truth, turn_deg))
        for place, names, lay in wanted:
            self._lying[place] = _keep_lying(self._lying.get(place, []), names, lay)
        pieces = [piece for place, *_ in wanted for _, piece in self._lying[place]]
        return {"pieces": pieces, **self._parts(truth)}

    def lies(self, place: Any) -> int:
        """Return how many pieces lie in a place."""
        return len(self._lying.get(place, ()))

    @abstractmethod
    def _wanted(self, truth: Truth, turn_deg: float) -> Wanted:
        """Yield what is to lie where."""

    def _parts(self, truth: Truth) -> dict[str, Any]:
        """Return what a snapshot says besides of pieces."""
        del truth
        return {}

    @abstractmethod
    def describe(self, name: Any) -> tuple[str, Any, Sequence[float]]:
        """Return the kind, the look and the size in mm of what a truth calls *name*."""

    def make(
        self,
        name: Any,
        at: tuple[float, float, float],
        turn_deg: float,
        lean_deg: Sequence[float] = (0.0, 0.0),
        rides: str | None = None,
    ) -> Piece:
        """Return a piece of the snapshot.

        at: the middle of its underside in mm.  rides: what carries it along, None for nothing.
        """
        kind, look, size = self.describe(name)
        self._count += 1
        return {
            "id": self._count, "kind": kind, "look": look,
            "x": float(at[0]), "y": float(at[1]), "z": float(at[2]),
            "turn": float(turn_deg), "lean": [float(angle) for angle in lean_deg],
            "up": name != BACK, "held": None, "of": None, "rides": rides,
            "size": [float(side) for side in size],
        }  # fmt: skip

    def _put(
        self, hand: Hand, at: tuple[float, float, float], pitch_mm: float, turn_deg: float = 0.0
    ) -> Lay:
        """Return what puts pieces onto the place *at*, *pitch_mm* above one another."""
        random = self._random

        def lay(below: Lying, name: Any) -> Piece:
            usual, (x, y, z) = hand.onto_mm if below else hand.stray_mm, at
            if below and hand.stands:
                x, y = below[-1][1]["x"], below[-1][1]["y"]
            dx, dy = np.clip(random.normal(0, usual, 2), -hand.most_mm, hand.most_mm)
            turn = turn_deg + float(random.normal(0, hand.askew_deg))
            turn += 180.0 * (random.random() < hand.turned)
            lean = random.normal(0, hand.lean_deg, 2).tolist()
            where = (x + dx, y + dy, z + pitch_mm * len(below))
            return self.make(name, where, turn, lean, hand.rides)

        return lay


def _keep_lying(lying: Lying, names: Sequence[Any], lay: Lay) -> Lying:
    """Return what lies in a place once it is *names*: what was not touched lies as it did."""
    found: Lying = []
    for (name, piece), wanted in zip(lying, names, strict=False):
        if name != wanted:
            break
        found.append((name, piece))
    for name in names[len(found) :]:
        found.append((name, lay(found, name)))
    return found


class KnownLine(KnownTable):
    """Flat pieces in a line of slots: ``line``, and ``toasted``, which lie beside the board."""

    def _wanted(self, truth: Truth, turn_deg: float) -> Wanted:
        del turn_deg  # a line looks alike, whoever has moved it
        hand, floor, line = HANDS["tiki"], float(self.layout["floor_z"]), truth["line"]
        for at, slot in enumerate(self.layout["slots"]):
            names = [line[at]] if at < len(line) and line[at] else []
            yield at, names, self._put(hand, (slot["x"], slot["y"], floor), 0.0)
        x, y, apart = GONE
        for at, name in enumerate(truth.get("toasted", ())):
            yield (name,), [name], self._put(hand, (x, y + apart * at, 0.0), 0.0)

    def describe(self, name: Any) -> tuple[str, Any, Sequence[float]]:
        """Return what a piece of the line is like."""
        piece = self.layout["piece"]
        return "tiki", name, (piece["w"], piece["h"], piece["height"])


class KnownFigures(KnownTable):
    """Figures in stacks on fields: ``cells``, and ``beside``: how many of each are out of play."""

    def _wanted(self, truth: Truth, turn_deg: float) -> Wanted:
        del turn_deg
        hand, pitch = HANDS["figure"], float(self.layout["figure"]["stack_pitch"])
        floor, mat = float(self.layout["floor_z"]), self.table["mat"]
        for row in self.layout["cells"]:
            for cell in row:
                names = truth["cells"][cell["r"]][cell["c"]]
                put = self._put(hand, (cell["x"], cell["y"], floor), pitch)
                yield (cell["r"], cell["c"]), names, put
        rows = (mat["height"] + ASIDE_MM, -ASIDE_MM)
        for (side, count), y in zip(truth.get("beside", {}).items(), rows, strict=False):
            for at in range(count):
                x = mat["width"] / 2 + APART_MM * (at - 3.5)
                yield (side, at), [side], self._put(hand, (x, y, 0.0), 0.0)

    def describe(self, name: Any) -> tuple[str, Any, Sequence[float]]:
        """Return what a figure is like."""
        figure = self.layout["figure"]
        return "figure", name, (figure["width"], figure["width"], figure["height"])


class KnownDiscs(KnownTable):
    """Discs in towers on a balance board: ``cells``."""

    def __init__(self, table: Mapping[str, Any], random: np.random.Generator) -> None:
        super().__init__(table, random)
        x, y = random.normal(0, UNEVEN_MM, 2).tolist()
        self._uneven_mm = (x, y)

    def _wanted(self, truth: Truth, turn_deg: float) -> Wanted:
        del turn_deg
        balance, pitch = self.layout["balance"], float(self.layout["disc"]["height"])
        for spot in self._spots():
            at = (balance["x"] + spot["x"], balance["y"] + spot["y"], balance["top_height"])
            names = truth["cells"][spot["r"]][spot["c"]]
            yield (spot["r"], spot["c"]), names, self._put(HANDS["disc"], at, pitch)

    def _spots(self) -> Iterator[Mapping[str, Any]]:
        for row in self.layout["balance"]["spots"]:
            yield from row

    def _parts(self, truth: Truth) -> dict[str, Any]:
        tilt, towards = self.tilt(truth)
        return {"board": {"tilt": tilt, "towards": towards, "fallen": False}}

    def tilt(self, truth: Truth) -> tuple[float, float]:
        """Return how far the board tilts, and the way down, clockwise from the table's top."""
        discs = [
            (spot["x"], spot["y"])
            for spot in self._spots()
            for _ in truth["cells"][spot["r"]][spot["c"]]
        ]
        lean = lean_of([self._uneven_mm, *discs], is_fallen=False)
        return lean.tilt_deg, lean.towards_deg

    def describe(self, name: Any) -> tuple[str, Any, Sequence[float]]:
        """Return what a disc is like."""
        disc = self.layout["disc"]
        return "disc", name, (disc["diameter"], disc["diameter"], disc["height"])


class KnownPiles(KnownTable):
    """Piles of cards that face the near player: ``piles``, and ``goals`` above them.

    A pile is its cards, or the one on top.
    """

    def _wanted(self, truth: Truth, turn_deg: float) -> Wanted:
        del turn_deg
        hand = HANDS["card"]
        for at, pile in enumerate(self.layout["piles"]):
            cards = truth["piles"][at]
            put = self._put(hand, (pile["x"], pile["y"], 0.0), CARD_MM)
            yield at, cards if isinstance(cards, list) else [cards], put
        for place, goal in zip(self.layout["goals"], truth.get("goals") or (), strict=False):
            put = self._put(hand, (place["x"], place["y"], 0.0), CARD_MM)
            yield ("goal", place["x"]), [{"goal": goal}] if goal else [], put

    def describe(self, name: Any) -> tuple[str, Any, Sequence[float]]:
        """Return what a card is like."""
        return "card", name, (*CARD_SIZE, CARD_MM)


class KnownDiscard(KnownTable):
    """A ``discard`` pile, a pile to draw from, and the idol, which points to ``idol_deg``.

    The discard pile is its cards, or the one on top.
    """

    def __init__(self, table: Mapping[str, Any], random: np.random.Generator) -> None:
        super().__init__(table, random)
        self._high = int(random.integers(*DRAW_HIGH))
        self._askew_deg = float(random.normal(0, 1.0))

    def _wanted(self, truth: Truth, turn_deg: float) -> Wanted:
        at, cards = self.layout["discard"], truth["discard"]
        put = self._put(HANDS["loose card"], (at["x"], at["y"], 0.0), CARD_MM, turn_deg)
        yield "discard", cards if isinstance(cards, list) else [cards], put
        at = self.layout["draw"]
        put = self._put(HANDS["dealt"], (at["x"], at["y"], 0.0), CARD_MM)
        yield "draw", [BACK] * self._high, put

    def _parts(self, truth: Truth) -> dict[str, Any]:
        angle = float(truth["idol_deg"]) + self._askew_deg
        return {"idol": {"angle": angle, "card": truth.get("idol")}}

    def describe(self, name: Any) -> tuple[str, Any, Sequence[float]]:
        """Return what a card is like."""
        card = self.layout["card"]
        return "card", None if name == BACK else name, (card["w"], card["h"], CARD_MM)


FORMS: Final[tuple[tuple[str, type[KnownTable]], ...]] = (
    ("slots", KnownLine),
    ("balance", KnownDiscs),
    ("figure", KnownFigures),
    ("idol", KnownDiscard),
    ("piles", KnownPiles),
)
"""By what a layout has, which form of table it is."""


def open_table(table: Mapping[str, Any], random: np.random.Generator) -> KnownTable:
    """Return a *table* on which nothing lies yet; see `usual_table`.

    Raises KeyError if its layout is of no known form.
    """
    layout = table["layout"]
    for key, form in FORMS:
        if key in layout:
            return form(table, random)
    raise KeyError(f"a layout of {', '.join(layout)} is of no known form")
