"""Find the top card of a pile, and cut it out as if it lay upright under the camera.

Printed cards of these games have a coloured panel within a white border. However the cards below
peep out, that panel has white all around it, and its shape is known: that gives the card's place
and turn, and whatever covers a part of the card changes the shape (`segmentation.py`).
"""

import math
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.cards.layout import CardSize, Place
from vision.cards.segmentation import FIND_PX_PER_MM, Panel
from vision.cards.symbols import INPUT_PX, Patch, scale_paleness
from vision.geometry.pose import Points
from vision.geometry.rectification import Mask
from vision.photometry.chromaticity import min_channel

MIDDLE_MM: Final = 40.0
CORNER_MM: Final = 20.0
CORNER_AT_MM: Final = 1.5
"""The squares in which the symbol stands: in the middle, and in two corners."""
RIM_MM: Final = 7.0
"""How much of the panel, from its edge, tells its colour."""
TINT_SOFT: Final = 8.0
OVEREXPOSED: Final = 250.0
OTHER_LAMP: Final = 0.35
"""Paper that is as bright as this, in a lamp whose three colours differ by more than that share."""


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """Something flat in a picture: a part of the table, or a card.

    to_picture: 3 x 3, from mm on the sheet, x right and y down from its corner, to pixels.
    levels: (1, 256, 3) uint8, how each level and channel is to be seen.
    beyond: by how much blue, green and red (3,) of paper are brighter than overexposed paper seems
        to be, at least 1; None if nobody knows.
    """

    picture: Picture
    to_picture: Points
    levels: NDArray[np.uint8]
    beyond: NDArray[np.float64] | None = None

    def cut(
        self,
        left: float,
        top: float,
        size: CardSize,
        px_per_mm: float,
        smooth: int = cv2.INTER_LINEAR,
    ) -> Picture:
        """Return a rectangle of the sheet from straight above; black where nothing is in view."""
        step = 1.0 / px_per_mm
        shift = np.array(
            [[step, 0.0, left + step / 2], [0.0, step, top + step / 2], [0.0, 0.0, 1.0]]
        )
        shape = (round(size.w * px_per_mm), round(size.h * px_per_mm))
        flags = smooth | cv2.WARP_INVERSE_MAP
        seen = cv2.warpPerspective(self.picture, self.to_picture @ shift, shape, flags=flags)
        return np.asarray(cv2.LUT(seen, self.levels), np.uint8)

    def turned(self, middle: Place, size: CardSize, turn_deg: float) -> "Sheet":
        """Return the sheet of a card that lies on this one, turned clockwise."""
        cos, sin = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
        left = middle.x - cos * size.w / 2 + sin * size.h / 2
        top = middle.y - sin * size.w / 2 - cos * size.h / 2
        place = np.array([[cos, -sin, left], [sin, cos, top], [0.0, 0.0, 1.0]])
        return replace(self, to_picture=self.to_picture @ place)


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """A card, upright and cut to its edges.

    picture: (rows, columns, 3) uint8 at FIND_PX_PER_MM.
    pale: (rows, columns) uint8, its paleness.
    white, panel: their median colours (3,), blue green red.
    border: the least share of paper along any of the four edges.
    low, high: the levels of paleness of the panel and of paper.
    """

    sheet: Sheet
    size: CardSize
    picture: Picture
    pale: NDArray[np.uint8]
    white: NDArray[np.float64]
    panel: NDArray[np.float64]
    border: float
    low: float
    high: float

    @property
    def paper(self) -> Mask:
        """Which pixels are rather paper than panel, (rows, columns)."""
        return np.asarray(self.pale > (self.low + self.high) / 2, np.bool_)

    @property
    def turned_alike(self) -> float:
        """Share of the card, but for its middle, that is paper, or is not, the other way up too.

        Within a pixel: a card is hardly ever cut out any better.
        """
        paper, rows, columns = self.paper, *np.indices(self.pale.shape)
        near = cv2.dilate(paper.view(np.uint8), np.ones((3, 3), np.uint8)) > 0
        missing = paper & ~near[::-1, ::-1]
        height, width = self.pale.shape
        away = np.hypot(rows - (height - 1) / 2, columns - (width - 1) / 2)
        around = away > MIDDLE_MM / 2 * FIND_PX_PER_MM
        around[[0, 1, -2, -1]] = around[:, [0, 1, -2, -1]] = False  # the table may show there
        return 1.0 - float((missing | missing[::-1, ::-1])[around].mean())

    @property
    def contrast(self) -> float:
        """Levels from panel to paper."""
        return self.high - self.low

    @property
    def tint(self) -> NDArray[np.float64]:
        """The panel's colour by its own paper: logarithms of blue, green and red, 0 for white."""
        white = self.white * self._beyond
        return np.asarray(np.log((self.panel + TINT_SOFT) / (white + TINT_SOFT)), np.float64)

    @property
    def is_tint_bounded(self) -> Mask:
        """In which of blue, green and red (3,) the panel may be brighter than the camera tells.

        In none where nobody knows how bright the paper is: then it is compared as it seems.
        """
        is_known = self.sheet.beyond is not None
        return np.asarray(is_known & (self.panel >= OVEREXPOSED * self._seen_gains), np.bool_)

    @property
    def is_tint_lost(self) -> bool:
        """Whether the paper is overexposed in one colour only: which it has is unknown then.

        Unless it is known by how much.
        """
        uneven = np.ptp(self.gains) > OTHER_LAMP * self.gains.min()
        return bool(uneven and self.overexposed.any() and self.sheet.beyond is None)

    @property
    def overexposed(self) -> Mask:
        """In which of blue, green and red (3,) the paper may be brighter than the camera tells."""
        return np.asarray(self.white >= OVEREXPOSED * self._seen_gains, np.bool_)

    @property
    def gains(self) -> NDArray[np.float64]:
        """How much stronger blue, green and red (3,) are seen than they are, by white paper."""
        return self._seen_gains / self._beyond

    @property
    def _seen_gains(self) -> NDArray[np.float64]:
        return np.asarray(self.sheet.levels[0, 128] / 128.0, np.float64)

    @property
    def _beyond(self) -> NDArray[np.float64]:
        """By how much (3,) the paper is brighter than it seems to be, 1 where nobody knows."""
        if self.sheet.beyond is None:
            return np.ones(3)
        return np.where(self.overexposed, self.sheet.beyond, 1.0)

    def middle(self) -> Patch:
        """Return the square in which the large symbol stands."""
        left, top = (self.size.w - MIDDLE_MM) / 2, (self.size.h - MIDDLE_MM) / 2
        square = CardSize(MIDDLE_MM, MIDDLE_MM)
        cut = self.sheet.cut(left, top, square, 2.0 * INPUT_PX / MIDDLE_MM)
        smooth = cv2.resize(cut, (INPUT_PX, INPUT_PX), interpolation=cv2.INTER_AREA)
        return scale_paleness(min_channel(np.asarray(smooth, np.uint8)), self.low, self.high)

    def corners(self) -> tuple[Patch, Patch]:
        """Return the two squares with the small symbols, both as one reads them."""
        square, turned = CardSize(CORNER_MM, CORNER_MM), np.diag([-1.0, -1.0, 1.0])
        turned[:2, 2] = self.size.w, self.size.h
        other = replace(self.sheet, to_picture=self.sheet.to_picture @ turned)
        first, second = (
            sheet.cut(CORNER_AT_MM, CORNER_AT_MM, square, INPUT_PX / CORNER_MM)
            for sheet in (self.sheet, other)
        )
        low, high = self.low, self.high
        return (
            scale_paleness(min_channel(first), low, high),
            scale_paleness(min_channel(second), low, high),
        )


