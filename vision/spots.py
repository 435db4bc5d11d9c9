"""Cut a patch around each spot of a board, turned so that columns grow towards its far end.

Seen from above, what stands on a board leans away from the camera's foot, the point straight below
it. Every patch is turned that way: its last row lies furthest from the foot, at one scale for all.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Picture
from vision.grid import TALLEST, Grid
from vision.palette import SAME_LIGHT, Light, to_levels
from vision.pose import Pose, lay_grids

Patches: TypeAlias = NDArray[np.uint8]
"""(spots, LONG_PX, WIDE_PX, 3), blue green red."""

LONG_PX: Final = 128
WIDE_PX: Final = 48
BEFORE: Final = 1.4
"""A patch begins this many radii before its spot's middle."""
ROUND: Final = 2.6
"""And is this many radii wide."""
NEAREST_MM: Final = 1.0
MIDDLE: Final = 0.5
"""Tops are sampled this share of a radius around their middle."""
FAR_PX: Final = 30000.0
COARSEST: Final = 0.65
"""Least length of a row in pixels of the picture: with fewer, levels cannot be told."""


@dataclass(frozen=True, slots=True, eq=False)
class Spots:
    """The patches of one board in one pose, all in mm of the board's frame.

    rise: (spots,) by how many pixels of its patch the next level of a column appears further out.
    tops: (spots, TALLEST + 1) in which row the middle of a column of that height appears.
    foot_px: the row of a spot's middle, where a column's foot should be.
    step_mm: what a row is of the board's plane.
    in_view: (spots,) whether the picture shows, finely enough, where the lowest piece stands.
    """

    maps: tuple[NDArray[np.int16], NDArray[np.uint16]]
    rise: NDArray[np.float32]
    tops: NDArray[np.float32]
    foot_px: float
    step_mm: float
    in_view: NDArray[np.bool_]

    def those(self, which: NDArray[np.intp]) -> "Spots":
        """Return the spots that are chosen; what cuts their patches stays with all of them."""
        rise, tops, in_view = self.rise[which], self.tops[which], self.in_view[which]
        return replace(self, rise=rise, tops=tops, in_view=in_view)

    def cut(self, picture: Picture) -> Patches:
        """Return the patches of *picture*; black outside of it."""
        cut = cv2.remap(picture, *self.maps, cv2.INTER_LINEAR)
        return np.asarray(cut.reshape(len(self.rise), LONG_PX, WIDE_PX, 3), np.uint8)

    def top(self, patches: Patches, spot: int, height: int) -> Patches:
        """Return the middle (rows, columns, 3) of the top of a column *height* pieces high."""
        half = round(WIDE_PX / ROUND * MIDDLE)
        row, column = round(float(self.tops[spot, height])), WIDE_PX // 2
        row = min(max(row, half), LONG_PX - half)
        return patches[spot, row - half : row + half, column - half : column + half]


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """One picture of the board, seen from a pose, cut around its spots.

    table: the pose over what stands still while the board may tilt.  light: how colours would look
    if white paper were white.
    """

    picture: Picture
    pose: Pose
    table: Pose
    spots: Spots
    patches: Patches
    light: Light

    def cut_tops(self, columns: Sequence[tuple[int, int]]) -> Patches:
        """Return the middles (n, rows, columns, 3) of the tops of *columns*: spots and heights.

        Their colours are as in white light.
        """
        seen = np.stack([self.spots.top(self.patches, spot, high) for spot, high in columns])
        levels = cv2.LUT(seen.reshape(-1, 1, 3), to_levels(self.light))
        return np.asarray(levels, np.uint8).reshape(seen.shape)


class Boards:
    """Cuts pictures of one board around its spots; knows the newest pose."""

    def __init__(self, grid: Grid, floor_z: float) -> None:
        """*floor_z*: how many mm above the plane of its poses the columns stand."""
        self._grid, self._floor_z = grid, floor_z
        self._laid: tuple[Pose, tuple[int, ...], Spots] | None = None

    def look(
        self,
        picture: Picture,
        pose: Pose,
        table: Pose | None = None,
        light: Light = SAME_LIGHT,
    ) -> View:
        """Return the patches of *picture*, seen from *pose*; the board may be the *table*."""
        laid = self._laid
        if laid is None or laid[0] is not pose or laid[1] != picture.shape:
            spots = lay_spots(self._grid, pose, self._floor_z, picture.shape)
            laid = self._laid = (pose, picture.shape, spots)
        return View(picture, pose, table or pose, laid[2], laid[2].cut(picture), light)


def lay_spots(grid: Grid, pose: Pose, floor_z: float, shape: tuple[int, ...]) -> Spots:
    """Return the patches of the board *grid*, whose columns stand *floor_z* mm above the pose's.

    shape: of the pictures, rows and columns first.
    """
    camera = pose.camera
    foot, height = camera[:2], float(camera[2]) - floor_z
    away = grid.middles - foot
    distance = np.maximum(np.hypot(away[:, 0], away[:, 1]), NEAREST_MM)
    out = away / distance[:, None]
    across = np.stack([-out[:, 1], out[:, 0]], axis=1)
    step = grid.figure.radius * ROUND / WIDE_PX
    before = BEFORE * grid.figure.radius
    near = grid.middles - before * out - (WIDE_PX - 1) / 2 * step * across
    figure = grid.figure
    level = figure.top_mm + figure.pitch * np.arange(-1, TALLEST)
    out_mm = distance[:, None] * level / (height - level)
    rise = distance * figure.pitch / (height - figure.pitch) / step
    down, right = step * out, step * across
    pixels = lay_grids(pose.plane(floor_z), near, down, right, (LONG_PX, WIDE_PX))
    np.clip(pixels, -FAR_PX, FAR_PX, out=pixels)
    return Spots(
        _to_maps(pixels),
        rise.astype(np.float32),
        ((out_mm + before) / step).astype(np.float32),
        before / step,
        step,
        _are_in_view(pixels, shape),
    )


def _to_maps(pixels: NDArray[np.float32]) -> tuple[NDArray[np.int16], NDArray[np.uint16]]:
    """Return the *pixels* of `lay_grids` in the form that OpenCV's remap takes."""
    x, y = pixels.reshape(2, -1, WIDE_PX)
    whole, parts = cv2.convertMaps(x, y, cv2.CV_16SC2)
    return np.asarray(whole, np.int16), np.asarray(parts, np.uint16)


def _are_in_view(pixels: NDArray[np.float32], shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Return whether a picture of *shape* shows the rows around each spot's middle finely enough.

    Those rows are a square of the board; a picture that shows its corners shows all of it.
    """
    last = round(2 * BEFORE / ROUND * WIDE_PX) - 1
    ends = pixels[:, :, [0, last]][..., [0, -1]]
    edges = np.array([shape[1], shape[0]]).reshape(2, 1, 1, 1)
    inside = np.all((ends >= 0) & (ends < edges), axis=(0, 2, 3))
    long_px = np.hypot(*(ends[:, :, 1, 0] - ends[:, :, 0, 0]))
    return np.asarray(inside & (long_px >= COARSEST * last))
