"""How the companion plays Tippi Toppi: a partner that sees its own hand and the table only.

All win together, so a tree search in which every seat wants the same serves: it finds plays that
meet goals, that let the next player meet one, and that keep everybody able to play. Hidden hands,
the cards to draw and the goals to come are drawn anew for each playout.
"""

import math
from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any, Final, NamedTuple

from companion.players.effort import Effort
from companion.players.player import Valued, search_tree
from companion.players.search import CHANCE, Model
from companion.rules import tippi_toppi as rules
from companion.rules.tippi_toppi import HIDDEN, Action, Played, State, all_goals, is_met
from companion.rules.tippi_toppi.cards import CARDS, HAND, Card, fits
from companion.rules.tippi_toppi.goals import OTHER_GOAL

RULES: Final[Any] = rules
PLAYOUTS: Final = {"gentle": 30, "fair": 120, "strong": 600}
DEPTH: Final = 8
"""Plays of a playout before it is estimated."""
PLAYS_PER_GOAL: Final = 2.6
"""Plays that a goal takes among players who see their own hands only, about."""
LOST: Final = 0.3
"""What a lost game counts, if all goals but the last were met."""
GOALS_SCALE: Final = 2.0
"""Goals ahead of that pace that multiply the odds of winning by e."""


def options(seen: State, seat: int) -> Sequence[Action]:
    """Return the plays of *seat*; being stuck and running out of time happen to players.

    In High Speed there are no turns: a seat may play at any time. Whose hand is not wholly known
    has nothing to choose from.
    """
    if seen.phase != "play" or HIDDEN in (seen.hands[seat] or (HIDDEN,)):
        return ()
    if not seen.options.high_speed and seen.seat != seat:
        return ()
    whose = seat if seen.options.high_speed else None
    legal = rules.legal_actions(seen)
    return [each for each in legal if isinstance(each, Played) and each.seat == whose]


def model(seen: State, seat: int) -> Model:
    """Return the game as a search for *seat* looks at it."""
    return _Table(seen, seat)


def evaluate(seen: State, seat: int, options: Sequence[Action], effort: Effort) -> Valued:
    """Return what each of *options* is worth to *seat*."""
    return search_tree(model(seen, seat), seat, options, PLAYOUTS, effort)


class _Table(Model):
    """Some plays ahead, and from there how the goals go beside the cards."""

    rules = rules
    depth = DEPTH

    def __init__(self, seen: State, seat: int) -> None:
        self._seen, self._seat = seen, seat
        self._hidden = list(rules.hidden(seen).elements())
        left = Counter(seen.options.goal_deck)
        left.subtract(goal.text for goal in (*seen.goals, *seen.met))
        texts = list(left.elements())
        self._texts = texts if len(texts) >= seen.goals_left else list(all_goals())
        self._left = seen.goals_left + len(seen.goals)

    def world(self, rng: Random) -> State:
        seen, cards = self._seen, list(self._hidden)
        rng.shuffle(cards)
        hands = []
        for hand in seen.hands:
            known = [card for card in hand or () if card != HIDDEN]
            size = HAND if hand is None else len(hand)
            drawn = [cards.pop() for _ in range(min(size - len(known), len(cards)))]
            hands.append(tuple(sorted(known + drawn)))
        coming = tuple(rng.sample(self._texts, seen.goals_left))
        deck = tuple(cards[: seen.cards_left])
        return seen._replace(hands=tuple(hands), deck=deck, coming=coming)

    def actor(self, state: State) -> int:
        if state.phase != "play":
            return CHANCE
        return self._seat if state.options.high_speed else state.seat

    def actions(self, state: State) -> Sequence[Action]:
        return [each for each in rules.legal_actions(state) if isinstance(each, Played)]

    def policy(self, state: State, rng: Random) -> Action:
        plays = self.actions(state)
        good = [play for play in plays if meets(state, play)]
        return rng.choice(good or plays)

    def shares(self, state: State) -> Sequence[float] | None:
        if state.phase == "over" and state.ended_by == "TP-11":
            return [1.0] * len(state.hands)
        # With a goal that people judge, the rules do not say that nobody can play on.
        judged = state.phase == "play" and state.goals[-1] is OTHER_GOAL
        if state.phase == "over" or (judged and not self.actions(state)):
            return [LOST * self._progress(state)] * len(state.hands)
        return None

    def estimate(self, state: State) -> Sequence[float]:
        """Return the odds of meeting the goals left with the plays left; nobody is stuck yet."""
        plays = state.cards_left + sum(len(hand or ()) for hand in state.hands)
        ahead = plays / PLAYS_PER_GOAL - state.goals_left - len(state.goals)
        return [1 / (1 + math.exp(-ahead / GOALS_SCALE))] * len(state.hands)

    def prior(self, state: State, actions: Sequence[Action], actor: int) -> Sequence[float]:
        del actor
        return [1.0 if meets(state, action) else 0.6 for action in actions]

    def _progress(self, state: State) -> float:
        return 1 - (state.goals_left + len(state.goals)) / self._left


def meets(state: State, play: Action) -> bool:
    """Tell whether *play* meets an open goal."""
    assert isinstance(play, Played)
    tops = (*state.tops[: play.pile], play.card, *state.tops[play.pile + 1 :])
    return any(is_met(goal, tops) for goal in state.goals)


class Wish(NamedTuple):
    """A pile that a seat would like to play on, and the text of the goal to be met next."""

    pile: int
    goal: str


def wish_of(seen: State, seat: int) -> Wish | None:
    """Return what *seat* tells the others while another plays.

    It is no more than the book allows (TP-10), and nothing in silence (TP-15).
    """
    hand, options = seen.hands[seat], seen.options
    is_anothers = seen.phase == "play" and seen.seat != seat and not options.high_speed
    if not is_anothers or options.silence or not hand or HIDDEN in hand:
        return None
    chances: Counter[tuple[int, str]] = Counter()
    for card in dict.fromkeys(hand):
        for pile, top in enumerate(seen.tops):
            if fits(card, top):
                for goal, copies in _ways_to_goals(seen, card, pile).items():
                    chances[pile, goal] += copies
    return Wish(*max(chances, key=chances.__getitem__)) if chances else None


def _ways_to_goals(seen: State, card: Card, pile: int) -> Counter[str]:
    """Return how many hidden cards meet each goal if *card* lies on *pile* by then.

    A goal that *card* meets by itself is met however the others play.
    """
    tops = (*seen.tops[:pile], card, *seen.tops[pile + 1 :])
    ways: Counter[str] = Counter()
    for goal in seen.goals:
        if is_met(goal, tops):
            ways[goal.text] += CARDS
        for other, copies in rules.hidden(seen).items():
            for place, top in enumerate(tops):
                after = (*tops[:place], other, *tops[place + 1 :])
                if place != pile and fits(other, top) and is_met(goal, after):
                    ways[goal.text] += copies
    return ways
