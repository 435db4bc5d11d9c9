"""The goal deck of Tippi Toppi: a default that the owner may correct."""

from pathlib import Path
from typing import Final

from companion.games.decks import Deck, InvalidDeck, load_deck
from companion.rules.tippi_toppi import parse_goal

GOALS: Final = Path(__file__).parent / "deck.toml"


def load_goals(path: Path = GOALS) -> Deck:
    """Return the goal deck of *path*, or raise InvalidDeck.

    However its two colours are ordered, a goal is read as the rules write it.
    """
    deck = load_deck(path, "goals", "goal", parse_goal)
    copies: dict[str, int] = {}
    for goal, count in deck.copies.items():
        text = parse_goal(goal).text
        if text in copies:
            raise InvalidDeck(f"{path}: '{text}' is listed twice, as '{goal}'; use its count")
        copies[text] = count
    return Deck(copies, frozenset(parse_goal(goal).text for goal in deck.confirmed))
