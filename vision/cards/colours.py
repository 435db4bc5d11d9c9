"""Colour of a card, classified by its chromaticity relative to the card's own white paper.

Dividing by the paper takes out the light source. Comparing directions of log colours, not their
lengths, takes out most of glare and shadow.
"""

from collections.abc import Mapping
from itertools import combinations
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

LogColour: TypeAlias = NDArray[np.float64]
"""(3,) or (n, 3) float64: natural logarithm of blue, green and red over white paper's."""

DARK_OFFSET_LEVELS: Final = 8.0
"""Added before the logarithm, so that sensor noise near black stays small."""
MIN_LOG_COLOUR: Final = -1.6
"""Clip at a fifth of white: below it saturated colours differ from camera to camera.  Tuned."""
ANGLE_SIGMA_RAD: Final = 0.09
"""Spread of one printed colour over printers and light sources.  Tuned."""
UNKNOWN_COLOUR_ANGLE_RAD: Final = 0.3
"""A colour this far from all references is as likely to be none of them.  Tuned."""
CALIBRATED_SIGMAS_RAD: Final = (0.025, 0.06)
"""Spread in one deck under the light source of the calibration, and of its outliers.  Tuned."""
CALIBRATED_OUTLIER_SHARE: Final = 0.1
CALIBRATED_UNKNOWN_ANGLE_RAD: Final = 0.2
"""The same as UNKNOWN_COLOUR_ANGLE_RAD under the light source of the calibration."""


def log_colour(levels: ArrayLike, white: ArrayLike) -> LogColour:
    """Return the log colour of *levels* (..., 3), 0 to 255, relative to *white* (3,)."""
    levels, white = np.asarray(levels, np.float64), np.asarray(white, np.float64)
    return np.asarray(np.log((levels + DARK_OFFSET_LEVELS) / (white + DARK_OFFSET_LEVELS)))


def chromaticity(colour: LogColour) -> LogColour:
    """Return log colours as unit vectors: without their strength, which glare and shadow change."""
    colour = np.maximum(colour, MIN_LOG_COLOUR)
    length = np.maximum(np.linalg.norm(colour, axis=-1, keepdims=True), 1e-6)
    return np.asarray(colour / length, np.float64)


def angle_between(one: LogColour, other: LogColour) -> float:
    """Return the angle in radians between the chromaticities of two log colours (3,)."""
    cosine = float(chromaticity(one) @ chromaticity(other))
    return float(np.arccos(np.clip(cosine, -1.0, 1.0)))


class ColourClassifier:
    """Classifies log colours by the nearest reference colour."""

    def __init__(self, references: Mapping[str, LogColour]) -> None:
        """Take *references* for each class: one log colour (3,), or several (n, 3)."""
        colours = [np.atleast_2d(each) for each in references.values()]
        self._names = tuple(references)
        self._references = np.concatenate(colours)
        self._directions = chromaticity(self._references)
        self._starts = np.cumsum([0, *(len(each) for each in colours[:-1])])

    def find_closest(self) -> tuple[str, str, float] | None:
        """Return the two classes whose colours are nearest, and the angle in radians between them.

        None if there is but one.
        """
        owners = np.repeat(range(len(self._names)), np.diff([*self._starts, len(self._references)]))
        found = [
            (one, other, angle_between(self._references[one], self._references[other]))
            for one, other in combinations(range(len(owners)), 2)
            if owners[one] != owners[other]
        ]
        if not found:
            return None
        one, other, angle = min(found, key=lambda each: each[2])
        return self._names[owners[one]], self._names[owners[other]], angle

    def classify(
        self,
        colour: LogColour,
        min_strength: float = 0.0,
        *,
        same_illuminant: bool = False,
        lower_bounds: NDArray[np.bool_] | None = None,
    ) -> dict[str, float]:
        """Return the probability of each class for one *colour* (3,); the rest is no known colour.

        min_strength: length below which a log colour is washed out, its direction less certain.
        same_illuminant: whether the references were measured under the present light source.
        lower_bounds: (3,) which channels are saturated, so that the colour may be brighter there.
        """
        direction = chromaticity(colour)
        if lower_bounds is not None and lower_bounds.any():
            brighter = np.maximum(self._references, colour)
            direction = chromaticity(np.where(lower_bounds, brighter, colour))
        cosines = np.maximum.reduceat((self._directions * direction).sum(axis=1), self._starts)
        angles = np.arccos(np.clip(cosines, -1.0, 1.0))
        if same_illuminant:
            likelihoods = _calibrated_likelihood(np.append(angles, CALIBRATED_UNKNOWN_ANGLE_RAD))
        else:
            strength = max(float(np.linalg.norm(colour)), 1e-6)
            sigma = ANGLE_SIGMA_RAD * max(1.0, min_strength / strength)
            likelihoods = np.exp(-((np.append(angles, UNKNOWN_COLOUR_ANGLE_RAD) / sigma) ** 2) / 2)
        likelihoods /= likelihoods.sum()
        return dict(zip(self._names, likelihoods[:-1].tolist(), strict=True))


def _calibrated_likelihood(angles: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the likelihood of *angles* in radians: a mixture of inliers and outliers."""
    weights = (1.0 - CALIBRATED_OUTLIER_SHARE, CALIBRATED_OUTLIER_SHARE)
    inliers, outliers = (
        weight / sigma**2 * np.exp(-((angles / sigma) ** 2) / 2)
        for weight, sigma in zip(weights, CALIBRATED_SIGMAS_RAD, strict=True)
    )
    return np.asarray(inliers + outliers, np.float64)
