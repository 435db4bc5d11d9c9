"""Fuse cues to the heights of columns by the product of their likelihoods."""

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Posterior: TypeAlias = NDArray[np.float32]
"""(cells, TALLEST + 2): probabilities of heights from 0 to TALLEST, then of hidden."""
Likelihood: TypeAlias = NDArray[np.float64]
"""(n, TALLEST): likelihoods of the heights of n columns."""

MIN_STANDING: Final = 0.05
"""A cell with a lower probability of any column counts as empty or hidden."""


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
    posterior: Posterior, cells: NDArray[np.intp], *likelihoods: Posterior | Likelihood
) -> None:
    """Replace the heights of the columns of *cells* in *posterior* by the likelihoods' product."""
    product = np.prod(likelihoods, axis=0)
    standing = posterior[cells, 1:-1].sum(axis=1)
    posterior[cells, 1:-1] = product * (standing / product.sum(axis=1))[:, None]


def add_outliers(posterior: Posterior, cells: NDArray[np.intp], share: float) -> Likelihood:
    """Return the heights of the columns of *cells*, mixed with a uniform share for outliers.

    share: of each height.  What misleads one cue mostly misleads the others too; a cue that comes
    after them must be able to overrule them all.
    """
    heights = posterior[cells, 1:-1]
    return np.asarray(heights + share * heights.sum(axis=1, keepdims=True), np.float64)
