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
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.columns.cues.image_registration import compute_gradients
from vision.columns.cues.outlines import Outline, weigh_seen
from vision.columns.cues.rotation_search import CENTRE_PX, RADIUS_PX, TEMPLATE_PX, Channels
from vision.columns.cues.top_registration import Odds, crop_tops
from vision.columns.grid import TALLEST, Grid
from vision.columns.patches import Patches, View
from vision.geometry.pose import Points

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
    part.astype(np.float32) - np.float32(CENTRE_PX) for part in np.indices((TEMPLATE_PX,) * 2)
)
_OUT: Final = np.hypot(_DOWN, _ACROSS) / RADIUS_PX
_COMPARED: Final = _OUT < RIM
_INSIDE: Final = cv2.erode(_COMPARED.astype(np.uint8), np.ones((3, 3), np.uint8))[_COMPARED] > 0
_X, _Y = _ACROSS[_COMPARED], _DOWN[_COMPARED]
_WEIGHTS: Final = np.clip((RIM - _OUT[_COMPARED]) / SOFT, 0.0, 1.0).astype(np.float32)
_FEW: Final = np.flatnonzero((np.indices((TEMPLATE_PX,) * 2).sum(axis=0) % 2 == 0)[_COMPARED])
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


@dataclass(frozen=True, slots=True, eq=False)
class Laid:
    """How tops lie to what was expected of each.

    scales, doubts: (tops,) how many times larger they are, and how far that may be off.  shifts_px:
    (tops, 2) where they lie, across and down.
    """

    scales: Points
    doubts: Points
    shifts_px: Points


@dataclass(frozen=True, eq=False)
class Tops:
    """Tops as they are seen, each cut out around its middle in the plane in which it should be.

    pictures: (tops, TEMPLATE_PX, TEMPLATE_PX, 3) uint8, blue green red.  heights: (tops,) as
    thought.  levels: (tops,) how many levels below the camera they would be.  features: (tops, k)
    from which side each is seen, as tangents of angles, and which paint it has, as 1 among noughts.
    """

    pictures: Patches
    heights: NDArray[np.intp]
    levels: Points
    features: Points

    def __len__(self) -> int:
        return len(self.heights)

    def those(self, which: slice) -> "Tops":
        """Return the tops that are chosen."""
        heights, levels, features = self.heights[which], self.levels[which], self.features[which]
        return Tops(self.pictures[which], heights, levels, features)

    @cached_property
    def brightness(self) -> Channels:
        """Return log brightness (tops * TEMPLATE_PX, TEMPLATE_PX), each top below the last."""
        colours = self.pictures.reshape(-1, TEMPLATE_PX, 3).astype(np.float32)
        mixed = np.asarray(cv2.transform(colours, np.array([[0.2, 0.4, 0.4]])), np.float32)
        return np.asarray(np.log(mixed + DARK), np.float32)

    def sample(self, scales: Points, shifts_px: Points, few: bool = False) -> Channels:
        """Return the brightness (tops, n) of the places that are compared, if they lie like that.

        few: whether every other one is enough.
        """
        x, y = (
            np.clip(
                part * scales[:, None].astype(np.float32)
                + (CENTRE_PX + shift)[:, None].astype(np.float32),
                0.0,
                TEMPLATE_PX - 1,
            )
            for part, shift in zip(_LAID if few else (_X, _Y), shifts_px.T, strict=True)
        )
        y += TEMPLATE_PX * np.arange(len(self), dtype=np.float32)[:, None]
        return np.asarray(cv2.remap(self.brightness, x, y, cv2.INTER_LINEAR), np.float32)


