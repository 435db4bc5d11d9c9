"""Cut a patch along the shadow of each column, turned away from a lamp.

A lamp sees a board as a camera does: what stands there covers what lies behind it. So a column's
shadow lies along the way from the lamp's foot to the column, and grows with it level by level, even
where a camera straight above sees nothing but the column's top.
"""

from dataclasses import dataclass
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.columns.grid import TALLEST, Grid
from vision.columns.patches import BEFORE, FAR_PX, ROUND, Patches
from vision.geometry.pose import Points, Pose, build_grids

Masks: TypeAlias = NDArray[np.float32]
"""(spots, MASKS, BINS, BINS_WIDE), from 0 to 1."""
Marks: TypeAlias = NDArray[np.float32]
"""(spots, TALLEST, BINS): where the shadow of a column of each height should end."""

LONG_PX: Final = 128
WIDE_PX: Final = 24
BIN_PX: Final = 2
BINS: Final = LONG_PX // BIN_PX
BINS_WIDE: Final = WIDE_PX // BIN_PX
MASKS: Final = 5
MARK_BINS: Final = 1.0
BEYOND: Final = 2.0
"""A patch ends this many radii beyond the middle of the longest shadow's end."""
LONGEST: Final = 9.0
"""Nor does it reach further than so many radii: what is longer falls on everything."""
TINY: Final = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class Shades:
    """The patches along the shadows on one board.

    maps: what OpenCV's remap takes.  masks: what the geometry says of them.  marks: see Marks.
    """

    maps: NDArray[np.float32]
    masks: Masks
    marks: Marks

    def cut(self, picture: Picture) -> Patches:
        """Return the patches (spots, LONG_PX, WIDE_PX, 3) of *picture*; black outside of it."""
        x, y = self.maps.reshape(2, -1, WIDE_PX)
        cut = cv2.remap(picture, x, y, cv2.INTER_LINEAR)
        return np.asarray(cut.reshape(-1, LONG_PX, WIDE_PX, 3), np.uint8)


def lay_shades(
    grid: Grid,
    pose: Pose,
    floor_z: float,
    lamp: Points,
    heights: NDArray[np.intp],
    which: NDArray[np.intp],
) -> Shades:
    """Return the patches of the spots *which* (n,).

    lamp: x, y, z (3,) in mm in the pose's frame.  heights: (25,) of all columns, as far as known.
    """
    camera = pose.camera - [0.0, 0.0, floor_z]
    lamp = lamp - [0.0, 0.0, floor_z]
    radius = grid.figure.radius
    casts, leans = (lean_tops(grid, source) for source in (lamp, camera))
    middles = grid.middles[which]
    long_mm = np.linalg.norm(casts[which, -1], axis=1)
    out = casts[which, -1] / np.maximum(long_mm, 1e-6)[:, None]
    across = np.stack([-out[:, 1], out[:, 0]], axis=1)
    last = np.minimum(long_mm + BEYOND * radius, LONGEST * radius)
    step = (last + BEFORE * radius) / LONG_PX
    wide = ROUND * radius / WIDE_PX
    near = (0.5 * step - BEFORE * radius)[:, None] * out - (WIDE_PX - 1) / 2.0 * wide * across
    maps = build_grids(
        pose.homography(floor_z),
        middles + near,
        step[:, None] * out,
        wide * across,
        (LONG_PX, WIDE_PX),
    )
    coarse = _lay(middles, out, across, step * BIN_PX, radius)
    masks = _mask(grid, coarse, casts, leans, heights, which)
    ends = np.linalg.norm(casts[which, 1:], axis=2) + radius
    at = (ends + BEFORE * radius) / (step * BIN_PX)[:, None] - 0.5
    away = (np.arange(BINS) - at[..., None]) / MARK_BINS
    np.clip(maps, -FAR_PX, FAR_PX, out=maps)
    return Shades(maps, masks, np.exp(-0.5 * away**2, dtype=np.float32))


def lean_tops(grid: Grid, source: Points) -> Points:
    """Return (25, TALLEST + 1, 2): how far from its spot each height's top seems to be, in mm.

    source: of the light, or the eye, above the plane on which the columns stand.
    """
    figure = grid.figure
    level = np.concatenate([[0.0], figure.top_mm + figure.pitch * np.arange(TALLEST)])
    share = level / np.maximum(source[2] - level, 1.0)
    return np.asarray((grid.middles - source[:2])[:, None] * share[:, None])


def _lay(
    middles: Points, out: Points, across: Points, step: Points, radius: float
) -> NDArray[np.float32]:
    """Return the places (n, BINS, BINS_WIDE, 2) in mm that the geometry is asked about."""
    along = (np.arange(BINS) + 0.5) * step[:, None] - BEFORE * radius
    aside = ((np.arange(BINS_WIDE) + 0.5) / BINS_WIDE - 0.5) * ROUND * radius
    return np.asarray(
        middles[:, None, None]
        + along[:, :, None, None] * out[:, None, None]
        + aside[:, None] * across[:, None, None],
        np.float32,
    )


