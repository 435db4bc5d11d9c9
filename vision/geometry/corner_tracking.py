"""Tracking of a board that was fitted by its corners, from picture to picture.

There is nothing printed to be decoded: the board is known by how its rim looked in the picture in
which the corners were given.  What moved a little is found again by following points of the rim;
what moved or turned further, by features of the whole board.  Where the rim is plain, as a sheet's
under cards is, the table around tells whether the camera moved, and the outline what was pushed.
"""

from dataclasses import replace
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry.corner_fit import CornerFit
from vision.geometry.layout import Rig
from vision.geometry.outline_tracking import Outline
from vision.geometry.pose import Markers, Points, Pose, camera_matrix, fit_pose
from vision.geometry.table_view import TableView

PATCH_SHARE: Final = 0.07
"""Half the side of what stands for a tile at each corner, as a share of the board's mean side."""
SQUARE: Final = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
MAX_RESIDUAL: Final = 0.02
"""Of a pose over four corners that are those of the rectangle, as a share of its mean side."""
RIM: Final = (0.86, 0.99)
"""The rim, from its inner to its outer edge, as shares of the board: no piece stands there."""
POINTS: Final = 120
MIN_POINTS: Final = 12
"""With fewer points, board and camera are taken to be where they were."""
MIN_CONTRAST: Final = 6.0
"""Grey levels of spread around a point; less is a camera's noise."""
WINDOW_PX: Final = 21
NORMALISED_PX: Final = 31
"""Window in which contrast is made even, so that shadows and lamps move no point."""
MAX_BACK_PX: Final = 0.8
"""A point that is not found again on the way back was lost."""
STILL_PX: Final = 1.0
MAX_ERROR_PX: Final = 1.5
MIN_STILL_SHARE: Final = 0.25
"""Of all points, how many have to be where they were: pieces at the edge hide some for good."""
MIN_AGREEING_SHARE: Final = 0.4
"""Of the points that were followed, how many have to agree on a move."""
GOOD_POINTS: Final = 30
"""With fewer points on its rim the table around the board is followed as well, and its outline."""
MIN_MOVED_SHARE: Final = 0.55
"""Of all points, how many have to agree on a move."""
MIN_HIDDEN_STILL: Final = 3
MIN_HIDDEN_SHARE: Final = 0.7
"""So many points in place, and so many of those that are still seen, mean that the rest is covered:
a board cannot move and leave them."""
MIN_GAIN: Final = 0.15
"""By how much a move has to explain the picture better than rest does, as a correlation."""
FEATURES: Final = 800
MIN_MATCHES: Final = 30
MAX_RATIO: Final = 0.8
"""Of a feature's nearest neighbour's distance and the next one's, above which it is ambiguous."""
TILTED: Final = 1.2
"""A board that tilts reaches so much further, as a share of its size."""
PUSHED: Final = 1.08
"""The same for a sheet, beside whose edges nothing of the table is followed."""
MAX_STRETCH: Final = 1.6
"""A board that seems so much larger or smaller than it was is another thing."""


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
        self._pushed: Points = np.zeros((4, 2))
        self._plane: Points = np.eye(3)
        self._outline: Outline | None = None
        self._grey = self._even = np.zeros((1, 1), np.uint8)
        self._board: Points | None = None
        self._points: NDArray[np.float32] = np.zeros((0, 1, 2), np.float32)
        self._pose: Pose | None = None
        self._is_seen = False

    def locate(self, view: TableView) -> Pose | None:
        """Return the camera's pose in *view*, None if the board is not found."""
        if view.is_too_small:
            return None
        if self._pose is None:
            return self._begin(view)
        self._is_seen = view.shape[:2] == self._shape and self._follow(view)
        return self._pose if self._is_seen else None

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
            "the corners of the board are not found; take your hands away, put it back where it"
            " was, or drag the corners again"
        )

    def _begin(self, view: TableView) -> Pose | None:
        self._shape = view.shape[:2]
        size = np.array([self._shape[1], self._shape[0]], np.float64)
        corners = np.array(self._fit.corners, np.float64) * size
        self._is_seen = self._take(view, corners)
        if self._is_seen and self._fit.tilts and self._pose is not None:
            # From now on by what lies on the table around it, whose plane is another.
            self._board = corners
            self._fit = replace(self._fit, z_mm=0.0)
            outline = np.array(self._fit.outline, np.float64)
            flat = self._pose.project(np.column_stack([outline, np.zeros(len(outline))]))
            self._is_seen = self._take(view, flat)
        return self._pose

    def _take(self, view: TableView, corners: Points) -> bool:
        """Take *corners* for where the board is in *view*, if they may be."""
        if not self._place(view.shape, corners):
            return False
        self._corners = self._pushed = corners
        self._grey = view.grey
        self._even = _even_contrast(self._grey)
        self._points = np.zeros((0, 1, 2), np.float32)
        if not self._is_around:
            self._points = _find_points(self._grey, _rim_mask(self._shape, corners))
        if len(self._points) < GOOD_POINTS:
            around = _find_points(self._grey, self._mask_around(corners))
            self._points = np.concatenate([self._points, around])
            self._outline = self._learn_outline(view)
        return True

    def _learn_outline(self, view: TableView) -> Outline | None:
        """Return the board's outline, None if it tilts or is not seen against the table."""
        if self._board is not None or self._pose is None:
            return None
        self._plane = self._pose.homography(self._fit.z_mm)
        outline = Outline(view.picture, self._plane, np.array(self._fit.outline, np.float64))
        return outline if outline.is_seen else None

    @property
    def _is_around(self) -> bool:
        """Whether only the table around is followed: boards tilt, things on sheets come and go."""
        return self._board is not None or self._fit.sheet

    def _mask_around(self, corners: Points) -> NDArray[np.uint8]:
        """Return a mask of the table around the board, which may have tilted."""
        board = corners if self._board is None else np.concatenate([corners, self._board])
        middle = board.mean(axis=0)
        share = TILTED if self._board is not None else PUSHED if self._fit.sheet else 1.0
        grown = (middle + share * (board - middle)).round().astype(np.int32)
        mask = np.full(self._shape[:2], 255, np.uint8)
        cv2.fillConvexPoly(mask, cv2.convexHull(grown), 0)
        return mask

    def _mask_followed(self, corners: Points) -> NDArray[np.uint8]:
        """Return a mask of what is followed as a whole."""
        if self._is_around:
            return self._mask_around(corners)
        return _rim_mask(self._shape, corners, 0.0)

    def _place(self, shape: tuple[int, ...], corners: Points) -> bool:
        pose = open_pose(self._fit, self._hfov_deg, shape, corners)
        if pose is not None:
            self._pose = pose
        return pose is not None

    def _follow(self, view: TableView) -> bool:
        """Return whether the board is found in *view*; the pose is up to date then."""
        if len(self._points) < MIN_POINTS:
            return self._rest(view)
        grey = view.grey
        old, new = self._follow_points(_even_contrast(grey))
        still = np.linalg.norm(new - old, axis=1) <= STILL_PX
        in_place = int(np.count_nonzero(still))
        is_enough = in_place >= max(MIN_STILL_SHARE * len(self._points), MIN_POINTS / 2)
        if is_enough and in_place >= len(old) / 2:
            return self._rest(view)
        # Points of one side alone say little about the other.
        moved = _fit_move(old, new, round(MIN_MOVED_SHARE * len(self._points)))
        if moved is None and (moved := self._match_features(grey)) is not None:
            near = self._follow_points(_even_contrast(grey), moved)
            nearer = _fit_move(*near, round(MIN_AGREEING_SHARE * len(self._points)))
            moved = moved if nearer is None else nearer
        if moved is not None and (corners := self._explain_by(moved, grey)) is not None:
            return self._place(view.shape, corners)
        is_hidden = in_place >= MIN_HIDDEN_STILL and in_place >= MIN_HIDDEN_SHARE * len(old)
        return self._rest(view, is_certain=is_hidden)

    def _rest(self, view: TableView, *, is_certain: bool = True) -> bool:
        """Place the board for a camera at rest: where its outline has gone, or where it was.

        Returns whether it is known where it is.  is_certain: whether the camera surely is at rest.
        """
        move = None if self._outline is None else self._outline.find_move(view.picture)
        if move is None:
            return is_certain and self._place(view.shape, self._pushed)
        moved = self._plane @ move @ np.linalg.inv(self._plane)
        pushed = cv2.perspectiveTransform(self._corners[None], moved)[0]
        self._pushed = np.asarray(pushed, np.float64)
        return self._place(view.shape, self._pushed)

    def _explain_by(self, moved: Points, grey: NDArray[np.uint8]) -> Points | None:
        """Return the corners (4, 2) after a homography, if it explains *grey* better than rest."""
        found = cv2.perspectiveTransform(self._pushed[None], moved)[0]
        corners = np.asarray(found, np.float64)
        if not self._is_plausible(corners):
            return None
        height, width = self._shape[:2]
        warped = np.asarray(cv2.warpPerspective(self._even, moved, (width, height)), np.uint8)
        seen = _even_contrast(grey)
        here = _correlate(warped, seen, self._mask_followed(corners) > 0)
        rest = _correlate(self._even, seen, self._mask_followed(self._corners) > 0)
        return corners if here > rest + MIN_GAIN else None

    def _follow_points(
        self, even: NDArray[np.uint8], moved: Points | None = None
    ) -> tuple[Points, Points]:
        """Return where points (n, 2) of the rim were, and where they are now; not the lost ones.

        moved: a homography by which they are known to have moved, about.
        """
        window = (WINDOW_PX, WINDOW_PX)
        first, flags = self._points, cv2.OPTFLOW_USE_INITIAL_FLOW
        if moved is not None:
            first = np.asarray(cv2.perspectiveTransform(first, moved), np.float32)
        there, was_found, _ = cv2.calcOpticalFlowPyrLK(
            self._even, even, self._points, first.copy(), winSize=window, flags=flags
        )
        back, came_back, _ = cv2.calcOpticalFlowPyrLK(
            even, self._even, there, self._points.copy(), winSize=window, flags=flags
        )
        off = np.linalg.norm((back - self._points).reshape(-1, 2), axis=1)
        good = (was_found.ravel() > 0) & (came_back.ravel() > 0) & (off <= MAX_BACK_PX)
        points = (self._points.reshape(-1, 2)[good], there.reshape(-1, 2)[good])
        return np.asarray(points[0], np.float64), np.asarray(points[1], np.float64)

    def _match_features(self, grey: NDArray[np.uint8]) -> Points | None:
        """Return the homography (3, 3) by which what both pictures show of the board has moved."""
        points, descriptors = _find_features(self._grey, self._mask_followed(self._corners))
        new_points, new_descriptors = _find_features(grey, None)
        if min(len(points), len(new_points)) < MIN_MATCHES:
            return None
        pairs = cv2.BFMatcher(cv2.NORM_HAMMING).knnMatch(descriptors, new_descriptors, k=2)
        good = [
            pair[0]
            for pair in pairs
            if len(pair) == 2 and pair[0].distance < MAX_RATIO * pair[1].distance
        ]
        old = points[[match.queryIdx for match in good]]
        new = new_points[[match.trainIdx for match in good]]
        return _fit_move(old, new, MIN_MATCHES)

    def _is_plausible(self, corners: Points) -> bool:
        """Return whether *corners* are those of a board about as large as it was."""
        areas = [cv2.contourArea(c.astype(np.float32), True) for c in (corners, self._corners)]
        stretch = areas[0] / areas[1] if areas[1] else 0.0
        is_convex = bool(cv2.isContourConvex(corners.astype(np.float32)))
        return is_convex and 1 / MAX_STRETCH < stretch < MAX_STRETCH


