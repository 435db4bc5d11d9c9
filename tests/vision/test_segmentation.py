"""The panel of a pile's top card: one component, or several that an oval splits."""

from typing import Final

import cv2
import numpy as np
import pytest

from rendering.drawn import COLOURS, PX_PER_MM, Design, draw_card
from vision.capture.frame import Picture
from vision.cards.card_crop import PlaneView
from vision.cards.detection import PilePatch, TopCard, TopCardDetector
from vision.cards.layout import UNO_TIKI, CardSize
from vision.cards.segmentation import segment_panel
from vision.cards.spirals import detect_spirals
from vision.photometry.chromaticity import IDENTITY_CORRECTION, to_lut

CARD: Final = UNO_TIKI.card
SIDE_MM: Final = 124
TABLE: Final = (70, 80, 60)
SLEEVE: Final = (235, 240, 238)
TOUCHING: Final = {
    "outlined": Design(style="outlined", border=3.0, outline=0.8, corner=8.0, corner_inset=9.0),
    "filled": Design(style="filled", border=3.0, symbol=32.0, corner=8.0, corner_inset=9.0),
}
"""Ovals of 40 x 76 mm, turned by 28 degrees, reach over the edge of such a panel."""
BADGE: Final = Design(style="badge", symbol=22.0, corner=8.0, corner_inset=8.5)


def warp(card: Picture, turn_deg: float, dx: float = 0.0, dy: float = 0.0) -> PilePatch:
    """Return the patch with *card* on a table, from a picture of twice its resolution."""
    fine = 2
    mat = np.full((SIDE_MM * fine, SIDE_MM * fine, 3), TABLE, np.uint8)
    middle = (card.shape[1] / 2, card.shape[0] / 2)
    move = cv2.getRotationMatrix2D(middle, -turn_deg, fine / PX_PER_MM)
    move[:, 2] += SIDE_MM * fine / 2 + np.array([dx, dy]) * fine - middle
    soft = cv2.GaussianBlur(card, (3, 3), 0)
    seen = cv2.warpAffine(soft, move, mat.shape[1::-1], mat, borderMode=cv2.BORDER_TRANSPARENT)
    return patch_of(np.asarray(seen, np.uint8))


def patch_of(seen: Picture) -> PilePatch:
    """Return the patch of a picture at 2 pixels per mm."""
    levels = to_lut(IDENTITY_CORRECTION)
    view = PlaneView(seen, np.diag([2.0, 2.0, 1.0]), levels)
    small = np.asarray(cv2.resize(seen, (SIDE_MM, SIDE_MM), interpolation=cv2.INTER_AREA), np.uint8)
    return PilePatch(view, CardSize(SIDE_MM, SIDE_MM), small)


def detected(patch: PilePatch) -> TopCard:
    """Return the card in *patch*; there must be one."""
    card = TopCardDetector(CARD).detect(patch)
    assert card is not None
    return card


def drawn(style: str, colour: str = "blue", spin: bool = False) -> Picture:
    """Return a 4 whose oval touches the border."""
    return draw_card("4", COLOURS[colour], TOUCHING[style], np.random.default_rng(2), spin)


@pytest.mark.parametrize("turn_deg", [0.0, 17.0, -63.0, 88.0])
@pytest.mark.parametrize("style", TOUCHING)
def test_a_panel_split_by_an_oval_is_detected(style: str, turn_deg: float) -> None:
    """At any angle its components are one panel, with the right position and angle."""
    card = detected(warp(drawn(style), turn_deg, 3.0, -2.0))
    apart = (card.panel.angle_deg - turn_deg + 90.0) % 180.0 - 90.0
    assert abs(apart) < 1.5
    assert abs(card.panel.x - 3.0) < 1.0
    assert abs(card.panel.y + 2.0) < 1.0
    assert card.crop.half_turn_symmetry > 0.98


def test_a_panel_without_an_oval_is_not_merged() -> None:
    """It is a single component."""
    card = draw_card("4", COLOURS["green"], BADGE, np.random.default_rng(2))
    assert not detected(warp(card, 12.0)).panel.is_merged


@pytest.mark.parametrize("style", TOUCHING)
def test_a_panel_split_by_an_oval_is_merged(style: str) -> None:
    """The drawings here have the components that they are meant to have."""
    assert detected(warp(drawn(style), 30.0)).panel.is_merged


