"""Find the small symbols in the corners of cards in a photograph, where they are not covered.

In a fan hardly more than this corner of a card is seen. Each is a white shape on a coloured panel,
near two straight edges of white paper. Which of them is left of it and which above says which way
up the card is, so that a 6 is told from a 9.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.cards.colours import chromaticity, log_colour
from vision.cards.symbol_shapes import MIN_COLOURED, Shape, classify_panel, find_shapes
from vision.cards.symbols import (
    NINE,
    OTHER,
    PATCH_PX,
    SIX,
    SYMBOLS,
    SymbolPatch,
    classify_symbols,
    normalise_patch,
)
from vision.cards.uno_card import (
    MAX_WILD_BLACK_SPREAD,
    REFERENCE_COLOURS,
    is_black_panel,
)
from vision.geometry.pose import Points
from vision.photometry.chromaticity import min_channel

RAYS: Final = 90
"""Number of rays from the symbol's centre that search for the panel's edges."""
TURNS: Final = 72
"""Number of directions in which an edge may be."""
QUARTER: Final = TURNS // 4
"""Directions between the two edges of an upright card."""
SLACK: Final = 3
"""How many directions more or fewer there may be on a tilted card."""
MAX_CORNERS: Final = 3
MAX_ALIKE: Final = 0.87
"""Greatest cosine between the directions of two different corners."""
REACH: Final = 2.2
"""Length of a ray, in heights of the symbol."""
SECTOR_DEG: Final = 48.0
"""Half the sector around the direction to an edge, in which rays should end on it."""
MIN_EDGE: Final = 0.32
"""Least distance of an edge from the symbol's centre, in its heights."""
MAX_EDGE: Final = 1.4
"""Greatest distance of an edge from the symbol's centre, in its heights."""
MAX_RESIDUAL: Final = 0.07
"""How far the end of a ray may be from an edge, in heights."""
MIN_ON_EDGE: Final = 0.55
"""Share of the rays that must end on each edge."""
MIN_ON_BOTH: Final = 0.7
"""Share of the rays that must end on both edges, as the geometric mean."""
MAX_GREENNESS: Final = 0.05
"""Greatest log ratio of green over red of a yellow; beyond it, it may be a bright green."""
MIN_EMBLEM_COSINE: Final = 0.93
"""Least cosine between the chromaticities of an emblem's pixel and of a colour of the game."""
SIDES: Final = (1.5, 1.9)
"""Sides of the patches that are classified, in heights."""
STRETCH: Final = 1.25
"""An index is widened by this factor to test whether its symbol stays the same: typefaces differ
as much.  In one outside the training set a short 7 resembles a 1, and a 7 once it is stretched."""
MIN_STABLE: Final = 0.7
"""Least probability of a symbol in the stretched index."""
MIN_CLEAR: Final = 0.8
"""Least probability of a symbol and of its colour, for its index to be classified stretched too."""


_RAYS: Final = np.column_stack(
    [each(np.arange(RAYS) * 2 * np.pi / RAYS) for each in (np.cos, np.sin)]
)
_TURNS: Final = np.arange(TURNS) * 2 * np.pi / TURNS
_ALONG: Final = np.column_stack([np.cos(_TURNS), np.sin(_TURNS)]) @ _RAYS.T
_IN_SECTOR: Final = math.cos(math.radians(SECTOR_DEG)) < _ALONG
_BINS: Final = np.arange(MIN_EDGE, MAX_EDGE + 0.05, 0.05)


@dataclass(frozen=True, slots=True, eq=False)
class Corner:
    """Where two edges of a card's panel meet beside a symbol.

    left, up: (2,) unit vectors from the symbol to both edges, in the picture.
    left_px, up_px: how far they are.  on_edge: the share of rays that end there.
    """

    left: Points
    up: Points
    left_px: float
    up_px: float
    on_edge: float


@dataclass(frozen=True, slots=True, eq=False)
class CornerIndex:
    """A symbol in a card's corner.

    at: (2,) its centre in pixels.  height: in pixels.  corner: of its card.
    colours, symbols: the probability of each; the rest is another, or none.
    stretched: the same of the symbols in the stretched index; empty if it is not clear.
    is_black: whether its panel is that of a wild card.
    emblem: share of each colour of the game in what the symbol encloses, where that is so.
    paper: (3,) its levels, blue green red.
    """

    at: Points
    height: float
    corner: Corner
    colours: dict[str, float]
    symbols: dict[str, float]
    stretched: dict[str, float]
    is_black: bool
    emblem: dict[str, float]
    paper: NDArray[np.float64]

    def is_stable(self, symbol: str, max_rival: float) -> bool:
        """Return whether *symbol* stays likely in the stretched index, and no other becomes so."""
        return all(
            likely >= MIN_STABLE if name == symbol else likely <= max_rival
            for name, likely in self.stretched.items()
        )


