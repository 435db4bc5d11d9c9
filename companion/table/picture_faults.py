"""What is wrong with a picture of a game in play, however it was when the table was learned.

Changes of light and lens are compared with the first picture; one that was bad from the start is
named by the same limits as on the set-up page.
"""

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from companion.language.message import Message, say
from vision.capture.flicker import Flicker
from vision.capture.frame import Picture
from vision.geometry.pose import Points
from vision.photometry.meters import measure

DARK_WHITE: Final = 80.0
"""Level of white paper below which colours drown in noise."""
MAX_CLIPPED: Final = 0.4
"""Share of the table that is as bright as a camera shows: 0.1 in bright light, 0.4 where it takes
in 1.3 to 2 times as much."""
SHARP_STEEPNESS: Final = 0.18
"""Of edges under a blur of two pixels; 0.27 to 0.45 on sharp pictures."""
MIN_WHITE_RATIO: Final = 0.36
"""Of white paper's darkest channel to its brightest: 0.58 and more under lamps and windows to which
a camera has adapted, 0.3 by a candle to which it has not."""
MIN_TILES: Final = 2
"""Fewer do not tell where the table is."""


def describe_picture_fault(picture: Picture, tiles: Mapping[int, Points]) -> Message | None:
    """Return in one line what keeps *picture* from being read, with the remedy; None if nothing.

    tiles: the corners (4, 2) in pixels of those that are seen, by marker id.
    """
    if len(tiles) < MIN_TILES:
        return None
    meters = measure(picture, np.concatenate(list(tiles.values())), tiles)
    if meters.white < DARK_WHITE:
        return say("it is too dark; switch a lamp on, then calibrate the camera again")
    if meters.clipped >= MAX_CLIPPED:
        return say("it is too bright; dim the lamp, then calibrate the camera again")
    if meters.steepness is not None and meters.steepness < SHARP_STEEPNESS:
        return say("it is blurred; focus the camera, or wipe its lens")
    if describe_cast(meters.paper) is None:
        return None
    return say(
        "the light has too strong a colour; use a whiter lamp, then calibrate the camera again"
    )


def describe_cast(paper: NDArray[np.float64] | None) -> Message | None:
    """Return in one sentence which colour the light has, if it drowns the others; None if not.

    paper: levels (3,) of white paper, blue, green and red; None if none is seen.

    >>> print(describe_cast(np.array([180.0, 190.0, 200.0])))
    None
    >>> describe_cast(np.array([50.0, 120.0, 208.0]))[:27]
    'The light is too yellow: wh'
    """
    if paper is None or paper.min() >= MIN_WHITE_RATIO * paper.max():
        return None
    return (
        say(
            "The light is too blue: white paper looks blue, and colours are hard to tell apart."
            " Switch a lamp on; dusk or a screen alone is not enough."
        ),
        say(
            "The light is too green: white paper looks green, and colours are hard to tell apart."
            " Use a whiter lamp."
        ),
        say(
            "The light is too yellow: white paper looks orange, and colours are hard to tell apart."
            " Use a whiter lamp; candles alone are not enough."
        ),
    )[int(paper.argmax())]


def describe_flicker(flicker: Flicker) -> Message:
    """Return in one line what flickers, with the remedy."""
    if flicker is Flicker.BANDS:
        return say(
            "the light flickers, so that dark bands run through the picture; use another lamp, one"
            " that is not dimmed, or daylight"
        )
    return say(
        "the picture turns dark and bright by itself; switch the camera’s automatic exposure off,"
        " or use a lamp that does not flicker"
    )
