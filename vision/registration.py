"""Lay one small picture over another: how much larger it is, how it is turned, where it lies.

Both show a round thing in their middle. Which turn and place fit best roughly is tried out; then
scale, turn and place are refined together by the inverse compositional algorithm of Lucas and
Kanade (S. Baker and I. Matthews, Lucas-Kanade 20 Years On, IJCV 56, 2004), in brightness and two
colours of which shade says nothing. What fits badly, such as a glint, counts less each time.
"""

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
_WEIGHTS: Final = np.clip((RIM - _OUT[_COMPARED]) / SOFT, 0.0, 1.0)


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
        self.levels, size = _normalise(_list_pixels(seen[_COMPARED]), _spread(_WEIGHTS))
        right, down = (
            _list_pixels(
                np.asarray(cv2.Sobel(seen, -1, *way, ksize=1, scale=0.5)[_COMPARED], np.float32)
            )
            / size
            for way in _WAYS
        )
        self.steps = np.stack([right * _X + down * _Y, down * _X - right * _Y, right, down])


class Subject:
    """What is laid over templates."""

    def __init__(self, picture: Picture, way_px: tuple[float, float] = (0.0, 0.0)) -> None:
        """*picture*: (WIDE_PX, WIDE_PX, 3) uint8, blue green red.

        way_px: what it shows may lie so far across and down aside, or as far the other way.
        """
        self.places = _find_places(way_px)
        self.windows = _cut_windows(picture, self.places)
        self.seen = _channels(picture)


@dataclass(slots=True)
class _Fit:
    """Where a template's pixels lie in a subject: *turn* (2, 2) of their places, and *shift*."""

    turn: Points
    shift: Points
    weights: Levels
    doubt: float = 0.0
    likeness: float = 0.0


def register(template: Template, subject: Subject) -> Alignment:
    """Return how *subject* lies to *template*."""
    fits = [_refine(fit, template, subject, ROUNDS[0]) for fit in _begin(template, subject)]
    best = max(fits, key=lambda fit: fit.likeness)
    for times in ROUNDS[1:]:
        best = _refine(best, template, subject, times)
    scale = float(np.sqrt(max(np.linalg.det(best.turn), TINY)))
    return Alignment(scale, best.doubt)


def _begin(template: Template, subject: Subject) -> list[_Fit]:
    """Return the TRIED likeliest turns, each where it fits best, with no two nearly alike."""
    alike = template.turned @ subject.windows.T
    found: list[int] = []
    for turn in np.argsort(-alike.max(axis=1)):
        if all(min((turn - one) % TURNS, (one - turn) % TURNS) >= APART for one in found):
            found.append(int(turn))
        if len(found) == TRIED:
            break
    fits = []
    for turn in found:
        angle = -2.0 * np.pi * turn / TURNS
        turned = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        shift = subject.places[int(alike[turn].argmax())] * COARSE
        fits.append(_Fit(turned, shift, _spread(_WEIGHTS)))
    return fits


def _refine(fit: _Fit, template: Template, subject: Subject, times: int) -> _Fit:
    """Return *fit* after so many steps, and with less weight on what fits badly."""
    weights, levels = fit.weights, template.levels
    steps = _take_out(template.steps, levels, weights)
    weighed = (steps * weights).reshape(len(steps), -1)
    normal = weighed @ steps.reshape(len(steps), -1).T + TINY * np.eye(len(steps))
    known = np.linalg.inv(normal)
    gain = known.astype(np.float32) @ weighed
    turn, shift = fit.turn, fit.shift
    for _ in range(times):
        off = _sample(subject.seen, turn, shift, weights) - levels
        grown, turned, *moved = np.clip(gain @ off.ravel(), -_LONGEST, _LONGEST).tolist()
        size = (1.0 + grown) ** 2 + turned**2
        turn = turn @ np.array([[1.0 + grown, turned], [-turned, 1.0 + grown]]) / size
        shift = shift - turn @ moved
    seen = _sample(subject.seen, turn, shift, weights)
    off = _take_out(seen - levels, levels, weights)
    usual = float((np.abs(off) @ _WEIGHTS).sum() / (len(off) * _WEIGHTS.sum()))
    fits = _WEIGHTS / (1.0 + (off / (ODD * usual + TINY)) ** 2)
    doubt = usual * float(np.sqrt(known[0, 0]))
    return _Fit(turn, shift, np.asarray(fits, np.float32), doubt, _compare(seen, levels))


