"""Where a balance board stands of which towers hide all markers but two.

Two small markers tell badly by how much a board leans about the line between them. But it stands on
a pivot: however it tilts, its middle stays as high over the table, and about in its place.
"""

from typing import Final

import cv2
import numpy as np

from vision.geometry.pose import FLIP, Markers, Points, Pose, lens_of, make_pose, stand, to_opencv

CORNER_PX: Final = 0.5
"""By so much corners usually miss where they are seen."""
ASTRAY_MM: Final = np.array([4.0, 4.0, 0.5])
"""So far the middle of a board usually moves over the table, and up: 4 degrees about a pivot that
lies 60 mm below come to 4 sideways."""
FARTHEST: Final = 3.0
"""A middle that is astray by more than so many times as much belongs to a board that was moved."""
STEPS: Final = 10
ENOUGH: Final = 2
MISFIT: Final = 0.03
"""Greatest misfit of such a pose, in sides of a marker, as of one by three (`marker_tracking`)."""


class Pivot:
    """Remembers how one board stood on its table, and finds it again by what is left in view."""

    def __init__(self, middle: Points, marker_mm: float, hfov_deg: float) -> None:
        """*middle*: the board's (3,) in mm of its own frame."""
        self._middle, self._marker_mm, self._hfov_deg = middle, marker_mm, hfov_deg
        self._stood: tuple[Points, Points] | None = None

    def learn(self, board: Pose, table: Pose, shape: tuple[int, ...]) -> None:
        """Remember how the *board* stands, both being poses in one picture of *shape*."""
        lens = lens_of(self._hfov_deg, shape)
        (turn, shift), (under, away) = stand(board, lens), stand(table, lens)
        self._stood = under.T @ turn, under.T @ (shift - away)

    def locate(self, table: Pose, markers: Markers, shape: tuple[int, ...]) -> Pose | None:
        """Return the board's pose by its *markers*, or None if they are too few or do not fit."""
        if self._stood is None or len(markers.seen) < ENOUGH:
            return None
        lens = lens_of(self._hfov_deg, shape)
        pixels, flat = markers.list_corners()
        under, away = stand(table, lens)
        turn, shift = under @ self._stood[0], under @ self._stood[1] + away
        middle = turn @ self._middle + shift
        spin, _ = cv2.Rodrigues(turn @ FLIP)
        pose = np.concatenate([spin.ravel(), shift])
        for _ in range(STEPS):
            seen, seen_slopes = _project(pose, to_opencv(flat), lens)
            place, place_slopes = _carry(pose, FLIP @ self._middle)
            off = [(seen - pixels).ravel() / CORNER_PX, under.T @ (place - middle) / ASTRAY_MM]
            slopes = [seen_slopes / CORNER_PX, under.T @ place_slopes / ASTRAY_MM[:, None]]
            step, *_ = np.linalg.lstsq(np.concatenate(slopes), np.concatenate(off), rcond=None)
            pose -= step
        found = make_pose(lens, pose[:3], pose[3:], pixels, flat)
        fits = found is not None and found.spread_mm <= MISFIT * self._marker_mm
        return found if fits and np.abs(off[1]).max() <= FARTHEST else None


def _project(pose: Points, places: Points, lens: Points) -> tuple[Points, Points]:
    """Return the pixels (n, 2) of *places* (n, 3), and how they change (2 n, 6) with *pose* (6,).

    pose: OpenCV's turn and shift, one after the other.
    """
    pixels, slopes = cv2.projectPoints(places, pose[:3], pose[3:], lens, None)
    return np.asarray(pixels, np.float64).reshape(-1, 2), np.asarray(slopes[:, :6], np.float64)


def _carry(pose: Points, place: Points) -> tuple[Points, Points]:
    """Return where (3,) before the camera *place* (3,) is, and how that changes (3, 6)."""
    turn, slopes = cv2.Rodrigues(pose[:3])
    turned = slopes.reshape(3, 3, 3) @ place
    return turn @ place + pose[3:], np.column_stack([turned.T, np.eye(3)])
