"""The picture that is kept of a card which its owner shows once, or why it should be shown again.

What is kept is compared with every later photograph, so that it must be a good one: all of the
card, large, from above, in even light.
"""

from enum import StrEnum
from typing import Final

import cv2
import numpy as np

from vision.capture.frame import Picture
from vision.cards.card_photo import locate_plain_cards, shrink
from vision.geometry.pose import Points

KEPT_PX: Final = (336, 224)
"""Rows and columns of the picture that is kept of a card."""
MAX_LENGTH_PX: Final = 1280
"""Longer photographs are scaled down: a card is no larger then than the picture that is kept."""
MIN_LENGTH_PX: Final = 260.0
"""Of a shown card's longer side, for small print to be legible in what is kept."""
MIN_ASPECT: Final = 1.2
MAX_SIDES: Final = 1.35
"""Length over width, 1.55 from above; and a side over the opposite one."""
CLIPPED_LEVEL: Final = 252
MAX_CLIPPED: Final = 0.12
"""Level from which on a colour is lost, and the share of a card without its edge that may be."""
MIN_PEAK_LEVEL: Final = 70.0
"""Of a card's brightest parts."""


class ShownFault(StrEnum):
    """Why a picture of a card is not good enough to know it again by."""

    NO_CARD = "no_card"
    SMALL = "small"
    TILTED = "tilted"
    BRIGHT = "bright"  # glare or overexposure: colours are lost
    DARK = "dark"


def crop_shown(picture: Picture) -> Picture | ShownFault:
    """Return what is kept (*KEPT_PX, 3) of the card that *picture* shows, or what is wrong."""
    small = shrink(picture, MAX_LENGTH_PX)
    quad = next(locate_plain_cards(small), None)
    if quad is None:
        return ShownFault.NO_CARD
    corners = quad.corners
    across, right, below, left = np.hypot(*(np.roll(corners, -1, axis=0) - corners).T)
    if max(right, left) < MIN_LENGTH_PX:
        return ShownFault.SMALL
    sides = max(across / below, below / across, right / left, left / right)
    if (right + left) / (across + below) < MIN_ASPECT or sides > MAX_SIDES:
        return ShownFault.TILTED
    kept = warp_card(small, corners)
    return find_light_fault(kept) or kept


def find_light_fault(kept: Picture) -> ShownFault | None:
    """Return whether the light on a card (*KEPT_PX, 3) was too strong or too weak."""
    inner = kept[24:-24, 16:-16].max(axis=2)
    if float((inner >= CLIPPED_LEVEL).mean()) > MAX_CLIPPED:
        return ShownFault.BRIGHT
    return ShownFault.DARK if is_dark(kept) else None


def is_dark(kept: Picture) -> bool:
    """Return whether there was too little light on a card (*KEPT_PX, 3)."""
    return float(np.percentile(kept[24:-24, 16:-16].max(axis=2), 95)) < MIN_PEAK_LEVEL


def warp_card(picture: Picture, corners: Points) -> Picture:
    """Return the card with those *corners* (4, 2) in *picture*, as it is kept."""
    rows, columns = KEPT_PX
    ends = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], np.float32) - 0.5
    move = cv2.getPerspectiveTransform(corners.astype(np.float32), ends)
    length = float(np.hypot(*(corners[3] - corners[0])))
    if length > 2 * rows:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.4 * length / rows), np.uint8)
    how, border = cv2.INTER_LINEAR, cv2.BORDER_REPLICATE
    return np.asarray(
        cv2.warpPerspective(picture, move, (columns, rows), flags=how, borderMode=border), np.uint8
    )
