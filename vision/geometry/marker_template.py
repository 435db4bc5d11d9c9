"""Remember what a tile looked like, and find it again near where it was."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.geometry.pose import Points

PATCH_PX: Final = 24
"""A tile is remembered this small: enough for its 6 x 6 cells, cheap to look for."""
SAME_TILE: Final = 0.75
"""Least correlation at which a remembered tile counts as seen."""


@dataclass(frozen=True, slots=True, eq=False)
class MarkerTemplate:
    """One tile as it looked when the pose was found.

    corners: (4, 2), and box: x, y, width, height, both in pixels of the whole picture.
    """

    corners: Points
    box: tuple[int, int, int, int]
    scale: float
    grey: NDArray[np.uint8]

    def find(self, picture: Picture, margins: Iterable[int]) -> Points | None:
        """Return how far (2,) in pixels the tile has moved, or None if it is not in view.

        margins: how far to look, in pixels of the patch; the first that is not beyond the picture.
        """
        for margin in margins:
            around = _shrink(picture, self.box, self.scale, margin)
            if around is not None:
                break
        else:
            return None
        match = np.asarray(cv2.matchTemplate(around, self.grey, cv2.TM_CCOEFF_NORMED))
        row, column = np.unravel_index(int(match.argmax()), match.shape)
        if not match[row, column] >= SAME_TILE:
            return None
        dx = column - margin + _peak(match[row, :], int(column))
        dy = row - margin + _peak(match[:, column], int(row))
        return np.array([dx, dy]) / self.scale


def crop_template(picture: Picture, corners: Points) -> MarkerTemplate | None:
    """Remember the tile at *corners*, or None if it is too close to the picture's edge."""
    low, high = np.floor(corners.min(axis=0)), np.ceil(corners.max(axis=0))
    scale = PATCH_PX / float((high - low).max())
    if scale > 1.0:
        scale = 1.0
    x, y = (int(v) for v in low)
    w, h = (int(v) for v in high - low)
    grey = _shrink(picture, (x, y, w, h), scale, 0)
    return None if grey is None else MarkerTemplate(corners, (x, y, w, h), scale, grey)


def to_grey(picture: Picture) -> NDArray[np.uint8]:
    """Return a picture (rows, columns) without its colours."""
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)


def _shrink(
    picture: Picture, box: tuple[int, int, int, int], scale: float, margin: int
) -> NDArray[np.uint8] | None:
    """Return *box* of the picture in grey, scaled, with *margin* scaled pixels on each side."""
    x, y, w, h = box
    size = (max(1, round(w * scale)) + 2 * margin, max(1, round(h * scale)) + 2 * margin)
    steps = np.array([w / (size[0] - 2 * margin), h / (size[1] - 2 * margin)])
    left, top = (int(v) for v in np.round((x, y) - margin * steps))
    right, bottom = (int(v) for v in np.round((x + w, y + h) + margin * steps))
    if left < 0 or top < 0 or right > picture.shape[1] or bottom > picture.shape[0]:
        return None
    cut = to_grey(picture[top:bottom, left:right])
    return np.asarray(cv2.resize(cut, size, interpolation=cv2.INTER_AREA), np.uint8)


def _peak(values: Iterable[float], at: int) -> float:
    """Return where between samples the parabola around sample *at* peaks, -0.5 to 0.5."""
    samples = list(values)
    if not 0 < at < len(samples) - 1:
        return 0.0
    before, here, after = (float(v) for v in samples[at - 1 : at + 2])
    bend = before - 2.0 * here + after
    return 0.0 if bend >= 0.0 else 0.5 * (before - after) / bend
