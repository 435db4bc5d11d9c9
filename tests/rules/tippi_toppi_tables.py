"""Tables of Tippi Toppi: hands known, hidden and told in part."""

from collections import Counter
from typing import Any, Final

from companion.rules import tippi_toppi as game
from tests.rules.texts import Texts

_TEXTS: Final = Texts(game)
after, refused, listed = _TEXTS.after, _TEXTS.refused, _TEXTS.listed

DECK = [name for name in game.NAMES for _ in range(2)]


def table(
    tops: str, goals: list[str], hands: str = "", seats: int = 3, **options: Any
) -> game.State:
    """Return a game with these piles and goals; *hands* are seat by seat, four cards each."""
    front = [*hands.split(), *tops.split()]
    rest = list((Counter(DECK) - Counter(front)).elements())
    dealt = hands.split() or [rest.pop() for _ in range(4 * seats)]
    setup = {"deck": [*dealt, *tops.split(), *rest], "goals": goals}
    return game.initial(seats, {"goals": len(goals), **options}, setup)


def blind(tops: str, goals: list[str], seats: int = 3, **options: Any) -> game.State:
    """Return the same with hands unknown."""
    state = game.initial(seats, {"goals": len(goals), **options}, {"goals": goals})
    return after(state, *(f"lay {card}" for card in tops.split()))


HANDS = [["green7", "pink1", "pink2", "pink2"], None, ["green7", "orange3", "orange4", "purple5"]]


def partly_told(tops: str = "green1 pink4 orange5 purple3", **options: Any) -> game.State:
    """Return seat 0 about to play; the hands of seats 0 and 2 were told at the set-up."""
    chosen = {"goals": 1, **options}
    state = game.initial(3, chosen, {"hands": HANDS, "goals": ["sum all 28"]})
    return after(state, *(f"lay {card}" for card in tops.split()))
