"""Identification of the one UNO card in a photograph, without a mat and without calibration.

The card may be held or lie on anything, in any pose. One network locates its corners, another tells
its kind and its symbol by all of it, and that for symbols names what is printed in centre and
corners. A card that is not named at once is tried in a few more poses.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

import cv2
import numpy as np

from vision.capture.frame import Picture
from vision.cards.card_corners import MIN_CARD_SCORE, CardQuad, locate_cards, look_closer
from vision.cards.card_crop import CardCrop
from vision.cards.card_kinds import CARD_COLOURS, WholeCard, classify_whole
from vision.cards.card_outlines import crop_quadrangle
from vision.cards.card_rectification import rectify
from vision.cards.colours import log_colour
from vision.cards.segmentation import CROP_PX_PER_MM
from vision.cards.symbol_fusion import fuse_symbols, pool_symbols
from vision.cards.symbols import OTHER, SYMBOLS, classify_symbols
from vision.cards.uno_card import TIKI, WILD, CardReading
from vision.geometry.pose import Points

MAX_LENGTH_PX: Final = 1280
MAX_OUTLINE_PX: Final = 900
"""Longer pictures are scaled down; for outlines further."""
MIN_COLOUR: Final = {"red": 0.95, "yellow": 0.95, "green": 0.7, "blue": 0.7}
MAX_RIVAL_COLOUR: Final = 0.1
"""Probability of a card's colour, and of any other; the rest is that it is foreign.  Orange and
brown are near to red and yellow; to green and blue nothing is that other decks have."""
MIN_WILD: Final = 0.85
"""Probability of a wild or a Tiki Face, of its kind and of its symbol."""
MIN_SYMBOL: Final = 0.93
"""Probability of a card's symbol, over all others and over none.  Tuned."""
CORNER_MM: Final = (3.5, 12.0, 15.0)
"""From where to where a small symbol is printed, across, and how far down."""
MIN_INK_SPREAD, MIN_INK_LEVEL = 0.5, -1.0
MIN_INK_SHARE: Final = 0.02
"""Between the channels of a printed colour, relative to paper as logarithms; of the brightest; and
how much of a corner has such colours.  Tuned."""
MAX_WILD_SYMBOL: Final = 0.5
"""A wild has no symbol that is likelier."""
SIZES: Final = (1.0, 0.96, 1.04)
"""Corners may be a little inside or outside of the true ones: the symbol is looked for in each."""
TIGHTER: Final = 0.94
"""How much smaller a card is tried that is not named: it may seem larger than it is."""
MIN_LENGTH_PX: Final = 60.0
"""Of a card's longer side, for its symbol to be legible."""
MIN_LEVEL: Final = 35.0
"""Of a picture in the mean; a darker one is too dark."""
MIN_SHARPNESS: Final = 4.0
"""Standard deviation of the Laplacian, in levels; less is blurred."""


class PhotoStatus(StrEnum):
    """Whether a photograph shows a card of the game."""

    OK = "ok"
    UNKNOWN = "unknown"  # a card, but none that can be named
    NO_CARD = "no_card"


class PhotoProblem(StrEnum):
    """Why a card in a photograph could not be named."""

    DARK = "dark"
    BLURRED = "blurred"
    SMALL = "small"  # the card fills too little of the picture
    NOTHING = "nothing"  # there seems to be no card, or most of it is covered
    FOREIGN = "foreign"  # not in the deck, or the symbol is covered


@dataclass(frozen=True, slots=True)
class CardPhoto:
    """What a photograph shows.  reading: which card; problem: why there is none; one is None."""

    status: PhotoStatus
    reading: CardReading | None = None
    problem: PhotoProblem | None = None


def read_card(picture: Picture) -> CardPhoto:
    """Return which card *picture* shows; of several, the one that is shown most plainly.

    picture: (rows, columns, 3) uint8; a grey one shows no colours, so that no card is named.
    """
    if picture.ndim != 3 or min(picture.shape[:2]) < 2:
        return CardPhoto(PhotoStatus.NO_CARD, problem=PhotoProblem.NOTHING)
    small = shrink(picture, MAX_LENGTH_PX)
    quads = []
    for quad in locate_plain_cards(small):
        quads.append(quad)
        for corners in _list_poses(small, quad):
            reading = identify_quadrangle(small, corners)
            if reading is not None:
                return CardPhoto(PhotoStatus.OK, reading)
    status = PhotoStatus.UNKNOWN if quads else PhotoStatus.NO_CARD
    return CardPhoto(status, problem=_find_problem(small, quads))


