"""Quadrangles of a card's shape in a mask, and crops of the cards that have such corners."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.cards.card_crop import CardCrop, PlaneView, crop_card
from vision.cards.layout import UNO_TIKI, CardSize
from vision.cards.segmentation import CROP_PX_PER_MM
from vision.geometry.pose import Points
from vision.photometry.chromaticity import IDENTITY_CORRECTION, min_channel, to_lut

CARD: Final = UNO_TIKI.card
BORDER_MM: Final = 3.4
"""Width of the white border.  Measured."""
PANEL: Final = CardSize(CARD.w - 2 * BORDER_MM, CARD.h - 2 * BORDER_MM)
MIN_ASPECT, MAX_ASPECT = 1.3, 1.85
"""Length over width of an outline: 1.55 for a card and 1.63 for its panel, seen at an angle."""
MIN_RECTANGULARITY: Final = 0.85
"""Of an outline: its area over its bounding rectangle's, seen at an angle."""
STRAIGHT_SHARE: Final = 0.6
"""Of each side, around its centre: without the round corners."""


def crop_quadrangle(picture: Picture, corners: Points, size: CardSize = CARD) -> CardCrop | None:
    """Return the crop of a card, or None without paper or panel.

    corners: (4, 2) in pixels, of its centred part of that *size*, the top left one first.
    """
    left, top = (CARD.w - size.w) / 2, (CARD.h - size.h) / 2
    right, bottom = left + size.w, top + size.h
    corners_mm = np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float32)
    homography = cv2.getPerspectiveTransform(corners_mm, corners.astype(np.float32))
    view = PlaneView(picture, np.asarray(homography, np.float64), to_lut(IDENTITY_CORRECTION))
    minima = min_channel(view.crop(0.0, 0.0, CARD, CROP_PX_PER_MM))
    threshold, _ = cv2.threshold(minima, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    return crop_card(view, CARD, PANEL, threshold)


def find_quadrangles(mask: NDArray[np.uint8], mode: int, min_area_share: float) -> Iterator[Points]:
    """Yield the corners (4, 2) of each outline in *mask* with a card's shape, top left first.

    Either way up: a card looks the same after a half-turn.
    """
    outlines, _ = cv2.findContours(mask, mode, cv2.CHAIN_APPROX_NONE)
    for outline in outlines:
        hull = cv2.convexHull(outline)
        area = cv2.contourArea(hull)
        if area < min_area_share * mask.size:
            continue
        box = cv2.minAreaRect(hull)
        short, long = sorted(box[1])
        if not MIN_ASPECT <= long / max(short, 1.0) <= MAX_ASPECT:
            continue
        if area < MIN_RECTANGULARITY * short * long:
            continue
        points = outline.reshape(-1, 2).astype(np.float64)
        corners = _fit_corners(points, _list_corners(box))
        if corners is not None:
            yield corners


def _list_corners(box: cv2.typing.RotatedRect) -> Points:
    """Return the corners (4, 2) of *box*, the lowest in the picture first.

    OpenCV measures a box's angle from 0 to 90 degrees until 4.12, from -90 to 0 since, so that each
    begins with another corner (its pull request 28051).
    """
    corners = np.asarray(cv2.boxPoints(box), np.float64)
    return np.roll(corners, -int(np.lexsort(corners.T)[-1]), axis=0)


def _fit_corners(outline: Points, box: Points) -> Points | None:
    """Return the intersections (4, 2) of the lines fitted to the four sides of *outline* (n, 2).

    box: (4, 2) corners of its bounding rectangle.  None if a side has too few points.
    """
    if np.linalg.norm(box[1] - box[0]) > np.linalg.norm(box[2] - box[1]):
        box = np.roll(box, -1, axis=0)
    lines = []
    for start, end in pairwise([*box, box[0]]):
        length = float(np.linalg.norm(end - start))
        direction = (end - start) / max(length, 1.0)
        offsets = outline - start
        along = offsets @ direction / max(length, 1.0)
        distance = np.abs(offsets @ np.array([-direction[1], direction[0]]))
        is_straight = np.abs(along - 0.5) < STRAIGHT_SHARE / 2
        points = outline[is_straight & (distance < 0.06 * length)]
        if len(points) < 2:
            return None
        fitted = cv2.fitLine(points.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01)
        vx, vy, x, y = fitted.ravel()
        lines.append(np.cross([x, y, 1.0], [x + vx, y + vy, 1.0]))
    intersections = [np.cross(one, other) for one, other in pairwise([lines[3], *lines])]
    if min(abs(float(point[2])) for point in intersections) < 1e-9:  # parallel
        return None
    return np.array([point[:2] / point[2] for point in intersections])
