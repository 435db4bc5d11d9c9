"""The card on top of a pile, seen through a camera whose place is known."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.cards.detection import Face, Sheet, read_face
from vision.cards.layout import CardSize, Place
from vision.cards.segmentation import FIND_PX_PER_MM, Panel, find_panel
from vision.geometry.pose import Points, Pose

BLOCK_PX: Final = round(8.0 * FIND_PX_PER_MM)
PRINTED: Final = 0.95
"""A card looks alike the other way up, to this share; one that an arm parts does not."""
AS_LARGE: Final = (0.95, 1.065)
"""By how much a card may look smaller or larger than the learned one: a pile's top is a little
nearer to the camera, a card in the hand much nearer."""


@dataclass(frozen=True, slots=True, eq=False)
class TopCard:
    """A card that lies on a pile, whole.  panel: its place in the window.  face: its picture."""

    panel: Panel
    face: Face


def is_as_large(panel: Panel, side: float) -> bool:
    """Return whether a panel is as large as one with *side* in mm, for a card on a pile."""
    low, high = AS_LARGE
    return low * side <= panel.side <= high * side


@dataclass(frozen=True, slots=True, eq=False)
class Window:
    """The part of the table, around a pile, in which its top card is looked for.

    size: in mm.  picture: what is seen of it, at FIND_PX_PER_MM.
    """

    sheet: Sheet
    size: CardSize
    picture: Picture

    def coarsen(self) -> NDArray[np.int16]:
        """Return the window in blocks so large that noise does not count, but any stroke does.

        What does not fill a block is left out, on all sides.
        """
        rows, columns = (
            slice(side % BLOCK_PX // 2, side - side % BLOCK_PX + side % BLOCK_PX // 2)
            for side in self.picture.shape[:2]
        )
        scale = 1 / BLOCK_PX
        middle = self.picture[rows, columns]
        blocks = cv2.resize(middle, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        return np.asarray(blocks, np.int16)

    def find_card(self, card: CardSize) -> TopCard | None:
        """Return the card on top of the pile, or None if no whole card can be recognised."""
        panel = find_panel(self.picture, card)
        if panel is None or not panel.fits(card):
            return None
        middle = Place(self.size.w / 2 + panel.x, self.size.h / 2 + panel.y)
        face = read_face(self.sheet.turned(middle, card, panel.turn_deg), card, panel)
        if face is None or (panel.joined and face.turned_alike < PRINTED):
            return None
        return TopCard(panel, face)


def look_at(
    picture: Picture,
    pose: Pose,
    levels: NDArray[np.uint8],
    piles: tuple[Place, ...],
    size: CardSize,
    z_mm: float,
    beyond: NDArray[np.float64] | None = None,
) -> list[Window]:
    """Return the windows of that size in mm around the *piles*, at height *z_mm* above the table.

    levels, beyond: see `Sheet`.
    """
    planes = _lay_windows(pose, piles, size, z_mm)
    sheets = [Sheet(picture, plane, levels, beyond) for plane in planes]
    return [Window(sheet, size, sheet.cut(0.0, 0.0, size, FIND_PX_PER_MM)) for sheet in sheets]


@lru_cache(maxsize=4)
def _lay_windows(pose: Pose, piles: tuple[Place, ...], size: CardSize, z_mm: float) -> list[Points]:
    """Return for each pile how mm of its window become the picture's pixels."""
    return [
        pose.plane(z_mm)
        @ [[1.0, 0.0, pile.x - size.w / 2], [0.0, 1.0, pile.y - size.h / 2], [0.0, 0.0, 1.0]]
        for pile in piles
    ]
