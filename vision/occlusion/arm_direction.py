"""Arms that come in over the picture's edge, and from which side of the mat: who is moving."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.geometry.pose import Points, Pose
from vision.geometry.rectification import Mask
from vision.photometry.chromaticity import (
    LUMINANCE_WEIGHT,
    Chroma,
    fit_correction,
    fit_tone_curves,
    to_chroma,
)

Edges: TypeAlias = tuple[float, float, float, float]
"""Left, top, right and bottom edge of a rectangle in mm."""

WIDTH_PX: Final = 192
"""Pictures are compared at this width, at which an arm is some 10 pixels wide."""
MIN_CHROMA_CHANGE: Final = 0.09
UNCHANGED_LUMINANCE_RANGE: Final = (-0.5, 0.15)
"""Changes of chromaticity and log luminance that count; less darkening is taken for a shadow."""
MIN_ARM_SHARE: Final = 0.01
"""Share of the picture that an arm covers."""
CLOSING_PX: Final = 9
"""A wrist in the table's colour separates a hand from its sleeve by less than this."""
MAX_UNEXPLAINED_SHARE: Final = 0.3
"""Share of the changes that is left under another tone curve, if there was one."""
MIN_BASE_PX: Final = 4
"""Pixels of the picture's edge, and of the board beside the places, that an arm covers."""
MIN_ASPECTS: Final = ((250.0, 1.5), (110.0, 6.0))
"""How many times further an arm must extend along its side's axis than across it, by its length in
view in mm: where it is cut off early, a neighbour may reach in at a corner. Shorter arms show no
direction."""
MAX_CAMERA_SHIFT_MM: Final = 60.0
"""From further away what stands on the table looks too different."""


@dataclass(frozen=True, slots=True)
class ArmRegion:
    """Where arms matter, on a plane parallel to the table.

    board: what does not change.  places: where pieces do.  z_mm: the plane's height over the table.
    """

    board: Edges
    places: Edges
    z_mm: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class ArmSighting:
    """What comes in over the picture's edge.

    is_over: whether it reaches the places.  sides: the one side of the mat from which it comes,
    "near", "right", "far" or "left"; empty where that is not clear.  is_in_view: whether anything
    comes in, however far.
    """

    is_over: bool
    sides: frozenset[str] = frozenset()
    is_in_view: bool = False


class TableSnapshot:
    """The whole table in one picture, downscaled, for comparison with another.

    small: (rows, columns, 3) uint8.  scale: pixels of the picture per pixel of *small*.
    """

    def __init__(self, region: ArmRegion, picture: Picture, pose: Pose) -> None:
        self._region = region
        self.pose = pose
        height = max(1, round(picture.shape[0] * WIDTH_PX / picture.shape[1]))
        small = cv2.resize(picture, (WIDTH_PX, height), interpolation=cv2.INTER_AREA)
        self.small = np.asarray(small, np.uint8)
        self.scale = picture.shape[1] / WIDTH_PX

    def find_arm(self, now: "TableSnapshot") -> ArmSighting:
        """Return what reaches over the table *now*, compared with this snapshot.

        Other changes, such as a piece that was put down beside the board, do not count.
        """
        then = self._warp_to(now)
        if then is None:
            return ArmSighting(False)
        points, over_places, over_board = now.map_region()
        arm, others = _split_changes(_find_changes(now.small, then), over_places)
        is_in_view = any(_count_edge_pixels(other) >= MIN_BASE_PX for other in others)
        if arm is None or _count_edge_pixels(arm) < MIN_BASE_PX:
            return ArmSighting(False, is_in_view=is_in_view)
        # In the places pieces have changed too: the rest of the board shows the arm alone.
        hand = points[arm & over_board & ~over_places]
        sides = _classify_side(points[arm & _edge_mask(arm.shape)], hand)
        return ArmSighting(True, sides, is_in_view=True)

    def map_region(self) -> tuple[Points, Mask, Mask]:
        """Return the points (rows, columns, 2) in mm of all small pixels on the region's plane.

        Then which lie over the places, and which over the board.
        """
        return _map_region(self.pose, self._region, self.small.shape[:2], self.scale)

    def _warp_to(self, now: "TableSnapshot") -> NDArray[np.uint8] | None:
        """Return this table as seen from the pose *now*, None if that is too far away."""
        if now.small.shape != self.small.shape:
            return None
        if now.pose is self.pose:
            return self.small
        if np.linalg.norm(now.pose.camera - self.pose.camera) > MAX_CAMERA_SHIFT_MM:
            return None
        before, after = (each.to_small() for each in (self, now))
        height, width = self.small.shape[:2]
        warped = cv2.warpPerspective(
            self.small,
            after @ np.linalg.inv(before),
            (width, height),
            borderMode=cv2.BORDER_REPLICATE,
        )
        return np.asarray(warped, np.uint8)

    def to_small(self) -> Points:
        """Return the homography (3, 3) from the region's plane to pixels of the small picture."""
        by, offset = 1.0 / self.scale, 0.5 / self.scale - 0.5
        shrink = np.array([[by, 0.0, offset], [0.0, by, offset], [0.0, 0.0, 1.0]])
        return np.asarray(shrink @ self.pose.homography(self._region.z_mm), np.float64)


