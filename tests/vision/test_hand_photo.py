"""Hands of cards in photographs: fanned or laid out, all named at once, each card once."""

from collections.abc import Sequence

import numpy as np
import pytest

from tests.vision.hands import draw_hand
from vision.cards.hand_photo import HandCard, read_hand

HAND = (("red", "7"), ("blue", "skip"), ("yellow", "3"), ("green", "6"), ("red", "9"))


def names(cards: Sequence[HandCard]) -> list[tuple[str, str] | None]:
    """Return what is named, in order; None for what is unknown."""
    return [(each.color, each.symbol) if (each := card.reading) else None for card in cards]


def test_an_overlapping_row_is_named_by_its_corners() -> None:
    """Only the corner of most cards is seen; their order is that of the picture."""
    cards = read_hand(draw_hand(HAND, (105, 0)))
    assert names(cards) == list(HAND)
    across = [float(card.at[0]) for card in cards]
    assert across == sorted(across)
    assert all(card.reading and card.reading.confidence > 0.8 for card in cards)


def test_a_fan_is_named_each_card_its_own_way_up() -> None:
    """A six is told from a nine by the edges beside it, however the card is turned."""
    assert sorted(map(str, names(read_hand(draw_hand(HAND, (90, 0), turn_deg=9.0))))) == sorted(
        map(str, HAND)
    )


def test_cards_side_by_side_count_once() -> None:
    """Each shows both of its corners; two alike stay two."""
    hand = (("red", "7"), ("red", "7"), ("blue", "0"))
    assert names(read_hand(draw_hand(hand, (290, 30)))) == list(hand)


def test_a_hand_upside_down_is_the_same() -> None:
    """Nobody turns the phone."""
    picture = np.ascontiguousarray(draw_hand(HAND, (105, 0))[::-1, ::-1])
    assert sorted(map(str, names(read_hand(picture)))) == sorted(map(str, HAND))


def test_a_card_without_a_corner_is_unknown_at_its_place() -> None:
    """A Tiki Face has nothing in its corners; half covered it is a card that is not known."""
    hand = (("red", "7"), ("wild", "tiki"), ("yellow", "3"))
    cards = read_hand(draw_hand(hand, (130, 0)))
    assert names(cards) == [("red", "7"), None, ("yellow", "3")]
    (unknown,) = (card for card in cards if card.reading is None)
    assert 220 < unknown.at[0] < 360


@pytest.mark.parametrize(
    "picture",
    [
        np.zeros((40, 60), np.uint8),
        np.zeros((1, 60, 3), np.uint8),
        np.zeros((300, 400, 3), np.uint8),
    ],
    ids=["grey", "a line", "black"],
)
def test_a_picture_without_cards_has_none(picture: np.ndarray) -> None:
    """Nothing is made up."""
    assert read_hand(picture) == []


def test_places_are_those_of_the_whole_photograph() -> None:
    """A large picture is read smaller; places are given in its own pixels."""
    small = draw_hand(HAND[:3], (105, 0))
    large = np.repeat(np.repeat(small, 2, axis=0), 2, axis=1)
    for one, other in zip(read_hand(small), read_hand(large), strict=True):
        assert np.abs(2 * one.at - other.at).max() < 8.0
