"""Empty slots: plain wood with the same cross-section all along the groove.

How the wood of a set looks is not known beforehand: in a calibration picture all slots may be
filled. But wood has no face, and whatever lies across the groove stands out.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry.layout import Layout, Slot
from vision.geometry.rectification import COARSE_MM, Area, Mask, dilate
from vision.photometry.chromaticity import LUMINANCE_WEIGHT, Chroma, min_channel

INTERIOR_SHARE: Final = (26.0 / 62.0, 10.0 / 27.0)
"""Half width and height, as shares of a slot's, of the part of it in which its floor is judged: the
rest may be occluded by neighbours."""
MAX_EMPTY_TEXTURE: Final = 0.055
"""Texture of an empty slot: wood has up to 0.03, a face from 0.06."""
MAX_WOOD_CHROMA: Final = 0.14
WOOD_LUMINANCE_RANGE: Final = (-0.6, 0.26)
"""Differences in chromaticity and log luminance between places along the groove."""
SAME_WOOD_CHROMA: Final = 0.1
"""Difference in chromaticity between two slots of the same wood."""
MIN_SHADOW_DARKENING: Final = 0.2
MAX_SHADOW_MM: Final = 16.0
"""A piece's shadow: how much darker, and how far from it. A single lamp makes it black, and black
has no chromaticity to rely on."""
UNSHADED_SHARE: Final = 0.4
"""Share of a slot, at its lower end, that the shadow of the piece above leaves free."""
MIN_OBJECT_MM2: Final = 40.0
"""Area of something that lies across the groove."""
MAX_WOOD_LEVEL: Final = 220.0
"""Least channel of white-balanced wood: the palest board comes to 213, where paper has 240."""


def measure_texture(floor: Chroma, layout: Layout, area: Area) -> NDArray[np.float32]:
    """Return the texture (slots,) of the coarse *floor*: wood to 0.03, a face from 0.06.

    It is the median distance from the slot's median chromaticity, and from the luminance of the
    neighbourhood: so the edge of a shadow, or a neighbour's side over a third of the slot, does not
    count. Where the shadow of the last piece covers the upper part of the slot below it, the lower
    part alone is taken: colours in a lamp's shadow may differ from those in its light.
    """
    smooth = np.asarray(cv2.blur(floor, (3, 3)), np.float32)  # noise is no texture
    smooth[..., 0] -= cv2.blur(smooth[..., 0], (7, 7))
    interiors = [_interior(slot, area) for slot in layout.slots]
    crops = [smooth[interior] for interior in interiors]
    rows, columns, _ = np.min([crop.shape for crop in crops], axis=0)
    textures = _median_deviation(np.stack([crop[:rows, :columns] for crop in crops]))
    for at, (upper, lower) in enumerate(pairwise(interiors)):
        is_last_filled = textures[at] > MAX_EMPTY_TEXTURE > textures[at + 1]
        if is_last_filled and _is_shaded_wood(floor[upper], floor[lower]):
            unshaded = crops[at][None, -round(UNSHADED_SHARE * rows) :]
            textures[at] = _median_deviation(unshaded)[0]
    return textures


def _interior(slot: Slot, area: Area) -> tuple[slice, slice]:
    """Return rows and columns of a slot's interior in a coarse picture of *area*."""
    half_w, half_h = INTERIOR_SHARE[0] * slot.w, INTERIOR_SHARE[1] * slot.h
    return (
        area.rows(slot.y - half_h, slot.y + half_h),
        area.columns(slot.x - half_w, slot.x + half_w),
    )


def _is_shaded_wood(slot: Chroma, below: Chroma) -> bool:
    """Return whether *slot* is the same wood as the one *below*, its upper part in shadow."""
    rows = round(UNSHADED_SHARE * len(slot))
    upper, lower, wood = (
        _median(part.reshape(-1, part.shape[-1])) for part in (slot[:rows], slot[-rows:], below)
    )
    darkening = (lower[0] - upper[0]) / LUMINANCE_WEIGHT
    same_wood = np.hypot(*(lower - wood)[1:]) < SAME_WOOD_CHROMA
    return bool(darkening > MIN_SHADOW_DARKENING and same_wood)


def _median_deviation(slots: Chroma) -> NDArray[np.float32]:
    """Return the median distances (n,) of *slots* (n, rows, columns, 3) from their medians."""
    planes = np.ascontiguousarray(slots.reshape(len(slots), -1, 3).transpose(2, 0, 1))
    return _median(np.abs(planes - _median(planes, axis=2)[..., None]).sum(axis=0), axis=1)


def _median(values: NDArray[np.floating], axis: int = 0) -> NDArray[np.float32]:
    """Return the upper median along one axis, in a third of numpy's time."""
    middle = values.shape[axis] // 2
    return np.asarray(np.partition(values, middle, axis).take(middle, axis), np.float32)


def is_groove_empty(
    floor: Chroma, layout: Layout, area: Area, filled: int, masks: Sequence[Mask]
) -> bool:
    """Return whether the groove below the *filled* top slots has one cross-section all along.

    floor: coarse picture of *area*.  masks: what a piece in each slot would occlude of it.
    """
    empty = layout.slots[filled:]
    if not empty:
        return True
    half_w = max(slot.w for slot in empty) / 2
    rows = area.rows(empty[0].y - empty[0].h / 2, empty[-1].y + empty[-1].h / 2)
    columns = area.columns(empty[0].x - half_w, empty[0].x + half_w)
    groove = floor[rows, columns]
    free = np.ones(groove.shape[:2], bool)
    if filled:
        free = ~np.any(masks[:filled], axis=0)[rows, columns]
    free_rows = free.all(axis=1)
    if not free_rows.any():
        return False
    profile = _median(groove[free_rows])
    weight = free.astype(np.float32)
    difference = cv2.split(cv2.blur((groove - profile) * weight[..., None], (3, 3)))
    total = np.maximum(cv2.blur(weight, (3, 3)), np.float32(1e-6))
    brightening, red, blue = (plane / total for plane in difference)
    distance = cv2.magnitude(red, blue)
    luminance = (brightening - _median(brightening[free])) / np.float32(LUMINANCE_WEIGHT)
    darkest, brightest = WOOD_LUMINANCE_RANGE
    foreign = (distance > MAX_WOOD_CHROMA) | (luminance > brightest) | (luminance < darkest)
    if filled:
        near = dilate(masks[filled - 1], MAX_SHADOW_MM)[rows, columns]
        foreign &= ~(near & (luminance < -MIN_SHADOW_DARKENING))
    return _largest_component(foreign & free) * COARSE_MM**2 < MIN_OBJECT_MM2


def has_white_slot(
    floor: NDArray[np.uint8],
    lut: NDArray[np.uint8],
    layout: Layout,
    area: Area,
    filled: int,
) -> bool:
    """Return whether a slot below the *filled* ones is as white as paper.

    No wood is: it is a specular reflection, on wood or on a saturated face, or paper.
    floor: coarse picture of *area*.  lut: (1, 256, 3), its white balance.
    """
    for slot in layout.slots[filled:]:
        balanced = cv2.LUT(floor[_interior(slot, area)], lut)
        least = min_channel(np.asarray(balanced, np.uint8))
        if 2 * np.count_nonzero(least > MAX_WOOD_LEVEL) > least.size:
            return True
    return False


def _largest_component(mask: Mask) -> int:
    """Return the number of pixels of the largest connected component of *mask*."""
    count, labels = cv2.connectedComponents(mask.astype(np.uint8))
    sizes = np.bincount(labels.ravel(), minlength=count)
    return int(sizes[1:].max(initial=0))
