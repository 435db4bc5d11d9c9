"""Information-set Monte Carlo tree search, single-observer: one tree for all that a seat may know.

Each playout draws a world that agrees with what the seat has seen, descends through the actions
that are legal there by upper confidence bounds, plays the rest out by a cheap policy, and adds what
every seat gained to the actions taken. Chance is drawn anew and has no nodes of its own. An action
that is rarely legal is compared by how often it could have been chosen (Cowling, Powley and
Whitehouse, 2012). Every seat maximises its own share (max^n).
"""

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final, TypeAlias

Shares: TypeAlias = Sequence[float]
"""By seat, the expected share of the win, from 0 to 1."""
CHANCE: Final = -1
"""Whose turn it is while chance decides."""
EXPLORATION: Final = 0.5
"""Of the bound, in the range of all shares that the search has met."""


class Model(ABC):
    """A game as one search looks at it, from the position where the seat is to act.

    rules: the game's module of rules.
    depth: how many actions are played out before `estimate` is asked.
    """

    rules: Any
    depth: int

    @abstractmethod
    def world(self, rng: Random) -> Any:
        """Return a state that agrees with all that was seen, nothing in it unknown."""

    def actor(self, state: Any) -> int:
        """Return the seat that chooses next, or `CHANCE`."""
        seat = self.rules.turn(state)
        return CHANCE if seat is None else int(seat)

    def actions(self, state: Any) -> Sequence[Any]:
        """Return what the actor may choose; never empty before `shares` ends the search."""
        actions: Sequence[Any] = self.rules.legal_actions(state)
        return actions

    def apply(self, state: Any, action: Any) -> Any:
        """Return the state after *action*."""
        return self.rules.apply(state, action)

    def chance(self, state: Any, rng: Random) -> Any:
        """Return an action by which chance goes on, as likely as it is."""
        return rng.choice(self.rules.legal_actions(state))

    def policy(self, state: Any, rng: Random) -> Any:
        """Return an action that a hasty player would choose."""
        return rng.choice(self.actions(state))

    @abstractmethod
    def shares(self, state: Any) -> Shares | None:
        """Return what a decided state is worth to each seat, None if play goes on."""

    @abstractmethod
    def estimate(self, state: Any) -> Shares:
        """Return what any state is worth to each seat, at a glance."""

    def prior(self, state: Any, actions: Sequence[Any], actor: int) -> Sequence[float]:
        """Return how good each of *actions* looks to *actor*, from 0 to 1, before it is tried."""
        del state, actor
        return [1.0] * len(actions)


class Node:
    """What is known of an action in its context.

    prior: what it promised before it was tried, from 0, as bad as anything so far, to 1; counts as
        much as one visit.
    visits, total: how often it was taken, and the shares that it brought the seat that chose it.
    available: how often it could have been taken.
    """

    __slots__ = ("available", "children", "prior", "total", "visits")

    def __init__(self, prior: float) -> None:
        self.prior, self.visits, self.total, self.available = prior, 0, 0.0, 0
        self.children: dict[Any, Node] = {}

    def mean(self) -> float:
        """Return the mean share, 0 before the first visit."""
        return self.total / self.visits if self.visits else 0.0


class Search:
    """One search; `run` may be called again to go on.

    root: what is known of each action, by seat and action.  searched: playouts so far.
    """

    def __init__(self, model: Model, rng: Random) -> None:
        self.model, self.rng = model, rng
        self.root = Node(0.0)
        self.searched = 0
        self._least, self._most = 1.0, 0.0

    def run(self, playouts: int, time_s: float, is_stopped: Callable[[], bool]) -> None:
        """Search until there are so many *playouts*, the time is over or it is stopped."""
        deadline_s = time.monotonic() + time_s
        while self.searched < playouts and not is_stopped() and time.monotonic() < deadline_s:
            self._play_out(self.model.world(self.rng))
            self.searched += 1

    def _play_out(self, state: Any) -> None:
        model, node = self.model, self.root
        path: list[tuple[Node, int]] = []
        while (shares := model.shares(state)) is None:
            actor = model.actor(state)
            if actor == CHANCE:
                state = model.apply(state, model.chance(state, self.rng))
                continue
            action, node = self._select(node, state, actor)
            path.append((node, actor))
            state = model.apply(state, action)
            if not node.visits:
                shares = self._roll_out(state)
                break
        self._least, self._most = min(self._least, *shares), max(self._most, *shares)
        for child, actor in path:
            child.visits += 1
            child.total += shares[actor]

    def _select(self, node: Node, state: Any, actor: int) -> tuple[Any, Node]:
        """Return the available action with the highest upper confidence bound, and its node."""
        actions, children = self.model.actions(state), node.children
        nodes = [children.get((actor, action)) for action in actions]
        if None in nodes:
            fresh = [action for action, child in zip(actions, nodes, strict=True) if child is None]
            priors = self.model.prior(state, fresh, actor)
            for action, prior in zip(fresh, priors, strict=True):
                children[actor, action] = Node(prior)
            nodes = [children[actor, action] for action in actions]
        span = max(self._most - self._least, 0.0) or 1.0
        least, exploration = self._least if self.searched else 0.0, EXPLORATION * span
        chosen, highest = 0, -math.inf
        for place, child in enumerate(nodes):
            assert child is not None
            child.available += 1
            tried = child.visits + 1
            spread = math.sqrt(math.log(child.available + 1) / tried)
            bound = (child.total + least + span * child.prior) / tried + exploration * spread
            if bound > highest:
                chosen, highest = place, bound
        best = nodes[chosen]
        assert best is not None
        return actions[chosen], best

    def _roll_out(self, state: Any) -> Shares:
        model, rng = self.model, self.rng
        for _ in range(model.depth):
            shares = model.shares(state)
            if shares is not None:
                return shares
            is_chance = model.actor(state) == CHANCE
            action = model.chance(state, rng) if is_chance else model.policy(state, rng)
            state = model.apply(state, action)
        shares = model.shares(state)
        return model.estimate(state) if shares is None else shares
