"""Registration of a card's picture to another of the same design, bent and tilted as it may be.

Small windows of one are found again in the other; a polynomial of low order goes through most of
their shifts, so that what differs between both cards, or is covered, does not count.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.cards.shown_card import KEPT_PX
from vision.geometry.peak import interpolate_peak

Levels: TypeAlias = NDArray[np.float32]
Grid: TypeAlias = NDArray[np.float64]

SOFTENED_PX: Final = 1.2
EVENED_PX: Final = 30.0
"""Blurs before two pictures are compared: of fine print, and the light that is taken out."""
MIN_SPREAD: Final = 6.0
"""Standard deviation of a window, evened, in levels, for there to be something to find."""
MIN_ALIKE: Final = 0.5
"""Correlation from which on the place of a window counts."""
OFF_PX: Final = 1.2
"""How far a window may be off what most others say; the first fits take three times that."""
MAX_TRIED: Final = 2
"""How many of the four ways that a card may lie are followed beyond the first look."""
ROUNDS, FIRST_ROUNDS = 8, 3
RIDGE, BENT_RIDGE = 1e-3, 0.02
"""What keeps the fit from following single windows, and its higher terms more so."""


@dataclass(frozen=True, slots=True)
class _Step:
    """One look: at which scale, windows how large and how far apart, to where, terms of the fit."""

    scale: float
    side_px: int
    step_px: int
    reach_px: int
    terms: int


FIRST: Final = _Step(0.5, 28, 9, 14, 3)
ROUGH: Final = _Step(0.5, 20, 10, 6, 6)
FINE: Final = (_Step(1.0, 28, 16, 4, 10), _Step(1.0, 28, 16, 2, 10))


@dataclass(frozen=True, slots=True, eq=False)
class Aligned:
    """picture: (*KEPT_PX, 3), laid over the other.  agreement: 0 to 1, of the windows."""

    picture: Picture
    agreement: float


@dataclass(frozen=True, slots=True, eq=False)
class _Way:
    """A view of a card, and from where in it each pixel comes: x and y, (*KEPT_PX) each."""

    view: Picture
    x: Levels
    y: Levels
    agreement: float


def even_light(picture: Picture) -> Levels:
    """Return *picture* as grey levels about 0, of the same brightness and contrast everywhere."""
    soft = cv2.GaussianBlur(picture, (0, 0), SOFTENED_PX)
    grey = cv2.cvtColor(soft, cv2.COLOR_BGR2GRAY).astype(np.float32)
    grey -= cv2.GaussianBlur(grey, (0, 0), EVENED_PX)
    spread = np.sqrt(cv2.GaussianBlur(grey * grey, (0, 0), EVENED_PX))
    return np.asarray(grey / np.maximum(spread, 2.0) * 40.0, np.float32)


def align(evened: Levels, views: Sequence[Picture]) -> Aligned | None:
    """Return that of the *views* of a card which lies over another, laid over it; None if none.

    evened: (*KEPT_PX) the other, from even_light.  views: the same card in up to four turns.
    """
    starts = [_Way(view, _COLUMNS, _ROWS, 0.0) for view in views]
    seen = [way for start in starts if (way := _look(evened, start, FIRST)) is not None]
    seen.sort(key=lambda way: -way.agreement)
    tried = [way for each in seen[:MAX_TRIED] if (way := _look(evened, each, ROUGH)) is not None]
    if not tried:
        return None
    best = max(tried, key=lambda way: way.agreement)
    for step in FINE:
        best = _look(evened, best, step) or best
    return Aligned(_remap(best.view, best.x, best.y), best.agreement)


def turn(picture: Picture) -> tuple[Picture, Picture]:
    """Return *picture* as it is and upside down."""
    return picture, np.ascontiguousarray(picture[::-1, ::-1])


def _look(evened: Levels, way: _Way, step: _Step) -> _Way | None:
    """Return *way*, improved by what one *step* finds; None if too few windows are found again."""
    other = even_light(_remap(way.view, way.x, way.y))
    if step.scale != 1.0:
        evened, other = _scale(evened, step.scale), _scale(other, step.scale)
    found = _match(evened, other, step)
    places, shifts, alike = found[:, :2], found[:, 2:4] / step.scale, found[:, 4]
    terms = _terms((places + 0.5) / step.scale - 0.5, step.terms)
    off_px = OFF_PX / step.scale
    fit = _fit(terms, shifts, alike, off_px)
    if fit is None:
        return None
    away = np.hypot(*(terms @ fit - shifts).T)
    agreement = float((alike * ((away < 1.5 * off_px) & (alike > MIN_ALIKE))).sum() / len(alike))
    moved = (_TERMS[..., : step.terms] @ fit).astype(np.float32)
    x, y = _COLUMNS + moved[..., 0], _ROWS + moved[..., 1]
    return _Way(way.view, _remap(way.x, x, y), _remap(way.y, x, y), agreement)


def _scale(levels: Levels, scale: float) -> Levels:
    small = cv2.resize(levels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32)


def _remap(picture: Any, x: Levels, y: Levels) -> Any:
    return cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def _match(one: Levels, other: Levels, step: _Step) -> Grid:
    """Return for windows of *one* the centre, the shift in *other*, the likeness (n, 5)."""
    side, reach = step.side_px, step.reach_px
    padded = cv2.copyMakeBorder(other, reach, reach, reach, reach, cv2.BORDER_REPLICATE)
    mean, square = (
        cv2.boxFilter(each, -1, (side, side), anchor=(0, 0)) for each in (one, one * one)
    )
    plain = square - mean * mean < MIN_SPREAD**2
    found = []
    for top in range(0, one.shape[0] - side + 1, step.step_px):
        for left in range(0, one.shape[1] - side + 1, step.step_px):
            if plain[top, left]:
                continue
            around = padded[top : top + side + 2 * reach, left : left + side + 2 * reach]
            window = one[top : top + side, left : left + side]
            scores = cv2.matchTemplate(around, window, cv2.TM_CCOEFF_NORMED)
            _, best, _, (x, y) = cv2.minMaxLoc(scores)
            fine_x = x + interpolate_peak(scores[y], x)
            fine_y = y + interpolate_peak(scores[:, x], y)
            centre = side / 2 - 0.5
            found.append((left + centre, top + centre, fine_x - reach, fine_y - reach, best))
    return np.array(found, np.float64).reshape(-1, 5)


def _terms(places: Grid, count: int) -> Grid:
    """Return the first *count* of ten terms to the third order at *places* (..., 2) in pixels."""
    x, y = (2 * places[..., axis] / KEPT_PX[1 - axis] - 1 for axis in (0, 1))
    terms = [np.ones_like(x), x, y, x * y, x * x, y * y, x * x * y, x * y * y, x**3, y**3]
    return np.stack(terms[:count], axis=-1)


_ROWS, _COLUMNS = np.mgrid[0 : KEPT_PX[0], 0 : KEPT_PX[1]].astype(np.float32)
_TERMS: Final = _terms(np.stack([_COLUMNS, _ROWS], axis=-1).astype(np.float64), 10)


def _fit(terms: Grid, shifts: Grid, alike: Grid, off_px: float) -> Grid | None:
    """Return the coefficients (terms, 2) that most *shifts* (n, 2) follow; None if too few do."""
    weights = first = np.maximum(alike - MIN_ALIKE, 0.0)
    count = terms.shape[1]
    if (weights > 0).sum() < count + 4:
        return None
    ridge = np.diag([RIDGE] * 3 + [BENT_RIDGE] * (count - 3))
    for number in range(ROUNDS):
        weighted = terms * weights[:, None]
        fit = np.linalg.solve(terms.T @ weighted + ridge, weighted.T @ shifts)
        away = np.hypot(*(terms @ fit - shifts).T)
        slack = off_px * (3.0 if number < FIRST_ROUNDS else 1.5)
        weights = first / (1 + (away / slack) ** 2) ** 2
    return np.asarray(fit, np.float64)
