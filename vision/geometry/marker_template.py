"""Template matching of a corner tile near where it was last seen."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.geometry.peak import interpolate_peak
from vision.geometry.pose import Points

TEMPLATE_PX: Final = 24
"""Longer side of a template: four pixels for each of a marker's 6 x 6 cells."""
MIN_CORRELATION: Final = 0.75
"""Normalised cross-correlation from which on a tile is seen again."""


@dataclass(frozen=True, slots=True, eq=False)
class MarkerTemplate:
    """One tile as it looked when the pose was found.

    corners: (4, 2), and box: x, y, width, height, both in pixels of the whole picture.
    scale: pixels of the template for one pixel of the picture.
    """

    corners: Points
    box: tuple[int, int, int, int]
    scale: float
    grey: NDArray[np.uint8]

    def find_shift(self, picture: Picture, margins: Iterable[int]) -> Points | None:
        """Return by how many pixels (2,) the tile has moved, or None if it is not found.

        margins: how far to search, in pixels of the template; the first that lies in the picture.
        """
        for margin in margins:
            search = _crop_grey(picture, self.box, self.scale, margin)
            if search is not None:
                break
        else:
            return None
        scores = np.asarray(cv2.matchTemplate(search, self.grey, cv2.TM_CCOEFF_NORMED))
        row, column = np.unravel_index(int(scores.argmax()), scores.shape)
        if not scores[row, column] >= MIN_CORRELATION:
            return None
        dx = column - margin + interpolate_peak(scores[row, :], int(column))
        dy = row - margin + interpolate_peak(scores[:, column], int(row))
        return np.array([dx, dy]) / self.scale


def crop_template(picture: Picture, corners: Points) -> MarkerTemplate | None:
    """Return the template of the tile at *corners*, or None at the picture's edge."""
    low, high = np.floor(corners.min(axis=0)), np.ceil(corners.max(axis=0))
    scale = min(1.0, TEMPLATE_PX / float((high - low).max()))
    x, y = (int(v) for v in low)
    w, h = (int(v) for v in high - low)
    grey = _crop_grey(picture, (x, y, w, h), scale, 0)
    return None if grey is None else MarkerTemplate(corners, (x, y, w, h), scale, grey)


def to_grey(picture: Picture) -> NDArray[np.uint8]:
    """Return the grey levels (rows, columns) of a picture."""
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)


def _crop_grey(
    picture: Picture, box: tuple[int, int, int, int], scale: float, margin: int
) -> NDArray[np.uint8] | None:
    """Return *box* of the picture in grey, scaled, with *margin* scaled pixels on each side.

    None if it reaches beyond the picture.
    """
    x, y, w, h = box
    size = (max(1, round(w * scale)) + 2 * margin, max(1, round(h * scale)) + 2 * margin)
    steps = np.array([w / (size[0] - 2 * margin), h / (size[1] - 2 * margin)])
    left, top = (int(v) for v in np.round((x, y) - margin * steps))
    right, bottom = (int(v) for v in np.round((x + w, y + h) + margin * steps))
    if left < 0 or top < 0 or right > picture.shape[1] or bottom > picture.shape[0]:
        return None
    grey = to_grey(picture[top:bottom, left:right])
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.uint8)
