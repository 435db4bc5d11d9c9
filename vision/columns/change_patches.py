"""What the change network sees of a cell: now, and when the table was last accepted.

Both pictures are rectified onto the board, each by its own pose, and cropped in the frames of the
picture now (`patches.py`), twice as broad as high, so that shadows show. The accepted picture is
cropped on the plane of the cell's old top: a board that tilts moves everything but that top. It is
brought to the light of the picture now. Marks say in which rows the top should be after each of
`DELTAS`.
"""

from dataclasses import dataclass
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.columns.grid import TALLEST, Grid
from vision.columns.patches import MAX_MAP_PX, PATCH_WIDTH_RADII, PatchGeometry, View
from vision.geometry.pose import Points, Pose, build_grids

# The network was trained with all these values.
ROWS: Final = 128
COLUMNS: Final = 48
ROW_RADII: Final = PATCH_WIDTH_RADII / COLUMNS
"""Height of a row in radii of a piece; a column is twice as broad, since heights show along rows
only."""
START_RADII: Final = 2.2
"""Distance from a patch's first row to its cell's centre."""
DELTAS: Final = (-3, -2, -1, 0, 1, 2, 3)
"""By how many pieces a column may have changed."""
MARKS: Final = len(DELTAS) + 3
"""Rows of marks: of the top after each of DELTAS, the foot, pixels per level, the height before."""
BIN_PX: Final = 2
BINS: Final = ROWS // BIN_PX
COARSE_PER_RADIUS: Final = 7.0
"""Pixels of the coarse board in a radius of a piece."""
USABLE_LEVELS: Final = (12.0, 245.0)
"""Darker pixels are noise, brighter ones are saturated: neither says how the light changed."""
MIN_USABLE_PIXELS: Final = 200
GAIN_STEP: Final = 2
"""Every second pixel of every second row tells how the light changed."""
GAIN_RANGE: Final = (0.25, 4.0)
BLUR_PX: Final = 3
"""Coarse boards are averaged over so many pixels square: poses err."""

Pairs: TypeAlias = NDArray[np.uint8]
"""(cells, 2, ROWS, COLUMNS, 3): now, and when the table was last accepted; blue green red."""
Marks: TypeAlias = NDArray[np.float32]
"""(cells, MARKS, BINS)."""
Coarse: TypeAlias = NDArray[np.float32]
"""(rows, columns, 3): the board, seen from above."""


@dataclass(frozen=True, slots=True, eq=False)
class BoardPicture:
    """The part of a picture (rows, columns, 3) that shows a board, and its own pose over it."""

    picture: Picture
    pose: Pose


