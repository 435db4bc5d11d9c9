"""Lay one small picture over another: how much larger it is, how it is turned, where it lies.

Both show a round thing in their middle. Which turn and place fit best roughly is tried out and
refined by the slopes of one picture (S. Baker and I. Matthews, Lucas-Kanade 20 Years On, IJCV 56,
2004). Scale, turn and place are then fitted together by the slopes of both (S. Benhimane and
E. Malis, Real-time image-based tracking of planes using efficient second-order minimization,
IROS 2004): by those of one alone, whose noise is in the misfit too, the other seems too large.

Compared is what is fine in brightness and in two colours of which shade says nothing: the sides of
a thing are lit differently, and that does not turn with it. What fits badly, such as a glint,
counts less, and so does a channel that fits badly all over.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Picture
from vision.pose import Points

Levels: TypeAlias = NDArray[np.float32]

SIDE_PX: Final = 96
"""How wide templates are."""
SPAN: Final = 1.4
"""And how many radii of the round thing half of that is."""
WIDE_PX: Final = 144
"""How wide subjects are, at the same scale: what they show may lie aside."""
LOOSE_PX: Final = 14.0
"""How far aside it may lie in any case."""
RIM: Final = 1.25
"""What is compared reaches so many radii out; the last SOFT of it counts less and less."""
SOFT: Final = 0.1
CORE: Final = 0.95
"""The same while turns are tried out."""
TURNS: Final = 36
COARSE: Final = 6
"""Turns are tried out in pictures so many times smaller."""
TRIED: Final = 2
"""From how many turns the fit begins, no two of them less than APART apart."""
APART: Final = 2
COARSE_BLUR_PX: Final = 3.0
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
TINY: Final = 1e-6

RADIUS_PX: Final = SIDE_PX / (2 * SPAN)
MIDDLE: Final = (SIDE_PX - 1) / 2
"""How large the round thing is in a template, and where its middle is, across and down."""
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

    def list(self, seen: Levels) -> Levels:
        """Return the channels (channels, n) of these pixels of a template."""
        return np.ascontiguousarray(seen[self._compared].T)

    def sample(self, seen: Levels, where: "_Places") -> Levels:
        """Return the channels (fits, channels, n) of a subject where these pixels lie in it."""
        ways = where.turns.astype(np.float32)
        first = where.shifts.astype(np.float32) + np.float32((WIDE_PX - 1) / 2)
        across, down = (
            ways[:, row, :1] * self.across + ways[:, row, 1:] * self.down + first[:, row, None]
            for row in range(2)
        )
        if self._smaller > 1:
            across, down = ((part + 0.5) / self._smaller - 0.5 for part in (across, down))
        found = cv2.remap(seen, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.ascontiguousarray(found.transpose(0, 2, 1), np.float32)


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
        self.turned = _turn(picture)
        rough, fine = ([seen, *find_slopes(seen)] for seen in _part(picture))
        self.rough = np.stack([_ROUGH.list(part) for part in rough])
        # Of a rough picture's pixels each is ROUGH of the template's.
        self.rough[1:] /= np.float32(ROUGH)
        self.fine = np.stack([_FINE.list(part) for part in fine])


class Subject:
    """What is laid over templates."""

    def __init__(self, picture: Picture, way_px: tuple[float, float] = (0.0, 0.0)) -> None:
        """*picture*: (WIDE_PX, WIDE_PX, 3) uint8, blue green red.

        way_px: what it shows may lie so far across and down aside, or as far the other way.
        """
        self.places = _find_places(way_px)
        self.windows = _cut_windows(picture, self.places)
        self.rough, fine = _part(picture)
        self.fine = [fine, *find_slopes(fine)]


@dataclass(frozen=True, slots=True, eq=False)
class _Places:
    """Where pixels of templates lie in a subject: several fits at once.

    turns: (fits, 2, 2) of the pixels' places, and shifts (fits, 2).
    """

    turns: Points
    shifts: Points

    def those(self, which: NDArray[np.intp]) -> "_Places":
        """Return the fits that are chosen."""
        return _Places(self.turns[which], self.shifts[which])

    def step(self, steps: Points) -> "_Places":
        """Return where they lie after *steps* (fits, 4) of scale, turn and place."""
        grown, turned, *moved = np.clip(steps, -_LONGEST, _LONGEST).T
        back = np.array([[1.0 + grown, turned], [-turned, 1.0 + grown]]).transpose(2, 0, 1)
        turns = self.turns @ (back / ((1.0 + grown) ** 2 + turned**2)[:, None, None])
        return _Places(turns, self.shifts - (turns @ np.array(moved).T[..., None])[..., 0])


def register(templates: Sequence[Template], subject: Subject) -> list[Alignment]:
    """Return how *subject* lies to each of *templates*."""
    if not templates:
        return []
    places = _approach(templates, subject)
    known = np.stack([template.fine for template in templates]).swapaxes(0, 1)
    weights = np.broadcast_to(_FINE.weights, known[0].shape)
    for _ in range(FINE_STEPS):
        found = np.stack([_FINE.sample(part, places) for part in subject.fine])
        # What changes across the subject changes along another way in the template.
        found[1:] = np.einsum("fij,ifcn->jfcn", places.turns.astype(np.float32), found[1:])
        asked, seen = (_normalise(parts, weights) for parts in (known, found))
        off = seen[0] - asked[0]
        weights = _weigh(off)
        both = np.float32(0.5) * (asked + seen)
        steps, vague = _solve(_lay_steps(_FINE, both[1:]), both[0], off, weights)
        shared = _share(asked[1:], seen[1:], both[1:], weights)
        places = places.step(steps / shared[:, None] ** EAGER)
    misfits = np.sqrt(np.average(off**2, axis=(1, 2), weights=weights))
    doubts = misfits * np.sqrt(vague[:, 0, 0]) / shared**VAGUE
    scales = np.sqrt(np.maximum(np.linalg.det(places.turns), TINY))
    return [Alignment(*each) for each in zip(scales.tolist(), doubts.tolist(), strict=True)]


def _approach(templates: Sequence[Template], subject: Subject) -> _Places:
    """Return where *templates* lie roughly, at a scale of one: from TRIED turns, the better one."""
    places = _begin(templates, subject)
    each = np.stack([template.rough for template in templates])
    known = np.repeat(each.swapaxes(0, 1), TRIED, axis=1)
    weights = np.broadcast_to(_ROUGH.weights, known[0].shape)
    known = _normalise(known, weights)
    levels, basis = known[0], _lay_steps(_ROUGH, known[1:])[:, :, 1:]
    for _ in range(ROUGH_STEPS):
        (seen,) = _normalise(_ROUGH.sample(subject.rough, places)[None], weights)
        steps, _ = _solve(basis, levels, seen - levels, weights)
        places = places.step(np.pad(steps, ((0, 0), (1, 0))))
    (seen,) = _normalise(_ROUGH.sample(subject.rough, places)[None], weights)
    alike = (weights * seen * levels).sum(axis=(1, 2)).reshape(len(templates), TRIED)
    return places.those(alike.argmax(axis=1) + TRIED * np.arange(len(templates)))


def _begin(templates: Sequence[Template], subject: Subject) -> _Places:
    """Return TRIED places of each template, of its likeliest turns, each where it fits best."""
    turns, shifts = [], []
    for template in templates:
        alike = template.turned @ subject.windows.T
        for turn in _choose_turns(alike.max(axis=1)):
            angle = -2.0 * np.pi * turn / TURNS
            turns.append([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
            shifts.append(subject.places[int(alike[turn].argmax())] * COARSE)
    return _Places(np.array(turns), np.array(shifts))


def _choose_turns(alike: Levels) -> list[int]:
    """Return the TRIED turns that are most *alike* (TURNS,), no two of them nearly the same."""
    found: list[int] = []
    for turn in np.argsort(-alike).tolist():
        if all(min((turn - one) % TURNS, (one - turn) % TURNS) >= APART for one in found):
            found.append(turn)
        if len(found) == TRIED:
            break
    return found


def _lay_steps(pixels: _Pixels, slopes: Levels) -> Levels:
    """Return by how much levels change with each step (fits, channels, 4, n).

    slopes: (2, fits, channels, n) by how much they change across and down.
    """
    right, down = slopes
    grown = right * pixels.across + down * pixels.down
    turned = down * pixels.across - right * pixels.down
    return np.stack([grown, turned, right, down], axis=2)


def _solve(steps: Levels, levels: Levels, off: Levels, weights: Levels) -> tuple[Points, Points]:
    """Return the steps (fits, k) that make up for what is *off*, and how vague these are.

    The latter (fits, k, k) are covariances if all pixels are off by one.  steps: (fits, channels,
    k, n) what they change.  levels, off, weights: (fits, channels, n).  What another exposure would
    make up for as well is left out.
    """
    exposed = np.stack([np.ones_like(levels), levels], axis=2)
    basis = np.concatenate([steps, exposed], axis=2)
    weighed = basis * weights[:, :, None]
    products = (weighed @ basis.swapaxes(-1, -2)).astype(np.float64)
    misfits = (weighed @ off[..., None]).astype(np.float64)
    k = steps.shape[2]
    known, across, exposures = products[..., :k, :k], products[..., :k, k:], products[..., k:, k:]
    spared = across @ np.linalg.inv(exposures + TINY * np.eye(2))
    known = (known - spared @ across.swapaxes(-1, -2)).sum(axis=1)
    wanted = (misfits[..., :k, :] - spared @ misfits[..., k:, :]).sum(axis=1)
    vague = np.linalg.inv(known + TINY * np.eye(k))
    return (vague @ wanted)[..., 0], vague


def _share(slopes: Levels, own: Levels, both: Levels, weights: Levels) -> Points:
    """Return how much of their slopes two pictures have in common (fits,); the rest is noise.

    slopes, own, both: (2, fits, channels, n) of each, and their mean.  weights: (fits, channels,
    n).
    """
    common = (weights * slopes * own).sum(axis=(0, 2, 3))
    everything = (weights * both**2).sum(axis=(0, 2, 3))
    return np.asarray(np.clip(common / (everything + TINY), LEAST_SHARED, 1.0), np.float64)


def _weigh(off: Levels) -> Levels:
    """Return how much pixels count (fits, channels, n) that are *off* by so much."""
    usual = (np.abs(off) @ _FINE.weights / _FINE.weights.sum())[..., None]
    odd = off / (ODD * usual + np.float32(TINY))
    trust = (usual + np.float32(WELL)) ** -2
    trust /= trust.mean(axis=1, keepdims=True)
    return np.asarray(trust * _FINE.weights / (np.float32(1.0) + odd**2), np.float32)


def _normalise(seen: Levels, weights: Levels) -> Levels:
    """Return levels at mean 0 and size 1, and whatever else *seen* shows at the same scale.

    seen: (parts, fits, channels, n), levels first.  weights: (fits, channels, n).
    """
    total = weights.sum(axis=-1, keepdims=True)
    around = seen[0] - _sum(weights, seen[0]) / total
    size = np.sqrt(_sum(weights * around, around) / total) + np.float32(TINY)
    return np.asarray(np.concatenate([around[None], seen[1:]]) / size, np.float32)


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


def _turn(picture: Picture) -> Levels:
    """Return the core of *picture* in all turns (TURNS, n), in few pixels."""
    soft = cv2.GaussianBlur(picture, (0, 0), COARSE_BLUR_PX)
    return _flatten(np.asarray(cv2.remap(soft, *_lay_turned_core(), cv2.INTER_LINEAR), np.uint8))


def _cut_windows(picture: Picture, places: Points) -> Levels:
    """Return (n, pixels * channels): what a core sees at *places* (n, 2) of a subject."""
    soft = cv2.GaussianBlur(picture, (0, 0), COARSE_BLUR_PX / 2)
    side = WIDE_PX // COARSE
    small = cv2.resize(soft, (side, side), interpolation=cv2.INTER_AREA)
    down, across = _lay_core()
    rows, columns = (
        np.rint((side - 1) / 2 + part + places[:, index, None]).astype(np.intp)
        for part, index in ((down, 1), (across, 0))
    )
    return _flatten(np.asarray(small[rows, columns], np.uint8))


def _find_places(way_px: tuple[float, float]) -> Points:
    """Return where a core may lie in a small subject (n, 2), across and down of its middle."""
    places, way = _lay_places(), np.array(way_px) / COARSE
    along = np.clip(places @ way / max(float(way @ way), TINY), -1.0, 1.0)
    aside = np.linalg.norm(places - along[:, None] * way, axis=1)
    return np.asarray(places[aside * COARSE <= LOOSE_PX], np.float64)


def _flatten(seen: NDArray[np.uint8]) -> Levels:
    """Return *seen* (n, pixels, channels) as (n, pixels * channels) whose products are likeness."""
    levels = seen.astype(np.float32).transpose(0, 2, 1)
    levels -= levels.mean(axis=2, keepdims=True)
    levels /= np.linalg.norm(levels, axis=2, keepdims=True) + TINY
    return np.asarray(levels.reshape(len(levels), -1) / np.sqrt(levels.shape[1]), np.float32)


@cache
def _lay_core() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return how far down and across of its middle the core's pixels lie, in a small picture."""
    reach = round(CORE * RADIUS_PX / COARSE)
    down, across = np.indices((2 * reach,) * 2) - (reach - 0.5)
    inside = np.hypot(down, across) <= CORE * RADIUS_PX / COARSE
    return down[inside], across[inside]


@cache
def _lay_turned_core() -> tuple[Levels, Levels]:
    """Return where (TURNS, n) the core's pixels lie across and down a template, in all turns."""
    down, across = (COARSE * part for part in _lay_core())
    angles = 2.0 * np.pi * np.arange(TURNS)[:, None] / TURNS
    x = across * np.cos(angles) - down * np.sin(angles) + MIDDLE
    y = across * np.sin(angles) + down * np.cos(angles) + MIDDLE
    return x.astype(np.float32), y.astype(np.float32)


@cache
def _lay_places() -> Points:
    """Return (n, 2): where a core lies wholly inside of a small subject."""
    reach = WIDE_PX // (2 * COARSE) - round(CORE * RADIUS_PX / COARSE)
    ways = np.arange(-reach, reach + 1, dtype=np.float64)
    return np.array([(across, down) for down in ways for across in ways])
