"""What may happen next in UNO Tiki."""

from collections import Counter
from typing import Final

from companion.rules.uno_tiki.cards import (
    COLOUR,
    COLOURS,
    DISCARDED,
    DREW,
    HIDDEN,
    KEPT,
    NAMED,
    PASSED,
    TOOK,
    Action,
    Card,
    Counted,
    Cut,
    TurnedUp,
    calls,
    choices,
    fitting,
    spins,
)
from companion.rules.uno_tiki.hands import candidates, distinct, held, is_known
from companion.rules.uno_tiki.rounds import counts, to_count
from companion.rules.uno_tiki.state import State

OPEN: Final = ("play", "spin", "choose", "draw", "discard")  # UT-15: while one can be caught


def turn(state: State) -> int | None:
    """Return the seat to act; None while chance or the people say what happened, or at the end."""
    if state.phase in ("play", "drawn", "colour", "choose"):
        return state.seat
    return state.target if state.phase == "discard" else None


def legal_actions(state: State) -> tuple[Action, ...]:
    """Return what may happen next; empty if and only if the game is over.

    `HandDeclared` is accepted for a hand that has been dealt, but not listed: there are too many
    hands. Nor is drawing a hidden card from a pile whose cards are all known.
    """
    phase, seat = state.phase, state.seat
    actions: list[Action] = []
    if phase == "play":
        fits = fitting(state.colour, state.symbol)
        hand = state.hands[seat]
        for card in distinct(hand) if is_known(hand) else candidates(state, seat):
            actions += fits.get(card, ())
        actions.append(DREW)
    elif phase == "drawn" and state.drawn:
        return (*fitting(state.colour, state.symbol).get(state.drawn, ()), PASSED)
    elif phase == "drawn":
        fits = fitting(state.colour, state.symbol)
        hand = state.hands[seat]
        for card in dict.fromkeys(hand) if is_known(hand) else held(state):
            actions += fits.get(card, ())
        actions.append(PASSED)
    elif phase == "spin":
        actions += spins(len(state.hands)).values()
    elif phase == "discard":
        actions += _discards(state)
    else:
        actions += _observations(state)
    if state.exposed >= 0 and phase in OPEN:
        actions += calls(state.exposed)
    return tuple(actions)


def _observations(state: State) -> tuple[Action, ...]:
    match state.phase:
        case "choose":
            return choices(state.between)
        case "draw":
            if state.deck:  # in order, since nobody knows that of the cards
                return tuple([TOOK[card] for card in distinct(state.deck)])
            return (*(TOOK[card] for card in held(state)), TOOK[HIDDEN])
        case "colour":
            return NAMED
        case "turn_up":
            return tuple(map(TurnedUp, held(state)))
        case "cut":
            drawn = Counter(card for _, card in state.match.cuts)
            return tuple(Cut(card) for card, copies in state.options.deck if copies > drawn[card])
        case "count":
            return tuple(Counted(to_count(state), points) for points in counts(state))
        case _:
            return ()


def _discards(state: State) -> list[Action]:
    """Return what the chosen player may do about a Discard 2 or a Discard All (UT-13)."""
    hand = state.hands[state.target]
    cards = candidates(state, state.target)
    colour = wanted(state)
    found: list[Action] = [
        DISCARDED[card] for card in cards if not colour or COLOUR[card] == colour
    ]
    if state.owed == 2 and needs_two(state) and len(hand) < 2:
        found = []
    if may_keep(state):
        found.append(KEPT)
    return found


def needs_two(state: State) -> bool:
    """Tell whether two cards or none are discarded."""
    return state.options.discard_two == "two_or_none" and not wanted(state)


def may_keep(state: State) -> bool:
    """Tell whether the chosen player need not discard, or may be done (UT-13).

    With a hidden card in hand nobody but the player knows whether there is more of the colour.
    """
    if state.owed in (2, -1):
        return True
    if not wanted(state):
        return not needs_two(state)
    return not any(card and may_go(state, card) for card in state.hands[state.target])


def wanted(state: State) -> str:
    """Return the colour of a Discard All that is showing, "" for a Discard 2."""
    face = state.idol[-1].removeprefix("tiki-discard-")
    return face if face in COLOURS else ""


def may_go(state: State, card: Card) -> bool:
    """Tell whether *card* may be discarded for the face that is showing."""
    colour = wanted(state)
    return not colour or COLOUR[card] == colour
