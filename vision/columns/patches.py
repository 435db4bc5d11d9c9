"""Crop a patch around each cell of a board, rotated so that columns lean along its rows.

A column leans away from the camera's nadir, the point of the board straight below the camera. Each
patch is rectified onto the board's plane and rotated by that direction: row numbers grow away from
the nadir, at one scale for all cells. Where the camera stands far aside, a patch may be too short
for the tallest columns; their cells are hidden then.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.columns.grid import HIGHEST, TALLEST, Grid
from vision.geometry.pose import Points, Pose, build_grids
from vision.photometry.chromaticity import IDENTITY_CORRECTION, ColourCorrection, to_lut

Patches: TypeAlias = NDArray[np.uint8]
"""(cells, PATCH_ROWS, PATCH_COLUMNS, 3), blue green red."""

PATCH_ROWS: Final = 128
PATCH_COLUMNS: Final = 48
"""Size of a patch in pixels; the networks were trained on it."""
PATCH_START_RADII: Final = 1.4
"""Distance from a patch's first row to its cell's centre, in radii of a piece (as trained)."""
PATCH_WIDTH_RADII: Final = 2.6
"""Width of a patch in radii of a piece (as trained): the piece, and a third of a radius around."""
TOP_CROP_HALF_PX: Final = round(0.5 * PATCH_COLUMNS / PATCH_WIDTH_RADII)
"""Half the side of the square cropped from a top's middle: half a radius of a piece."""
OCCLUDER_RADIUS_RADII: Final = 1.1
"""Radius within which a column occludes, in radii of a piece: pieces are not quite centred."""
MIN_PICTURE_PX_PER_ROW: Final = 0.65
"""A cell that the camera samples more coarsely is out of view: levels cannot be distinguished."""
MAX_MAP_PX: Final = 30000.0
"""Pixel coordinates are clipped to this: OpenCV's fixed-point maps are int16."""


