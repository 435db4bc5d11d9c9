"""Watch the table around what is played with, and say whether anybody reaches over it.

The line of Tikis has a printed board around it; cards lie on a bare table. What has come over it
since the calibration picture is an arm if its colour is not the table's, or if it is far lighter or
darker: shadows of thicker piles, and of an idol that turns, are neither. Where a single lamp makes
shadows black, which shows while the table is learned, what is as black may be one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.geometry.pose import Pose
from vision.geometry.rectification import STEP_MM, Area, Mask, box_hull, coarsen, in_view
from vision.occlusion.board_background import LIGHTS, BoardBackground, Surround, build_surround
from vision.photometry.chromaticity import (
    LIGHTNESS_WEIGHT,
    Light,
    measure_brightness,
    measure_squeeze,
    to_chroma,
)

MARGIN_MM: Final = 17.0
LEAN: Final = 0.8
"""How much of the table around the things is looked at, and how much more for each mm of their
height: seen from the side, a thing hides the table behind it."""
OTHER_COLOUR: Final = 0.12
MUCH_LIGHTER: Final = 0.3
MUCH_DARKER: Final = -0.9
"""Changes that no shadow makes: of colour, and of the logarithm of the lightness."""
BLACK: Final = 1.3, 6.0
"""A shadow is as dark as another if it is no lighter than so many times that, and a few levels."""
SPREAD: Final = (5, 5)
SAME: Final = 0.05
"""Averaged over so many pixels of 2 mm, what has become lighter or darker by no more than a level
and this share looks the same: noise is less, another colour is more."""
LEAST_STRONG_MM2: Final = 150.0
LEAST_LIGHT_MM2: Final = 700.0
"""How much of an arm must show such a change.  Where the shadow of an idol has gone the table is
lighter too, but no arm is as narrow."""


@dataclass(frozen=True, slots=True)
class Thing:
    """Something that is played with, as a box on the table in mm.

    half_w, half_h: half its sides, with all the room in which it may lie.  height: of its top.
    """

    x: float
    y: float
    half_w: float
    half_h: float
    height: float

    def hull(self, pose: Pose, area: Area) -> Mask:
        """Return which coarse pixels of the table in *area* it may hide."""
        half = (self.half_w, self.half_h)
        return box_hull((self.x, self.y), half, (0.0, self.height), pose, area)


class _Free:
    """The table when nothing had changed where arms come from; any may since have come in there.

    Who reaches over the table has to cross it there. As long as it looks the same, to less than
    what counts as another colour, nobody has, whatever has become of the cards and their shadows.
    """

    def __init__(self, picture: NDArray[np.uint8], surround: Surround) -> None:
        """*picture*: coarse, in which nothing in the *surround* has changed further off."""
        self._surround = surround
        self._then = cv2.blur(picture, SPREAD)
        self._least = cv2.addWeighted(self._then, SAME, self._then, 0.0, 1.0)

    def is_still_free(self, now: NDArray[np.uint8], surround: Surround) -> bool:
        """Return whether the table looks the same *now*, in the same *surround*."""
        if self._surround is not surround:
            return False
        apart = cv2.absdiff(cv2.blur(now, SPREAD), self._then)
        # Three whole planes: numpy takes ten times as long along an axis of three.
        blue, green, red = cv2.split(cv2.subtract(apart, self._least))
        return not surround.is_crossed(cv2.bitwise_or(cv2.bitwise_or(blue, green), red) > 0)


class BackgroundModel:
    """The table around the things that are played with, compared with how it was."""

    def __init__(self, things: Sequence[Thing], ignored: Sequence[Thing] = ()) -> None:
        """*things*: those to watch around.  *ignored*: what else may change at any time."""
        self._things = tuple(things)
        self._ignored = tuple(ignored)
        self._area = _area_around(self._things)
        self._reference: BoardBackground | None = None
        self._then: NDArray[np.uint8] | None = None
        self._shadow = -1.0
        self._surround: tuple[Pose, tuple[int, ...], Surround] | None = None
        self._free: _Free | None = None

    @property
    def is_learned(self) -> bool:
        """Whether it is known how the table looks when nobody reaches over it."""
        return self._reference is not None

    def learn(self, picture: Picture, pose: Pose) -> None:
        """Remember the table as *picture* shows it; nothing may reach over it."""
        self._then = coarsen(self._area.sample(picture, pose, 0.0))
        watched = self._lay(picture, pose).watched
        self._reference = BoardBackground(self._then, watched)
        self._shadow = _find_black(measure_brightness(self._then)[watched])
        self._free = None

    def is_reached_over(self, picture: Picture, pose: Pose) -> bool:
        """Return whether an arm reaches up to a thing; False as long as nothing was learned."""
        if self._reference is None:
            return False
        surround = self._lay(picture, pose)
        now = coarsen(self._area.sample(picture, pose, 0.0))
        if self._free is not None and self._free.is_still_free(now, surround):
            return False
        for (shaded, contrast), nudged in product(LIGHTS, (False, True)):
            light = self._reference.light(now, surround, shaded, contrast)
            arms = self._reference.find_arms(now, light, surround, nudged)
            if arms.calm and not nudged:
                self._free = _Free(now, surround)
            if arms.none or not self._strong(now, light, arms.sure | arms.brighter):
                return False
        return True

    def _strong(self, now: NDArray[np.uint8], light: Light, arms: Mask) -> bool:
        """Return whether some patch of *arms* shows what no shadow can."""
        assert self._then is not None
        tones, squeeze = to_chroma(now, light), measure_squeeze(light)
        lighter_by = cv2.extractChannel(tones, 0) - cv2.extractChannel(to_chroma(self._then), 0)
        lightness = cv2.blur(lighter_by, (3, 3)) / np.float32(LIGHTNESS_WEIGHT)
        _, red, blue = cv2.split(tones - to_chroma(_shade(self._then, now, light)))
        colour = cv2.magnitude(cv2.blur(red, (3, 3)), cv2.blur(blue, (3, 3)))
        strong = colour > OTHER_COLOUR * squeeze
        strong |= lightness < MUCH_DARKER * squeeze
        strong &= measure_brightness(now) > self._shadow
        lighter = lightness > MUCH_LIGHTER * squeeze
        strong_mm2, light_mm2 = (
            float(np.count_nonzero(mask & arms)) * STEP_MM**2 for mask in (strong, lighter)
        )
        return strong_mm2 >= LEAST_STRONG_MM2 or light_mm2 >= LEAST_LIGHT_MM2

    def _lay(self, picture: Picture, pose: Pose) -> Surround:
        if (
            self._surround is None
            or self._surround[0] is not pose
            or self._surround[1] != picture.shape
        ):
            hidden = np.any([thing.hull(pose, self._area) for thing in self._things], axis=0)
            visible = in_view(picture, pose, self._area, 0.0)
            for thing in self._ignored:
                visible &= ~thing.hull(pose, self._area)
            self._surround = (pose, picture.shape, build_surround(hidden, visible))
        return self._surround[2]


def _shade(then: NDArray[np.uint8], now: NDArray[np.uint8], light: Light) -> NDArray[np.uint8]:
    """Return the table of *then*, in shadow where it is darker *now*, seen in that *light*.

    Of a saturated colour the faint channels, which tones hardly heed, lose less than the others: so
    a shadow on bright cloth is not only darker, but less colourful.
    """
    total, was = np.ones((1, 3), np.float32), then.astype(np.float32)
    seen = cv2.transform(cv2.LUT(now, light.reshape(1, 256, 3)), total)
    share = np.minimum(seen / np.maximum(cv2.transform(was, total), 1.0), 1.0)
    return np.asarray(cv2.convertScaleAbs(cv2.multiply(was, cv2.merge([share] * 3))), np.uint8)


def _find_black(seen: NDArray[np.uint8]) -> float:
    """Return up to which level something may be a shadow as black as one that is *seen* (n,).

    Below all levels if none is seen: then there are no black ones in this light.
    """
    least = round(LEAST_STRONG_MM2 / STEP_MM**2)
    if len(seen) <= least:
        return -1.0
    darkest = float(np.partition(seen, least)[least])
    if darkest > np.exp(MUCH_DARKER) * float(np.median(seen)):
        return -1.0
    return BLACK[0] * darkest + BLACK[1]


def _area_around(things: Sequence[Thing]) -> Area:
    middles = np.array([(t.x, t.y) for t in things])
    halves = np.array([(t.half_w, t.half_h) for t in things]) + MARGIN_MM
    halves += LEAN * np.array([[t.height] for t in things])
    low, high = (middles - halves).min(axis=0), (middles + halves).max(axis=0)
    left, top = (int(v) for v in np.floor(low))
    width, height = (2 * int(v) for v in np.ceil((high - (left, top)) / 2))
    return Area(left, top, width, height)
