"""A card cropped from a picture as seen from straight above, with its paper and panel colours.

Printed cards of both games have a coloured panel within a white border. The border gives the white
balance of the card itself, and the contrast in which its symbols are printed.
"""

import math
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.cards.colours import LogColour, log_colour
from vision.cards.layout import CardSize, Place
from vision.cards.segmentation import CROP_PX_PER_MM
from vision.cards.symbols import PATCH_PX, SymbolPatch, normalise_patch
from vision.geometry.pose import Points
from vision.geometry.rectification import Mask
from vision.photometry.chromaticity import min_channel

CENTRE_SYMBOL_MM: Final = 40.0
"""Side of the square around the card's centre in which the large symbol is printed."""
CORNER_SYMBOL_MM: Final = 20.0
CORNER_SYMBOL_INSET_MM: Final = 1.5
"""Side of the square with a small symbol, and how far it is from both edges of the card."""
PANEL_RIM_MM: Final = 7.0
"""Width of the band along the panel's edge that gives its colour: further in are other colours."""
MIN_SATURATED_LEVEL: Final = 250.0
"""Of 255: a channel that is clipped, but for noise and compression."""
MIN_CONTRAST_LEVELS: Final = 25.0
"""Between panel and print: with less, symbols are not classified with confidence.  Tuned."""
MIN_HALF_TURN_SYMMETRY: Final = 0.95
"""Of a print; glare, or an arm over a card, leaves less.  Tuned."""
MAX_GAIN_SPREAD: Final = 0.35
"""How far the white balance gains may differ, over the least of them, before a clipped channel
leaves the colour unknown.  Tuned."""


