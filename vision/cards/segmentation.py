"""Find the coloured panel of the card on top of a pile.

Cards of these games have a panel within a white border. Mostly it is one patch. On cards with an
oval it is several: the oval, or the line around it, touches the border on both sides, so that its
inside and the card's corners are patches of their own, which fill the panel's rectangle together.
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

FIND_PX_PER_MM: Final = 1.0
"""The scale at which cards are looked for; a camera shows 1.5 to 3 pixels per mm."""
CORE_MM: Final = 26.0
"""Around a pile's middle this far there is nothing but its top card."""
LEAST_FILL: Final = 0.87
"""A panel fills its rectangle but for its round corners; half a card does not."""
FULL: Final = 0.95
"""What fills its rectangle less may be a part of a panel, and more with others."""
PLENTY: Final = 0.97
"""What fills its rectangle so far lacks hardly more than its round corners."""
BORDERS_MM: Final = (0.9, 5.5)
"""How wide a white border may look: high piles are nearer, which takes a part of it."""
UNEVEN_MM: Final = 1.0
LEAST_PART_MM2: Final = 12.0
MOST_PARTS: Final = 7
"""A panel that an oval parts has up to five parts; cards below show others."""


@dataclass(frozen=True, slots=True)
class Panel:
    """A card's coloured panel as found in a window.

    x, y: its middle in mm from the window's.  turn_deg: clockwise from upright, -90 to 90.
    w, h: its sides in mm, to a pixel.  side: that of a square as large, in mm, finer.
    fill: how much of its rectangle it fills.  limit: the paleness that parts panel and paper.
    joined: whether it is several patches, parted by an oval.
    """

    x: float
    y: float
    turn_deg: float
    w: float
    h: float
    side: float
    fill: float
    limit: float
    joined: bool = False

    def fits(self, card: CardSize) -> bool:
        """Return whether this can be the panel of a whole card of that size."""
        across, along = (card.w - self.w) / 2, (card.h - self.h) / 2
        low, high = BORDERS_MM
        even = abs(across - along) <= UNEVEN_MM
        return even and self.fill >= LEAST_FILL and all(low <= v <= high for v in (across, along))


def find_panel(window: Picture, card: CardSize) -> Panel | None:
    """Return the panel of the *card* around the middle of *window*, or None if there is no edge.

    window: at FIND_PX_PER_MM.  Where no patch alone is such a panel, several that an oval parts may
    be one together.
    """
    pale = min_channel(window)
    core = _core(*pale.shape)
    method = cv2.THRESH_BINARY | cv2.THRESH_OTSU
    limit, _ = cv2.threshold(pale.take(core), 0, 255, method)
    dark = (pale < limit).astype(np.uint8)
    count, found = cv2.connectedComponents(dark, connectivity=4)
    labels = np.asarray(found, np.int32)
    sizes = np.bincount(labels.take(core), minlength=count)
    sizes[0] = 0
    hull = _hull(labels, int(sizes.argmax())) if sizes.any() else None
    if hull is None:
        return None
    alone = _measure(hull, labels.shape, float(limit))
    if alone.fits(card) and alone.fill >= FULL:
        return alone
    joined = _join(labels, float(limit), card)
    if joined is None or (alone.fits(card) and alone.fill >= joined.fill):
        return alone
    return joined


def _hull(labels: NDArray[np.int32], which: int) -> NDArray[np.int32] | None:
    """Return the hull (n, 1, 2) of the largest outline of patch number *which*."""
    patch = (labels == which).astype(np.uint8)
    outlines, _ = cv2.findContours(patch, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    if not outlines:
        return None
    return np.asarray(cv2.convexHull(max(outlines, key=cv2.contourArea)), np.int32)


def _join(labels: NDArray[np.int32], limit: float, card: CardSize) -> Panel | None:
    """Return the panel of *card* that some of the patches *labels* are together, or None.

    The first, by the largest patches, that fills its rectangle, or else the one that does best:
    what is no part of it makes that larger.
    """
    edges = (labels[0], labels[-1], labels[:, 0], labels[:, -1])
    open_ended = set(np.unique(np.concatenate(edges)).tolist())
    areas = np.bincount(labels.ravel()) / FIND_PX_PER_MM**2
    inner = [
        int(part)
        for part in np.argsort(-areas)
        if part and part not in open_ended and areas[part] >= LEAST_PART_MM2
    ][:MOST_PARTS]
    hulls = [hull for part in inner if (hull := _hull(labels, part)) is not None]
    best: Panel | None = None
    for count in range(2, len(hulls) + 1):
        for some in combinations(hulls, count):
            whole = np.asarray(cv2.convexHull(np.concatenate(some)), np.int32)
            panel = _measure(whole, labels.shape, limit)
            if not panel.fits(card) or (best is not None and panel.fill <= best.fill):
                continue
            best = replace(panel, joined=True)
            if best.fill >= PLENTY:
                return best
    return best


def _measure(hull: NDArray[np.int32], shape: tuple[int, ...], limit: float) -> Panel:
    """Return the panel with this *hull* in a window of a *shape* in pixels."""
    height, width = shape[:2]
    (x, y), (w, h), turn_deg = cv2.minAreaRect(hull)
    if w > h:
        w, h, turn_deg = h, w, turn_deg - 90.0
    # An outline runs through the middles of its pixels: half a pixel is missing on each side.
    area = cv2.contourArea(hull)
    whole = area + cv2.arcLength(hull, closed=True) / 2 + 1.0
    return Panel(
        x=(x - (width - 1) / 2) / FIND_PX_PER_MM,
        y=(y - (height - 1) / 2) / FIND_PX_PER_MM,
        turn_deg=(turn_deg + 90.0) % 180.0 - 90.0,
        w=(w + 1.0) / FIND_PX_PER_MM,
        h=(h + 1.0) / FIND_PX_PER_MM,
        side=float(np.sqrt(whole)) / FIND_PX_PER_MM,
        fill=area / max(w * h, 1.0),
        limit=limit,
    )


@cache
def _core(height: int, width: int) -> NDArray[np.intp]:
    """Return the numbers of the pixels of a window around its middle."""
    rows, columns = np.ogrid[:height, :width]
    away = np.hypot(columns - (width - 1) / 2, rows - (height - 1) / 2)
    return np.flatnonzero(away < CORE_MM * FIND_PX_PER_MM)
