"""What may happen next in Tippi Toppi, and when nobody can play on."""

from collections import Counter
from collections.abc import Iterable
from functools import cache

from companion.rules.tippi_toppi.cards import (
    CARDS,
    DREW,
    FITS,
    HIDDEN,
    LAID,
    MET,
    PLAYED,
    STUCK,
    TIME_UP,
    Action,
    Card,
    Revealed,
    fits,
    played_by,
)
from companion.rules.tippi_toppi.goals import all_goals, has_other
from companion.rules.tippi_toppi.hands import hidden, is_known, known_of
from companion.rules.tippi_toppi.state import Hand, State


def legal_actions(state: State) -> tuple[Action, ...]:
    """Return what may happen next; empty if and only if the game is over.

    `HandDeclared` is accepted for any hand, but not listed: there are too many hands.
    """
    if state.phase == "play":
        if state.options.high_speed:
            plays: tuple[Action, ...] = (*_fast_plays(state), TIME_UP)
        else:
            hand = state.hands[state.seat]
            plays = tuple(_plays(hand, state)) if hand and hand[0] >= 0 else _blind_plays(state)
        return (*plays, *_judgements(state)) if has_other(state.goals) else plays
    more = (TIME_UP,) if state.options.high_speed else ()
    if state.phase == "goal":
        return (*_goals_to_come(state), *more)
    if state.phase == "draw":
        drawn = (*(DREW[card] for card in sorted(hidden(state))), DREW[HIDDEN], *more)
        return (*drawn, MET) if has_other(state.goals) else drawn
    if state.phase == "lay":
        return tuple(LAID[card] for card in sorted(hidden(state)))
    return ()


def _plays(cards: tuple[Card, ...], state: State) -> list[Action]:
    """Return the plays of *cards*, like ones side by side (TP-4)."""
    tops = state.tops
    plays: list[Action] = []
    before = HIDDEN
    for card in cards:
        if card != before:
            for pile, top in enumerate(tops):
                if FITS[top] >> card & 1:
                    plays.append(PLAYED[card][pile])
            before = card
    return plays


def candidates(state: State, hand: Hand) -> Iterable[Card]:
    """Return the kinds of card that may be in *hand*, each once (TP-18)."""
    if is_known(hand):
        return dict.fromkeys(hand or ())
    return dict.fromkeys((*known_of(hand), *sorted(hidden(state))))


def _fast_plays(state: State) -> tuple[Action, ...]:
    if None in state.hands:
        return _blind_plays(state)
    plays: list[Action] = [
        played_by(seat, card, pile)
        for seat, hand in enumerate(state.hands)
        for card in candidates(state, hand)
        for pile, top in enumerate(state.tops)
        if fits(card, top)
    ]
    return (*plays, STUCK) if _may_be_stuck(state) else tuple(plays)


def _blind_plays(state: State) -> tuple[Action, ...]:
    """Return the plays of cards that may still be held, and being stuck if it may be (TP-18)."""
    plays = _plays(tuple(candidates(state, state.hands[state.seat])), state)
    return (*plays, STUCK) if _may_be_stuck(state) else tuple(plays)


def _judgements(state: State) -> tuple[Action, ...]:
    """Return what players say of an open goal that they check themselves (TP-7).

    It is met; or it is not, and nobody can play on, if that is certain.
    """
    return (MET, STUCK) if stuck_now(state) else (MET,)


def _may_be_stuck(state: State) -> bool:
    """Tell whether the hand to play, or all in High Speed, may be without a card that fits."""
    hands = state.hands if state.options.high_speed else (state.hands[state.seat],)
    if any(_fits_any(card, state) for hand in hands for card in known_of(hand)):
        return False
    if None in hands:
        covert = CARDS - sum(map(len, state.piles)) - state.cards_left
    else:
        covert = sum(hand.count(HIDDEN) for hand in hands if hand)
    idle = sum(copies for card, copies in hidden(state).items() if not _fits_any(card, state))
    return 0 < covert <= idle


def _fits_any(card: Card, state: State) -> bool:
    return any(fits(card, top) for top in state.tops)


def _goals_to_come(state: State) -> tuple[Action, ...]:
    deck = state.options.goal_deck
    if not deck:
        return tuple(map(_revealed, all_goals()))
    left = Counter(deck)
    left.subtract(goal.text for goal in (*state.goals, *state.met))
    texts = [text for text, copies in left.items() if copies > 0]
    # A deck that the cards on the table have used up was not the right one: anything may come.
    return tuple(map(_revealed, texts or all_goals()))


@cache
def _revealed(text: str) -> Revealed:
    return Revealed(text)


def stuck_now(state: State) -> str:
    """Return the clause by which *state* is lost because nobody can play on, "" if not."""
    hands, fast = state.hands, state.options.high_speed
    hand = hands[state.seat]
    if hand is None:
        return "" if sum(map(len, state.piles)) < CARDS else "TP-13"
    first, second, third, fourth = state.tops
    fitting = FITS[first] | FITS[second] | FITS[third] | FITS[fourth]
    cards = tuple([card for other in hands for card in other or ()]) if fast else hand
    for card in cards:
        if card < 0 or fitting >> card & 1:
            return ""
    if not any(hands):
        return "TP-13"
    return "TP-14" if fast else "TP-12"
