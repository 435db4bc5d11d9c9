"""Rectification: areas of the table as seen from straight above at a fixed scale, and masks there.

The camera looks from the side, so that top faces 16 mm high appear up to 11 mm beside the floor
they stand on: each height has a homography of its own.
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.geometry.layout import Layout
from vision.geometry.pose import Points, Pose

Mask: TypeAlias = NDArray[np.bool_]

COARSE_MM: Final = 2.0
"""Side of a pixel of a coarse picture; it averages 2 x 2 pixels of 1 mm."""


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle of the table, rectified: left and top in mm, size in pixels of 1 mm."""

    left: int
    top: int
    width: int
    height: int

    def rectify(self, picture: Picture, pose: Pose, z_mm: float) -> Picture:
        """Return the area at height *z_mm*, one pixel per mm; black out of frame."""
        seen = cv2.remap(picture, *_remap_tables(self, pose, z_mm), cv2.INTER_LINEAR)
        return np.asarray(seen, np.uint8)

    def sample(self, picture: Picture, pose: Pose, z_mm: float) -> Picture:
        """Return what `rectify` does by nearest neighbour, for what is averaged afterwards."""
        flags, size = cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP, (self.width, self.height)
        # With nearest neighbours this is faster than remap with cached tables.
        seen = cv2.warpPerspective(picture, self.homography(pose, z_mm), size, flags=flags)
        return np.asarray(seen, np.uint8)

    def homography(self, pose: Pose, z_mm: float) -> Points:
        """Return the homography (3, 3) from the area's pixels at height *z_mm* to the picture's."""
        to_mm = [[1.0, 0.0, self.left + 0.5], [0.0, 1.0, self.top + 0.5], [0.0, 0.0, 1.0]]
        return np.asarray(pose.homography(z_mm) @ to_mm, np.float64)

    def rows(self, low_mm: float, high_mm: float) -> slice:
        """Return the rows of a coarse picture of this area from *low_mm* to *high_mm*."""
        first, end = ((mm - self.top) / COARSE_MM for mm in (low_mm, high_mm))
        return slice(round(first), round(end))

    def columns(self, low_mm: float, high_mm: float) -> slice:
        """Return the columns of a coarse picture of this area from *low_mm* to *high_mm*."""
        first, end = ((mm - self.left) / COARSE_MM for mm in (low_mm, high_mm))
        return slice(round(first), round(end))

    @property
    def coarse_shape(self) -> tuple[int, int]:
        """The rows and columns of a coarse picture of this area."""
        return round(self.height / COARSE_MM), round(self.width / COARSE_MM)


@lru_cache(maxsize=8)
def _remap_tables(
    area: Area, pose: Pose, z_mm: float
) -> tuple[NDArray[np.int16], NDArray[np.uint16]]:
    """Return cv2.remap's fixed-point tables for *area*: whole pixels and fractions."""
    columns, rows = np.arange(area.width), np.arange(area.height)
    x, y, depth = (
        np.add.outer((b * rows + c).astype(np.float32), (a * columns).astype(np.float32))
        for a, b, c in area.homography(pose, z_mm)
    )
    pixels, fractions = cv2.convertMaps(x / depth, y / depth, cv2.CV_16SC2)
    return np.asarray(pixels, np.int16), np.asarray(fractions, np.uint16)


def around_slots(layout: Layout, margin_mm: float) -> Area:
    """Return the area of all slots with *margin_mm* on each side; its sides are even."""
    left = min(slot.x - slot.w / 2 for slot in layout.slots) - margin_mm
    right = max(slot.x + slot.w / 2 for slot in layout.slots) + margin_mm
    top = min(slot.y - slot.h / 2 for slot in layout.slots) - margin_mm
    bottom = max(slot.y + slot.h / 2 for slot in layout.slots) + margin_mm
    x, y = int(np.floor(left)), int(np.floor(top))
    return Area(x, y, 2 * int(np.ceil((right - x) / 2)), 2 * int(np.ceil((bottom - y) / 2)))


def halve_resolution(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the mean of each 2 x 2 pixels: a coarse picture from one of 1 mm per pixel."""
    height, width = picture.shape[:2]
    size = (width // 2, height // 2)
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def slot_occlusion_masks(
    layout: Layout, pose: Pose, area: Area, margin_mm: float
) -> tuple[Mask, ...]:
    """Return for each slot which coarse pixels of the floor a piece standing there would occlude.

    The piece is taken *margin_mm* larger on all sides.
    """
    half = layout.piece.w / 2 + margin_mm, layout.piece.h / 2 + margin_mm
    heights = layout.floor_z, layout.top_z
    return tuple(
        box_occlusion_mask((slot.x, slot.y), half, heights, pose, area) for slot in layout.slots
    )


def box_occlusion_mask(
    centre: tuple[float, float],
    half: tuple[float, float],
    heights: tuple[float, float],
    pose: Pose,
    area: Area,
) -> Mask:
    """Return which coarse pixels of *area* a box on the table would occlude; all in mm.

    half: half its sides.  heights: of its floor, for which *area* is rectified, and of its top.
    """
    corners = np.array(centre) + np.array(list(product((-1, 1), repeat=2))) * half
    tops = np.column_stack([corners, np.ones(len(corners))]) @ _top_to_floor(pose, *heights).T
    outline = np.concatenate([corners, tops[:, :2] / tops[:, 2:]])
    pixels = (outline - (area.left, area.top)) / COARSE_MM - 0.5
    pixels = np.clip(pixels, -9999, 9999).round().astype(np.int32)  # OpenCV draws with 16 bits
    mask = np.zeros(area.coarse_shape, np.uint8)
    cv2.fillConvexPoly(mask, cv2.convexHull(pixels), 1)
    return mask.astype(bool)


@lru_cache(maxsize=4)
def _top_to_floor(pose: Pose, floor_z: float, top_z: float) -> Points:
    """Return the homography (3, 3) from points at *top_z* to those they hide at *floor_z*."""
    return np.asarray(np.linalg.inv(pose.homography(floor_z)) @ pose.homography(top_z), np.float64)


def in_frame_mask(picture: Picture, pose: Pose, area: Area, z_mm: float) -> Mask:
    """Return which coarse pixels of *area* at height *z_mm* lie inside the picture."""
    rows, columns = area.coarse_shape
    x_mm = area.left + COARSE_MM * (np.arange(columns) + 0.5)
    y_mm = area.top + COARSE_MM * (np.arange(rows) + 0.5)[:, None]
    x, y, depth = (a * x_mm + (b * y_mm + c) for a, b, c in pose.homography(z_mm))
    x, y = x / depth, y / depth
    inside: Mask = (x >= 1) & (x <= picture.shape[1] - 2) & (y >= 1) & (y <= picture.shape[0] - 2)
    return inside


def dilate(mask: Mask, by_mm: float) -> Mask:
    """Return *mask*, of coarse pixels, dilated by a square of *by_mm* on all sides."""
    side = 2 * round(by_mm / COARSE_MM) + 1
    dilated: Mask = cv2.dilate(mask.astype(np.uint8), np.ones((side, side), np.uint8)) > 0
    return dilated
