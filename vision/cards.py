"""Find the top card of a pile, and cut it out as if it lay upright under the camera.

Printed cards of these games have a coloured panel within a white border. However the cards below
peep out, the top card's panel is one patch with white all around it, and its shape is known: that
gives its place and turn, and whatever covers a part of the card changes the shape.
"""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.card_layout import CardSize, Place
from vision.frame import Picture
from vision.palette import Light
from vision.symbols import INPUT_PX, Patch, scale_paleness
from vision.tiles import Pose

PX_PER_MM: Final = 2.0
"""The scale at which cards are looked for and cut out; a camera shows 1.5 to 3 pixels per mm."""
CORE_MM: Final = 26.0
"""Around a pile's middle this far there is nothing but its top card."""
LEAST_FILL: Final = 0.9
"""A panel fills its rectangle but for its round corners; half a card does not."""
BORDERS_MM: Final = (1.2, 5.5)
"""How wide a white border may be."""
UNEVEN_MM: Final = 1.0
MIDDLE_MM: Final = 40.0
CORNER_MM: Final = 16.0
CORNER_AT_MM: Final = 2.0
"""The squares in which the symbol stands: in the middle, and in two corners."""
RIM_MM: Final = 7.0
"""How much of the panel, from its edge, tells its colour."""
TINT_SOFT: Final = 8.0


@dataclass(frozen=True, slots=True)
class Panel:
    """A card's coloured panel as found in a window.

    x, y: its middle in mm from the window's.  turn_deg: clockwise from upright, -90 to 90.
    w, h: its sides in mm.  fill: how much of its rectangle it fills.  limit: the level of paleness
    that parts panel and paper.
    """

    x: float
    y: float
    turn_deg: float
    w: float
    h: float
    fill: float
    limit: float

    def fits(self, card: CardSize) -> bool:
        """Return whether this can be the panel of a whole card of that size."""
        across, along = (card.w - self.w) / 2, (card.h - self.h) / 2
        low, high = BORDERS_MM
        even = abs(across - along) <= UNEVEN_MM
        return even and self.fill >= LEAST_FILL and all(low <= v <= high for v in (across, along))


def look_down(
    picture: Picture, pose: Pose, middle: Place, size: CardSize, z_mm: float, turn_deg: float = 0.0
) -> Picture:
    """Return a rectangle of the table from above at height *z_mm*, turned clockwise."""
    turn = np.radians(turn_deg)
    across = np.array([np.cos(turn), np.sin(turn)]) / PX_PER_MM
    along = np.array([-np.sin(turn), np.cos(turn)]) / PX_PER_MM
    shape = (round(size.w * PX_PER_MM), round(size.h * PX_PER_MM))
    corner = np.array([middle.x, middle.y])
    corner = corner - across * (shape[0] - 1) / 2 - along * (shape[1] - 1) / 2
    to_table = np.eye(3)
    to_table[:2] = np.column_stack([across, along, corner])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(
        cv2.warpPerspective(picture, pose.plane(z_mm) @ to_table, shape, flags=flags), np.uint8
    )


def relight(picture: Picture, light: Light) -> Picture:
    """Return the picture as it would be in the light that *light* leads to."""
    table = np.clip(light, 0, 255).astype(np.uint8).reshape(1, 256, 3)
    return np.asarray(cv2.LUT(picture, table), np.uint8)


