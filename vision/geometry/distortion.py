"""Radial distortion: what a lens bends, and the same picture as a pinhole would take it.

The model is OpenCV's first radial coefficient k1 alone: a point that a pinhole shows at r from the
middle, in focal lengths, is seen at r (1 + k1 r²).
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.geometry.pose import Points, camera_matrix

CORNER: Final = 1.25
"""How far a corner lies from the middle, in halves of the longer side: in 4:3, so at most."""
STEPS: Final = 2000


@dataclass(frozen=True, slots=True)
class Distortion:
    """How a lens shows the world.

    hfov_deg: field of view along the longer side of the picture, were it free of distortion.
    k1: first radial coefficient; 0 for a pinhole.
    """

    hfov_deg: float
    k1: float = 0.0

    @property
    def is_possible(self) -> bool:
        """Whether each point of a picture, but for its corners, is one point of the world."""
        return 2.0 / 3.0 * self._fold > self._half

    @property
    def straight_hfov_deg(self) -> float:
        """How wide a straightened picture is: it holds all that the bent one shows."""
        if self.k1 == 0.0:
            return self.hfov_deg
        return float(np.degrees(2.0 * np.arctan(self._half * self.growth)))

    def straighten(self, picture: Picture, max_side_px: int) -> Picture:
        """Return *picture* without distortion; of more pixels if they fit into *max_side_px*.

        What the bent one does not show is filled with what lies at its edge.
        """
        sources = _find_sources(self, picture.shape[:2], max_side_px)
        straight = cv2.remap(picture, *sources, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(straight, np.uint8)

    def bend(self, rays: Points) -> Points:
        """Return where the lens shows *rays* (n, 2), x and y at a depth of 1.

        Infinite so far out that the model bends back.
        """
        distances = np.linalg.norm(rays, axis=1, keepdims=True)
        bent = rays * (1.0 + self.k1 * distances**2)
        return np.where(distances < self._fold, bent, np.inf)

    @property
    def _half(self) -> float:
        """Half of the longer side, in focal lengths."""
        return float(np.tan(np.radians(self.hfov_deg) / 2.0))

    @property
    def _fold(self) -> float:
        """How far from the middle the model is one to one; it shows that at two thirds."""
        return math.inf if self.k1 >= 0.0 else (-3.0 * self.k1) ** -0.5

    @property
    def growth(self) -> float:
        """By what factor a straightened picture is larger: its corners lie further out."""
        corner = CORNER * self._half
        true = np.linspace(0.0, min(self._fold, 3.0 * corner), STEPS)
        return max(1.0, float(np.interp(corner, true * (1.0 + self.k1 * true**2), true)) / corner)


@lru_cache(maxsize=2)
def _find_sources(
    distortion: Distortion, shape: tuple[int, int], max_side_px: int
) -> tuple[NDArray[np.int16], NDArray[np.uint16]]:
    """Return where in a bent picture of *shape* the pixels of the straightened one lie."""
    side_px = max(shape)
    scale = min(distortion.growth, max_side_px / side_px)
    rows, columns = (round(side * scale) for side in shape)
    whole, between = cv2.initUndistortRectifyMap(
        camera_matrix(distortion.hfov_deg, shape),
        np.array([distortion.k1, 0.0, 0.0, 0.0]),
        np.eye(3),
        camera_matrix(distortion.straight_hfov_deg, (rows, columns)),
        (columns, rows),
        cv2.CV_16SC2,
    )
    return np.asarray(whole, np.int16), np.asarray(between, np.uint16)