def _mask(
    grid: Grid,
    points: NDArray[np.float32],
    casts: Points,
    leans: Points,
    heights: NDArray[np.intp],
    which: NDArray[np.intp],
) -> Masks:
    """Return what the geometry says of *points* (n, rows, columns, 2).

    Other columns' shadows, other columns, how high the own column must be to hide a place, how
    high to throw its shadow on it, and what lies beyond the board.
    """
    radius = grid.figure.radius
    masks = np.zeros((len(points), MASKS, *points.shape[1:3]), np.float32)
    for index, moved in enumerate((casts, leans)):
        _cover(masks[:, index], grid, points, moved, heights, which)
    foot = grid.middles[which][:, None, None]
    for index, moved in enumerate((leans, casts), start=2):
        masks[:, index] = _count_lower(points, foot, moved[which], radius) / TALLEST
    left, top, right, bottom = grid.edges
    x, y = points[..., 0], points[..., 1]
    masks[:, 4] = (x < left) | (x > right) | (y < top) | (y > bottom)
    return masks


def _cover(
    mask: NDArray[np.float32],
    grid: Grid,
    points: NDArray[np.float32],
    moved: Points,
    heights: NDArray[np.intp],
    which: NDArray[np.intp],
) -> None:
    """Put one into *mask* (n, rows, columns) where another column than the own covers *points*.

    moved: (25, TALLEST + 1, 2), as `lean_tops` returns them.
    """
    radius, others = grid.figure.radius, np.flatnonzero(heights)
    ways, feet = moved[others, heights[others]], grid.middles[others]
    ends = points[:, [0, 0, -1, -1], [0, -1, 0, -1]]
    centres = ends.mean(axis=1)
    reaches = np.linalg.norm(ends - centres[:, None], axis=2).max(axis=1)
    apart = np.linalg.norm(centres[:, None] - feet - ways / 2.0, axis=2)
    long = np.linalg.norm(ways, axis=1)
    far = reaches[:, None] + radius + long / 2.0
    patches, columns = np.nonzero((apart < far) & (which[:, None] != others))
    if not len(patches):
        return
    # Straight below lamp or eye a way is none, and any direction will do.
    along = np.where(long[:, None] > TINY, ways, [1.0, 0.0])
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    # A patch is a grid, so that how far along and aside of a way its places lie are sums.
    first, row, column = points[:, 0, 0], points[:, 1, 0], points[:, 0, 1]
    rows = np.arange(BINS, dtype=np.float32)[:, None]
    sides = np.arange(BINS_WIDE, dtype=np.float32)
    axes = np.stack([along, np.stack([-along[:, 1], along[:, 0]], axis=1)])[:, columns]
    begin, down, right = (
        ((part[patches] - shift) * axes).sum(axis=2)[..., None, None].astype(np.float32)
        for part, shift in ((first, feet[columns]), (row - first, 0.0), (column - first, 0.0))
    )
    on, off = (begin + down * rows) + right * sides
    beyond = np.maximum(on - long[columns, None, None].astype(np.float32), -on)
    np.maximum(beyond, 0.0, out=beyond)
    covered = off * off + beyond * beyond < radius * radius
    near, first_of = np.unique(patches, return_index=True)
    mask[near] = np.logical_or.reduceat(covered, first_of, axis=0)


def _count_lower(
    points: NDArray[np.float32], foot: Points, reaches: Points, radius: float
) -> NDArray[np.float32]:
    """Return how many heights (n, rows, columns) of a column are too low to cover each point.

    reaches: (n, TALLEST + 1, 2) to the top of each height, all one way.
    """
    long = np.linalg.norm(reaches[:, 1:], axis=2).astype(np.float32)
    way = (reaches[:, -1] / np.maximum(long[:, -1:], TINY)).astype(np.float32)[:, None, None]
    away = points - foot.astype(np.float32)
    along = away[..., 0] * way[..., 0] + away[..., 1] * way[..., 1]
    aside = away[..., 0] * way[..., 1] - away[..., 1] * way[..., 0]
    # Beyond its middle a top covers as far as its circle reaches, so far aside.
    half = np.sqrt(np.maximum(np.float32(radius * radius) - aside * aside, 0.0))
    beyond = along - half
    lower = np.zeros(points.shape[:3], np.float32)
    for height in range(TALLEST):
        lower += beyond >= long[:, height, None, None]
    lower[(half <= 0.0) | (along <= -half)] = TALLEST
    return lower


def is_covered(
    points: NDArray[np.floating], foot: Points, reach: Points, radius: float
) -> NDArray[np.bool_]:
    """Return which *points* (..., 2) lie within *radius* of the way from *foot* to foot + reach."""
    foot, reach = foot.astype(points.dtype), reach.astype(points.dtype)
    # Sums over so short an axis are slow when numpy is left to find them.
    x, y = points[..., 0] - foot[..., 0], points[..., 1] - foot[..., 1]
    reach_x, reach_y = reach[..., 0], reach[..., 1]
    long = np.maximum(reach_x * reach_x + reach_y * reach_y, 1e-9)
    share = np.clip((x * reach_x + y * reach_y) / long, 0.0, 1.0)
    x -= share * reach_x
    y -= share * reach_y
    return np.asarray(x * x + y * y < radius * radius)