def find_panel(window: Picture) -> Panel | None:
    """Return the panel of the card around the middle of *window*, or None if there is no edge."""
    height, width = window.shape[:2]
    pale = window.min(axis=2)
    rows, columns = np.ogrid[:height, :width]
    core = np.hypot(columns - (width - 1) / 2, rows - (height - 1) / 2) < CORE_MM * PX_PER_MM
    method = cv2.THRESH_BINARY | cv2.THRESH_OTSU
    limit, _ = cv2.threshold(pale[core].reshape(-1, 1), 0, 255, method)
    _, labels = cv2.connectedComponents((pale < limit).astype(np.uint8), connectivity=4)
    sizes = np.bincount(labels[core])
    sizes[0] = 0
    patch = (labels == int(sizes.argmax())).astype(np.uint8)
    outlines, _ = cv2.findContours(patch, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    if not sizes.any() or not outlines:
        return None
    hull = cv2.convexHull(max(outlines, key=cv2.contourArea))
    (x, y), (w, h), turn_deg = cv2.minAreaRect(hull)
    if w > h:
        w, h, turn_deg = h, w, turn_deg - 90.0
    # An outline runs through the middles of its pixels: half a pixel is missing on each side.
    fill = cv2.contourArea(hull) / max(w * h, 1.0)
    return Panel(
        x=(x - (width - 1) / 2) / PX_PER_MM,
        y=(y - (height - 1) / 2) / PX_PER_MM,
        turn_deg=(turn_deg + 90.0) % 180.0 - 90.0,
        w=(w + 1.0) / PX_PER_MM,
        h=(h + 1.0) / PX_PER_MM,
        fill=fill,
        limit=float(limit),
    )


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """A card, upright and cut to its edges, at PX_PER_MM.

    picture: (rows, columns, 3) uint8.  paleness: (rows, columns) float32, panel 0, paper 1.
    white, panel: their median colours (3,), blue green red.
    border: the least share of paper along any of the four edges.  contrast: levels from panel to
    paper.
    """

    picture: Picture
    paleness: NDArray[np.float32]
    white: NDArray[np.float64]
    panel: NDArray[np.float64]
    border: float
    contrast: float

    @property
    def tint(self) -> NDArray[np.float64]:
        """The panel's colour by its own paper: logarithms of blue, green and red, 0 for white."""
        return np.log((self.panel + TINT_SOFT) / (self.white + TINT_SOFT))

    def middle(self) -> Patch:
        """Return the square in which the large symbol stands."""
        height, width = self.paleness.shape
        side = round(MIDDLE_MM * PX_PER_MM)
        top, left = (height - side) // 2, (width - side) // 2
        return _shrink(self.paleness[top : top + side, left : left + side])

    def corners(self) -> tuple[Patch, Patch]:
        """Return the two squares with the small symbols, both as one reads them."""
        at, side = round(CORNER_AT_MM * PX_PER_MM), round(CORNER_MM * PX_PER_MM)
        turned = self.paleness[::-1, ::-1]
        first, second = (face[at : at + side, at : at + side] for face in (self.paleness, turned))
        return _shrink(first), _shrink(second)


def _shrink(square: NDArray[np.float32]) -> Patch:
    smooth = cv2.INTER_AREA if len(square) >= INPUT_PX else cv2.INTER_LINEAR
    square = np.ascontiguousarray(square)
    return np.asarray(cv2.resize(square, (INPUT_PX, INPUT_PX), interpolation=smooth), np.float32)


def read_face(card: Picture, panel_mm: CardSize, limit: float) -> Face | None:
    """Return the face of an upright card cut to its edges, or None if it has no white paper.

    panel_mm: the size of its panel.  limit: the level that parts panel and paper.
    """
    pale = card.min(axis=2)
    height, width = pale.shape
    edge_x = max(2, round((width - panel_mm.w * PX_PER_MM) / 2))
    edge_y = max(2, round((height - panel_mm.h * PX_PER_MM) / 2))
    # Only a band along the panel's edge: in the middle there may be more colours than one.
    rim = np.zeros(pale.shape, bool)
    rim[edge_y + 1 : -edge_y - 1, edge_x + 1 : -edge_x - 1] = True
    deep = round(RIM_MM * PX_PER_MM)
    rim[edge_y + deep : -edge_y - deep, edge_x + deep : -edge_x - deep] = False
    paper, panel = pale >= limit, rim & (pale < limit)
    if not (paper.any() and panel.any()):
        return None
    white, colour = (np.median(card[where], axis=0) for where in (paper, panel))
    low, high = float(np.median(pale[panel])), float(np.median(pale[paper]))
    half = (low + high) / 2
    y, x = edge_y // 2, edge_x // 2
    # The edges' ends are left out: corners are round.
    edges = (pale[y, 8:-8], pale[-1 - y, 8:-8], pale[8:-8, x], pale[8:-8, -1 - x])
    border = min(float((edge > half).mean()) for edge in edges)
    return Face(card, scale_paleness(pale, low, high), white, colour, border, high - low)
