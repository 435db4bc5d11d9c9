"""Lay small pictures over others: how much larger each is, how it is turned, where it lies.

All show a round thing in their middle. Which turn and place fit best roughly is tried out
(`rotation_search.py`) and refined by the slopes of one picture (S. Baker and I. Matthews,
Lucas-Kanade 20 Years On, IJCV 56, 2004). Scale, turn and place are then fitted together by the
slopes of both (S. Benhimane and E. Malis, Real-time image-based tracking of planes using efficient
second-order minimization, IROS 2004): by those of one alone, whose noise is in the misfit too, the
other seems too large.

Compared is what is fine in brightness and in two colours of which shade says nothing: the sides of
a thing are lit differently, and that does not turn with it. What fits badly, such as a glint,
counts less, and so does a channel that fits badly all over. Many are fitted at once, since each of
the short sums that this takes costs less than to call for it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.columns.cues.rotation_search import (
    COARSE,
    MIDDLE,
    RADIUS_PX,
    SIDE_PX,
    TINY,
    TRIED,
    WIDE_PX,
    Levels,
    cut_windows,
    find_places,
    find_turns,
    turn_core,
)
from vision.geometry.pose import Points

RIM: Final = 1.25
"""What is compared reaches so many radii out; the last SOFT of it counts less and less."""
SOFT: Final = 0.1
DARK: Final = 30.0
"""Colours of what is darker than this are hardly told."""
ROUGH: Final = 4
"""Where a turn leads is found out in pictures so many times smaller..."""
ROUGH_WINDOW, FINE_WINDOW = 9, 11
"""...and what the mean of so many of their pixels across shows as well is not compared."""
ROUGH_STEPS, FINE_STEPS = 4, 6
LONGEST: Final = (0.05, 0.12, 3.5, 3.5)
"""The longest step of the scale, the turn (radians) and the place (pixels)."""
EAGER: Final = 1.5
"""Noise makes slopes steeper, and steps too short: by this power of it they are made longer."""
VAGUE: Final = 0.5
"""And by this power of it scales are vaguer than the misfit tells."""
LEAST_SHARED: Final = 0.3
"""At least so much of the slopes is taken for what both pictures show, the rest for noise."""
ODD: Final = 0.7
"""What misfits by more than so many times what is usual counts for less than half."""
WELL: Final = 0.05
"""No channel is taken to fit better than this, in units of what varies in it."""
EVERY: Final = 3
"""Of every third row every third pixel is compared; more say hardly anything new."""

_LONGEST: Final = np.array(LONGEST)
_WAYS: Final = ((1, 0), (0, 1))


class _Pixels:
    """Which pixels of a template are compared.

    across, down: (n,) how far from its middle they lie, in pixels of the template.  weights: (n,).
    """

    def __init__(self, smaller: int, every: int) -> None:
        """*smaller*: how many times smaller pictures are.  every: of how many rows one is taken."""
        places = smaller * np.arange(SIDE_PX // smaller, dtype=np.float32) + (smaller - 1) / 2
        down, across = np.meshgrid(places - MIDDLE, places - MIDDLE, indexing="ij")
        out = np.hypot(across, down) / RADIUS_PX
        self._compared = np.zeros(out.shape, np.bool_)
        self._compared[::every, ::every] = out[::every, ::every] < RIM
        self._smaller = smaller
        self.across, self.down = across[self._compared], down[self._compared]
        self.weights = np.clip((RIM - out[self._compared]) / SOFT, 0.0, 1.0).astype(np.float32)
        self._places = np.stack([self.across, self.down, np.ones_like(self.down)])

    def list(self, parts: Sequence[Levels]) -> Levels:
        """Return the channels (parts, channels, n) of these pixels of a template."""
        return np.stack([part[self._compared].T for part in parts])

    def sample(self, parts: Sequence[Levels], where: "_Places") -> Levels:
        """Return the channels (fits, parts, channels, n) of subjects where these pixels lie.

        parts: (subjects * side, side, channels) each, one subject below the other.
        """
        firsts = where.shifts + (WIDE_PX - 1) / 2
        ways = np.concatenate([where.turns, firsts[..., None]], axis=2)
        ways[..., 2] += 0.5
        ways /= self._smaller
        ways[..., 2] -= 0.5
        last = parts[0].shape[1] - 1
        x, y = np.clip(ways.astype(np.float32) @ self._places, 0.0, last).transpose(1, 0, 2)
        y += (last + 1) * where.subjects[:, None]
        found = np.empty((len(x), len(parts), parts[0].shape[2], x.shape[1]), np.float32)
        for index, part in enumerate(parts):
            seen = cv2.remap(part, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
            found[:, index] = seen.transpose(0, 2, 1)
        return found

    def lay_basis(self, slopes: Levels, levels: Levels) -> Levels:
        """Return by how much levels change (..., channels, 6, n) with each thing that may differ.

        These are scale, turn and place, of which the latter are two, and another exposure, which
        adds to all levels and multiplies them.  slopes: (..., 2, channels, n) by how much *levels*
        (..., channels, n) change across and down.
        """
        right, down = slopes[..., 0, :, :], slopes[..., 1, :, :]
        basis = np.empty((*levels.shape[:-1], 6, levels.shape[-1]), np.float32)
        basis[..., 0, :] = right * self.across + down * self.down
        basis[..., 1, :] = down * self.across - right * self.down
        basis[..., 2, :], basis[..., 3, :] = right, down
        basis[..., 4, :], basis[..., 5, :] = 1.0, levels
        return basis


_ROUGH: Final = _Pixels(ROUGH, 1)
_FINE: Final = _Pixels(1, EVERY)


@dataclass(frozen=True, slots=True)
class Alignment:
    """How a subject lies to a template.

    scale: how many times larger it is.  doubt: how far that may be off, as far as the misfit tells.
    """

    scale: float
    doubt: float


class Template:
    """What others are laid over."""

    def __init__(self, picture: Picture) -> None:
        """*picture*: (SIDE_PX, SIDE_PX, 3) uint8, blue green red."""
        self.turned = turn_core(picture)
        rough, fine = _part(picture)
        self.fine = _FINE.list([fine, *find_slopes(fine)])
        levels, *slopes = _ROUGH.list([rough, *find_slopes(rough)])
        self.rough, size = _normalise(levels, _ROUGH.weights)
        # Of a rough picture's pixels each is ROUGH of the template's.
        basis = _ROUGH.lay_basis(np.stack(slopes) / (np.float32(ROUGH) * size), self.rough)
        solved = _solve(basis[:, 1:], _ROUGH.weights)
        moves = (solved.steps @ solved.weighed).swapaxes(0, 1)
        self.moves = moves.reshape(len(moves), -1).astype(np.float32)
        """(3, channels * n): by what turn and place each pixel's being off is made up for."""


