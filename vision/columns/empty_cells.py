"""Detect empty cells by matching them to templates from the calibration picture.

A board's print does not change. A cell that still shows what it showed when it was known to be
empty is empty, whatever leans in beside it, and not occluded. Soft shadows darken it evenly or from
one side to the other, which is removed; an edge or another colour is not.
"""

from typing import Any, Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.columns.cues.shadow_patches import is_occluded, project_tops
from vision.columns.grid import Grid
from vision.columns.patches import View
from vision.geometry.pose import build_grids

LogLevels: TypeAlias = NDArray[np.float32]
"""(cells, pixels, 3): logarithms of levels, blue green red, of a template's disc."""
Mask: TypeAlias = NDArray[np.bool_]

# The thresholds were chosen on recorded and rendered tables: no occupied cell may match.
TEMPLATE_PX: Final = 24
"""Side of the square of which a template is the inscribed disc."""
TEMPLATE_RADII: Final = 1.15
"""Radius of the disc in radii of a piece: what is there shows an edge."""
NOISE_LEVELS: Final = 6.0
"""Added to levels before the logarithm: below this there is more noise than light."""
MAX_MEAN_LOG_RESIDUAL: Final = 0.035
"""As a natural logarithm: 3.5 % of the level."""
LARGE_LOG_RESIDUAL, MAX_LARGE_RESIDUAL_SHARE = 0.2, 0.02
"""What a large residual is, and which share of channels and pixels may have one."""
MAX_CHROMATICITY_CHANGE: Final = 0.1
"""Change of one channel's mean against the other two, as a logarithm."""
MIN_PRINT_CORRELATION: Final = 0.75
"""The back of a hand may have the colour of the board, but not its print."""
OCCLUDER_RADIUS_RADII: Final = 1.2
"""Radius within which a column occludes, in radii of a piece, with its blurred edge."""
MIN_VISIBLE_SHARE: Final = 0.6
"""Share of a template that no column may occlude."""


def _build_disc() -> tuple[Mask, NDArray[np.float32]]:
    """Return which pixels of a template's square are in the disc, and linear shading of these.

    (pixels, 3): x and y, from -1 to 1, and one.
    """
    axis = (np.arange(TEMPLATE_PX, dtype=np.float32) + 0.5) / TEMPLATE_PX * 2.0 - 1.0
    x, y = np.meshgrid(axis, axis)
    inside = np.hypot(x, y) <= 1.0
    return inside, np.stack([x[inside], y[inside], np.ones(inside.sum(), np.float32)], axis=1)


_IN_DISC, _SHADING_BASIS = _build_disc()


