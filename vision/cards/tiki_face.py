"""Classification of the Tiki Face card in the idol: the small card that leans against its back.

The card turns with the idol, so its plane follows from the angle of the arm. It is rectified, and
classified by the word printed above the face and by the panel's colour. A card whose word cannot be
read, or one that the idol's head occludes, is HIDDEN.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.cards.card_crop import MIN_CONTRAST_LEVELS
from vision.cards.colours import LogColour, angle_between, chromaticity, log_colour
from vision.cards.layout import CardSize, Idol
from vision.cards.reidentification import UNKNOWN
from vision.cards.uno_card import CARD_COLOURS, WOOD_COLOUR
from vision.cards.word_templates import correlate, render_word
from vision.geometry.pose import Points, Pose
from vision.observation import EMPTY, HIDDEN, Evidence
from vision.photometry.chromaticity import min_channel

CARD: Final = CardSize(38.0, 58.0)
TOP_EDGE_MM, BOTTOM_EDGE_MM = (15.5, 57.0), (61.4, 21.2)
"""How far behind the idol's axis, and how high, these edges of the card are.  Measured in two
recorded games, to 1.7 pixels (docs/decisions/0225)."""
CARD_OFFSET_MM: Final = 0.4
"""How far the card's centre is to the left of the idol's own, seen from behind.  Measured too."""
PX_PER_MM: Final = 3.0
PANEL_BOXES_MM: Final = ((4.0, 28.0, 8.0, 50.0), (30.0, 28.0, 34.0, 50.0), (6.0, 51.5, 32.0, 54.0))
"""Left, top, right and bottom where nothing is printed on the panel: beside the face and below."""
WOOD_BOX_MM: Final = (14.0, 30.0, 24.0, 36.0)
WORD_BOX_MM: Final = (2.0, 3.0, 36.0, 19.0)
"""The same of the wooden face, and of the word."""
WORD_HEIGHTS_MM: Final = (8.0, 8.8, 9.6)
"""Heights of the letters that are matched.  Measured."""
MAX_RIVALS: Final = 2
"""How many words, the likeliest in letters of usual height, are matched in other heights too."""
WHITE_LEVEL: Final = 240.0
"""Of well exposed paper, which the white balance brings it to."""
PRINT_QUANTILE: Final = 0.97
"""Of the levels in the word's box: white print."""
MAX_PANEL_SPREAD: Final = 0.35
"""Between the panel's boxes, in log colour; glare and shadow make them differ.  Tuned."""
MIN_WOOD_COSINE: Final = 0.955
"""Between the chromaticities of the face and of WOOD_COLOUR.  Tuned."""
CORRELATION_SHARPNESS: Final = 40.0
"""Log-odds per unit of correlation between image and template."""
BACKGROUND_CORRELATION: Final = 0.68
"""Of a word with what is none of the words; with its own print it is about 0.8."""
MIN_LEGIBLE_CORRELATION: Final = 0.75
"""With any word, for the card to be visible, and its colour reliable."""
COLOUR_SIGMA_RAD: Final = 0.15
"""Spread of a face's colour over printers and light sources.  Tuned."""
MIN_COLOUR_LIKELIHOOD: Final = 0.05
"""Of a face whose colour contradicts: other printings may differ."""
MIN_DISCARD_LIKELIHOOD: Final = 0.01
"""The same of a face in one of the game's four colours, which alone tell these faces apart."""
UNKNOWN_COLOUR_LIKELIHOOD: Final = 0.3
"""Of a face whose colour is not in PANEL_COLOURS."""
MAX_SAME_ANGLE_RAD: Final = 0.5
MIN_SAME_WORD_CORRELATION: Final = 0.8
"""Between two pictures of the same card: the angle between the panel's colours, and the words'
correlation.  Tuned."""

WORDS: Final = {
    "tiki-draw1": "+1",
    "tiki-draw2": "+2",
    "tiki-draw4": "+4",
    "tiki-discard2": "-2",
    "tiki-goto": "GO",
    **{f"tiki-discard-{colour}": "ALL" for colour in ("red", "yellow", "green", "blue")},
}
PANEL_COLOURS: Final = {
    "tiki-draw1": np.array([-0.47, -0.45, -0.76]),
    "tiki-draw2": np.array([-0.35, -0.51, -0.79]),
    "tiki-draw4": np.array([-0.64, -0.71, -0.27]),
    "tiki-goto": np.array([-0.35, -0.79, -0.51]),
}
"""Log colours of some faces' panels; only their directions count.  Measured."""


@dataclass(frozen=True, eq=False)
class IdolBack:
    """The idol's back, rectified where a card leans, at PX_PER_MM.

    word: (rows, columns) crop of the word's box, 0 for the panel and 1 for print.
    panel_colour: (3,) log colour.  is_card: whether it looks like a card with a wooden face.
    """

    word: NDArray[np.float32]
    panel_colour: LogColour
    is_card: bool

    @cached_property
    def correlations(self) -> dict[str, float]:
        """The correlation of what is printed with each of the words, at most 1."""
        small, usual, large = (height * PX_PER_MM for height in WORD_HEIGHTS_MM)
        found = {
            word: correlate(self.word, render_word(word, usual))
            for word in dict.fromkeys(WORDS.values())
        }
        for word in sorted(found, key=found.__getitem__)[-MAX_RIVALS:]:
            others = (correlate(self.word, render_word(word, each)) for each in (small, large))
            found[word] = max(found[word], *others)
        return found

    @property
    def is_legible(self) -> bool:
        """Whether the word can be read."""
        return self.is_card and max(self.correlations.values()) >= MIN_LEGIBLE_CORRELATION


