"""Panels of cards in the photograph of a hand that no index has named: they are unknown cards.

What a panel is follows from the paper of cards that were named: it has a colour of the game beside
that paper, or is black, and white paper goes along much of its edge.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.cards.card_rectification import CARD
from vision.cards.colours import DARK_OFFSET_LEVELS, chromaticity
from vision.cards.uno_card import REFERENCE_COLOURS, WILD
from vision.geometry.pose import Points

WORK_PX: Final = 640
"""Longer pictures are scaled down."""
MIN_COSINE: Final = 0.95
MIN_SPREAD: Final = 0.6
"""Of the chromaticity to that of a colour of the game, and between the channels of a log colour."""
MAX_BLACK: Final = -1.1
"""The brightest channel of a black panel, as a log colour."""
MIN_PAPER, MAX_PAPER_SPREAD = -0.45, 0.3
"""The darkest channel of paper, and how far its channels differ, as log colours."""
MIN_AREA_MM2: Final = 150.0
MAX_AREA_MM2: Final = 1.05 * CARD.w * CARD.h
MAX_LENGTH_MM: Final = 1.2 * CARD.h
"""Of a panel; what is longer is no card."""
MIN_PAPER_SHARE, MIN_BLACK_PAPER_SHARE = 0.5, 0.65
"""Of a panel's edge that is along paper; of a black one's, for a dark table is as black."""
MIN_EXPLAINED: Final = 0.6
"""Of a panel that a named card of that colour covers."""
SAME_MM, OTHER_MM = 55.0, 25.0
"""Parts of panels as near to each other as this are of one card, if their colours are the same, and
if they differ: a card may have a picture in its middle."""
BLACK: Final = len(REFERENCE_COLOURS)


@dataclass(frozen=True, slots=True, eq=False)
class NamedCard:
    """A card that was named.

    corners: (4, 2) in pixels, as far as is known.  colour: of its panel, or "wild" if black.
    """

    corners: Points
    colour: str


def find_unnamed(
    picture: Picture, cards: Sequence[NamedCard], whole: Sequence[Points],
    paper: NDArray[np.float64], px_per_mm: float,
) -> list[Points]:  # fmt: skip
    """Return where in *picture* there are panels of none of the *cards*: (2,) pixels each.

    whole: the corners (4, 2) of cards of which all is seen; their paper is no other card's, so that
    the dark table between them is none.  paper: (3,) its levels.  px_per_mm: of the cards.
    """
    shrink = min(1.0, WORK_PX / max(picture.shape[:2]))
    small = cv2.resize(picture, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    scale = px_per_mm * shrink
    classes, is_paper = _classify(np.asarray(small, np.uint8), paper)
    is_paper &= ~_fill(whole, classes.shape, shrink)
    near_paper = cv2.dilate(is_paper.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    covered = [_draw(cards, name, classes.shape, shrink) for name in (*REFERENCE_COLOURS, WILD)]
    found: list[tuple[int, int, Points]] = []
    for number, of_named in enumerate(covered):
        mask = cv2.morphologyEx(
            (classes == number).astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)
        )
        count, labels, boxes, middles = cv2.connectedComponentsWithStats(mask)
        for label in range(1, count):
            part = _part(boxes[label], mask.shape, scale)
            if part is None:
                continue
            own = labels[part] == label
            inside = cv2.erode(own.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
            along_paper = near_paper[part][own & ~inside].mean()
            least = MIN_BLACK_PAPER_SHARE if number == BLACK else MIN_PAPER_SHARE
            if along_paper >= least and of_named[part][own].mean() < MIN_EXPLAINED:
                area = int(boxes[label][cv2.CC_STAT_AREA])
                found.append((area, number, np.asarray(middles[label], np.float64)))
    kept: list[tuple[int, Points]] = []
    for _, number, middle in sorted(found, key=lambda each: -each[0]):
        if all(_apart(middle, at) > (SAME_MM if number == own else OTHER_MM) * scale
               for own, at in kept):  # fmt: skip
            kept.append((number, middle))
    return [at / shrink for _, at in kept]


def _part(
    box: NDArray[np.int32], shape: tuple[int, ...], scale: float
) -> tuple[slice, slice] | None:
    """Return where a component is, None if it is no panel by its size or leaves the picture."""
    left, top, wide, high, area = (int(each) for each in box)
    if not MIN_AREA_MM2 * scale**2 < area < MAX_AREA_MM2 * scale**2:
        return None
    if max(wide, high) > MAX_LENGTH_MM * scale:
        return None
    if left == 0 or top == 0 or left + wide == shape[1] or top + high == shape[0]:
        return None
    return slice(top - 1, top + high + 1), slice(left - 1, left + wide + 1)


def _apart(one: Points, other: Points) -> float:
    return float(np.hypot(*(one - other)))


def _classify(
    picture: Picture, paper: NDArray[np.float64]
) -> tuple[NDArray[np.int_], NDArray[np.bool_]]:
    """Return the class of each pixel, -1 if it is of no panel, and which pixels are paper."""
    levels = np.log(np.arange(256) + DARK_OFFSET_LEVELS)
    logs = levels[picture] - np.log(paper + DARK_OFFSET_LEVELS)
    high, low = logs.max(axis=2), logs.min(axis=2)
    directions = chromaticity(logs)
    cosines = np.stack(
        [(directions @ chromaticity(each).T).max(axis=2) for each in REFERENCE_COLOURS.values()]
    )
    classes = cosines.argmax(axis=0)
    classes[(cosines.max(axis=0) < MIN_COSINE) | (high - low < MIN_SPREAD)] = -1
    classes[high < MAX_BLACK] = BLACK
    return classes, (low > MIN_PAPER) & (high - low < MAX_PAPER_SPREAD)


def _draw(
    cards: Sequence[NamedCard], colour: str, shape: tuple[int, ...], shrink: float
) -> NDArray[np.bool_]:
    """Return which pixels cards of *colour* fill."""
    return _fill([card.corners for card in cards if card.colour == colour], shape, shrink, 0)


def _fill(
    cards: Sequence[Points], shape: tuple[int, ...], shrink: float, margin_px: int = 2
) -> NDArray[np.bool_]:
    """Return which pixels *cards* (n, 4, 2) fill, and a margin around each."""
    mask = np.zeros(shape, np.uint8)
    for corners in cards:
        points = np.round(corners * shrink).astype(np.int32)
        cv2.fillConvexPoly(mask, points, 1)
        if margin_px:
            cv2.polylines(mask, [points], True, 1, 2 * margin_px + 1)
    return mask > 0
