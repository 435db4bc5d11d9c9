"""A card in a photograph as seen from straight above, by its four corners."""

import math
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.cards.layout import UNO_TIKI
from vision.geometry.pose import Points

CROP_PX: Final = (168, 112)
"""Rows and columns of a crop: the card and some of what is around it."""
PX_PER_MM: Final = 1.8
"""Of a crop: a corner symbol of 8 mm has 14 pixels."""
CARD: Final = UNO_TIKI.card
MARGIN_SHARE: Final = 0.15
"""Of a card's extent, that is looked at around it."""
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
    margin = MARGIN_SHARE * np.ptp(corners, axis=0)
    around = np.array([corners.min(axis=0) - margin, corners.max(axis=0) + margin])
    part, to_picture = halve_around(picture, around, PX_PER_MM / longest)
    move = cv2.getPerspectiveTransform(corners.astype(np.float32), CROP_CORNERS.astype(np.float32))
    grey = (114, 114, 114)
    crop = cv2.warpPerspective(
        part, move @ to_picture, CROP_PX[::-1], flags=cv2.INTER_LINEAR, borderValue=grey
    )
    return np.asarray(crop, np.uint8)


def halve_around(
    picture: Picture, around: Points, scale: float
) -> tuple[Picture, NDArray[np.float64]]:
    """Return a part of *picture*, halved until no pixel is skipped where it is scaled by *scale*.

    around: (2, 2) pixels, the least and the greatest x and y of the part.  Beside it the
    homography (3, 3) from its pixels to those of *picture*.
    """
    times = max(0, math.floor(-math.log2(scale)))
    step, limit = 2**times, np.array(picture.shape[1::-1])
    left, top = np.clip(np.floor(around[0]), 0, limit - min(step, *limit)).astype(int).tolist()
    right, bottom = np.clip(np.ceil(around[1]), 0, limit).astype(int).tolist()
    columns, rows = max(1, (right - left) // step), max(1, (bottom - top) // step)
    part = picture[top : top + rows * step, left : left + columns * step]
    for left_over in reversed(range(times)):  # in a tenth of the time that other scales take
        size = (columns << left_over, rows << left_over)
        part = np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA), np.uint8)
    shift = (step - 1) / 2
    to_picture = np.array([[step, 0.0, left + shift], [0.0, step, top + shift], [0.0, 0.0, 1.0]])
    return part, to_picture
