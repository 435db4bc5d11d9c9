"""Detection of the spirals in two corners of UNO cards after which the idol is spun."""

from functools import lru_cache
from typing import Final

import numpy as np

from vision.cards.card_crop import CardCrop
from vision.cards.segmentation import CROP_PX_PER_MM
from vision.geometry.rectification import Mask

INSET_MM: Final = 9.5
RADIUS_MM: Final = 4.5
"""Where a spiral's badge is, from both edges, and how large.  Measured, as the next."""
SURROUNDINGS_MM: Final = (7.5, 9.0)
"""Inner and outer radius of the ring around a badge that is compared."""
MIN_SPIRAL_SHARE: Final = 0.18
MAX_PLAIN_SHARE: Final = 0.1
"""Of white in the outer half of the badge's place: with a spiral, and without one.  Tuned."""
MAX_GLARE_FREE_SHARE: Final = 0.5
"""Of white around a badge: a light source mirrored in the varnish whitens more, unless the whole
card looks the same after a half-turn.  Tuned."""


def detect_spirals(crop: CardCrop) -> bool | None:
    """Return whether spirals are printed in two corners, or None if that is uncertain.

    An oval ends near both places and whitens their inner halves, so that the outer ones are
    measured.  Glare whitens a corner too, but never turns a white badge into plain panel.
    """
    white, corners = crop.paper_mask, _corner_masks(crop.minima.shape)
    shares = [float(white[badge].mean()) for badge, _ in corners]
    if min(shares) <= MAX_PLAIN_SHARE:
        return False
    if min(shares) < MIN_SPIRAL_SHARE:
        return None
    surroundings = min(float(white[ring].mean()) for _, ring in corners)
    return True if surroundings <= MAX_GLARE_FREE_SHARE or crop.is_symmetric else None


@lru_cache(maxsize=4)
def _corner_masks(shape: tuple[int, int]) -> tuple[tuple[Mask, Mask], ...]:
    """Return for two corners the masks of the outer half of a badge, and of the ring around it.

    shape: rows and columns of the crop, and of the masks.  The ring is its quarter towards the
    card's centre.
    """
    inset, radius = INSET_MM * CROP_PX_PER_MM, RADIUS_MM * CROP_PX_PER_MM
    inner, outer = (each * CROP_PX_PER_MM for each in SURROUNDINGS_MM)
    height, width = shape
    rows, columns = np.indices(shape)
    masks = []
    for x, y in ((width - inset, inset), (inset, height - inset)):
        dx, dy = columns + 0.5 - x, rows + 0.5 - y
        distance = np.hypot(dx, dy)
        to_centre_x, to_centre_y = width / 2 - x, height / 2 - y
        is_outer_half = dx * to_centre_x + dy * to_centre_y < 0
        is_inner_quarter = (dx * to_centre_x > 0) & (dy * to_centre_y > 0)
        ring = is_inner_quarter & (distance > inner) & (distance < outer)
        masks.append((is_outer_half & (distance < radius), ring))
    return tuple(masks)