class Mould:
    """What tops look like that were laid over each other."""

    def __init__(self, tops: Channels, features: Points) -> None:
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
        self.weights: Channels = np.asarray(weights / weights.mean(), np.float32)

    def expect(self, features: Points) -> Channels:
        """Return what tops with such *features* (tops, k) should look like (tops, n)."""
        seen = np.column_stack([np.ones(len(features)), features]) @ self._effects
        return normalise(seen.astype(np.float32), self.weights)

    def without(self, at: int) -> "Mould":
        """Return what all tops but number *at* look like."""
        return Mould(np.delete(self._tops, at, axis=0), np.delete(self._features, at, axis=0))

    def with_known(self, known: Tops, laid: Laid) -> "Mould":
        """Return what these and *known* tops look like, which were *laid* over these."""
        tops = normalise(known.sample(np.ones(len(known)), laid.shifts_px), self.weights)
        return Mould(np.vstack([self._tops, tops]), np.vstack([self._features, known.features]))

    def lay(self, tops: Tops) -> Laid:
        """Return how *tops* lie to what they should look like."""
        return lay(self.expect(tops.features), tops, self.weights)


class Relief:
    """Tells by the relief of their tops how high the columns on one grid are."""

    def __init__(self, grid: Grid, floor_z: float, faith: Faith = FAITH) -> None:
        """*floor_z*: how many mm above the plane of its poses the columns stand."""
        self._grid, self._floor_z, self._faith = grid, floor_z, faith
        self._mould: Mould | None = None
        self._misses = np.zeros(0)

    def learn(self, view: View, outlines: Sequence[Outline]) -> None:
        """Learn what tops look like from *outlines* of known columns, as seen in *view*."""
        if len(outlines) < FEWEST:
            return
        tops = self.cut(view, outlines)
        self._mould = mould = lay_over(tops)
        each = [tops.those(slice(at, at + 1)) for at in range(len(tops))]
        misses = [look_nearer(mould.without(at).lay(top), top) for at, top in enumerate(each)]
        self._misses = np.concatenate(misses)

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
        if sure:
            known = self.cut(view, sure)
            laid = mould.lay(known)
            misses = np.concatenate([misses, look_nearer(laid, known)])
            mould = mould.with_known(known, laid)
        tops = self.cut(view, doubtful)
        laid = mould.lay(tops)
        return tops.heights + look_nearer(laid, tops), laid.doubts * tops.levels, misses

    def cut(self, view: View, outlines: Sequence[Outline]) -> Tops:
        """Return the tops with these *outlines*."""
        figure, camera = self._grid.figure, view.pose.camera
        heights = np.array([outline.column.height for outline in outlines])
        tops_mm = np.array([self._floor_z + figure.rise_mm(height) for height in heights.tolist()])
        middles = np.column_stack([[outline.middle_mm for outline in outlines], tops_mm])
        below_mm = camera[2] - tops_mm
        paints = np.eye(len(self._grid.colours))[[outline.column.colour for outline in outlines]]
        aside = (middles[:, :2] - camera[:2]) / below_mm[:, None]
        return Tops(
            crop_tops(view, middles, figure.radius, TEMPLATE_PX),
            heights,
            below_mm / figure.pitch,
            np.column_stack([aside, paints]),
        )


def look_nearer(laid: Laid, tops: Tops) -> Points:
    """Return by how many levels (tops,) each looks nearer than it is thought to be."""
    return np.asarray(np.clip((1.0 - 1.0 / laid.scales) * tops.levels, -FARTHEST, FARTHEST))


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


def lay_over(tops: Tops) -> Mould:
    """Return what *tops* whose heights are known look like, laid over each other."""
    sizes, shifts = np.ones(len(tops)), np.zeros((len(tops), 2))
    weights = _WEIGHTS
    for done in range(ROUNDS + 1):
        laid = normalise(tops.sample(sizes, shifts), weights)
        if done == ROUNDS:
            break
        if done < PLAIN_ROUNDS:
            expected = np.tile(normalise(laid.mean(axis=0)[None], weights), (len(tops), 1))
        else:
            mould = Mould(laid, tops.features)
            weights = mould.weights
            expected = mould.expect(tops.features)
        shifts = lay(expected, tops, weights, shifts, sized=True).shifts_px
    return Mould(laid, tops.features)


