"""The board from above, with the columns drawn into it: who hides what from the camera."""

from collections.abc import Iterable
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.columns import Columns
from vision.frame import Picture
from vision.grid import Grid
from vision.rectify import STEP_MM, Area, Mask, coarsen
from vision.tiles import Pose

Column: TypeAlias = tuple[int, int, tuple[float, float]]
"""Which spot, how high, and how far across and out its foot stands from the middle, in mm."""

MARGIN_MM: Final = 60
FINER: Final = 4
ONE: Final = 1 << FINER
"""Circles are drawn to 1/16 of a pixel."""
NOBODY: Final = -1


FREE_MM: Final = 5.0
"""The board is free this far from the columns."""


def board_area(grid: Grid, margin_mm: int) -> Area:
    """Return the board and *margin_mm* around it."""
    left, top, right, bottom = (round(edge) for edge in grid.edges)
    size = [2 * ((far - near) // 2 + margin_mm) for near, far in ((left, right), (top, bottom))]
    return Area(left - margin_mm, top - margin_mm, size[0], size[1])


class Plan:
    """The board's plane at 2 mm per pixel, for one pose."""

    def __init__(self, grid: Grid, columns: Columns) -> None:
        self._area = board_area(grid, MARGIN_MM)
        self._board = board_area(grid, 0)
        self._columns = columns
        rows, wide = self._area.coarse
        places = np.floor((columns.points - (self._area.left, self._area.top)) / STEP_MM)
        places = np.clip(places, 0, np.array([wide - 1, rows - 1])).astype(np.intp)
        self._index = places[..., 1] * wide + places[..., 0]

    def rectify(self, picture: Picture, pose: Pose, z_mm: float) -> Picture:
        """Return the board, coarse (rows, columns, 3), on the plane at *z_mm* of the pose."""
        return coarsen(self._board.rectify(picture, pose, z_mm))

    def free(self, columns: Iterable[Column]) -> Mask:
        """Return which pixels of the rectified board no column is near."""
        skip = MARGIN_MM // round(STEP_MM)
        shown = self.draw(columns, FREE_MM)[skip:-skip, skip:-skip] == NOBODY
        edge = np.zeros(shown.shape, np.bool_)
        edge[1:-1, 1:-1] = True
        return np.asarray(shown & edge, np.bool_)

    def draw(self, columns: Iterable[Column], grow_mm: float) -> NDArray[np.int16]:
        """Return which spot's column each pixel shows, later ones over earlier ones, or NOBODY."""
        shown = np.full(self._area.coarse, NOBODY, np.int16)
        for column in columns:
            for x, y, radius in self._columns.outline(*column):
                centre = [
                    round(((at - edge) / STEP_MM - 0.5) * ONE)
                    for at, edge in ((x, self._area.left), (y, self._area.top))
                ]
                size = round(max(0.0, radius + grow_mm) / STEP_MM * ONE)
                cv2.circle(shown, centre, size, column[0], cv2.FILLED, 8, FINER)
        return shown

    def seen_by(self, shown: NDArray[np.int16]) -> NDArray[np.int16]:
        """Return what *shown* says at each pixel of the patches, (spots, rows, columns)."""
        return np.asarray(shown.ravel()[self._index], np.int16)
