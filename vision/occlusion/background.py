"""Background model of a bare table around what is played with, and whether an arm is over it.

What has come over the table since the calibration is an arm if its chromaticity is not the table's,
or if it is far lighter or darker: shadows of thicker piles, and of an idol that turns, are neither.
Where a single lamp makes shadows black, as the calibration picture shows, anything as black may be
a shadow.
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
from vision.geometry.rectification import (
    COARSE_MM,
    Area,
    Mask,
    box_occlusion_mask,
    halve_resolution,
    in_frame_mask,
)
from vision.occlusion.board_background import (
    ILLUMINATION_HYPOTHESES,
    BoardBackground,
    Ring,
    build_ring,
)
from vision.photometry.chromaticity import (
    LUMINANCE_WEIGHT,
    ColourCorrection,
    max_channel,
    measure_contrast,
    to_chroma,
)

AREA_MARGIN_MM: Final = 17.0
"""How much table around the objects is rectified: the rings, and a pixel more."""
MAX_PARALLAX: Final = 0.8
"""Horizontal distance that an object may occlude for each mm of its height: 39 degrees."""
MIN_CHROMA_CHANGE: Final = 0.12
MIN_BRIGHTENING: Final = 0.3
MIN_DARKENING: Final = 0.9
"""Changes of chromaticity and log luminance that no shadow makes."""
SHADOW_LEVEL_FACTOR: Final = 1.3
SHADOW_LEVEL_OFFSET: Final = 6.0
"""A shadow is as dark as another if it is no lighter than so many times it, and some levels."""
MAX_UNCHANGED_SHARE: Final = 0.05
"""A blurred level that differs by no more than this share and one level is unchanged: noise is
less, another colour more."""
MIN_STRONG_MM2: Final = 150.0
MIN_LIGHT_MM2: Final = 700.0
"""How much of an arm must show such a change, and must be lighter: the table is also lighter where
the shadow of an idol has gone, but no arm is as narrow as that."""


@dataclass(frozen=True, slots=True)
class ObjectBox:
    """Something that is played with, as a box on the table in mm.

    x, y: its centre.  half_w, half_h: half its sides, with all the room in which it may lie.
    height: of its top.
    """

    x: float
    y: float
    half_w: float
    half_h: float
    height: float

    def occlusion_mask(self, pose: Pose, area: Area) -> Mask:
        """Return which coarse pixels of the table in *area* it may occlude."""
        half = (self.half_w, self.half_h)
        return box_occlusion_mask((self.x, self.y), half, (0.0, self.height), pose, area)


class _UnchangedRing:
    """The table in a picture in which nothing had changed in the outer ring.

    An arm has to cross that ring. As long as it is unchanged there is none, however the cards and
    their shadows have changed.
    """

    def __init__(self, picture: NDArray[np.uint8], ring: Ring) -> None:
        """*picture*: coarse."""
        self._ring = ring
        self._reference = _blur(picture)
        self._tolerance = cv2.addWeighted(
            self._reference, MAX_UNCHANGED_SHARE, self._reference, 0.0, 1.0
        )

    def is_like(self, picture: NDArray[np.uint8], ring: Ring) -> bool:
        """Return whether *picture* shows the same table, in the same *ring*."""
        if self._ring is not ring:
            return False
        difference = cv2.absdiff(_blur(picture), self._reference)
        # Three whole planes: numpy takes ten times as long along an axis of three.
        blue, green, red = cv2.split(cv2.subtract(difference, self._tolerance))
        return not ring.is_crossed(cv2.bitwise_or(cv2.bitwise_or(blue, green), red) > 0)


class BackgroundModel:
    """The table around the objects that are played with."""

    def __init__(self, objects: Sequence[ObjectBox], ignored: Sequence[ObjectBox] = ()) -> None:
        """*objects*: those to watch around.  *ignored*: what else may change at any time."""
        self._objects = tuple(objects)
        self._ignored = tuple(ignored)
        self._area = _area_around(self._objects)
        self._board: BoardBackground | None = None
        self._reference: NDArray[np.uint8] | None = None
        self._max_shadow_level = -1.0
        self._ring: tuple[Pose, tuple[int, ...], Ring] | None = None
        self._unchanged: _UnchangedRing | None = None

    @property
    def is_learned(self) -> bool:
        """Whether the table without an arm is known."""
        return self._board is not None

    def learn(self, picture: Picture, pose: Pose) -> None:
        """Use *picture*, in which nothing reaches over the table, as reference."""
        self._reference = halve_resolution(self._area.sample(picture, pose, 0.0))
        watched = self._ring_in(picture, pose).watched
        self._board = BoardBackground(self._reference, watched)
        self._max_shadow_level = _find_shadow_level(max_channel(self._reference)[watched])
        self._unchanged = None

    def is_reached_over(self, picture: Picture, pose: Pose) -> bool:
        """Return whether an arm reaches up to an object; False as long as nothing was learned."""
        if self._board is None:
            return False
        ring = self._ring_in(picture, pose)
        now = halve_resolution(self._area.sample(picture, pose, 0.0))
        if self._unchanged is not None and self._unchanged.is_like(now, ring):
            return False
        for hypothesis, may_have_shifted in product(ILLUMINATION_HYPOTHESES, (False, True)):
            correction = self._board.fit_correction(now, ring, *hypothesis)
            arms = self._board.find_arms(now, correction, ring, may_have_shifted)
            if arms.is_ring_unchanged and not may_have_shifted:
                self._unchanged = _UnchangedRing(now, ring)
            if arms.is_empty or not self._is_strong(
                now, correction, arms.certain | arms.brightened
            ):
                return False
        return True

    def _is_strong(self, now: NDArray[np.uint8], correction: ColourCorrection, arms: Mask) -> bool:
        """Return whether some patch of *arms* shows what no shadow can."""
        assert self._reference is not None
        chroma, contrast = to_chroma(now, correction), measure_contrast(correction)
        reference_luminance = cv2.extractChannel(to_chroma(self._reference), 0)
        difference = cv2.extractChannel(chroma, 0) - reference_luminance
        luminance = cv2.blur(difference, (3, 3)) / np.float32(LUMINANCE_WEIGHT)
        shaded = _render_shadows(self._reference, now, correction)
        _, red, blue = cv2.split(chroma - to_chroma(shaded))
        distance = cv2.magnitude(cv2.blur(red, (3, 3)), cv2.blur(blue, (3, 3)))
        strong = distance > MIN_CHROMA_CHANGE * contrast
        strong |= luminance < -MIN_DARKENING * contrast
        strong &= max_channel(now) > self._max_shadow_level
        lighter = luminance > MIN_BRIGHTENING * contrast
        strong_mm2, light_mm2 = (
            float(np.count_nonzero(mask & arms)) * COARSE_MM**2 for mask in (strong, lighter)
        )
        return strong_mm2 >= MIN_STRONG_MM2 or light_mm2 >= MIN_LIGHT_MM2

    def _ring_in(self, picture: Picture, pose: Pose) -> Ring:
        if self._ring is None or self._ring[0] is not pose or self._ring[1] != picture.shape:
            occludable = np.any(
                [each.occlusion_mask(pose, self._area) for each in self._objects], axis=0
            )
            visible = in_frame_mask(picture, pose, self._area, 0.0)
            for each in self._ignored:
                visible &= ~each.occlusion_mask(pose, self._area)
            self._ring = (pose, picture.shape, build_ring(occludable, visible))
        return self._ring[2]


def _blur(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.asarray(cv2.blur(picture, (5, 5)), np.uint8)


def _render_shadows(
    reference: NDArray[np.uint8], now: NDArray[np.uint8], correction: ColourCorrection
) -> NDArray[np.uint8]:
    """Return the *reference* picture, in shadow where it is darker *now*, after *correction*.

    A shadow lowers all channels by the same factor, but log-chromaticity hardly shows it in the
    dark channels of a saturated colour: so a shadow on bright cloth seems less colourful.
    """
    ones, then = np.ones((1, 3), np.float32), reference.astype(np.float32)
    total = cv2.transform(cv2.LUT(now, correction.reshape(1, 256, 3)), ones)
    share = np.minimum(total / np.maximum(cv2.transform(then, ones), 1.0), 1.0)
    return np.asarray(cv2.convertScaleAbs(cv2.multiply(then, cv2.merge([share] * 3))), np.uint8)


def _find_shadow_level(brightness: NDArray[np.uint8]) -> float:
    """Return the level up to which something may be a shadow as black as one in the reference.

    brightness: (n,) of the reference.  -1 if no shadow in it is black.
    """
    rank = round(MIN_STRONG_MM2 / COARSE_MM**2)
    if len(brightness) <= rank:
        return -1.0
    darkest = float(np.partition(brightness, rank)[rank])
    if darkest > np.exp(-MIN_DARKENING) * float(np.median(brightness)):
        return -1.0
    return SHADOW_LEVEL_FACTOR * darkest + SHADOW_LEVEL_OFFSET


def _area_around(objects: Sequence[ObjectBox]) -> Area:
    """Return the area of all *objects*, what they may occlude, and a margin; its sides are even."""
    centres = np.array([(each.x, each.y) for each in objects])
    halves = np.array([(each.half_w, each.half_h) for each in objects]) + AREA_MARGIN_MM
    halves += MAX_PARALLAX * np.array([[each.height] for each in objects])
    low, high = (centres - halves).min(axis=0), (centres + halves).max(axis=0)
    left, top = (int(v) for v in np.floor(low))
    width, height = (2 * int(v) for v in np.ceil((high - (left, top)) / 2))
    return Area(left, top, width, height)
