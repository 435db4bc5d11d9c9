"""Cards of a hand of which all is seen, found by the outlines of their panels.

What is dark is told within squares of two sizes, since light and shadow differ over a picture and
white paper may lie on white paper. A panel is dark and has the shape of one, and white paper is all
around it. The networks for whole cards name what is within.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.cards.card_outlines import BORDER_MM, crop_quadrangle, find_quadrangles
from vision.cards.card_photo import MAX_OUTLINE_PX, identify_quadrangle, shrink
from vision.cards.card_rectification import CARD, CORNERS_MM
from vision.cards.uno_card import CardReading
from vision.geometry.pose import Points
from vision.photometry.chromaticity import min_channel

WINDOW_SHARES: Final = (0.04, 0.1)
"""Sides of the squares that tell what is dark in them, over the picture's longer side."""
LEVELS: Final = (0.5, 0.7)
"""Up to where between both a pixel is dark."""
MIN_CONTRAST: Final = 30
"""Between the brightest and the darkest there, in levels."""
CLOSING_SHARES: Final = (0.007, 0.015)
"""Of the picture's length: lines as thin, such as that of an oval, are closed in the panel."""
MIN_AREA_SHARE: Final = 0.0024
"""Of the picture, for a panel."""
MIN_BORDER_SHARE: Final = 0.6
"""How much of each edge of a card must be paper."""
MIN_APART: Final = 0.3
"""Between the middles of two cards of which all is seen, over their length."""
MAX_CARDS: Final = 30
"""How many are named, those with most paper around first: a patterned cloth has many."""
MAX_QUADS: Final = 400
"""How many outlines are looked at."""
PANEL_MM: Final = np.array(
    [[BORDER_MM, BORDER_MM], [CARD.w - BORDER_MM, BORDER_MM],
     [CARD.w - BORDER_MM, CARD.h - BORDER_MM], [BORDER_MM, CARD.h - BORDER_MM]], np.float32
)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class FreeCard:
    """A card of which all is seen.

    corners: (4, 2) in pixels, either way up.  paper: (3,) its levels, blue green red.
    """

    corners: Points
    reading: CardReading
    paper: NDArray[np.float64]


def find_free_cards(picture: Picture) -> list[FreeCard]:
    """Return the cards in *picture* (rows, columns, 3) uint8 of which all is seen and named."""
    small = shrink(picture, MAX_OUTLINE_PX)
    scale = picture.shape[1] / small.shape[1]
    found = []
    for corners in islice(_find_quads(small), MAX_QUADS):
        crop = crop_quadrangle(small, corners)
        if crop is not None and crop.border_share >= MIN_BORDER_SHARE:
            found.append((crop, corners * scale))
    found.sort(key=lambda each: -each[0].border_share)
    cards: list[FreeCard] = []
    for crop, corners in found[:MAX_CARDS]:
        if all(_are_apart(corners, other.corners) for other in cards):
            reading = identify_quadrangle(picture, corners)
            if reading is not None:
                cards.append(FreeCard(corners, reading, crop.paper_colour))
    return cards


def _find_quads(picture: Picture) -> Iterator[Points]:
    """Yield the corners (4, 2) of what may be a card, one card several times.

    An outline is that of a card's panel, or of a card in what is dark around it.
    """
    for outline in _find_outlines(picture):
        yield _grow(outline)
        yield outline


def _find_outlines(picture: Picture) -> Iterator[Points]:
    """Yield the corners (4, 2) of outlines that have the shape of a card or of a panel."""
    minima = min_channel(np.asarray(cv2.GaussianBlur(picture, (3, 3), 0), np.uint8))
    longest = max(minima.shape)
    closings = [np.ones((max(3, round(e * longest)),) * 2, np.uint8) for e in CLOSING_SHARES]
    for share in WINDOW_SHARES:
        kernel = np.ones((round(share * longest) | 1,) * 2, np.uint8)
        high = cv2.dilate(minima, kernel).astype(np.int16)
        low = cv2.erode(minima, kernel).astype(np.int16)
        for level in LEVELS:
            dark = (minima < low + level * (high - low)) & (high - low > MIN_CONTRAST)
            mask = dark.astype(np.uint8)
            closed = [cv2.morphologyEx(mask, cv2.MORPH_CLOSE, each) for each in closings]
            for each in (mask, *closed):
                outlines = np.asarray(each, np.uint8)
                yield from find_quadrangles(outlines, cv2.RETR_LIST, MIN_AREA_SHARE)


def _grow(panel: Points) -> Points:
    """Return the corners (4, 2) of the card that has its *panel* (4, 2) there."""
    move = cv2.getPerspectiveTransform(PANEL_MM, panel.astype(np.float32))
    return np.asarray(cv2.perspectiveTransform(CORNERS_MM[None], move)[0], np.float64)


def _are_apart(one: Points, other: Points) -> bool:
    """Return whether the middles of two cards are so far apart that both can be seen."""
    length = max(float(np.hypot(*(each[3] - each[0]))) for each in (one, other))
    return float(np.hypot(*(one.mean(axis=0) - other.mean(axis=0)))) > MIN_APART * length
