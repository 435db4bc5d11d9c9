"""How the companion plays TacTiki: tree search some moves ahead, and then a look at the statues.

Unknown ranks are drawn anew for each playout, from those that explain all clashes and returns so
far (TA-14); the own ones too, where the engine does not have them.
"""

import math
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Any, Final

from companion.players.effort import Effort
from companion.players.player import Valued, search_tree
from companion.players.search import CHANCE, Model
from companion.rules import tactiki as rules
from companion.rules.tactiki import (
    RANKS,
    Action,
    Claimed,
    Clash,
    Clashed,
    Moved,
    Reincarnated,
    State,
)
from companion.rules.tactiki.pieces import HOME, PIECES, SIZE, Column, Piece
from companion.rules.tactiki.play import known_ranks
from companion.rules.tactiki.ranks import constraints_of, draw_ranks
from companion.rules.tactiki.state import Return

RULES: Final[Any] = rules
PLAYOUTS: Final = {"gentle": 12, "fair": 40, "strong": 400}
DEPTH: Final = 4
"""Moves of a playout before the board is estimated."""
DECAY: Final = 0.8
"""What a piece counts for a statue, for each step that it is away from it."""
BURIED: Final = 0.8
"""The same, for each piece on top of it."""
RETURNING: Final = DECAY**7
"""The same, of a defeated piece, which has to come back first."""
POTENTIAL_ODDS: Final = 2.5
"""The logarithm by which one piece more in the statue multiplies the odds of winning."""


def _ways(seat: int, field: int) -> tuple[float, ...]:
    """Return what a piece on *field* counts for a statue of *seat* on each of the far fields."""
    row, c = divmod(field, SIZE)
    steps = abs(row - HOME[1 - seat])
    if not steps:
        return tuple(float(column == c) for column in range(SIZE))
    return tuple(DECAY ** (steps + abs(column - c)) for column in range(SIZE))


def options(seen: State, seat: int) -> Sequence[Action]:
    """Return the moves and reincarnations of *seat*; a draw is claimed by people alone."""
    if rules.turn(seen) != seat:
        return ()
    return [action for action in rules.legal_actions(seen) if not isinstance(action, Claimed)]


def model(seen: State, seat: int) -> Model:
    """Return the game as a search for *seat* looks at it."""
    del seat
    return _Board(seen)


def evaluate(seen: State, seat: int, options: Sequence[Action], effort: Effort) -> Valued:
    """Return what each of *options* is worth to *seat*."""
    return search_tree(model(seen, seat), seat, options, PLAYOUTS, effort)


def potential(state: State, seat: int) -> float:
    """Return how near *seat* is to a statue, on the far field where it is nearest."""
    columns = enumerate(state.columns)
    total = sum(_weights(field, column)[seat] for field, column in columns if column)
    lanes = (total >> (_LANE_BITS * c) & _LANE_MASK for c in range(SIZE))
    return max(lanes) / _UNIT + RETURNING * len(state.pools[seat])


@lru_cache(maxsize=1 << 16)
def _weights(field: int, column: Column) -> tuple[int, int]:
    """Return, by seat, what the pieces of *column* count for a statue on each of the far fields.

    Five numbers in one, `_LANE_BITS` each, so that those of all columns are added at once.
    """
    lanes, weight = [0, 0], 1.0
    for piece in reversed(column):
        seat = piece & 1
        for c, way in enumerate(_ways(seat, field)):
            lanes[seat] += int(way * weight * _UNIT) << (_LANE_BITS * c)
        weight *= BURIED
    return lanes[0], lanes[1]


_LANE_BITS: Final = 24
_LANE_MASK: Final = (1 << _LANE_BITS) - 1
_UNIT: Final = 1 << 16


