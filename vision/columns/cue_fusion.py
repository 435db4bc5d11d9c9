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
"""(spots, TALLEST + 2): probabilities of heights from 0 to TALLEST, then of hidden."""
TemperedLikelihood: TypeAlias = NDArray[np.float64]
"""(n, TALLEST): weighted likelihoods of the heights of n columns."""

REFERENCE_RISE_PX: Final = 4.2
"""Median pixels per level of discs on the rendered tables that weights were fitted to."""
RISE_RANGE_PX: Final = (0.8, 21.0)
"""The range of pixels per level on those tables; beyond it weights stay as at its ends."""
MIN_STANDING: Final = 0.05
"""A spot with a lower probability of any column counts as empty or hidden."""
EPSILON: Final = 1e-12
"""Keeps the logarithm of a likelihood finite."""


@dataclass(frozen=True, slots=True)
class CueWeight:
    """The weight of one cue in the product.

    share: exponent of its likelihood at REFERENCE_RISE_PX pixels per level.  growth: power of the
    pixels per level by which the exponent grows.  floor: added to the likelihood, so that this cue
    alone rules no height out.
    """

    share: float
    growth: float = 0.0
    floor: float = 0.0

    def temper(self, odds: NDArray[np.floating], rise: NDArray[np.float32]) -> TemperedLikelihood:
        """Return the weighted *odds* (n, TALLEST), given *rise* (n,) pixels per level.

        >>> rise = np.array([2.1, 4.2], np.float32)
        >>> CueWeight(0.5, -1.0).temper(np.full((2, 1), 0.25), rise).round(2).tolist()
        [[0.25], [0.5]]
        """
        powers = self.share * (np.clip(rise, *RISE_RANGE_PX) / REFERENCE_RISE_PX) ** self.growth
        return np.asarray((odds + self.floor) ** powers[:, None], np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class CueLikelihood:
    """What one cue says of the columns *which* (n,): weighted likelihoods *told* (n, TALLEST)."""

    which: NDArray[np.intp]
    told: Posterior | TemperedLikelihood


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
    """Return the spots with a column whose height is less certain than *threshold*.

    threshold: one for all, or one for each of the spots (spots,).
    """
    standing, best = posterior[:, 1:-1].sum(axis=1), posterior[:, 1:-1].max(axis=1)
    return np.flatnonzero((standing > MIN_STANDING) & (best < threshold * standing))


def find_certain(posterior: Posterior, threshold: float) -> NDArray[np.intp]:
    """Return the spots with a column whose height is more certain than *threshold*."""
    return np.flatnonzero(posterior[:, 1:-1].max(axis=1) > threshold)


def fuse(
    posterior: Posterior, which: NDArray[np.intp], *likelihoods: Posterior | TemperedLikelihood
) -> None:
    """Replace the heights of the columns *which* in *posterior* by the product of *likelihoods*."""
    product = np.prod(likelihoods, axis=0)
    standing = posterior[which, 1:-1].sum(axis=1)
    posterior[which, 1:-1] = product * (standing / product.sum(axis=1))[:, None]


def check_leave_one_out(
    posterior: Posterior, which: NDArray[np.intp], cues: Sequence[CueLikelihood], least: float
) -> None:
    """Halve the certainty of heights in *posterior* that fall without a single one of the *cues*.

    cues: all that went into the columns *which* (n,).  least: probability that a height must keep
    when any one cue is left out.
    """
    each = np.ones((len(cues), len(posterior), posterior.shape[1] - 2))
    for likelihood, cue in zip(each, cues, strict=True):
        likelihood[cue.which] = cue.told
    logs = np.log(np.maximum(each[:, which], EPSILON))
    others = logs.sum(axis=0) - logs
    without = softmax(others)
    standing = posterior[which, 1:-1].sum(axis=1)
    every = np.arange(len(which))
    kept = without[:, every, posterior[which, 1:-1].argmax(axis=1)]
    weakest = without[kept.argmin(axis=0), every]
    lone = np.flatnonzero(kept.min(axis=0) < least)
    mixed = posterior[which[lone], 1:-1] + weakest[lone] * standing[lone, None]
    posterior[which[lone], 1:-1] = mixed / 2.0


def add_outliers(posterior: Posterior, which: NDArray[np.intp], share: float) -> TemperedLikelihood:
    """Return the heights of the columns *which*, mixed with a uniform share for outliers.

    share: of each height.  What misleads one cue mostly misleads the others too; a cue that comes
    after them must be able to overrule them all.
    """
    heights = posterior[which, 1:-1]
    return np.asarray(heights + share * heights.sum(axis=1, keepdims=True), np.float64)