class ChangePatches:
    """Cuts the patches of one board out of two pictures of it."""

    def __init__(self, grid: Grid, floor_z: float) -> None:
        """*floor_z*: how many mm above the plane of the views' poses the columns stand."""
        self._grid, self._floor_z = grid, floor_z
        left, top, right, bottom = grid.edges
        self._coarse_mm = grid.figure.radius / COARSE_PER_RADIUS
        self._coarse_size = (
            int((right - left) / self._coarse_mm),
            int((bottom - top) / self._coarse_mm),
        )

    def cut_out(self, view: View) -> BoardPicture:
        """Return a copy of what *view* shows of the board and of columns on it."""
        left, top, right, bottom = self._grid.edges
        reach = START_RADII * self._grid.figure.radius
        across, along = (left - reach, right + reach), (top - reach, bottom + reach)
        highest = float(rises_mm(self._grid, np.array([TALLEST]))[0])
        heights = (self._floor_z, self._floor_z + highest)
        corners = np.array([(x, y, z) for x in across for y in along for z in heights])
        ends = view.pose.project(corners)
        limits = np.array(view.picture.shape[1::-1])
        x0, y0 = np.clip(np.floor(ends.min(axis=0)), 0, limits - 1).astype(int)
        x1, y1 = np.clip(np.ceil(ends.max(axis=0)) + 1, 1, limits).astype(int)
        shift = np.array([[1.0, 0.0, -x0], [0.0, 1.0, -y0], [0.0, 0.0, 1.0]])
        pose = Pose(shift @ view.pose.projection, view.pose.residual_mm)
        return BoardPicture(view.picture[y0:y1, x0:x1].copy(), pose)

    def flatten(self, view: View) -> Coarse:
        """Return the board of *view* as seen from above, coarsely."""
        left, top, *_ = self._grid.edges
        step = self._coarse_mm
        spread = np.array([[step, 0.0, left], [0.0, step, top], [0.0, 0.0, 1.0]])
        flat = cv2.warpPerspective(
            view.picture,
            view.pose.homography(self._floor_z) @ spread,
            self._coarse_size,
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        )
        return np.asarray(cv2.blur(flat, (BLUR_PX, BLUR_PX)), np.float32)

    def compare(self, now: Coarse, before: Coarse) -> NDArray[np.float64]:
        """Return by how many levels (cells,) the surroundings of each cell differ on average.

        before: in the light of *now*.
        """
        difference = np.abs(now - np.minimum(before, 255.0)).sum(axis=2)
        sums = cv2.integral(difference)
        left, top, *_ = self._grid.edges
        reach = START_RADII * self._grid.figure.radius
        low = (self._grid.cell_centres - [left, top] - reach) / self._coarse_mm
        high = low + 2.0 * reach / self._coarse_mm
        limits = np.array(self._coarse_size)
        (x0, y0), (x1, y1) = (np.clip(np.rint(end), 0, limits).astype(int).T for end in (low, high))
        total = sums[y1, x1] - sums[y0, x1] - sums[y1, x0] + sums[y0, x0]
        return np.asarray(total / np.maximum((x1 - x0) * (y1 - y0), 1), np.float64)

    def cut(
        self,
        now: View,
        before: BoardPicture,
        heights: NDArray[np.intp],
        gain: NDArray[np.float64],
        cells: NDArray[np.intp],
    ) -> tuple[Pairs, Marks]:
        """Return the patches and marks of some *cells* (n,).

        before: when *heights* (cells,) were accepted.  gain: see `measure_gain`.
        """
        geometry, old = now.geometry, heights[cells]
        levels = np.clip(np.arange(256)[:, None] * gain, 0, 255).astype(np.uint8)
        there = self._crop(before, geometry, cells, rises_mm(self._grid, old))
        lit = np.asarray(cv2.LUT(there.reshape(-1, 1, 3), levels[:, None]), np.uint8)
        here = self._crop(now, geometry, cells, np.zeros(len(cells)))
        pairs = np.stack([here, lit.reshape(there.shape)], axis=1)
        return pairs, self._mark(geometry, cells, old)

    def _crop(
        self,
        view: View | BoardPicture,
        geometry: PatchGeometry,
        cells: NDArray[np.intp],
        tops_mm: Points,
    ) -> NDArray[np.uint8]:
        """Return the patches (n, ROWS, COLUMNS, 3) of *view* in the frames of *geometry*.

        tops_mm: (n,) above the columns' feet, the plane of each on which both pictures agree.
        """
        _, down, right = geometry.frames[:, cells]
        start = START_RADII / ROW_RADII
        first = geometry.cell_centres[cells] - start * down - (COLUMNS - 1) * right
        camera, camera_mm = geometry.camera[:2], geometry.camera[2]
        maps = np.empty((2, len(cells), ROWS, COLUMNS), np.float32)
        for top_mm in np.unique(tops_mm):
            at = np.flatnonzero(tops_mm == top_mm)
            # A ray through the board passes a higher plane nearer to the camera's foot.
            share = 1.0 - top_mm / camera_mm
            maps[:, at] = build_grids(
                view.pose.homography(self._floor_z + float(top_mm)),
                camera + share * (first[at] - camera),
                share * down[at],
                2.0 * share * right[at],
                (ROWS, COLUMNS),
            )
        np.clip(maps, -MAX_MAP_PX, MAX_MAP_PX, out=maps)
        x, y = maps.reshape(2, -1, COLUMNS)
        cut = cv2.remap(view.picture, x, y, cv2.INTER_LINEAR)
        return np.asarray(cut.reshape(-1, ROWS, COLUMNS, 3), np.uint8)

    def _mark(
        self, geometry: PatchGeometry, cells: NDArray[np.intp], heights: NDArray[np.intp]
    ) -> Marks:
        after = np.maximum(heights[:, None] + np.array(DELTAS), 0)
        top_mm = rises_mm(self._grid, after)
        camera = geometry.camera
        distance = np.linalg.norm(geometry.cell_centres[cells] - camera[:2], axis=1)
        shift = np.maximum(distance, 1.0)[:, None] * top_mm / (camera[2] - top_mm)
        rows = (shift / self._grid.figure.radius + START_RADII) / ROW_RADII
        rows = np.column_stack([rows, np.full(len(rows), START_RADII / ROW_RADII)])
        marks = np.empty((len(cells), MARKS, BINS), np.float32)
        off = BIN_PX * np.arange(BINS) + 0.5 - rows[..., None]
        marks[:, :-2] = np.exp(-0.125 * off**2)
        marks[:, -2] = (geometry.pixels_per_level[cells] / 8.0 - 0.5)[:, None]
        marks[:, -1] = (heights / 4.0)[:, None]
        return marks


def rises_mm(grid: Grid, heights: NDArray[np.intp]) -> Points:
    """Return how many mm above its foot the top of a column of each of *heights* is."""
    figure = grid.figure
    rises = figure.top_mm + figure.pitch * (heights - 1.0)
    return np.asarray(np.where(heights > 0, rises, 0.0), np.float64)


def measure_gain(now: Coarse, before: Coarse) -> NDArray[np.float64]:
    """Return by which factors (3,) the light of *now* exceeds that of *before*: medians."""
    low, high = USABLE_LEVELS
    now, before = now[::GAIN_STEP, ::GAIN_STEP], before[::GAIN_STEP, ::GAIN_STEP]
    usable = (np.minimum(now, before) > low) & (np.maximum(now, before) < high)
    gains = []
    for channel in range(3):
        those = usable[..., channel]
        ratios = now[..., channel][those] / before[..., channel][those]
        gains.append(float(np.median(ratios)) if len(ratios) > MIN_USABLE_PIXELS else 1.0)
    return np.clip(gains, *GAIN_RANGE)


def are_possible(heights: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Return which of DELTAS (n, DELTAS) leave a column of *heights* (n,) from 0 to TALLEST.

    >>> are_possible(np.array([1]))[0].tolist()
    [False, False, True, True, True, True, True]
    """
    after = heights[:, None] + np.array(DELTAS)
    return np.asarray((after >= 0) & (after <= TALLEST), np.bool_)
