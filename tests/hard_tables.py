"""Tables made ever harder to read: each ladder alters a recorded game's pictures step by step.

A step holds for a whole game, the picture that is learned from included, as a home's lamp, camera
or set would. What a picture alone cannot show, such as another side of a piece under a low camera,
is rendered (see `rendering/room.py`).
"""

import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

import cv2
import numpy as np

from companion.apps.evaluation.alteration import Levels, as_picture
from vision.capture.frame import Picture

Step = Callable[[Levels, str], Levels]
"""What becomes of a picture of so many levels, by its name."""

CLOSE_HUES_DEG: Final[Mapping[str, tuple[float, float]]] = {
    "tiki_topple": (4.0, 22.0),
    "tactiki": (28.0, 214.0),
    "topple": (322.0, 49.0),
    "tippi_toppi": (262.0, 322.0),
    "uno_tiki": (0.0, 48.0),
}
"""Of the shipped sets, two colours: nani and akamai, tac and tiki, pink and yellow, purple and
pink, red and yellow."""
DARK_GRAIN: Final = 3.0
PATCH: Final = (0.25, 0.62)
"""Between these shares of the picture's width, along its rising diagonal, the sun shines."""


@dataclass(frozen=True, slots=True)
class Ladder:
    """Ever harder tables.

    steps: by what is changed, in words.  step_of: makes one for a game.
    """

    name: str
    unit: str
    strengths: tuple[float, ...]
    step_of: Callable[[str, float], Step]


def bring_hues_together(game: str, share: float) -> Step:
    """Return a step that leaves *share* of the way between two hues of *game*'s set."""
    one, other = CLOSE_HUES_DEG[game]
    way = (other - one + 180.0) % 360.0 - 180.0
    middle, half = one + way / 2.0, abs(way) / 2.0
    # All other hues are spread over what becomes free, so that none jumps.
    off = (np.arange(361) - middle + 180.0) % 360.0 - 180.0
    far = np.abs(off)
    outer = share * half + (far - half) * (180.0 - share * half) / (180.0 - half)
    moved = np.sign(off) * np.where(far <= half, share * far, outer)
    table = (middle + moved) % 360.0

    def step(levels: Levels, name: str) -> Levels:
        del name
        hsv = cv2.cvtColor(np.clip(levels, 0, 255) / np.float32(255), cv2.COLOR_BGR2HSV)
        hsv[..., 0] = table[np.rint(hsv[..., 0]).astype(np.intp)]
        return np.asarray(255.0 * cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR), np.float32)

    return step


def _fade(share: float, levels: Levels, name: str) -> Levels:
    del name
    grey = levels.mean(axis=2, keepdims=True)
    return np.asarray(grey + np.float32(share) * (levels - grey), np.float32)


def _darken(share: float, levels: Levels, name: str) -> Levels:
    return _roughen(DARK_GRAIN, levels * np.float32(share), name)


def _roughen(sigma: float, levels: Levels, name: str) -> Levels:
    random = np.random.default_rng(zlib.crc32(name.encode()))
    return levels + np.float32(sigma) * random.standard_normal(levels.shape, np.float32)


def _blur(sigma_px: float, levels: Levels, name: str) -> Levels:
    """Return the same out of focus, by so many pixels of a picture 1536 wide."""
    del name
    sigma = sigma_px * levels.shape[1] / 1536
    return np.asarray(cv2.GaussianBlur(levels, (0, 0), sigma), np.float32)


def _shrink(share: float, levels: Levels, name: str) -> Levels:
    del name
    small = cv2.resize(levels, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32)


def _warm(share: float, levels: Levels, name: str) -> Levels:
    """Return the same by a lamp that has so much of white light's blue."""
    del name
    gains = np.array([share, share**0.4, share**-0.15], np.float32)
    return np.asarray(levels * gains, np.float32)


def _shine(gain: float, levels: Levels, name: str) -> Levels:
    """Return the same with the sun on a strip of the table, by a hard edge."""
    del name
    height, width = levels.shape[:2]
    at = (np.arange(width)[None] + np.arange(height)[:, None]) / (height + width)
    lit = (at > PATCH[0]) & (at < PATCH[1])
    return np.asarray(levels * np.where(lit, np.float32(gain), 1.0)[..., None], np.float32)


def _veil(share: float, levels: Levels, name: str) -> Levels:
    """Return the same through a smeared lens, which spreads *share* of the light."""
    del name
    spread = cv2.resize(levels, None, fx=0.05, fy=0.05, interpolation=cv2.INTER_AREA)
    spread = cv2.GaussianBlur(spread, (0, 0), 8.0)
    spread = cv2.resize(spread, levels.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    return np.asarray((1.0 - share) * levels + share * (spread + 40.0), np.float32)


def _plain(alter: Callable[[float, Levels, str], Levels], game: str, strength: float) -> Step:
    del game
    return partial(alter, strength)


LADDERS: Final[tuple[Ladder, ...]] = (
    Ladder("as recorded", "", (1.0,), partial(_plain, lambda _, levels, __: levels)),
    Ladder("two hues alike", "of their way", (0.25, 0.0), bring_hues_together),
    Ladder("faded", "of the colours", (0.25, 0.12), partial(_plain, _fade)),
    Ladder("darker", "of the light", (0.3, 0.15), partial(_plain, _darken)),
    Ladder("noise", "levels", (14.0, 28.0), partial(_plain, _roughen)),
    Ladder("blur", "pixels", (2.5, 4.5), partial(_plain, _blur)),
    Ladder("fewer pixels", "of the width", (0.6, 0.4), partial(_plain, _shrink)),
    Ladder("warm lamp", "of the blue", (0.4, 0.2), partial(_plain, _warm)),
    Ladder("sun on a strip", "times the light", (1.7, 2.5), partial(_plain, _shine)),
    Ladder("smeared lens", "of the light", (0.35, 0.6), partial(_plain, _veil)),
)


class HardTable:
    """The conditions of a game filmed on one step of a ladder; see `games.Conditions`."""

    def __init__(self, step: Step, lost: frozenset[str] = frozenset()) -> None:
        self.step = step
        self.lost = lost

    def film(self, name: str, picture: Picture) -> Picture:
        """Return what is seen of *picture*, the frame *name*."""
        return as_picture(self.step(picture.astype(np.float32), name))
