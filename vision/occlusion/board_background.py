"""What the board around the slots looks like, and what has come over it since.

Whoever covers a slot reaches over the board beside it. The printed board never changes during a
game, so that a change which runs from outside up to the slots is an arm, a hand or a sleeve.
Shadows only darken: they keep the print's colours and its lines.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry.rectification import STEP_MM, Mask
from vision.photometry.chromaticity import (
    LIGHTNESS_WEIGHT,
    NEUTRAL_LIGHT,
    Chroma,
    Light,
    fit_light,
    measure_brightness,
    measure_squeeze,
    to_chroma,
)

PLAY_MM: Final = 3.5
"""Pieces lie up to this far from the middle of their slots, and turned a little."""
INNER_MM: Final = 6.0
OUTER_MM: Final = 8.0
WATCH_MM: Final = 14.0
"""A change counts if it reaches from OUTER_MM beside the pieces to within INNER_MM of them."""
NOISE_FACTOR: Final = 11.0
"""A colour has changed if it did so by this much more than a quiet quarter of all pixels."""
COLOUR_CHANGES: Final = {3: (0.07, 0.16), 5: (0.055, 0.12)}
"""Averaged over so many pixels, the least and greatest change of colour that counts."""
LINES_FACTOR: Final = 7.0
LINES_CHANGE: Final = (0.08, 0.14)
"""The same for the print's lines, which a plain sleeve in the print's own colour lacks."""
DIM: Final = 45.0
SHADED: Final = 0.5
"""What lay in so deep a shadow, in levels, and as a share of what is lit, has a colour now that
nobody could know."""
LIT: Final = 80.0
"""So many hundredths of the board are darker than what counts as lit."""
BRIGHTER: Final = 0.22
DARKER: Final = -0.3
UNSHADED: Final = 0.1
"""A patch without a change of colour that is lighter by this much may have lost a shadow."""
TINGED, ALIKE = 0.16, 0.03
"""...also if its colour has changed by no more than this, and alike all over, to so much: where
light of another colour fills the shadows, what has lost one changes so. What lies over a print
hides its colours, and changes each in another way."""
LINE_PIXELS: Final = 5
KEPT_PIXELS: Final = 7
KEPT: Final = 0.55
"""Share of the print's lines that must still be seen where only the light may have changed."""
STRONG: Final = 0.15
"""Stronger lines count as this strong: one edge of a shadow must not outvote a whole print."""
LEAST_LINES: Final = 0.015
FEWEST_LINED: Final = 12
MOSTLY: Final = 0.8
"""A patch is light, not an arm, if it holds so many pixels with lines and most keep theirs."""
LEAST_PATCH_MM2: Final = 40.0
LEAST_END_MM2: Final = 12.0
LIGHTS: Final = ((0.5, False), (0.5, True), (0.75, False))
"""What may have become of the light, likeliest first: it is the same but for its strength and
colour; the contrast has changed too; or three quarters of the board lie in a shadow. There is an
arm only if none of these explains what is seen."""
BESIDE: Final = np.ones((3, 3), np.uint8)
"""What is a coarse pixel away: so far boards and pieces' shadows may have moved."""
SAMPLE: Final = 3
"""Every so many-th pixel serves for the light and the noise of a whole picture."""
FEWEST_SEEN: Final = 50
"""Sampled pixels of 2 mm of the surround without which nothing can be said about the light."""


@dataclass(frozen=True, slots=True, eq=False)
class Surround:
    """Where in a coarse picture the board around the slots is seen: depends on the pose.

    watched: in view, and never hidden by a piece in its slot.
    inner, outer: the watched pixels next to the pieces, and those further off.
    """

    watched: Mask
    inner: Mask
    outer: Mask

    def is_crossed(self, changed: Mask) -> bool:
        """Return whether enough has *changed* further off for an arm to come in there."""
        return bool(np.count_nonzero(changed & self.outer) * STEP_MM**2 >= LEAST_END_MM2)


def build_surround(hidden: Mask, visible: Mask) -> Surround:
    """Return the surround of the pixels that pieces can hide (*hidden*) in what is *visible*."""
    free = (~hidden).astype(np.uint8)
    away_mm = STEP_MM * cv2.distanceTransform(free, cv2.DIST_L2, 3)
    watched = visible & ~hidden & (away_mm <= WATCH_MM)
    return Surround(watched, watched & (away_mm <= INNER_MM), watched & (away_mm >= OUTER_MM))