class ReferenceTable:
    """The table in a picture over which nobody reached, for comparison with later pictures."""

    def __init__(self, region: ArmRegion) -> None:
        self._region = region
        self._learned: tuple[Picture, Pose] | None = None
        self._snapshot: TableSnapshot | None = None

    def learn(self, picture: Picture, pose: Pose) -> None:
        """Use *picture* as reference from now on."""
        self._learned, self._snapshot = (picture, pose), None

    def find_arm(self, picture: Picture, pose: Pose) -> ArmSighting:
        """Return what reaches over the table in *picture*; nothing before `learn`."""
        if self._learned is None:
            return ArmSighting(False)
        if self._snapshot is None:
            self._snapshot = TableSnapshot(self._region, *self._learned)
        return self._snapshot.find_arm(TableSnapshot(self._region, picture, pose))


def _split_changes(changed: Mask, over_places: Mask) -> tuple[Mask | None, list[Mask]]:
    """Return the largest connected change over places, or None, and all other large ones."""
    closed = cv2.morphologyEx(
        changed.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((CLOSING_PX, CLOSING_PX), np.uint8)
    )
    count, labels = cv2.connectedComponents(closed)
    sizes = np.bincount(labels.ravel(), minlength=count)
    sizes[0] = 0
    covering = np.bincount(labels[over_places], minlength=count) > 0
    large = np.flatnonzero(sizes >= MIN_ARM_SHARE * labels.size)
    best = max(large[covering[large]], key=sizes.__getitem__, default=None)
    others = [np.asarray(labels == label) for label in large if label != best]
    return (None if best is None else np.asarray(labels == best)), others


def _find_changes(now: NDArray[np.uint8], then: NDArray[np.uint8]) -> Mask:
    """Return which pixels (rows, columns) have changed otherwise than by the illumination.

    A gain per channel explains another lamp or exposure; only free tone curves explain another tone
    mapping or saturation. Those are accepted only if they explain most of the changes: they would
    explain a hand that covers the board as a brighter board.
    """
    sample_now, sample_then = now.reshape(-1, 3)[::3], then.reshape(-1, 3)[::3]
    changed = _threshold(to_chroma(now, fit_correction(sample_now, sample_then)) - to_chroma(then))
    if np.count_nonzero(changed) < MIN_ARM_SHARE * changed.size:
        return changed
    curves = fit_tone_curves(sample_then, sample_now)
    unexplained = _threshold(to_chroma(now) - to_chroma(then, curves))
    max_unexplained = MAX_UNEXPLAINED_SHARE * np.count_nonzero(changed)
    return unexplained if np.count_nonzero(unexplained) < max_unexplained else changed


def _threshold(difference: Chroma) -> Mask:
    smooth = cv2.blur(difference, (3, 3))
    luminance = smooth[..., 0] / LUMINANCE_WEIGHT
    changed = np.hypot(smooth[..., 1], smooth[..., 2]) > MIN_CHROMA_CHANGE
    low, high = UNCHANGED_LUMINANCE_RANGE
    return np.asarray(changed | (luminance > high) | (luminance < low), np.bool_)


def _classify_side(base: Points, hand: Points) -> frozenset[str]:
    """Return from which side of the mat an arm comes, empty if that is not clear.

    base: (n, 2) in mm where it crosses the picture's edge.  hand: (n, 2) over the board.
    """
    if len(hand) < MIN_BASE_PX:
        return frozenset()
    across, along = np.median(base, axis=0) - np.median(hand, axis=0)
    width_mm, length_mm = sorted((abs(across), abs(along)))
    min_aspect = next((aspect for mm, aspect in MIN_ASPECTS if length_mm >= mm), None)
    if min_aspect is None or length_mm < min_aspect * width_mm:
        return frozenset()
    if abs(across) > abs(along):
        return frozenset({"right" if across > 0 else "left"})
    return frozenset({"near" if along > 0 else "far"})


@lru_cache(maxsize=4)
def _map_region(
    pose: Pose, region: ArmRegion, shape: tuple[int, ...], scale: float
) -> tuple[Points, Mask, Mask]:
    """Return what `TableSnapshot.map_region` does for small pictures of *shape*."""
    rows, columns = np.indices(shape)
    pixels = (np.stack([columns, rows, np.zeros(shape)], axis=-1) + 0.5) * scale - 0.5
    pixels[..., 2] = 1.0
    homogeneous = pixels @ np.linalg.inv(pose.homography(region.z_mm)).T
    points: Points = homogeneous[..., :2] / homogeneous[..., 2:]
    return points, contains(region.places, points), contains(region.board, points)


def contains(edges: Edges, points: Points) -> Mask:
    """Return which of *points* (..., 2) in mm lie in the rectangle of *edges*."""
    low, high = np.reshape(edges, (2, 2))
    inside: Mask = np.all((points >= low) & (points <= high), axis=-1)
    return inside


def _edge_mask(shape: tuple[int, ...]) -> Mask:
    edge = np.zeros(shape, np.bool_)
    edge[[0, -1], :] = True
    edge[:, [0, -1]] = True
    return edge


def _count_edge_pixels(mask: Mask) -> int:
    return int(np.count_nonzero(mask & _edge_mask(mask.shape)))