def read_face(sheet: Sheet, size: CardSize, panel: Panel) -> Face | None:
    """Return the face of the card that covers *sheet*, or None if it has no white paper."""
    card = sheet.cut(0.0, 0.0, size, FIND_PX_PER_MM, cv2.INTER_NEAREST)
    pale = min_channel(card)
    edge_x, edge_y = (
        max(1, round(side * FIND_PX_PER_MM / 2)) for side in (size.w - panel.w, size.h - panel.h)
    )
    light = pale >= panel.limit
    white, colour = (
        _median(card, where) for where in (light, _rim(pale.shape, edge_x, edge_y) & ~light)
    )
    if white is None or colour is None:
        return None
    low, high = float(colour.min()), float(white.min())
    bright = pale > (low + high) / 2
    # Along the middle of each border, or both pixels beside it; the ends are left out, since
    # corners are round.
    y, x = (slice((edge - 1) // 2, edge // 2 + 1) for edge in (edge_y, edge_x))
    across, along = bright[:, 5:-5], bright[5:-5]
    edges = (
        across[y].any(axis=0),
        across[::-1][y].any(axis=0),
        along[:, x].any(axis=1),
        along[:, ::-1][:, x].any(axis=1),
    )
    border = min(np.count_nonzero(edge) / edge.size for edge in edges)
    return Face(sheet, size, card, pale, white, colour, border, low, high)


def _median(picture: Picture, where: Mask) -> NDArray[np.float64] | None:
    """Return the (upper) median colour of the pixels *where*, or None if there are none.

    By counting levels, which takes a tenth of the time of sorting.
    """
    mask = where.view(np.uint8)
    counts = [cv2.calcHist([picture], [channel], mask, [256], [0, 256]) for channel in range(3)]
    below = np.array(counts).cumsum(axis=1)
    if not below[0, -1]:
        return None
    return np.asarray(np.count_nonzero(below <= below[:, -1:] // 2, axis=1), np.float64)


@cache
def _rim(shape: tuple[int, int], edge_x: int, edge_y: int) -> Mask:
    """Return a band along the panel's edge: in the middle there may be more colours than one."""
    rim, deep = np.zeros(shape, np.bool_), round(RIM_MM * FIND_PX_PER_MM)
    rim[edge_y + 1 : -edge_y - 1, edge_x + 1 : -edge_x - 1] = True
    rim[edge_y + deep : -edge_y - deep, edge_x + deep : -edge_x - deep] = False
    return rim
