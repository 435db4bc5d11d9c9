"""Tracking of a board that was fitted by its corners, from picture to picture.

There is nothing printed to be decoded: the board is known by how it looked at its corners in the
picture in which they were given.  A board or camera that moved a little is found again by these
patches, one that moved or turned further by what both pictures show of the board.
"""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.geometry.corner_fit import CornerFit
from vision.geometry.layout import Rig
from vision.geometry.marker_template import MarkerTemplate, crop_template, to_grey
from vision.geometry.pose import Markers, Points, Pose, camera_matrix, fit_pose

MIN_PICTURE_SIDE_PX: Final = 64
MIN_PATCH_PX: Final = 6.0
SQUARE: Final = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
PATCH_SHARE: Final = 0.07
"""Half the side of a corner's patch, as a share of the board's mean side."""
STILL_MARGINS_PX: Final = (5, 1, 0)
MOVED_MARGINS_PX: Final = (14, 8, *STILL_MARGINS_PX)
"""How far around its old place a corner is searched, in pixels of its template."""
MAX_STILL_SHIFT_PX: Final = 1.2
"""A corner that has moved further means that board or camera has."""
MIN_STILL_CORNERS: Final = 2
MIN_MOVED_CORNERS: Final = 3
MAX_SHEAR_PX: Final = 3.0
"""Corners of a rigid board move alike; a fourth one further off has something in front of it."""
MAX_RESIDUAL: Final = 0.02
"""Of a pose over four corners that are those of the rectangle, as a share of its mean side."""
FEATURES: Final = 600
MIN_MATCHES: Final = 25
MAX_RATIO: Final = 0.8
"""Of a feature's nearest neighbour's distance and the next one's, above which it is ambiguous."""
MAX_ERROR_PX: Final = 3.0
MAX_STRETCH: Final = 1.6
"""A board that seems so much larger or smaller than it was is another thing."""
AROUND: Final = 1.15
"""What is looked at of the table around the board, as a share of the board."""


def open_pose(
    fit: CornerFit, hfov_deg: float, shape: tuple[int, ...], pixels: Points
) -> Pose | None:
    """Return the pose over the table if the corners of *fit* are seen at *pixels* (4, 2).

    None if they cannot be the corners of that rectangle, seen from above.
    """
    flat = np.array(fit.outline, np.float64)
    # Both halves of the four, since a pose is fitted to two markers and more.
    halves = Markers({0: pixels[:2], 1: pixels[2:]}, {0: flat[:2], 1: flat[2:]})
    pose = fit_pose(camera_matrix(hfov_deg, shape), halves)
    if pose is None or pose.residual_mm > MAX_RESIDUAL * _mean_side(flat):
        return None
    exact, _ = cv2.findHomography(flat, pixels)
    warp = np.asarray(exact, np.float64) @ np.linalg.inv(pose.homography(0.0))
    projection = warp / warp[2, 2] @ pose.projection
    # So far the plane is that of the corners; the table lies z_mm below it.
    projection[:, 3] -= fit.z_mm * projection[:, 2]
    return Pose(projection, pose.residual_mm)


