"""The colours of players: one for each seat, the same on pieces, lights, display and pages.

No colour is told apart by all eyes, so none is ever shown without its player's shape, name or word.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from companion.language.message import Message, say_as


@dataclass(frozen=True, slots=True)
class PlayerColour:
    """A colour that a player may have.

    words: what people call it.  screen: as pages show it, dark letters can be read on it.
    light: levels of an LED, from 0 to 255: they shine in proportion, pixels do not.
    """

    words: Message
    screen: str
    light: tuple[int, int, int]


# The first four lights are as far apart as they can be for every kind of colour vision
# (tests/hardware/test_palette.py).
COLOURS: Final[dict[str, PlayerColour]] = {
    "red": PlayerColour(say_as("a colour", "red"), "#f0524f", (145, 0, 0)),
    "blue": PlayerColour(say_as("a colour", "blue"), "#5aa2ff", (40, 12, 190)),
    "yellow": PlayerColour(say_as("a colour", "yellow"), "#ffd60a", (245, 190, 0)),
    "green": PlayerColour(say_as("a colour", "green"), "#45cf72", (0, 96, 70)),
    "purple": PlayerColour(say_as("a colour", "purple"), "#b58cf5", (90, 0, 140)),
    "orange": PlayerColour(say_as("a colour", "orange"), "#ff9f43", (230, 70, 0)),
    "pink": PlayerColour(say_as("a colour", "pink"), "#ff8fc4", (220, 40, 90)),
    "turquoise": PlayerColour(say_as("a colour", "turquoise"), "#3fd0d4", (0, 140, 150)),
    "brown": PlayerColour(say_as("a colour", "brown"), "#c9b18f", (110, 50, 10)),
    "white": PlayerColour(say_as("a colour", "white"), "#ffffff", (150, 150, 150)),
}
ORDER: Final = tuple(COLOURS)
"""In which seats are given their colours where neither game nor people say."""


def seat_colours(seats: int, chosen: Sequence[str] = (), fixed: Sequence[str] = ()) -> list[str]:
    """Return the colour of each seat: of the game's pieces, else the chosen one, else a free one.

    >>> seat_colours(3, ["", "red", ""]), seat_colours(2, ["red", "red"], ["pink", "yellow"])
    (['blue', 'red', 'yellow'], ['pink', 'yellow'])
    """
    wanted = [
        (fixed[seat] if seat < len(fixed) else "") or (chosen[seat] if seat < len(chosen) else "")
        for seat in range(seats)
    ]
    found: list[str] = []
    for wish in wanted:
        free = [colour for colour in ORDER if colour not in (*found, *wanted)]
        taken = wish in found or wish not in COLOURS
        found.append((free or list(ORDER))[0] if taken else wish)
    return found
