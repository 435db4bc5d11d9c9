"""Hands of cards in photographs: fanned or laid out, all named at once, each card once."""

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from rendering.card_grounds import draw_limb
from tests.vision.hands import draw_hand
from vision.cards import hand_photo
from vision.cards.card_kinds import CARD_SYMBOLS, KINDS
from vision.cards.hand_photo import HandCard, read_hand
from vision.cards.index_finder import MAX_INDICES, IndexPlace, find_indices
from vision.cards.index_names import classify_indices

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
    assert all(card.reading and card.reading.confidence > 0.9 for card in cards)


def test_a_fan_is_named_each_card_its_own_way_up() -> None:
    """A six is told from a nine by the way to the card's middle, however the card is turned."""
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


def test_in_a_mirror_nothing_is_named_wrongly() -> None:
    """Some front cameras mirror: a 3 is no E, and no card may become another."""
    seen = names(read_hand(np.ascontiguousarray(draw_hand(HAND, (105, 0))[:, ::-1])))
    assert {each for each in seen if each} <= set(HAND)


def test_spirals_in_the_other_corners_are_no_cards() -> None:
    """Spin cards have one there, which may look like a 6 from that corner."""
    hand = (("red", "7"), ("blue", "2"), ("yellow", "3"))
    assert names(read_hand(draw_hand(hand, (290, 30), is_spin=True))) == list(hand)


def test_a_card_without_a_corner_is_unknown_at_its_place() -> None:
    """A Tiki Face has nothing in its corners; half covered it is a card that is not known."""
    hand = (("red", "7"), ("wild", "tiki"), ("yellow", "3"))
    cards = read_hand(draw_hand(hand, (130, 0)))
    assert names(cards) == [("red", "7"), None, ("yellow", "3")]
    (unknown,) = (card for card in cards if card.reading is None)
    assert 220 < unknown.at[0] < 360


def test_a_card_whose_indices_say_nothing_is_named_by_all_of_it() -> None:
    """A Tiki Face laid out shows its face."""
    hand = (("red", "7"), ("wild", "tiki"), ("yellow", "3"))
    assert names(read_hand(draw_hand(hand, (290, 30)))) == list(hand)


def test_a_thumb_on_an_index_names_nothing_there() -> None:
    """What cannot be seen is not named, and all others are."""
    picture = draw_hand(HAND, (105, 0)).astype(np.float32)
    line = np.array([[235.0, 20.0], [229.0, 140.0]])
    draw_limb(picture, line, (40.0, 34.0), (0.8, 0.6, 0.5), np.random.default_rng(1))
    seen = names(read_hand(np.asarray(picture, np.uint8)))
    assert [each for each in seen if each] == [*HAND[:1], *HAND[2:]]


@pytest.mark.parametrize(
    "picture",
    [
        np.zeros((40, 60), np.uint8),
        np.zeros((1, 60, 3), np.uint8),
        np.zeros((2, 4000, 3), np.uint8),
        np.zeros((300, 400, 3), np.uint8),
    ],
    ids=["grey", "a line", "two lines", "black"],
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


def test_indices_that_contradict_each_other_name_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both indices of a card must say the same, or one nothing."""
    picture = draw_hand((("red", "7"),), (0, 0))
    monkeypatch.setattr(hand_photo, "identify_quadrangle", lambda *_: None)
    assert names(read_hand(picture)) == [("red", "7")]

    def misread(seen: np.ndarray, places: Sequence[IndexPlace]) -> tuple[np.ndarray, np.ndarray]:
        kinds, symbols = classify_indices(seen, places)
        assert len(places) == 2
        symbols[1] = 0.0
        symbols[1, CARD_SYMBOLS.index("1")] = 1.0
        return kinds, symbols

    monkeypatch.setattr(hand_photo, "classify_indices", misread)
    assert names(read_hand(picture)) == [None]


def test_classes_are_probabilities() -> None:
    """Of each index; and no place is no work."""
    picture = draw_hand(HAND, (105, 0))
    places, shown, cell_px = find_indices(picture)
    for likely, count in zip(
        classify_indices(picture, places), (len(KINDS), len(CARD_SYMBOLS)), strict=True
    ):
        assert likely.shape == (len(places), count)
        assert np.allclose(likely.sum(axis=1), 1.0)
    assert [each.shape[0] for each in classify_indices(picture, [])] == [0, 0]
    assert shown.shape == (120, 160)
    assert cell_px == pytest.approx(8.0)


def test_a_patterned_cloth_is_bounded_work_and_no_card() -> None:
    """Hundreds of white digits in white squares: not all are looked at, and none is a card."""
    cloth = np.full((960, 1280, 3), (40, 30, 190), np.uint8)
    for number, (y, x) in enumerate(np.ndindex(24, 32)):
        left, top = 40 * x, 40 * y
        cv2.rectangle(cloth, (left, top), (left + 37, top + 37), (250, 250, 250), 2)
        cv2.putText(cloth, str(number % 10), (left + 9, top + 30), cv2.FONT_HERSHEY_DUPLEX, 0.9,
                    (250, 250, 250), 2)  # fmt: skip
    assert len(find_indices(cloth)[0]) <= MAX_INDICES
    assert [each for each in names(read_hand(cloth)) if each] == []
