"""Identification of the one UNO card in a photograph, without a mat and without calibration.

The card may be held or lie on anything, in any pose. One network locates its corners, two more tell
its kind and its symbol by all of it, and that for symbols names what is printed in centre and
corners. Where no card that is located can be named, outlines of white borders are tried.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import cv2
import numpy as np

from vision.capture.frame import Picture
from vision.cards.card_corners import CardQuad, locate_cards, look_closer
from vision.cards.card_crop import CardCrop
from vision.cards.card_kinds import CARD_COLOURS, WholeCard, classify_kind, classify_whole
from vision.cards.card_outlines import crop_outlines, crop_quadrangle
from vision.cards.card_rectification import CORNERS_MM, rectify
from vision.cards.colours import log_colour
from vision.cards.segmentation import CROP_PX_PER_MM
from vision.cards.symbol_fusion import fuse_symbols, sum_classes
from vision.cards.symbols import OTHER, SYMBOLS, classify_symbols
from vision.cards.uno_card import TIKI, WILD, CardReading, classify_colour, identify_card
from vision.geometry.pose import Points

MAX_LENGTH_PX: Final = 1280
MAX_OUTLINE_PX: Final = 900
"""Longer pictures are scaled down; for outlines further."""
MIN_CARD_SCORE: Final = 0.3
"""From which score on there is a card, known or not."""
MIN_KIND: Final = 0.6
MAX_RIVAL_COLOUR: Final = 0.1
"""Probability of a card's colour, and of any other colour; the rest is that it is foreign, which a
plain symbol contradicts."""
MIN_SURE_KIND: Final = 0.8
"""From which probability on a colour needs no confirmation by comparison with the paper."""
MAX_PANEL_RIVAL: Final = 0.5
"""Probability of another colour by comparison with the paper."""
MIN_WILD: Final = 0.95
MIN_SEEN_WILD: Final = 0.85
"""Probability of a wild or a Tiki Face, which have no symbol that could confirm them; and of one
that was identified by its four colours or its wood."""
MIN_SYMBOL: Final = 0.65
MAX_RIVAL: Final = 0.08
"""Probability of its symbol, and of any other symbol."""
MIN_CORNER: Final = 0.1
"""Probability of the same symbol in the plainer of both corners: a card of another deck may look
like a digit in the centre, hardly in a corner too."""
MIN_WHOLE_WILD: Final = 0.98
"""Probability of the same by the network that has seen more black cards, of kind and symbol."""
CORNER_MM: Final = (3.5, 12.0, 15.0)
"""From where to where a small symbol is printed, across, and how far down."""
MIN_INK_SPREAD, MIN_INK_LEVEL = 0.5, -1.0
MIN_INK_SHARE: Final = 0.02
"""Between the channels of a printed colour, relative to paper as logarithms; of the brightest; and
how much of a corner has such colours.  Tuned."""
MIN_WHOLE: Final = 0.8
MAX_WHOLE_RIVAL: Final = 0.8
"""Probability by all of the card: of a symbol that is not plain in any corner; and of another one,
or of none of the deck's, which then is a contradiction."""
MAX_WILD_SYMBOL: Final = 0.5
"""A wild has no symbol that is likelier."""
MIN_OUTLINE_KIND: Final = 0.1
"""Of the colour of a card that was identified by its outline."""
SIZES: Final = (1.0, 0.96, 1.04)
"""Corners may be a little inside or outside of the true ones: the symbol is looked for in each."""
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
    quads = locate_plain_cards(small)
    for quad in quads:
        reading = identify_quadrangle(small, quad.corners)
        if reading is None:
            reading = identify_quadrangle(small, look_closer(small, quad).corners)
        if reading is not None:
            return CardPhoto(PhotoStatus.OK, reading)
    reading, seen = _read_outlines(shrink(picture, MAX_OUTLINE_PX))
    if reading is not None:
        return CardPhoto(PhotoStatus.OK, reading)
    status = PhotoStatus.UNKNOWN if quads or seen else PhotoStatus.NO_CARD
    return CardPhoto(status, problem=_find_problem(small, quads))


def locate_plain_cards(picture: Picture) -> list[CardQuad]:
    """Return the quadrangles that are plainly cards, the plainest first."""
    return [each for each in locate_cards(picture) if each.score >= MIN_CARD_SCORE]


def shrink(picture: Picture, max_length_px: int) -> Picture:
    """Return *picture*, smaller if it is longer than that."""
    scale = max_length_px / max(picture.shape[:2])
    if scale >= 1.0:
        return picture
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


