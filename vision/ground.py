"""Is something lying over the board? The print's fine lines around the pieces give it away.

Light and shadow change from picture to picture, and a hard shadow's edge is stronger than any
print. A median filter removes lines but keeps such edges: what it takes away is the print alone.
Where the print that was learned can be seen no more, something covers it.
"""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Picture
from vision.palette import DARK
from vision.rectify import STEP_MM, Mask

MEDIAN_PX: Final = 5
STEEP: Final = 110.0
"""Levels per unit of the logarithm of lightness, so that eight bits hold it finely enough."""
STRONGEST: Final = 12.0
"""Lines count no more than this: glints must not outvote a print."""
WINDOW_MM: Final = 42.0
ALIKE: Final = 0.35
"""The print is gone where, in a window, it is less like what was learned than this."""
LEAST_SEEN: Final = 0.3
"""The share of a window that must be free ground to be judged."""
LEAST_PRINT: Final = 0.25
"""How much print a window must hold, compared with the whole board, to be judged."""
TINY: Final = 1e-6


class Ground:
    """The board as it was when nobody reached over it."""

    def __init__(self, picture: Picture, free: Mask) -> None:
        """*picture*: coarse, (rows, columns, 3).  *free*: where no piece hides the board."""
        self._lines = _lines(picture)
        self._free = free

    def covered_mm2(self, picture: Picture, free: Mask) -> float:
        """Return on how much of the *free* board the print is not to be seen, in mm2."""
        both = (free & self._free).astype(np.float32)
        if not both.any():
            return float("inf")
        now, then = _lines(picture) * both, self._lines * both
        common, ours, theirs, seen = (_sum(v) for v in (now * then, now * now, then * then, both))
        window = float(round(WINDOW_MM / STEP_MM) ** 2)
        usual = float((then * then).sum() / both.sum())
        judged = (seen > LEAST_SEEN * window) & (theirs > LEAST_PRINT * usual * window)
        gone = common < ALIKE * np.sqrt(np.maximum(ours * theirs, TINY))
        return float(np.count_nonzero(gone & judged & (both > 0.0))) * STEP_MM**2


def _sum(values: NDArray[np.float32]) -> NDArray[np.float32]:
    side = round(WINDOW_MM / STEP_MM)
    return np.asarray(cv2.boxFilter(values, -1, (side, side), normalize=False), np.float32)


def _lines(picture: Picture) -> NDArray[np.float32]:
    """Return by how much each pixel differs from its neighbourhood's median, edges left out."""
    table = np.clip(STEEP * (np.log(np.arange(256.0) + DARK) - np.log(DARK)) / 1.7, 0.0, 255.0)
    logs = cv2.LUT(picture, table.astype(np.uint8))
    light = np.asarray(cv2.cvtColor(logs, cv2.COLOR_BGR2GRAY), np.uint8)
    apart = light.astype(np.float32) - cv2.medianBlur(light, MEDIAN_PX)
    return np.asarray(np.clip(apart, -STRONGEST, STRONGEST), np.float32)
