"""How the companion plays Tiki Topple: tree search to the end of the round.

Secret cards are drawn anew for each playout, from those that others may have (TT-3).
"""

import math
from collections.abc import Sequence
from random import Random
from typing import Any, Final

from companion.players.effort import Effort
from companion.players.player import Valued, search_tree
from companion.players.search import Model
from companion.rules import tiki_topple as rules
from companion.rules.tiki_topple import Action, Dealt, SecretCard, State

RULES: Final[Any] = rules
PLAYOUTS: Final = {"gentle": 25, "fair": 100, "strong": 2000}
POINTS_SCALE: Final = 4.0
"""Points of lead that multiply the odds of a game with one round to come by e; rounds of random
play differ by 7 points, whose logistic scale this is."""


def options(seen: State, seat: int) -> Sequence[Action]:
    """Return what *seat* may play now."""
    return rules.legal_actions(seen) if rules.turn(seen) == seat else ()


def model(seen: State, seat: int) -> Model:
    """Return the game as a search for *seat* looks at it."""
    del seat
    return _Round(seen)


def evaluate(seen: State, seat: int, options: Sequence[Action], effort: Effort) -> Valued:
    """Return what each of *options* is worth to *seat*."""
    return search_tree(model(seen, seat), seat, options, PLAYOUTS, effort)


class _Round(Model):
    """The round to its end, and the game by the points after it."""

    rules = rules
    depth = 99

    def __init__(self, seen: State) -> None:
        self._seen = seen
        self._rounds = len(seen.rounds)
        self._unknown = [seat for seat in seen.players if seen.cards[seat] is None]
        self._left: list[SecretCard] = []
        if self._unknown:
            deals = rules.legal_actions(seen._replace(phase="reveal"))
            self._left = [deal.card for deal in deals if isinstance(deal, Dealt)]

    def world(self, rng: Random) -> State:
        cards = list(self._seen.cards)
        if len(self._left) >= len(self._unknown):
            drawn = rng.sample(self._left, len(self._unknown))
        else:  # another edition has more cards than the usual ones
            drawn = [SecretCard(*rng.sample(rules.TIKIS, 3)) for _ in self._unknown]
        for seat, card in zip(self._unknown, drawn, strict=True):
            cards[seat] = card
        return self._seen._replace(cards=tuple(cards))

    def shares(self, state: State) -> Sequence[float] | None:
        return self.estimate(state) if len(state.rounds) > self._rounds else None

    def estimate(self, state: State) -> Sequence[float]:
        result = rules.outcome(state)
        seats = range(len(state.scores))
        if result:
            won = 1 / len(result.winners)
            return [won if seat in result.winners else 0.0 for seat in seats]
        left = max(1, state.options.rounds - len(state.rounds))
        scale = POINTS_SCALE * math.sqrt(left)
        best = max(state.scores)
        odds = [
            math.exp((state.scores[seat] - best) / scale) if seat in state.players else 0.0
            for seat in seats
        ]
        return [each / sum(odds) for each in odds]
