"""Where OpenCV 4 and OpenCV 5 answer in other forms, cards are read alike."""

from typing import Any

import cv2
import numpy as np
import pytest

from vision.capture.frame import Picture
from vision.cards.card_crop import PlaneView, crop_card
from vision.cards.card_outlines import find_quadrangles
from vision.cards.layout import CardSize
from vision.cards.segmentation import CROP_PX_PER_MM
from vision.photometry.chromaticity import IDENTITY_CORRECTION, to_lut

CARD, PANEL = CardSize(56.0, 87.0), CardSize(46.0, 77.0)
PAPER, BLUE = (240, 242, 238), (200, 90, 40)


def plain_card() -> Picture:
    """Return a card of one colour, as large as its crop."""
    rows, columns = (round(each * CROP_PX_PER_MM) for each in (CARD.h, CARD.w))
    border = round((CARD.w - PANEL.w) / 2 * CROP_PX_PER_MM)
    picture = np.full((rows, columns, 3), PAPER, np.uint8)
    picture[border:-border, border:-border] = BLUE
    return picture


@pytest.mark.parametrize("shape", [(256,), (256, 1)], ids=["5", "4"])
def test_colours_come_from_histograms_of_either_shape(
    shape: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """OpenCV 5 returns a row of counts, OpenCV 4 a column."""
    count = cv2.calcHist

    def shaped(*given: Any) -> Any:
        return np.reshape(count(*given), shape)

    monkeypatch.setattr(cv2, "calcHist", shaped)
    from_mm = np.diag([CROP_PX_PER_MM, CROP_PX_PER_MM, 1.0])
    from_mm[:2, 2] = -0.5
    view = PlaneView(plain_card(), from_mm, to_lut(IDENTITY_CORRECTION))
    card = crop_card(view, CARD, PANEL, 150.0)
    assert card is not None
    assert card.paper_colour.tolist() == list(PAPER)
    assert card.panel_colour.tolist() == list(BLUE)


@pytest.mark.parametrize("first", range(4))
@pytest.mark.parametrize("turn_deg", [0, 20, 70, 90, 110, 160])
def test_a_card_lies_as_it_does_whichever_corner_a_box_begins_with(
    turn_deg: int, first: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """OpenCV lists the corners of a rectangle from another one on since 4.13."""
    mask = np.zeros((300, 300), np.uint8)
    box = ((150.0, 150.0), (112.0, 174.0), float(turn_deg))
    cv2.fillConvexPoly(mask, np.rint(cv2.boxPoints(box)).astype(np.int32), 1)
    (usual,) = find_quadrangles(mask, cv2.RETR_EXTERNAL, 0.02)
    list_corners = cv2.boxPoints
    monkeypatch.setattr(cv2, "boxPoints", lambda box: np.roll(list_corners(box), first, axis=0))
    (found,) = find_quadrangles(mask, cv2.RETR_EXTERNAL, 0.02)
    assert np.allclose(found, usual, atol=0.01)