class _Averaging:
    """Means over neighbouring pixels, of those in *where* only."""

    def __init__(self, where: Mask) -> None:
        self.where = where
        self.sample = np.flatnonzero(where)[::SAMPLE]
        self._weight = where.astype(np.float32)
        self._weights = cv2.merge([self._weight] * 3)
        self._shares = {
            pixels: 1.0 / np.maximum(cv2.blur(self._weight, (pixels, pixels)), 1e-6)
            for pixels in (*COLOUR_CHANGES, LINE_PIXELS, KEPT_PIXELS)
        }

    def mean(self, tones: Chroma, pixels: int) -> Chroma:
        """Return the mean of *pixels* x *pixels* around each."""
        total = cv2.blur(cv2.multiply(tones, self._weight), (pixels, pixels))
        return np.asarray(cv2.multiply(total, self._shares[pixels]), np.float32)

    def means(self, tones: Chroma, sizes: Iterable[int]) -> Iterator[list[Chroma]]:
        """Yield the means of the three *tones* around each pixel, for each of the *sizes*."""
        weighted = cv2.multiply(tones, self._weights)
        for pixels in sizes:
            share = self._shares[pixels]
            totals = cv2.split(cv2.blur(weighted, (pixels, pixels)))
            yield [np.asarray(cv2.multiply(total, share), np.float32) for total in totals]

    def lines(self, tones: Chroma) -> Chroma:
        """Return how much lighter or darker each pixel is than its neighbourhood."""
        light = cv2.extractChannel(tones, 0) / np.float32(LIGHTNESS_WEIGHT)
        return np.asarray(light - self.mean(light, LINE_PIXELS), np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Arms:
    """What seems to reach over the board, as coarse pixels.

    sure: certainly there.  brighter: perhaps only the light where the shadow of a piece has gone.
    calm: whether nothing at all has changed where arms would come from.
    """

    sure: Mask
    brighter: Mask
    calm: bool = False

    @property
    def none(self) -> bool:
        """Whether nothing reaches over the board."""
        return not (self.sure.any() or self.brighter.any())


class BoardBackground:
    """The surround as it was at a known position."""

    def __init__(self, picture: NDArray[np.uint8], seen: Mask) -> None:
        """*picture*: coarse, (rows, columns, 3).  *seen*: where of it the surround was seen."""
        self._picture = picture
        self._seen = seen
        self._tones = to_chroma(picture)
        self._brightest = picture.max(axis=(0, 1))
        brightness = measure_brightness(picture)
        lit = float(np.percentile(brightness[seen], LIT)) if seen.any() else 0.0
        self._dim = _widen(brightness < min(DIM, SHADED * lit))
        self._near_dim = _widen(self._dim)
        self._averaging: tuple[Surround, _Averaging] | None = None
        self._lined: tuple[_Averaging, Chroma] | None = None

    def light(
        self, picture: NDArray[np.uint8], surround: Surround, shaded: float, contrast: bool
    ) -> Light:
        """Return how to see *picture* in the reference's light: see fit_light."""
        around = self._around(surround)
        if len(around.sample) < FEWEST_SEEN:
            return NEUTRAL_LIGHT
        now, then = (p.reshape(-1, 3)[around.sample] for p in (picture, self._picture))
        return fit_light(now, then, shaded, contrast)

    def _around(self, surround: Surround) -> _Averaging:
        if self._averaging is None or self._averaging[0] is not surround:
            self._averaging = (surround, _Averaging(surround.watched & self._seen))
        return self._averaging[1]

    def _lines(self, around: _Averaging) -> Chroma:
        """Return the lines of the print as it was, by what is *around* each pixel."""
        if self._lined is None or self._lined[0] is not around:
            self._lined = (around, around.lines(self._tones))
        return self._lined[1]

    def find_arms(
        self,
        picture: NDArray[np.uint8],
        light: Light,
        surround: Surround,
        nudged: bool = False,
    ) -> Arms:
        """Return what lies over the board and reaches from outside up to the slots.

        nudged: whether each place may show what was one coarse pixel beside it: the board or its
        shadows may have moved by so much.
        """
        around = self._around(surround)
        both, nothing = around.where, np.zeros_like(around.where)
        if not both.any():
            return Arms(nothing, nothing)
        now, then = to_chroma(picture, light), self._tones
        if (light[255] < self._brightest).any():
            # What is overexposed now cannot have kept its colour: overexpose the reference alike.
            brightest = np.minimum(light[255], 255.0).astype(np.uint8)
            then = to_chroma(np.minimum(self._picture, brightest))
        if nudged:
            then = np.clip(now, cv2.erode(then, BESIDE), cv2.dilate(then, BESIDE))
        lines_now = around.lines(now)
        lines_then = self._lines(around) if then is self._tones else around.lines(then)
        lines = around.mean(np.abs(lines_now - lines_then), 3)
        squeeze = measure_squeeze(light)
        shade = lines > _limit(lines.ravel()[around.sample], LINES_FACTOR, LINES_CHANGE, squeeze)
        coloured = np.zeros_like(both)
        means = around.means(now - then, COLOUR_CHANGES)
        for (light_change, red, blue), bounds in zip(means, COLOUR_CHANGES.values(), strict=True):
            colour = np.asarray(cv2.magnitude(red, blue), np.float32)
            lightness = light_change / np.float32(LIGHTNESS_WEIGHT)
            seen = colour.ravel()[around.sample]
            coloured |= colour > _limit(seen, NOISE_FACTOR, bounds, squeeze)
            shade |= (lightness > BRIGHTER * squeeze) | (lightness < DARKER * squeeze)
        coloured &= ~self._dim
        if nudged:
            coloured, shade = coloured & ~self._near_dim, shade & ~self._near_dim
        changes = (coloured | shade) & both
        if not surround.is_crossed(_leave_out_lines(changes)):
            return Arms(nothing, nothing, calm=True)
        if not _reaching(changes, surround).any():
            return Arms(nothing, nothing)
        kept, plain = _kept(lines_now, lines_then, around)
        tint = np.stack([red, blue], axis=-1)
        changed = _Changed(coloured & both, shade & both, lightness, tint, kept, plain)
        return _sort_out(changed, surround)


@dataclass(frozen=True, slots=True, eq=False)
class _Changed:
    """What has become of each pixel of the surround.

    coloured: it has another colour.  shade: another lightness, or other lines around it.
    lightness: how much lighter, as a logarithm.  tint: (rows, columns, 2) by how much redder, and
    bluer.  kept: the print's lines are still around it.  plain: the print has no lines there.
    """

    coloured: Mask
    shade: Mask
    lightness: Chroma
    tint: Chroma
    kept: Mask
    plain: Mask


def _sort_out(changed: _Changed, surround: Surround) -> Arms:
    """Tell arms from changes of the light."""
    sure = _reaching(changed.coloured, surround)
    brighter = np.zeros_like(sure)
    lost = changed.shade & ~changed.kept & ~changed.plain
    likely = _reaching(changed.coloured | lost, surround)
    doubtful = _reaching(changed.coloured | changed.shade, surround)
    count, labels = cv2.connectedComponents(doubtful.astype(np.uint8), connectivity=8)
    for label in range(1, count):
        patch = labels == label
        lines_there = np.count_nonzero(patch & ~changed.plain)
        lines_left = np.count_nonzero(patch & changed.kept)
        if (
            not (patch & likely).any()
            and lines_there >= FEWEST_LINED
            and lines_left >= MOSTLY * lines_there
        ):
            continue
        lighter = np.median(changed.lightness[patch]) > UNSHADED
        if lighter and (not (patch & sure).any() or _is_alike(changed.tint[patch])):
            brighter |= patch
        else:
            sure |= patch
    return Arms(sure & ~brighter, brighter)


def _is_alike(tints: Chroma) -> bool:
    """Return whether all that a patch of pixels shows is so little, and alike, *tints* (n, 2)."""
    usual, spread = np.median(tints, axis=0), tints.std(axis=0)
    return bool(np.hypot(*usual) <= TINGED and spread.max() <= ALIKE)


def _kept(now: Chroma, then: Chroma, around: _Averaging) -> tuple[Mask, Mask]:
    """Return around which pixels the print's lines are still there, and where there are none.

    Where they are still there, what has changed is the light.
    """
    now, then = np.clip(now, -STRONG, STRONG), np.clip(then, -STRONG, STRONG)
    common, print_energy = (around.mean(a * then, KEPT_PIXELS) for a in (now, then))
    noise = float(np.median(np.abs((now - then)[around.where]))) / 0.67
    plain: Mask = print_energy < max(LEAST_LINES, 2.0 * noise) ** 2
    return (common > KEPT * print_energy) & ~plain, plain


def _widen(mask: Mask) -> Mask:
    """Return *mask* with all pixels beside it."""
    return np.asarray(cv2.dilate(mask.astype(np.uint8), BESIDE) > 0, np.bool_)


def _limit(
    values: NDArray[np.float32], factor: float, bounds: tuple[float, float], squeeze: float
) -> float:
    """Return *factor* times what a quarter of the values lies below: the noise; within bounds.

    squeeze: what share of every change the light leaves, those of the bounds too.
    """
    rank, (least, most) = len(values) // 4, bounds
    noise = factor * float(np.partition(values, rank)[rank])
    return float(np.clip(noise, squeeze * least, squeeze * most))


def _leave_out_lines(changed: Mask) -> Mask:
    """Return *changed* without thin lines.

    Along the print's edges they are the picture a little askew, not an arm.
    """
    return cv2.morphologyEx(changed.view(np.uint8), cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)).view(
        np.bool_
    )


def _reaching(changed: Mask, surround: Surround) -> Mask:
    """Return those changed pixels that reach from outside up to the slots."""
    solid = _leave_out_lines(changed)
    found = np.zeros_like(changed)
    if not surround.is_crossed(solid):
        return found
    count, labels = cv2.connectedComponents(solid.view(np.uint8), connectivity=8)
    # Mostly few pixels have changed: only they are counted.
    places = np.flatnonzero(solid)
    patch = labels.ravel()[places]
    sizes, inner, outer = (
        STEP_MM**2 * np.bincount(patch, among, minlength=count)
        for among in (None, surround.inner.ravel()[places], surround.outer.ravel()[places])
    )
    arms = (sizes >= LEAST_PATCH_MM2) & (inner >= LEAST_END_MM2) & (outer >= LEAST_END_MM2)
    np.put(found, places, arms[patch])
    return found