class CornerTracker:
    """Tracks the pose of one camera over one board that is known by its corners.

    The first picture is the one in which they were given.
    """

    def __init__(self, rig: Rig) -> None:
        assert rig.mat.fit is not None
        self._fit, self._hfov_deg = rig.mat.fit, rig.hfov_deg
        self._shape: tuple[int, ...] = (0, 0)
        self._corners: Points = np.zeros((4, 2))
        self._templates: tuple[MarkerTemplate | None, ...] = ()
        self._features: tuple[Points, NDArray[np.uint8]] | None = None
        self._pose: Pose | None = None
        self._is_seen = False

    def locate(self, picture: Picture) -> Pose | None:
        """Return the camera's pose in *picture*, None if the board is not found."""
        if min(picture.shape[:2]) < MIN_PICTURE_SIDE_PX:
            return None
        if self._pose is None:
            return self._begin(picture)
        if picture.shape[:2] != self._shape:
            self._is_seen = False
            return None
        self._is_seen = True
        shifts = self._find_shifts(picture, STILL_MARGINS_PX)
        seen = [float(np.linalg.norm(shift)) for shift in shifts if shift is not None]
        if len(seen) >= MIN_STILL_CORNERS and max(seen) <= MAX_STILL_SHIFT_PX:
            return self._pose
        corners = self._shift_corners(picture)
        if corners is None:
            corners = self._match_features(picture)
        if corners is not None and self._take(picture, corners):
            return self._pose
        # A hand over three corners hides a board that has not moved.
        is_still = bool(seen) and max(seen) <= MAX_STILL_SHIFT_PX
        self._is_seen = is_still
        return self._pose if is_still else None

    def list_detected(self) -> Markers:
        """Return the surroundings of the corners as if each were a tile, by its number.

        Empty where the board was not found in the last picture.
        """
        if self._pose is None or not self._is_seen:
            return Markers({}, {})
        outline = np.array(self._fit.outline, np.float64)
        square = PATCH_SHARE * _mean_side(outline) * SQUARE
        known = {corner: at + square for corner, at in enumerate(outline)}
        seen = {
            corner: self._pose.project(np.column_stack([flat, np.full(4, self._fit.z_mm)]))
            for corner, flat in known.items()
        }
        return Markers(seen, known)

    def explain(self) -> str:
        """Return why there was no pose in the last picture, and what to do."""
        if self._pose is None:
            return (
                "the corners are not those of such a board seen from above; drag each to its corner"
            )
        return (
            "the board is not found by its corners; take your hands away, put it back where it was,"
            " or drag the corners again"
        )

    def _begin(self, picture: Picture) -> Pose | None:
        self._shape = picture.shape[:2]
        size = np.array([self._shape[1], self._shape[0]], np.float64)
        corners = np.array(self._fit.corners, np.float64) * size
        self._is_seen = self._take(picture, corners)
        return self._pose

    def _take(self, picture: Picture, corners: Points) -> bool:
        """Take *corners* for where the board is in *picture*, if they may be."""
        pose = open_pose(self._fit, self._hfov_deg, picture.shape, corners)
        if pose is None:
            return False
        self._pose, self._corners = pose, corners
        square = max(MIN_PATCH_PX, PATCH_SHARE * _mean_side(corners)) * SQUARE
        self._templates = tuple(crop_template(picture, corner + square) for corner in corners)
        self._features = None
        self._reference = to_grey(picture)
        return True

    def _find_shifts(self, picture: Picture, margins: tuple[int, ...]) -> list[Points | None]:
        return [
            None if template is None else template.find_shift(picture, margins)
            for template in self._templates
        ]

    def _shift_corners(self, picture: Picture) -> Points | None:
        """Return where the corners (4, 2) are after a small move; None if that is not clear."""
        shifts = self._find_shifts(picture, MOVED_MARGINS_PX)
        which = [corner for corner, shift in enumerate(shifts) if shift is not None]
        if len(which) < MIN_MOVED_CORNERS:
            return None
        old = self._corners[which]
        new = old + np.array([shift for shift in shifts if shift is not None])
        # To turn, scale and shift a plane is linear in complex numbers.
        plane = np.column_stack([old @ [1, 1j], np.ones(len(old))])
        turn, *_ = np.linalg.lstsq(plane, new @ [1, 1j], rcond=None)
        placed = (self._corners @ [1, 1j]) * turn[0] + turn[1]
        moved = np.column_stack([placed.real, placed.imag])
        if float(np.linalg.norm(moved[which] - new, axis=1).max()) > MAX_SHEAR_PX:
            return None
        moved[which] = new
        return np.asarray(moved, np.float64)

    def _match_features(self, picture: Picture) -> Points | None:
        """Return where the corners (4, 2) are by what both pictures show of the board."""
        if self._features is None:
            self._features = _find_features(self._reference, self._corners)
        points, descriptors = self._features
        new_points, new_descriptors = _find_features(to_grey(picture), None)
        if min(len(points), len(new_points)) < MIN_MATCHES:
            return None
        pairs = cv2.BFMatcher(cv2.NORM_HAMMING).knnMatch(descriptors, new_descriptors, k=2)
        good = [
            pair[0]
            for pair in pairs
            if len(pair) == 2 and pair[0].distance < MAX_RATIO * pair[1].distance
        ]
        if len(good) < MIN_MATCHES:
            return None
        old = points[[match.queryIdx for match in good]]
        new = new_points[[match.trainIdx for match in good]]
        found, inliers = cv2.findHomography(old, new, cv2.RANSAC, MAX_ERROR_PX)
        if np.count_nonzero(inliers) < MIN_MATCHES:
            return None
        corners = cv2.perspectiveTransform(self._corners[None], found)[0]
        return _plausible(np.asarray(corners, np.float64), self._corners)


def _mean_side(corners: Points) -> float:
    return float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean())


def _plausible(corners: Points, old: Points) -> Points | None:
    """Return *corners* if they are those of a board about as large as it was."""
    areas = [cv2.contourArea(each.astype(np.float32), True) for each in (corners, old)]
    stretch = areas[0] / areas[1] if areas[1] else 0.0
    is_convex = cv2.isContourConvex(corners.astype(np.float32))
    return corners if is_convex and 1 / MAX_STRETCH < stretch < MAX_STRETCH else None


def _find_features(
    grey: NDArray[np.uint8], corners: Points | None
) -> tuple[Points, NDArray[np.uint8]]:
    """Return features' points (n, 2) and descriptors; within and around *corners*, if given."""
    mask = None
    count = 2 * FEATURES
    if corners is not None:
        middle = corners.mean(axis=0)
        grown = (middle + AROUND * (corners - middle)).round().astype(np.int32)
        mask = np.zeros(grey.shape, np.uint8)
        cv2.fillConvexPoly(mask, grown, 255)
        count = FEATURES
    keypoints, descriptors = cv2.ORB.create(count).detectAndCompute(grey, mask)
    points = np.array([point.pt for point in keypoints], np.float64).reshape(-1, 2)
    if not len(points):
        return points, np.zeros((0, 32), np.uint8)  # OpenCV gives none then
    return points, np.asarray(descriptors, np.uint8)
