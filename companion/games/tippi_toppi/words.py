"""Tippi Toppi in words: its cards, its goals and what happens."""

from collections.abc import Sequence
from typing import Final

_COUNTS: Final = ("no", "one", "two", "three", "four")
_ORDERS: Final = {
    "ascending": ", side by side, rising to the right",
    "either": ", side by side, rising to one side",
    "any": ", on any piles",
}
_UNLIKE: Final = {
    "colours": "four different colours",
    "numbers": "four different numbers",
    "both": "four different colours and four different numbers",
}
_ALIKE: Final = {
    "same colour": "all four of one colour",
    "same number": "all four of one number",
    "pairs colours": "two of one colour and two of another",
    "pairs numbers": "two of one number and two of another",
    "other": "a goal that you check yourselves",
}
_PARITIES: Final = {
    "even": "all numbers even",
    "odd": "all numbers odd",
    "alternating": "even and odd alternating",
}


def card_words(card: str) -> str:
    """Return the name of *card*.

    >>> card_words("green7")
    'green 7'
    """
    return f"{card[:-1]} {card[-1]}"


def pile_words(pile: int) -> str:
    """Return the name of a pile, counted from 1."""
    return f"pile {pile + 1}"


def goal_words(goal: str) -> str:
    """Return what *goal* asks of the four top cards.

    >>> goal_words("sum pink 4"), goal_words("adjacent pink")
    ('pink adds up to 4', 'exactly two pink, side by side')
    """
    if goal in _ALIKE:
        return _ALIKE[goal]
    match goal.split():
        case ["sum", "all", number]:
            return f"all four add up to {number}"
        case ["sum", colour, number]:
            return f"{colour} adds up to {number}"
        case ["equal", one, two]:
            return f"{one} and {two} add up to the same"
        case ["double", one, two]:
            return f"{one} adds up to twice as much as {two}"
        case ["count", what, number]:
            count = _COUNTS[int(number)]
            named = f"{what}{'s' * (number != '1')}" if what.isdigit() else what
            return f"no {named}" if number == "0" else f"exactly {count} {named}"
        case ["adjacent", colour]:
            return f"exactly two {colour}, side by side"
        case ["apart", colour]:
            return f"exactly two {colour}, not side by side"
        case ["alternate", colour]:
            return f"{colour} on piles 1 and 3, or on 2 and 4"
        case ["only", one, two]:
            return f"only {one} and {two}"
        case ["different", what]:
            return _UNLIKE[what]
        case ["run", number, *order]:
            how = _ORDERS[order[0]] if order else ""
            return f"{_COUNTS[int(number)]} consecutive numbers{how}"
        case [("below" | "above") as side, number]:
            return f"all numbers {side} {number}"
        case ["parity", which]:
            return _PARITIES[which]
    return goal


def action_words(action: str, players: Sequence[str]) -> str:
    """Return *action* in words; of a hand, the cards that were entered.

    >>> action_words("hand 1", ["Ann", "Bob"])
    'Bob enters the whole hand'
    """
    match action.split():
        case ["play", card, pile, *_]:
            return f"{card_words(card)} on {pile_words(int(pile))}"
        case ["lay", card]:
            return f"{card_words(card)} starts a pile"
        case ["goal", *goal]:
            return f"new goal: {goal_words(' '.join(goal))}"
        case ["met"]:
            return f"{goal_words('other')} is met"
        case ["drew", "hidden"]:
            return "a card is drawn"
        case ["drew", card]:
            return f"{card_words(card)} is drawn"
        case ["hand", seat, *cards]:
            name = players[int(seat)] if players else f"seat {seat}"
            if not cards:
                return f"{name} enters the whole hand"
            return f"{name} holds {', '.join(map(card_words, cards))}"
        case ["stuck"]:
            return "no card fits"
        case ["time"]:
            return "time is up"
    return action
