"""Fuse cues to the heights of columns by a weighted product of their likelihoods.

Network, shadow, outline, relief, irradiance and registration are not independent: dim light and
poor focus mislead them all. So each likelihood is raised to a weight (log-linear pooling) that
depends on the pixels per level: the more a level shows, the more the network counts beside the
shadow. And since each cue is sometimes confidently wrong, none decides alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vision.inference import softmax

Posterior: TypeAlias = NDArray[np.float32]
"""(cells, TALLEST + 2): probabilities of heights from 0 to TALLEST, then of hidden."""
TemperedLikelihood: TypeAlias = NDArray[np.float64]
"""(n, TALLEST): weighted likelihoods of the heights of n columns."""

REFERENCE_PIXELS_PER_LEVEL: Final = 4.2
"""Median pixels per level of discs on the rendered tables that weights were fitted to."""
PIXELS_PER_LEVEL_RANGE: Final = (0.8, 21.0)
"""The range of pixels per level on those tables; beyond it weights stay as at its ends."""
MIN_STANDING: Final = 0.05
"""A cell with a lower probability of any column counts as empty or hidden."""
EPSILON: Final = 1e-12
"""Keeps the logarithm of a likelihood finite."""


@dataclass(frozen=True, slots=True)
class CueWeight:
    """The weight of one cue in the product.

    share: exponent of its likelihood at REFERENCE_PIXELS_PER_LEVEL.  growth: power of the pixels
    per level by which the exponent grows.  floor: added to the likelihood, so that this cue
    alone rules no height out.
    """

    share: float
    growth: float = 0.0
    floor: float = 0.0

    def temper(
        self, likelihoods: NDArray[np.floating], pixels_per_level: NDArray[np.float32]
    ) -> TemperedLikelihood:
        """Return the weighted *likelihoods* (n, TALLEST), given *pixels_per_level* (n,).

        >>> pixels_per_level = np.array([2.1, 4.2], np.float32)
        >>> CueWeight(0.5, -1.0).temper(np.full((2, 1), 0.25), pixels_per_level).round(2).tolist()
        [[0.25], [0.5]]
        """
        clipped = np.clip(pixels_per_level, *PIXELS_PER_LEVEL_RANGE)
        powers = self.share * (clipped / REFERENCE_PIXELS_PER_LEVEL) ** self.growth
        return np.asarray((likelihoods + self.floor) ** powers[:, None], np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class CueLikelihood:
    """The weighted *likelihoods* (n, TALLEST) of one cue for the columns of the *cells* (n,)."""

    cells: NDArray[np.intp]
    likelihoods: Posterior | TemperedLikelihood


@dataclass(frozen=True, slots=True)
class CueWeights:
    """The weights of all cues for one kind of piece."""

    column: CueWeight
    shadow: CueWeight
    outline: CueWeight
    relief: CueWeight
    light: CueWeight = CueWeight(1.0)


def find_uncertain(
    posterior: Posterior, threshold: float | NDArray[np.float64]
) -> NDArray[np.intp]:
    """Return the cells with a column whose height is less probable than *threshold*.

    threshold: one for all, or one for each of the cells (cells,).
    """
    standing, best = posterior[:, 1:-1].sum(axis=1), posterior[:, 1:-1].max(axis=1)
    return np.flatnonzero((standing > MIN_STANDING) & (best < threshold * standing))


def find_certain(posterior: Posterior, threshold: float) -> NDArray[np.intp]:
    """Return the cells with a column whose height is more probable than *threshold*."""
    return np.flatnonzero(posterior[:, 1:-1].max(axis=1) > threshold)


def fuse(
    posterior: Posterior, cells: NDArray[np.intp], *likelihoods: Posterior | TemperedLikelihood
) -> None:
    """Replace the heights of the columns of *cells* in *posterior* by the likelihoods' product."""
    product = np.prod(likelihoods, axis=0)
    standing = posterior[cells, 1:-1].sum(axis=1)
    posterior[cells, 1:-1] = product * (standing / product.sum(axis=1))[:, None]


def check_leave_one_out(
    posterior: Posterior,
    cells: NDArray[np.intp],
    cues: Sequence[CueLikelihood],
    min_probability: float,
) -> None:
    """Halve the confidence in heights of *posterior* that depend on a single one of the *cues*.

    cues: all that went into the columns of *cells* (n,).  min_probability: a height must keep
    this probability when any one cue is left out.
    """
    each = np.ones((len(cues), len(posterior), posterior.shape[1] - 2))
    for likelihood, cue in zip(each, cues, strict=True):
        likelihood[cue.cells] = cue.likelihoods
    logs = np.log(np.maximum(each[:, cells], EPSILON))
    others = logs.sum(axis=0) - logs
    without = softmax(others)
    standing = posterior[cells, 1:-1].sum(axis=1)
    every = np.arange(len(cells))
    kept = without[:, every, posterior[cells, 1:-1].argmax(axis=1)]
    weakest = without[kept.argmin(axis=0), every]
    failed = np.flatnonzero(kept.min(axis=0) < min_probability)
    mixed = posterior[cells[failed], 1:-1] + weakest[failed] * standing[failed, None]
    posterior[cells[failed], 1:-1] = mixed / 2.0


def add_outliers(posterior: Posterior, cells: NDArray[np.intp], share: float) -> TemperedLikelihood:
    """Return the heights of the columns of *cells*, mixed with a uniform share for outliers.

    share: of each height.  What misleads one cue mostly misleads the others too; a cue that comes
    after them must be able to overrule them all.
    """
    heights = posterior[cells, 1:-1]
    return np.asarray(heights + share * heights.sum(axis=1, keepdims=True), np.float64)
