"""How large the corner tiles were printed, by the distances at which they lie.

A page that was printed at 97 % has tiles of 97 %, but people lay them where they belong.  So tiles
that look smaller beside their distances than they should were printed too small, or lie too far
apart; a camera alone cannot tell which.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry.layout import Mat
from vision.geometry.pose import Points
from vision.geometry.session_values import TILES_PER_MAT
from vision.geometry.table_view import TableView

MAX_DISAGREEMENT: Final = 0.04
"""Tiles that differ more in size were not printed together, do not lie flat, or are badly seen."""
CELLS: Final = 6
"""On a side of a marker: four of its code, and the black edge around them."""
WINDOW: Final = 0.45
"""How far around its place an edge is searched, in cells."""
STEPS: Final = 19
"""Samples across an edge."""
MIN_CONTRAST: Final = 40.0
"""Levels between black and white, below which an edge is not believed."""


def measure_tile_scale(view: TableView, mat: Mat) -> float | None:
    """Return how large the tiles of *mat* are by their distances, 1 as they should be.

    None where not all four are seen well enough.  The distances are taken for right: it is not
    known which of the two is wrong.
    """
    seen = view.find_tiles(mat.marker_ids, TILES_PER_MAT)
    if len(seen) < TILES_PER_MAT:
        return None
    scales = _scales(view.grey, seen, mat)
    if not np.isfinite(scales).all() or np.ptp(scales) > MAX_DISAGREEMENT:
        return None
    return float(scales.mean())


def _scales(grey: NDArray[np.uint8], seen: Mapping[int, Points], mat: Mat) -> Points:
    """Return the scale of each tile (4,), across the direction to the mat's middle.

    A lens that bends lines stretches what it sees along that direction three times as much as
    across, and across as much as the distances: there it cancels out.
    """
    centres = np.array(mat.centres)
    pixels = np.stack([_middle(seen[tile]) for tile in mat.marker_ids])
    to_pixels = np.asarray(
        cv2.getPerspectiveTransform(centres.astype(np.float32), pixels.astype(np.float32)),
        np.float64,
    )
    half = mat.marker_mm / 2
    square = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
    found = []
    for tile, centre in zip(mat.marker_ids, centres, strict=True):
        corners = cv2.perspectiveTransform(seen[tile][None], np.linalg.inv(to_pixels))[0]
        outer, *_ = np.linalg.lstsq(square, corners - corners.mean(axis=0), rcond=None)
        place = np.vstack([outer, corners.mean(axis=0)])
        affine = np.diag(_stretch(grey, to_pixels, place, tile, mat.marker_mm)) @ outer
        outwards = centre - centres.mean(axis=0)
        across = np.array([-outwards[1], outwards[0]]) / np.linalg.norm(outwards)
        found.append(float(across @ affine @ across))
    return np.array(found)


def _stretch(
    grey: NDArray[np.uint8], to_pixels: Points, place: Points, tile: int, marker_mm: float
) -> Points:
    """Return by how much (2,) a tile is wider and higher than its outer corners look.

    White spreads over black in a picture, so that a black square looks smaller than it is. But an
    edge where black begins moves the other way than one where it ends, which tells by how much.
    place: (3, 2) from mm on the tile, and 1, to mm on the table.
    """
    cell = marker_mm / CELLS
    nominal, before, on_x, is_dark = _edges(tile)
    shifts = np.linspace(-WINDOW, WINDOW, STEPS)
    points = np.repeat(nominal[:, None], STEPS, axis=1)
    points[on_x, :, 0] += shifts
    points[~on_x, :, 1] += shifts
    flat = np.column_stack([points.reshape(-1, 2) * cell, np.ones(points.size // 2)]) @ place
    x, y = cv2.perspectiveTransform(flat[None], to_pixels)[0].T.astype(np.float32)
    levels = cv2.remap(grey, x[None], y[None], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    rises = (
        np.diff(levels.reshape(-1, STEPS).astype(np.float64))
        * np.where(is_dark, -1.0, 1.0)[:, None]
    )
    weights = np.maximum(rises, 0.0) ** 2
    between = (shifts[1:] + shifts[:-1]) / 2
    with np.errstate(all="ignore"):
        offsets = (weights * between).sum(axis=1) / weights.sum(axis=1)
    good = rises.sum(axis=1) >= MIN_CONTRAST
    # Where an edge is seen: its axis' origin, its axis' scale, and the spreading of white.
    rows = np.column_stack(
        [on_x, on_x * before, ~on_x, ~on_x * before, np.where(is_dark, 1.0, -1.0)]
    ).astype(np.float64)
    solution, _, rank, _ = np.linalg.lstsq(rows[good], (before + offsets)[good], rcond=None)
    return solution[[1, 3]] if rank == rows.shape[1] else np.full(2, np.nan)


@cache
def _edges(tile: int) -> tuple[Points, Points, NDArray[np.bool_], NDArray[np.bool_]]:
    """Return the edges between black and white of a marker, in cells from its middle.

    Their middles (n, 2), their coordinates on the axis across them (n,), whether that is x (n,),
    and whether black begins there, seen along the axis (n,).
    """
    found = list(_list_edges(tile))
    points = np.array([point for point, _, _ in found])
    on_x, is_dark = (np.array([each[part] for each in found]) for part in (1, 2))
    return points, np.where(on_x, points[:, 0], points[:, 1]), on_x, is_dark


def _list_edges(tile: int) -> Iterator[tuple[tuple[float, float], bool, bool]]:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    dark = np.pad(cv2.aruco.generateImageMarker(dictionary, tile, CELLS) == 0, 1)
    for row in range(1, CELLS + 1):
        beside = row - 0.5 - CELLS / 2
        for step in range(CELLS + 1):
            at = step - CELLS / 2
            if dark[row, step] != dark[row, step + 1]:
                yield (at, beside), True, bool(dark[row, step + 1])
            if dark[step, row] != dark[step + 1, row]:
                yield (beside, at), False, bool(dark[step + 1, row])


def _middle(corners: Points) -> Points:
    """Return where the diagonals of a tile (4, 2) cross: its middle, in perspective too."""
    first, along = corners[0], corners[2] - corners[0]
    other, cross = corners[1], corners[3] - corners[1]
    share = np.linalg.solve(np.column_stack([along, -cross]), other - first)[0]
    return np.asarray(first + share * along, np.float64)
