"""The sets of films with card games: UNO Tiki and Tippi Toppi. See `films.py`."""

from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from rendering.art import draw_goal
from rendering.card_tables import GOAL_MM, GOALS, PileTable, UnoTable
from rendering.film_sets import Lying, keep_lying
from rendering.idol import stand_idol
from rendering.plot_cards import tell_piles, uno_face
from rendering.plots import Table
from rendering.prints import Random
from rendering.props import CARD_MM, Thing, pile, slab
from rendering.room import Spot
from rendering.scenes import Scene
from vision.cards.layout import TIPPI_TOPPI, UNO_TIKI, CardSize, Place
from vision.geometry.layout import Mat

STEM: Final = "set"
ASTRAY_MM: Final = 1.2
MOST_MM: Final = 4.0
"""How far from its place a card lies, usually and at most."""
ASKEW_DEG: Final = {"tippi_toppi": 2.5, "uno_tiki": 11.0}
TURNED: Final = 0.3
"""How many cards are laid upside down."""
DRAW_HIGH: Final = (20, 80)


class _Cards:
    """Piles of cards that are filmed."""

    def __init__(self, random: Random, table: PileTable | UnoTable, size: CardSize) -> None:
        self._random, self._table, self._size = random, table, (size.w, size.h)
        self._looks: dict[str, Any] = {}
        self._folder = Path()
        self._lying: dict[Any, Lying] = {}

    @property
    def mat(self) -> Mat:
        """Its corner tiles."""
        return self._table.mat

    @property
    def kept(self) -> tuple[Spot, ...]:
        """Where nothing else may lie."""
        return self._table.kept

    @property
    def layout(self) -> dict[str, Any]:
        """The layout, as a session.json has it."""
        return self._table.layout

    def dress(self, folder: Path) -> Scene:
        """Return nothing: all cards are things; their prints are drawn into *folder*."""
        self._folder = folder
        self._looks = self._table.dress(self._random, folder, STEM)
        return {}

    def edges(self) -> tuple[Spot, ...]:
        """Return the places that count."""
        return self._table.spots

    def _keep(self, place: Any, names: list[str], at: Place, turn_deg: float = 0.0) -> list[Thing]:
        """Put *names* onto a pile, new ones turned by about *turn_deg*; return all its cards."""
        random = self._random

        def lay(below: Lying, name: str) -> Thing:
            dx, dy = np.clip(random.normal(0, ASTRAY_MM, 2), -MOST_MM, MOST_MM)
            turn = turn_deg + random.normal(0, ASKEW_DEG[self._table.name])
            turn += 180.0 * (random.random() < TURNED)
            level = (float(at.x + dx), float(at.y + dy), len(below) * CARD_MM)
            return slab(self._print(name), self._size, level, float(turn), **self._looks["wear"])

        self._lying[place] = keep_lying(self._lying.get(place, []), names, lay)
        cards = [card for _, card in self._lying[place]]
        # What lies on a bent card has pressed it flat.
        return [*({**card, "bend_mm": 0.0} for card in cards[:-1]), *cards[-1:]]

    def hold(self, name: str, tip: tuple[float, float, float]) -> Scene:
        """Return a card in a hand."""
        at = (tip[0], tip[1], tip[2] - 6.0)
        lean, turn = self._random.normal(0, 12), self._random.normal(0, 25)
        card = slab(self._print(name), self._size, at, float(turn), lean_deg=float(lean))
        return {"things": [card]}

    def _print(self, name: str) -> str:
        """Return the file with a card's print."""
        return f"{STEM}-{name}.png"


class PileSet(_Cards):
    """Tippi Toppi's four piles, with the goals above them."""

    def __init__(self, random: Random) -> None:
        super().__init__(random, PileTable(), TIPPI_TOPPI.card)
        self._goals: dict[str, Thing] = {}

    def arrange(self, table: Table, seat: int | None) -> Scene:
        """Return the parts of a scene in which *table* is: cards face the near player."""
        del seat
        things = []
        for at, (place, names) in enumerate(zip(TIPPI_TOPPI.piles, table["piles"], strict=True)):
            things += self._keep(at, names, place)
        shown = enumerate(table["goals"])
        return {"cards": things + [self._goal(at, goal) for at, goal in shown if goal]}

    def _goal(self, place: int, goal: str) -> Thing:
        """Return a goal card, which lies where it was put and looks like no other."""
        if goal not in self._goals:
            random, (x, y) = self._random, GOALS[place]
            name = f"{STEM}-goal-{len(self._goals)}.png"
            cv2.imwrite(str(self._folder / name), draw_goal(random, GOAL_MM))
            at = (float(x + random.normal(0, 1.5)), float(y + random.normal(0, 1.5)), 0.0)
            self._goals[goal] = slab(name, GOAL_MM, at, float(random.normal(0, 2)))
        return self._goals[goal]

    def tell(self, table: Table, *, still: bool) -> dict[str, Any]:
        """Return the truth of *table*."""
        return {"piles": tell_piles(table)} if still else {}

    def call(self, name: str) -> Any:
        """Return what truth.jsonl calls a card in a hand."""
        return {"color": name[:-1], "value": int(name[-1])}

    def spots(self) -> dict[Any, Spot]:
        """Return the piles by their numbers."""
        return dict(enumerate(self._table.spots))


class UnoSet(_Cards):
    """UNO Tiki's piles and idol."""

    def __init__(self, random: Random) -> None:
        super().__init__(random, UnoTable(), UNO_TIKI.card)
        self._draw: list[Thing] = []

    def dress(self, folder: Path) -> Scene:
        """Lay the draw pile as well: who draws from so many cards leaves it as it was."""
        found = super().dress(folder)
        random, at = self._random, UNO_TIKI.draw
        high, turn = int(random.integers(*DRAW_HIGH)), float(random.normal(0, 3))
        place = (at.x + random.normal(0, 1.5), at.y + random.normal(0, 1.5))
        self._draw = pile(random, [f"{STEM}-back.png"], self._size, place, high=high, turn_deg=turn)
        return found

    def arrange(self, table: Table, seat: int | None) -> Scene:
        """Return the parts of a scene in which *table* is; whoever plays sees the card upright."""
        turn = 0.0 if seat is None else 90.0 * seat
        cards = self._keep("discard", table["discard"], UNO_TIKI.discard, turn)
        face = self._print("tiki-goto")
        idol = stand_idol(self._looks["idol"], UNO_TIKI.idol, table["idol_deg"], face)
        return {"cards": [*cards, *self._draw, *idol]}

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
        return dict(zip(("discard", "idol"), self._table.spots, strict=True))

    def _print(self, name: str) -> str:
        face = uno_face(name)
        return f"{STEM}-{face['color']}{face['symbol']}{face['spin']:d}.png"
