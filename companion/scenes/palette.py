"""The colours of lights: of scenes, and of players as `companion.colours` has them.

Levels are what an LED gives off, not what a screen shows.  No scene needs its colour: each has a
pattern of bright and dark of its own.
"""

from typing import Final

from companion.colours import COLOURS, ORDER
from companion.scenes.scene import SceneKind
from companion.scoreboard import Player
from hardware.lights import DARK, Colour

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


def light_of(player: Player) -> Colour:
    """Return the light of *player*'s colour; of the seat's if the player has none."""
    usual = COLOURS[ORDER[player.seat % len(ORDER)]]
    return COLOURS.get(player.colour, usual).light


def colour_of(kind: SceneKind, light: Colour | None) -> Colour:
    """Return the colour of a scene; where it is about a player, that player's *light*."""
    if light is not None and kind not in SCENES:
        return light
    return SCENES.get(kind, WHITE)


__all__ = ["DARK", "SCENES", "Colour", "colour_of", "dimmed", "light_of"]
