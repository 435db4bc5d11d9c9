"""Photographs of hands where more than one game counts them: the cards tell which it is."""

import sys
from types import SimpleNamespace

import numpy as np
import pytest

from companion.apps.cards.hand_photos import hand_to_json
from companion.registry import GAMES, Listed
from vision.cards.hand_photo import HandCard
from vision.cards.uno_card import CardReading

OTHER = SimpleNamespace(
    CARDS=(("red", "7"), ("red", "moon")),
    sum_points=len,
    find_excess=lambda _: (),
)
"""The counts of a game of its own, in which each card is worth a point."""


def hold(*cards: tuple[str, str]) -> list[HandCard]:
    """Return *cards* as they are read."""
    return [HandCard(CardReading(*each, 0.99), np.zeros(2), 40.0) for each in cards]


@pytest.mark.parametrize("is_first", [False, True])
def test_a_hand_is_counted_by_the_game_of_its_cards(
    monkeypatch: pytest.MonkeyPatch, is_first: bool
) -> None:
    """Whichever game is listed first; one that both have is counted by that."""
    other = {"other": Listed("other", 9, "tests.other", has_hands=True)}
    games = other | GAMES if is_first else GAMES | other
    monkeypatch.setattr("companion.registry.GAMES", games)
    monkeypatch.setitem(sys.modules, "tests.other.hand_counts", OTHER)
    assert hand_to_json(hold(("red", "moon"), ("red", "7")), 1.0)["points"] == 2
    assert hand_to_json(hold(("blue", "4"), ("red", "7")), 1.0)["points"] == 11
    assert hand_to_json(hold(("red", "7")), 1.0)["points"] == (1 if is_first else 7)
