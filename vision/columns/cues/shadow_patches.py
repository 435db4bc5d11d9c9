"""Crop a patch along the cast shadow of each column, rotated away from a light source.

A light source sees a board as a camera does: columns occlude what lies behind them. So a column's
shadow lies along the line from the source's foot to the column, and grows by each further piece,
even where a camera straight above sees nothing but the column's top.
"""

from dataclasses import dataclass
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.columns.grid import TALLEST, Grid
from vision.columns.patches import MAX_MAP_PX, PATCH_START_RADII, PATCH_WIDTH_RADII, Patches
from vision.geometry.pose import Points, Pose, build_grids

Masks: TypeAlias = NDArray[np.float32]
"""(cells, MASKS, BINS, BINS_ACROSS), from 0 to 1."""
Marks: TypeAlias = NDArray[np.float32]
"""(cells, TALLEST, BINS): where the shadow of a column of each height should end, to a bin."""

# The shadow networks were trained with all these values.
SHADOW_PATCH_ROWS: Final = 128
SHADOW_PATCH_COLUMNS: Final = 24
"""Size of a patch in pixels."""
BIN_PX: Final = 2
BINS: Final = SHADOW_PATCH_ROWS // BIN_PX
BINS_ACROSS: Final = SHADOW_PATCH_COLUMNS // BIN_PX
"""The networks localise the ends of shadows in bins of BIN_PX rows."""
MASKS: Final = 5
"""See `_build_masks`."""
MARGIN_RADII: Final = 2.0
"""How far a patch reaches beyond the centre of the tallest column's shadow, in radii of a piece."""
MAX_LENGTH_RADII: Final = 9.0
"""How far a patch reaches at most: longer shadows fall on other columns anyway."""
EPSILON: Final = 1e-6
"""In mm: shorter shadows have no direction."""


@dataclass(frozen=True, slots=True, eq=False)
class ShadowPatches:
    """The patches along the shadows on one board.

    maps: for OpenCV's remap.  masks: what geometry says of each bin, see `_build_masks`.  marks:
    see Marks.
    """

    maps: NDArray[np.float32]
    masks: Masks
    marks: Marks

    def crop(self, picture: Picture) -> Patches:
        """Return the patches (cells, rows, columns, 3) of *picture*; black outside of it."""
        x, y = self.maps.reshape(2, -1, SHADOW_PATCH_COLUMNS)
        patches = cv2.remap(picture, x, y, cv2.INTER_LINEAR)
        shape = (-1, SHADOW_PATCH_ROWS, SHADOW_PATCH_COLUMNS, 3)
        return np.asarray(patches.reshape(shape), np.uint8)


def build_shadow_patches(
    grid: Grid,
    pose: Pose,
    floor_z: float,
    light_source: Points,
    heights: NDArray[np.intp],
    which: NDArray[np.intp],
) -> ShadowPatches:
    """Return the patches of the cells *which* (n,).

    light_source: its position (3,) in mm in the pose's frame.  heights: (25,) of all columns, as
    far as known.
    """
    radius, centres = grid.figure.radius, grid.cell_centres[which]
    shadows = project_tops(grid, light_source - [0.0, 0.0, floor_z])
    tops = project_tops(grid, pose.camera - [0.0, 0.0, floor_z])
    longest_mm = np.linalg.norm(shadows[which, -1], axis=1)
    out = shadows[which, -1] / np.maximum(longest_mm, EPSILON)[:, None]
    across = np.stack([-out[:, 1], out[:, 0]], axis=1)
    start_mm = PATCH_START_RADII * radius
    end_mm = np.minimum(longest_mm + MARGIN_RADII * radius, MAX_LENGTH_RADII * radius)
    row_mm = (end_mm + start_mm) / SHADOW_PATCH_ROWS
    column_mm = PATCH_WIDTH_RADII * radius / SHADOW_PATCH_COLUMNS
    first = (0.5 * row_mm - start_mm)[:, None] * out
    first = first - (SHADOW_PATCH_COLUMNS - 1) / 2.0 * column_mm * across
    maps = build_grids(
        pose.homography(floor_z),
        centres + first,
        row_mm[:, None] * out,
        column_mm * across,
        (SHADOW_PATCH_ROWS, SHADOW_PATCH_COLUMNS),
    )
    np.clip(maps, -MAX_MAP_PX, MAX_MAP_PX, out=maps)
    bin_mm = row_mm * BIN_PX
    bins = _list_bin_centres(centres, out, across, bin_mm, radius)
    masks = _build_masks(grid, bins, shadows, tops, heights, which)
    ends_mm = np.linalg.norm(shadows[which, 1:], axis=2) + radius
    end_bins = (ends_mm + start_mm) / bin_mm[:, None] - 0.5
    offset = np.arange(BINS) - end_bins[..., None]
    return ShadowPatches(maps, masks, np.exp(-0.5 * offset**2, dtype=np.float32))


