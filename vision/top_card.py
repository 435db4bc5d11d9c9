"""The card on top of a pile, seen through a camera whose place is known."""

from dataclasses import dataclass

from vision.card_layout import CardSize, Place
from vision.cards import Face, Panel, find_panel, look_down, read_face, relight
from vision.frame import Picture
from vision.palette import Light
from vision.tiles import Pose


@dataclass(frozen=True, slots=True, eq=False)
class TopCard:
    """A card that lies on a pile, whole.  panel: its place in the window.  face: its picture."""

    panel: Panel
    face: Face


def find_top_card(
    picture: Picture,
    pose: Pose,
    light: Light,
    pile: Place,
    card: CardSize,
    window: CardSize,
    z_mm: float,
) -> TopCard | None:
    """Return the card on top of *pile*, or None if no whole card can be made out.

    window: the part of the table, in mm, in which it is looked for.  z_mm: at which height.
    """
    panel = find_panel(relight(look_down(picture, pose, pile, window, z_mm), light))
    if panel is None or not panel.fits(card):
        return None
    middle = Place(pile.x + panel.x, pile.y + panel.y)
    cut = relight(look_down(picture, pose, middle, card, z_mm, panel.turn_deg), light)
    face = read_face(cut, CardSize(panel.w, panel.h), panel.limit)
    return None if face is None else TopCard(panel, face)
