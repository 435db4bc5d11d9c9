"""Colours that can be told apart by everyone, as far as colours can.

The seats' are as far apart as red, blue, yellow and green can be for people with normal sight,
protanopia, deuteranopia and tritanopia alike (tests/hardware/test_palette.py has the figures), and
bright enough to be seen beside a dim light.  Levels are what an LED gives off, not what a screen
shows.  No scene needs them: each has a pattern of bright and dark of its own.
"""

from typing import Final

from companion.scenes.scene import SceneKind
from hardware.lights import DARK, Colour

SEATS: Final[tuple[Colour, ...]] = (
    (145, 0, 0),  # the pawns in the box: red, blue, yellow, green
    (40, 12, 190),
    (245, 190, 0),
    (0, 96, 70),
)
GOLD: Final[Colour] = (200, 130, 0)
WHITE: Final[Colour] = (120, 120, 120)
ALARM: Final[Colour] = (220, 40, 0)
WATER: Final[Colour] = (0, 60, 120)
MOSS: Final[Colour] = (90, 150, 90)
EMBER: Final[Colour] = (200, 120, 60)

SCENES: Final[dict[SceneKind, Colour]] = {
    "won": GOLD,
    "lost": WATER,
    "ask": WHITE,
    "illegal": ALARM,
    "put_right": MOSS,
    "no_view": WATER,
    "not_saved": ALARM,
    "reveal": GOLD,
    "calm": EMBER,
    "topple": ALARM,
    "knock": WHITE,
    "wobble": GOLD,
    "void_spin": WATER,
    "distrusted": WATER,
    "countdown": GOLD,
    "clock": GOLD,
    "paused": WATER,
}
"""The colour of each scene that is not about one seat; the others have the seat's."""

DIM: Final = 0.1  # of a colour: plainly on, plainly darker than the light beside it


def dimmed(colour: Colour) -> Colour:
    """Return *colour*, dim; what was lit stays lit."""
    red, green, blue = (max(round(level * DIM), level > 0) for level in colour)
    return (red, green, blue)


def colour_of(kind: SceneKind, seat: int | None) -> Colour:
    """Return the colour of a scene, or of *seat* where the scene is about a seat."""
    if seat is not None and kind not in SCENES:
        return SEATS[seat % len(SEATS)]
    return SCENES.get(kind, WHITE)


__all__ = ["DARK", "SCENES", "SEATS", "Colour", "colour_of", "dimmed"]
