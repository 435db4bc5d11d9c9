"""What is wrong with a picture of the table, or with its tiles: words of game and set-up alike.

Changes of light and lens are compared with the first picture by `vision.geometry.tile_looks`; what
was bad from the start is found here, by limits.
"""

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from companion.language.message import Message, say
from vision.capture.picture_fault import PictureFault
from vision.geometry.layout import Mat
from vision.photometry.meters import Meters

DARK_WHITE: Final = 80.0
"""Level of white paper below which colours drown in noise."""
MAX_CLIPPED: Final = 0.4
"""Share of the table that is as bright as a camera shows: 0.1 in bright light, 0.4 where it takes
in 1.3 to 2 times as much."""
MAX_NOISE: Final = 20.0
"""Levels: at 14 whole games are read, at 28 one in three is not
(`python -m tests.learnable_figures`)."""
SHARP_STEEPNESS: Final = 0.2
"""Of edges of a tile of 60 pixels under a blur of two; 0.27 to 0.45 on sharp pictures.  Tiles of 42
are lost from 0.189 on (`python -m tests.vision.small_tiles`)."""
MIN_WHITE_RATIO: Final = 0.36
"""Of white paper's darkest channel to its brightest: 0.58 and more under lamps and windows to which
a camera has adapted, 0.3 by a candle to which it has not."""
CORNERS: Final = (say("top left"), say("top right"), say("bottom right"), say("bottom left"))
"""Where the four tiles lie, as a mat's near player sees them."""

CORNER_TILES: Final = say("the corner tiles")
MAX_DEVIATION: Final = 0.018
"""Of 40 mm that is 0.7 mm. In rendered pictures true tiles are measured within 0.0045; people may
lay them 4 mm wrong, which is another 0.012."""

CASTS: Final = (PictureFault.BLUE, PictureFault.GREEN, PictureFault.YELLOW)
"""By the channel of a picture that is the brightest."""
LIGHT: Final = (
    PictureFault.DARK,
    PictureFault.BRIGHT,
    PictureFault.GRAINY,
    PictureFault.BANDS,
    PictureFault.PUMPING,
)
"""Faults that hide others: they are mended first."""
WORDS: Final = {
    PictureFault.DARK: say("too dark; switch a lamp on"),
    PictureFault.BRIGHT: say(
        "too bright, so that colours are lost; dim the lamp, or draw the curtain; if the"
        " camera’s exposure is set by hand, shorten it"
    ),
    PictureFault.DARKER: say(
        "much darker than at first; switch a light on, or calibrate the camera again"
    ),
    PictureFault.BRIGHTER: say(
        "much brighter than at first; dim the light, or calibrate the camera again"
    ),
    PictureFault.GRAINY: say("grainy, because this camera needs more light; switch a lamp on"),
    PictureFault.BANDS: say(
        "the light flickers, and dark bands run through the picture; use another lamp that is"
        " not dimmed, or daylight"
    ),
    PictureFault.PUMPING: say(
        "the picture keeps turning darker and brighter by itself; switch the camera’s"
        " automatic exposure off, or use a lamp that does not flicker"
    ),
    PictureFault.BLURRED: say("blurred; focus the camera, or wipe its lens"),
    PictureFault.BLUE: say(
        "the light is too blue: white paper looks blue, and colours are hard to tell apart;"
        " switch a lamp on, because dusk or a screen alone is not enough"
    ),
    PictureFault.GREEN: say(
        "the light is too green: white paper looks green, and colours are hard to tell apart; use"
        " a whiter lamp"
    ),
    PictureFault.YELLOW: say(
        "the light is too yellow: white paper looks orange, and colours are hard to tell"
        " apart; use a whiter lamp, because candles alone are not enough"
    ),
}


def list_faults(meters: Meters, flicker: PictureFault | None = None) -> Iterator[PictureFault]:
    """Yield what is wrong with a picture of those *meters*, what has to be mended first before."""
    if meters.white < DARK_WHITE:
        yield PictureFault.DARK
    if meters.clipped >= MAX_CLIPPED:
        yield PictureFault.BRIGHT
    if meters.noise > MAX_NOISE:
        yield PictureFault.GRAINY
    if flicker is not None:
        yield flicker
    if meters.steepness is not None and meters.steepness < SHARP_STEEPNESS:
        yield PictureFault.BLURRED
    if (cast := _find_cast(meters.paper)) is not None:
        yield cast


def describe_fault(fault: PictureFault, corner: int | None = None) -> Message:
    """Return in one line what is wrong, with the remedy.

    corner: of the mat, from the top left clockwise, where a picture is SMEARED.

    >>> describe_fault(PictureFault.SMEARED, 1)
    'blurred at the top right; wipe the lens'
    """
    if fault is PictureFault.SMEARED:
        assert corner is not None
        return say("blurred at the {corner}; wipe the lens", corner=CORNERS[corner])
    return WORDS[fault]


def name_light(fault: PictureFault | None) -> Message:
    """Return in two words what is wrong with the light."""
    match fault:
        case None:
            return say("bright enough")
        case PictureFault.DARK:
            return say("too dark")
        case PictureFault.BRIGHT:
            return say("too bright")
        case PictureFault.GRAINY:
            return say("grainy")
        case PictureFault.BANDS | PictureFault.PUMPING:
            return say("it flickers")
    return say("coloured light")


def size_trouble(scale: float, mat: Mat) -> Message | None:
    """Return what is wrong with tiles of *scale*, in one line with the remedy; None if nothing.

    >>> mat = Mat(420.0, 300.0, (0, 1, 2, 3), 40.0)
    >>> print(size_trouble(1.01, mat))
    None
    """
    if abs(scale - 1) <= MAX_DEVIATION:
        return None
    return say(
        "they appear at {percent} % of their proper size. Measure a black square: if it is"
        " not {marker} mm wide, print the tiles again at 100 %; if it is, lay them {nearer},"
        " {width} × {height} mm from middle to middle",
        percent=round(100 * scale),
        marker=mat.marker_mm,
        nearer=say("closer together") if scale < 1 else say("further apart"),
        width=mat.width,
        height=mat.height,
    )


def _find_cast(paper: NDArray[np.float64] | None) -> PictureFault | None:
    """Return which colour the light has, if it drowns the others; None if not.

    paper: levels (3,) of white paper, blue, green and red; None if none is seen.

    >>> print(_find_cast(np.array([180.0, 190.0, 200.0])))
    None
    >>> print(_find_cast(np.array([50.0, 120.0, 208.0])))
    yellow
    """
    if paper is None or paper.min() >= MIN_WHITE_RATIO * paper.max():
        return None
    return CASTS[int(paper.argmax())]
