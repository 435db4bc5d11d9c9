"""Register a card's picture to another of the same design, even if it is bent or tilted.

Small windows of one are matched in the other, and a polynomial of low order is fitted robustly to
their shifts: windows that differ between both cards, or are covered, are outliers.
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
"""Standard deviation of the blur that removes fine print before two pictures are compared."""
EVENED_PX: Final = 30.0
"""Standard deviation of the blur that estimates the illumination, which is removed."""
MIN_SPREAD: Final = 6.0
"""Least standard deviation of an evened window in levels; a plainer one cannot be located."""
MIN_CORRELATION: Final = 0.5
"""Least correlation for the shift of a window to count."""
INLIER_PX: Final = 1.2
"""How far the shift of a window may be from the fit; the first rounds allow three times that."""
MAX_REFINED: Final = 2
"""How many of the four orientations of a card are refined beyond the first step."""
ROUNDS: Final = 8
"""Iterations of the reweighted least-squares fit."""
FIRST_ROUNDS: Final = 3
"""Iterations of it that tolerate larger residuals."""
RIDGE: Final = 1e-3
"""Ridge regularisation of the affine terms of the fit."""
BENT_RIDGE: Final = 0.02
"""Ridge regularisation of its higher terms."""


@dataclass(frozen=True, slots=True)
class _Step:
    """One refinement: scale, side, spacing and search range of the windows, terms of the fit."""

    scale: float
    side_px: int
    step_px: int
    search_px: int
    terms: int


FIRST: Final = _Step(0.5, 28, 9, 14, 3)
ROUGH: Final = _Step(0.5, 20, 10, 6, 6)
FINE: Final = (_Step(1.0, 28, 16, 4, 10), _Step(1.0, 28, 16, 2, 10))


@dataclass(frozen=True, slots=True, eq=False)
class Aligned:
    """A *picture* (*KEPT_PX, 3) registered to another; *agreement* of their windows, 0 to 1."""

    picture: Picture
    agreement: float


@dataclass(frozen=True, slots=True, eq=False)
class _Warp:
    """A view of a card, and where in it each pixel comes from: x and y, (*KEPT_PX) each."""

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
    """Return the one of the *views* of a card that matches another, registered to it; None if none.

    evened: (*KEPT_PX) the other, from even_light.  views: the same card in up to four turns.
    """
    starts = [_Warp(view, _COLUMNS, _ROWS, 0.0) for view in views]
    refined = [warp for start in starts if (warp := _refine(evened, start, FIRST)) is not None]
    refined.sort(key=lambda warp: -warp.agreement)
    tried = [
        warp for each in refined[:MAX_REFINED] if (warp := _refine(evened, each, ROUGH)) is not None
    ]
    if not tried:
        return None
    best = max(tried, key=lambda warp: warp.agreement)
    for step in FINE:
        best = _refine(evened, best, step) or best
    return Aligned(_remap(best.view, best.x, best.y), best.agreement)


def turn(picture: Picture) -> tuple[Picture, Picture]:
    """Return *picture* as it is and upside down."""
    return picture, np.ascontiguousarray(picture[::-1, ::-1])


def _refine(evened: Levels, warp: _Warp, step: _Step) -> _Warp | None:
    """Return *warp*, refined by one *step*; None if too few windows match."""
    other = even_light(_remap(warp.view, warp.x, warp.y))
    if step.scale != 1.0:
        evened, other = _scale(evened, step.scale), _scale(other, step.scale)
    found = _match(evened, other, step)
    places, shifts, correlations = found[:, :2], found[:, 2:4] / step.scale, found[:, 4]
    terms = _terms((places + 0.5) / step.scale - 0.5, step.terms)
    inlier_px = INLIER_PX / step.scale
    fit = _fit(terms, shifts, correlations, inlier_px)
    if fit is None:
        return None
    residuals = np.hypot(*(terms @ fit - shifts).T)
    agreement = float(
        (correlations * ((residuals < 1.5 * inlier_px) & (correlations > MIN_CORRELATION))).sum()
        / len(correlations)
    )
    moved = (_TERMS[..., : step.terms] @ fit).astype(np.float32)
    x, y = _COLUMNS + moved[..., 0], _ROWS + moved[..., 1]
    return _Warp(warp.view, _remap(warp.x, x, y), _remap(warp.y, x, y), agreement)


def _scale(levels: Levels, scale: float) -> Levels:
    small = cv2.resize(levels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32)


def _remap(picture: Any, x: Levels, y: Levels) -> Any:
    return cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def _match(one: Levels, other: Levels, step: _Step) -> Grid:
    """Return for windows of *one* the centre, the shift in *other*, the correlation (n, 5)."""
    side, search = step.side_px, step.search_px
    padded = cv2.copyMakeBorder(other, search, search, search, search, cv2.BORDER_REPLICATE)
    mean, square = (
        cv2.boxFilter(each, -1, (side, side), anchor=(0, 0)) for each in (one, one * one)
    )
    plain = square - mean * mean < MIN_SPREAD**2
    found = []
    for top in range(0, one.shape[0] - side + 1, step.step_px):
        for left in range(0, one.shape[1] - side + 1, step.step_px):
            if plain[top, left]:
                continue
            around = padded[top : top + side + 2 * search, left : left + side + 2 * search]
            window = one[top : top + side, left : left + side]
            scores = cv2.matchTemplate(around, window, cv2.TM_CCOEFF_NORMED)
            _, best, _, (x, y) = cv2.minMaxLoc(scores)
            fine_x = x + interpolate_peak(scores[y], x)
            fine_y = y + interpolate_peak(scores[:, x], y)
            centre = side / 2 - 0.5
            found.append((left + centre, top + centre, fine_x - search, fine_y - search, best))
    return np.array(found, np.float64).reshape(-1, 5)


def _terms(places: Grid, count: int) -> Grid:
    """Return the first *count* of ten terms to the third order at *places* (..., 2) in pixels."""
    x, y = (2 * places[..., axis] / KEPT_PX[1 - axis] - 1 for axis in (0, 1))
    terms = [np.ones_like(x), x, y, x * y, x * x, y * y, x * x * y, x * y * y, x**3, y**3]
    return np.stack(terms[:count], axis=-1)


_ROWS, _COLUMNS = np.mgrid[0 : KEPT_PX[0], 0 : KEPT_PX[1]].astype(np.float32)
_TERMS: Final = _terms(np.stack([_COLUMNS, _ROWS], axis=-1).astype(np.float64), 10)


def _fit(terms: Grid, shifts: Grid, correlations: Grid, inlier_px: float) -> Grid | None:
    """Return the coefficients (terms, 2) that most *shifts* (n, 2) follow; None if too few do."""
    weights = first = np.maximum(correlations - MIN_CORRELATION, 0.0)
    count = terms.shape[1]
    if (weights > 0).sum() < count + 4:
        return None
    ridge = np.diag([RIDGE] * 3 + [BENT_RIDGE] * (count - 3))
    for number in range(ROUNDS):
        weighted = terms * weights[:, None]
        fit = np.linalg.solve(terms.T @ weighted + ridge, weighted.T @ shifts)
        residuals = np.hypot(*(terms @ fit - shifts).T)
        slack = inlier_px * (3.0 if number < FIRST_ROUNDS else 1.5)
        weights = first / (1 + (residuals / slack) ** 2) ** 2
    return np.asarray(fit, np.float64)
