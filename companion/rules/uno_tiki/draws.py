"""Drawing in UNO Tiki (UT-5, UT-12, UT-16), and how play goes on after it."""

from bisect import bisect_left
from typing import Final

from companion.language.message import say
from companion.rules.base import IllegalAction
from companion.rules.uno_tiki.cards import HIDDEN, Card
from companion.rules.uno_tiki.hands import add, is_known
from companion.rules.uno_tiki.naming import CARD_WORDS
from companion.rules.uno_tiki.rounds import end_round, reshuffle
from companion.rules.uno_tiki.state import Hand, Pending, Phase, State

CAUGHT: Final = 2  # UT-15: cards for not having called


def advance(state: State) -> State:
    """Return *state* with the turn at the next seat, or the one after (UT-7)."""
    steps = state.way * (2 if state.skip else 1)
    passed = state.copy()
    passed.phase, passed.seat = "play", (state.seat + steps) % len(state.hands)
    passed.skip, passed.target, passed.owed, passed.drawn = False, -1, 0, ""
    return passed


def resume_order(state: State) -> State:
    """Return *state* after the idol's action: play goes on in order, or the round is over."""
    return end_round(state) if state.out >= 0 else advance(state)


def draw_for_turn(state: State) -> State:
    """Return the state after the seat to act drew instead of playing (UT-5)."""
    if state.phase != "play":
        over = state.phase == "over"
        message = say("the game is over") if over else say("no card can be drawn for a turn now")
        raise IllegalAction(message, "UT-19" if over else "UT-5")
    seat, deck, hands = state.seat, state.deck, state.hands
    if not deck or state.shuffled:
        unexposed = state.copy()
        unexposed.exposed = -1
        return give(unexposed, seat, 1, "drawn")
    card = deck[0]
    drew = _drew(state, seat, add(hands[seat], card), deck[1:])
    drew.phase, drew.drawn = "drawn", card
    drew.exposed, drew.idle = -1, 0
    return drew


def give(state: State, seat: int, number: int, after: Phase) -> State:
    """Return the state after *seat* drew *number* cards, or as far as they are known.

    Where the order of the cards is unknown, each card drawn into a hand that is wholly known is
    asked for; another hand has one more hidden card (UT-20).
    after: the phase that follows, "over" for play going on in order.
    """
    card = HIDDEN
    drawn = 0
    while drawn < number:
        if not state.deck_size:  # there was nothing to shuffle when the last card was drawn
            state = reshuffle(state)
            if not state.deck_size:
                break
        hand = state.hands[seat]
        if state.deck and not state.shuffled:
            card = state.deck[0]
            state = _drew(state, seat, add(hand, card), state.deck[1:])
        elif is_known(hand):
            asking = state.copy()
            asking.phase, asking.target, asking.owed = "draw", seat, number - drawn
            asking.after = after
            if state.exposed == seat:
                asking.exposed = -1
            return asking
        else:
            state = _drew(state, seat, (HIDDEN, *hand), ())
        drawn += 1
    return _drawn(state, after, card, drawn)


def draw_as_caught(state: State) -> State:
    """Return the state after the exposed seat was caught: it draws two cards (UT-15).

    Whoever is drawing draws first, so that it does not matter whose cards are known; a discard
    goes on afterwards.
    """
    seat, phase = state.exposed, state.phase
    state = state._replace(exposed=-1)
    if phase == "draw":
        return state._replace(pending=Pending("draw", seat, CAUGHT))
    if phase == "discard":
        state = state._replace(pending=Pending("discard", state.target, state.owed))
    return give(state, seat, CAUGHT, phase)


def _drew(state: State, seat: int, hand: Hand, deck: tuple[Card, ...]) -> State:
    """Return a new state after *seat* drew a card, so that it holds *hand*."""
    hands = list(state.hands)
    hands[seat] = hand
    drew = state.copy()
    drew.hands, drew.deck, drew.deck_size = tuple(hands), deck, state.deck_size - 1
    drew.shuffled = state.shuffled and bool(deck)
    if state.exposed == seat:  # UT-15: with more than one card there is no UNO to call
        drew.exposed = -1
    return drew if drew.deck_size > 0 else reshuffle(drew)


def _drawn(state: State, after: Phase, card: Card, number: int) -> State:
    """Return *state* when the drawing is over."""
    if state.pending:
        phase, seat, owed = state.pending
        state = state._replace(phase=phase, target=seat, owed=owed, pending=None)
        return give(state, seat, owed, after) if phase == "draw" else state
    if after == "over":
        return resume_order(state)
    if after != "drawn":
        return state._replace(phase=after, target=-1, owed=0)
    if number:
        after_drawing = state.copy()
        after_drawing.phase, after_drawing.drawn, after_drawing.idle = "drawn", card, 0
        after_drawing.target, after_drawing.owed = -1, 0
        return after_drawing
    idle = state.idle + 1
    if idle >= len(state.hands):  # UT-21: nobody can draw, and nobody plays
        return end_round(state._replace(out=-1))
    return advance(state._replace(idle=idle))


def take(state: State, card: Card) -> State:
    """Return the state after a known hand drew *card*, which may be HIDDEN (UT-16, UT-20)."""
    if state.phase != "draw":
        raise IllegalAction(say("nobody has to enter a drawn card now"), "UT-16")
    seat, deck = state.target, state.deck
    if not card:
        deck = ()  # one of them is gone, and nobody says which
    elif deck:
        place = bisect_left(deck, card)  # it is in order, since nobody knows that of the cards
        if deck[place : place + 1] != (card,):
            words = say("{card} is not in the draw pile", card=CARD_WORDS[card])
            raise IllegalAction(words, "UT-16")
        deck = deck[:place] + deck[place + 1 :]
    after = _drew(state, seat, add(state.hands[seat], card), deck)
    if state.owed > 1:
        return give(after, seat, state.owed - 1, state.after)
    return _drawn(after, state.after, card, 1)
