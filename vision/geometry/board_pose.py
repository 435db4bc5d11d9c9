"""Pose of a balance board of which towers hide all markers but two.

Two small markers say little about the tilt about the line between them. But the board stands on a
foot: however it tilts, its centre stays at its height over the table, and about in its place.
"""

from typing import Final

import cv2
import numpy as np

from vision.geometry.marker_tracking import MAX_PRINTED_RESIDUAL
from vision.geometry.pose import (
    FLIP_Y,
    Markers,
    Points,
    Pose,
    camera_matrix,
    extrinsics_of,
    pose_from_extrinsics,
    to_opencv_points,
)

CORNER_SIGMA_PX: Final = 0.5
"""Standard error of a marker corner."""
CENTRE_SIGMA_MM: Final = np.array([4.0, 4.0, 0.5])
"""By how much the board's centre moves along the table and up: 4 degrees about a foot 60 mm below
are 4 mm sideways."""
MAX_CENTRE_SIGMAS: Final = 3.0
"""A centre further from its place belongs to a board that was moved."""


class BoardPoseEstimator:
    """Remembers how one board stands on its table, and finds its pose by two markers."""

    def __init__(self, centre: Points, marker_mm: float, hfov_deg: float) -> None:
        """*centre*: (3,) in mm of the board's own frame."""
        self._centre, self._marker_mm, self._hfov_deg = centre, marker_mm, hfov_deg
        self._board_to_table: tuple[Points, Points] | None = None

    def learn(self, board: Pose, table: Pose, shape: tuple[int, ...]) -> None:
        """Remember how the *board* stands, both being poses in one picture of *shape*."""
        matrix = camera_matrix(self._hfov_deg, shape)
        rotation, translation = extrinsics_of(board, matrix)
        table_rotation, table_translation = extrinsics_of(table, matrix)
        inverse = table_rotation.T
        self._board_to_table = inverse @ rotation, inverse @ (translation - table_translation)

    def locate(self, table: Pose, markers: Markers, shape: tuple[int, ...]) -> Pose | None:
        """Return the board's pose by at least two *markers*, or None if it does not fit them."""
        if self._board_to_table is None or len(markers.seen) < 2:
            return None
        matrix = camera_matrix(self._hfov_deg, shape)
        pixels, flat = markers.stack_corners()
        points = to_opencv_points(flat)
        table_rotation, table_translation = extrinsics_of(table, matrix)
        rotation = table_rotation @ self._board_to_table[0]
        translation = table_rotation @ self._board_to_table[1] + table_translation
        expected = rotation @ self._centre + translation
        vector, _ = cv2.Rodrigues(rotation @ FLIP_Y)
        extrinsics = np.concatenate([vector.ravel(), translation])
        for _ in range(10):  # Gauss-Newton converges after about five
            seen, seen_jacobian = _project(extrinsics, points, matrix)
            centre, centre_jacobian = _transform(extrinsics, FLIP_Y @ self._centre)
            corner_errors = (seen - pixels).ravel() / CORNER_SIGMA_PX
            centre_errors = table_rotation.T @ (centre - expected) / CENTRE_SIGMA_MM
            jacobian = np.concatenate(
                [
                    seen_jacobian / CORNER_SIGMA_PX,
                    table_rotation.T @ centre_jacobian / CENTRE_SIGMA_MM[:, None],
                ]
            )
            errors = np.concatenate([corner_errors, centre_errors])
            step, *_ = np.linalg.lstsq(jacobian, errors, rcond=None)
            extrinsics -= step
        pose = pose_from_extrinsics(matrix, extrinsics, pixels, flat)
        if pose is None or pose.residual_mm > MAX_PRINTED_RESIDUAL * self._marker_mm:
            return None
        return pose if np.abs(centre_errors).max() <= MAX_CENTRE_SIGMAS else None


def _project(extrinsics: Points, points: Points, matrix: Points) -> tuple[Points, Points]:
    """Return the pixels (n, 2) of *points* (n, 3), and their Jacobian (2 n, 6)."""
    pixels, jacobian = cv2.projectPoints(points, extrinsics[:3], extrinsics[3:], matrix, None)
    return np.asarray(pixels, np.float64).reshape(-1, 2), np.asarray(jacobian[:, :6], np.float64)


def _transform(extrinsics: Points, point: Points) -> tuple[Points, Points]:
    """Return *point* (3,) in the camera's frame, and its Jacobian (3, 6)."""
    rotation, derivatives = cv2.Rodrigues(extrinsics[:3])
    rotated = derivatives.reshape(3, 3, 3) @ point
    return rotation @ point + extrinsics[3:], np.column_stack([rotated.T, np.eye(3)])
