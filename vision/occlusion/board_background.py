"""Background model of a printed board around its slots, and the arms that have come over it since.

An arm that occludes a slot also occludes the board beside it. The print never changes during a
game, so a change that extends from outside up to the slots is an arm. Shadows only darken: they
keep the print's chromaticity and its texture.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry.rectification import COARSE_MM, Mask
from vision.photometry.chromaticity import (
    IDENTITY_CORRECTION,
    LUMINANCE_WEIGHT,
    Chroma,
    ColourCorrection,
    fit_correction,
    max_channel,
    measure_contrast,
    to_chroma,
)

INNER_RING_MM: Final = 6.0
OUTER_RING_MM: Final = (8.0, 14.0)
"""An arm covers board both within 6 mm of what pieces occlude and from 8 to 14 mm away."""
ILLUMINATION_HYPOTHESES: Final = ((0.5, False), (0.5, True), (0.75, False))
"""Arguments of `fit_correction`, most probable first: another gain per channel; another contrast
too; or three quarters of the board in a shadow. There is an arm only if none explains what is
seen."""
CHROMA_NOISE_FACTOR: Final = 11.0
CHROMA_THRESHOLDS: Final = {3: (0.07, 0.16), 5: (0.055, 0.12)}
"""A pixel's chromaticity has changed if, averaged over so many coarse pixels, it differs by the
noise times this factor, within these bounds. Noise: what a quarter of the pixels differ by."""
TEXTURE_NOISE_FACTOR: Final = 7.0
TEXTURE_THRESHOLDS: Final = (0.08, 0.14)
"""The same for the texture, which a plain sleeve in the print's own colour lacks."""
MAX_BRIGHTENING: Final = 0.22
MAX_DARKENING: Final = 0.3
"""Changes of log luminance that count as none."""
MAX_SHADOW_LEVEL: Final = 45.0
MAX_SHADOW_SHARE: Final = 0.5
LIT_PERCENTILE: Final = 80.0
"""Pixels of the reference darker than this level, and than this share of the lit board, are deep
shadow, whose chromaticity is unknown. The lit board has this percentile of the brightness."""
MIN_SHADOW_LOSS: Final = 0.1
"""Log luminance by which a patch is lighter where a shadow may have gone."""
MAX_SHADOW_TINT: Final = 0.16
MAX_TINT_SPREAD: Final = 0.03
"""Change of chromaticity where light of another colour filled a shadow that has gone, and its
standard deviation: it is uniform, while something over a print changes each colour differently."""
TEXTURE_PX: Final = 5
"""Neighbourhood, in coarse pixels, against which a pixel's luminance is texture."""
CORRELATION_PX: Final = 7
MIN_TEXTURE_CORRELATION: Final = 0.55
"""Share of the print's texture that must be left, in so large a window, if only light changed."""
MAX_TEXTURE: Final = 0.15
"""Stronger texture is clipped: one edge of a shadow must not outvote a whole print."""
MIN_TEXTURE: Final = 0.015
MIN_TEXTURED_PX: Final = 12
MIN_KEPT_SHARE: Final = 0.8
"""A patch is a change of light if this share of its textured pixels, at least so many and each of
at least that strength, keep their texture."""
MIN_END_MM2: Final = 12.0
"""Area of an arm over each of the rings."""
NEIGHBOURS: Final = np.ones((3, 3), np.uint8)
SAMPLE_STRIDE: Final = 3
MIN_SAMPLES: Final = 50
"""Every third pixel serves to fit illumination and noise; with fewer neither can be."""


@dataclass(frozen=True, slots=True, eq=False)
class Ring:
    """The board around the slots in a coarse picture, for one pose.

    watched: in view, and never occluded by a piece in its slot.
    inner, outer: the watched pixels next to the pieces, and those further off.
    """

    watched: Mask
    inner: Mask
    outer: Mask

    def is_crossed(self, changed: Mask) -> bool:
        """Return whether enough of the outer ring has *changed* for an arm to come in there."""
        return bool(np.count_nonzero(changed & self.outer) * COARSE_MM**2 >= MIN_END_MM2)


