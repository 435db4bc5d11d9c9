"""The virtual table of Tippi Toppi: four piles, open goals, and what is drawn from."""

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any, Final

from companion.games.tippi_toppi.deck import load_goals
from companion.rules import tippi_toppi
from companion.rules.tippi_toppi.cards import COLOURS, COPIES, HAND, VALUES
from companion.table.readers import usual_table
from companion.table.virtual_set import (
    CARD_HEIGHT_MM,
    Laid,
    Look,
    Lying,
    Size,
    Slot,
    VirtualSet,
    deck_at,
    nearest,
)

KIND: Final = "card"
BESIDE_MM: Final = 72.0
"""How far beyond the right tiles' middles the cards are that are drawn."""
REACH_MM: Final = 30.0


class TippiToppiSet(VirtualSet):
    """56 number cards and the goals."""

    @property
    def _piles(self) -> list[tuple[float, float]]:
        return [(pile["x"], pile["y"]) for pile in self.layout["piles"]]

    @property
    def _goals(self) -> list[tuple[float, float]]:
        return [(goal["x"], goal["y"]) for goal in self.layout["goals"]]

    @property
    def _draw(self) -> tuple[float, float]:
        return self.width + BESIDE_MM, self._piles[0][1]

    @property
    def _goal_pile(self) -> tuple[float, float]:
        return self.width + BESIDE_MM, self._goals[0][1]

    @property
    def _met(self) -> tuple[float, float]:
        return -BESIDE_MM, self._goals[0][1]

    @property
    def slots(self) -> Sequence[Slot]:
        """The piles, the goals, both piles that are drawn from, and where met goals go."""
        places = (*self._piles, *self._goals, self._draw, self._goal_pile, self._met)
        return [Slot(x, y, REACH_MM, (KIND,), 0.0) for x, y in places]

    def start(self, seats: int, random: Random) -> list[Laid]:
        """Return four piles of one card, four goals, and four cards in each hand (TP-2)."""
        deck = [_card(colour, value) for colour in COLOURS for value in VALUES] * COPIES
        random.shuffle(deck)
        tops = [deck.pop() for _ in self._piles]
        hands = [
            Laid(KIND, deck.pop(), self._size, up=False, of=seat)
            for _ in range(HAND)
            for seat in range(seats)
        ]
        goals = load_goals().cards
        random.shuffle(goals)
        return [*hands, *self._table_of(tops, deck, goals, random)]

    def lay(self, reading: Mapping[str, Any], random: Random) -> list[Laid]:
        """Return the tops of a reading; *goals*, if it has them, lie open."""
        tops = [dict(pile) for pile in reading["piles"]]
        deck = [_card(colour, value) for colour in COLOURS for value in VALUES] * COPIES
        for top in tops:
            if top in deck:
                deck.remove(top)
        goals, shown = load_goals().cards, list(reading.get("goals", ()))
        for goal in shown:
            if goal in goals:
                goals.remove(goal)
        random.shuffle(goals)
        return self._table_of(tops, deck, [*goals, *reversed(shown)], random)

    def _table_of(
        self, tops: Sequence[Look], deck: Sequence[Look], goals: list[str], random: Random
    ) -> list[Laid]:
        pieces = [
            self._face_up(top, place, random) for top, place in zip(tops, self._piles, strict=True)
        ]
        pieces += [self._face_up({"goal": goals.pop()}, place, random) for place in self._goals]
        pieces += deck_at(deck, self._size, self._draw, random)
        pieces += deck_at([{"goal": goal} for goal in goals], self._size, self._goal_pile, random)
        return pieces

    def _face_up(self, look: Look, place: tuple[float, float], random: Random) -> Laid:
        x, y = place
        return Laid(
            KIND, look, self._size, x + random.gauss(0, 1), y + random.gauss(0, 1),
            turn=random.gauss(0, 1.5),
        )  # fmt: skip

    @property
    def _size(self) -> Size:
        pile = self.layout["piles"][0]
        return pile["w"], pile["h"], CARD_HEIGHT_MM

    def lies(
        self, pieces: Iterable[Lying], *, idol_deg: float = 0.0, fallen: bool = False
    ) -> dict[str, Any]:
        """Return the cards on top of the piles."""
        del idol_deg, fallen
        tops: dict[int, tuple[float, Look]] = {}
        for piece in pieces:
            if piece.kind == KIND and piece.up:
                at = nearest(self._piles, piece.x, piece.y, REACH_MM)
                if at is not None and piece.z >= tops.get(at, (-1.0, None))[0]:
                    tops[at] = piece.z, piece.look
        return {"piles": [tops[at][1] if at in tops else None for at in range(len(self._piles))]}


def _card(colour: str, value: int) -> dict[str, Any]:
    return {"color": colour, "value": value}


VIRTUAL_SET: Final = TippiToppiSet(tippi_toppi.NAME, usual_table)
