"""White shapes on coloured or black panels in a photograph: what may be symbols in cards' corners.

What is bright is told within squares of two sizes, since light and shadow differ over a picture,
and at two levels, since a symbol may all but touch its panel's edge.
"""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.cards.card_crop import MIN_SATURATED_LEVEL
from vision.cards.colours import log_colour
from vision.cards.uno_card import (
    CARD_COLOURS,
    LOG_OVEREXPOSURES,
    MAX_WILD_BLACK_SPREAD,
    MIN_COLOUR_STRENGTH,
    REFERENCE_COLOURS,
    is_black_panel,
)
from vision.geometry.pose import Points

WINDOW_SHARES: Final = (0.02, 0.05)
"""Sides of the squares that tell what is bright in them, over the picture's longer side."""
LEVELS: Final = (0.5, 0.75)
"""From where on between both a pixel is bright; higher ones part a symbol from a near edge."""
MIN_CONTRAST: Final = 30
"""Between the brightest and the darkest there, in levels."""
MIN_PAPER: Final = 0.3
"""Of a symbol's level, over the brightest in the picture."""
MIN_HEIGHT_PX: Final = 9
MAX_HEIGHT_SHARE: Final = 0.12
"""Of a symbol, over the picture's longer side."""
MAX_ASPECT: Final = 4.5
MIN_COLOURED: Final = 0.45
"""Between the channels of a panel's log colour, for it to have a colour."""
MIN_LIKELY_COLOUR: Final = 0.5
"""Of a panel, for what is printed on it to be looked at."""
MIN_SURE_COLOUR: Final = 0.9
"""From which probability of a colour on no greater overexposure is tried."""
MAX_GROUPS: Final = 200
MAX_PARTS, MAX_SHAPES = 600, 240
"""How many are looked at in each of the four ways to tell what is bright, of how many parts they
are made, and how many shapes are found at most, the largest first: a patterned cloth has
thousands."""


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """A white shape on something darker.

    at: (2,) its middle in pixels.  height: its longer side.
    paper, panel: (3,) median levels of it and of what is around it, blue green red.
    mask: (rows, columns) which pixels it fills, from *corner* (x, y) of the picture on.
    """

    at: Points
    height: float
    paper: NDArray[np.float64]
    panel: NDArray[np.float64]
    mask: NDArray[np.bool_]
    corner: tuple[int, int]


def find_shapes(picture: Picture, minima: NDArray[np.uint8]) -> list[Shape]:
    """Return what may be a symbol: bright, and something coloured all around."""
    longest = max(minima.shape)
    least = MIN_PAPER * float(np.percentile(minima[::4, ::4], 99.5))
    found: list[Shape] = []
    for share in WINDOW_SHARES:
        side = round(share * longest) | 1
        kernel = np.ones((side, side), np.uint8)
        high = cv2.dilate(minima, kernel).astype(np.int16)
        low = cv2.erode(minima, kernel).astype(np.int16)
        fit = (high - low > MIN_CONTRAST) & (minima > least)
        for level in LEVELS:
            bright = (minima > low + level * (high - low)) & fit
            _, found_labels, found_boxes, _ = cv2.connectedComponentsWithStats(
                bright.astype(np.uint8)
            )
            labels, boxes = np.asarray(found_labels, np.int32), np.asarray(found_boxes, np.int32)
            for group in _group(boxes[1:], longest):
                shape = _measure(picture, labels, group + 1, boxes)
                if shape is not None and not any(_is_same(shape, other) for other in found):
                    found.append(shape)
                if len(found) == MAX_SHAPES:
                    return found
    return found


def _is_same(one: Shape, other: Shape) -> bool:
    apart = float(np.hypot(*(one.at - other.at)))
    return apart < 0.12 * one.height and 0.85 < one.height / other.height < 1.18