def find_indices(picture: Picture) -> list[CornerIndex]:
    """Return the symbols in corners of cards in *picture* (rows, columns, 3) uint8."""
    smooth = np.asarray(cv2.GaussianBlur(picture, (3, 3), 0), np.uint8)
    minima = min_channel(smooth)
    shapes = find_shapes(smooth, minima)
    found = [
        _straighten(shape, corner) for shape in shapes for corner in find_corners(minima, shape)
    ]
    likely = _classify(minima, found)
    described = [
        _describe(smooth, shape, corner, _named(each))
        for (shape, corner), each in zip(found, likely, strict=True)
    ]
    clear = [number for number, each in enumerate(described) if _is_clear(each)]
    widened = [
        (shape, replace(corner, left=corner.left / STRETCH))
        for shape, corner in (found[number] for number in clear)
    ]
    for number, each in zip(clear, _classify(minima, widened), strict=True):
        described[number] = replace(described[number], stretched=_named(each))
    return described


def _classify(
    minima: NDArray[np.uint8], places: Sequence[tuple[Shape, Corner]]
) -> NDArray[np.float64]:
    """Return the probability (places, classes) of each symbol in the mean of its patches."""
    patches = [_crop(minima, shape, corner, side) for shape, corner in places for side in SIDES]
    each = classify_symbols(patches).reshape(-1, len(SIDES), len(SYMBOLS))
    return np.asarray(each.mean(axis=1), np.float64)


def _is_clear(index: CornerIndex) -> bool:
    """Return whether *index* is clear enough to be classified stretched too."""
    return min(likeliest(index.symbols)[1], likeliest(index.colours)[1]) >= MIN_CLEAR


def _straighten(shape: Shape, corner: Corner) -> tuple[Shape, Corner]:
    """Return *shape* with its size and centre measured along the edges, and its corner."""
    rows, columns = np.nonzero(shape.mask)
    places = np.column_stack([columns, rows]) + np.array(shape.corner) - shape.at
    spans = [(side, places @ side) for side in (corner.left, corner.up)]
    ends = [(float(along.min()) + 1, float(along.max()) - 1) for _, along in spans]
    middles = np.array([(low + high) / 2 for low, high in ends])
    axes = np.stack([corner.left, corner.up])
    moved = np.linalg.solve(axes, middles)
    height = max(high - low for low, high in ends) + 1
    left_px, up_px = corner.left_px - middles[0], corner.up_px - middles[1]
    return (
        replace(shape, at=shape.at + moved, height=height),
        replace(corner, left_px=float(left_px), up_px=float(up_px)),
    )


def _describe(
    picture: Picture, shape: Shape, corner: Corner, symbols: dict[str, float]
) -> CornerIndex:
    panel = log_colour(shape.panel, shape.paper)
    colours = classify_panel(shape.panel, shape.paper)
    if panel[1] - panel[2] > MAX_GREENNESS:
        colours["yellow"] = 0.0
    is_black = is_black_panel(panel, MAX_WILD_BLACK_SPREAD)
    emblem = _find_emblem(picture, shape) if is_black else {}
    return CornerIndex(
        shape.at, shape.height, corner, colours, symbols, {}, is_black, emblem, shape.paper
    )


def _find_emblem(picture: Picture, shape: Shape) -> dict[str, float]:
    """Return the share of each colour among the pixels within *shape*."""
    reach = max(2, round(0.5 * shape.height))
    x, y = np.round(shape.at).astype(int)
    part = picture[max(y - reach, 0) : y + reach + 1, max(x - reach, 0) : x + reach + 1]
    colours = log_colour(part.reshape(-1, 3), shape.paper)
    directions = chromaticity(colours[np.ptp(colours, axis=1) > MIN_COLOURED])
    if len(directions) < 0.15 * len(colours):
        return {}
    cosines = np.array([(directions @ chromaticity(r).T).max(axis=1) for r in
                        REFERENCE_COLOURS.values()])  # fmt: skip
    near = cosines.max(axis=0) > MIN_EMBLEM_COSINE
    counts = np.bincount(cosines.argmax(axis=0)[near], minlength=len(REFERENCE_COLOURS))
    return dict(zip(REFERENCE_COLOURS, (counts / len(colours)).tolist(), strict=True))


def _named(likely: NDArray[np.float64]) -> dict[str, float]:
    """Return the probability of each of the game's symbols; corners are always upright."""
    each = dict(zip(SYMBOLS, likely.tolist(), strict=True))
    each["6"] += each.pop(SIX)
    each["9"] += each.pop(NINE)
    del each[OTHER]
    return each