def project_tops(grid: Grid, source: Points) -> Points:
    """Return how far from its cell's centre each height's top is projected onto the board, in mm.

    (25, TALLEST + 1, 2), along x and y.  source: (3,) the centre of projection, a light source or a
    camera, in mm above the plane on which the columns stand.
    """
    figure = grid.figure
    heights_mm = np.concatenate([[0.0], figure.top_mm + figure.pitch * np.arange(TALLEST)])
    ratios = heights_mm / np.maximum(source[2] - heights_mm, 1.0)
    return np.asarray((grid.cell_centres - source[:2])[:, None] * ratios[:, None])


def _list_bin_centres(
    centres: Points, out: Points, across: Points, bin_mm: Points, radius: float
) -> NDArray[np.float32]:
    """Return the centre of each bin (n, BINS, BINS_ACROSS, 2) on the board in mm."""
    along_mm = (np.arange(BINS) + 0.5) * bin_mm[:, None] - PATCH_START_RADII * radius
    shares = (np.arange(BINS_ACROSS) + 0.5) / BINS_ACROSS - 0.5
    across_mm = shares * PATCH_WIDTH_RADII * radius
    return np.asarray(
        centres[:, None, None]
        + along_mm[:, :, None, None] * out[:, None, None]
        + across_mm[:, None] * across[:, None, None],
        np.float32,
    )


def _build_masks(
    grid: Grid,
    points: NDArray[np.float32],
    shadows: Points,
    tops: Points,
    heights: NDArray[np.intp],
    which: NDArray[np.intp],
) -> Masks:
    """Return what geometry says of *points* (n, rows, columns, 2) of the patches of *which* (n,).

    In this order: other columns' shadows, other columns in front, how high the own column must be
    to occlude a point, how high to cast its shadow there, and what lies beside the board.  shadows,
    tops: from the light source and from the camera, as `project_tops` returns them.
    """
    radius = grid.figure.radius
    masks = np.zeros((len(points), MASKS, *points.shape[1:3]), np.float32)
    for index, projected in enumerate((shadows, tops)):
        _mark_occluded(masks[:, index], grid, points, projected, heights, which)
    centres = grid.cell_centres[which][:, None, None]
    for index, projected in enumerate((tops, shadows), start=2):
        too_low = _count_too_low(points, centres, projected[which], radius)
        masks[:, index] = too_low / TALLEST
    left, top, right, bottom = grid.edges
    x, y = points[..., 0], points[..., 1]
    masks[:, 4] = (x < left) | (x > right) | (y < top) | (y > bottom)
    return masks