def _group(boxes: NDArray[np.int32], longest: int) -> list[NDArray[np.intp]]:
    """Return which of *boxes* may be a symbol: each, and each two that lie close together."""
    sizes = boxes[:, 2:4].max(axis=1)
    fit = np.nonzero((sizes >= MIN_HEIGHT_PX * 0.6) & (sizes <= MAX_HEIGHT_SHARE * longest))[0]
    fit = fit[np.argsort(-sizes[fit], kind="stable")[:MAX_PARTS]]
    groups = [
        np.array([place])
        for place in fit
        if sizes[place] >= MIN_HEIGHT_PX and boxes[place, 2:4].min() * MAX_ASPECT >= sizes[place]
    ]
    low, high = boxes[fit, :2], boxes[fit, :2] + boxes[fit, 2:4]
    for number, place in enumerate(fit):
        gaps = np.maximum(low - high[number], low[number] - high).max(axis=1)
        size = np.maximum(sizes[fit], sizes[place])
        alike = np.minimum(sizes[fit], sizes[place]) > 0.4 * size
        close = (gaps < 0.3 * size) & alike & (size >= MIN_HEIGHT_PX)
        groups += [
            np.array([place, fit[other]]) for other in np.nonzero(close)[0] if other > number
        ]
    groups.sort(key=lambda group: -int(sizes[group].max()))
    return groups[:MAX_GROUPS]


def _measure(
    picture: Picture, labels: NDArray[np.int32], group: NDArray[np.intp],
    boxes: NDArray[np.int32],
) -> Shape | None:  # fmt: skip
    """Return the shape of those *labels*, None if what is around it is not dark and coloured."""
    chosen = boxes[group]
    low = chosen[:, :2].min(axis=0)
    high = (chosen[:, :2] + chosen[:, 2:4]).max(axis=0)
    size = float((high - low).max())
    reach = max(3, round(0.3 * size))
    left, top = np.maximum(low - reach, 0)
    right, bottom = np.minimum(high + reach, labels.shape[::-1])
    if size > MAX_HEIGHT_SHARE * max(labels.shape):
        return None
    near_labels = labels[top:bottom, left:right]
    part = np.logical_or.reduce([near_labels == each for each in group])
    ring = cv2.dilate(part.astype(np.uint8), np.ones((2 * reach + 1,) * 2, np.uint8)) > 0
    near = cv2.dilate(part.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    ring &= ~near
    inside, around = picture[top:bottom, left:right][part], picture[top:bottom, left:right][ring]
    if not len(around):
        return None
    paper = np.quantile(inside[:: 1 + len(inside) // 400], 0.75, axis=0)
    around = around[:: 1 + len(around) // 400]
    level = float(paper.min())
    dark = around[around.min(axis=1) < level - 0.35 * max(level - float(around.min()), 1)]
    if len(dark) < 0.6 * len(around):
        return None
    panel = np.median(dark, axis=0)
    if panel.min() > 0.75 * level or np.ptp(paper) > 0.62 * paper.max():
        return None
    if not _is_printed(panel, paper):
        return None
    return Shape((low + high - 1) / 2.0, size, paper, panel, near, (int(left), int(top)))


def _is_printed(panel: NDArray[np.float64], paper: NDArray[np.float64]) -> bool:
    """Return whether *panel* beside *paper* is black or has a colour of the game."""
    if is_black_panel(log_colour(panel, paper), MAX_WILD_BLACK_SPREAD):
        return True
    return max(classify_panel(panel, paper).values()) > MIN_LIKELY_COLOUR


def classify_panel(panel: NDArray[np.float64], paper: NDArray[np.float64]) -> dict[str, float]:
    """Return the probability of each colour of *panel* (3,) beside *paper* (3,), both in levels.

    Where the paper is clipped, by the least overexposure that makes it a colour of the game: in
    very bright light a green is like none of those that were measured.
    """
    colour = log_colour(panel, paper)
    found = dict.fromkeys(REFERENCE_COLOURS, 0.0)
    if np.ptp(colour) < MIN_COLOURED:
        return found
    is_clipped = bool((paper >= MIN_SATURATED_LEVEL).all())
    for step in LOG_OVEREXPOSURES if is_clipped else LOG_OVEREXPOSURES[:1]:
        colours = CARD_COLOURS.classify(colour - step, MIN_COLOUR_STRENGTH)
        if max(colours.values()) > max(found.values()):
            found = colours
        if max(found.values()) >= MIN_SURE_COLOUR:
            break
    return found
