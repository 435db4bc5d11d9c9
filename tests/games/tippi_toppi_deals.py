"""Games of Tippi Toppi for tests: just opened, dealt, and with all secrets known."""

from collections.abc import Iterator
from random import Random
from typing import Any

from companion.games.tippi_toppi.deck import load_goals
from companion.games.tippi_toppi.game import GAME
from companion.rules import tippi_toppi as rules
from companion.rules.tippi_toppi import NAMES, State
from tests.rules.texts import Texts

NAMED = ("Ann", "Bob", "Cem", "Dia")
TOPS = ("green7", "orange7", "pink2", "pink3")
GOALS = ("only green orange", "sum all 28", "count green 4", "run 4 ascending")
after = Texts(rules).after


def sit(seats: int = 3, **options: Any) -> State:
    """Return a game as the companion opens it: no card and no goal is known."""
    chosen = GAME.parse_options(options, seats)
    return rules.initial(seats, chosen, GAME.setup(0))


def dealt(seats: int = 3, **options: Any) -> State:
    """Return a game whose piles are TOPS and whose open goals are GOALS."""
    lays = (f"lay {card}" for card in TOPS)
    return after(sit(seats, **options), *lays, *(f"goal {goal}" for goal in GOALS))


def shuffled(rng: Random, seats: int, told: str) -> State:
    """Return a game of which the engine knows all, or its goals and some hands."""
    cards = rng.sample([name for name in NAMES for _ in range(2)], 56)
    goals = rng.sample(load_goals().cards, 22)
    hands = [None if rng.random() < 0.4 else cards[4 * s : 4 * s + 4] for s in range(seats)]
    known = {"deck": cards} if told == "deck" else {"hands": hands}
    options = {"open_hands": rng.random() < 0.3, "high_speed": rng.random() < 0.2}
    return rules.initial(seats, GAME.parse_options(options, seats), {**known, "goals": goals})


def known_walk(rng: Random) -> Iterator[State]:
    """Yield the states of a game in which secrets are known to the engine."""
    state = shuffled(rng, rng.randint(1, 4), rng.choice(("deck", "hands")))
    while actions := rules.legal_actions(state):
        yield state
        state = rules.apply(state, rng.choice(actions))
    yield state
