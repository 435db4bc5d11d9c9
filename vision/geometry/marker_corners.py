"""Sub-pixel marker corners: where straight lines fitted to the edges of a black square meet.

A corner is a few pixels but an edge is many, so a fitted line is known to a small part of a pixel
even for small markers in coarse pictures.
"""

from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry.pose import Points

Picture: TypeAlias = NDArray[np.uint8] | NDArray[np.float32]

EDGE_SAMPLES: Final = 12
"""Profiles sampled across each edge."""
PROFILE_STEPS: Final = 11
"""Pixels sampled along each profile."""
CORNER_MARGIN: Final = 0.14
"""Share of an edge left out at each end, where the next edge is near."""
SEARCH_RANGES: Final = ((0.1, 3.0), (0.06, 2.0))
"""How far across an edge it is searched, first and then again: share of its length, minimum in
pixels. Rough corners are about two pixels off."""
OUTLIER_SCALE_PX: Final = 0.4
"""Scale of the Cauchy weights: a sample this far from its line counts half."""
MAX_CORNER_SHIFT: Final = (0.15, 4.0)
"""Corners found further from the rough ones are rejected: share of an edge, or pixels if more."""
CLOSE_PX: Final = 2.5
"""How far across an edge it is searched that is known well: the samples lie half a pixel apart."""
EPSILON: Final = 1e-9


def refine_corners(picture: Picture, squares: Points) -> Points:
    """Return the corners (n, 4, 2) in pixels of black squares on white, refined where possible.

    picture: grey, or blue, green, red.  squares: rough corners, in order around each square; they
    are returned unchanged where no square is found.
    """
    refined = squares
    with np.errstate(all="ignore"):  # without a square the corners become NaN
        for share, min_px in SEARCH_RANGES:
            refined = _intersect_edges(picture, refined, share, min_px)
        edges_px = np.linalg.norm(squares - np.roll(squares, 1, axis=1), axis=2).min(axis=1)
        shifts_px = np.linalg.norm(refined - squares, axis=2).max(axis=1)
        found = shifts_px <= np.maximum(MAX_CORNER_SHIFT[0] * edges_px, MAX_CORNER_SHIFT[1])
    return np.where(found[:, None, None], refined, squares)


def refine_closely(picture: Picture, squares: Points) -> Points:
    """Return the same of squares however large: the search ranges sample those at wide steps."""
    refined = refine_corners(picture, squares)
    with np.errstate(all="ignore"):
        closer = _intersect_edges(picture, refined, 0.0, CLOSE_PX)
    is_near = np.abs(closer - refined).max(axis=(1, 2)) <= CLOSE_PX
    return np.where(is_near[:, None, None], closer, refined)


def _intersect_edges(picture: Picture, squares: Points, share: float, min_px: float) -> Points:
    """Return the intersections of lines fitted to the four edges of each square.

    share, min_px: how far across each edge to search, see SEARCH_RANGES.
    """
    edges = np.roll(squares, -1, axis=1) - squares
    lengths_px = np.linalg.norm(edges, axis=2, keepdims=True)
    normals = np.stack([edges[..., 1], -edges[..., 0]], axis=2) / lengths_px
    centres = squares.mean(axis=1, keepdims=True)
    normals *= np.sign(((squares + edges / 2 - centres) * normals).sum(axis=2, keepdims=True))
    along = np.linspace(CORNER_MARGIN, 1.0 - CORNER_MARGIN, EDGE_SAMPLES)
    across_px = np.linspace(-1.0, 1.0, PROFILE_STEPS) * np.maximum(share * lengths_px, min_px)
    points = (
        squares[:, :, None, None]
        + along[:, None, None] * edges[:, :, None, None]
        + across_px[:, :, None, :, None] * normals[:, :, None, None]
    )
    # Only steps that get brighter outwards: a marker is black, its paper white.
    weights = np.maximum(np.diff(_sample_luminance(picture, points), axis=3), 0.0) ** 2
    strength = weights.sum(axis=3)
    between_px = (across_px[..., 1:] + across_px[..., :-1]) / 2.0
    offsets_px = np.einsum("neas,nes->nea", weights, between_px) / (strength + EPSILON)
    intercept, slope = _fit_lines(along, offsets_px, strength)
    return _intersect_neighbours(squares + intercept * normals, edges + slope * normals)


def _sample_luminance(picture: Picture, points: Points) -> Points:
    """Return the picture's grey levels (...) at *points* (..., 2) in pixels."""
    x, y = (points[..., axis].reshape(-1, PROFILE_STEPS).astype(np.float32) for axis in (0, 1))
    seen = cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    if seen.ndim > 2:
        seen = cv2.cvtColor(seen, cv2.COLOR_BGR2GRAY)
    return np.asarray(seen, np.float64).reshape(points.shape[:-1])


def _fit_lines(along: Points, offsets_px: Points, strength: Points) -> tuple[Points, Points]:
    """Return intercept and slope (n, 4, 1) of robust lines through *offsets_px* over *along*.

    offsets_px, strength: (n, 4, EDGE_SAMPLES).
    """
    weights = strength
    for _ in range(3):  # the weights hardly change any more
        total = weights.sum(axis=2, keepdims=True) + EPSILON
        mean_along = (weights * along).sum(axis=2, keepdims=True) / total
        mean_offset = (weights * offsets_px).sum(axis=2, keepdims=True) / total
        lever = weights * (along - mean_along)
        slope = (lever * (offsets_px - mean_offset)).sum(axis=2, keepdims=True)
        slope /= (lever * (along - mean_along)).sum(axis=2, keepdims=True) + EPSILON
        intercept = mean_offset - slope * mean_along
        residuals = (offsets_px - intercept - slope * along) / OUTLIER_SCALE_PX
        weights = strength / (1.0 + residuals * residuals)
    return intercept, slope


def _intersect_neighbours(starts: Points, directions: Points) -> Points:
    """Return where each edge's line (start, direction) meets that of the edge before it."""
    other_starts, others = np.roll(starts, 1, axis=1), np.roll(directions, 1, axis=1)
    apart = starts - other_starts
    determinant = others[..., 0] * directions[..., 1] - others[..., 1] * directions[..., 0]
    share = (apart[..., 0] * directions[..., 1] - apart[..., 1] * directions[..., 0]) / determinant
    return np.asarray(other_starts + share[..., None] * others)