class Subject:
    """What is laid over templates."""

    def __init__(self, picture: Picture, way_px: tuple[float, float] = (0.0, 0.0)) -> None:
        """*picture*: (WIDE_PX, WIDE_PX, 3) uint8, blue green red.

        way_px: what it shows may lie so far across and down aside, or as far the other way.
        """
        self.places = find_places(way_px)
        self.windows = cut_windows(picture, self.places)
        self.rough, fine = _part(picture)
        self.fine = [fine, *find_slopes(fine)]


@dataclass(frozen=True, slots=True, eq=False)
class _Places:
    """Where pixels of templates lie in subjects: several fits at once.

    subjects: (fits,) in which.  turns: (fits, 2, 2) of the pixels' places, and shifts (fits, 2).
    """

    subjects: NDArray[np.intp]
    turns: Points
    shifts: Points

    def those(self, which: NDArray[np.intp]) -> "_Places":
        """Return the fits that are chosen."""
        return _Places(self.subjects[which], self.turns[which], self.shifts[which])

    def step(self, steps: Points) -> "_Places":
        """Return where they lie after *steps* (fits, 4) of scale, turn and place."""
        grown, turned, *moved = np.clip(steps, -_LONGEST, _LONGEST).T
        back = np.array([[1.0 + grown, turned], [-turned, 1.0 + grown]]).transpose(2, 0, 1)
        turns = self.turns @ (back / ((1.0 + grown) ** 2 + turned**2)[:, None, None])
        shifts = self.shifts - (turns @ np.array(moved).T[..., None])[..., 0]
        return _Places(self.subjects, turns, shifts)


