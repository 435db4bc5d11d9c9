"""Single cards in photographs: located by their corners, named, or refused with a reason."""

from functools import cache
from itertools import islice
from typing import Any, Final

import cv2
import numpy as np
import pytest

from rendering.black_cards import SIZE_PX, draw_draw_four, draw_wild_card
from rendering.card_scenes import Scene
from rendering.drawn import COLOURS, Design, draw_card
from rendering.prints import draw_ground
from tests.vision.card_scenes import photograph_scenes
from training.card_rehearsal import label_of
from vision.capture.frame import Picture
from vision.cards.card_corners import INPUT_PX, STRIDE_PX, decode_maps, letterbox, locate_cards
from vision.cards.card_kinds import CARD_SYMBOLS, KINDS, WholeCard
from vision.cards.card_outlines import crop_quadrangle
from vision.cards.card_photo import (
    MAX_RIVAL_COLOUR,
    MIN_COLOUR,
    MIN_SYMBOL,
    MIN_WILD,
    PhotoProblem,
    PhotoStatus,
    has_coloured_corner,
    name_card,
    read_card,
)
from vision.cards.card_rectification import CROP_CORNERS, CROP_PX, rectify
from vision.cards.symbol_fusion import pool_symbols

SIDE: Final = INPUT_PX // STRIDE_PX
QUAD: Final = np.array([[40.0, 30.0], [110.0, 42.0], [100.0, 150.0], [30.0, 138.0]])
SCENES: Final = 20


def maps_of(quad: Any, hidden: int = -1) -> Any:
    """Return the maps that the network should give for a card at *quad*; a corner may be hidden."""
    maps = np.zeros((3, SIDE, SIDE), np.float32)
    rows, columns = np.indices((SIDE, SIDE))
    for number, (x, y) in enumerate((quad + 0.5) / STRIDE_PX - 0.5):
        if number != hidden:
            bump = np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / (2 * 1.2**2))
            maps[number % 2] = np.maximum(maps[number % 2], bump)
    cells = np.round(((quad + 0.5) / STRIDE_PX - 0.5) * 16).astype(np.int32)
    maps[2] = cv2.fillConvexPoly(np.zeros((SIDE, SIDE), np.float32), cells, 1.0, shift=4)
    return maps


def test_corners_are_decoded_to_a_fraction_of_a_cell() -> None:
    """A cell stands for four pixels; the corners are right to half a pixel, top left first."""
    (found,) = decode_maps(maps_of(QUAD))
    assert np.abs(found.corners - QUAD).max() < 0.5
    assert found.score > 0.8


@pytest.mark.parametrize("hidden", range(4))
def test_a_hidden_corner_is_where_the_others_say(hidden: int) -> None:
    """A finger on a corner costs confidence, not the card."""
    best = decode_maps(maps_of(QUAD, hidden))[0]
    assert np.abs(best.corners - QUAD).max() < 3.0
    assert best.score < decode_maps(maps_of(QUAD))[0].score


def test_empty_maps_have_no_card() -> None:
    """Nor have corners that form no quadrangle of a card's shape."""
    assert decode_maps(np.zeros((3, SIDE, SIDE), np.float32)) == []
    thin = np.array([[40.0, 30.0], [48.0, 30.0], [48.0, 150.0], [40.0, 150.0]])
    assert decode_maps(maps_of(thin)) == []


