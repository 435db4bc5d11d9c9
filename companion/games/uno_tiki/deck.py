"""The deck of UNO Tiki: a default that the owner may correct."""

from pathlib import Path
from typing import Final

from companion.games.decks import Deck, load_deck
from companion.language.message import say
from companion.rules.base import InvalidAction
from companion.rules.uno_tiki import KINDS

CENSUS: Final = Path(__file__).parent / "deck.toml"


def load_census(path: Path = CENSUS) -> Deck:
    """Return the deck in *path*, or raise InvalidDeck."""
    return load_deck(path, "cards", "card", _check)


def _check(card: str) -> None:
    if card not in KINDS:
        words = say(
            "“{card}” is not the name of an UNO Tiki card; red-7-spin would be one", card=card
        )
        raise InvalidAction(words)
