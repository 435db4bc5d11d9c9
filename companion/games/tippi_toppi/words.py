"""Tippi Toppi in words: its cards, its goals and what happens."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from companion.colours import COLOURS
from companion.language.message import Message, listed, mark, say, say_as
from companion.rules import tippi_toppi
from companion.rules.tippi_toppi import NAMES

Hue: TypeAlias = Callable[[str], Any]
"""Returns what stands for a colour in a text: its word, or markup that shows it too."""

_PLAIN: Final[Mapping[str, Message]] = {
    "different colours": say("four different colours"),
    "different numbers": say("four different numbers"),
    "different both": say("four different colours and four different numbers"),
    "same colour": say("all four of one colour"),
    "same number": say("all four of one number"),
    "pairs colours": say("two of one colour and two of another"),
    "pairs numbers": say("two of one number and two of another"),
    "parity even": say("all numbers even"),
    "parity odd": say("all numbers odd"),
    "parity alternating": say("even and odd alternating"),
    "run 3": say("three consecutive numbers"),
    "run 4": say("four consecutive numbers"),
    "run 3 ascending": say("three consecutive numbers, side by side, rising from left to right"),
    "run 4 ascending": say("four consecutive numbers, side by side, rising from left to right"),
    "run 3 either": say("three consecutive numbers, side by side, rising in either direction"),
    "run 4 either": say("four consecutive numbers, side by side, rising in either direction"),
    "run 3 any": say("three consecutive numbers, on any piles"),
    "run 4 any": say("four consecutive numbers, on any piles"),
    "other": say("a goal that you check yourselves"),
}
"""Goals that name neither a colour nor a number of their own."""
_OF_A_COLOUR: Final = (
    mark("no {colour}"),
    mark("exactly one {colour}"),
    mark("exactly two {colour}"),
    mark("exactly three {colour}"),
    mark("exactly four {colour}"),
)
_OF_A_NUMBER: Final = (
    mark("no {number}s"),
    mark("exactly one {number}"),
    mark("exactly two {number}s"),
    mark("exactly three {number}s"),
    mark("exactly four {number}s"),
)
_OF_ONE_COLOUR: Final[Mapping[str, str]] = {
    "adjacent": mark("exactly two {colour}, side by side"),
    "apart": mark("exactly two {colour}, not side by side"),
    "alternate": mark("{colour} on piles 1 and 3, or on 2 and 4"),
}
_OF_TWO_COLOURS: Final[Mapping[str, str]] = {
    "equal": mark("{one} and {other} add up to the same"),
    "double": mark("{one} adds up to twice as much as {other}"),
    "only": mark("only {one} and {other}"),
}


def colour_words(colour: str) -> Message:
    """Return the word for *colour*."""
    return COLOURS[colour].words


def card_words(card: str) -> Message:
    """Return the name of *card*.

    >>> card_words("green7")
    'green 7'
    """
    return tippi_toppi.card_words(NAMES.index(card))


def pile_words(pile: int) -> Message:
    """Return the name of a pile, counted from 1."""
    return say("pile {number}", number=pile + 1)


def goal_words(goal: str, hue: Hue = colour_words) -> str:
    """Return what *goal* asks of the four top cards.

    >>> goal_words("sum pink 4"), goal_words("adjacent pink")
    ('pink adds up to 4', 'exactly two pink, side by side')
    """
    if goal in _PLAIN:
        return _PLAIN[goal]
    match goal.split():
        case ["sum", "all", number]:
            return say("all four add up to {number}", number=number)
        case ["sum", colour, number]:
            return say("{colour} adds up to {number}", colour=hue(colour), number=number)
        case ["count", value, number] if value.isdigit():
            return say(_OF_A_NUMBER[int(number)], number=value)
        case ["count", colour, number]:
            return say(_OF_A_COLOUR[int(number)], colour=hue(colour))
        case [("equal" | "double" | "only") as kind, one, other]:
            return say(_OF_TWO_COLOURS[kind], one=hue(one), other=hue(other))
        case [("adjacent" | "apart" | "alternate") as kind, colour]:
            return say(_OF_ONE_COLOUR[kind], colour=hue(colour))
        case ["below", number]:
            return say("all numbers below {number}", number=number)
        case ["above", number]:
            return say("all numbers above {number}", number=number)
    return goal


def goal_label(goal: str, hue: Hue = colour_words) -> Any:
    """Return what of *goal* its kind leaves open: a short text below a heading for the kind.

    >>> goal_label("sum pink 4"), goal_label("double pink green"), goal_label("run 3")
    ('pink 4', 'pink = 2 × green', 'three consecutive numbers')
    """
    match goal.split():
        case ["sum", "all", number]:
            return number
        case ["sum", colour, number]:
            return say_as("a sum", "{colour} {number}", colour=hue(colour), number=number)
        case ["count", what, number]:
            named = what if what.isdigit() else hue(what)
            return say_as("how many", "{number} × {what}", number=number, what=named)
        case ["equal", one, other]:
            return say("{one} = {other}", one=hue(one), other=hue(other))
        case ["double", one, other]:
            return say("{one} = 2 × {other}", one=hue(one), other=hue(other))
        case ["only", one, other]:
            return say("{one} and {other}", one=hue(one), other=hue(other))
        case ["adjacent" | "apart" | "alternate", colour]:
            return hue(colour)
    return goal_words(goal, hue)


def action_words(action: str, players: Sequence[str] = ()) -> str:
    """Return *action* in words; of a hand, the cards that were entered.

    >>> action_words("hand 1", ["Ann", "Bob"]), action_words("play green7 0")
    ('Bob enters the whole hand', 'green 7 on pile 1')
    """
    match action.split():
        case ["play", card, pile, *_]:
            number = int(pile) + 1
            return say("{card} on pile {number}", card=card_words(card), number=number)
        case ["lay", card]:
            return say("{card} starts a pile", card=card_words(card))
        case ["goal", *goal]:
            return say("new goal: {goal}", goal=goal_words(" ".join(goal)))
        case ["met"]:
            return say("a goal that you check yourselves is met")
        case ["drew", "hidden"]:
            return say("a card is drawn")
        case ["drew", card]:
            return say("{card} is drawn", card=card_words(card))
        case ["hand", seat, *cards]:
            return _hand_words(int(seat), cards, players)
        case ["stuck"]:
            return say("no card fits")
        case ["time"]:
            return say("time is up")
    return action


def _hand_words(seat: int, cards: Sequence[str], players: Sequence[str]) -> Message:
    player = players[seat] if players else say("Player {number}", number=seat + 1)
    if not cards:
        return say("{player} enters the whole hand", player=player)
    held = listed(map(card_words, cards), "units")
    return say("{player} holds {cards}", player=player, cards=held)


def ending_words(state: tippi_toppi.State, players: Sequence[str]) -> Message:
    """Return how and why the game is over."""
    match state.ended_by:
        case "TP-11":
            return say("Won: all goals are met")
        case "TP-12":
            return say("Lost: {player} cannot play a card", player=players[state.seat])
        case "TP-13":
            return say("Lost: no cards are left, and a goal is still open")
    if state.time_up:
        return say("Lost: the five minutes are up")
    return say("Lost: nobody can play a card")