def _mark_occluded(
    mask: NDArray[np.float32],
    grid: Grid,
    points: NDArray[np.float32],
    projected: Points,
    heights: NDArray[np.intp],
    which: NDArray[np.intp],
) -> None:
    """Set *mask* (n, rows, columns) to 1 where another column than the own occludes *points*.

    projected: (25, TALLEST + 1, 2), as `project_tops` returns them.
    """
    radius, others = grid.figure.radius, np.flatnonzero(heights)
    segments, feet = projected[others, heights[others]], grid.cell_centres[others]
    # Only pairs of a patch and a column whose bounding circles overlap are computed.
    corners = points[:, [0, 0, -1, -1], [0, -1, 0, -1]]
    centres = corners.mean(axis=1)
    patch_radii = np.linalg.norm(corners - centres[:, None], axis=2).max(axis=1)
    distances = np.linalg.norm(centres[:, None] - feet - segments / 2.0, axis=2)
    lengths = np.linalg.norm(segments, axis=1)
    is_near = distances < patch_radii[:, None] + radius + lengths / 2.0
    patches, columns = np.nonzero(is_near & (which[:, None] != others))
    if not len(patches):
        return
    # Straight below the source a top is projected onto its foot, and any direction will do.
    along = np.where(lengths[:, None] > EPSILON, segments, [1.0, 0.0])
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    # A patch is a grid, so the coordinates of its points along and across a segment are sums.
    first, row, column = points[:, 0, 0], points[:, 1, 0], points[:, 0, 1]
    rows = np.arange(BINS, dtype=np.float32)[:, None]
    sides = np.arange(BINS_ACROSS, dtype=np.float32)
    axes = np.stack([along, np.stack([-along[:, 1], along[:, 0]], axis=1)])[:, columns]
    begin, down, right = (
        ((part[patches] - shift) * axes).sum(axis=2)[..., None, None].astype(np.float32)
        for part, shift in ((first, feet[columns]), (row - first, 0.0), (column - first, 0.0))
    )
    on, off = (begin + down * rows) + right * sides
    beyond = np.maximum(on - lengths[columns, None, None].astype(np.float32), -on)
    np.maximum(beyond, 0.0, out=beyond)
    occluded = off * off + beyond * beyond < radius * radius
    marked, first_of = np.unique(patches, return_index=True)
    mask[marked] = np.logical_or.reduceat(occluded, first_of, axis=0)


def _count_too_low(
    points: NDArray[np.float32], centres: Points, projected: Points, radius: float
) -> NDArray[np.float32]:
    """Return how many heights (n, rows, columns) of a column are too low to occlude each point.

    projected: (n, TALLEST + 1, 2) the tops of each height, all in one direction.
    """
    lengths = np.linalg.norm(projected[:, 1:], axis=2).astype(np.float32)
    direction = (projected[:, -1] / np.maximum(lengths[:, -1:], EPSILON)).astype(np.float32)
    direction = direction[:, None, None]
    offset = points - centres.astype(np.float32)
    along = offset[..., 0] * direction[..., 0] + offset[..., 1] * direction[..., 1]
    across = offset[..., 0] * direction[..., 1] - offset[..., 1] * direction[..., 0]
    # Beyond its centre a top occludes as far as its circle reaches at that distance across.
    half = np.sqrt(np.maximum(np.float32(radius * radius) - across * across, 0.0))
    needed = along - half
    too_low = np.zeros(points.shape[:3], np.float32)
    for height in range(TALLEST):
        too_low += needed >= lengths[:, height, None, None]
    too_low[(half <= 0.0) | (along <= -half)] = TALLEST
    return too_low


def is_occluded(
    points: NDArray[np.floating], foot: Points, projected: Points, radius: float
) -> NDArray[np.bool_]:
    """Return which *points* (..., 2) lie within *radius* of the segment from a foot to its top.

    foot: (..., 2) of a column.  projected: (..., 2) from there to its projected top.
    """
    foot, projected = foot.astype(points.dtype), projected.astype(points.dtype)
    # Numpy's sums along so short an axis are slow.
    x, y = points[..., 0] - foot[..., 0], points[..., 1] - foot[..., 1]
    segment_x, segment_y = projected[..., 0], projected[..., 1]
    squared = np.maximum(segment_x * segment_x + segment_y * segment_y, 1e-9)
    nearest = np.clip((x * segment_x + y * segment_y) / squared, 0.0, 1.0)
    x -= nearest * segment_x
    y -= nearest * segment_y
    return np.asarray(x * x + y * y < radius * radius)