def find_corners(levels: NDArray[np.uint8], shape: Shape) -> list[Corner]:
    """Return where two edges of paper may meet beside *shape*, likeliest first; at most three."""
    ends = _cast_rays(levels, shape)
    distances, on_edge = _find_edges(ends)
    fit = (on_edge > MIN_ON_EDGE) & (distances > MIN_EDGE) & (distances < MAX_EDGE)
    found = []
    for left in np.nonzero(fit)[0]:
        for slack in range(-SLACK, SLACK + 1):
            up = (int(left) + QUARTER + slack) % TURNS
            if fit[up]:
                found.append((float(on_edge[left] * on_edge[up]), int(left), up))
    corners: list[Corner] = []
    for score, *sides in sorted(found, reverse=True):
        if score < MIN_ON_BOTH**2:
            break
        at_left, at_up = (_fit_edge(ends, turn, distances[turn]) for turn in sides)
        if all(float(at_left[0] @ other.left) < MAX_ALIKE for other in corners):
            corners.append(
                Corner(
                    at_left[0], at_up[0], at_left[1] * shape.height, at_up[1] * shape.height,
                    math.sqrt(score),
                )
            )  # fmt: skip
        if len(corners) == MAX_CORNERS:
            break
    return corners


def _find_edges(ends: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return for each turn how far the straight edge there is, and the share of rays ending on it.

    ends: (RAYS,) in heights.  Both results: (TURNS,).
    """
    away = ends[None] * _ALONG  # (turns, rays)
    away[~_IN_SECTOR] = np.inf
    close = np.abs(away[:, None] - _BINS[None, :, None]) < MAX_RESIDUAL
    counts = close.sum(axis=2)
    best = counts.argmax(axis=1)  # of alike ones the nearest
    return _BINS[best], counts.max(axis=1) / _IN_SECTOR.sum(axis=1)


def _fit_edge(ends: NDArray[np.float64], turn: int, distance: float) -> tuple[Points, float]:
    """Return the unit vector (2,) to the line through the *ends* of rays near an edge, and how far.

    In heights.
    """
    close = _IN_SECTOR[turn] & (np.abs(ends * _ALONG[turn] - distance) < MAX_RESIDUAL)
    points = ends[close, None] * _RAYS[close]
    middle = points.mean(axis=0)
    _, _, axes = np.linalg.svd(points - middle)
    normal = axes[1] * np.sign(axes[1] @ middle)
    return np.asarray(normal, np.float64), float(normal @ middle)


def _cast_rays(minima: NDArray[np.uint8], shape: Shape) -> NDArray[np.float64]:
    """Return how far the paper's edge is on each ray, in heights of *shape*; inf if beyond reach.

    A ray leaves the symbol, crosses the panel and ends where it is bright again.
    """
    reach = math.ceil(REACH * shape.height) + 2
    low = np.maximum(np.floor(shape.at).astype(int) - reach, 0)
    part = minima[low[1] : low[1] + 2 * reach + 1, low[0] : low[0] + 2 * reach + 1].copy()
    rows, columns = shape.mask.shape
    left, top = np.array(shape.corner) - low
    own = part[top : top + rows, left : left + columns]
    own[shape.mask] = int(shape.panel.min())
    steps = max(24, math.ceil(REACH * shape.height))
    centre = shape.at - low
    polar = cv2.warpPolar(
        part, (steps, RAYS), (float(centre[0]), float(centre[1])), REACH * shape.height,
        cv2.INTER_LINEAR | cv2.WARP_POLAR_LINEAR,
    )  # fmt: skip
    level = (float(shape.paper.min()) + float(shape.panel.min())) / 2
    bright = np.asarray(polar, np.float32) > level
    ends = np.where(bright.any(axis=1), bright.argmax(axis=1) * REACH / steps, np.inf)
    return np.asarray(ends, np.float64)


def _crop(minima: NDArray[np.uint8], shape: Shape, corner: Corner, side: float) -> SymbolPatch:
    """Return the patch around *shape* with its card upright."""
    scale = PATCH_PX / (side * shape.height)
    across, down = -corner.left, -corner.up
    turn = scale * np.linalg.inv(np.column_stack([across, down]))
    shift = np.full(2, (PATCH_PX - 1) / 2) - turn @ shape.at
    sigma = 0.4 / scale
    reach = math.ceil(side * shape.height)
    low = np.maximum(np.floor(shape.at).astype(int) - reach, 0)
    part = minima[low[1] : low[1] + 2 * reach, low[0] : low[0] + 2 * reach]
    if sigma > 0.5:
        part = np.asarray(cv2.GaussianBlur(part, (0, 0), sigma), np.uint8)
    warp = np.column_stack([turn, shift + turn @ low])
    patch = cv2.warpAffine(
        part, warp, (PATCH_PX, PATCH_PX), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return normalise_patch(
        np.asarray(patch, np.uint8), float(shape.panel.min()), float(shape.paper.min())
    )


def likeliest(probabilities: Mapping[str, float]) -> tuple[str, float, float]:
    """Return the likeliest name, its probability and that of the next."""
    order = sorted(probabilities.items(), key=lambda e: -e[1])
    return order[0][0], order[0][1], order[1][1]
