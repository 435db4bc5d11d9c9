"""Where a camera stands over a board, and how two boards in one picture lie to each other."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

Points: TypeAlias = NDArray[np.float64]

FLIP: Final = np.diag([1.0, -1.0, 1.0])
"""From our frames of boards to OpenCV's."""


@dataclass(frozen=True, slots=True, eq=False)
class Pose:
    """Where the camera stands: 3 x 4 projection from the table (mm) to the picture (pixels).

    spread_mm: how badly the tiles fit this pose, root mean square on the table.
    """

    projection: Points
    spread_mm: float

    def project(self, points_mm: Points) -> Points:
        """Return the pixels, (n, 2), at which points (n, 3) of the table appear."""
        homogeneous = np.column_stack([points_mm, np.ones(len(points_mm))]) @ self.projection.T
        pixels: Points = homogeneous[:, :2] / homogeneous[:, 2:]
        return pixels

    @property
    def camera(self) -> Points:
        """Where the camera is: x, y and z (3,) in mm in the table's frame."""
        turned = np.linalg.solve(self.projection[:, :3], self.projection[:, 3])
        return np.asarray(-turned, np.float64)

    def plane(self, z_mm: float) -> Points:
        """Return the 3 x 3 homography from (x, y) in mm at height *z_mm* to pixels."""
        columns = self.projection
        return np.column_stack([columns[:, 0], columns[:, 1], columns[:, 3] + z_mm * columns[:, 2]])


@dataclass(frozen=True, slots=True)
class Markers:
    """Markers of one board: their corners (4, 2) in pixels, and in mm where they are on it."""

    seen: Mapping[int, Points]
    known: Mapping[int, Points]

    def list_corners(self) -> tuple[Points, Points]:
        """Return all corners (n, 2) in pixels, and (n, 2) in mm of the board's plane."""
        pixels = np.concatenate([self.seen[marker] for marker in self.seen])
        return pixels, np.concatenate([self.known[marker] for marker in self.seen])


def lens_of(hfov_deg: float, shape: tuple[int, ...]) -> Points:
    """Return the 3 x 3 camera matrix; the long side spans *hfov_deg* also in an upright picture."""
    height, width = shape[:2]
    focal_px = max(height, width) / 2.0 / np.tan(np.radians(hfov_deg) / 2.0)
    return np.array([[focal_px, 0, (width - 1) / 2], [0, focal_px, (height - 1) / 2], [0, 0, 1.0]])


def fit_pose(lens: Points, seen: Mapping[int, Points], known: Mapping[int, Points]) -> Pose | None:
    """Return the pose of a camera with this *lens*, or None where two markers do not give one.

    seen: corners (4, 2) of each marker in pixels.  known: the same in mm of the board's plane.
    """
    if len(seen) < 2:
        return None
    pixels, flat = Markers(seen, known).list_corners()
    table = to_opencv(flat)
    try:
        solved, turn, shift = cv2.solvePnP(table, pixels, lens, None, flags=cv2.SOLVEPNP_IPPE)
        if not solved:
            return None
        turn, shift = cv2.solvePnPRefineLM(table, pixels, lens, None, turn, shift)
    except cv2.error:
        return None
    return make_pose(
        lens, np.asarray(turn, np.float64), np.asarray(shift, np.float64), pixels, flat
    )


def make_pose(
    lens: Points, turn: Points, shift: Points, pixels: Points, flat: Points
) -> Pose | None:
    """Return the pose of OpenCV's *turn* and *shift* (3,), or None if no camera stands so.

    pixels: (n, 2) where places *flat* (n, 2), in mm of the board's plane, are seen.
    """
    rotation, _ = cv2.Rodrigues(turn)
    if float((-rotation.T @ shift.ravel())[2]) <= 0.0:
        return None  # from below the table nothing can be seen
    pose = Pose(lens @ np.column_stack([rotation @ FLIP, shift]), 0.0)
    misfit = to_table(pose, pixels) - flat
    spread = float(np.sqrt((misfit**2).sum(axis=1).mean()))
    return Pose(pose.projection, spread) if np.isfinite(spread) else None


def to_opencv(flat: Points) -> Points:
    """Return places (n, 2) of a board as OpenCV's solvers want them (n, 3).

    For them z is up in a right-handed frame; ours is left-handed (y down), so y flips.
    """
    return np.column_stack([flat, np.zeros(len(flat))]) @ FLIP


def to_table(pose: Pose, pixels: Points) -> Points:
    """Return where (n, 2), in mm of the pose's plane, *pixels* (n, 2) lie."""
    homogeneous = np.column_stack([pixels, np.ones(len(pixels))]) @ np.linalg.inv(pose.plane(0.0)).T
    points: Points = homogeneous[:, :2] / homogeneous[:, 2:]
    return points


def build_grids(
    plane: Points, firsts: Points, down: Points, right: Points, size: tuple[int, int]
) -> NDArray[np.float32]:
    """Return the pixels (2, n, rows, columns), x and y, of the places of several grids.

    plane: from their plane, in mm, to the picture, (3, 3) or each its own (n, 3, 3).  firsts: (n,
    2) the first place of each grid.  down, right: (n, 2) what a row and a column of it are.  size:
    rows and columns.
    """
    rows, columns = size
    first, row, column = (
        (plane[..., :2] @ part[..., None])[..., 0] for part in (firsts, down, right)
    )
    # A plane's picture is linear before the division by depth: one sum per pixel is enough.
    long = (first + plane[..., 2])[:, None] + np.arange(rows)[:, None] * row[:, None]
    wide = np.arange(columns)[:, None] * column[:, None]
    ends, sides = (part.transpose(2, 0, 1).astype(np.float32, order="C") for part in (long, wide))
    x, y, depth = ends[..., None] + sides[:, :, None]
    pixels = np.stack([x, y])
    pixels /= depth
    return pixels


def axis_between(one: Pose, other: Pose, hfov_deg: float, shape: tuple[int, ...]) -> float:
    """Return by how many degrees the z axes of two poses in one picture of *shape* differ."""
    turn = turn_between(one, other, hfov_deg, shape)
    return float(np.degrees(np.arccos(np.clip(turn[2, 2], -1.0, 1.0))))


def carry(point: Points, one: Pose, other: Pose, hfov_deg: float, shape: tuple[int, ...]) -> Points:
    """Return the place (3,) in mm of *point* (3,) of one pose's frame in another's.

    Both are poses in one picture of *shape*.
    """
    lens = lens_of(hfov_deg, shape)
    (turn, shift), (other_turn, other_shift) = (stand(pose, lens) for pose in (one, other))
    return np.asarray(other_turn.T @ (turn @ point + shift - other_shift), np.float64)


def turn_between(one: Pose, other: Pose, hfov_deg: float, shape: tuple[int, ...]) -> Points:
    """Return what turns (3, 3) a direction (3,) in one pose's frame into that in another's.

    Both are poses in one picture of *shape*.
    """
    lens = lens_of(hfov_deg, shape)
    (turn, _), (other_turn, _) = (stand(pose, lens) for pose in (one, other))
    return np.asarray(other_turn.T @ turn, np.float64)


def stand(pose: Pose, lens: Points) -> tuple[Points, Points]:
    """Return how a camera with this *lens* stands: a rotation (3, 3), and a shift (3,) in mm.

    A pose may be bent to meet its markers (see `marker_tracking`); this is the nearest that is not.
    """
    outer = np.linalg.solve(lens, pose.projection)
    left, sizes, right = np.linalg.svd(outer[:, :3])
    return left @ right, outer[:, 3] / sizes.mean()