class _Board(Model):
    """Some moves ahead."""

    rules = rules
    depth = DEPTH

    def __init__(self, seen: State) -> None:
        self._seen = seen
        self._known = known_ranks(seen)
        originals = [seat + 2 * k for seat in (0, 1) for k in range(PIECES)]
        self._unknown = [piece for piece in originals if piece not in self._known]
        self._constraints = constraints_of(seen.facts, self._known)
        self._found: dict[Piece, int] | None = None
        # Whose defeated pieces are unknown brings back any of them.
        self._blind = tuple(0 in pool for pool in seen.pools)

    def world(self, rng: Random) -> State:
        ranks = self._draw_ranks(rng)
        for seat in (0, 1):
            left = Counter(RANKS * 2)
            left.subtract(ranks.get(seat + 2 * k, 0) for k in range(PIECES))
            rest = [rank for rank in left.elements() if rank]
            rng.shuffle(rest)
            for piece in self._unknown:
                if piece & 1 == seat and piece not in ranks:
                    ranks[piece] = rest.pop()
        return self._filled(ranks, rng)

    def _draw_ranks(self, rng: Random) -> dict[Piece, int]:
        """Return ranks of those who have met somebody, which explain how that went if any do."""
        if self._constraints.places.keys() <= self._known.keys():
            return dict(self._known)
        ranks = draw_ranks(self._constraints, self._known, rng.shuffle)
        if ranks is None:
            if self._found is None:
                self._found = draw_ranks(self._constraints, self._known) or self._known
            ranks = self._found
        return {**ranks, **self._known}

    def _filled(self, ranks: dict[Piece, int], rng: Random) -> State:
        """Return the position with these *ranks*, those of lost pieces among them."""
        seen = self._seen
        pools: tuple[list[int], list[int]] = ([], [])
        for fact in seen.facts:
            if isinstance(fact, Return):
                rank = ranks.setdefault(fact.piece, rng.choice(RANKS))
                pool = pools[fact.piece & 1]
                if rank in pool:
                    pool.remove(rank)
            elif isinstance(fact, Clash):
                if fact.result != "tie":
                    lost = fact.defender if fact.result == "win" else fact.attacker
                    pools[lost & 1].append(ranks[lost])
            else:
                pools[fact.piece & 1].append(ranks.setdefault(fact.piece, rng.choice(RANKS)))
        first, second = (
            tuple(ranks.get(seat + 2 * k, 0) or rng.choice(RANKS) for k in range(len(side)))
            for seat, side in enumerate(seen.ranks)
        )
        tiki, tac = (
            tuple(sorted(pool)) if blind else told
            for pool, told, blind in zip(pools, seen.pools, self._blind, strict=True)
        )
        return seen._replace(ranks=(first, second), pools=(tiki, tac))

    def actor(self, state: State) -> int:
        return CHANCE if state.phase == "clash" else state.seat

    def actions(self, state: State) -> Sequence[Action]:
        actions = rules.legal_actions(state)
        if isinstance(actions[-1], Claimed) and len(actions) > 1:
            actions = actions[:-1]
        if self._blind[state.seat] and not state.moved:
            named = [
                Reincarnated(each.field) if isinstance(each, Reincarnated) else each
                for each in actions
            ]
            return list(dict.fromkeys(named))
        return actions

    def apply(self, state: State, action: Action) -> State:
        if isinstance(action, Reincarnated) and action.rank not in state.pools[state.seat]:
            action = Reincarnated(action.field, state.pools[state.seat][-1])
        return rules.apply(state, action)

    def chance(self, state: State, rng: Random) -> Action:
        return rng.choice(
            [each for each in rules.legal_actions(state) if isinstance(each, Clashed)]
        )

    def policy(self, state: State, rng: Random) -> Action:
        actions = self.actions(state)
        action = rng.choice(actions)
        if isinstance(action, Moved) and abs(action.target - action.source) < SIZE:
            action = rng.choice(actions)
        return action

    def shares(self, state: State) -> Sequence[float] | None:
        result = rules.outcome(state)
        if result is None:
            return None
        if not result.winners:
            return (0.5, 0.5)
        return (1.0, 0.0) if 0 in result.winners else (0.0, 1.0)

    def estimate(self, state: State) -> Sequence[float]:
        lead = POTENTIAL_ODDS * (potential(state, 0) - potential(state, 1))
        share = 1 / (1 + math.exp(-lead))
        return (share, 1 - share)

    def prior(self, state: State, actions: Sequence[Action], actor: int) -> Sequence[float]:
        shares = []
        for action in actions:
            after = self.apply(state, action)
            shares.append((self.shares(after) or self.estimate(after))[actor])
        least, most = min(shares), max(shares)
        span = (most - least) or 1.0
        return [(share - least) / span for share in shares]
