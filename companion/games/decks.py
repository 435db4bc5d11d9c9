"""Decks: the owner's cards as data files, read outside the rules.

The files beside the games' modules are defaults that nobody has confirmed. A copy of one, corrected
by its owner, takes its place.
"""

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from companion.rules.base import RulesError

MAX_COPIES: Final = 99


class InvalidDeck(ValueError):
    """A deck file that cannot be read: which, and what would be right."""


@dataclass(frozen=True, slots=True)
class Deck:
    """A deck: each kind of card with its copies, and the kinds that the owner has confirmed."""

    copies: dict[str, int]
    confirmed: frozenset[str]

    @property
    def cards(self) -> list[str]:
        """Return every card, each as often as the deck has it."""
        return [card for card, copies in self.copies.items() for _ in range(copies)]

    @property
    def is_confirmed(self) -> bool:
        """Return whether the owner has confirmed every kind."""
        return self.confirmed == self.copies.keys()


def load_deck(path: Path, key: str, name: str, check: Callable[[str], object]) -> Deck:
    """Return the deck of *path*, a TOML file with a list *key* of cards, each called *name*.

    check: raises a RulesError for a card that the game does not have.
    Raises InvalidDeck.
    """
    deck = _load(path, key, name)
    for card in deck.copies:
        try:
            check(card)
        except RulesError as error:
            raise InvalidDeck(f"{path}: {error}") from None
    return deck


def _load(path: Path, key: str, name: str) -> Deck:
    try:
        entries = tomllib.loads(path.read_text(encoding="utf-8"))[key]
    except OSError as error:
        raise InvalidDeck(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, KeyError) as error:
        raise InvalidDeck(f"{path} is not a TOML file with a list '{key}': {error}") from None
    copies: dict[str, int] = {}
    confirmed = set()
    for entry in entries if isinstance(entries, list) else [entries]:
        match entry:
            case {**fields} if fields.keys() <= {name, "count", "confirmed"}:
                card, count, sure = (
                    fields.get(name),
                    fields.get("count", 1),
                    fields.get("confirmed"),
                )
                if isinstance(card, str) and type(count) is int and 0 <= count <= MAX_COPIES:
                    if card in copies:
                        raise InvalidDeck(f"{path}: '{card}' is listed twice; use its count")
                    copies[card] = count
                    if sure is True:
                        confirmed.add(card)
                    continue
        raise InvalidDeck(
            f"{path}: {entry!r} is not a card; write"
            f" {{ {name} = ..., count = 1, confirmed = false }}"
        )
    return Deck(copies, frozenset(confirmed))
