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


# As far apart as ten colours of these names can be for normal sight, protanopia, deuteranopia and
# tritanopia alike, on screens with dark letters on them and as lights; the first four, which games
# have most, much farther.  Found by random search; tests/hardware/test_palette.py has the figures.
COLOURS: Final[dict[str, PlayerColour]] = {
    "red": PlayerColour(say_as("a colour", "red"), "#fe2916", (145, 0, 0)),
    "blue": PlayerColour(say_as("a colour", "blue"), "#4d7cfa", (40, 12, 190)),
    "yellow": PlayerColour(say_as("a colour", "yellow"), "#fded31", (245, 190, 0)),
    "green": PlayerColour(say_as("a colour", "green"), "#61ce90", (0, 96, 70)),
    "purple": PlayerColour(say_as("a colour", "purple"), "#c19cf8", (123, 53, 153)),
    "orange": PlayerColour(say_as("a colour", "orange"), "#ff941c", (246, 44, 4)),
    "pink": PlayerColour(say_as("a colour", "pink"), "#efa5ca", (212, 84, 119)),
    "turquoise": PlayerColour(say_as("a colour", "turquoise"), "#68ecf9", (54, 203, 239)),
    "brown": PlayerColour(say_as("a colour", "brown"), "#a07e53", (74, 33, 22)),
    "white": PlayerColour(say_as("a colour", "white"), "#ffffff", (212, 226, 213)),
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
