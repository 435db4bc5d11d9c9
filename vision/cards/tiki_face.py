"""Which Tiki Face card shows in the idol: the small card that leans against its back.

The card turns with the idol, so where it is seen follows from where the arm points. It is cut out
as if it lay flat, and named by the word printed above the face, with the panel's colour as a second
witness. A card without such a word, or one that the idol's head hides, is HIDDEN: nobody is told
which it is.
"""

from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.cards.colours import direction
from vision.cards.layout import CardSize, Idol
from vision.cards.uno_card import BROWN, INKS
from vision.geometry.pose import Points, Pose
from vision.observation import EMPTY, HIDDEN, Evidence
from vision.photometry.chromaticity import min_channel

CARD: Final = CardSize(38.0, 58.0)
TOP_MM, FOOT_MM = (15.5, 57.0), (61.4, 21.2)
"""How far behind the idol's axis, and how high, the card's upper and lower edge are."""
PX_PER_MM: Final = 3.0
ARM_BESIDE_MM: Final = 0.4
"""How far the card's middle is to the left of the idol's own, seen from behind."""
PANEL_MM: Final = ((4.0, 28.0, 8.0, 50.0), (30.0, 28.0, 34.0, 50.0), (6.0, 51.5, 32.0, 54.0))
"""Left, top, right and bottom of where the panel is bare: on both sides of the face and below."""
WOOD_MM: Final = (14.0, 30.0, 24.0, 36.0)
WORD_MM: Final = (2.0, 3.0, 36.0, 19.0)
EVEN: Final = 0.35
"""How far apart the panel's parts may look, as logarithms: glare and shade make them differ."""
WOODEN: Final = 0.955
"""The least cosine between the face's colour and brown."""
SOFT: Final = 8.0
PAPER: Final = 240.0
WHITEST: Final = 97.0
LEAST_CONTRAST: Final = 25.0
"""Between panel and print, in levels; less cannot be read."""
WORD_HIGH_MM: Final = (8.0, 8.8, 9.6)
STROKE: Final = 0.23
"""How thick letters are, as a share of their height."""
GOOD: Final = 0.8
"""How much a word usually is like its letters drawn here..."""
STRAY: Final = 0.68
"""...and what else may look like one."""
STEEP: Final = 40.0
NEAR_TINT: Final = 0.15
"""Angle between two tints that makes a face e^0.5 times less likely."""
LEAST_TINT: Final = 0.05
"""How likely a face is whose tint contradicts: printers differ."""
LEAST_INK: Final = 0.01
"""The same of a face that has one of the game's four colours."""
ANY_TINT: Final = 0.3
"""The same of a face whose colour nobody knows."""
NOTHING: Final = 0.05
"""How sure an empty back is: what is no card that we know may be one that we do not."""
LEGIBLE: Final = 0.75
"""What is like its word so much can be read, so that its colour can be believed too."""
SAME_TINT, OTHER_TINT = 0.3, 0.5
SAME_WORD: Final = 0.8
"""Angles between the tints of one face and of two with the same word, and how alike two pictures of
the same word are: faces of like tints have other words."""
UNTOUCHED, REPLACED, UNKNOWN = 0.95, 0.05, 0.5

_ALL: Final = "ALL"
WORDS: Final = {
    "tiki-draw1": "+1",
    "tiki-draw2": "+2",
    "tiki-draw4": "+4",
    "tiki-discard2": "-2",
    "tiki-goto": "GO",
    **{f"tiki-discard-{colour}": _ALL for colour in ("red", "yellow", "green", "blue")},
}
TINTS: Final = {
    "tiki-draw1": np.array([-0.47, -0.45, -0.76]),
    "tiki-draw2": np.array([-0.35, -0.51, -0.79]),
    "tiki-draw4": np.array([-0.64, -0.71, -0.27]),
    "tiki-goto": np.array([-0.35, -0.79, -0.51]),
}
"""Blue, green and red of some faces' panels as logarithms, 0 for white: only directions count."""

_Stroke: TypeAlias = tuple[tuple[float, float], ...]


def _arc(x: float, y: float, wide: float, high: float, start_deg: float, end_deg: float) -> _Stroke:
    """Return a part of an ellipse, clockwise from the right."""
    turns = np.radians(np.linspace(start_deg, end_deg, 15))
    return tuple((x + wide * np.cos(turn), y + high * np.sin(turn)) for turn in turns)


