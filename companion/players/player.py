"""What a game's module `player` offers, and how a tree search serves it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from companion.players.effort import Effort
from companion.players.search import Model, Search
from companion.rules.protocol import Spoken

MIN_VISITS_RATIO: Final = 0.1
"""An action visited less than so much of the most visited one is not called the best."""


@dataclass(frozen=True, slots=True)
class Valued:
    """Actions with the share of the win expected of each, best first; and the playouts behind."""

    actions: tuple[tuple[Any, float], ...]
    searched: int


class Player(Protocol):
    """The functions of a game's module `player`."""

    RULES: Spoken[Any, Any]

    def options(self, seen: Any, seat: int) -> Sequence[Any]:
        """Return the actions among which *seat* really chooses now; none if it has no choice."""

    def evaluate(self, seen: Any, seat: int, options: Sequence[Any], effort: Effort) -> Valued:
        """Return what each of *options* is worth to *seat*."""


def search_tree(
    model: Model, seat: int, options: Sequence[Any], playouts: Mapping[str, int], effort: Effort
) -> Valued:
    """Return what a tree search finds of *options*; in its order if there was no time at all.

    playouts: how many, by level.
    """
    search = Search(model, effort.rng)
    search.run(playouts[effort.level], effort.time_left_s(), effort.is_over)
    nodes = search.root.children
    least = MIN_VISITS_RATIO * max((node.visits for node in nodes.values()), default=0)
    found = []
    for action in options:
        node = nodes.get((seat, action))
        visits, mean = (node.visits, node.mean()) if node else (0, 0.0)
        found.append((visits >= max(least, 1), mean, action))
    found.sort(key=lambda each: each[:2], reverse=True)
    values, most = [], 1.0
    for _, mean, action in found:
        most = min(most, mean)
        values.append((action, most))
    return Valued(tuple(values), search.searched)