def test_a_letterbox_maps_pixels_to_the_canvas() -> None:
    """A dot is where the map says, in a wide picture as in a tall one."""
    for shape in ((300, 400, 3), (900, 500, 3), (100, 80, 3)):
        picture = np.zeros(shape, np.uint8)
        y, x = shape[0] // 3, shape[1] // 4
        cv2.circle(picture, (x, y), shape[1] // 20, (255, 255, 255), cv2.FILLED)
        canvas, to_canvas = letterbox(picture)
        rows, columns = np.nonzero(canvas[..., 0] > 180)
        seen = np.array([columns.mean(), rows.mean()])
        assert np.abs(to_canvas[:, :2] @ [x, y] + to_canvas[:, 2] - seen).max() < 0.6


def test_a_rectified_card_is_as_it_was_printed() -> None:
    """Also where the picture is much larger than the crop, and the corners are out of it."""
    card = draw_card("7", COLOURS["red"], Design(), np.random.default_rng(1))
    high, wide = card.shape[:2]
    ends = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32)
    expected = rectify(card, ends.astype(np.float64))
    for scale, shift in ((1.0, 40.0), (4.0, 100.0)):
        quad = (QUAD * scale * 2 + shift).astype(np.float32)
        size = (round(700 * scale), round(700 * scale))
        seen = cv2.warpPerspective(
            card, cv2.getPerspectiveTransform(ends, quad), size, flags=cv2.INTER_AREA
        )
        crop = rectify(np.asarray(seen, np.uint8), quad.astype(np.float64))
        inside = (slice(12, CROP_PX[0] - 12), slice(12, CROP_PX[1] - 12))
        assert np.abs(crop[inside].astype(float) - expected[inside]).mean() < 10.0
    assert CROP_CORNERS.shape == (4, 2)


def kinds_of(kind: str, likely: float) -> dict[str, float]:
    """Return that a card is *likely* of a kind, and of another game otherwise."""
    return {**dict.fromkeys(KINDS, 0.0), "other": 1.0 - likely, kind: likely}


def symbols_of(**likely: float) -> dict[str, float]:
    """Return the probability of each symbol; digits have a d before them."""
    return {
        **dict.fromkeys(CARD_SYMBOLS, 0.0),
        **{k.removeprefix("d"): v for k, v in likely.items()},
    }


def test_a_card_is_named_where_colour_and_symbol_are_plain() -> None:
    """Its confidence is that of both; a vague or a doubtful colour leaves it open."""
    seven = symbols_of(d7=0.9)
    reading = name_card(WholeCard(kinds_of("red", 0.96), seven), {"7": 0.9, "1": 0.02})
    assert reading is not None
    assert (reading.color, reading.symbol) == ("red", "7")
    assert reading.confidence == pytest.approx(0.947, abs=1e-3)
    vague = kinds_of("red", MIN_COLOUR["red"] - 0.01)
    doubtful = {**kinds_of("red", 0.96), "yellow": MAX_RIVAL_COLOUR + 0.01}
    for kinds in (vague, doubtful, kinds_of("other", 1.0)):
        assert name_card(WholeCard(kinds, seven), {"7": 0.99}) is None
    assert name_card(WholeCard(kinds_of("red", 1.0), symbols_of(d7=0.5)), {}) is None


def named(whole: dict[str, float], placed: dict[str, float]) -> str | None:
    """Return the symbol of a red card that looks so as a whole and in its places."""
    reading = name_card(WholeCard(kinds_of("red", 1.0), whole), placed)
    return None if reading is None else reading.symbol


def test_a_symbol_is_named_by_its_places_and_by_all_of_the_card() -> None:
    """Either may err if the other does not follow it; a sign of another game is in neither."""
    seven = symbols_of(d7=0.9, other=0.1)
    assert named(seven, {"7": 0.9}) == "7"
    assert named(symbols_of(d7=0.2, d1=0.7, other=0.1), {"7": 0.99}) == "7"
    assert named(symbols_of(d7=0.3, other=0.7), {"7": 0.99}) == "7"
    assert named(symbols_of(d7=1.0), {"7": 0.2}) == "7"
    assert named(symbols_of(d7=1.0), {"7": 0.1, "1": 0.9}) is None
    assert named(symbols_of(d7=0.01, other=0.99), {"7": 0.9}) is None
    assert named(symbols_of(other=1.0), {"7": 1.0}) is None


def test_neither_places_nor_the_whole_card_name_a_symbol_alone() -> None:
    """Fingers may cover all places; what is left may be any card then."""
    assert named(symbols_of(d7=1.0), {}) is None
    assert named(symbols_of(), {"7": 1.0}) is None


def test_a_pooled_symbol_needs_to_be_plain() -> None:
    """The probabilities add up to one; a symbol below the limit is left open."""
    pooled = pool_symbols(symbols_of(d7=0.5, d1=0.5), {"7": 0.6, "1": 0.3})
    assert sum(pooled.values()) == pytest.approx(1.0)
    assert pooled["7"] < MIN_SYMBOL
    assert named(symbols_of(d7=0.5, d1=0.5), {"7": 0.6, "1": 0.3}) is None


