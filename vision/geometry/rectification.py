"""Cut the strip of slots out of a picture, seen from straight above at a fixed scale.

Every piece is 16 mm high and the camera looks from the side, so that the top faces lie up to 11 mm
beside the floor they stand on: each height has a picture of its own.
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.geometry.layout import Layout, Slot
from vision.geometry.pose import Points, Pose

Mask: TypeAlias = NDArray[np.bool_]

STEP_MM: Final = 2.0
"""One pixel of a coarse picture; it averages 2 x 2 pixels of 1 mm."""
SURROUND_MM: Final = 32.0
"""How much of the board around the slots is watched for arms."""
FACE_MARGIN_MM: Final = 8.0
COLOUR_DIMENSIONS: Final = 3
LONGEST_PX: Final = 2200
"""Longer pictures are halved until they fit: more pixels would only alias."""


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle of the table, looked at from above: left and top in mm, size in 1 mm pixels."""

    left: int
    top: int
    width: int
    height: int

    def rectify(self, picture: Picture, pose: Pose, z_mm: float) -> Picture:
        """Return the area at height *z_mm*, one pixel per mm; black where nothing is in view."""
        seen = cv2.remap(picture, *_lookup(self, pose, z_mm), cv2.INTER_LINEAR)
        return np.asarray(seen, np.uint8)

    def sample(self, picture: Picture, pose: Pose, z_mm: float) -> Picture:
        """Return what `rectify` does, each pixel as it is in the picture.

        Faster, and enough for what is averaged afterwards.
        """
        flags, size = cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP, (self.width, self.height)
        # OpenCV finds the nearest pixels in less time than it takes to look them up.
        seen = cv2.warpPerspective(picture, self.plane(pose, z_mm), size, flags=flags)
        return np.asarray(seen, np.uint8)

    def plane(self, pose: Pose, z_mm: float) -> Points:
        """Return the 3 x 3 homography from the pixels at height *z_mm* to the picture's."""
        corner = [[1.0, 0.0, self.left + 0.5], [0.0, 1.0, self.top + 0.5], [0.0, 0.0, 1.0]]
        return np.asarray(pose.plane(z_mm) @ corner, np.float64)

    def rows(self, low_mm: float, high_mm: float) -> slice:
        """Return the rows of a coarse picture of this area from *low_mm* to *high_mm*."""
        return slice(round((low_mm - self.top) / STEP_MM), round((high_mm - self.top) / STEP_MM))

    def columns(self, low_mm: float, high_mm: float) -> slice:
        """Return the columns of a coarse picture of this area from *low_mm* to *high_mm*."""
        return slice(round((low_mm - self.left) / STEP_MM), round((high_mm - self.left) / STEP_MM))

    @property
    def coarse(self) -> tuple[int, int]:
        """The (height, width) of a coarse picture of this area."""
        return round(self.height / STEP_MM), round(self.width / STEP_MM)


@lru_cache(maxsize=8)
def _lookup(area: Area, pose: Pose, z_mm: float) -> tuple[NDArray[np.int16], NDArray[np.uint16]]:
    """Return where in a picture each pixel of the area is found: worked out once per pose.

    Whole pixels and what is left, in the form that OpenCV's remap takes.
    """
    across, along = np.arange(area.width), np.arange(area.height)
    x, y, depth = (
        np.add.outer((b * along + c).astype(np.float32), (a * across).astype(np.float32))
        for a, b, c in area.plane(pose, z_mm)
    )
    places, parts = cv2.convertMaps(x / depth, y / depth, cv2.CV_16SC2)
    return np.asarray(places, np.int16), np.asarray(parts, np.uint16)