@pytest.mark.parametrize("along", [-22.0, -12.0, 14.0, 25.0])
def test_a_white_sleeve_across_a_card_makes_it_no_card(along: float) -> None:
    """It splits the panel as an oval does, but without half-turn symmetry."""
    card = draw_card("4", COLOURS["red"], BADGE, np.random.default_rng(2))
    y = round(card.shape[0] / 2 + along * PX_PER_MM)
    thick = 16 * PX_PER_MM
    card = np.ascontiguousarray(card)
    cv2.line(card, (-50, y), (card.shape[1] + 50, y), SLEEVE, thick)
    assert TopCardDetector(CARD).detect(warp(card, 0.0)) is None


def smudged(turn_deg: float, scale: float = 1.0) -> PilePatch:
    """Return the patch with a card whose panel a crumb on the border joins with the table."""
    card = np.ascontiguousarray(draw_card("4", COLOURS["red"], BADGE, np.random.default_rng(2)))
    y = card.shape[0] // 3
    cv2.line(card, (card.shape[1] - 8 * PX_PER_MM, y), (card.shape[1], y), TABLE, 3 * PX_PER_MM)
    patch = warp(card, turn_deg, 3.0, -2.0)
    move = cv2.getRotationMatrix2D((SIDE_MM, SIDE_MM), 0.0, scale)
    seen = cv2.warpAffine(patch.view.picture, move, (2 * SIDE_MM,) * 2, borderValue=TABLE)
    return patch_of(np.asarray(seen, np.uint8))


@pytest.mark.parametrize("turn_deg", [0.0, 17.0, -63.0, 88.0])
def test_a_card_whose_panel_is_no_component_is_located_by_its_corners(turn_deg: float) -> None:
    """It is where it lies, as far as corners tell, and its print is the card's."""
    patch = smudged(turn_deg)
    panel = segment_panel(patch.picture, CARD)
    assert panel is None or not panel.fits(CARD)
    card = detected(patch)
    apart = (card.panel.angle_deg - turn_deg + 90.0) % 180.0 - 90.0
    assert abs(apart) < 2.0
    assert abs(card.panel.x - 3.0) < 1.5
    assert abs(card.panel.y + 2.0) < 1.5
    assert card.crop.is_symmetric


@pytest.mark.parametrize("scale", [0.8, 1.2])
def test_a_card_of_another_size_is_not_located(scale: float) -> None:
    """One that is held over a pile is nearer to the camera."""
    assert TopCardDetector(CARD).detect(smudged(17.0, scale)) is None


def test_half_a_card_is_no_card() -> None:
    """Another card occludes it."""
    card = drawn("outlined").copy()
    card[: card.shape[0] // 2] = TABLE
    assert TopCardDetector(CARD).detect(warp(card, 20.0)) is None


def test_an_empty_table_has_no_panel() -> None:
    """Nor has a patch that is all paper."""
    for level in (0, 90, 255):
        panel = segment_panel(np.full((SIDE_MM, SIDE_MM, 3), level, np.uint8), CARD)
        assert panel is None or not panel.fits(CARD)


@pytest.mark.parametrize("spin", [False, True])
@pytest.mark.parametrize("style", TOUCHING)
def test_an_ovals_ends_are_no_spirals(style: str, spin: bool) -> None:
    """They end where spirals are printed, but whiten the inner halves alone."""
    for colour in COLOURS:
        for turn_deg in (5.0, 130.0):
            crop = detected(warp(drawn(style, colour, spin), turn_deg)).crop
            assert detect_spirals(crop) is spin, (colour, turn_deg)


def test_one_occluded_spiral_is_uncertain() -> None:
    """Where one corner shows a badge and the other half of one, it stays open or is none."""
    card = drawn("outlined", spin=True).copy()
    inset = round(9.0 * PX_PER_MM)
    cv2.circle(card, (card.shape[1] - inset, inset), 5 * PX_PER_MM, (90, 120, 170), cv2.FILLED)
    crop = detected(warp(card, 0.0)).crop
    assert detect_spirals(crop) is not True


def test_glare_breaks_the_half_turn_symmetry() -> None:
    """What it whitens beside the centre is not printed on the other side."""
    plain = draw_card("4", COLOURS["blue"], BADGE, np.random.default_rng(2))
    lit = plain.copy()
    cv2.circle(lit, (70, 110), 40, (255, 255, 255), cv2.FILLED)
    assert detected(warp(plain, 40.0)).crop.half_turn_symmetry > 0.98
    assert detected(warp(lit, 40.0)).crop.half_turn_symmetry < 0.95