LETTERS: Final[dict[str, tuple[float, tuple[_Stroke, ...]]]] = {
    "+": (1.0, (((0.12, 0.52), (0.82, 0.52)), ((0.47, 0.17), (0.47, 0.87)))),
    "-": (0.62, (((0.1, 0.58), (0.48, 0.58)),)),
    "1": (0.86, (((0.16, 0.22), (0.44, 0.13), (0.44, 0.88)), ((0.14, 0.88), (0.74, 0.88)))),
    "2": (0.84, ((*_arc(0.4, 0.36, 0.26, 0.24, 200, 400), (0.14, 0.87), (0.72, 0.87)),)),
    "4": (0.88, (((0.56, 0.88), (0.56, 0.13), (0.12, 0.66), (0.8, 0.66)),)),
    "A": (0.98, (((0.1, 0.88), (0.48, 0.12), (0.86, 0.88)), ((0.24, 0.65), (0.72, 0.65)))),
    "L": (0.82, (((0.2, 0.12), (0.2, 0.88), (0.7, 0.88)),)),
    "G": (1.0, ((*_arc(0.5, 0.5, 0.38, 0.38, 320, 40), (0.86, 0.55), (0.6, 0.55)),)),
    "O": (1.02, (_arc(0.5, 0.5, 0.38, 0.38, 0, 360),)),
}
"""The width of each letter and its strokes, in shares of its height: x right, y down."""


@dataclass(frozen=True, eq=False)
class Back:
    """The idol's back, cut out where a card leans, at PX_PER_MM.

    word: (rows, columns) of where the word is, from panel 0 to print 1.  tint: the panel's.
    is_card: whether it looks like a card with a face.
    """

    word: NDArray[np.float32]
    tint: NDArray[np.float64]
    is_card: bool

    @cached_property
    def likeness(self) -> dict[str, float]:
        """How much what is printed is like each word, at most 1."""
        return {word: _likeness(self.word, word) for word in set(WORDS.values())}

    @property
    def is_legible(self) -> bool:
        """Whether any word can be read."""
        return self.is_card and max(self.likeness.values()) >= LEGIBLE


def look_behind(
    picture: Picture, pose: Pose, levels: NDArray[np.uint8], idol: Idol, deg: float
) -> Back:
    """Return what is behind the *idol* while its arm points to *deg*.

    levels: (1, 256, 3) uint8, how each level is to be seen.
    """
    shape = (round(CARD.w * PX_PER_MM), round(CARD.h * PX_PER_MM))
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    plane = _lean(pose, idol, deg)
    seen = cv2.warpPerspective(picture, plane, shape, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    card = np.asarray(cv2.LUT(seen, levels), np.uint8)
    parts = np.array([_tint(card, place) for place in PANEL_MM])
    wood = float(direction(_tint(card, WOOD_MM)) @ direction(BROWN))
    panel = np.median(parts, axis=0) - _white(card)
    pale = min_channel(card)
    low = float(np.median(_cut(pale, PANEL_MM[0])))
    high = float(np.percentile(_cut(pale, WORD_MM), WHITEST))
    is_even = float(np.ptp(parts, axis=0).max()) <= EVEN
    is_card = is_even and wood >= WOODEN and high - low >= LEAST_CONTRAST
    word = np.clip((_cut(pale, WORD_MM).astype(np.float32) - low) / max(high - low, 1.0), 0, 1)
    return Back(np.asarray(word, np.float32), panel, is_card)


def weigh_back(back: Back | None) -> Evidence:
    """Return which face shows; None: nobody knows where the idol points."""
    if back is None:
        return Evidence({HIDDEN: 1.0})
    if not back.is_card:
        return Evidence({EMPTY: NOTHING, HIDDEN: 1.0 - NOTHING})
    inks = INKS.weigh(back.tint)
    weights = {
        name: np.exp(STEEP * (back.likeness[word] - GOOD)) * _colour(name, back.tint, inks)
        for name, word in WORDS.items()
    }
    weights[HIDDEN] = np.exp(STEEP * (STRAY - GOOD))
    total = sum(weights.values())
    return Evidence({name: float(weight / total) for name, weight in weights.items()})


def is_same_back(then: Back | None, now: Back | None) -> float:
    """Return how surely the same card shows as did *then*, 0.5 where the looks do not tell."""
    if then is None or now is None or not (then.is_card and now.is_card):
        return UNKNOWN
    cosine = float(direction(then.tint) @ direction(now.tint))
    apart = float(np.arccos(np.clip(cosine, -1.0, 1.0)))
    alike = _correlate(then.word, now.word[2:-2, 4:-4])
    if apart >= OTHER_TINT and then.is_legible and now.is_legible:
        return REPLACED
    if alike >= SAME_WORD and apart <= SAME_TINT:
        return UNTOUCHED
    return UNKNOWN


def _colour(name: str, tint: NDArray[np.float64], inks: dict[str, float]) -> float:
    """Return how well *tint* suits a face; *inks*: how likely it is each of the game's colours."""
    colour = name.rpartition("-")[2]
    if colour in inks:
        return max(inks[colour], LEAST_INK)
    if name not in TINTS:
        return ANY_TINT
    cosine = float(direction(TINTS[name]) @ direction(tint))
    angle = float(np.arccos(np.clip(cosine, -1.0, 1.0)))
    return max(float(np.exp(-((angle / NEAR_TINT) ** 2) / 2)), LEAST_TINT)


def _lean(pose: Pose, idol: Idol, deg: float) -> Points:
    """Return how pixels of the card, upright, become the picture's."""
    turn = np.radians(deg)
    ahead, right = np.array([np.sin(turn), -np.cos(turn)]), np.array([np.cos(turn), np.sin(turn)])
    corners = [
        [*([idol.x, idol.y] - ahead * away - right * (-side * CARD.w / 2 + ARM_BESIDE_MM)), z]
        for (away, z), sides in ((TOP_MM, (-1, 1)), (FOOT_MM, (1, -1)))
        for side in sides
    ]
    pixels = pose.project(np.array(corners)).astype(np.float32)
    wide, high = CARD.w * PX_PER_MM, CARD.h * PX_PER_MM
    flat = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(flat, pixels), np.float64)


