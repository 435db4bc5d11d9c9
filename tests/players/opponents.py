"""Opponents to measure players by: at random, and greedy, which takes the most at once."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, Final

from companion.games.tactiki.player import model, potential
from companion.games.tippi_toppi.player import meets
from companion.registry import load
from companion.rules import tactiki, tiki_topple, tippi_toppi, topple, uno_tiki


def options(rules: Any, state: Any, seat: int) -> Sequence[Any]:
    """Return what *seat* may choose in *state*, from its own view."""
    found: Sequence[Any] = load(rules.NAME, "player").options(rules.seen_by(state, seat), seat)
    return found


def pick_at_random(rules: Any, state: Any, seat: int, rng: Random) -> Any:
    """Return any of the legal actions of *seat*."""
    return rng.choice(options(rules, state, seat))


def pick_greedily(rules: Any, state: Any, seat: int, rng: Random) -> Any:
    """Return an action of *seat* that earns the most at once, by its own view alone."""
    seen = rules.seen_by(state, seat)
    gain = _GAINS[rules.NAME](seen, seat, rng)
    gains = [(gain(action), action) for action in options(rules, state, seat)]
    most = max(worth for worth, _ in gains)
    return rng.choice([action for worth, action in gains if worth == most])


Gain = Callable[[Any], float]


def _line_points(seen: tiki_topple.State, seat: int, rng: Random) -> Gain:
    """Judge by what the own secret card would earn if the round ended now."""
    del rng
    card = seen.cards[seat]
    assert card is not None
    return lambda play: tiki_topple.points_of(
        card, tiki_topple.move(seen.line, play.card, play.tiki)
    )


def _statue(seen: tactiki.State, seat: int, rng: Random) -> Gain:
    """Judge by how near the statues are; attacks go as in one world that is possible."""
    world = model(seen, seat).world(rng)

    def gain(action: Any) -> float:
        after = tactiki.apply(world, action)
        return potential(after, seat) - potential(after, 1 - seat)

    return gain


def _placed_points(seen: topple.State, seat: int, rng: Random) -> Gain:
    """Judge by the points of the piece."""
    del seat, rng
    colours = seen.options.colours
    return lambda placed: topple.worth(
        seen.cells, seen.marks, placed.spot, colours.index(placed.colour), seen.options
    )


def _goals_met(seen: tippi_toppi.State, seat: int, rng: Random) -> Gain:
    """Judge by whether a goal is met."""
    del seat, rng
    return lambda play: float(meets(seen, play))


def _cards_gone(seen: uno_tiki.State, seat: int, rng: Random) -> Gain:
    """Judge by the points of the card that leaves the hand."""
    del seen, seat, rng
    return lambda action: uno_tiki.POINTS.get(getattr(action, "card", ""), -1)


_GAINS: Final[Mapping[str, Callable[[Any, int, Random], Gain]]] = {
    "tiki_topple": _line_points,
    "tactiki": _statue,
    "topple": _placed_points,
    "tippi_toppi": _goals_met,
    "uno_tiki": _cards_gone,
}
