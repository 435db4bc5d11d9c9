"""The card on top of a pile, seen through a camera whose place is known."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.card_layout import CardSize, Place
from vision.cards import FIND_PX_PER_MM, Face, Panel, Sheet, find_panel, read_face
from vision.frame import Picture
from vision.tiles import Pose

BLOCK_MM: Final = 8.0
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
        """Return the window in blocks so large that noise does not count, but any stroke does."""
        side = BLOCK_MM * FIND_PX_PER_MM
        shape = round(self.size.w / side), round(self.size.h / side)
        blocks = cv2.resize(self.picture, shape, interpolation=cv2.INTER_AREA)
        return np.asarray(blocks, np.int16)

    def find_card(self, card: CardSize) -> TopCard | None:
        """Return the card on top of the pile, or None if no whole card can be made out."""
        panel = find_panel(self.picture)
        if panel is None or not panel.fits(card):
            return None
        middle = Place(self.size.w / 2 + panel.x, self.size.h / 2 + panel.y)
        face = read_face(self.sheet.turned(middle, card, panel.turn_deg), card, panel)
        return None if face is None else TopCard(panel, face)


def look_at(
    picture: Picture,
    pose: Pose,
    levels: NDArray[np.uint8],
    pile: Place,
    size: CardSize,
    z_mm: float,
) -> Window:
    """Return the window of that size in mm around *pile*, at height *z_mm* above the table.

    levels: (1, 256, 3) uint8, how each level is to be seen.
    """
    place = np.array(
        [[1.0, 0.0, pile.x - size.w / 2], [0.0, 1.0, pile.y - size.h / 2], [0.0, 0.0, 1.0]]
    )
    table = Sheet(picture, pose.plane(z_mm) @ place, levels)
    return Window(table, size, table.cut(0.0, 0.0, size, FIND_PX_PER_MM))
