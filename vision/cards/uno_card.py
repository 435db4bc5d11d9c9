"""Classification of one UNO card: its colour and symbol, or which of the wild cards it is."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.cards.acceptance import is_accepted
from vision.cards.card_crop import CardCrop
from vision.cards.card_kinds import classify_whole
from vision.cards.card_rectification import rectify
from vision.cards.colours import ColourClassifier, LogColour, chromaticity, log_colour
from vision.cards.segmentation import CROP_PX_PER_MM
from vision.cards.symbol_fusion import UNSEEN_CORNERS, fuse_symbols, is_plain, pool_symbols
from vision.cards.symbols import OTHER, classify_symbols
from vision.observation import HIDDEN, Evidence

WILD: Final = "wild"
TIKI: Final = "tiki"
REFERENCE_COLOURS: Final = {
    "red": np.array([[-1.2, -1.3, -0.2], [-1.6, -1.6, -0.05]]),
    "yellow": np.array([[-1.3, -0.2, -0.03], [-1.6, 0.0, 0.1]]),
    "green": np.array(
        [[-1.1, -0.5, -1.3], [-0.65, -0.3, -1.2], [-1.5, -1.1, -1.6], [-1.4, -0.5, -0.8]]
    ),
    "blue": np.array([[-0.25, -0.8, -1.4], [0.0, -0.4, -1.6], [-0.1, -1.0, -1.6]]),
}
"""Log colours (n, 3) of the panels of several printings."""
CARD_COLOURS: Final = ColourClassifier(REFERENCE_COLOURS)
WOOD_COLOUR: Final = np.array([-1.5, -0.85, -0.3])
"""Log colour of the wooden face on a Tiki card.  Measured."""
MIN_COLOUR_STRENGTH: Final = 1.0
"""Length of the log colour of any card that is not washed out."""
LOG_OVEREXPOSURES: Final = (0.0, 0.12, 0.24, 0.36, 0.48)
"""Tried where it is unknown how much brighter than the camera's maximum paper is, up to 1.6 times.
Tuned."""

MAX_BLACK_LOG_COLOUR: Final = -0.35
MAX_BLACK_SPREAD: Final = 0.35
MAX_WILD_BLACK_SPREAD: Final = 0.6
"""A black panel is at least so dark in all channels, which differ by at most that share of its mean
darkness; around the four colours by more, since dim warm light makes black ink brown.  Tuned."""
MIN_COLOURED_SPREAD: Final = 0.35
"""Between the channels of a pixel's log colour, for it to have a colour; paper is as near to 0."""
WILD_HALF_MM: Final = (21.0, 32.0)
"""Half the width and height of the part of a wild card with the four colours.  Measured."""
MIN_COLOURED_SHARE: Final = 0.25
MAX_PAPER_PER_COLOURED: Final = 0.6
"""Of that part, how much is coloured and how much white there is for that: a draw-four card has
small cards on a white oval.  Tuned."""
MIN_EACH_COLOUR_SHARE: Final = 0.06
"""Of what is coloured, for each of the four."""
FACE_HALF_MM: Final = (13.0, 15.0)
"""Half the width and height of the wooden face of a Tiki card.  Measured."""
MIN_WOOD_COSINE: Final = 0.97
"""Between the chromaticities of a pixel and of WOOD_COLOUR.  Tuned."""
MIN_WOOD_SHARE: Final = 0.4
MIN_EYES_SHARE: Final = 0.04
"""Of a face: how much is wood, and how much is white, its eyes and teeth.  Tuned."""
MIN_FACE_PROBABILITY: Final = 0.95
"""Of a Tiki Face, by all of the card.  On tables nobody tuned to it has at least 0.99."""
_TIKI_FACE: Final = Evidence({f"{WILD} {TIKI}": 0.95, HIDDEN: 0.05})


@dataclass(frozen=True, slots=True)
class CardReading:
    """A card as it is named in the game.

    color: red, yellow, green, blue or wild.  symbol: a digit, skip, reverse, wild or tiki.
    """

    color: str
    symbol: str
    confidence: float


def classify_card(crop: CardCrop) -> Evidence:
    """Return the evidence for each card "colour symbol"; no card of the game is HIDDEN."""
    if not crop.is_legible:
        return Evidence({HIDDEN: 1.0})
    if is_black_panel(crop.log_colour, MAX_WILD_BLACK_SPREAD) and _has_four_colours(crop):
        return Evidence({f"{WILD} {WILD}": 0.98, HIDDEN: 0.02})
    is_black = is_black_panel(crop.log_colour, MAX_BLACK_SPREAD)
    symbols = {} if is_black else classify_printed(crop)
    is_faint = max(symbols.values(), default=0.0) < 0.5
    if is_faint and not crop.is_colour_unknown and _has_wooden_face(crop):
        return _TIKI_FACE
    if not is_accepted(Evidence({**symbols, HIDDEN: max(0.0, 1.0 - sum(symbols.values()))})):
        whole = classify_whole(rectify(crop.view.picture, crop.view.corners_px(crop.size)))
        if is_faint and whole.kinds[TIKI] >= MIN_FACE_PROBABILITY:  # of any wood, on any ground
            return _TIKI_FACE
        symbols = {} if is_black else pool_symbols(whole.symbols, symbols)
        symbols.pop(OTHER, None)
    if is_black:
        return Evidence({HIDDEN: 1.0})
    probabilities = {
        f"{colour} {symbol}": of_colour * of_symbol
        for colour, of_colour in classify_colour(crop).items()
        for symbol, of_symbol in symbols.items()
    }
    return Evidence({**probabilities, HIDDEN: max(0.0, 1.0 - sum(probabilities.values()))})


