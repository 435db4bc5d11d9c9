"""Find the corners of markers finely: where straight lines along their edges meet.

A corner is a few pixels; an edge is many, so that its line is known to a small part of one, however
coarse the picture and however small the marker.
"""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry.pose import Points

SAMPLES: Final = 12
"""An edge is looked at in so many places."""
ENDS: Final = 0.14
"""Share of an edge at each end that is left out: there the next edge is near."""
REACHES: Final = ((0.1, 3.0), (0.06, 2.0))
"""How far across an edge is looked for, at first and again: share of its length, least pixels."""
STEPS: Final = 11
ASTRAY_PX: Final = 0.4
"""A sample further than this from its line counts less: noise, a glint, a thread."""
ROUNDS: Final = 3
FURTHEST: Final = (0.15, 4.0)
"""Corners that seem further from where they were are not: share of an edge, or pixels if more."""
FAINT: Final = 1e-9


def refine_corners(picture: NDArray[np.uint8], squares: Points) -> Points:
    """Return the corners (n, 4, 2) in pixels of black squares on white; as they were if in doubt.

    picture: grey, or blue, green, red.  squares: corners to about two pixels, one after the other
    around each.
    """
    fine = squares
    with np.errstate(all="ignore"):  # what is no square comes out as no number
        for share, least_px in REACHES:
            fine = _meet(picture, fine, share, least_px)
        edges_px = np.linalg.norm(squares - np.roll(squares, 1, axis=1), axis=2).min(axis=1)
        moved_px = np.linalg.norm(fine - squares, axis=2).max(axis=1)
        sure = moved_px <= np.maximum(FURTHEST[0] * edges_px, FURTHEST[1])
    return np.where(sure[:, None, None], fine, squares)


def _meet(picture: NDArray[np.uint8], squares: Points, reach: float, least_px: float) -> Points:
    """Return where the lines along the four edges of each square meet."""
    along = np.roll(squares, -1, axis=1) - squares
    long_px = np.linalg.norm(along, axis=2, keepdims=True)
    outward = np.stack([along[..., 1], -along[..., 0]], axis=2) / long_px
    middles = squares.mean(axis=1, keepdims=True)
    outward *= np.sign(((squares + along / 2 - middles) * outward).sum(axis=2, keepdims=True))
    share = np.linspace(ENDS, 1.0 - ENDS, SAMPLES)
    across = np.linspace(-1.0, 1.0, STEPS) * np.maximum(reach * long_px, least_px)
    seen = _sample(picture, squares, along, share, across, outward)
    # Only what turns brighter outwards: a marker is black, its paper white.
    weights = np.maximum(np.diff(seen, axis=3), 0.0) ** 2
    strength = weights.sum(axis=3)
    between = (across[..., 1:] + across[..., :-1]) / 2.0
    off = np.einsum("neas,nes->nea", weights, between) / (strength + FAINT)
    level, slope = _fit_lines(share, off, strength)
    return _cross(squares + level * outward, along + slope * outward)


def _sample(
    picture: NDArray[np.uint8],
    squares: Points,
    along: Points,
    share: Points,
    across: Points,
    outward: Points,
) -> Points:
    """Return how bright (n, 4, SAMPLES, STEPS) the picture is across each edge, from the inside."""
    places = (
        squares[:, :, None, None]
        + share[:, None, None] * along[:, :, None, None]
        + across[:, :, None, :, None] * outward[:, :, None, None]
    )
    x, y = (places[..., axis].reshape(-1, STEPS).astype(np.float32) for axis in (0, 1))
    seen = cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    if seen.ndim > 2:
        seen = cv2.cvtColor(seen, cv2.COLOR_BGR2GRAY)
    return np.asarray(seen, np.float64).reshape(places.shape[:-1])


def _fit_lines(share: Points, off: Points, strength: Points) -> tuple[Points, Points]:
    """Return level and slope (n, 4, 1) of lines through *off* (n, 4, SAMPLES) over *share*."""
    trust = strength
    for _ in range(ROUNDS):
        total = trust.sum(axis=2, keepdims=True) + FAINT
        here = (trust * share).sum(axis=2, keepdims=True) / total
        there = (trust * off).sum(axis=2, keepdims=True) / total
        apart = trust * (share - here)
        slope = (apart * (off - there)).sum(axis=2, keepdims=True)
        slope /= (apart * (share - here)).sum(axis=2, keepdims=True) + FAINT
        level = there - slope * here
        stray = (off - level - slope * share) / ASTRAY_PX
        trust = strength / (1.0 + stray * stray)
    return level, slope


def _cross(starts: Points, ways: Points) -> Points:
    """Return where each edge's line crosses the line of the edge before it."""
    before, way = np.roll(starts, 1, axis=1), np.roll(ways, 1, axis=1)
    apart = starts - before
    turn = way[..., 0] * ways[..., 1] - way[..., 1] * ways[..., 0]
    share = (apart[..., 0] * ways[..., 1] - apart[..., 1] * ways[..., 0]) / turn
    return np.asarray(before + share[..., None] * way)