@dataclass(frozen=True, slots=True, eq=False)
class PatchGeometry:
    """How the patches of one board lie in a picture taken from one pose; lengths in mm.

    maps: for OpenCV's remap.
    pixels_per_level: (cells,) by how many rows a column's top moves with each further piece.
    top_rows: (cells, TALLEST + 1) the row of the centre of the top of a column of each height.
    foot_row: the row of a cell's centre, where a column's foot is.
    mm_per_row: length of a row on the board's plane.
    in_view: (cells,) whether the picture shows the lowest piece at a sufficient resolution.
    frames: (3, cells, 2) each patch's first pixel on the board's plane, and the steps from there to
    the next row and to the next column.  cell_centres: (cells, 2).  camera: (3,) and top_heights:
    (HIGHEST + 1,) above the plane on which columns stand.  radius: of a piece.
    """

    maps: tuple[NDArray[np.int16], NDArray[np.uint16]]
    pixels_per_level: NDArray[np.float32]
    top_rows: NDArray[np.float32]
    foot_row: float
    mm_per_row: float
    in_view: NDArray[np.bool_]
    frames: Points
    cell_centres: Points
    camera: Points
    top_heights: Points
    radius: float

    def select(self, which: NDArray[np.intp]) -> "PatchGeometry":
        """Return the projected height axes of some cells; maps and frames stay those of all."""
        return replace(
            self,
            pixels_per_level=self.pixels_per_level[which],
            top_rows=self.top_rows[which],
            in_view=self.in_view[which],
        )

    def crop(self, picture: Picture, cells: NDArray[np.intp] | None = None) -> Patches:
        """Return the patches of *picture*, or those of some *cells*; black outside of it."""
        maps: tuple[NDArray[Any], ...] = self.maps
        if cells is not None:
            whole, fractions = (part.reshape(-1, PATCH_ROWS, *part.shape[1:]) for part in maps)
            maps = tuple(part[cells].reshape(-1, *part.shape[2:]) for part in (whole, fractions))
        patches = cv2.remap(picture, maps[0], maps[1], cv2.INTER_LINEAR)
        return np.asarray(patches.reshape(-1, PATCH_ROWS, PATCH_COLUMNS, 3), np.uint8)

    def find_visible_top_pixels(
        self, columns: Sequence[tuple[int, int]], heights: NDArray[np.intp]
    ) -> NDArray[np.bool_]:
        """Return which pixels (n, rows, columns) of `crop_top` no other column occludes.

        columns: cells and heights of n columns.  heights: (cells,) of all columns, as far as known,
        at most HIGHEST.
        Only a taller column occludes a top, by what it has above that top.
        """
        side = 2 * TOP_CROP_HALF_PX
        visible = np.ones((len(columns), side, side), np.bool_)
        corners = np.array([self.top_crop_corner(*column) for column in columns])
        own_cells, own_heights = np.array(columns).T
        first, down, right = self.frames[:, own_cells]
        first = first + corners[:, :1] * down + corners[:, 1:] * right
        middles = first + (side - 1) / 2.0 * (down + right)
        occluder_mm = OCCLUDER_RADIUS_RADII * self.radius
        max_distance = occluder_mm + side / 2.0 * np.hypot(*(down + right).T)
        is_other = np.arange(len(heights)) != own_cells[:, None]
        distances = self._ray_distances(
            middles[:, None], self.cell_centres, own_heights[:, None], heights
        )
        is_near = distances < max_distance[:, None]
        across = np.arange(side)[:, None]
        for at, other in np.argwhere((heights > own_heights[:, None]) & is_other & is_near):
            pixels = first[at] + across[:, None] * down[at] + across * right[at]
            distance = self._ray_distances(
                pixels, self.cell_centres[other], own_heights[at], heights[other]
            )
            visible[at] &= distance >= occluder_mm
        return visible

    def _ray_distances(
        self, points: Points, axis: Points, low: NDArray[np.intp], high: NDArray[np.intp]
    ) -> Points:
        """Return the smallest horizontal distance of rays to a column's axis between two heights.

        points: (..., 2) where rays to the camera start on the board's plane.  axis: (..., 2) of the
        column.  low, high: numbers of pieces.
        """
        shift_per_mm = (self.camera[:2] - points) / self.camera[2]
        start, end = self.top_heights[low][..., None], self.top_heights[high][..., None]
        offset, segment = axis - points - start * shift_per_mm, (end - start) * shift_per_mm
        squared = np.maximum((segment * segment).sum(axis=-1), 1e-9)
        nearest = (offset * segment).sum(axis=-1) / squared
        offset = offset - np.clip(nearest, 0.0, 1.0)[..., None] * segment
        return np.asarray(np.linalg.norm(offset, axis=-1))

    def top_crop_corner(self, cell: int, height: int) -> tuple[int, int]:
        """Return the first row and column, in its patch, of what `crop_top` returns."""
        half = TOP_CROP_HALF_PX
        row = round(float(self.top_rows[cell, height]))
        return min(max(row, half), PATCH_ROWS - half) - half, PATCH_COLUMNS // 2 - half


@dataclass(frozen=True, eq=False)
class View:
    """One picture of the board, its pose and its patches, which are cut when they are wanted.

    table: the pose over the table, which differs from the board's where that tilts.  light: maps
    levels to those under white light.
    """

    picture: Picture
    pose: Pose
    table: Pose
    geometry: PatchGeometry
    light: ColourCorrection

    @cached_property
    def patches(self) -> Patches:
        """The patches of all cells."""
        return self.geometry.crop(self.picture)

    def crop_tops(self, columns: Sequence[tuple[int, int]]) -> Patches:
        """Return the middles (n, rows, columns, 3) of the tops of *columns*, white-balanced.

        columns: cells and heights.
        """
        cells, numbers = np.unique([cell for cell, _ in columns], return_inverse=True)
        are_cut = "patches" in vars(self)
        patches = self.patches[cells] if are_cut else self.geometry.crop(self.picture, cells)
        side, crops = 2 * TOP_CROP_HALF_PX, []
        for number, (cell, height) in zip(numbers.tolist(), columns, strict=True):
            row, column = self.geometry.top_crop_corner(cell, height)
            crops.append(patches[number, row : row + side, column : column + side])
        tops = np.stack(crops)
        balanced = cv2.LUT(tops.reshape(-1, 1, 3), to_lut(self.light))
        return np.asarray(balanced, np.uint8).reshape(tops.shape)