def _sum(one: Levels, other: Levels) -> Levels:
    """Return (..., channels, 1): of each channel, the sum of what both give multiplied.

    one: (..., channels, n) and other: (channels, n).
    """
    return np.asarray(np.einsum("...cn,cn->...c", one, other)[..., None], np.float32)


def _take_out(steps: Levels, levels: Levels, weights: Levels) -> Levels:
    """Return *steps* (..., channels, n) without what another exposure would do as well.

    levels, weights: (channels, n).
    """
    total = weights.sum(axis=1, keepdims=True)
    around = levels - _sum(levels, weights) / total
    weighed = weights * around
    slopes = _sum(steps, weighed) / (_sum(around, weighed) + TINY)
    return np.asarray(steps - _sum(steps, weights) / total - slopes * around, np.float32)


def _sample(seen: Levels, turn: Points, shift: Points, weights: Levels) -> Levels:
    """Return the channels (channels, n) of a subject where a template's pixels lie, normalised."""
    ways, first = turn.astype(np.float32), (shift + (WIDE_PX - 1) / 2).astype(np.float32)
    x = _X * ways[0, 0] + _Y * ways[0, 1] + first[0]
    y = _X * ways[1, 0] + _Y * ways[1, 1] + first[1]
    found = cv2.remap(seen, x[None], y[None], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return _normalise(_list_pixels(found[0]), weights)[0]


def _list_pixels(seen: Levels) -> Levels:
    """Return (channels, n) of *seen* (n, channels): sums over pixels are then fast."""
    return np.ascontiguousarray(seen.T, np.float32)


def _spread(weights: Levels) -> Levels:
    """Return the *weights* (n,) of pixels as those of all their channels (channels, n)."""
    return np.stack([weights] * CHANNELS)


def _normalise(levels: Levels, weights: Levels) -> tuple[Levels, Levels]:
    """Return *levels* (channels, n) with a mean of 0 and a size of 1; and their size before."""
    total = weights.sum(axis=1, keepdims=True)
    around = levels - _sum(weights, levels) / total
    size = np.sqrt(_sum(weights * around, around) / total) + np.float32(TINY)
    return around / size, size


def _compare(one: Levels, other: Levels) -> float:
    """Return how alike two (channels, n) are, in all channels together."""
    total = CHANNELS * _WEIGHTS.sum()
    one, other = (part - (part @ _WEIGHTS).sum() / total for part in (one, other))
    sizes = ((one**2) @ _WEIGHTS).sum() * ((other**2) @ _WEIGHTS).sum()
    return float(((one * other) @ _WEIGHTS).sum() / np.sqrt(sizes + TINY))


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
    down, across = (COARSE * part for part in _lay_core())
    turned = []
    for angle in 2.0 * np.pi * np.arange(TURNS) / TURNS:
        x = across * np.cos(angle) - down * np.sin(angle) + _MIDDLE
        y = across * np.sin(angle) + down * np.cos(angle) + _MIDDLE
        maps = x.astype(np.float32)[None], y.astype(np.float32)[None]
        turned.append(cv2.remap(soft, *maps, cv2.INTER_LINEAR)[0])
    return _flatten(np.asarray(turned, np.uint8))


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
def _lay_places() -> Points:
    """Return (n, 2): where a core lies wholly inside of a small subject."""
    reach = WIDE_PX // (2 * COARSE) - round(CORE * _RADIUS_PX / COARSE)
    ways = np.arange(-reach, reach + 1, dtype=np.float64)
    return np.array([(across, down) for down in ways for across in ways])