def _cut(picture: NDArray[np.uint8], place: tuple[float, ...]) -> NDArray[np.uint8]:
    left, top, right, bottom = (round(side * PX_PER_MM) for side in place)
    return picture[top:bottom, left:right]


def _tint(card: Picture, place: tuple[float, ...]) -> NDArray[np.float64]:
    middle = np.median(_cut(card, place).reshape(-1, 3), axis=0)
    return np.asarray(np.log((middle + SOFT) / (PAPER + SOFT)), np.float64)


def _white(card: Picture) -> NDArray[np.float64]:
    """Return the colour of the printed word, as `_tint` has it: of the light on the card itself."""
    levels = np.percentile(_cut(card, WORD_MM).reshape(-1, 3), WHITEST, axis=0)
    return np.asarray(np.log((levels + SOFT) / (PAPER + SOFT)), np.float64)


def _likeness(seen: NDArray[np.float32], word: str) -> float:
    return max(_correlate(seen, drawn) for drawn in _draw(word))


def _correlate(seen: NDArray[np.float32], drawn: NDArray[np.float32]) -> float:
    return float(np.nan_to_num(cv2.matchTemplate(seen, drawn, cv2.TM_CCOEFF_NORMED)).max())


@lru_cache(maxsize=16)
def _draw(word: str) -> tuple[NDArray[np.float32], ...]:
    """Return *word*, white on black, in each of the usual heights, blurred as by a camera."""
    return tuple(_draw_high(word, high * PX_PER_MM) for high in WORD_HIGH_MM)


@cache
def _draw_high(word: str, high_px: float) -> NDArray[np.float32]:
    big, edge = 8.0, 4.0
    scale, width = high_px * big, sum(LETTERS[letter][0] for letter in word)
    shape = (round(scale + 2 * edge * big), round(width * scale + 2 * edge * big))
    canvas, left = np.zeros(shape, np.uint8), edge * big
    for letter in word:
        wide, strokes = LETTERS[letter]
        for stroke in strokes:
            points = np.array(stroke) * scale + [left, edge * big]
            thick = round(STROKE * scale)
            cv2.polylines(canvas, [np.round(points).astype(np.int32)], False, 255, thick)
        left += wide * scale
    small = cv2.resize(canvas, None, fx=1 / big, fy=1 / big, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small.astype(np.float32) / 255.0, (0, 0), 1.0), np.float32)
