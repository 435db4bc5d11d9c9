"""Segmentation of the coloured panel of the card on top of a pile.

Cards of both games have a panel within a white border. Mostly it is one connected component. On
cards with an oval it is several: the oval, or the line around it, touches the border on both sides,
so that its inside and the card's corners are components of their own, which fill the panel's
rectangle together.
"""

from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.cards.layout import CardSize
from vision.photometry.chromaticity import min_channel

CROP_PX_PER_MM: Final = 1.0
"""Resolution at which cards are detected; the camera has 1.5 to 3 pixels per mm on the table."""
CORE_RADIUS_MM: Final = 26.0
"""Around a pile's middle, the part that its top card covers wherever it lies: half its width."""
MIN_RECTANGULARITY: Final = 0.87
"""A panel fills its bounding rectangle but for its round corners; half a card does not.  Tuned."""
MIN_WHOLE_RECTANGULARITY: Final = 0.95
"""From here on a panel lacks hardly more than its round corners, and no other is tried."""
MIN_BORDER_MM, MAX_BORDER_MM = 0.9, 5.5
"""How wide the white border may seem: a high pile is nearer to the camera, and hides a part."""
MAX_PARTS: Final = 7
"""An oval splits a panel into up to five parts; two more may belong to cards below."""


@dataclass(frozen=True, slots=True)
class Panel:
    """A card's coloured panel as segmented in a patch around a pile.

    x, y: its centre in mm from the patch's.  angle_deg: clockwise from upright, -90 to 90.
    w, h: sides of its bounding rectangle in mm, to a pixel.
    side: that of a square of the same area in mm, which is finer.
    rectangularity: its area over its bounding rectangle's.
    threshold: the minimum channel that separates panel and paper.
    is_merged: whether it is several components, split by an oval.
    """

    x: float
    y: float
    angle_deg: float
    w: float
    h: float
    side: float
    rectangularity: float
    threshold: float
    is_merged: bool = False

    def fits(self, card: CardSize) -> bool:
        """Return whether this can be the panel of a whole card of that size."""
        border_x, border_y = (card.w - self.w) / 2, (card.h - self.h) / 2
        return self.rectangularity >= MIN_RECTANGULARITY and all(
            MIN_BORDER_MM <= border <= MAX_BORDER_MM for border in (border_x, border_y)
        )


def segment_panel(patch: Picture, card: CardSize) -> Panel | None:
    """Return the panel of the *card* around the centre of *patch*, or None if there is no edge.

    patch: (rows, columns, 3) uint8 at CROP_PX_PER_MM.  Where no component alone is such a panel,
    several that an oval splits may be one together.
    """
    minima = min_channel(patch)
    core = _core_pixels(*minima.shape)
    method = cv2.THRESH_BINARY | cv2.THRESH_OTSU
    threshold, _ = cv2.threshold(minima.take(core), 0, 255, method)
    dark = (minima < threshold).astype(np.uint8)
    count, components = cv2.connectedComponents(dark, connectivity=4)
    labels = np.asarray(components, np.int32)
    areas = np.bincount(labels.take(core), minlength=count)
    areas[0] = 0
    hull = _convex_hull(labels, int(areas.argmax())) if areas.any() else None
    if hull is None:
        return None
    single = _measure_panel(hull, labels.shape, float(threshold))
    if single.fits(card) and single.rectangularity >= MIN_WHOLE_RECTANGULARITY:
        return single
    merged = _merge_components(labels, float(threshold), card)
    if merged is None or (single.fits(card) and single.rectangularity >= merged.rectangularity):
        return single
    return merged


def _convex_hull(labels: NDArray[np.int32], label: int) -> NDArray[np.int32] | None:
    """Return the hull (n, 1, 2) of the largest outline of the component *label*."""
    mask = (labels == label).astype(np.uint8)
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    if not outlines:
        return None
    return np.asarray(cv2.convexHull(max(outlines, key=cv2.contourArea)), np.int32)


def _merge_components(labels: NDArray[np.int32], threshold: float, card: CardSize) -> Panel | None:
    """Return the panel of *card* that some of the components *labels* form together, or None.

    The first, by the largest components, that is rectangular enough, or else the most rectangular:
    a component that is no part of the panel makes its rectangle larger.
    """
    edges = np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]])
    areas = np.bincount(labels.ravel())
    areas[edges] = areas[0] = 0
    parts = [int(part) for part in np.argsort(-areas) if areas[part]][:MAX_PARTS]
    hulls = [hull for part in parts if (hull := _convex_hull(labels, part)) is not None]
    best: Panel | None = None
    for count in range(2, len(hulls) + 1):
        for subset in combinations(hulls, count):
            hull = np.asarray(cv2.convexHull(np.concatenate(subset)), np.int32)
            panel = _measure_panel(hull, labels.shape, threshold)
            if not panel.fits(card):
                continue
            if best is not None and panel.rectangularity <= best.rectangularity:
                continue
            best = replace(panel, is_merged=True)
            if best.rectangularity >= MIN_WHOLE_RECTANGULARITY:
                return best
    return best


def _measure_panel(hull: NDArray[np.int32], shape: tuple[int, ...], threshold: float) -> Panel:
    """Return the panel with this *hull* in pixels of a patch with this *shape*."""
    height, width = shape[:2]
    (x, y), (w, h), angle_deg = cv2.minAreaRect(hull)
    if w > h:
        w, h, angle_deg = h, w, angle_deg - 90.0
    # An outline runs through the centres of its pixels: half a pixel is missing on each side.
    area = cv2.contourArea(hull)
    full_area = area + cv2.arcLength(hull, closed=True) / 2 + 1.0
    return Panel(
        x=(x - (width - 1) / 2) / CROP_PX_PER_MM,
        y=(y - (height - 1) / 2) / CROP_PX_PER_MM,
        angle_deg=(angle_deg + 90.0) % 180.0 - 90.0,
        w=(w + 1.0) / CROP_PX_PER_MM,
        h=(h + 1.0) / CROP_PX_PER_MM,
        side=float(np.sqrt(full_area)) / CROP_PX_PER_MM,
        rectangularity=area / max(w * h, 1.0),
        threshold=threshold,
    )


@cache
def _core_pixels(height: int, width: int) -> NDArray[np.intp]:
    """Return the flat indices of the pixels around the centre of a patch."""
    rows, columns = np.ogrid[:height, :width]
    radius = np.hypot(columns - (width - 1) / 2, rows - (height - 1) / 2)
    return np.flatnonzero(radius < CORE_RADIUS_MM * CROP_PX_PER_MM)
