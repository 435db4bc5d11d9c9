"""The card on top of a pile, seen through a camera whose place is known."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.card_layout import CardSize, Place
from vision.cards import FIND_PX_PER_MM, Face, Panel, Sheet, find_panel, read_face
from vision.frame import Picture
from vision.tiles import Pose

AS_LARGE: Final = (0.975, 1.065)
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


def find_top_card(
    picture: Picture,
    pose: Pose,
    levels: NDArray[np.uint8],
    pile: Place,
    card: CardSize,
    window: CardSize,
    z_mm: float,
) -> TopCard | None:
    """Return the card on top of *pile*, or None if no whole card can be made out.

    levels: (1, 256, 3) uint8, how each level is to be seen.  window: the part of the table, in
    mm, in which it is looked for.  z_mm: at which height.
    """
    place = np.array(
        [[1.0, 0.0, pile.x - window.w / 2], [0.0, 1.0, pile.y - window.h / 2], [0.0, 0.0, 1.0]]
    )
    table = Sheet(picture, pose.plane(z_mm) @ place, levels)
    panel = find_panel(table.cut(0.0, 0.0, window, FIND_PX_PER_MM))
    if panel is None or not panel.fits(card):
        return None
    middle = Place(window.w / 2 + panel.x, window.h / 2 + panel.y)
    face = read_face(table.turned(middle, card, panel.turn_deg), card, panel)
    return None if face is None else TopCard(panel, face)
