"""Tell how high columns are by the relief of their tops: rim, dish and edge, as a lamp shows them.

Pieces of one set mostly come from one mould, whatever their paint, so what the relief of a top
looks like is learned from all known ones together: how bright each place is, as a logarithm, and
how that changes with the side from which it is seen and, a little, with the paint. Laid over that
(B. Lucas and T. Kanade, An Iterative Image Registration Technique, IJCAI 1981), a top that is a
level nearer is larger by a hundredth. How far that is to be trusted shows in known tops, each laid
over what the others tell: of smooth pieces, or of those that are no two alike, it says nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Picture
from vision.grid import TALLEST, Grid
from vision.likeness import Odds, cut_top
from vision.outlines import Outline, weigh_seen
from vision.pose import Points
from vision.registration import MIDDLE, RADIUS_PX, SIDE_PX, find_slopes
from vision.spots import View

Levels: TypeAlias = NDArray[np.float32]

RIM: Final = 1.02
"""What is compared reaches so many radii out; the last SOFT of it counts less and less."""
SOFT: Final = 0.05
DARK: Final = 15.0
"""Added to levels before the logarithm: what is darker holds more noise than relief."""
SIDE_EFFECT, PAINT_EFFECT = 0.2, 0.5
"""How much must be seen before it is believed that relief changes with the side it is seen from,
as squares of tangents, and with the paint, in tops."""
UNEVEN: Final = 0.3
"""Places where known tops differ by more than this, as a share of what is usual, count less."""
ODD: Final = 4.0
"""What misfits by more than so many times what is usual counts for less than half."""
STEPS, FEW_STEPS = 4, 3
"""How often a top is laid anew in any size, and in the size that it is known to have."""
ROUNDS, PLAIN_ROUNDS = 4, 2
"""How often known tops are laid over each other anew; at first as if all were seen from above."""
LONGEST, LONGEST_PX = 0.04, 2.0
"""The longest step of the scale, and of the place."""
FARTHEST: Final = 6.0
"""No top misleads by more levels than this, or it is no top at all."""
FEWEST: Final = 4
"""So many known tops at least, else nothing is told."""
USUAL_MISS, SUPPOSED = 0.6, 4.0
"""By how many levels tops usually mislead, taken to have been seen of so many of them..."""
EVEN: Final = 2.0
"""...and of so many more that they mislead neither way."""
HEAVY: Final = 4.0
"""Degrees of freedom of how far tops mislead: some are far off."""
MISS_STEPS: Final = 8
TINY: Final = 1e-6

_DOWN, _ACROSS = (
    part.astype(np.float32) - np.float32(MIDDLE) for part in np.indices((SIDE_PX,) * 2)
)
_OUT: Final = np.hypot(_DOWN, _ACROSS) / RADIUS_PX
_COMPARED: Final = _OUT < RIM
_INSIDE: Final = cv2.erode(_COMPARED.astype(np.uint8), np.ones((3, 3), np.uint8))[_COMPARED] > 0
_X, _Y = _ACROSS[_COMPARED], _DOWN[_COMPARED]
_WEIGHTS: Final = np.clip((RIM - _OUT[_COMPARED]) / SOFT, 0.0, 1.0).astype(np.float32)
_FEW: Final = np.flatnonzero((np.indices((SIDE_PX,) * 2).sum(axis=0) % 2 == 0)[_COMPARED])
"""Every other place: while a top is laid, the rest say hardly anything new."""
_SHADES: Final = np.stack(
    [np.ones_like(_X), *(part / np.float32(RADIUS_PX) for part in (_X, _Y))]
    + [part / np.float32(RADIUS_PX**2) for part in (_X * _X, _X * _Y, _Y * _Y)]
)
"""(6, n): shades that a lamp may lay over a top, which say nothing of its relief."""
_LAID: Final = (_X[_FEW], _Y[_FEW])
_LAID_SHADES: Final = _SHADES[:, _FEW]


@dataclass(frozen=True, slots=True)
class Faith:
    """How far relief is to be trusted; found by likelihood on renders.

    shift: which share of what known tops mislead by on the whole is made up for.  spread: which
    share of what they scatter by counts, and doubt: how many times what the misfit leaves in doubt.
    tail: degrees of freedom of what comes of both.
    """

    shift: float
    spread: float
    doubt: float
    tail: float

    def weigh(self, seen: Points, doubts: Points, misses: Points) -> Odds:
        """Return how likely each height is (n, TALLEST) of columns that look *seen* (n,) high.

        doubts: (n,) by how many levels that may be off, as far as the misfit tells.  misses: by how
        many known tops mislead.
        """
        usual, scatter = find_usual(misses)
        off = np.hypot(self.spread * scatter, self.doubt * doubts)
        return weigh_seen(seen - self.shift * usual, off, self.tail)


FAITH: Final = Faith(shift=0.7, spread=0.56, doubt=5.2, tail=7.1)


@dataclass(frozen=True, slots=True)
class Laid:
    """How a top lies to what was expected: how many times larger, and how far that may be off.

    shift_px: (2,) where it lies, across and down.
    """

    scale: float
    doubt: float
    shift_px: Points


@dataclass(frozen=True, eq=False)
class Top:
    """A top as it is seen, cut out around its middle in the plane in which it is thought to be.

    height: as thought.  levels: how many levels below the camera it would be.  features: (k,) from
    which side it is seen, as tangents of angles, and which paint it has, as 1 among noughts.
    """

    picture: Picture
    height: int
    levels: float
    features: Points

    @cached_property
    def brightness(self) -> Levels:
        """Return how bright each place is (SIDE_PX, SIDE_PX), as a logarithm."""
        mixed = cv2.transform(self.picture.astype(np.float32), np.array([[0.2, 0.4, 0.4]]))
        return np.asarray(np.log(np.asarray(mixed, np.float32) + DARK), np.float32)

    def sample(self, scale: float, shift_px: Points, few: bool = False) -> Levels:
        """Return the brightness (n,) of the places that are compared, if it lies like that.

        few: whether every other one is enough.
        """
        x, y = (
            (part * np.float32(scale) + np.float32(MIDDLE + shift))[None]
            for part, shift in zip(_LAID if few else (_X, _Y), shift_px.tolist(), strict=True)
        )
        seen = cv2.remap(self.brightness, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(seen[0], np.float32)


class Mould:
    """What tops look like that were laid over each other."""

    def __init__(self, tops: Levels, features: Points) -> None:
        """*tops*: (tops, n) normalised, and their *features* (tops, k)."""
        self._tops, self._features = tops, features
        known = np.column_stack([np.ones(len(features)), features])
        paints = features.shape[1] - 2
        held = np.diag([TINY, *[SIDE_EFFECT] * 2, *[PAINT_EFFECT] * paints])
        self._effects = np.linalg.solve(known.T @ known + held, known.T @ tops)
        left = tops - known @ self._effects
        free = max(len(tops) - 2, 1)
        uneven = np.zeros(_COMPARED.shape, np.float32)
        uneven[_COMPARED] = (left**2).sum(axis=0) / free
        soft = cv2.GaussianBlur(uneven, (0, 0), 1.0)[_COMPARED]
        weights = _WEIGHTS / (soft + np.float32(UNEVEN))
        self.weights: Levels = np.asarray(weights / weights.mean(), np.float32)

    def expect(self, features: Points) -> Levels:
        """Return what a top with such *features* (k,) should look like (n,)."""
        seen = np.concatenate([[1.0], features]) @ self._effects
        return normalise(seen.astype(np.float32), self.weights)

    def without(self, at: int) -> "Mould":
        """Return what all tops but number *at* look like."""
        return Mould(np.delete(self._tops, at, axis=0), np.delete(self._features, at, axis=0))

    def with_known(self, known: Sequence[Top], all_laid: Sequence["Laid"]) -> "Mould":
        """Return what these and *known* tops look like, which were *all_laid* over these."""
        tops = [
            normalise(top.sample(1.0, laid.shift_px), self.weights)
            for top, laid in zip(known, all_laid, strict=True)
        ]
        features = [top.features for top in known]
        return Mould(np.vstack([self._tops, *tops]), np.vstack([self._features, *features]))

    def lay(self, top: Top) -> Laid:
        """Return how *top* lies to what it should look like."""
        return lay(self.expect(top.features), top, self.weights)


class Relief:
    """Tells by the relief of their tops how high the columns on one grid are."""

    def __init__(self, grid: Grid, floor_z: float, faith: Faith = FAITH) -> None:
        """*floor_z*: how many mm above the plane of its poses the columns stand."""
        self._grid, self._floor_z, self._faith = grid, floor_z, faith
        self._mould: Mould | None = None
        self._misses = np.zeros(0)

    def learn(self, view: View, outlines: Sequence[Outline]) -> None:
        """Learn what tops look like from *outlines* of known columns, as seen in *view*."""
        tops = self.cut(view, outlines)
        if len(tops) < FEWEST:
            return
        self._mould = mould = lay_over(tops)
        misses = [look_nearer(mould.without(at).lay(top), top) for at, top in enumerate(tops)]
        self._misses = np.array(misses)

    def tell(self, view: View, doubtful: Sequence[Outline], sure: Sequence[Outline]) -> Odds:
        """Return how likely each height of *doubtful* columns is by their tops (n, TALLEST).

        sure: outlines of what stands in *view* beyond doubt; it is learned from, for this time.
        """
        if self._mould is None:
            return np.full((len(doubtful), TALLEST), 1.0 / TALLEST)
        seen, doubts, misses = self.measure(view, doubtful, sure)
        return self._faith.weigh(seen, doubts, misses)

    def measure(
        self, view: View, doubtful: Sequence[Outline], sure: Sequence[Outline]
    ) -> tuple[Points, Points, Points]:
        """Return how high *doubtful* columns look, how far that may be off, and how known ones are.

        All in levels, (n,), (n,) and (known,).
        """
        assert self._mould is not None
        mould, misses = self._mould, self._misses
        known = self.cut(view, sure)
        if known:
            all_laid = [mould.lay(top) for top in known]
            misses = np.concatenate([misses, list(map(look_nearer, all_laid, known))])
            mould = mould.with_known(known, all_laid)
        tops = self.cut(view, doubtful)
        all_laid = [mould.lay(top) for top in tops]
        heights = np.array([top.height for top in tops])
        seen = heights + np.array(list(map(look_nearer, all_laid, tops)))
        doubts = [laid.doubt * top.levels for laid, top in zip(all_laid, tops, strict=True)]
        return seen, np.array(doubts), misses

    def cut(self, view: View, outlines: Sequence[Outline]) -> list[Top]:
        """Return the tops with these *outlines*."""
        figure, camera, tops = self._grid.figure, view.pose.camera, []
        for outline in outlines:
            column = outline.column
            top_mm = self._floor_z + figure.rise_mm(column.height)
            below_mm = float(camera[2]) - top_mm
            paint = np.arange(len(self._grid.paints)) == column.paint
            features = np.concatenate([(outline.middle_mm - camera[:2]) / below_mm, paint])
            middle = np.array([*outline.middle_mm, top_mm])
            picture = cut_top(view, middle, figure.radius, SIDE_PX)
            tops.append(Top(picture, column.height, below_mm / figure.pitch, features))
        return tops


def look_nearer(laid: Laid, top: Top) -> float:
    """Return by how many levels a top looks nearer than it is thought to be."""
    return float(np.clip((1.0 - 1.0 / laid.scale) * top.levels, -FARTHEST, FARTHEST))


def find_usual(misses: Points) -> tuple[float, float]:
    """Return by how many levels tops mislead on the whole, and by how many they scatter.

    misses: (n,) of known ones.  Some are far off, which a mean would follow.
    """
    usual, scatter = 0.0, USUAL_MISS
    for _ in range(MISS_STEPS):
        weights = (HEAVY + 1.0) / (HEAVY + ((misses - usual) / scatter) ** 2)
        usual = float((weights * misses).sum() / (weights.sum() + EVEN))
        total = float((weights * (misses - usual) ** 2).sum()) + SUPPOSED * USUAL_MISS**2
        scatter = float(np.sqrt(total / (len(misses) + SUPPOSED)))
    return usual, scatter


def lay_over(tops: Sequence[Top]) -> Mould:
    """Return what *tops* whose heights are known look like, laid over each other."""
    features = np.stack([top.features for top in tops])
    shifts = [np.zeros(2)] * len(tops)
    weights = _WEIGHTS
    for done in range(ROUNDS + 1):
        each = zip(tops, shifts, strict=True)
        laid = np.stack([normalise(top.sample(1.0, shift), weights) for top, shift in each])
        if done == ROUNDS:
            break
        if done < PLAIN_ROUNDS:
            expected = [normalise(laid.mean(axis=0), weights)] * len(tops)
        else:
            mould = Mould(laid, features)
            weights = mould.weights
            expected = [mould.expect(top.features) for top in tops]
        shifts = [
            lay(one, top, weights, shift, sized=True).shift_px
            for one, top, shift in zip(expected, tops, shifts, strict=True)
        ]
    return Mould(laid, features)


def lay(
    expected: Levels,
    top: Top,
    weights: Levels,
    begin_px: Points | None = None,
    sized: bool = False,
) -> Laid:
    """Return how *top* lies to what is *expected* (n,), normalised, of places with *weights* (n,).

    begin_px: (2,) where it may lie.  sized: whether it is as large as expected, beyond doubt.
    """
    right, down = (slope[_FEW] for slope in _find_slopes_inside(expected))
    ways = [right, down] if sized else [right, down, right * _LAID[0] + down * _LAID[1]]
    basis = np.concatenate([np.stack(ways), expected[None, _FEW], _LAID_SHADES])
    weights = weights[_FEW]
    scale, shift = 1.0, np.zeros(2) if begin_px is None else begin_px
    trust = weights
    for _ in range(FEW_STEPS if sized else STEPS):
        seen = top.sample(scale, shift, few=True)
        parts = _solve(basis, seen, trust)
        strength = max(float(parts[len(ways)]), TINY)
        step = parts[: len(ways)] / strength
        off = (seen - parts.astype(np.float32) @ basis) / np.float32(strength)
        usual = float((trust * np.abs(off)).sum() / trust.sum())
        trust = weights / (np.float32(1.0) + (off / np.float32(ODD * usual + TINY)) ** 2)
        if not sized:
            scale /= 1.0 + float(np.clip(step[2], -LONGEST, LONGEST))
        shift = shift - scale * np.clip(step[:2], -LONGEST_PX, LONGEST_PX)
    misfit = float(np.sqrt((trust * off**2).sum() / trust.sum()))
    vague = np.linalg.inv(_multiply(basis, trust))
    return Laid(scale, 0.0 if sized else misfit * float(np.sqrt(vague[2, 2])), shift)


def normalise(seen: Levels, weights: Levels) -> Levels:
    """Return what is left of brightness (n,) without shades, at a size of 1."""
    left = seen - _solve(_SHADES, seen, weights).astype(np.float32) @ _SHADES
    size = np.sqrt((weights * left**2).sum() / weights.sum()) + TINY
    return np.asarray(left / np.float32(size), np.float32)


def _solve(basis: Levels, seen: Levels, weights: Levels) -> Points:
    """Return how much of each part of *basis* (k, n) is in what is *seen* (n,)."""
    wanted = (basis * weights) @ seen
    return np.asarray(np.linalg.solve(_multiply(basis, weights), wanted.astype(np.float64)))


def _multiply(basis: Levels, weights: Levels) -> Points:
    products = ((basis * weights) @ basis.T).astype(np.float64)
    return np.asarray(products + TINY * np.eye(len(basis)))


def _find_slopes_inside(expected: Levels) -> tuple[Levels, Levels]:
    """Return by how much brightness (n,) changes with each pixel across, and down."""
    whole = np.zeros(_COMPARED.shape, np.float32)
    whole[_COMPARED] = expected
    right, down = (
        np.where(_INSIDE, slope[_COMPARED], np.float32(0.0)) for slope in find_slopes(whole)
    )
    return right, down
