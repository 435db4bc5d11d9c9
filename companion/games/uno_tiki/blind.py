"""A state of UNO Tiki without anything hidden."""

from companion.rules.uno_tiki import HIDDEN, State


def without_hands(state: State) -> State:
    """Return *state* without what hands and deck hold: what may follow gives no card away."""
    hands = tuple((HIDDEN,) * len(hand) for hand in state.hands)
    return state._replace(hands=hands, deck=(), shuffled=False, drawn="")
