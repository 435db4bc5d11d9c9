"""A card's picture as if it had been taken in the same light as another of the same design.

Gain of each channel, strength of its colours, veil and their slow changes over the card are fitted
where both are printed alike. Few and natural ones: colours that only one of them has are taken
along, not explained away.
"""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.card_alignment import Grid, Levels

FITTED_PX: Final = (56, 84)
"""Width and height at which the light is fitted."""
RIDGE: Final = (1.0, 20.0, 2.0, 8.0, 8.0, 8.0, 8.0, 8.0, 1.0, 1.0, 1.0, 1.0, 1.0)
"""Against gain, mixing, veil and its five slopes, and the five of the gain: tuned once."""
ROUNDS: Final = 6
CLIPPED_LEVEL: Final = 250
CLIPPED_WEIGHT: Final = 0.2
"""Of pixels in which a colour may be lost."""
MIN_OFF: Final = 0.012
"""The least spread of what the fit leaves, 1 being white."""
LEFT_PX: Final = 12.0
"""Blur of the gain that makes up for what the fit leaves: edges of shadows."""
MIN_GAIN, MAX_GAIN = 0.6, 1.6


def match_light(picture: Levels, other: Levels, weights: Levels) -> Levels:
    """Return *picture* (rows, columns, 3) in the light of *other*, the same size, blue green red.

    weights: (rows, columns) 0 to 1, of pixels that are printed alike in all cards of the design.
    """
    small, wanted, alike = (
        np.asarray(cv2.resize(each, FITTED_PX, interpolation=cv2.INTER_AREA), np.float64)
        for each in (picture, other, weights)
    )
    first = alike.ravel() * np.where(small.max(axis=2).ravel() > CLIPPED_LEVEL, CLIPPED_WEIGHT, 1)
    fits, kept = _fit(small, wanted.reshape(-1, 3) / 255, first)
    size = (picture.shape[1], picture.shape[0])
    slopes = _slopes(size)
    lit = np.stack([_features(picture, slopes, each) @ fits[each] for each in range(3)], axis=1)
    lit = 255 * lit.reshape(picture.shape)
    followed = cv2.resize(kept.reshape(FITTED_PX[::-1]), size)
    missing = cv2.GaussianBlur(followed * (other - lit).mean(axis=2), (0, 0), LEFT_PX)
    missing = missing / (cv2.GaussianBlur(followed, (0, 0), LEFT_PX) + 0.05)
    gain = np.clip(1 + missing / np.maximum(lit.mean(axis=2), 40), MIN_GAIN, MAX_GAIN)
    return np.asarray(np.clip(lit * gain[..., None], -20, 300), np.float32)


def _fit(small: Grid, wanted: Grid, first: Grid) -> tuple[list[Grid], Grid]:
    """Return the coefficients for each channel, and how far each pixel (n,) followed them."""
    slopes = _slopes(FITTED_PX)
    features = [_features(small, slopes, channel) for channel in range(3)]
    weights, typical = first, first > 0.5
    for _ in range(ROUNDS):
        fits = []
        for channel, each in enumerate(features):
            weighted, target = each * weights[:, None], wanted[:, channel]
            prior = np.zeros(each.shape[1])
            ratio = (weights @ target) / max(float(weights @ each[:, 0]), 1e-6)
            prior[0] = np.clip(ratio, 0.3, 4.0)
            system = each.T @ weighted + np.diag(RIDGE)
            fits.append(prior + np.linalg.solve(system, weighted.T @ (target - each @ prior)))
        seen = np.stack([each @ fit for each, fit in zip(features, fits, strict=True)], axis=1)
        off = np.abs(seen - wanted).max(axis=1)
        spread = max(float(np.median(off[typical])) if typical.any() else 0.04, MIN_OFF)
        weights = first / (1 + (off / (2.5 * spread)) ** 2) ** 2
    return fits, weights


def _slopes(size: tuple[int, int]) -> Grid:
    """Return 1, x, y, xy, xx, yy (n, 6) at all pixels of a picture of that width and height."""
    wide, high = size
    y, x = (each.ravel() for each in np.mgrid[-1 : 1 : high * 1j, -1 : 1 : wide * 1j])
    return np.stack([np.ones_like(x), x, y, x * y, x * x, y * y], axis=1)


def _features(picture: NDArray[np.floating], slopes: Grid, channel: int) -> Grid:
    """Return what a channel in another light is a sum of (n, 13)."""
    levels = picture.reshape(-1, 3).astype(np.float64) / 255
    mean = levels.mean(axis=1)
    own = levels[:, channel]
    return np.column_stack([own, mean - own, slopes, mean[:, None] * slopes[:, 1:]])