def identify_quadrangle(picture: Picture, corners: Points) -> CardReading | None:
    """Return the card with those *corners* (4, 2), or None if none is likely enough."""
    rectified = rectify(picture, corners)
    whole = classify_whole(rectified)
    kinds = whole.kinds if is_plainly_wild(whole) else classify_kind(rectified)
    if max(kinds, key=kinds.__getitem__) == OTHER:
        return None
    reading = name_card(kinds, _classify_symbol(picture, corners, whole.symbols))
    if reading is None or reading.symbol == TIKI:
        return reading
    crop = crop_quadrangle(picture, corners)
    if reading.color == WILD:
        return reading if crop is not None and has_coloured_corner(crop) else None
    panel = {} if crop is None else classify_colour(crop)
    return reading if is_confirmed(reading.color, kinds, panel) else None


def is_plainly_wild(whole: WholeCard) -> bool:
    """Return whether *whole* is a wild or a Tiki Face so surely that nobody else need be asked."""
    return any(
        min(whole.kinds[each], whole.symbols[each]) >= MIN_WHOLE_WILD for each in (WILD, TIKI)
    )


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


def is_confirmed(colour: str, kinds: dict[str, float], panel: dict[str, float]) -> bool:
    """Return whether *colour* of *kinds* agrees with what the *panel* is beside the card's paper.

    That comparison errs in mixed light and deep shadow, so that it need not be certain itself.
    """
    if any(each > MAX_PANEL_RIVAL for name, each in panel.items() if name != colour):
        return False
    return kinds[colour] >= MIN_SURE_KIND or panel.get(colour, 0.0) >= MAX_PANEL_RIVAL


def _classify_symbol(
    picture: Picture, corners: Points, whole: dict[str, float]
) -> dict[str, float]:
    """Return the probability of each symbol on the card with those *corners* (4, 2).

    whole: the same by all of the card.  None is likely if neither that nor a corner confirms it.
    """
    centre, patches = corners.mean(axis=0), []
    for size in SIZES:
        crop = crop_quadrangle(picture, centre + size * (corners - centre))
        if crop is not None and crop.is_legible:
            patches += [crop.crop_centre_symbol(), *crop.crop_corner_symbols()]
    if not patches:
        return {}
    seen = classify_symbols(patches).reshape(-1, 3, len(SYMBOLS))
    fused = [fuse_symbols(each) for each in seen]
    mean = {name: sum(each[name] for each in fused) / len(fused) for name in fused[0]}
    likeliest = max(mean, key=mean.__getitem__)
    corner = max(sum_classes(each, likeliest) for each in seen[:, 1:].reshape(-1, len(SYMBOLS)))
    return mean if is_seen_again(corner, whole, likeliest) else {}


def is_seen_again(corner: float, whole: dict[str, float], symbol: str) -> bool:
    """Return whether the *symbol* in the centre is seen in a corner too, or by all of the card.

    corner: its probability in the plainer of both.  whole: that of each symbol by all of the card.
    """
    if any(each > MAX_WHOLE_RIVAL for name, each in whole.items() if name != symbol):
        return False
    return corner >= MIN_CORNER or whole[symbol] >= MIN_WHOLE


def name_card(kinds: dict[str, float], symbols: dict[str, float]) -> CardReading | None:
    """Return the card of the likeliest of *kinds* and *symbols*; None unless both are plain."""
    kind = max(kinds, key=kinds.__getitem__)
    likely, symbol = kinds[kind], max(symbols, key=symbols.__getitem__, default="")
    if kind in (WILD, TIKI):
        has_symbol = symbols.get(symbol, 0.0) > MAX_WILD_SYMBOL
        return None if has_symbol or likely < MIN_WILD else CardReading(WILD, kind, likely)
    if kind == OTHER or likely < MIN_KIND or symbols.get(symbol, 0.0) < MIN_SYMBOL:
        return None
    if any(kinds[each] > MAX_RIVAL_COLOUR for each in CARD_COLOURS if each != kind):
        return None
    if any(each > MAX_RIVAL for name, each in symbols.items() if name != symbol):
        return None
    return CardReading(kind, symbol, likely * symbols[symbol])


def _read_outlines(picture: Picture) -> tuple[CardReading | None, bool]:
    """Return the one card that all outlines mean, and whether there is any outline of a card."""
    readings, seen = [], False
    for crop in crop_outlines(picture):
        seen = True
        reading = identify_card(crop)
        if reading is not None and _is_plausible(crop, reading):
            readings.append(reading)
    if len({(reading.color, reading.symbol) for reading in readings}) != 1:
        return None, seen
    return max(readings, key=lambda reading: reading.confidence), seen


def _is_plausible(crop: CardCrop, reading: CardReading) -> bool:
    """Return whether the network for kinds does not rule out what an outline shows."""
    if reading.symbol == WILD and not has_coloured_corner(crop):
        return False
    corners = cv2.perspectiveTransform(CORNERS_MM[None], crop.view.homography)[0]
    kinds = classify_kind(rectify(crop.view.picture, np.asarray(corners, np.float64)))
    if reading.color == WILD:
        return kinds[reading.symbol] >= MIN_SEEN_WILD
    return kinds[reading.color] >= MIN_OUTLINE_KIND


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