def classify_printed(crop: CardCrop) -> dict[str, float]:
    """Return the probability of each symbol by what is printed in its places.

    Corners are looked at only where the centre may be a 6 or a 9, or is not plain.
    """
    centre = classify_symbols([crop.crop_centre_symbol()])
    if not is_plain(centre[0]):
        corners = classify_symbols(crop.crop_corner_symbols())
        return fuse_symbols(np.concatenate([centre, corners]))
    return fuse_symbols(np.concatenate([centre, UNSEEN_CORNERS]))


def classify_colour(crop: CardCrop) -> dict[str, float]:
    """Return the probability of each colour, as far as the light source does not hide it.

    Where the paper is clipped in some channels, the least over all overexposures tried.
    """
    steps = LOG_OVEREXPOSURES if crop.is_colour_unknown else LOG_OVEREXPOSURES[:1]
    candidates = [
        CARD_COLOURS.classify(
            crop.log_colour - step * crop.is_paper_saturated,
            MIN_COLOUR_STRENGTH,
            lower_bounds=crop.is_panel_saturated,
        )
        for step in steps
    ]
    return {name: min(each[name] for each in candidates) for name in REFERENCE_COLOURS}


def is_black_panel(panel: LogColour, max_spread: float) -> bool:
    """Return whether a panel is black, or grey by glare."""
    return bool(panel.max() < MAX_BLACK_LOG_COLOUR and np.ptp(panel) < max_spread * -panel.mean())


def _centre_log_colours(crop: CardCrop, half_mm: tuple[float, float]) -> LogColour:
    """Return the log colours (n, 3) of the pixels within *half_mm* of the card's centre."""
    half_w, half_h = (round(side * CROP_PX_PER_MM) for side in half_mm)
    height, width = crop.minima.shape
    rows = slice(height // 2 - half_h, height // 2 + half_h)
    columns = slice(width // 2 - half_w, width // 2 + half_w)
    return log_colour(crop.picture[rows, columns].reshape(-1, 3), crop.paper_colour)


def _has_four_colours(crop: CardCrop) -> bool:
    """Return whether all four colours fill the centre of a black card."""
    colours = _centre_log_colours(crop, WILD_HALF_MM)
    is_coloured = np.ptp(colours, axis=1) > MIN_COLOURED_SPREAD
    coloured_share, paper_share = float(is_coloured.mean()), _paper_share(colours)
    if coloured_share < MIN_COLOURED_SHARE or paper_share > MAX_PAPER_PER_COLOURED * coloured_share:
        return False
    directions = chromaticity(colours[is_coloured])
    cosines = [(directions @ chromaticity(r).T).max(axis=1) for r in REFERENCE_COLOURS.values()]
    counts = np.bincount(np.argmax(cosines, axis=0), minlength=len(REFERENCE_COLOURS))
    return float(counts.min() / counts.sum()) >= MIN_EACH_COLOUR_SHARE


def _has_wooden_face(crop: CardCrop) -> bool:
    """Return whether a wooden face with eyes and teeth is in the card's centre, and only there."""
    panel = crop.log_colour
    if float(chromaticity(panel) @ chromaticity(WOOD_COLOUR)) > MIN_WOOD_COSINE:
        return False
    colours = _centre_log_colours(crop, FACE_HALF_MM)
    if _paper_share(colours) < MIN_EYES_SHARE:
        return False
    is_coloured = np.ptp(colours, axis=1) > MIN_COLOURED_SPREAD
    # Relative to clipped paper wood seems yellower than it is.
    steps = LOG_OVEREXPOSURES if crop.is_paper_saturated.any() else LOG_OVEREXPOSURES[:1]
    return any(
        float((is_coloured & _is_wood(colours - step, panel - step)).mean()) >= MIN_WOOD_SHARE
        for step in steps
    )


def _paper_share(colours: LogColour) -> float:
    """Return the share of the log colours (n, 3) that are white."""
    return float((colours.min(axis=1) > -MIN_COLOURED_SPREAD).mean())


def _is_wood(colours: LogColour, panel: LogColour) -> NDArray[np.bool_]:
    """Return which of *colours* (n, 3) are near WOOD_COLOUR, and nearer than to the *panel*'s (3,).

    A thick number in the colour of an overexposed yellow panel is brownish too.
    """
    directions = chromaticity(colours)
    cosines = directions @ chromaticity(WOOD_COLOUR)
    is_nearer = cosines > directions @ chromaticity(panel)
    return np.asarray((cosines > MIN_WOOD_COSINE) & is_nearer, np.bool_)
