"""How the corner tiles look: their paper shows the light on the table, their edges the focus.

The paper is white and the edges are sharp, whatever is played; so a change of either is the lamp's,
the lens's or the camera's.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from vision.capture.frame import Picture
from vision.capture.picture_fault import PictureFault
from vision.geometry.marker_template import to_grey
from vision.geometry.pose import Points
from vision.geometry.session_values import TILES_PER_MAT

PATCH_PX: Final = 96
"""Side of a tile's patch at the most: the marker and a rim of white around it."""
RIM: Final = 0.1
"""Of the marker's side, what of the white rim is looked at."""
WHITE_PERCENTILE, BLACK_PERCENTILE, EDGE_PERCENTILE = 90, 10, 99
MIN_CONTRAST: Final = 25.0
"""Grey levels between paper and print; less shows neither light nor focus."""
DARK: Final = 0.5
"""Share of the usual light below which colours fade: one f-stop."""
BRIGHT: Final = 1.7
"""The same for more light, measured by the print: paper soon is as white as a camera shows it."""
BLURRED: Final = 0.5
"""Share of the usual steepness of an edge: it is twice as wide."""
MOST_TILES: Final = 3
"""What so many tiles show is the whole picture's."""


@dataclass(frozen=True, slots=True)
class TileLook:
    """One tile: grey levels of its paper and print, 0 to 255, and how steep its edges are.

    steepness: grey levels a pixel, as a share of those between paper and print.
    """

    white: float
    black: float
    steepness: float


def look_at_tile(picture: Picture, corners: Points) -> TileLook | None:
    """Return how the tile with marker *corners* (4, 2) in pixels looks; None without contrast."""
    centre = corners.mean(axis=0)
    side = float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean())
    patch_px = int(min(PATCH_PX, max(8.0, side * (1 + 2 * RIM))))
    outer = centre + (corners - centre) * (1 + 2 * RIM)
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * (patch_px - 1.0)
    left, top = np.maximum(np.floor(outer.min(axis=0)).astype(int) - 1, 0)
    right, bottom = np.ceil(outer.max(axis=0)).astype(int) + 2
    around = to_grey(np.ascontiguousarray(picture[top:bottom, left:right]))
    to_patch = cv2.getPerspectiveTransform(
        (outer - (left, top)).astype(np.float32), square.astype(np.float32)
    )
    grey = cv2.warpPerspective(around, to_patch, (patch_px, patch_px)).astype(np.float32)
    white, black = np.percentile(grey, (WHITE_PERCENTILE, BLACK_PERCENTILE))
    if white - black < MIN_CONTRAST:
        return None
    smooth = cv2.blur(grey, (2, 2))  # noise is steep as well
    steep = np.hypot(cv2.Sobel(smooth, cv2.CV_32F, 1, 0), cv2.Sobel(smooth, cv2.CV_32F, 0, 1)) / 8
    edge = float(np.percentile(steep, EDGE_PERCENTILE)) * patch_px / (side * (1 + 2 * RIM))
    return TileLook(float(white), float(black), edge / float(white - black))


class TileLooks:
    """Compares how the tiles look with how they looked at first."""

    def __init__(self) -> None:
        self._usual: dict[int, TileLook] = {}
        self._suspected: tuple[PictureFault, int | None] | None = None
        self._found: tuple[PictureFault, int | None] | None = None

    @property
    def wants_another(self) -> bool:
        """Whether the next picture matters: something was found, or not every tile is known yet."""
        return bool(self._suspected or self._found or len(self._usual) < TILES_PER_MAT)

    def restart(self) -> None:
        """Compare with the next picture from now on."""
        self._usual, self._suspected, self._found = {}, None, None

    def judge(
        self, picture: Picture, corners: Mapping[int, Points]
    ) -> tuple[PictureFault, int | None] | None:
        """Return what is wrong, and at which tile if at one alone; None if nothing is.

        corners: (4, 2) in pixels by marker id.  It changes after two pictures in a row that agree:
        an arm's shadow passes.
        """
        looks = {tile: look_at_tile(picture, each) for tile, each in corners.items()}
        seen = {tile: look for tile, look in looks.items() if look is not None}
        for tile, look in seen.items():
            self._usual.setdefault(tile, look)
        suspected, self._suspected = self._suspected, self._compare(seen)
        if suspected == self._suspected:
            self._found = suspected
        return self._found

    def _compare(self, seen: Mapping[int, TileLook]) -> tuple[PictureFault, int | None] | None:
        if not seen:
            return None
        usual = self._usual
        paper = np.median([look.white / usual[tile].white for tile, look in seen.items()])
        ink = np.median([look.black / max(usual[tile].black, 1) for tile, look in seen.items()])
        if paper < DARK:
            return PictureFault.DARKER, None
        if ink > BRIGHT and paper > 1.0:
            return PictureFault.BRIGHTER, None
        blurred = [
            tile for tile, look in seen.items() if look.steepness < BLURRED * usual[tile].steepness
        ]
        if len(blurred) >= min(MOST_TILES, len(seen)):
            return PictureFault.BLURRED, None
        return (PictureFault.SMEARED, blurred[0]) if blurred else None
