"""A card in a photograph as seen from straight above, by its four corners."""

from typing import Final

import cv2
import numpy as np

from vision.capture.frame import Picture
from vision.cards.layout import UNO_TIKI
from vision.geometry.pose import Points

CROP_PX: Final = (168, 112)
"""Rows and columns of a crop: the card and some of what is around it."""
PX_PER_MM: Final = 1.8
"""Of a crop: a corner symbol of 8 mm has 14 pixels."""
CARD: Final = UNO_TIKI.card


CORNERS_MM: Final = np.array([[0, 0], [CARD.w, 0], [CARD.w, CARD.h], [0, CARD.h]], np.float64)
CROP_CORNERS: Final = (np.array(CROP_PX[::-1]) - 1) / 2 + (
    CORNERS_MM - np.array([CARD.w, CARD.h]) / 2
) * PX_PER_MM
"""The card's corners (4, 2), top left first, clockwise: on the card, and in a crop in pixels."""


def rectify(picture: Picture, corners: Points) -> Picture:
    """Return the crop (*CROP_PX, 3) uint8 of the card whose *corners* (4, 2) are given in pixels.

    Grey where the card is out of the picture.
    """
    longest = max(
        float(np.hypot(*(corners[1] - corners[0]))) / CARD.w,
        float(np.hypot(*(corners[2] - corners[1]))) / CARD.h,
    )
    shrink = PX_PER_MM * 1.5 / longest
    if shrink < 1.0:  # so that no pixel is skipped
        picture, corners = _shrink_around(picture, corners, shrink)
    move = cv2.getPerspectiveTransform(corners.astype(np.float32), CROP_CORNERS.astype(np.float32))
    grey = (114, 114, 114)
    crop = cv2.warpPerspective(
        picture, move, CROP_PX[::-1], flags=cv2.INTER_LINEAR, borderValue=grey
    )
    return np.asarray(crop, np.uint8)


def _shrink_around(picture: Picture, corners: Points, shrink: float) -> tuple[Picture, Points]:
    """Return the part of *picture* around *corners*, smaller, and the corners in it."""
    span = np.ptp(corners, axis=0)
    rows, columns = picture.shape[:2]
    low = np.clip(np.floor(corners.min(axis=0) - 0.15 * span), 0, (columns - 1, rows - 1))
    high = np.clip(np.ceil(corners.max(axis=0) + 0.15 * span), low + 1, (columns, rows))
    left, top, right, bottom = (int(each) for each in (*low, *high))
    part = picture[top:bottom, left:right]
    size = (max(1, round(part.shape[1] * shrink)), max(1, round(part.shape[0] * shrink)))
    small = cv2.resize(part, size, interpolation=cv2.INTER_AREA)
    scale = np.array(size) / np.array(part.shape[1::-1])
    return np.asarray(small, np.uint8), (corners - low + 0.5) * scale - 0.5
