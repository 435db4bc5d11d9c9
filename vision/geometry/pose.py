"""Camera poses: projection, homographies, pose fitting, transforms between two boards' frames."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

Points: TypeAlias = NDArray[np.float64]

FLIP_Y: Final = np.diag([1.0, -1.0, 1.0])
"""From our left-handed frames (y down, z up) to OpenCV's right-handed ones, and back."""


@dataclass(frozen=True, slots=True, eq=False)
class Pose:
    """A camera's pose over one plane, such as the table.

    projection: (3, 4) from the plane's frame in mm to pixels.  residual_mm: root mean square
    distance on the plane between the marker corners seen and the known ones.
    """

    projection: Points
    residual_mm: float

    def project(self, points_mm: Points) -> Points:
        """Return the pixels (n, 2) of points (n, 3) in mm."""
        homogeneous = np.column_stack([points_mm, np.ones(len(points_mm))]) @ self.projection.T
        pixels: Points = homogeneous[:, :2] / homogeneous[:, 2:]
        return pixels

    @property
    def camera(self) -> Points:
        """The camera centre (3,) in mm."""
        negative = np.linalg.solve(self.projection[:, :3], self.projection[:, 3])
        return np.asarray(-negative, np.float64)

    def homography(self, z_mm: float) -> Points:
        """Return the homography (3, 3) from x, y in mm at height *z_mm* to pixels."""
        x, y, z, origin = self.projection.T
        return np.column_stack([x, y, origin + z_mm * z])


@dataclass(frozen=True, slots=True)
class Markers:
    """The corners of one board's markers by marker id.

    seen: (4, 2) in pixels.  known: (4, 2) in mm of the board's plane.
    """

    seen: Mapping[int, Points]
    known: Mapping[int, Points]

    def stack_corners(self) -> tuple[Points, Points]:
        """Return the corners of all markers seen: (n, 2) in pixels, (n, 2) in mm."""
        pixels = np.concatenate([self.seen[marker] for marker in self.seen])
        return pixels, np.concatenate([self.known[marker] for marker in self.seen])


def camera_matrix(hfov_deg: float, shape: tuple[int, ...]) -> Points:
    """Return the intrinsic matrix (3, 3) of a pinhole camera for a picture of *shape*.

    hfov_deg: field of view along the longer side, also of an upright picture.
    """
    height, width = shape[:2]
    focal_px = max(height, width) / 2.0 / np.tan(np.radians(hfov_deg) / 2.0)
    return np.array([[focal_px, 0, (width - 1) / 2], [0, focal_px, (height - 1) / 2], [0, 0, 1.0]])


def begin_pose(matrix: Points, markers: Markers) -> Points | None:
    """Return OpenCV's extrinsics (6,) by *markers*, at least one, without refining them.

    None if there are none.  matrix: the camera's intrinsic matrix (3, 3).
    """
    pixels, flat = markers.stack_corners()
    points = to_opencv_points(flat)
    try:
        solved, *found = cv2.solvePnP(points, pixels, matrix, None, flags=cv2.SOLVEPNP_IPPE)
    except cv2.error:
        return None
    return np.concatenate(found).ravel().astype(np.float64) if solved else None


def fit_pose(matrix: Points, markers: Markers) -> Pose | None:
    """Return the pose that fits at least two *markers*, or None if there is none.

    matrix: the camera's intrinsic matrix (3, 3).
    """
    if len(markers.seen) < 2:
        return None
    begun = begin_pose(matrix, markers)
    if begun is None:
        return None
    pixels, flat = markers.stack_corners()
    columns = begun.reshape(2, 3, 1)  # of one dimension OpenCV would refine something else
    try:
        found = cv2.solvePnPRefineLM(to_opencv_points(flat), pixels, matrix, None, *columns)
    except cv2.error:
        return None
    extrinsics = np.concatenate(found).ravel().astype(np.float64)
    return pose_from_extrinsics(matrix, extrinsics, pixels, flat)