def _fit_move(old: Points, new: Points, min_points: int) -> Points | None:
    """Return the homography (3, 3) by which points (n, 2) moved; None if they do not agree."""
    min_points = max(min_points, MIN_POINTS)
    if len(old) < min_points:
        return None
    found, inliers = cv2.findHomography(old, new, cv2.RANSAC, MAX_ERROR_PX)
    agreeing = int(np.count_nonzero(inliers))
    if agreeing < max(min_points, round(MIN_AGREEING_SHARE * len(old))):
        return None
    return np.asarray(found, np.float64)


def _correlate(one: NDArray[np.uint8], other: NDArray[np.uint8], where: NDArray[np.bool_]) -> float:
    a, b = one[where].astype(np.float64), other[where].astype(np.float64)
    a, b = a - a.mean(), b - b.mean()
    return float((a * b).mean() / max(np.sqrt((a * a).mean() * (b * b).mean()), 1e-9))


def _mean_side(corners: Points) -> float:
    return float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean())


def _rim_mask(shape: tuple[int, ...], corners: Points, inner: float = RIM[0]) -> NDArray[np.uint8]:
    """Return a mask of the rim of the board with *corners*; of all of it with 0 for *inner*."""
    mask = np.zeros(shape[:2], np.uint8)
    middle = corners.mean(axis=0)
    for share, level in ((RIM[1], 255), (inner, 0)):
        grown = (middle + share * (corners - middle)).round().astype(np.int32)
        if share:
            cv2.fillConvexPoly(mask, grown, level)
    return mask


