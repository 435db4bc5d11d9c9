"""Empty slots: plain wood, alike from one end of the groove to the other.

What an empty slot looks like is not known beforehand: in a calibration picture all are filled.
But wood has no face, and the groove's cross-section is the same all along it, so that whatever lies
across it stands out.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry.layout import Layout
from vision.geometry.rectification import STEP_MM, Area, Mask, grow
from vision.photometry.chromaticity import LIGHTNESS_WEIGHT, Chroma, measure_paleness

INTERIOR_MM: Final = (26.0, 10.0)
"""Half width and height of the part of a slot in which its floor is judged."""
ODD_COLOUR: Final = 0.14
ODD_BRIGHT: Final = 0.26
ODD_DARK: Final = -0.6
SHADED_MM: Final = 16.0
SHADED: Final = -0.2
"""So near to the last piece, what is darker by this is its shadow: a single lamp makes it as black
as can be, and black has no colour that could be relied on."""
LOWER: Final = 0.4
"""This share of a slot, at its lower end, lies furthest from the piece above it."""
WOOD: Final = 0.055
"""Less lively slots are empty, to begin with."""
SAME_WOOD: Final = 0.1
"""What differs no more in colour may be the same wood."""
FEWEST_ROWS: Final = 4
"""Rows of 2 mm that no piece can hide, without which the cross-section is unknown."""
LEAST_PATCH_MM2: Final = 40.0
PALEST_WOOD: Final = 220.0
"""Bare slots come to 213, where paper comes to 240, even on the palest board."""


def measure_texture(tones: Chroma, layout: Layout, area: Area) -> NDArray[np.float32]:
    """Return how lively each slot of the coarse floor looks: wood to 0.03, a face from 0.06.

    Colours count by their distance from the slot's median, lightness by its distance from the
    neighbourhood's: the edge of a shadow across the slot, or a neighbour's side over a third of it,
    does not count. Of a slot whose upper part lies in shade, the piece above being last, the lower
    part tells too: colours in the shade of a lamp may be others than in its light.
    """
    half_w, half_h = INTERIOR_MM
    smooth = np.asarray(cv2.blur(tones, (3, 3)), np.float32)  # noise is no texture
    smooth[..., 0] -= cv2.blur(smooth[..., 0], (7, 7))
    cuts = [
        (
            area.rows(slot.y - half_h, slot.y + half_h),
            area.columns(slot.x - half_w, slot.x + half_w),
        )
        for slot in layout.slots
    ]
    seen = [smooth[cut] for cut in cuts]
    rows, columns, _ = np.min([part.shape for part in seen], axis=0)
    textures = _measure_liveliness(np.stack([part[:rows, :columns] for part in seen]))
    for at, (cut, below) in enumerate(pairwise(cuts)):
        if textures[at] > WOOD > textures[at + 1] and _is_shaded(tones[cut], tones[below]):
            textures[at] = _measure_liveliness(seen[at][None, -round(LOWER * rows) :])[0]
    return textures


def _is_shaded(seen: Chroma, below: Chroma) -> bool:
    """Return whether a slot is as the wood *below* it but for its darker upper part."""
    rows = round(LOWER * len(seen))
    upper, lower, wood = (
        _median(part.reshape(-1, part.shape[-1])) for part in (seen[:rows], seen[-rows:], below)
    )
    shade = (upper[0] - lower[0]) / LIGHTNESS_WEIGHT
    return bool(shade < SHADED and np.hypot(*(lower - wood)[1:]) < SAME_WOOD)


def _measure_liveliness(seen: Chroma) -> NDArray[np.float32]:
    """Return (n,) how far tones (n, rows, columns, 3) are, in the middle, from their median."""
    planes = np.ascontiguousarray(seen.reshape(len(seen), -1, 3).transpose(2, 0, 1))
    return _median(np.abs(planes - _median(planes, axis=2)[..., None]).sum(axis=0), axis=1)


def _median(values: NDArray[np.float32], axis: int = 0) -> NDArray[np.float32]:
    """Return the (upper) median along one axis, in a third of numpy's time."""
    middle = values.shape[axis] // 2
    return np.asarray(np.partition(values, middle, axis).take(middle, axis), np.float32)


def is_bare(tones: Chroma, layout: Layout, area: Area, filled: int, hulls: Sequence[Mask]) -> bool:
    """Return whether the groove below the *filled* top slots is the same all along.

    tones: coarse floor picture of *area*.  hulls: what a piece in each slot would hide of it.
    """
    empty = layout.slots[filled:]
    if not empty:
        return True
    widest = max(slot.w for slot in empty) / 2
    rows = area.rows(empty[0].y - empty[0].h / 2, empty[-1].y + empty[-1].h / 2)
    columns = area.columns(empty[0].x - widest, empty[0].x + widest)
    seen = tones[rows, columns]
    free = (
        ~np.any(hulls[:filled], axis=0)[rows, columns] if filled else np.ones(seen.shape[:2], bool)
    )
    bare_rows = free.all(axis=1)
    if np.count_nonzero(bare_rows) < FEWEST_ROWS:
        return False
    profile = _median(seen[bare_rows])
    known = free.astype(np.float32)
    apart = cv2.split(cv2.blur((seen - profile) * known[..., None], (3, 3)))
    weight = np.maximum(cv2.blur(known, (3, 3)), np.float32(1e-6))
    bright, red, blue = (plane / weight for plane in apart)
    colour = cv2.magnitude(red, blue)
    light = (bright - _median(bright[free])) / np.float32(LIGHTNESS_WEIGHT)
    odd = (colour > ODD_COLOUR) | (light > ODD_BRIGHT) | (light < ODD_DARK)
    if filled:
        odd &= ~(grow(hulls[filled - 1], SHADED_MM)[rows, columns] & (light < SHADED))
    return _largest(odd & free) * STEP_MM**2 < LEAST_PATCH_MM2


def is_bleached(
    floor: NDArray[np.uint8],
    levels: NDArray[np.uint8],
    layout: Layout,
    area: Area,
    filled: int,
) -> bool:
    """Return whether a slot below the *filled* ones is as pale as paper.

    No wood is: a lamp is mirrored there, on wood or on a face that it bleaches, or paper is there.
    floor: coarse picture of *area*.  levels: (1, 256, 3), its levels with paper as white.
    """
    half_w, half_h = INTERIOR_MM
    for slot in layout.slots[filled:]:
        rows = area.rows(slot.y - half_h, slot.y + half_h)
        seen = cv2.LUT(floor[rows, area.columns(slot.x - half_w, slot.x + half_w)], levels)
        pale = measure_paleness(np.asarray(seen, np.uint8))
        if 2 * np.count_nonzero(pale > PALEST_WOOD) > pale.size:
            return True
    return False


def _largest(mask: Mask) -> int:
    """Return the number of pixels of the largest connected patch of *mask*."""
    count, labels = cv2.connectedComponents(mask.astype(np.uint8))
    sizes = np.bincount(labels.ravel(), minlength=count)
    return int(sizes[1:].max(initial=0))
