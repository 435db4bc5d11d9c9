"""Words for the cards and actions of UNO Tiki."""

from collections.abc import Sequence
from typing import Final

from companion.rules import uno_tiki

TIKI: Final = "tiki"
"""What the reader calls any Tiki Face on the discard pile."""
FACES: Final = {
    "tiki-draw1": "Draw 1",
    "tiki-draw2": "Draw 2",
    "tiki-draw4": "Draw 4",
    "tiki-discard2": "Discard 2",
    **{f"tiki-discard-{colour}": f"Discard all {colour}" for colour in uno_tiki.COLOURS},
    "tiki-goto": "Go To",
}


def card_words(card: str) -> str:
    """Return the name of *card*.

    >>> card_words("red-7-spin"), card_words("tiki-draw4")
    ('red 7 with Spin', 'Tiki Face Draw 4')
    """
    if card == TIKI:
        return "a Tiki Face"
    if card in FACES:
        return f"Tiki Face {FACES[card]}"
    name, spin, _ = card.partition("-spin")
    colour, _, symbol = name.partition("-")
    words = f"{colour} {symbol.capitalize()}" if symbol else colour.capitalize()
    return f"{words} with Spin" if spin else words


def action_words(action: str, players: Sequence[str] = ()) -> str:
    """Return *action* in words.

    >>> action_words("spin between 0 1", ["Ann", "Bob"])
    'the idol points between Ann and Bob'
    """
    word, *rest = action.split()
    first, *others = rest or [""]
    who = _name(first, players)
    match word, rest:
        case "play", [card, colour]:
            return f"{card_words(card)}, {colour} from now on"
        case "play", [card]:
            return card_words(card)
        case "spin", ["void"]:
            return "less than a full turn: spin again"
        case "spin", ["between", *_]:
            names = " and ".join(_name(seat, players) for seat in others)
            return f"the idol points between {names}"
        case "discard", [card]:
            return f"discards {card_words(card)}"
        case "turn", [card]:
            end = "goes into the idol" if card in FACES else "starts the pile"
            return f"{card_words(card)} {end}"
        case "cut", [card]:
            return f"{card_words(card)} is drawn to choose the dealer"
        case "count", [_, points]:
            return f"{who} has {points} point{'' if points == '1' else 's'} in hand"
        case "colour", [colour]:
            return f"names {colour} to start"
    return _WORDS[word].format(who=who)


def _name(seat: str, players: Sequence[str]) -> str:
    """Return the name of *seat*, if it is a seat's number."""
    return players[int(seat)] if players and seat.isdigit() else f"seat {seat}"


_WORDS: Final = {
    "draw": "draws a card",
    "pass": "passes",
    "spin": "the idol points to {who}",
    "choose": "chooses {who}",
    "keep": "discards no more cards",
    "uno": "UNO!",
    "catch": "{who} did not call UNO and draws two",
    "drew": "a card is drawn, face down",
}
WANTS: Final = {
    "cut": "{name} draws a card to decide who deals",
    "turn_up": "{name} deals seven cards to each player and turns one up",
    "colour": "{name} names the starting colour",
    "play": "{name} plays a card, or draws one",
    "draw": "{name} draws",
    "drawn": "{name} plays the card just drawn, or passes",
    "spin": "{name} spins the idol",
    "choose": "{name} chooses: {either}",
    "discard": "{name} may discard",
    "count": "{name} counts the cards still in hand",
}