class EmptyCellDetector:
    """Matches the cells of one board to how they looked when they were known to be empty."""

    def __init__(self, grid: Grid, floor_z: float) -> None:
        """*floor_z*: how many mm above the plane of its poses the columns stand."""
        self._grid, self._floor_z = grid, floor_z
        cells = len(grid.cells)
        self._known = np.zeros(cells, np.bool_)
        shape = (3, cells, len(_SHADING_BASIS), 3)
        self._templates, self._lowest, self._highest = np.zeros(shape, np.float32)

    def learn(self, view: View, empty: Mask) -> None:
        """Take templates of the *empty* cells (cells,) from *view*, in place of all others."""
        known = self._known = empty & view.geometry.in_view
        if not known.any():
            return
        squares = self._rectify(view, known)
        self._templates[known] = squares[:, _IN_DISC]
        # A pixel may show what was a pixel beside it, since poses err.
        around = np.ones((3, 3), np.uint8)
        for limits, filter_ in ((self._lowest, cv2.erode), (self._highest, cv2.dilate)):
            filtered = np.stack([filter_(square, around) for square in squares])
            limits[known] = filtered[:, _IN_DISC]

    def detect(
        self, view: View, asked: Mask | None = None, heights: NDArray[np.intp] | None = None
    ) -> Mask:
        """Return which cells (cells,) match their templates.

        asked: only these may match.  heights: (cells,) of the columns, as far as known; pixels that
        these occlude are left out.
        """
        found = self._known & view.geometry.in_view
        if asked is not None:
            found &= asked
        if not found.any():
            return found
        cells = np.flatnonzero(found)
        seen = self._rectify(view, found)[:, _IN_DISC]
        visible = self._find_visible(view, cells, heights)
        # Most occupied cells have another colour, which is the quickest to measure.
        change = _measure_chromaticity_change(seen - self._templates[cells], visible)
        found[cells] = likely = change < MAX_CHROMATICITY_CHANGE
        found[found] = self._match(cells[likely], seen[likely], visible[likely])
        return found

    def _match(
        self, cells: NDArray[np.intp], seen: LogLevels, visible: NDArray[np.float32]
    ) -> Mask:
        """Return which *cells* (n,) match their templates.

        visible: (n, pixels) 1 where nothing occludes a pixel, else 0.
        """
        templates = self._templates[cells]
        grey = np.stack([_sum_channels(part) / np.float32(3.0) for part in (seen, templates)], 2)
        weighted = (visible[..., None] * _SHADING_BASIS).transpose(0, 2, 1)
        ridge = np.float32(1e-3) * np.eye(3, dtype=np.float32)
        coefficients = np.linalg.solve(weighted @ _SHADING_BASIS + ridge, weighted @ grey)
        shading = _SHADING_BASIS @ coefficients
        prints = (grey - shading) * visible[..., None]
        products = (prints[..., 0] * prints[..., 1]).sum(axis=1)
        norms = np.sqrt((prints**2).sum(axis=1).prod(axis=1))
        correlation = products / np.maximum(norms, np.float32(1e-6))
        levelled = seen - (shading[..., :1] - shading[..., 1:])
        residual = np.maximum(levelled - self._highest[cells], self._lowest[cells] - levelled)
        residual = np.maximum(residual, 0.0) * visible[..., None]
        pixels = np.maximum(visible.sum(axis=1), 1.0)
        mean_residual = _sum_channels(residual).sum(axis=1) / (3.0 * pixels)
        is_large = _sum_channels(residual > LARGE_LOG_RESIDUAL)
        large_share = np.count_nonzero(is_large, axis=1) / pixels
        matches = (
            (mean_residual < MAX_MEAN_LOG_RESIDUAL)
            & (large_share < MAX_LARGE_RESIDUAL_SHARE)
            & (correlation > MIN_PRINT_CORRELATION)
            & (visible.mean(axis=1) >= MIN_VISIBLE_SHARE)
        )
        return np.asarray(matches, np.bool_)

    def _rectify(self, view: View, which: Mask) -> NDArray[np.float32]:
        """Return (n, TEMPLATE_PX, TEMPLATE_PX, 3) log levels of cells, as seen from above."""
        centres = self._grid.cell_centres[which]
        side_mm = 2.0 * TEMPLATE_RADII * self._grid.figure.radius
        samples = 2 * TEMPLATE_PX  # averaged later, against noise
        right, down = np.tile(side_mm / samples * np.eye(2)[:, None], (1, len(centres), 1))
        first = centres - side_mm / 2.0 * (1.0 - 1.0 / samples)
        plane = view.pose.homography(self._floor_z)
        x, y = build_grids(plane, first, down, right, (samples, samples)).reshape(2, -1, samples)
        fine = cv2.remap(view.picture, x, y, cv2.INTER_LINEAR)
        size = (TEMPLATE_PX, len(centres) * TEMPLATE_PX)
        mean = np.asarray(cv2.resize(fine, size, interpolation=cv2.INTER_AREA), np.float32)
        levels = mean.reshape(len(centres), TEMPLATE_PX, TEMPLATE_PX, 3)
        return np.asarray(np.log(levels + np.float32(NOISE_LEVELS)), np.float32)

    def _find_visible(
        self, view: View, cells: NDArray[np.intp], heights: NDArray[np.intp] | None
    ) -> NDArray[np.float32]:
        """Return (n, pixels) 1 where no other column occludes a pixel of *cells* (n,), else 0."""
        occluded = np.zeros((len(cells), len(_SHADING_BASIS)), np.bool_)
        if heights is not None:
            centres, radius = self._grid.cell_centres, self._grid.figure.radius
            points = centres[cells][:, None] + TEMPLATE_RADII * radius * _SHADING_BASIS[:, :2]
            tops = project_tops(self._grid, view.pose.camera - [0.0, 0.0, self._floor_z])
            for other in np.flatnonzero(heights):
                top = tops[other, heights[other]]
                over = is_occluded(points, centres[other], top, OCCLUDER_RADIUS_RADII * radius)
                occluded |= over & (cells != other)[:, None]
        return np.asarray(~occluded, np.float32)


def _sum_channels(parts: NDArray[Any]) -> NDArray[Any]:
    """Return the sums along the last axis, of length three; of booleans, whether any is true.

    Numpy's own sum along so short an axis takes ten times as long.
    """
    one, two, three = (parts[..., at] for at in range(3))
    return np.asarray(one + two + three)


def _measure_chromaticity_change(
    changes: LogLevels, visible: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Return how much one channel changed against the others (n,) where pixels are *visible*."""
    pixels = np.maximum(visible.sum(axis=1), 1.0)[:, None]
    means = np.einsum("npc,np->nc", changes, visible) / pixels
    return np.asarray(np.abs(means - means.mean(axis=1, keepdims=True)).max(axis=1), np.float32)