def _list_poses(picture: Picture, quad: CardQuad) -> Iterator[Points]:
    """Yield the corners (4, 2) of *quad*, then others that the card may have as well.

    One that is seen from its short side has no side that is plainly the longer one.
    """
    yield quad.corners
    yield np.roll(quad.corners, 1, axis=0)
    closer = look_closer(picture, quad).corners
    yield closer
    yield closer.mean(axis=0) + TIGHTER * (closer - closer.mean(axis=0))
    yield look_closer(picture, replace(quad, corners=np.roll(closer, 1, axis=0))).corners


def locate_plain_cards(picture: Picture) -> Iterator[CardQuad]:
    """Yield the quadrangles that are plainly cards, the plainest first."""
    return (each for each in locate_cards(picture) if each.score >= MIN_CARD_SCORE)


def shrink(picture: Picture, max_length_px: int) -> Picture:
    """Return *picture*, smaller if it is longer than that."""
    scale = max_length_px / max(picture.shape[:2])
    if scale >= 1.0:
        return picture
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


def identify_quadrangle(picture: Picture, corners: Points) -> CardReading | None:
    """Return the card with those *corners* (4, 2), or None if none is likely enough."""
    whole = classify_whole(rectify(picture, corners))
    if max(whole.kinds, key=whole.kinds.__getitem__) == OTHER:
        return None
    reading = name_card(whole, classify_places(picture, corners))
    if reading is None or reading.symbol != WILD:
        return reading
    crop = crop_quadrangle(picture, corners)
    return reading if crop is not None and has_coloured_corner(crop) else None


def has_coloured_corner(crop: CardCrop) -> bool:
    """Return whether a corner of a black card is printed in colours: a wild's small oval.

    Other black cards have a white sign or word there, draw fours +4.
    """
    left, right, bottom = (round(each * CROP_PX_PER_MM) for each in CORNER_MM)
    shares = []
    for picture in (crop.picture, crop.picture[::-1, ::-1]):
        colours = log_colour(picture[left:bottom, left:right].reshape(-1, 3), crop.paper_colour)
        is_ink = (np.ptp(colours, axis=1) > MIN_INK_SPREAD) & (colours.max(axis=1) > MIN_INK_LEVEL)
        shares.append(float(is_ink.mean()))
    return max(shares) >= MIN_INK_SHARE


def classify_places(picture: Picture, corners: Points) -> dict[str, float]:
    """Return the probability of each symbol in its places on the card with those *corners* (4, 2).

    Empty where the card has no paper or no panel to compare its symbol with.
    """
    centre, patches = corners.mean(axis=0), []
    for size in SIZES:
        crop = crop_quadrangle(picture, centre + size * (corners - centre))
        if crop is not None and crop.is_legible:
            patches += [crop.crop_centre_symbol(), *crop.crop_corner_symbols()]
    if not patches:
        return {}
    fused = [fuse_symbols(each) for each in classify_symbols(patches).reshape(-1, 3, len(SYMBOLS))]
    return {name: sum(each[name] for each in fused) / len(fused) for name in fused[0]}


def name_card(whole: WholeCard, placed: dict[str, float]) -> CardReading | None:
    """Return the card of the likeliest kind and symbol; None unless both are plain.

    placed: the probability of each symbol in its places.
    """
    kind = max(whole.kinds, key=whole.kinds.__getitem__)
    likely = whole.kinds[kind]
    if kind in (WILD, TIKI):
        likely = min(likely, whole.symbols[kind])
        has_symbol = max(placed.values(), default=0.0) > MAX_WILD_SYMBOL
        return None if has_symbol or likely < MIN_WILD else CardReading(WILD, kind, likely)
    if kind == OTHER or likely < MIN_COLOUR[kind]:
        return None
    if any(whole.kinds[each] > MAX_RIVAL_COLOUR for each in CARD_COLOURS if each != kind):
        return None
    symbols = pool_symbols(whole.symbols, placed)
    symbol = max(symbols, key=symbols.__getitem__)
    is_plain = symbol != OTHER and symbols[symbol] >= MIN_SYMBOL
    return CardReading(kind, symbol, likely * symbols[symbol]) if is_plain else None


def _find_problem(picture: Picture, quads: list[CardQuad]) -> PhotoProblem:
    """Return the likeliest reason why no card in *picture* was named."""
    grey = cv2.cvtColor(shrink(picture, MAX_OUTLINE_PX // 2), cv2.COLOR_BGR2GRAY)
    if float(grey.mean()) < MIN_LEVEL and float(np.percentile(grey, 99)) < 3 * MIN_LEVEL:
        return PhotoProblem.DARK
    if float(cv2.Laplacian(grey, cv2.CV_32F).std()) < MIN_SHARPNESS:
        return PhotoProblem.BLURRED
    if not quads:
        return PhotoProblem.NOTHING
    corners = quads[0].corners
    length = float(np.hypot(*(corners[3] - corners[0])) + np.hypot(*(corners[2] - corners[1]))) / 2
    return PhotoProblem.SMALL if length < MIN_LENGTH_PX else PhotoProblem.FOREIGN
