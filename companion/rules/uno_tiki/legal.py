"""What may happen next in UNO Tiki."""

from collections.abc import Iterable
from typing import Final

from companion.rules.uno_tiki.cards import (
    COLOUR,
    COLOURS,
    DISCARDED,
    DREW,
    KEPT,
    KINDS,
    NAMED,
    PASSED,
    TOOK,
    Action,
    Called,
    Card,
    Caught,
    Chosen,
    Counted,
    Cut,
    TurnedUp,
    fitting,
    spins,
)
from companion.rules.uno_tiki.rounds import counts, size, to_count, unseen
from companion.rules.uno_tiki.state import State

OPEN: Final = ("play", "spin", "choose")  # UT-15: while somebody can be caught


def turn(state: State) -> int | None:
    """Return the seat to act; None while chance or the people say what happened, or at the end."""
    if state.phase in ("play", "drawn", "colour", "choose"):
        return state.seat
    return state.target if state.phase == "discard" else None


def legal_actions(state: State) -> tuple[Action, ...]:
    """Return what may happen next; empty if and only if the game is over."""
    phase, seat = state.phase, state.seat
    actions: list[Action] = []
    if phase == "play":
        fits = fitting(state.colour, state.symbol)
        hand = state.hands[seat]
        before = ""
        for card in hand if isinstance(hand, tuple) else held(state):
            if card != before and card in fits:
                actions += fits[card]
            before = card
        actions.append(DREW)
    elif phase == "drawn" and state.drawn:
        return (*fitting(state.colour, state.symbol).get(state.drawn, ()), PASSED)
    elif phase == "drawn":
        fits = fitting(state.colour, state.symbol)
        for card in held(state):
            actions += fits.get(card, ())
        actions.append(PASSED)
    elif phase == "spin":
        actions += spins(len(state.hands))
    elif phase == "discard":
        actions += _discards(state)
    else:
        return _observations(state)
    if state.exposed >= 0 and phase in OPEN:
        actions += (Called(state.exposed), Caught(state.exposed))
    return tuple(actions)


def _observations(state: State) -> tuple[Action, ...]:
    match state.phase:
        case "choose":
            called = (Called(state.exposed), Caught(state.exposed)) if state.exposed >= 0 else ()
            return (*map(Chosen, state.between), *called)
        case "draw":
            return tuple(map(TOOK.__getitem__, dict.fromkeys(state.deck) or held(state)))
        case "colour":
            return NAMED
        case "turn_up":
            return tuple(map(TurnedUp, held(state)))
        case "cut":
            return tuple(Cut(card) for card, copies in state.options.deck if copies)
        case "count":
            return tuple(Counted(to_count(state), points) for points in counts(state))
        case _:
            return ()


def held(state: State) -> Iterable[Card]:
    """Return the kinds of card that may be in a hidden hand or drawn next (UT-20)."""
    left = unseen(state)
    # A census that the table has used up was not the right one: any card may come.
    return [card for card in KINDS if left[card]] or KINDS


def _discards(state: State) -> list[Action]:
    """Return what the chosen player may do about a Discard 2 or a Discard All (UT-13)."""
    hand = state.hands[state.target]
    known = isinstance(hand, tuple)
    cards = dict.fromkeys(hand if isinstance(hand, tuple) else held(state))
    colour = wanted(state)
    found: list[Action] = [
        DISCARDED[card] for card in cards if not colour or COLOUR[card] == colour
    ]
    untouched = state.owed in (2, -1)
    pair = state.options.discard_two == "two_or_none" and not colour
    if pair and untouched and size(hand) < 2:
        found = []
    if untouched or not (pair or (colour and known)) or not found:
        found.append(KEPT)
    return found


def wanted(state: State) -> str:
    """Return the colour of a Discard All that is showing, "" for a Discard 2."""
    face = state.idol[-1].removeprefix("tiki-discard-")
    return face if face in COLOURS else ""


def may_go(state: State, card: Card) -> bool:
    """Tell whether *card* may be discarded for the face that is showing."""
    colour = wanted(state)
    return not colour or COLOUR[card] == colour