def crop_back(
    picture: Picture, pose: Pose, white_balance: NDArray[np.uint8], idol: Idol, deg: float
) -> IdolBack:
    """Return the back of the *idol* whose arm points to *deg*.

    white_balance: (1, 256, 3) uint8 lookup table for the picture's levels.
    """
    shape = (round(CARD.w * PX_PER_MM), round(CARD.h * PX_PER_MM))
    homography, flags = _card_homography(pose, idol, deg), cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    warped = cv2.warpPerspective(
        picture, homography, shape, flags=flags, borderMode=cv2.BORDER_REPLICATE
    )
    card = np.asarray(cv2.LUT(warped, white_balance), np.uint8)
    panels = np.array([_median_log_colour(card, box) for box in PANEL_BOXES_MM])
    wood = _median_log_colour(card, WOOD_BOX_MM)
    wood_cosine = float(chromaticity(wood) @ chromaticity(WOOD_COLOUR))
    print_levels = _quantile(_crop(card, WORD_BOX_MM), PRINT_QUANTILE)
    print_colour = log_colour(print_levels, WHITE_LEVEL)
    minima = min_channel(card)
    word = _crop(minima, WORD_BOX_MM)
    panel_level = float(_quantile(_crop(minima, PANEL_BOXES_MM[0]), 0.5)[0])
    contrast = float(_quantile(word, PRINT_QUANTILE)[0]) - panel_level
    is_uniform = float(np.ptp(panels, axis=0).max()) <= MAX_PANEL_SPREAD
    is_card = is_uniform and wood_cosine >= MIN_WOOD_COSINE and contrast >= MIN_CONTRAST_LEVELS
    scaled = np.clip((word.astype(np.float32) - panel_level) / max(contrast, 1.0), 0, 1)
    panel_colour = np.median(panels, axis=0) - print_colour
    return IdolBack(np.asarray(scaled, np.float32), panel_colour, is_card)


def classify_back(back: IdolBack | None) -> Evidence:
    """Return the evidence for the face in the idol; None: its back was not cropped."""
    if back is None:
        return Evidence({HIDDEN: 1.0})
    if not back.is_card:  # or one of another printing, which may look like no card
        return Evidence({EMPTY: 0.05, HIDDEN: 0.95})
    card_colours = CARD_COLOURS.classify(back.panel_colour)
    likelihoods = {
        name: np.exp(CORRELATION_SHARPNESS * back.correlations[word])
        * _colour_likelihood(name, back.panel_colour, card_colours)
        for name, word in WORDS.items()
    }
    likelihoods[HIDDEN] = np.exp(CORRELATION_SHARPNESS * BACKGROUND_CORRELATION)
    total = sum(likelihoods.values())
    return Evidence({name: float(each / total) for name, each in likelihoods.items()})


def reidentify_back(before: IdolBack | None, after: IdolBack | None) -> float:
    """Return the probability that the same card is in the idol: 0.95, 0.05, or 0.5 if unknown."""
    if before is None or after is None or not (before.is_card and after.is_card):
        return UNKNOWN
    if angle_between(before.panel_colour, after.panel_colour) >= MAX_SAME_ANGLE_RAD:
        return 0.05 if before.is_legible and after.is_legible else UNKNOWN
    correlation = correlate(before.word, after.word[2:-2, 4:-4])
    return 0.95 if correlation >= MIN_SAME_WORD_CORRELATION else UNKNOWN


def _colour_likelihood(name: str, colour: LogColour, card_colours: dict[str, float]) -> float:
    """Return the likelihood of a panel's *colour* on the face *name*.

    card_colours: the probabilities of the game's four colours.
    """
    discarded = name.rpartition("-")[2]
    if discarded in card_colours:
        return max(card_colours[discarded], MIN_DISCARD_LIKELIHOOD)
    if name not in PANEL_COLOURS:
        return UNKNOWN_COLOUR_LIKELIHOOD
    angle = angle_between(PANEL_COLOURS[name], colour)
    return max(float(np.exp(-((angle / COLOUR_SIGMA_RAD) ** 2) / 2)), MIN_COLOUR_LIKELIHOOD)


def _card_homography(pose: Pose, idol: Idol, deg: float) -> Points:
    """Return the homography (3, 3) from pixels of the card, upright, to the picture's."""
    angle = np.radians(deg)
    ahead = np.array([np.sin(angle), -np.cos(angle)])
    right = np.array([np.cos(angle), np.sin(angle)])
    corners = [
        [*([idol.x, idol.y] - ahead * behind - right * (-side * CARD.w / 2 + CARD_OFFSET_MM)), z]
        for (behind, z), sides in ((TOP_EDGE_MM, (-1, 1)), (BOTTOM_EDGE_MM, (1, -1)))
        for side in sides
    ]
    pixels = pose.project(np.array(corners)).astype(np.float32)
    w, h = CARD.w * PX_PER_MM, CARD.h * PX_PER_MM
    upright = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(upright, pixels), np.float64)


def _crop(picture: NDArray[np.uint8], box_mm: tuple[float, ...]) -> NDArray[np.uint8]:
    left, top, right, bottom = (round(side * PX_PER_MM) for side in box_mm)
    return picture[top:bottom, left:right]


def _median_log_colour(card: Picture, box_mm: tuple[float, ...]) -> LogColour:
    return log_colour(_quantile(_crop(card, box_mm), 0.5), WHITE_LEVEL)


def _quantile(levels: NDArray[np.uint8], share: float) -> NDArray[np.uint8]:
    """Return the levels (channels,) that *share* of a crop (rows, columns, channels) do not exceed.

    From histograms, which takes a fraction of the time of sorting.
    """
    counts = [np.bincount(each.ravel(), minlength=256).cumsum() for each in cv2.split(levels)]
    return np.array([np.searchsorted(each, share * each[-1]) for each in counts], np.uint8)
