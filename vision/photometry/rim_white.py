"""White paper where there is none: its level in one picture, and how it changes with the light.

Where people have dragged a board's corners no tile's paper shows the light. What is brightest there
stands for white; from then on the rim of the board tells how the light has changed.
"""

from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.geometry.corner_fit import CornerFit
from vision.geometry.pose import Points, Pose

SAMPLES_PER_SIDE: Final = 12
INSET: Final = 0.02
"""How far inside its edge the rim is sampled, as a share of the board."""
WHITE_PERCENTILE: Final = 98.0
"""Of the board's pixels, what stands for white: few are brighter, glare and a lamp's mirror."""
GRID: Final = 64
"""Points on each side of the grid over the board, of which the brightest are taken."""
MIN_LEVEL: Final = 12.0
"""A darker sample says more about noise than about light."""


def learn_rim(
    picture: Picture, pose: Pose, fit: CornerFit
) -> tuple[tuple[float, ...], tuple[tuple[float, ...], ...]]:
    """Return `CornerFit.white` and `CornerFit.rim`, of a *picture* with the board at *pose*."""
    share = np.linspace(0.02, 0.98, GRID)
    x, y = np.meshgrid(share, share)
    inside = _levels(picture, pose, fit, np.column_stack([x.ravel(), y.ravel()]))[0]
    # By the weakest of the three: a yellow piece is bright, and no white.
    weakest = inside.min(axis=1)
    white = np.median(inside[weakest >= np.percentile(weakest, WHITE_PERCENTILE)], axis=0)
    rim, _ = _levels(picture, pose, fit, _rim())
    return tuple(white.round(1).tolist()), tuple(tuple(each) for each in rim.round(1).tolist())


def measure_rim_white(picture: Picture, pose: Pose, fit: CornerFit) -> NDArray[np.float64] | None:
    """Return the level (3,) of white paper in *picture*, None if the rim was never learned.

    Half of the rim may be covered.
    """
    if not fit.rim or not fit.white:
        return None
    then = np.array(fit.rim, np.float64)
    now, is_inside = _levels(picture, pose, fit, _rim())
    good = is_inside & (then.min(axis=1) >= MIN_LEVEL)
    if not good.any():
        return np.array(fit.white, np.float64)
    change = np.median((now[good] + 1.0) / (then[good] + 1.0), axis=0)
    return np.asarray(np.array(fit.white) * change, np.float64)


def _levels(
    picture: Picture, pose: Pose, fit: CornerFit, shares: Points
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return the levels (n, 3) at *shares* (n, 2) of the board, and which lie in the picture."""
    outline = np.array(fit.outline, np.float64)
    low, high = outline.min(axis=0), outline.max(axis=0)
    flat = low + shares * (high - low)
    pixels = pose.project(np.column_stack([flat, np.full(len(flat), fit.z_mm)])).round()
    limit = np.array(picture.shape[1::-1]) - 1
    is_inside = np.all((pixels >= 0) & (pixels <= limit), axis=1)
    x, y = np.clip(pixels, 0, limit).astype(np.intp).T
    # Each a mean of 3 x 3 pixels: print is fine, and a moved camera sees it a pixel beside.
    height, width = picture.shape[:2]
    around = [
        picture[np.clip(y + dy, 0, height - 1), np.clip(x + dx, 0, width - 1)].astype(np.float64)
        for dy in (-1, 0, 1)
        for dx in (-1, 0, 1)
    ]
    return np.mean(around, axis=0), is_inside


@lru_cache(maxsize=1)
def _rim() -> Points:
    along = np.linspace(0.08, 0.92, SAMPLES_PER_SIDE)
    near, far = np.full(SAMPLES_PER_SIDE, INSET), np.full(SAMPLES_PER_SIDE, 1.0 - INSET)
    sides = [(along, near), (along, far), (near, along), (far, along)]
    return np.concatenate([np.column_stack(side) for side in sides])
