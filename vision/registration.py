"""Lay one small picture over another: how much larger it is, how it is turned, where it lies.

Both show a round thing in their middle. Which turn and place fit best roughly is tried out; then
scale, turn and place are refined together by the inverse compositional algorithm of Lucas and
Kanade (S. Baker and I. Matthews, Lucas-Kanade 20 Years On, IJCV 56, 2004), in brightness and two
colours of which shade says nothing. What fits badly, such as a glint, counts less each time.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Any, Final, TypeAlias

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
"""From how many turns the refinement begins."""
APART: Final = 2
COARSE_BLUR_PX: Final = 3.0
DARK: Final = 30.0
"""Colours of what is darker than this are hardly told."""
ROUNDS: Final = (4, 2, 2)
"""How often the fit is refined before what fits badly is looked for again."""
LONGEST: Final = (0.05, 0.12, 3.5, 3.5)
"""The longest step of the scale, the turn (radians) and the place (pixels)."""
ODD: Final = 0.7
"""What misfits by more than so many times what is usual counts for less than half."""
EVERY: Final = 2
"""Of every second row every second pixel is compared; more say nothing new."""
TINY: Final = 1e-6
CHANNELS: Final = 3

_RADIUS_PX: Final = SIDE_PX / (2 * SPAN)
_MIDDLE: Final = (SIDE_PX - 1) / 2
_LONGEST: Final = np.array(LONGEST)
_WAYS: Final = ((1, 0), (0, 1))
_ACROSS, _DOWN = (part.astype(np.float32) - _MIDDLE for part in np.indices((SIDE_PX,) * 2)[::-1])
_OUT: Final = np.hypot(_ACROSS, _DOWN) / _RADIUS_PX
_COMPARED: Final = np.zeros(_OUT.shape, np.bool_)
_COMPARED[::EVERY, ::EVERY] = _OUT[::EVERY, ::EVERY] < RIM
_X, _Y = _ACROSS[_COMPARED], _DOWN[_COMPARED]
_WEIGHTS: Final = np.clip((RIM - _OUT[_COMPARED]) / SOFT, 0.0, 1.0).astype(np.float32)


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
        seen = _channels(picture)
        self.levels, size = _normalise(_list_pixels(seen), _WEIGHTS)
        right, down = (
            _list_pixels(cv2.Sobel(seen, -1, *way, ksize=1, scale=0.5)) / size for way in _WAYS
        )
        self.steps = np.stack([right * _X + down * _Y, down * _X - right * _Y, right, down])
        evenly = np.broadcast_to(_WEIGHTS, self.levels.shape)
        gains, spreads = _plan(self.levels[None], self.steps[None], evenly[None])
        self.gain, self.spread = gains[0], spreads[0]


class Subject:
    """What is laid over templates."""

    def __init__(self, picture: Picture, way_px: tuple[float, float] = (0.0, 0.0)) -> None:
        """*picture*: (WIDE_PX, WIDE_PX, 3) uint8, blue green red.

        way_px: what it shows may lie so far across and down aside, or as far the other way.
        """
        self.places = _find_places(way_px)
        self.windows = _cut_windows(picture, self.places)
        self.seen = _channels(picture)


@dataclass(frozen=True, slots=True)
class _Fits:
    """Where pixels of templates lie in a subject: several fits at once.

    levels: (fits, channels, n) and steps: (fits, 4, channels, n) of the templates.  turns: (fits,
    2, 2) of the pixels' places, and shifts (fits, 2).  weights: (fits, channels, n) of the pixels;
    gains and spreads follow from them, see `_plan`.  doubts, likenesses: (fits,) how far the scale
    may be off, and how alike what is found is.
    """

    levels: Levels
    steps: Levels
    turns: Points
    shifts: Points
    weights: Levels
    gains: Levels
    spreads: Levels
    doubts: Points
    likenesses: Points

    def those(self, which: NDArray[np.intp]) -> "_Fits":
        """Return the fits that are chosen."""
        return _Fits(*(getattr(self, field.name)[which] for field in fields(self)))


def register(templates: Sequence[Template], subject: Subject) -> list[Alignment]:
    """Return how *subject* lies to each of *templates*."""
    if not templates:
        return []
    fits = _refine(_begin(templates, subject), subject, ROUNDS[0])
    likenesses = fits.likenesses.reshape(len(templates), TRIED)
    fits = fits.those(likenesses.argmax(axis=1) + TRIED * np.arange(len(templates)))
    for times in ROUNDS[1:]:
        gains, spreads = _plan(fits.levels, fits.steps, fits.weights)
        fits = _refine(replace(fits, gains=gains, spreads=spreads), subject, times)
    scales = np.sqrt(np.maximum(np.linalg.det(fits.turns), TINY))
    return [Alignment(*each) for each in zip(scales.tolist(), fits.doubts.tolist(), strict=True)]


def _begin(templates: Sequence[Template], subject: Subject) -> _Fits:
    """Return TRIED fits of each template, from its likeliest turns, each where it fits best."""
    turns, shifts = [], []
    for template in templates:
        alike = template.turned @ subject.windows.T
        for turn in _choose_turns(alike.max(axis=1)):
            angle = -2.0 * np.pi * turn / TURNS
            turns.append([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
            shifts.append(subject.places[int(alike[turn].argmax())] * COARSE)
    unknown = np.zeros(len(turns))
    levels, steps, gains, spreads = (
        np.repeat([getattr(template, name) for template in templates], TRIED, axis=0)
        for name in ("levels", "steps", "gain", "spread")
    )
    return _Fits(
        levels,
        steps,
        np.array(turns),
        np.array(shifts),
        np.broadcast_to(_WEIGHTS, levels.shape),
        gains,
        spreads,
        unknown,
        unknown,
    )


def _choose_turns(alike: Levels) -> list[int]:
    """Return the TRIED turns that are most *alike* (TURNS,), no two of them nearly the same."""
    found: list[int] = []
    for turn in np.argsort(-alike).tolist():
        if all(min((turn - one) % TURNS, (one - turn) % TURNS) >= APART for one in found):
            found.append(turn)
        if len(found) == TRIED:
            break
    return found


def _plan(levels: Levels, steps: Levels, weights: Levels) -> tuple[Levels, Levels]:
    """Return what steps follow from misfits (fits, 4, channels * n), and how vague scales are.

    The latter (fits,) is by how much a misfit of one in all pixels would change them.  levels,
    steps, weights: as fits have them.
    """
    count = len(levels)
    steps = _take_out(steps, levels[:, None], weights[:, None])
    flat, weighed = (
        part.reshape(count, len(LONGEST), -1) for part in (steps, steps * weights[:, None])
    )
    known = np.linalg.inv(weighed @ flat.transpose(0, 2, 1) + TINY * np.eye(len(LONGEST)))
    gains = np.asarray(known.astype(np.float32) @ weighed, np.float32)
    return gains, np.asarray(np.sqrt(known[:, 0, 0]), np.float32)


def _refine(fits: _Fits, subject: Subject, times: int) -> _Fits:
    """Return *fits* after so many steps, and with less weight on what fits badly."""
    weights, levels, count = fits.weights, fits.levels, len(fits.levels)
    turns, shifts = fits.turns, fits.shifts
    for _ in range(times):
        off = _sample(subject.seen, turns, shifts, weights) - levels
        step = (fits.gains @ off.reshape(count, -1, 1))[..., 0]
        grown, turned, *moved = np.clip(step, -_LONGEST, _LONGEST).astype(np.float64).T
        back = np.array([[1.0 + grown, turned], [-turned, 1.0 + grown]]).transpose(2, 0, 1)
        turns = turns @ (back / ((1.0 + grown) ** 2 + turned**2)[:, None, None])
        shifts = shifts - (turns @ np.array(moved).T[..., None])[..., 0]
    seen = _sample(subject.seen, turns, shifts, weights)
    off = _take_out(seen - levels, levels, weights)
    usual = (np.abs(off) @ _WEIGHTS).mean(axis=1) / _WEIGHTS.sum()
    odd = off / (ODD * usual + np.float32(TINY))[:, None, None]
    return replace(
        fits,
        turns=turns,
        shifts=shifts,
        weights=_WEIGHTS / (np.float32(1.0) + odd**2),
        doubts=usual * fits.spreads,
        likenesses=_compare(seen, levels),
    )


def _sum(one: Levels, other: Levels) -> Levels:
    """Return (..., channels, 1): of each channel, the sum of what both give multiplied."""
    return np.asarray(np.einsum("...n,...n->...", one, other)[..., None], np.float32)


def _take_out(steps: Levels, levels: Levels, weights: Levels) -> Levels:
    """Return *steps* without what another exposure would do as well; each (..., channels, n)."""
    total = weights.sum(axis=-1, keepdims=True)
    around = levels - _sum(levels, weights) / total
    weighed = weights * around
    slopes = _sum(steps, weighed) / (_sum(around, weighed) + np.float32(TINY))
    return np.asarray(steps - _sum(steps, weights) / total - slopes * around, np.float32)


def _sample(seen: Levels, turns: Points, shifts: Points, weights: Levels) -> Levels:
    """Return the channels (fits, channels, n) of a subject where pixels lie, normalised."""
    ways = turns.astype(np.float32)
    first = (shifts + (WIDE_PX - 1) / 2).astype(np.float32)
    x, y = (ways[:, row, :1] * _X + ways[:, row, 1:] * _Y + first[:, row, None] for row in range(2))
    found = cv2.remap(seen, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return _normalise(np.ascontiguousarray(found.transpose(0, 2, 1), np.float32), weights)[0]


def _normalise(levels: Levels, weights: Levels) -> tuple[Levels, Levels]:
    """Return *levels* (..., channels, n) at mean 0 and size 1; and what their size was before."""
    weights = np.broadcast_to(weights, levels.shape)
    total = weights.sum(axis=-1, keepdims=True)
    around = levels - _sum(weights, levels) / total
    size = np.sqrt(_sum(weights * around, around) / total) + np.float32(TINY)
    return around / size, size


def _compare(one: Levels, other: Levels) -> Points:
    """Return how alike two (fits, channels, n) are, in all channels together."""
    total = CHANNELS * _WEIGHTS.sum()
    one, other = (
        part - ((part @ _WEIGHTS).sum(axis=1) / total)[:, None, None] for part in (one, other)
    )
    sizes = ((one**2) @ _WEIGHTS).sum(axis=1) * ((other**2) @ _WEIGHTS).sum(axis=1)
    both = ((one * other) @ _WEIGHTS).sum(axis=1)
    return np.asarray(both / np.sqrt(sizes + TINY), np.float64)


def _list_pixels(seen: NDArray[Any]) -> Levels:
    """Return the channels (channels, n) of those pixels of a template that are compared."""
    return np.ascontiguousarray(seen[_COMPARED].T, np.float32)


def _channels(picture: Picture) -> Levels:
    """Return brightness, and red against blue and green against both, whatever the shade."""
    blue, green, red = cv2.split(picture.astype(np.float32))
    bright = blue + green + red + np.float32(DARK)
    grey = np.float32(0.2) * blue + np.float32(0.4) * (green + red)
    ways = [grey, (red - blue) / bright, (2 * green - red - blue) / bright]
    return np.asarray(cv2.merge(ways), np.float32)


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
    reach = round(CORE * _RADIUS_PX / COARSE)
    down, across = np.indices((2 * reach,) * 2) - (reach - 0.5)
    inside = np.hypot(down, across) <= CORE * _RADIUS_PX / COARSE
    return down[inside], across[inside]


@cache
def _lay_turned_core() -> tuple[Levels, Levels]:
    """Return where (TURNS, n) the core's pixels lie across and down a template, in all turns."""
    down, across = (COARSE * part for part in _lay_core())
    angles = 2.0 * np.pi * np.arange(TURNS)[:, None] / TURNS
    x = across * np.cos(angles) - down * np.sin(angles) + _MIDDLE
    y = across * np.sin(angles) + down * np.cos(angles) + _MIDDLE
    return x.astype(np.float32), y.astype(np.float32)


@cache
def _lay_places() -> Points:
    """Return (n, 2): where a core lies wholly inside of a small subject."""
    reach = WIDE_PX // (2 * COARSE) - round(CORE * _RADIUS_PX / COARSE)
    ways = np.arange(-reach, reach + 1, dtype=np.float64)
    return np.array([(across, down) for down in ways for across in ways])
