"""What people call the tikis and the cards of Tiki Topple."""

from typing import Final

from companion.language.message import Message, say, say_as
from companion.rules.tiki_topple.pieces import Card

# As the cards are printed; the box and the game are called like one of them.
CARD_WORDS: Final[dict[Card, Message]] = {
    "toast": say("Tiki Toast"),
    "topple": say_as("a card", "Tiki Topple"),
    "up1": say("Tiki Up 1"),
    "up2": say("Tiki Up 2"),
    "up3": say("Tiki Up 3"),
}
SHORT_CARD_WORDS: Final[dict[Card, Message]] = {
    "up1": say_as("a card", "Up 1"),
    "up2": say_as("a card", "Up 2"),
    "up3": say_as("a card", "Up 3"),
    "topple": say_as("a card", "Topple"),
    "toast": say_as("a card", "Toast"),
}
"""In the order in which a hand is shown."""


def tiki_name(tiki: str) -> str:
    """Return the name of *tiki*, the same in all languages.

    >>> tiki_name("nani")
    'Nani'
    """
    return tiki.capitalize()
