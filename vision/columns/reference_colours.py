"""Classify tops by colour, with a colour histogram for each class.

A histogram over a coarse colour cube is the likelihood of a pixel's colour given its class. Later
pictures show the pieces in other illumination, so each sample is also counted as it would look in
stronger and weaker light, down to shadows in which the classes can hardly be distinguished.
"""

from collections.abc import Mapping, Sequence, Set
from copy import copy
from itertools import combinations
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.columns.grid import DEFAULT_COLOURS_BGR
from vision.inference import softmax

BITS_PER_CHANNEL: Final = 5
BINS: Final = 1 << 3 * BITS_PER_CHANNEL
"""Resolution of the histograms: bins of eight levels in each channel."""
GAINS_AND_WEIGHTS: Final = (
    (1.0, 4.0),
    (0.85, 1.0),
    (0.7, 1.0),
    (0.55, 0.7),
    (0.4, 0.4),
    (0.25, 0.3),
    (0.15, 0.2),
    (1.15, 1.0),
    (1.3, 0.5),
)
"""Illumination relative to the sample's, and how much it counts; shadows reach a seventh of the
light on rendered tables."""
OUTLIER_PIXEL_SHARE: Final = 0.02
"""Share of a top's pixels that may have any colour: knobs, eyes, glare."""
INDEPENDENT_PIXELS_PER_TOP: Final = 6.0
"""All pixels of a top together count as so many, since the errors of neighbours are correlated."""
DEFAULT_COLOUR_LOG_SIGMA: Final = 0.12
"""By how much each channel differs between sets of pieces, as a natural logarithm."""


def sample_default_colour(colour: tuple[int, int, int]) -> Picture:
    """Return 400 pixels (n, 3) uint8 that vary around *colour* as sets of pieces do."""
    random = np.random.default_rng(0)
    gains = np.exp(random.normal(0.0, DEFAULT_COLOUR_LOG_SIGMA, (400, 3)))
    return np.asarray(np.clip(np.array(colour) * gains, 0, 255), np.uint8)


class ColourModelSet:
    """A colour histogram for each class: of default colours until its own have been learned."""

    def __init__(self, names: Sequence[str]) -> None:
        defaults = [sample_default_colour(DEFAULT_COLOURS_BGR[name]) for name in names]
        self._log_likelihoods = np.stack([_measure_log_likelihood(each) for each in defaults])
        self._learned: frozenset[int] = frozenset()

    def copied(self) -> "ColourModelSet":
        """Return the same models; what either learns later is unknown to the other."""
        return copy(self)

    @property
    def learned(self) -> Set[int]:
        """The indices of the classes whose colours were learned."""
        return self._learned

    def learn(self, samples: Mapping[int, Picture]) -> None:
        """Replace the histograms of some classes by those of *samples* (n, 3), by class index.

        Empty samples change nothing.
        """
        new = {index: sample for index, sample in samples.items() if len(sample)}
        self._log_likelihoods = self._log_likelihoods.copy()
        for index, sample in new.items():
            self._log_likelihoods[index] = _measure_log_likelihood(sample)
        self._learned |= frozenset(new)

    def find_closest(self) -> tuple[int, int, float] | None:
        """Return which two learned classes share most colours, None before two are learned.

        With them comes the Bhattacharyya distance of their histograms: 0 for the very same colours.
        """
        roots = np.exp(0.5 * self._log_likelihoods)
        found = [
            (one, other, _distance(roots[one], roots[other]))
            for one, other in combinations(sorted(self._learned), 2)
        ]
        return min(found, key=lambda each: each[2], default=None)

    def find_closest_to(self, sample: Picture) -> tuple[int, float] | None:
        """Return which learned class shares most colours with *sample* (n, 3), None without any.

        With it comes the Bhattacharyya distance.
        """
        root = np.exp(0.5 * _measure_log_likelihood(sample))
        found = [
            (each, _distance(np.exp(0.5 * self._log_likelihoods[each]), root))
            for each in sorted(self._learned)
        ]
        return min(found, key=lambda each: each[1], default=None)

    def classify(self, tops: Picture, visible: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return (tops, classes): the probability that each top has each colour.

        tops: (tops, n, 3) pixels.  visible: (tops, n) which of them show the top; the fewer do, the
        nearer the probabilities are to uniform.
        """
        scores = (self._log_likelihoods[:, _find_bins(tops)] * visible).mean(axis=2).T
        return softmax(INDEPENDENT_PIXELS_PER_TOP * scores)


def _distance(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """Return the Bhattacharyya distance of two histograms, given the roots of their shares."""
    return -float(np.log(max(float(one @ other), 1e-9)))


def _find_bins(picture: Picture) -> NDArray[np.int32]:
    """Return the histogram bin of each pixel."""
    cube = picture >> (8 - BITS_PER_CHANNEL)
    bins = cube[..., 0].astype(np.int32) << (2 * BITS_PER_CHANNEL)
    bins |= cube[..., 1].astype(np.int32) << BITS_PER_CHANNEL
    bins |= cube[..., 2]
    return bins


def _measure_log_likelihood(sample: Picture) -> NDArray[np.float64]:
    """Return (BINS,) the log-likelihood of each colour of pixels like *sample* (n, 3)."""
    counts = np.zeros(BINS)
    for gain, weight in GAINS_AND_WEIGHTS:
        lit = np.minimum(sample.reshape(-1, 3) * gain, 255.0).astype(np.uint8)
        counts += weight * np.bincount(_find_bins(lit), minlength=BINS)
    side = 1 << BITS_PER_CHANNEL
    cube = counts.reshape(side, side, side)
    kernel = np.exp(-0.5 * np.arange(-3, 4) ** 2.0)[:, None]  # Gaussian, of one bin
    for _ in range(cube.ndim):  # each pass blurs the first axis, and makes it the last
        flat = cube.reshape(side, -1)
        blurred = cv2.filter2D(flat, -1, kernel, borderType=cv2.BORDER_CONSTANT)
        cube = np.moveaxis(np.asarray(blurred, np.float64).reshape(cube.shape), 0, -1)
    shares = cube.ravel() / max(float(cube.sum()), 1.0)
    likelihood = (1.0 - OUTLIER_PIXEL_SHARE) * shares + OUTLIER_PIXEL_SHARE / BINS
    return np.asarray(np.log(likelihood), np.float64)
