"""The goal deck of Tippi Toppi: a default that the owner may correct."""

from pathlib import Path
from typing import Final

from companion.games.decks import Deck, load_deck
from companion.rules.tippi_toppi import parse_goal

GOALS: Final = Path(__file__).parent / "deck.toml"


def load_goals(path: Path = GOALS) -> Deck:
    """Return the goal deck of *path*, or raise InvalidDeck."""
    return load_deck(path, "goals", "goal", _check)


def _check(goal: str) -> None:
    parse_goal(goal)