def register(pairs: Sequence[tuple[Template, Subject]]) -> list[Alignment]:
    """Return how the subject of each of *pairs* lies to the template."""
    if not pairs:
        return []
    numbers = {subject: at for at, subject in enumerate(dict.fromkeys(each for _, each in pairs))}
    places = _approach(pairs, numbers)
    known = np.stack([template.fine for template, _ in pairs])
    shown = [np.concatenate(part) for part in zip(*(each.fine for each in numbers), strict=True)]
    # Copied, since numpy takes three times as long for sums over what is merely broadcast.
    weights = np.broadcast_to(_FINE.weights, known[:, 0].shape).copy()
    for _ in range(FINE_STEPS):
        found = _turn_slopes(_FINE.sample(shown, places), places)
        asked, seen = (_normalise(parts[:, 0], weights) for parts in (known, found))
        off = seen[0] - asked[0]
        weights = _weigh(off)
        known_slopes, slopes = (
            parts[:, 1:] / size[:, None] for parts, (_, size) in ((known, asked), (found, seen))
        )
        both = np.float32(0.5) * (known_slopes + slopes)
        solved = _solve(_FINE.lay_basis(both, np.float32(0.5) * (asked[0] + seen[0])), weights)
        shared = _share(known_slopes, slopes, both, weights)
        places = places.step(solved.step(off) / shared[:, None] ** EAGER)
    misfits = np.sqrt(np.average(off**2, axis=(1, 2), weights=weights))
    doubts = misfits * np.sqrt(solved.vague[:, 0, 0]) / shared**VAGUE
    scales = np.sqrt(np.maximum(np.linalg.det(places.turns), TINY))
    return [Alignment(*each) for each in zip(scales.tolist(), doubts.tolist(), strict=True)]


def _approach(pairs: Sequence[tuple[Template, Subject]], numbers: Mapping[Subject, int]) -> _Places:
    """Return where templates lie roughly, at a scale of one: from TRIED turns, the better one.

    numbers: of all subjects.
    """
    places = _begin(pairs, numbers)
    known = np.repeat(np.stack([template.rough for template, _ in pairs]), TRIED, axis=0)
    moves = np.repeat(np.stack([template.moves for template, _ in pairs]), TRIED, axis=0)
    shown = [np.concatenate([subject.rough for subject in numbers])]
    for _ in range(ROUGH_STEPS):
        seen, _ = _normalise(_ROUGH.sample(shown, places)[:, 0], _ROUGH.weights)
        steps = moves @ (seen - known).reshape(len(known), -1, 1)
        places = places.step(np.pad(steps[..., 0], ((0, 0), (1, 0))))
    seen, _ = _normalise(_ROUGH.sample(shown, places)[:, 0], _ROUGH.weights)
    alike = (_ROUGH.weights * seen * known).sum(axis=(1, 2)).reshape(len(pairs), TRIED)
    return places.those(alike.argmax(axis=1) + TRIED * np.arange(len(pairs)))