def _find_points(grey: NDArray[np.uint8], mask: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return points (n, 1, 2) of *grey* within *mask* that can be found again."""
    smooth = cv2.blur(grey, (3, 3))
    found: Any = cv2.goodFeaturesToTrack(smooth, POINTS, 0.01, WINDOW_PX / 2, mask=mask)
    if found is None:  # which OpenCV gives for none, whatever its types say
        return np.zeros((0, 1, 2), np.float32)
    levels = smooth.astype(np.float32)
    window = (WINDOW_PX // 2, WINDOW_PX // 2)
    spread = cv2.blur(levels * levels, window) - cv2.blur(levels, window) ** 2
    x, y = found.reshape(-1, 2).astype(int).T
    return np.asarray(found[spread[y, x] >= MIN_CONTRAST**2], np.float32)


def _even_contrast(grey: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return *grey* with the same mean and contrast everywhere."""
    levels = grey.astype(np.float32)
    window = (NORMALISED_PX, NORMALISED_PX)
    apart = levels - cv2.blur(levels, window)
    # Sums that slide along come out a little below zero where a picture is even.
    spread = np.sqrt(np.maximum(cv2.blur(apart * apart, window), 0.0)) + 8.0
    return np.asarray(np.clip(128.0 + 42.0 * apart / spread, 0, 255), np.uint8)


def _find_features(
    grey: NDArray[np.uint8], mask: NDArray[np.uint8] | None
) -> tuple[Points, NDArray[np.uint8]]:
    """Return features' points (n, 2) and descriptors, within *mask* if there is one."""
    count = FEATURES if mask is not None else 2 * FEATURES
    keypoints, descriptors = cv2.ORB.create(count).detectAndCompute(grey, mask)
    points = np.array([point.pt for point in keypoints], np.float64).reshape(-1, 2)
    if not len(points):
        return points, np.zeros((0, 32), np.uint8)  # OpenCV gives none then
    return points, np.asarray(descriptors, np.uint8)