def pose_from_extrinsics(
    matrix: Points, extrinsics: Points, pixels: Points, flat: Points
) -> Pose | None:
    """Return the pose of OpenCV's *extrinsics*, or None if the camera would be below the plane.

    extrinsics: (6,) rotation vector and translation in mm.  pixels: (n, 2) at which the points
    *flat* (n, 2), in mm of the plane, are seen.
    """
    rotation, _ = cv2.Rodrigues(extrinsics[:3])
    translation = extrinsics[3:]
    if float((-rotation.T @ translation)[2]) <= 0.0:
        return None
    pose = Pose(matrix @ np.column_stack([rotation @ FLIP_Y, translation]), 0.0)
    residuals = unproject(pose, pixels) - flat
    residual_mm = float(np.sqrt((residuals**2).sum(axis=1).mean()))
    return Pose(pose.projection, residual_mm) if np.isfinite(residual_mm) else None


def to_opencv_points(flat: Points) -> Points:
    """Return points (n, 2) of a plane as OpenCV's pose solvers need them, (n, 3)."""
    return np.column_stack([flat, np.zeros(len(flat))]) @ FLIP_Y


def unproject(pose: Pose, pixels: Points) -> Points:
    """Return the points (n, 2), in mm of the pose's plane, that are seen at *pixels* (n, 2)."""
    inverse = np.linalg.inv(pose.homography(0.0))
    homogeneous = np.column_stack([pixels, np.ones(len(pixels))]) @ inverse.T
    points: Points = homogeneous[:, :2] / homogeneous[:, 2:]
    return points


def build_grids(
    plane: Points, firsts: Points, down: Points, right: Points, size: tuple[int, int]
) -> NDArray[np.float32]:
    """Return the pixels (2, n, rows, columns), x and y, at which n grids of points are seen.

    plane: homography (3, 3) from mm to pixels.  firsts: (n, 2) first point of each grid in mm.
    down, right: (n, 2) step from row to row and from column to column.  size: rows and columns.
    """
    rows, columns = size
    first, row, column = (
        (plane[:, :2] @ part[..., None])[..., 0] for part in (firsts, down, right)
    )
    # Homogeneous coordinates are linear in row and column: one sum per pixel is enough.
    by_row = (first + plane[:, 2])[:, None] + np.arange(rows)[:, None] * row[:, None]
    by_column = np.arange(columns)[:, None] * column[:, None]
    row_sums, column_sums = (
        part.transpose(2, 0, 1).astype(np.float32, order="C") for part in (by_row, by_column)
    )
    x, y, depth = row_sums[..., None] + column_sums[:, :, None]
    pixels = np.stack([x, y])
    pixels /= depth
    return pixels


def tilt_between_deg(one: Pose, other: Pose, hfov_deg: float, shape: tuple[int, ...]) -> float:
    """Return the angle in degrees between the z axes of two poses in one picture of *shape*."""
    rotation = rotation_between(one, other, hfov_deg, shape)
    return float(np.degrees(np.arccos(np.clip(rotation[2, 2], -1.0, 1.0))))


def rotation_between(one: Pose, other: Pose, hfov_deg: float, shape: tuple[int, ...]) -> Points:
    """Return the rotation (3, 3) of directions from one pose's frame to another's.

    Both are poses in one picture of *shape*.
    """
    matrix = camera_matrix(hfov_deg, shape)
    (rotation, _), (other_rotation, _) = (extrinsics_of(pose, matrix) for pose in (one, other))
    return np.asarray(other_rotation.T @ rotation, np.float64)


def extrinsics_of(pose: Pose, matrix: Points) -> tuple[Points, Points]:
    """Return a pose's rotation (3, 3) and translation (3,) in mm for the camera *matrix* (3, 3).

    The nearest rotation: `marker_tracking` warps poses a little to meet their markers exactly.
    """
    outer = np.linalg.solve(matrix, pose.projection)
    left, scales, right = np.linalg.svd(outer[:, :3])
    return left @ right, outer[:, 3] / scales.mean()
