"""Hands that networks learn from: where indices are, which are seen, and what they say."""

import cv2
import numpy as np
import pytest

from rendering.card_decks import NO_COLOUR
from rendering.hand_printers import make_printer
from rendering.hand_scenes import (
    HandScene,
    LaidCard,
    deal,
    make_grounds,
    render_cards,
    render_hand,
)
from rendering.typefaces import list_typefaces
from training.hand_conditions import CONDITIONS, Sleeved, render_condition
from training.hand_samples import (
    MAX_INDICES,
    UNSAID,
    label_of,
    locate_places,
    make_samples,
)
from vision.cards.card_kinds import CARD_SYMBOLS, KINDS
from vision.cards.card_rectification import CORNERS_MM
from vision.cards.symbols import OTHER

NAMES = [("red", "7"), ("blue", "2"), ("wild", "wild"), ("none", OTHER)]


def lay(size: tuple[int, int], turn_deg: float) -> HandScene:
    """Return a black picture with both index places of one card marked, the upper one in blue."""
    move = cv2.getRotationMatrix2D((28, 43), turn_deg, 4.0)
    corners = CORNERS_MM @ move[:, :2].T + move[:, 2] + np.array(size) / 2 - (28, 43)
    card = LaidCard("red", "7", corners, (1.0, 1.0))
    picture = np.zeros((size[1], size[0], 3), np.uint8)
    for place, colour in zip(locate_places(card), ((255, 0, 0), (0, 255, 0)), strict=True):
        x, y = np.round(place.at).astype(int).tolist()
        cv2.circle(picture, (x, y), 24, colour, cv2.FILLED)
    return HandScene(picture, "loose", (card,))


@pytest.mark.parametrize("size", [(1280, 960), (960, 1280)], ids=["wide", "high"])
@pytest.mark.parametrize("turn_deg", [0.0, 130.0])
def test_places_are_where_indices_are(size: tuple[int, int], turn_deg: float) -> None:
    """In the canvas and in the crops, of wide photographs and of high ones."""
    samples = make_samples([lay(size, turn_deg)], np.random.default_rng(1))
    assert samples.canvases.shape == (1, 480, 640, 3)
    first, second, *others = samples.indices[0]
    assert np.isnan(others).all()
    for place, channel in ((first, 0), (second, 1)):
        x, y = np.round(place[:2]).astype(int)
        assert samples.canvases[0, y, x, channel] > 200
    assert np.allclose(first[:2] + first[2:4], second[:2] + second[2:4], atol=0.1)
    middle = (np.array(first[:2] + first[2:4]) / 4).astype(int)
    assert samples.cards[0, middle[1], middle[0]] == 1
    assert (samples.crops[0, 20:28, 20:28].reshape(-1, 3).mean(axis=0) > 200).sum() == 1


def test_what_is_covered_is_known() -> None:
    """The top card shows both indices; of those below some are covered, and a label says so."""
    random = np.random.default_rng(3)
    printer, grounds = make_printer(random, list_typefaces()), make_grounds(random, 2)
    scene = render_cards(random, printer, grounds, "row", NAMES, 900)
    *below, top = scene.cards
    assert top.seen == pytest.approx((1.0, 1.0))
    assert all(card.seen[0] > 0.9 for card in below)
    assert all(card.seen[1] < 0.6 for card in below)
    assert [card.is_of_deck for card in scene.cards] == [True, True, True, False]
    other = (KINDS.index(OTHER), CARD_SYMBOLS.index(OTHER))
    assert label_of(below[0], 1.0) == (KINDS.index("red"), CARD_SYMBOLS.index("7"))
    assert label_of(below[2], 1.0) == (KINDS.index("wild"), CARD_SYMBOLS.index("wild"))
    assert label_of(below[0], 0.8) == (UNSAID, UNSAID)
    assert label_of(below[0], 0.1) == label_of(top, 1.0) == other


def test_many_hands_fit_the_arrays() -> None:
    """Ten cards have twenty indices."""
    random = np.random.default_rng(4)
    printer, grounds = make_printer(random, list_typefaces()), make_grounds(random, 2)
    scenes = [render_hand(random, printer, grounds, kind, (700, 800)) for kind in ("fan", "grid")]
    samples = make_samples(scenes, random)
    assert samples.indices.shape == (2, MAX_INDICES, 5)
    assert len(samples.crops) == len(samples.labels)
    assert samples.labels[:, 0].max() < len(KINDS)
    assert samples.labels[:, 1].max() < len(CARD_SYMBOLS)


def test_conditions_change_what_they_say() -> None:
    """A mirror turns the same picture round; strangers are of no deck; glare is bright."""
    random = np.random.default_rng(6)
    printers = [make_printer(random, list_typefaces()) for _ in range(2)]
    grounds = make_grounds(random, 2)
    seen = {
        each: render_condition(each, np.random.default_rng(2), printers, grounds)
        for each in CONDITIONS
    }
    plain = seen["plain"]
    assert (seen["mirror"].picture == plain.picture[:, ::-1]).all()
    assert (seen["upside_down"].picture == plain.picture[::-1, ::-1]).all()
    assert seen["thumb"].kind == "fan"
    assert min(min(card.seen) for card in seen["thumb"].cards) < 0.5
    assert all(card.is_of_deck for card in plain.cards)
    dealt = [deal(np.random.default_rng(seed), 10, 0.3) for seed in range(5)]
    assert 5 < sum(name == (NO_COLOUR, OTHER) for names in dealt for name in names) < 25
    card = printers[0].draw(np.random.default_rng(1), "red", "7")
    sleeved = Sleeved(printers[0]).draw(np.random.default_rng(1), "red", "7")
    assert sleeved[..., :3].mean() > card[..., :3].mean() + 2
    with pytest.raises(KeyError):
        render_condition("snow", random, printers, grounds)
