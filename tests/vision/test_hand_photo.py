"""Hands of cards in photographs: fanned or laid out, all named at once, each card once."""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.hands import DESIGN, draw_hand
from vision.cards.corner_indices import find_indices, likeliest
from vision.cards.free_cards import find_free_cards
from vision.cards.hand_photo import MAX_RIVAL, HandCard, read_hand
from vision.cards.symbol_shapes import MAX_SHAPES, classify_panel, find_shapes
from vision.cards.unnamed_panels import NamedCard, find_unnamed
from vision.photometry.chromaticity import min_channel

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


def test_a_symbol_in_another_corner_is_no_card() -> None:
    """There some cards have a spiral, which may look like a 6 from that corner."""
    picture = draw_hand(HAND, (105, 0))
    corner = draw_hand((("red", "6"),), (0, 0))[110:205, 90:185]
    picture[363:458, 90:185] = np.rot90(corner)  # of the first card the lower left one
    assert names(read_hand(picture)) == list(HAND)


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


def test_a_card_of_which_all_is_seen_needs_no_index() -> None:
    """A Tiki Face has nothing in its corners; laid out, its face is seen."""
    hand = (("red", "7"), ("wild", "tiki"), ("yellow", "3"))
    picture = draw_hand(hand, (290, 30))
    assert names(read_hand(picture)) == list(hand)
    assert len(find_free_cards(picture)) == 3


def test_of_a_fan_only_the_card_on_top_is_seen_wholly() -> None:
    """What others cover is left to its index."""
    outlined = replace(DESIGN, style="outlined")
    (top,) = find_free_cards(draw_hand(HAND, (90, 0), turn_deg=9.0, design=outlined))
    assert (top.reading.color, top.reading.symbol) == HAND[-1]


def test_a_symbol_that_changes_with_its_width_is_not_named() -> None:
    """In some typefaces a short 7 resembles a 1, and stretched it resembles a 7."""
    plain = [each for each in find_indices(draw_hand(HAND, (105, 0))) if each.stretched]
    assert len(plain) >= len(HAND)
    for each in plain:
        symbol = likeliest(each.symbols)[0]
        assert each.is_stable(symbol, MAX_RIVAL)
        rival = {**each.stretched, "1" if symbol != "1" else "7": 0.1}
        assert not replace(each, stretched=rival).is_stable(symbol, MAX_RIVAL)
        faint = {**each.stretched, symbol: 0.5}
        assert not replace(each, stretched=faint).is_stable(symbol, MAX_RIVAL)


def test_a_contradicted_card_is_left_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """All of a card and its index must say the same."""
    picture = draw_hand((("red", "7"), ("blue", "4")), (290, 30))
    (seven,) = (each for each in find_free_cards(picture) if each.reading.symbol == "7")
    wrong = replace(seven, reading=replace(seven.reading, symbol="1"))
    monkeypatch.setattr("vision.cards.hand_photo.find_free_cards", lambda _: [wrong])
    assert names(read_hand(picture)) == [None, ("blue", "4")]


@pytest.mark.parametrize(
    ("panel", "colour"),
    [((25, 253, 60), "green"), ((54, 254, 29), "green"), ((50, 250, 253), "yellow"),
     ((40, 45, 250), "red"), ((230, 90, 25), "blue")],
)  # fmt: skip
def test_colours_keep_their_names_in_very_bright_light(
    panel: tuple[int, int, int], colour: str
) -> None:
    """Paper is clipped, so that panels seem brighter beside it than they are."""
    found = classify_panel(np.array(panel, float), np.full(3, 254.0))
    assert found[colour] > 0.8
    assert all(likely < 0.1 for name, likely in found.items() if name != colour)


def test_what_is_dark_between_cards_is_no_card() -> None:
    """Cards of which all is seen have used up their paper."""
    picture = np.full((480, 640, 3), (90, 110, 130), np.uint8)
    quads = []
    for left in (150, 302):
        right, bottom = left + 112, 234
        cv2.rectangle(picture, (left, 60), (right, bottom), (240, 240, 240), cv2.FILLED)
        cv2.rectangle(picture, (left + 8, 68), (right - 8, 226), (30, 20, 200), cv2.FILLED)
        quads.append(np.array([[left, 60], [right, 60], [right, bottom], [left, bottom]], float))
    picture[80:210, 263:302] = 12
    paper, named = np.full(3, 240.0), [NamedCard(each, "red") for each in quads]
    (dark,) = find_unnamed(picture, named, [], paper, 2.0)
    assert 270 < dark[0] < 295
    assert find_unnamed(picture, named, quads, paper, 2.0) == []
    assert len(find_unnamed(picture, named[1:], quads[1:], paper, 2.0)) == 1


def test_a_patterned_cloth_is_bounded_work() -> None:
    """Hundreds of white digits in white squares: not all are looked at, and none is a card."""
    cloth = np.full((960, 1280, 3), (40, 30, 190), np.uint8)
    for number, (y, x) in enumerate(np.ndindex(24, 32)):
        left, top = 40 * x, 40 * y
        cv2.rectangle(cloth, (left, top), (left + 37, top + 37), (250, 250, 250), 2)
        cv2.putText(cloth, str(number % 10), (left + 9, top + 30), cv2.FONT_HERSHEY_DUPLEX, 0.9,
                    (250, 250, 250), 2)  # fmt: skip
    smooth = np.asarray(cv2.GaussianBlur(cloth, (3, 3), 0), np.uint8)
    assert 100 < len(find_shapes(smooth, min_channel(smooth))) <= MAX_SHAPES
