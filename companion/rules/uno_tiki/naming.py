"""What the cards of UNO Tiki are called, as messages."""

from collections.abc import Mapping
from typing import Final

from companion.colours import COLOURS as PLAYER_COLOURS
from companion.language.message import Message, mark, say, say_as
from companion.rules.uno_tiki.cards import COLOUR, COLOURS, IS_WILD, KINDS, NUMBERS, SYMBOL, Card

COLOUR_WORDS: Final[Mapping[str, Message]] = {
    colour: PLAYER_COLOURS[colour].words for colour in COLOURS
}
SYMBOL_WORDS: Final[Mapping[str, str]] = {
    **{number: number for number in NUMBERS},
    "skip": say_as("a card", "Skip"),
    "reverse": say_as("a card", "Reverse"),
}
FACES: Final[Mapping[Card, Message]] = {
    "tiki-draw1": say("Draw {number}", number=1),
    "tiki-draw2": say("Draw {number}", number=2),
    "tiki-draw4": say("Draw {number}", number=4),
    "tiki-discard2": say("Discard {number}", number=2),
    "tiki-discard-red": say("Discard all red"),
    "tiki-discard-yellow": say("Discard all yellow"),
    "tiki-discard-green": say("Discard all green"),
    "tiki-discard-blue": say("Discard all blue"),
    "tiki-goto": say_as("a card", "Go To"),
}
"""What the Tiki Faces make the chosen player do."""

_COLOURED: Final[Mapping[str, str]] = {
    "red": mark("red {symbol}"),
    "yellow": mark("yellow {symbol}"),
    "green": mark("green {symbol}"),
    "blue": mark("blue {symbol}"),
}


def pile_words(colour: str, symbol: str) -> Message:
    """Return what has to be matched, such as "red 7"; the colour alone on a Wild."""
    if not symbol:
        return COLOUR_WORDS[colour]
    return say(_COLOURED[colour], symbol=SYMBOL_WORDS[symbol])


def _name(card: Card) -> Message:
    if card in FACES:
        return say("Tiki Face {face}", face=FACES[card])
    wild = say_as("a card", "Wild")
    plain = wild if card in IS_WILD else pile_words(COLOUR[card], SYMBOL[card])
    return say("{card} with Spin", card=plain) if card.endswith("-spin") else plain


CARD_WORDS: Final[Mapping[Card, Message]] = {card: _name(card) for card in KINDS}
"""The name of every card, such as "red 7 with Spin" or "Tiki Face Draw 4"."""