def around_slots(layout: Layout, margin_mm: float) -> Area:
    """Return the area that holds all slots and *margin_mm* on each side, even in mm."""
    left = min(slot.x - slot.w / 2 for slot in layout.slots) - margin_mm
    right = max(slot.x + slot.w / 2 for slot in layout.slots) + margin_mm
    top = min(slot.y - slot.h / 2 for slot in layout.slots) - margin_mm
    bottom = max(slot.y + slot.h / 2 for slot in layout.slots) + margin_mm
    x, y = int(np.floor(left)), int(np.floor(top))
    return Area(x, y, 2 * int(np.ceil((right - x) / 2)), 2 * int(np.ceil((bottom - y) / 2)))


def shrink_to_fit(picture: Picture) -> Picture:
    """Return the picture, averaged down if it holds far more pixels than the reader uses.

    A grey picture of two dimensions becomes one of three.
    """
    if picture.ndim != COLOUR_DIMENSIONS:
        picture = np.asarray(cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR), np.uint8)
    while max(picture.shape[:2]) > LONGEST_PX:
        size = max(1, picture.shape[1] // 2), max(1, picture.shape[0] // 2)
        picture = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
    return picture


def coarsen(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the picture at 2 mm per pixel instead of 1."""
    height, width = picture.shape[:2]
    size = (width // 2, height // 2)
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def hulls(layout: Layout, pose: Pose, area: Area, grow_mm: float) -> tuple[Mask, ...]:
    """Return for each slot which coarse pixels of the floor a piece standing there would hide.

    The piece is taken *grow_mm* larger on all sides.
    """
    return tuple(_hull(layout, slot, pose, area, grow_mm) for slot in layout.slots)


def _hull(layout: Layout, slot: Slot, pose: Pose, area: Area, grow_mm: float) -> Mask:
    half_w, half_h = layout.piece.w / 2 + grow_mm, layout.piece.h / 2 + grow_mm
    return box_hull((slot.x, slot.y), (half_w, half_h), (layout.floor_z, layout.top_z), pose, area)


def box_hull(
    middle: tuple[float, float],
    half: tuple[float, float],
    heights: tuple[float, float],
    pose: Pose,
    area: Area,
) -> Mask:
    """Return which coarse pixels of *area* a box on the table would hide; all in mm.

    half: half its sides.  heights: of its floor, at which the area is looked at, and of its top.
    """
    corners = np.array(middle) + np.array(list(product((-1, 1), repeat=2))) * half
    tops = np.column_stack([corners, np.ones(len(corners))]) @ _lean(pose, *heights).T
    floor = np.concatenate([corners, tops[:, :2] / tops[:, 2:]])
    shadow = (floor - (area.left, area.top)) / STEP_MM - 0.5
    mask = np.zeros(area.coarse, np.uint8)
    outline = np.clip(shadow, -9999, 9999).round().astype(np.int32)
    cv2.fillConvexPoly(mask, cv2.convexHull(outline), 1)
    return mask.astype(bool)


@lru_cache(maxsize=4)
def _lean(pose: Pose, floor_z: float, top_z: float) -> Points:
    """Return the 3 x 3 homography from places at height *top_z* to those on the floor behind."""
    return np.asarray(np.linalg.inv(pose.plane(floor_z)) @ pose.plane(top_z), np.float64)


def in_view(picture: Picture, pose: Pose, area: Area, z_mm: float) -> Mask:
    """Return which coarse pixels of *area* lie inside the picture."""
    height, width = area.coarse
    across = area.left + STEP_MM * (np.arange(width) + 0.5)
    along = area.top + STEP_MM * (np.arange(height) + 0.5)[:, None]
    x, y, depth = (a * across + (b * along + c) for a, b, c in pose.plane(z_mm))
    x, y = x / depth, y / depth
    inside: Mask = (x >= 1) & (x <= picture.shape[1] - 2) & (y >= 1) & (y <= picture.shape[0] - 2)
    return inside


def grow(mask: Mask, by_mm: float) -> Mask:
    """Return the coarse pixels in reach of those in *mask*."""
    side = 2 * round(by_mm / STEP_MM) + 1
    grown: Mask = cv2.dilate(mask.astype(np.uint8), np.ones((side, side), np.uint8)) > 0
    return grown
