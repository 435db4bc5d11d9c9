"""Hands of UNO Tiki, as far as they are known: wholly, in part, or not at all (UT-20)."""

from bisect import insort
from collections import Counter
from collections.abc import Iterable

from companion.language.message import listed, say, say_count
from companion.rules.base import IllegalAction
from companion.rules.uno_tiki.cards import HIDDEN, KINDS, POINTS, Card, possible_points
from companion.rules.uno_tiki.naming import CARD_WORDS
from companion.rules.uno_tiki.state import Hand, State


def add(hand: Hand, card: Card) -> Hand:
    """Return *hand* with *card*, still in order."""
    more = list(hand)
    insort(more, card)
    return tuple(more)


def without(hand: Hand, card: Card, *, prefer_hidden: bool = False) -> Hand:
    """Return *hand* without one *card*, or without a hidden one where it is not known there."""
    hidden = card not in hand or (prefer_hidden and hand[0] == HIDDEN)
    place = 0 if hidden else hand.index(card)
    return hand[:place] + hand[place + 1 :]


def is_known(hand: Hand) -> bool:
    """Tell whether every card of *hand* is known."""
    return not hand or hand[0] != HIDDEN


def distinct(cards: tuple[Card, ...]) -> list[Card]:
    """Return each of *cards*, which are in order and known, once."""
    found = []
    before = HIDDEN
    for card in cards:
        if card != before:
            found.append(card)
            before = card
    return found


def unseen(state: State) -> Counter[Card]:
    """Return the cards of the census that the engine cannot place: hidden in hands or to be drawn.

    A census that the cards on the table exceed is the owner's business (UT-20).
    """
    left = Counter(dict(state.options.deck))
    left.subtract(state.discard)
    left.subtract(state.idol)
    left.subtract(state.deck)
    for hand in state.hands:
        left.subtract(hand)
    return +left


def held(state: State) -> Iterable[Card]:
    """Return the kinds of card that a hidden card may be, in a hand or drawn next (UT-20)."""
    left = unseen(state)
    # A census that the table has used up was not the right one: any card may come.
    return [card for card in KINDS if left[card]] or KINDS


def candidates(state: State, seat: int) -> Iterable[Card]:
    """Return the kinds of card that *seat* may hold, each once."""
    hand = state.hands[seat]
    if hand and not hand[0]:  # a hidden card comes first
        return dict.fromkeys((*hand[hand.count(HIDDEN) :], *held(state)))
    return dict.fromkeys(hand)


def may_hold(hand: Hand, card: Card) -> bool:
    """Tell whether *card* may be in *hand*."""
    return card in hand or HIDDEN in hand


def declare(state: State, seat: int, cards: Hand) -> State:
    """Return *state* with all cards of *seat* known (UT-20)."""
    if state.phase in ("cut", "count", "over"):
        raise IllegalAction(
            say("a hand cannot be entered before the deal or after the round"), "UT-20"
        )
    if not 0 <= seat < len(state.hands):
        raise IllegalAction(say("nobody sits at that seat"), "UT-20")
    hand = state.hands[seat]
    if len(cards) != len(hand):
        raise IllegalAction(
            say_count(
                "that hand has {number} card, not {given}",
                "that hand has {number} cards, not {given}",
                len(hand),
                given=len(cards),
            ),
            "UT-20",
        )
    known = Counter(card for card in hand if card)
    if not known <= Counter(cards):
        cards_known = listed([CARD_WORDS[card] for card in known.elements()])
        raise IllegalAction(
            say(
                "the entered hand leaves out {cards}, which this player is known to hold",
                cards=cards_known,
            ),
            "UT-20",
        )
    return state._replace(
        hands=(*state.hands[:seat], tuple(sorted(cards)), *state.hands[seat + 1 :])
    )


def points_held(hand: Hand) -> int | None:
    """Return what *hand* is worth (UT-18), None if a card of it is hidden."""
    return sum(POINTS[card] for card in hand) if is_known(hand) else None


def possible_worth(state: State, seat: int) -> tuple[int, ...]:
    """Return what the hand of *seat* can be worth (UT-20)."""
    hand = state.hands[seat]
    worth: Counter[int] = Counter()
    for card, copies in unseen(state).items():
        worth[POINTS[card]] += copies
    known = sum(POINTS[card] for card in hand if card)
    hidden = possible_points(tuple(sorted(worth.items())), hand.count(HIDDEN))
    return tuple(known + points for points in hidden)