def build_ring(occludable: Mask, visible: Mask) -> Ring:
    """Return the ring around the pixels that pieces can occlude, within what is *visible*."""
    free = (~occludable).astype(np.uint8)
    distance_mm = COARSE_MM * cv2.distanceTransform(free, cv2.DIST_L2, 3)
    near_mm, far_mm = OUTER_RING_MM
    watched = visible & ~occludable & (distance_mm <= far_mm)
    inner, outer = distance_mm <= INNER_RING_MM, distance_mm >= near_mm
    return Ring(watched, watched & inner, watched & outer)


class _MaskedBlur:
    """Box filters over the pixels of a *mask* only."""

    def __init__(self, mask: Mask) -> None:
        self.mask = mask
        self.sample = np.flatnonzero(mask)[::SAMPLE_STRIDE]
        self._weight = mask.astype(np.float32)
        self._weights = cv2.merge([self._weight] * 3)
        self._inverse_sums = {
            size: 1.0 / np.maximum(cv2.blur(self._weight, (size, size)), 1e-6)
            for size in (*CHROMA_THRESHOLDS, TEXTURE_PX, CORRELATION_PX)
        }

    def apply(self, values: Chroma, size: int) -> Chroma:
        """Return the means (rows, columns) of *values* over windows of *size* pixels."""
        total = cv2.blur(cv2.multiply(values, self._weight), (size, size))
        return np.asarray(cv2.multiply(total, self._inverse_sums[size]), np.float32)

    def apply_to_chroma(self, chroma: Chroma) -> Iterator[list[Chroma]]:
        """Yield the means of the three channels for each window of CHROMA_THRESHOLDS."""
        weighted = cv2.multiply(chroma, self._weights)
        for size in CHROMA_THRESHOLDS:
            inverse = self._inverse_sums[size]
            totals = cv2.split(cv2.blur(weighted, (size, size)))
            yield [np.asarray(cv2.multiply(total, inverse), np.float32) for total in totals]

    def measure_texture(self, chroma: Chroma) -> Chroma:
        """Return each pixel's log luminance relative to its neighbourhood's."""
        luminance = cv2.extractChannel(chroma, 0) / np.float32(LUMINANCE_WEIGHT)
        return np.asarray(luminance - self.apply(luminance, TEXTURE_PX), np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class ArmMasks:
    """What seems to reach over the board, as coarse pixels.

    certain: an arm.  brightened: an arm, or light where the shadow of a piece has gone.
    is_ring_unchanged: whether nothing at all has changed in the outer ring.
    """

    certain: Mask
    brightened: Mask
    is_ring_unchanged: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether nothing reaches over the board."""
        return not (self.certain.any() or self.brightened.any())


@dataclass(frozen=True, slots=True, eq=False)
class _Changes:
    """How each pixel differs from the reference.

    chroma: its chromaticity has changed.  shade: its luminance has, or the texture around it.
    luminance, red, blue: by how much.  texture, reference_texture: now and then.
    """

    chroma: Mask
    shade: Mask
    luminance: Chroma
    red: Chroma
    blue: Chroma
    texture: Chroma
    reference_texture: Chroma


class BoardBackground:
    """The board around the slots as it was at the calibration."""

    def __init__(self, picture: NDArray[np.uint8], visible: Mask) -> None:
        """*picture*: coarse, (rows, columns, 3).  *visible*: where it shows the ring."""
        self._picture = picture
        self._visible = visible
        self._chroma = to_chroma(picture)
        self._max_levels = picture.max(axis=(0, 1))
        brightness = max_channel(picture)
        lit = float(np.percentile(brightness[visible], LIT_PERCENTILE)) if visible.any() else 0.0
        dark = brightness < min(MAX_SHADOW_LEVEL, MAX_SHADOW_SHARE * lit)
        self._shadows = _dilate(dark)
        self._near_shadows = _dilate(self._shadows)
        self._blur: tuple[Ring, _MaskedBlur] | None = None
        self._texture: tuple[_MaskedBlur, Chroma] | None = None

    def fit_correction(
        self, picture: NDArray[np.uint8], ring: Ring, shaded_share: float, fits_contrast: bool
    ) -> ColourCorrection:
        """Return the correction of *picture* to the reference's illumination."""
        sample = self._blur_over(ring).sample
        if len(sample) < MIN_SAMPLES:
            return IDENTITY_CORRECTION
        now, then = (p.reshape(-1, 3)[sample] for p in (picture, self._picture))
        return fit_correction(now, then, shaded_share, fits_contrast)

    def find_arms(
        self,
        picture: NDArray[np.uint8],
        correction: ColourCorrection,
        ring: Ring,
        may_have_shifted: bool = False,
    ) -> ArmMasks:
        """Return what lies over the board and extends from outside up to the slots.

        may_have_shifted: whether the board or its shadows may have moved by one coarse pixel.
        """
        blur = self._blur_over(ring)
        nothing = np.zeros_like(blur.mask)
        if not blur.mask.any():
            return ArmMasks(nothing, nothing)
        changes = self._find_changes(picture, correction, blur, may_have_shifted)
        changed = changes.chroma | changes.shade
        if not ring.is_crossed(_remove_thin_lines(changed)):
            return ArmMasks(nothing, nothing, is_ring_unchanged=True)
        if not _select_reaching(changed, ring).any():
            return ArmMasks(nothing, nothing)
        return _classify(changes, blur, ring)

    def _find_changes(
        self,
        picture: NDArray[np.uint8],
        correction: ColourCorrection,
        blur: _MaskedBlur,
        may_have_shifted: bool,
    ) -> _Changes:
        now, then = to_chroma(picture, correction), self._chroma
        if (correction[255] < self._max_levels).any():
            # What is saturated now cannot have kept its hue: saturate the reference alike.
            limits = np.minimum(correction[255], 255.0).astype(np.uint8)
            then = to_chroma(np.minimum(self._picture, limits))
        if may_have_shifted:
            then = np.clip(now, cv2.erode(then, NEIGHBOURS), cv2.dilate(then, NEIGHBOURS))
        texture = blur.measure_texture(now)
        reference = self._texture_over(blur) if then is self._chroma else blur.measure_texture(then)
        contrast = measure_contrast(correction)
        difference = blur.apply(np.abs(texture - reference), 3)
        shade = difference > _noise_threshold(
            difference.ravel()[blur.sample], TEXTURE_NOISE_FACTOR, TEXTURE_THRESHOLDS, contrast
        )
        chroma = np.zeros_like(blur.mask)
        means = blur.apply_to_chroma(now - then)
        for (mean, red, blue), bounds in zip(means, CHROMA_THRESHOLDS.values(), strict=True):
            distance = np.asarray(cv2.magnitude(red, blue), np.float32)
            luminance = mean / np.float32(LUMINANCE_WEIGHT)
            sample = distance.ravel()[blur.sample]
            chroma |= distance > _noise_threshold(sample, CHROMA_NOISE_FACTOR, bounds, contrast)
            shade |= luminance > MAX_BRIGHTENING * contrast
            shade |= luminance < -MAX_DARKENING * contrast
        chroma &= ~self._shadows
        if may_have_shifted:
            chroma &= ~self._near_shadows
            shade &= ~self._near_shadows
        return _Changes(
            chroma & blur.mask, shade & blur.mask, luminance, red, blue, texture, reference
        )

    def _blur_over(self, ring: Ring) -> _MaskedBlur:
        if self._blur is None or self._blur[0] is not ring:
            self._blur = (ring, _MaskedBlur(ring.watched & self._visible))
        return self._blur[1]

    def _texture_over(self, blur: _MaskedBlur) -> Chroma:
        if self._texture is None or self._texture[0] is not blur:
            self._texture = (blur, blur.measure_texture(self._chroma))
        return self._texture[1]


def _classify(changes: _Changes, blur: _MaskedBlur, ring: Ring) -> ArmMasks:
    """Return which changes are arms, and leave out changes of illumination."""
    kept, plain = _compare_texture(changes.texture, changes.reference_texture, blur)
    certain = _select_reaching(changes.chroma, ring)
    brightened = np.zeros_like(certain)
    lost = changes.shade & ~kept & ~plain
    likely = _select_reaching(changes.chroma | lost, ring)
    possible = _select_reaching(changes.chroma | changes.shade, ring)
    count, labels = cv2.connectedComponents(possible.astype(np.uint8), connectivity=8)
    for label in range(1, count):
        patch = labels == label
        textured_px = np.count_nonzero(patch & ~plain)
        kept_px = np.count_nonzero(patch & kept)
        if (
            not (patch & likely).any()
            and textured_px >= MIN_TEXTURED_PX
            and kept_px >= MIN_KEPT_SHARE * textured_px
        ):
            continue
        is_lighter = np.median(changes.luminance[patch]) > MIN_SHADOW_LOSS
        tints = np.column_stack([changes.red[patch], changes.blue[patch]])
        if is_lighter and (not (patch & certain).any() or _is_uniform(tints)):
            brightened |= patch
        else:
            certain |= patch
    return ArmMasks(certain & ~brightened, brightened)


def _is_uniform(tints: Chroma) -> bool:
    """Return whether changes of chromaticity (n, 2) are small and uniform."""
    median, spread = np.median(tints, axis=0), tints.std(axis=0)
    return bool(np.hypot(*median) <= MAX_SHADOW_TINT and spread.max() <= MAX_TINT_SPREAD)


def _compare_texture(now: Chroma, then: Chroma, blur: _MaskedBlur) -> tuple[Mask, Mask]:
    """Return where the print's texture is still there, and where it has none."""
    now, then = (np.clip(each, -MAX_TEXTURE, MAX_TEXTURE) for each in (now, then))
    covariance, energy = (blur.apply(each * then, CORRELATION_PX) for each in (now, then))
    noise = float(np.median(np.abs((now - then)[blur.mask]))) / 0.67  # median to standard deviation
    plain: Mask = energy < max(MIN_TEXTURE, 2.0 * noise) ** 2
    return (covariance > MIN_TEXTURE_CORRELATION * energy) & ~plain, plain


def _dilate(mask: Mask) -> Mask:
    return np.asarray(cv2.dilate(mask.astype(np.uint8), NEIGHBOURS) > 0, np.bool_)


def _noise_threshold(
    values: NDArray[np.float32], factor: float, bounds: tuple[float, float], contrast: float
) -> float:
    """Return *factor* times the lower quartile of *values*, within *bounds* times *contrast*."""
    rank, (low, high) = len(values) // 4, bounds
    noise = factor * float(np.partition(values, rank)[rank])
    return float(np.clip(noise, contrast * low, contrast * high))


def _remove_thin_lines(changed: Mask) -> Mask:
    """Return *changed* without lines one pixel wide: edges of a print seen slightly askew."""
    opened = cv2.morphologyEx(changed.view(np.uint8), cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
    return opened.view(np.bool_)


def _select_reaching(changed: Mask, ring: Ring) -> Mask:
    """Return the connected changes that extend from the outer ring to the inner one."""
    solid = _remove_thin_lines(changed)
    selected = np.zeros_like(changed)
    if not ring.is_crossed(solid):
        return selected
    count, labels = cv2.connectedComponents(solid.view(np.uint8), connectivity=8)
    # Mostly few pixels have changed: only they are counted.
    pixels = np.flatnonzero(solid)
    label = labels.ravel()[pixels]
    inner, outer = (
        COARSE_MM**2 * np.bincount(label, part.ravel()[pixels], minlength=count)
        for part in (ring.inner, ring.outer)
    )
    arms = (inner >= MIN_END_MM2) & (outer >= MIN_END_MM2)
    np.put(selected, pixels, arms[label])
    return selected
