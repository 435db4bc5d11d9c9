"""Tables of UNO Tiki: hands known, hidden and told in part."""

from typing import Any, Final

from companion.rules import uno_tiki as game
from tests.rules.texts import Texts

_TEXTS: Final = Texts(game)
after, refused, listed = _TEXTS.after, _TEXTS.refused, _TEXTS.listed

CENSUS = [card for card, copies in game.usual_census().items() for _ in range(copies)]
REST = "red-1 red-3 yellow-1 yellow-3 green-1"


def table(*hands: str, top: str = "red-7", idol: str = "", **options: Any) -> game.State:
    """Return seat 0 about to play with these hands known; the rest of the deck is to be drawn."""
    state = game.initial(len(hands), options, {"dealer": len(hands) - 1})
    state = after(state, *(f"turn {card}" for card in idol.split()), f"turn {top}")
    known = tuple(tuple(sorted(hand.split())) for hand in hands)
    state = state._replace(hands=known)
    left = tuple(game.unseen(state).elements())
    return state._replace(deck=left, deck_size=len(left))


def blind(seats: int = 3, top: str = "red-7", idol: str = "", **options: Any) -> game.State:
    """Return seat 0 about to play with hands unknown."""
    state = game.initial(seats, options, {"dealer": seats - 1})
    return after(state, *(f"turn {card}" for card in idol.split()), f"turn {top}")


def sizes(state: game.State) -> list[int]:
    """Return how many cards each seat holds."""
    found: list[int] = game.state_to_json(state)["hand_sizes"]
    return found


HANDS = [
    ["red-1", "red-3", "blue-1", "blue-3", "wild", "green-1", "green-3"],
    None,
    ["yellow-1", "yellow-3", "yellow-4", "yellow-6", "yellow-7", "red-0", "wild"],
]


def partly_told(top: str = "red-7", idol: str = "") -> game.State:
    """Return seat 0 about to play; the hands of seats 0 and 2 were told at the set-up."""
    state = game.initial(3, {}, {"dealer": 2, "hands": HANDS})
    return after(state, *(f"turn {card}" for card in idol.split()), f"turn {top}")
