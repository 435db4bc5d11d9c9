"""Drawn decks: what a card is called is what is drawn on it."""

from collections.abc import Callable
from typing import Any, Final

import cv2
import numpy as np
import pytest

from rendering.black_cards import (
    SIZE_PX,
    draw_draw_four,
    draw_strange_black,
    draw_wild_card,
)
from rendering.card_decks import COLOUR_CLASSES, DrawnCard, draw_any_card
from vision.cards.card_kinds import CARD_COLOURS, CARD_SYMBOLS

pytestmark = pytest.mark.slow

COUNT: Final = 300
INKS: Final = [(0.8, 0.1, 0.1), (0.9, 0.8, 0.1), (0.1, 0.6, 0.2), (0.1, 0.3, 0.8)]
BLACK: Final = (draw_wild_card, draw_draw_four, draw_strange_black)


def draw_cards() -> list[DrawnCard]:
    """Return cards as they are drawn for training, in this machine's own letters."""
    random = np.random.default_rng(5)
    return [draw_any_card(random, [None]) for _ in range(COUNT)]


def test_decks_have_every_symbol_and_every_colour() -> None:
    """And a third of the cards is of no deck: a symbol or a colour that it does not have."""
    cards = draw_cards()
    assert {each.symbol for each in cards} == set(CARD_SYMBOLS)
    assert {each.colour for each in cards} == set(COLOUR_CLASSES)
    foreign = [
        each for each in cards
        if each.symbol == "other"
        or (each.colour not in CARD_COLOURS and each.symbol not in ("wild", "tiki"))
    ]  # fmt: skip
    assert 0.2 * COUNT < len(foreign) < 0.45 * COUNT


@pytest.mark.parametrize("draw", BLACK)
def test_black_cards_are_black_in_a_white_border(draw: Callable[..., Any]) -> None:
    """Of the size of any card; and no two are alike."""
    random = np.random.default_rng(1)
    first, second = (draw(random, [None], INKS) for _ in range(2))
    assert first.shape == second.shape == (SIZE_PX[1], SIZE_PX[0], 3)
    assert (first != second).mean() > 0.01
    for card in (first, second):
        assert card[:4].min() > 200
        assert (card.max(axis=2) < 60).mean() > 0.15


def test_a_wild_has_four_colours_in_its_middle() -> None:
    """Where a draw four has small cards, a strange card a sign, and some of them no colour."""
    random = np.random.default_rng(2)
    for _ in range(20):
        card = draw_wild_card(random, [None], INKS)
        hue, strength, _ = cv2.split(cv2.cvtColor(card, cv2.COLOR_BGR2HSV))
        middle = np.zeros(hue.shape, np.bool_)
        middle[90:-90, 55:-55] = True
        seen = np.bincount(hue[middle & (strength > 120)] // 15, minlength=12)
        assert np.count_nonzero(seen > 0.03 * middle.sum()) >= 4
