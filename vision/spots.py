"""Cut a patch around each spot of a board, turned so that columns grow towards its far end.

Seen from above, what stands on a board leans away from the camera's foot, the point straight below
it. Every patch is turned that way: its last row lies furthest from the foot, at one scale for all.
"""

from dataclasses import dataclass
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Picture
from vision.grid import TALLEST, Grid
from vision.tiles import Points, Pose

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
    rows = np.arange(LONG_PX) * step - BEFORE * grid.figure.radius
    columns = (np.arange(WIDE_PX) - (WIDE_PX - 1) / 2) * step
    points = (
        grid.middles[:, None, None]
        + rows[:, None, None] * out[:, None, None]
        + columns[:, None] * across[:, None, None]
    )
    figure = grid.figure
    level = figure.top_mm + figure.pitch * np.arange(-1, TALLEST)
    out_mm = distance[:, None] * level / (height - level)
    rise = distance * figure.pitch / (height - figure.pitch) / step
    maps, in_view = _maps(points, pose.plane(floor_z), shape)
    return Spots(
        maps,
        rise.astype(np.float32),
        (out_mm / step + BEFORE * figure.radius / step).astype(np.float32),
        BEFORE * figure.radius / step,
        step,
        in_view,
    )


def _maps(
    points: Points, plane: Points, shape: tuple[int, ...]
) -> tuple[tuple[NDArray[np.int16], NDArray[np.uint16]], NDArray[np.bool_]]:
    """Return where in the picture the (spots, rows, columns, 2) points lie, as OpenCV wants it.

    Also whether the picture of that *shape* shows the rows around each spot's middle finely enough.
    """
    pixels = points.reshape(-1, 2) @ plane[:, :2].T + plane[:, 2]
    pixels = np.clip(pixels[:, :2] / pixels[:, 2:], -FAR_PX, FAR_PX).astype(np.float32)
    x, y = (pixels[:, axis].reshape(-1, WIDE_PX) for axis in (0, 1))
    whole, parts = cv2.convertMaps(x, y, cv2.CV_16SC2)
    near = pixels.reshape(*points.shape)[:, : round(2 * BEFORE / ROUND * WIDE_PX)]
    inside = np.all((near >= 0) & (near < (shape[1], shape[0])), axis=(1, 2, 3))
    long_px = np.linalg.norm(near[:, -1, 0] - near[:, 0, 0], axis=1)
    inside &= long_px >= COARSEST * (near.shape[1] - 1)
    return (np.asarray(whole, np.int16), np.asarray(parts, np.uint16)), np.asarray(inside)