class ViewBuilder:
    """Crops the patches of one board from pictures; keeps the geometry while the pose stays."""

    def __init__(self, grid: Grid, floor_z: float) -> None:
        """*floor_z*: how many mm above the plane of its poses the columns stand."""
        self._grid, self._floor_z = grid, floor_z
        self._newest: tuple[Pose, tuple[int, ...], PatchGeometry] | None = None

    def build(
        self,
        picture: Picture,
        pose: Pose,
        table: Pose | None = None,
        light: ColourCorrection = IDENTITY_CORRECTION,
    ) -> View:
        """Return the view of *picture*, taken from *pose*; the *table* has the same pose if None.

        light: see `View`.
        """
        newest = self._newest
        if newest is None or newest[0] is not pose or newest[1] != picture.shape:
            geometry = project_patches(self._grid, pose, self._floor_z, picture.shape)
            newest = self._newest = (pose, picture.shape, geometry)
        geometry = newest[2]
        return View(picture, pose, table or pose, geometry, light)


def project_patches(
    grid: Grid, pose: Pose, floor_z: float, shape: tuple[int, ...]
) -> PatchGeometry:
    """Return the patches of the board *grid*, whose columns stand *floor_z* mm above the pose's.

    shape: of the pictures, rows and columns first.
    """
    camera, figure, centres = pose.camera, grid.figure, grid.cell_centres
    nadir, camera_mm = camera[:2], float(camera[2]) - floor_z
    offset = centres - nadir
    # No cell is closer than a millimetre: it would lean in no direction.
    distance = np.maximum(np.hypot(offset[:, 0], offset[:, 1]), 1.0)
    out = offset / distance[:, None]
    across = np.stack([-out[:, 1], out[:, 0]], axis=1)
    foot_row = PATCH_START_RADII / PATCH_WIDTH_RADII * PATCH_COLUMNS
    step = figure.radius * PATCH_WIDTH_RADII / PATCH_COLUMNS
    down, right = step * out, step * across
    first = centres - foot_row * down - (PATCH_COLUMNS - 1) / 2 * right
    top_heights = figure.top_mm + figure.pitch * np.arange(-1, HIGHEST)
    told = top_heights[: TALLEST + 1]
    top_shift = distance[:, None] * told / (camera_mm - told)
    level_shift = distance * figure.pitch / (camera_mm - figure.pitch)
    pixels = build_grids(pose.homography(floor_z), first, down, right, (PATCH_ROWS, PATCH_COLUMNS))
    np.clip(pixels, -MAX_MAP_PX, MAX_MAP_PX, out=pixels)
    x, y = pixels.reshape(2, -1, PATCH_COLUMNS)
    whole, fractions = cv2.convertMaps(x, y, cv2.CV_16SC2)
    return PatchGeometry(
        maps=(np.asarray(whole, np.int16), np.asarray(fractions, np.uint16)),
        pixels_per_level=(level_shift / step).astype(np.float32),
        top_rows=(top_shift / step + foot_row).astype(np.float32),
        foot_row=foot_row,
        mm_per_row=step,
        in_view=_are_in_view(pixels, shape),
        frames=np.stack([first, down, right]),
        cell_centres=centres,
        camera=camera - [0.0, 0.0, floor_z],
        top_heights=np.asarray(top_heights, np.float64),
        radius=figure.radius,
    )


def _are_in_view(pixels: NDArray[np.float32], shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Return whether a picture of *shape* shows the rows around each cell's centre finely enough.

    Those rows are a square of the board; a picture that shows its corners shows all of it.
    """
    last_row = round(2 * PATCH_START_RADII / PATCH_WIDTH_RADII * PATCH_COLUMNS) - 1
    corners = pixels[:, :, [0, last_row]][..., [0, -1]]
    size = np.array([shape[1], shape[0]]).reshape(2, 1, 1, 1)
    inside = np.all((corners >= 0) & (corners < size), axis=(0, 2, 3))
    length_px = np.hypot(*(corners[:, :, 1, 0] - corners[:, :, 0, 0]))
    return np.asarray(inside & (length_px >= MIN_PICTURE_PX_PER_ROW * last_row))
