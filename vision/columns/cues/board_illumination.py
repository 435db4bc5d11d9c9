"""Measure the brightness of a board beside its columns, and build the bases that explain it.

The board is sampled every few millimetres. Print and smooth illumination are modelled by linear
bases, so that what remains can be attributed to what columns occlude.
"""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.columns.cues.shadow_patches import is_occluded, project_tops
from vision.columns.grid import Grid
from vision.columns.patches import View
from vision.geometry.pose import Points, build_grids

SAMPLE_STEP_MM: Final = 4.0
"""Distance between sampled points: shadows of pieces, at least 22 mm wide, span several."""
MIN_BOARD_POINTS: Final = 110
"""With fewer visible points no illumination is estimated."""
MIN_SATURATED_LEVEL: Final = 250
"""A channel with this level, of 255, does not show how bright its point is."""
MAX_SATURATED_SHARE: Final = 0.03
"""A channel that is saturated at a larger share of the points is ignored."""
SRGB_GAMMA: Final = 2.2
"""Exponent from levels to linear intensities: the usual approximation of sRGB's curve."""
LOG_OFFSET: Final = 2e-3
"""Added to linear intensities, white being 1, before the logarithm: stray light and black level."""
RING_WIDTH_MM: Final = 1.5
"""Width of the rings around a cell in which print is taken to be alike."""
MAX_RING_RADII: Final = 1.5
"""Where the rings end, in radii of a piece: a cell's print ends before."""


@dataclass(frozen=True, slots=True, eq=False)
class BoardBrightness:
    """The brightness of a board at its visible points.

    points: (n, 2) in mm on the plane on which the columns stand.  log_brightness: (n,).
    """

    points: Points
    log_brightness: NDArray[np.float64]


def measure_brightness(
    grid: Grid, view: View, floor_z: float, heights: NDArray[np.intp]
) -> BoardBrightness:
    """Return the brightness of the board in *view*, beside columns *heights* (25,) high.

    floor_z: how many mm above the plane of the view's pose the columns stand.  Corners are left
    out, where markers may lie, and saturated points.
    """
    left, top, right, bottom = grid.edges
    first = np.array([left, top]) + SAMPLE_STEP_MM / 2.0
    shape = (int((bottom - top) / SAMPLE_STEP_MM), int((right - left) / SAMPLE_STEP_MM))
    rows, columns = np.indices(shape)
    points = first + SAMPLE_STEP_MM * np.stack([columns, rows], axis=2)
    across, down = SAMPLE_STEP_MM * np.eye(2)[:, None]
    x, y = build_grids(view.pose.homography(floor_z), first[None], down, across, shape)[:, 0]
    camera = view.pose.camera - [0.0, 0.0, floor_z]
    behind = find_occluded(grid, points.reshape(-1, 2), camera, heights).reshape(shape)
    occluded = cv2.dilate(behind.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    inside = (x >= 0) & (y >= 0) & (x < view.picture.shape[1]) & (y < view.picture.shape[0])
    visible = inside & ~occluded & ~_are_in_corners(grid, points)
    samples = _sample_blurred(view.picture, x, y)
    saturated = samples >= MIN_SATURATED_LEVEL
    shares = saturated[visible].mean(axis=0) if visible.any() else np.ones(3)
    channels = np.flatnonzero(shares <= max(MAX_SATURATED_SHARE, shares.min()))
    visible &= ~saturated[..., channels].any(axis=2)
    logs = np.log((samples[visible][:, channels] / 255.0) ** SRGB_GAMMA + LOG_OFFSET)
    return BoardBrightness(points[visible], logs.mean(axis=1))


def _sample_blurred(picture: Picture, x: NDArray[np.float32], y: NDArray[np.float32]) -> Picture:
    """Return *picture*, blurred by a pixel, at *x*, *y* (rows, columns)."""
    # Only the part around the samples is blurred; nothing beyond this margin blurs into them.
    margin_px = 6
    (top, bottom), (left, right) = (
        np.clip([at.min() - margin_px, at.max() + margin_px], 0, size).astype(int).tolist()
        for at, size in zip((y, x), picture.shape, strict=False)
    )
    if left >= right or top >= bottom:
        return np.zeros((*x.shape, 3), np.uint8)
    blurred = cv2.GaussianBlur(picture[top:bottom, left:right], (0, 0), 1.0)
    return np.asarray(cv2.remap(blurred, x - left, y - top, cv2.INTER_LINEAR), np.uint8)


def find_occluded(
    grid: Grid, points: Points, source: Points, heights: NDArray[np.intp]
) -> NDArray[np.bool_]:
    """Return which *points* (n, 2) of the board columns *heights* (25,) high hide from *source*.

    source: (3,) a camera or a light source, in mm above the plane on which the columns stand.
    """
    columns = np.flatnonzero(heights)
    projected = project_tops(grid, source)[columns, heights[columns]]
    feet = grid.cell_centres[columns]
    occluded = is_occluded(points.astype(np.float32)[:, None], feet, projected, grid.figure.radius)
    return np.asarray(occluded.any(axis=1), np.bool_)


def build_illumination_basis(grid: Grid, points: Points) -> NDArray[np.float64]:
    """Return the quadratic polynomials (n, 6) of *points* (n, 2): smooth changes of illumination.

    Constant, x, y, x², y² and xy; x and y are -0.5 and 0.5 at the edges of the board.
    """
    left, top, right, bottom = grid.edges
    xy = (points - [left, top]) / [right - left, bottom - top] - 0.5
    return np.column_stack([np.ones(len(xy)), xy, xy**2, xy.prod(axis=1)])


def build_print_basis(grid: Grid, points: Points) -> NDArray[np.float64]:
    """Return the ring around its nearest cell in which each point (n, 2) lies, one-hot (n, rings).

    So a fit finds one radial profile of the print that all cells have in common.
    """
    distances = np.linalg.norm(points[:, None] - grid.cell_centres, axis=2).min(axis=1)
    outermost = int(MAX_RING_RADII * grid.figure.radius / RING_WIDTH_MM)
    rings = np.minimum((distances / RING_WIDTH_MM).astype(np.intp), outermost)
    return np.asarray(np.eye(outermost + 1)[rings])


def _are_in_corners(grid: Grid, points: Points) -> NDArray[np.bool_]:
    """Return which *points* (..., 2) lie diagonally beyond all cells."""
    low, high = grid.cell_centres.min(axis=0), grid.cell_centres.max(axis=0)
    radius = grid.figure.radius
    return np.asarray(((points < low - radius) | (points > high + radius)).all(axis=-1))