def lay(
    expected: Channels,
    tops: Tops,
    weights: Channels,
    begin_px: Points | None = None,
    sized: bool = False,
) -> Laid:
    """Return how *tops* lie to what is *expected* of them (tops, n), normalised.

    weights: (n,) of places.  begin_px: (tops, 2) where they may lie.  sized: whether they are as
    large as expected, beyond doubt.
    """
    basis = _list_ways(expected, sized)
    ways = len(basis[0]) - 1 - len(_SHADES)
    weights = weights[_FEW]
    scales = np.ones(len(tops))
    shifts = np.zeros((len(tops), 2)) if begin_px is None else begin_px
    trust = np.tile(weights, (len(tops), 1))
    for _ in range(FEW_STEPS if sized else STEPS):
        seen = tops.sample(scales, shifts, few=True)
        parts = _solve(basis, seen, trust)
        strengths = np.maximum(parts[:, ways, None], TINY)
        steps = parts[:, :ways] / strengths
        shown = (parts[:, None].astype(np.float32) @ basis)[:, 0]
        off = (seen - shown) / strengths.astype(np.float32)
        usual = (trust * np.abs(off)).sum(axis=1, keepdims=True) / trust.sum(axis=1, keepdims=True)
        trust = weights / (np.float32(1.0) + (off / (np.float32(ODD) * usual + TINY)) ** 2)
        if not sized:
            scales = scales / (1.0 + np.clip(steps[:, 2], -LONGEST, LONGEST))
        shifts = shifts - scales[:, None] * np.clip(steps[:, :2], -LONGEST_PX, LONGEST_PX)
    if sized:
        return Laid(scales, np.zeros(len(tops)), shifts)
    misfits = np.sqrt((trust * off**2).sum(axis=1) / trust.sum(axis=1))
    vague = np.linalg.inv(_multiply(basis * trust[:, None], basis))
    return Laid(scales, misfits * np.sqrt(vague[:, 2, 2]), shifts)


def _list_ways(expected: Channels, sized: bool) -> Channels:
    """Return (tops, k, n): how tops that are *expected* (tops, n) change in every way.

    Moved across and down, made larger unless they are *sized*, made stronger, and shaded.
    """
    slopes = [_find_slopes_inside(each) for each in expected]
    right, down = (np.stack(each)[:, _FEW] for each in zip(*slopes, strict=True))
    ways = [right, down] if sized else [right, down, right * _LAID[0] + down * _LAID[1]]
    shades = np.broadcast_to(_LAID_SHADES, (len(expected), *_LAID_SHADES.shape))
    return np.concatenate([np.stack([*ways, expected[:, _FEW]], axis=1), shades], axis=1)


def normalise(seen: Channels, weights: Channels) -> Channels:
    """Return what is left of brightness (tops, n) without shades, at a size of 1."""
    weighed = _SHADES * weights
    shades = np.linalg.solve(_multiply(weighed, _SHADES), (weighed @ seen.T).astype(np.float64))
    left = seen - shades.T.astype(np.float32) @ _SHADES
    sizes = np.sqrt((left**2 @ weights) / weights.sum()) + np.float32(TINY)
    return np.asarray(left / sizes[:, None], np.float32)


def _solve(basis: Channels, seen: Channels, weights: Channels) -> Points:
    """Return how much (tops, k) of each part of *basis* (tops, k, n) is in what is *seen*.

    seen: (tops, n), in which places count by their *weights* (tops, n).
    """
    weighed = basis * weights[:, None]
    wanted = (weighed @ seen[..., None]).astype(np.float64)
    return np.asarray(np.linalg.solve(_multiply(weighed, basis), wanted)[..., 0])


def _multiply(weighed: Channels, basis: Channels) -> Points:
    """Return the products (..., k, k) of each part of two bases (..., k, n)."""
    products = (weighed @ np.swapaxes(basis, -1, -2)).astype(np.float64)
    return np.asarray(products + TINY * np.eye(basis.shape[-2]))


def _find_slopes_inside(expected: Channels) -> tuple[Channels, Channels]:
    """Return by how much brightness (n,) changes with each pixel across, and down."""
    whole = np.zeros(_COMPARED.shape, np.float32)
    whole[_COMPARED] = expected
    right, down = (
        np.where(_INSIDE, slope[_COMPARED], np.float32(0.0)) for slope in compute_gradients(whole)
    )
    return right, down
