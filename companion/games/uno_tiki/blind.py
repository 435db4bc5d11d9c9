"""A state of UNO Tiki without anything hidden, and what lies open of it."""

from typing import Any

from companion.referee.game import EMPTY, Table
from companion.rules import uno_tiki
from companion.rules.uno_tiki import HIDDEN, State


def without_hands(state: State) -> State:
    """Return *state* without what hands and deck hold: what may follow gives no card away."""
    hands = tuple((HIDDEN,) * len(hand) for hand in state.hands)
    return state._replace(hands=hands, deck=(), shuffled=False, drawn="")


def public_view(state: State) -> dict[str, Any]:
    """Return what the rules let a bystander know, without the long list of the deck."""
    seen = uno_tiki.view(state, None)
    seen["options"] = {key: value for key, value in seen["options"].items() if key != "deck"}
    return seen


def shown(state: State) -> Table:
    """Return the top card of the discard pile, and the face in the idol.

    Between two rounds the old pile may lie there still, until the cards are gathered; so may
    the old face.
    """
    unknown = None if state.match.rounds and not state.discard else EMPTY
    card = state.discard[-1] if state.discard else unknown
    return card, state.idol[-1] if state.idol else unknown