@dataclass(frozen=True, slots=True, eq=False)
class PlaneView:
    """A plane in a picture: a part of the table, or a card.

    homography: (3, 3) from mm on the plane, x right and y down from its corner, to pixels.
    white_balance: (1, 256, 3) uint8 lookup table for the picture's levels.
    overexposure: (3,) how many times brighter than the camera's maximum blue, green and red of
        white paper are, at least 1; None if unknown.
    """

    picture: Picture
    homography: Points
    white_balance: NDArray[np.uint8]
    overexposure: NDArray[np.float64] | None = None

    def crop(
        self,
        left_mm: float,
        top_mm: float,
        size: CardSize,
        px_per_mm: float,
        interpolation: int = cv2.INTER_LINEAR,
    ) -> Picture:
        """Return a rectangle of the plane, white-balanced; black where it is out of frame."""
        step = 1.0 / px_per_mm
        to_mm = np.array(
            [[step, 0.0, left_mm + step / 2], [0.0, step, top_mm + step / 2], [0.0, 0.0, 1.0]]
        )
        size_px = (round(size.w * px_per_mm), round(size.h * px_per_mm))
        flags = interpolation | cv2.WARP_INVERSE_MAP
        warped = cv2.warpPerspective(self.picture, self.homography @ to_mm, size_px, flags=flags)
        return np.asarray(cv2.LUT(warped, self.white_balance), np.uint8)

    def rotated(self, centre: Place, size: CardSize, angle_deg: float) -> "PlaneView":
        """Return the view of a card of *size* on this plane, turned clockwise by *angle_deg*."""
        cos, sin = math.cos(math.radians(angle_deg)), math.sin(math.radians(angle_deg))
        left = centre.x - cos * size.w / 2 + sin * size.h / 2
        top = centre.y - sin * size.w / 2 - cos * size.h / 2
        to_plane = np.array([[cos, -sin, left], [sin, cos, top], [0.0, 0.0, 1.0]])
        return replace(self, homography=self.homography @ to_plane)

    def corners_px(self, size: CardSize) -> Points:
        """Return the corners (4, 2) of a card of *size* in the picture, top left first, clockwise.

        Its top left corner is the plane's.
        """
        ends = np.array([[[0, 0], [size.w, 0], [size.w, size.h], [0, size.h]]], np.float64)
        return np.asarray(cv2.perspectiveTransform(ends, self.homography)[0], np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class CardCrop:
    """A card, upright and cropped to its edges.

    picture: (rows, columns, 3) uint8 at CROP_PX_PER_MM.
    minima: (rows, columns) uint8, the least of each pixel's three levels.
    paper_colour, panel_colour: (3,) median levels of blue, green and red.
    border_share: share of paper along that of the four edges which shows least of it.
    panel_level, paper_level: of the minimum channel.
    """

    view: PlaneView
    size: CardSize
    picture: Picture
    minima: NDArray[np.uint8]
    paper_colour: NDArray[np.float64]
    panel_colour: NDArray[np.float64]
    border_share: float
    panel_level: float
    paper_level: float

    @property
    def paper_mask(self) -> Mask:
        """Which pixels (rows, columns) are nearer to paper than to the panel."""
        return np.asarray(self.minima > (self.panel_level + self.paper_level) / 2, np.bool_)

    @property
    def half_turn_symmetry(self) -> float:
        """Share of the pixels around the centre whose class, paper or not, survives a half-turn.

        Within one pixel, since crops are hardly more exact.
        """
        paper, rows, columns = self.paper_mask, *np.indices(self.minima.shape)
        near_paper = cv2.dilate(paper.view(np.uint8), np.ones((3, 3), np.uint8)) > 0
        missing = paper & ~near_paper[::-1, ::-1]
        height, width = paper.shape
        radius = np.hypot(rows - (height - 1) / 2, columns - (width - 1) / 2)
        compared = radius > CENTRE_SYMBOL_MM / 2 * CROP_PX_PER_MM
        compared[[0, 1, -2, -1]] = compared[:, [0, 1, -2, -1]] = False  # may show the table
        return 1.0 - float((missing | missing[::-1, ::-1])[compared].mean())

    @property
    def is_symmetric(self) -> bool:
        """Whether the card looks the same after a half-turn, as prints do."""
        return self.half_turn_symmetry >= MIN_HALF_TURN_SYMMETRY

    @property
    def contrast(self) -> float:
        """Levels between panel and paper."""
        return self.paper_level - self.panel_level

    @property
    def is_legible(self) -> bool:
        """Whether the contrast is enough for symbols to be classified."""
        return self.contrast >= MIN_CONTRAST_LEVELS

    @property
    def log_colour(self) -> LogColour:
        """The panel's log colour relative to the card's own paper."""
        return log_colour(self.panel_colour, self.paper_colour * self._paper_overexposure)

    @property
    def is_paper_saturated(self) -> Mask:
        """In which of blue, green and red (3,) the paper is clipped by the camera."""
        limit = MIN_SATURATED_LEVEL * self._clipped_gains
        return np.asarray(self.paper_colour >= limit, np.bool_)

    @property
    def is_panel_saturated(self) -> Mask:
        """In which of blue, green and red (3,) the panel's colour is a lower bound only.

        In none where the paper's brightness is unknown: then the two are compared as they seem.
        """
        is_known = self.view.overexposure is not None
        limit = MIN_SATURATED_LEVEL * self._clipped_gains
        return np.asarray(is_known & (self.panel_colour >= limit), np.bool_)

    @property
    def is_colour_unknown(self) -> bool:
        """Whether the paper is clipped in some channels by nobody knows how much.

        Only under a coloured light source: under a white one all channels are clipped alike.
        """
        is_coloured = np.ptp(self.gains) > MAX_GAIN_SPREAD * self.gains.min()
        is_bounded = self.view.overexposure is not None
        return bool(is_coloured and self.is_paper_saturated.any() and not is_bounded)

    @property
    def gains(self) -> NDArray[np.float64]:
        """The white balance (3,) of blue, green and red that the light source calls for."""
        return self._clipped_gains / self._paper_overexposure

    @property
    def _clipped_gains(self) -> NDArray[np.float64]:
        """The gains (3,) of the lookup table, which knows of no level above the maximum."""
        return np.asarray(self.view.white_balance[0, 128] / 128.0, np.float64)

    @property
    def _paper_overexposure(self) -> NDArray[np.float64]:
        """How many times (3,) brighter the paper is than it seems, 1 where unknown."""
        if self.view.overexposure is None:
            return np.ones(3)
        return np.where(self.is_paper_saturated, self.view.overexposure, 1.0)

    def crop_centre_symbol(self) -> SymbolPatch:
        """Return the patch with the large symbol."""
        left, top = (self.size.w - CENTRE_SYMBOL_MM) / 2, (self.size.h - CENTRE_SYMBOL_MM) / 2
        square = CardSize(CENTRE_SYMBOL_MM, CENTRE_SYMBOL_MM)
        doubled = self.view.crop(left, top, square, 2.0 * PATCH_PX / CENTRE_SYMBOL_MM)
        return self._normalise(cv2.resize(doubled, (PATCH_PX,) * 2, interpolation=cv2.INTER_AREA))

    def crop_corner_symbols(self) -> tuple[SymbolPatch, SymbolPatch]:
        """Return the patches with the two small symbols, both upright."""
        square, half_turn = CardSize(CORNER_SYMBOL_MM, CORNER_SYMBOL_MM), np.diag([-1.0, -1.0, 1.0])
        half_turn[:2, 2] = self.size.w, self.size.h
        other = replace(self.view, homography=self.view.homography @ half_turn)
        inset, px_per_mm = CORNER_SYMBOL_INSET_MM, PATCH_PX / CORNER_SYMBOL_MM
        first, second = (v.crop(inset, inset, square, px_per_mm) for v in (self.view, other))
        return self._normalise(first), self._normalise(second)

    def _normalise(self, crop: cv2.typing.MatLike) -> SymbolPatch:
        minima = min_channel(np.asarray(crop, np.uint8))
        return normalise_patch(minima, self.panel_level, self.paper_level)


def crop_card(
    view: PlaneView, size: CardSize, panel: CardSize, threshold: float
) -> CardCrop | None:
    """Return the crop of the card that *view* shows, or None if it has no paper or no panel.

    threshold: of the minimum channel, from which on a pixel is paper.
    """
    picture = view.crop(0.0, 0.0, size, CROP_PX_PER_MM, cv2.INTER_NEAREST)
    minima = min_channel(picture)
    border_x, border_y = (
        max(1, round(side * CROP_PX_PER_MM / 2)) for side in (size.w - panel.w, size.h - panel.h)
    )
    is_paper = minima >= threshold
    paper = _median_colour(picture, is_paper)
    panel_colour = _median_colour(picture, _panel_rim(minima.shape, border_x, border_y) & ~is_paper)
    if paper is None or panel_colour is None:
        return None
    panel_level, paper_level = float(panel_colour.min()), float(paper.min())
    bright = minima > (panel_level + paper_level) / 2
    border_share = _least_border_share(bright, border_x, border_y)
    return CardCrop(
        view,
        size,
        picture,
        minima,
        paper,
        panel_colour,
        border_share,
        panel_level,
        paper_level,
    )


def _least_border_share(bright: Mask, border_x: int, border_y: int) -> float:
    """Return the least share of *bright* pixels along the middle of any of the four borders.

    border_x, border_y: widths in pixels.  Where the middle is between two pixels, either counts.
    """
    y, x = (slice((border - 1) // 2, border // 2 + 1) for border in (border_y, border_x))
    across, along = bright[:, 5:-5], bright[5:-5]  # without the round corners
    edges = (
        across[y].any(axis=0),
        across[::-1][y].any(axis=0),
        along[:, x].any(axis=1),
        along[:, ::-1][:, x].any(axis=1),
    )
    return min(np.count_nonzero(edge) / edge.size for edge in edges)


def _median_colour(picture: Picture, mask: Mask) -> NDArray[np.float64] | None:
    """Return the (upper) median levels (3,) of the pixels in *mask*, or None if there are none.

    From histograms, which takes a tenth of the time of sorting.
    """
    selected = mask.view(np.uint8)
    counts = [cv2.calcHist([picture], [channel], selected, [256], [0, 256]) for channel in range(3)]
    # OpenCV 4 has a column of each histogram, OpenCV 5 a row.
    cumulative = np.reshape(counts, (3, 256)).cumsum(axis=1)
    if not cumulative[0, -1]:
        return None
    below = np.count_nonzero(cumulative <= cumulative[:, -1:] // 2, axis=1)
    return np.asarray(below, np.float64)


@cache
def _panel_rim(shape: tuple[int, int], border_x: int, border_y: int) -> Mask:
    """Return the mask (rows, columns) of a band along the inside of the panel's edge."""
    rim, inset = np.zeros(shape, np.bool_), round(PANEL_RIM_MM * CROP_PX_PER_MM)
    rim[border_y + 1 : -border_y - 1, border_x + 1 : -border_x - 1] = True
    rim[border_y + inset : -border_y - inset, border_x + inset : -border_x - inset] = False
    return rim
