"""How the companion plays UNO Tiki: tree search some turns ahead, and then a look at the hands.

Hidden hands and the cards to draw are dealt anew for each playout, from the deck less all that was
seen (UT-1, UT-20). Who is due to call UNO calls; the companion accuses nobody of not having called.
"""

import math
from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any, Final

from companion.players.effort import Effort
from companion.players.player import Valued, search_tree
from companion.players.search import Model
from companion.rules import uno_tiki as rules
from companion.rules.uno_tiki import (
    COLOURS,
    HIDDEN,
    KINDS,
    POINTS,
    Action,
    Called,
    Caught,
    Chosen,
    Discarded,
    Drew,
    Kept,
    Passed,
    Played,
    Spun,
    State,
)

RULES: Final[Any] = rules
PLAYOUTS: Final = {"gentle": 10, "fair": 50, "strong": 300}
DEPTH: Final = 14
"""Actions of a playout before the hands are estimated."""
CARD_ODDS: Final = 0.3
"""The logarithm by which a card less in the hand multiplies the odds of going out first."""
BETWEEN: Final = 0.2
"""How often the idol is taken to stop between two players."""
ROUND_POINTS: Final = 45
"""Points that the winner of a round gets for each opponent, about."""


def options(seen: State, seat: int) -> Sequence[Action]:
    """Return what *seat* may choose now: to call UNO before all else (UT-15).

    Whose hand is not wholly known has nothing to choose from.
    """
    legal = rules.legal_actions(seen)
    if seen.exposed == seat and Called(seat) in legal:
        return (Called(seat),)
    if rules.turn(seen) != seat or HIDDEN in seen.hands[seat]:
        return ()
    return [action for action in legal if type(action) is not Called and type(action) is not Caught]


def model(seen: State, seat: int) -> Model:
    """Return the game as a search for *seat* looks at it."""
    del seat
    return _Round(seen)


def evaluate(seen: State, seat: int, options: Sequence[Action], effort: Effort) -> Valued:
    """Return what each of *options* is worth to *seat*."""
    return search_tree(model(seen, seat), seat, options, PLAYOUTS, effort)


class _Round(Model):
    """Some turns ahead, and the game by the points that the round is likely to bring."""

    rules = rules
    depth = DEPTH

    def __init__(self, seen: State) -> None:
        self._seen = seen
        self._rounds = len(seen.match.rounds)
        self._hidden = list(rules.unseen(seen).elements())

    def world(self, rng: Random) -> State:
        seen, cards = self._seen, list(self._hidden)
        rng.shuffle(cards)
        while len(cards) < sum(hand.count(HIDDEN) for hand in seen.hands) + seen.deck_size:
            cards.append(rng.choice(KINDS))  # the deck has more cards than its census
        hands = []
        for hand in seen.hands:
            known = [card for card in hand if card]
            dealt = [cards.pop() for _ in range(len(hand) - len(known))]
            hands.append(tuple(sorted(known + dealt)))
        drawn = seen.drawn
        if seen.phase == "drawn" and not drawn:
            drawn = rng.choice(hands[seen.seat])
        deck = tuple(cards[: seen.deck_size])
        return seen._replace(hands=tuple(hands), deck=deck, drawn=drawn)

    def actions(self, state: State) -> Sequence[Action]:
        legal = rules.legal_actions(state)
        if state.exposed < 0:
            return legal
        return [each for each in legal if type(each) is not Called and type(each) is not Caught]

    def chance(self, state: State, rng: Random) -> Action:
        if state.phase == "spin":
            seats = len(state.hands)
            seat = rng.randrange(seats)
            if rng.random() >= BETWEEN:
                return Spun((seat,))
            return Spun(tuple(sorted((seat, (seat + 1) % seats))))
        if state.phase == "draw" and state.deck:
            return rules.Took(rng.choice(state.deck))
        return rng.choice(rules.legal_actions(state))

    def policy(self, state: State, rng: Random) -> Action:
        return _hasty(state, self.actions(state), rng)

    def shares(self, state: State) -> Sequence[float] | None:
        return self.estimate(state) if len(state.match.rounds) > self._rounds else None

    def estimate(self, state: State) -> Sequence[float]:
        """Return what the scores are worth, with the points that the round is likely to bring."""
        result, scores = rules.outcome(state), state.match.scores
        if result:
            won = 1 / len(result.winners)
            return [won if seat in result.winners else 0.0 for seat in range(len(scores))]
        sign = -1 if state.options.scoring == "lowest" else 1
        gain = ROUND_POINTS * (len(scores) - 1 if sign > 0 else 1)
        left = max(1.0, (state.options.target - max(scores)) / gain)
        scale = gain * math.sqrt(left) / 2
        points = [float(each) for each in scores]
        if len(state.match.rounds) == self._rounds:
            points = [a + b for a, b in zip(points, self._round_points(state), strict=True)]
        best = max(sign * each for each in points)
        odds = [math.exp((sign * each - best) / scale) for each in points]
        return [each / sum(odds) for each in odds]

    def _round_points(self, state: State) -> Sequence[float]:
        """Return the points that each seat gets in the round on average, by the cards it holds."""
        odds = [math.exp(-CARD_ODDS * len(hand)) for hand in state.hands]
        chances = [each / sum(odds) for each in odds]
        held = [sum(map(POINTS.__getitem__, hand)) for hand in state.hands]
        if state.options.scoring == "lowest":
            return [points * (1 - chance) for points, chance in zip(held, chances, strict=True)]
        total = sum(held)
        return [(total - points) * chance for points, chance in zip(held, chances, strict=True)]

    def prior(self, state: State, actions: Sequence[Action], actor: int) -> Sequence[float]:
        del state, actor
        return [0.3 if type(action) in (Drew, Passed, Kept) else 0.6 for action in actions]


def _hasty(state: State, actions: Sequence[Action], rng: Random) -> Action:
    """Return a likely action: to be rid of cards, dear ones first, and to keep the Wilds."""
    if state.phase == "choose":
        return _chosen(state, actions, rng)
    plays = [each for each in actions if type(each) is Played or type(each) is Discarded]
    if not plays:
        return actions[0] if state.phase == "discard" else rng.choice(actions)
    action = rng.choice(plays)
    if type(action) is Played and action.colour:
        plain = [each for each in plays if type(each) is Played and not each.colour]
        if plain and state.phase == "play":
            return rng.choice(plain)
        colours = Counter(card.partition("-")[0] for card in state.hands[state.seat])
        return Played(action.card, max(COLOURS, key=colours.__getitem__))
    return action


def _chosen(state: State, actions: Sequence[Action], rng: Random) -> Action:
    """Return whom to choose: oneself for a discard or Go To, another for drawing."""
    mine = [each for each in actions if type(each) is Chosen and each.seat == state.seat]
    others = [each for each in actions if each not in mine]
    draws = state.idol[-1].startswith("tiki-draw")
    return rng.choice((others or mine) if draws else (mine or others))
