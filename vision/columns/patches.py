"""Cut a patch around each spot of a board, turned so that columns grow towards its far end.

Seen from above, what stands on a board leans away from the camera's foot, the point straight below
it. Every patch is turned that way: its last row lies furthest from the foot, at one scale for all.
Where the camera stands far aside, that is too short for the tallest columns: then there are coarser
patches beside the usual ones, at a scale for each.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.columns.grid import TALLEST, Grid
from vision.geometry.pose import Points, Pose, build_grids
from vision.photometry.chromaticity import IDENTITY_CORRECTION, ColourCorrection, to_lut

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
HALF_PX: Final = round(WIDE_PX / ROUND * MIDDLE)
TOPMOST_PX: Final = 122.0
COARSEST_STEPS: Final = 1.6
"""In coarser patches the top of the tallest column lies in that row, unless their steps would be
more than so many times as large: columns of that size are not known."""
WIDER: Final = 1.1
"""Columns hide what lies within so many radii of their middles: pieces stray."""
TINY: Final = 1e-9
FAR_PX: Final = 30000.0
COARSEST: Final = 0.65
"""Least length of a row in pixels of the picture: with fewer, levels cannot be told."""


@dataclass(frozen=True, slots=True, eq=False)
class Spots:
    """The patches of one board in one pose, all in mm of the board's frame.

    rise: (spots,) by how many pixels of its patch the next level of a column appears further out.
    tops: (spots, TALLEST + 1) in which row the middle of a column of that height appears.
    foot_px: the row of a spot's middle, where a column's foot should be.
    steps_mm: (spots,) what a row of each is of the board's plane.
    in_view: (spots,) whether the picture shows, finely enough, where the lowest piece stands.
    places: (3, spots, 2) where each patch begins on the board's plane, what a row of it is there,
    and what a column.  feet: (spots, 2) where columns stand.  eye: (3,) where the camera is, and
    levels: (TALLEST + 1,) where the tops of columns are, above them.  radius: of a piece.
    far: the same in coarser patches, if these do not show the tops of columns as tall as can be.
    """

    maps: tuple[NDArray[np.int16], NDArray[np.uint16]]
    rise: NDArray[np.float32]
    tops: NDArray[np.float32]
    foot_px: float
    steps_mm: Points
    in_view: NDArray[np.bool_]
    places: Points
    feet: Points
    eye: Points
    levels: Points
    radius: float
    far: "Spots | None" = None

    def those(self, which: NDArray[np.intp]) -> "Spots":
        """Return the spots that are chosen; what cuts their patches stays with all of them."""
        rise, tops, in_view = self.rise[which], self.tops[which], self.in_view[which]
        steps_mm = self.steps_mm[which]
        return replace(self, rise=rise, tops=tops, in_view=in_view, steps_mm=steps_mm)

    def are_beyond(self) -> NDArray[np.bool_]:
        """Return which heights (spots, TALLEST), from one up, are so tall that tops show in far."""
        tops = self.tops[:, 1:]
        return np.asarray((tops > LONG_PX) & (self.far is not None), np.bool_)

    def showing(self, spot: int, height: int) -> "Spots":
        """Return these spots, or the coarser ones, whose patch shows the top of that column."""
        return self.far if self.far is not None and self.tops[spot, height] > LONG_PX else self

    def cut(self, picture: Picture) -> Patches:
        """Return the patches of *picture*; black outside of it."""
        cut = cv2.remap(picture, *self.maps, cv2.INTER_LINEAR)
        return np.asarray(cut.reshape(len(self.rise), LONG_PX, WIDE_PX, 3), np.uint8)

    def top(self, patches: Patches, spot: int, height: int) -> Patches:
        """Return the middle (rows, columns, 3) of the top of a column *height* pieces high."""
        row, column = self.begin_top(spot, height)
        return patches[spot, row : row + 2 * HALF_PX, column : column + 2 * HALF_PX]

    def show_tops(
        self, columns: Sequence[tuple[int, int]], heights: NDArray[np.intp]
    ) -> NDArray[np.bool_]:
        """Return which pixels (n, rows, columns) of tops no other column hides; see `top`.

        columns: their spots and heights.  heights: (spots,) of all columns, as far as known.  Only
        what reaches higher than a top can hide it, by what it has above.
        """
        side = 2 * HALF_PX
        shown = np.ones((len(columns), side, side), np.bool_)
        laid = [self.showing(spot, high) for spot, high in columns]
        each = list(zip(laid, columns, strict=True))
        starts = np.array([spots.begin_top(*column) for spots, column in each])
        first, down, right = np.stack([spots.places[:, at] for spots, (at, _) in each], axis=1)
        first = first + starts[:, :1] * down + starts[:, 1:] * right
        middles = first + (side - 1) / 2.0 * (down + right)
        reach = WIDER * self.radius + side / 2.0 * np.hypot(*(down + right).T)
        levels = np.array([high for _, high in columns])
        own = np.array([spot for spot, _ in columns])
        higher = (heights > levels[:, None]) & (np.arange(len(heights)) != own[:, None])
        apart = self._pass_by(middles[:, None], self.feet, levels[:, None], heights)
        across = np.arange(side)[:, None]
        for at, other in np.argwhere(higher & (apart < reach[:, None])):
            floor = first[at] + across[:, None] * down[at] + across * right[at]
            near = self._pass_by(floor, self.feet[other], levels[at], heights[other])
            shown[at] &= near >= WIDER * self.radius
        return shown

    def _pass_by(
        self, floor: Points, foot: Points, low: NDArray[np.intp], high: NDArray[np.intp]
    ) -> Points:
        """Return how near to what stands at *foot* rays come, from one height to another.

        floor: (..., 2) where rays to the camera begin on the board's plane.  low, high: of columns.
        """
        # A ray comes by so much aside for each mm that it rises.
        aside = (self.eye[:2] - floor) / self.eye[2]
        begin, end = self.levels[low][..., None], self.levels[high][..., None]
        away, way = foot - floor - begin * aside, (end - begin) * aside
        share = (away * way).sum(axis=-1) / np.maximum((way * way).sum(axis=-1), TINY)
        apart = away - np.clip(share, 0.0, 1.0)[..., None] * way
        return np.asarray(np.linalg.norm(apart, axis=-1))

    def begin_top(self, spot: int, height: int) -> tuple[int, int]:
        """Return in which row and column of its patch the middle of a top begins; see `top`."""
        row = round(float(self.tops[spot, height]))
        return min(max(row, HALF_PX), LONG_PX - HALF_PX) - HALF_PX, WIDE_PX // 2 - HALF_PX


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """One picture of the board, seen from a pose, cut around its spots.

    table: the pose over what stands still while the board may tilt.  light: how colours would look
    if white paper were white.  far_patches: of the coarser spots, if there are any.
    """

    picture: Picture
    pose: Pose
    table: Pose
    spots: Spots
    patches: Patches
    light: ColourCorrection
    far_patches: Patches | None = None

    def cut_tops(self, columns: Sequence[tuple[int, int]]) -> Patches:
        """Return the middles (n, rows, columns, 3) of the tops of *columns*: spots and heights.

        Their colours are as in white light.
        """
        seen = np.stack([self._cut_top(spot, high) for spot, high in columns])
        levels = cv2.LUT(seen.reshape(-1, 1, 3), to_lut(self.light))
        return np.asarray(levels, np.uint8).reshape(seen.shape)

    def _cut_top(self, spot: int, height: int) -> Patches:
        shows = self.spots.showing(spot, height)
        if shows is self.spots or self.far_patches is None:
            return self.spots.top(self.patches, spot, height)
        return shows.top(self.far_patches, spot, height)


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
        light: ColourCorrection = IDENTITY_CORRECTION,
    ) -> View:
        """Return the patches of *picture*, seen from *pose*; the board may be the *table*."""
        laid = self._laid
        if laid is None or laid[0] is not pose or laid[1] != picture.shape:
            spots = lay_spots(self._grid, pose, self._floor_z, picture.shape)
            laid = self._laid = (pose, picture.shape, spots)
        spots = laid[2]
        far = None if spots.far is None else spots.far.cut(picture)
        return View(picture, pose, table or pose, spots, spots.cut(picture), light, far)


def lay_spots(grid: Grid, pose: Pose, floor_z: float, shape: tuple[int, ...]) -> Spots:
    """Return the patches of the board *grid*, whose columns stand *floor_z* mm above the pose's.

    shape: of the pictures, rows and columns first.
    """
    usual = _lay_patches(grid, pose, floor_z, shape, np.ones(len(grid.spots)))
    last, foot_px = usual.tops[:, -1], usual.foot_px
    if not (usual.in_view & (last > LONG_PX)).any():
        return usual
    coarser = np.clip((last - foot_px) / (TOPMOST_PX - foot_px), 1.0, COARSEST_STEPS)
    far = _lay_patches(grid, pose, floor_z, shape, coarser.astype(np.float64))
    return replace(usual, far=far)


def _lay_patches(
    grid: Grid, pose: Pose, floor_z: float, shape: tuple[int, ...], coarser: Points
) -> Spots:
    """Return patches, whose steps are so many times *coarser* (spots,) than usual."""
    camera, figure = pose.camera, grid.figure
    foot, height = camera[:2], float(camera[2]) - floor_z
    away = grid.middles - foot
    distance = np.maximum(np.hypot(away[:, 0], away[:, 1]), NEAREST_MM)
    out = away / distance[:, None]
    across = np.stack([-out[:, 1], out[:, 0]], axis=1)
    foot_px = BEFORE / ROUND * WIDE_PX
    steps = figure.radius * ROUND / WIDE_PX * coarser
    down, right = steps[:, None] * out, steps[:, None] * across
    near = grid.middles - foot_px * down - (WIDE_PX - 1) / 2 * right
    level = figure.top_mm + figure.pitch * np.arange(-1, TALLEST)
    out_mm = distance[:, None] * level / (height - level)
    rise = distance * figure.pitch / (height - figure.pitch) / steps
    pixels = build_grids(pose.homography(floor_z), near, down, right, (LONG_PX, WIDE_PX))
    np.clip(pixels, -FAR_PX, FAR_PX, out=pixels)
    return Spots(
        _to_maps(pixels),
        rise.astype(np.float32),
        (out_mm / steps[:, None] + foot_px).astype(np.float32),
        foot_px,
        steps,
        _are_in_view(pixels, shape),
        np.stack([near, down, right]),
        grid.middles,
        camera - [0.0, 0.0, floor_z],
        np.asarray(level, np.float64),
        figure.radius,
    )


def _to_maps(pixels: NDArray[np.float32]) -> tuple[NDArray[np.int16], NDArray[np.uint16]]:
    """Return the *pixels* of `build_grids` in the form that OpenCV's remap takes."""
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