@pytest.mark.parametrize(("draw", "colour"), [(draw_wild_card, True), (draw_draw_four, False)])
def test_wilds_have_colours_in_their_corners(draw: Any, colour: bool) -> None:
    """Draw fours have a white +4 there, whatever is in their middle."""
    random, seen = np.random.default_rng(4), []
    ends = np.array([[0, 0], [SIZE_PX[0], 0], SIZE_PX, [0, SIZE_PX[1]]]) - 0.5
    inks = [(0.8, 0.1, 0.1), (0.9, 0.8, 0.1), (0.1, 0.6, 0.2), (0.1, 0.3, 0.8)]
    for _ in range(30):
        crop = crop_quadrangle(draw(random, [None], inks), ends)
        assert crop is not None
        seen.append(has_coloured_corner(crop))
    assert np.mean(seen) > 0.7 if colour else not any(seen)


def test_wilds_are_named_if_kind_and_symbol_say_so() -> None:
    """Draw fours look like one or the other more often than like both, or have a symbol."""
    for name in ("wild", "tiki"):
        both = WholeCard(kinds_of(name, 1.0), symbols_of(**{name: MIN_WILD}))
        reading = name_card(both, {"2": 0.1})
        assert reading is not None
        assert (reading.color, reading.symbol) == ("wild", name)
        assert reading.confidence == MIN_WILD
        assert name_card(both, {"2": 0.9}) is None
        for kind, symbol in ((1.0, MIN_WILD - 0.01), (MIN_WILD - 0.01, 1.0)):
            one = WholeCard(kinds_of(name, kind), symbols_of(**{name: symbol}))
            assert name_card(one, {}) is None


@cache
def scenes() -> tuple[Scene, ...]:
    """Return photographs of cards in hands and on tables, of seeds that nothing learned from."""
    return photograph_scenes(SCENES)


def test_cards_on_any_ground_are_located() -> None:
    """The four corners are found to a thirtieth of the card's length in most photographs."""
    near = shown = 0
    for scene in scenes():
        if scene.corners is None:
            continue
        shown += 1
        length = np.hypot(*(scene.corners[2] - scene.corners[1]))
        quads = islice(locate_cards(scene.picture), 1)
        turned = (scene.corners, np.roll(scene.corners, 2, axis=0))
        near += any(
            np.abs(quad.corners - ends).max() < length / 30 for quad in quads for ends in turned
        )
    assert near >= 0.5 * shown


def test_cards_on_any_ground_are_named_or_refused_but_never_wrong() -> None:
    """Most are named; those of other games, and pictures without a card, never are."""
    right = deck = 0
    for scene in scenes():
        found, label = read_card(scene.picture), label_of(scene)
        named = found.reading and (found.reading.color, found.reading.symbol)
        is_deck = label["symbol"] not in ("other", "empty") and label["color"] != "none"
        deck += is_deck
        if named is not None:
            assert is_deck
            assert named == (label["color"], label["symbol"])
            right += 1
    assert right >= 0.6 * deck


def ground(level: float) -> Picture:
    """Return a table without anything on it."""
    return draw_ground(np.random.default_rng(3), 400, (level, level, level), 0.1)


@pytest.mark.parametrize(
    ("picture", "problem"),
    [
        (ground(0.03), PhotoProblem.DARK),
        (cv2.GaussianBlur(ground(0.5), (0, 0), 9), PhotoProblem.BLURRED),
        (np.random.default_rng(1).integers(0, 255, (300, 400, 3)), PhotoProblem.NOTHING),
        (np.zeros((1, 1, 3)), PhotoProblem.NOTHING),
        (np.full((300, 400), 128), PhotoProblem.NOTHING),
    ],
    ids=["dark", "blurred", "noise", "1x1", "grey"],
)
def test_a_photograph_without_a_card_says_why(picture: Any, problem: PhotoProblem) -> None:
    """What people can do about it depends on it."""
    found = read_card(np.asarray(picture, np.uint8))
    assert (found.status, found.reading) == (PhotoStatus.NO_CARD, None)
    assert found.problem is problem
