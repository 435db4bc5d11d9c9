"""Hands of Tippi Toppi, as far as they are known: wholly, in part, or not at all (TP-18)."""

from bisect import insort
from collections import Counter

from companion.language.message import listed, say, say_count
from companion.rules.base import IllegalAction
from companion.rules.tippi_toppi.cards import COPIES, HIDDEN, KINDS, Card, card_words
from companion.rules.tippi_toppi.state import Hand, State


def add(hand: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    """Return *hand* with *card*, still in order."""
    more = list(hand)
    insort(more, card)
    return tuple(more)


def is_known(hand: Hand) -> bool:
    """Tell whether every card of *hand* is known."""
    return hand is not None and (not hand or hand[0] != HIDDEN)


def known_of(hand: Hand) -> tuple[Card, ...]:
    """Return the cards of *hand* that are known."""
    return tuple(card for card in hand or () if card != HIDDEN)


def unseen(state: State) -> Counter[Card]:
    """Return how many cards of each kind have not been laid yet; everybody may know that (TP-4)."""
    laid = Counter(card for pile in state.piles for card in pile)
    return Counter({card: COPIES - laid[card] for card in KINDS if laid[card] < COPIES})


def hidden(state: State) -> Counter[Card]:
    """Return the cards that the engine cannot place: hidden in hands or to be drawn (TP-18)."""
    left = unseen(state)
    left.subtract(state.deck)
    for hand in state.hands:
        left.subtract(known_of(hand))
    return +left


def declare(state: State, seat: int, cards: tuple[Card, ...]) -> tuple[Hand, ...]:
    """Return the hands of *state* when all cards of *seat* have been entered (TP-18)."""
    if not 0 <= seat < len(state.hands):
        raise IllegalAction(say("nobody sits at that seat"), "TP-18")
    hand = state.hands[seat]
    if hand is None:
        raise IllegalAction(
            say("in High Speed, hands are entered during set-up or not at all"), "TP-14"
        )
    if len(cards) != len(hand):
        wrong = say_count(
            "that hand holds one card, not {entered}",
            "that hand holds {number} cards, not {entered}",
            len(hand),
            entered=len(cards),
        )
        raise IllegalAction(wrong, "TP-18")
    known, declared = Counter(known_of(hand)), Counter(cards)
    if not known <= declared:
        held = listed(map(card_words, known.elements()))
        raise IllegalAction(
            say(
                "the entered hand leaves out {cards}, which this player is known to hold",
                cards=held,
            ),
            "TP-18",
        )
    possible = hidden(state) + known
    for card, copies in declared.items():
        if copies > possible[card]:
            gone = say("{card} can no longer be in that hand", card=card_words(card))
            raise IllegalAction(gone, "TP-18")
    return (*state.hands[:seat], tuple(sorted(cards)), *state.hands[seat + 1 :])