def _begin(pairs: Sequence[tuple[Template, Subject]], numbers: Mapping[Subject, int]) -> _Places:
    """Return TRIED places of each template, of its likeliest turns, each where it fits best."""
    subjects, turns, shifts = [], [], []
    for template, subject in pairs:
        for angle, place in find_turns(template.turned, subject.windows):
            subjects.append(numbers[subject])
            turns.append([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
            shifts.append(subject.places[place] * COARSE)
    return _Places(np.array(subjects), np.array(turns), np.array(shifts))


def _turn_slopes(found: Levels, places: _Places) -> Levels:
    """Return *found* (fits, 3, channels, n) with its slopes along the template's ways.

    What changes across the subject changes along another way in the template.
    """
    flat = found.reshape(len(found), 3, -1)
    flat[:, 1:] = places.turns.swapaxes(1, 2).astype(np.float32) @ flat[:, 1:]
    return found


@dataclass(frozen=True, slots=True, eq=False)
class _Solved:
    """What makes up for what is off in each pixel, of several fits or of one alone.

    weighed: (fits, channels, k + 2, n) and steps: (fits, channels, k, k + 2), whose product is the
    k steps for each pixel.  vague: (fits, k, k) covariances of steps if all pixels are off by one.
    """

    weighed: Levels
    steps: Points
    vague: Points

    def step(self, off: Levels) -> Points:
        """Return the steps (fits, k) that make up for what is *off* (fits, channels, n)."""
        return np.asarray((self.steps @ (self.weighed @ off[..., None])).sum(axis=-3)[..., 0])


def _solve(basis: Levels, weights: Levels) -> _Solved:
    """Return what makes up for anything that may be off, as far as another exposure would not.

    basis: (..., channels, k + 2, n) by how much levels change with each of k steps, and with
    exposures.  weights: (..., channels, n), or (n,).
    """
    k = basis.shape[-2] - 2
    weighed = basis * weights[..., None, :]
    products = (weighed @ basis.swapaxes(-1, -2)).astype(np.float64)
    spared = products[..., :k, k:] @ np.linalg.inv(products[..., k:, k:] + TINY * np.eye(2))
    known = (products[..., :k, :k] - spared @ products[..., k:, :k]).sum(axis=-3)
    vague = np.linalg.inv(known + TINY * np.eye(k))
    apart = np.concatenate([np.broadcast_to(np.eye(k), (*spared.shape[:-1], k)), -spared], axis=-1)
    return _Solved(weighed, vague[..., None, :, :] @ apart, vague)


def _share(slopes: Levels, own: Levels, both: Levels, weights: Levels) -> Points:
    """Return how much of their slopes two pictures have in common (fits,); the rest is noise.

    slopes, own, both: (fits, 2, channels, n) of each, and their mean.  weights: (fits, channels,
    n).
    """
    common, everything = (
        np.einsum("fcn,fcn->f", weights, (one * other).sum(axis=1))
        for one, other in ((slopes, own), (both, both))
    )
    return np.asarray(np.clip(common / (everything + TINY), LEAST_SHARED, 1.0), np.float64)


def _weigh(off: Levels) -> Levels:
    """Return how much pixels count (fits, channels, n) that are *off* by so much."""
    usual = (np.abs(off) @ _FINE.weights / _FINE.weights.sum())[..., None]
    odd = off / (ODD * usual + np.float32(TINY))
    trust = (usual + np.float32(WELL)) ** -2
    trust /= trust.mean(axis=1, keepdims=True)
    return np.asarray(trust * _FINE.weights / (np.float32(1.0) + odd**2), np.float32)


def _normalise(levels: Levels, weights: Levels) -> tuple[Levels, Levels]:
    """Return *levels* (..., n) at mean 0 and size 1, and what size they had (..., 1).

    weights: the same, or (n,).
    """
    total = weights.sum(axis=-1, keepdims=True)
    around = levels - _sum(weights, levels) / total
    size = np.sqrt(_sum(weights * around, around) / total) + np.float32(TINY)
    return np.asarray(around / size, np.float32), np.asarray(size, np.float32)


def _sum(one: Levels, other: Levels) -> Levels:
    """Return (..., channels, 1): of each channel, the sum of what both give multiplied."""
    return np.asarray(np.einsum("...n,...n->...", one, other)[..., None], np.float32)


def _part(picture: Picture) -> tuple[Levels, Levels]:
    """Return what is rough in *picture*, in fewer pixels, and what is fine, as channels.

    These are brightness, and red against blue and green against both, whatever the shade.
    """
    blue, green, red = cv2.split(picture.astype(np.float32))
    bright = blue + green + red + np.float32(DARK)
    grey = np.float32(0.2) * blue + np.float32(0.4) * (green + red)
    seen = cv2.merge([grey, (red - blue) / bright, (2 * green - red - blue) / bright])
    side = len(picture) // ROUGH
    small = cv2.resize(seen, (side, side), interpolation=cv2.INTER_AREA)
    rough, fine = (
        np.asarray(part - cv2.blur(part, (window, window)), np.float32)
        for part, window in ((small, ROUGH_WINDOW), (seen, FINE_WINDOW))
    )
    return rough, fine


def find_slopes(seen: Levels) -> list[Levels]:
    """Return by how much what is *seen* changes with each pixel across, and down."""
    slopes = (cv2.Sobel(seen, -1, *way, ksize=1, scale=0.5) for way in _WAYS)
    return [np.asarray(slope, np.float32) for slope in slopes]
