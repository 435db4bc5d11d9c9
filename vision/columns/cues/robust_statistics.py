"""Robust statistics: estimates and likelihoods on which outliers have little influence."""

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vision.columns.grid import TALLEST
from vision.geometry.pose import Points

Likelihoods: TypeAlias = NDArray[np.float64]
"""(n, TALLEST): of each height of n columns."""

STUDENT_T_DOF: Final = 4.0
"""Degrees of freedom of Student's t: the usual choice where a few per cent are outliers."""
OUTLIER_LIKELIHOOD: Final = 0.005
"""Added to each likelihood of a height, so that one cue alone rules none out."""
HUBER_THRESHOLD_SIGMAS: Final = 2.5
"""Larger residuals count less than their square."""
PRIOR_SIGMA_LEVELS, PRIOR_SIGMA_COUNT, PRIOR_MEAN_COUNT = 0.6, 4.0, 2.0
"""Prior of errors of heights: their scale, and as how many errors it counts; and as how many it
counts that their location is 0. Usual on rendered tables."""


def student_t_likelihoods(
    heights: Points, sigmas: Points, dof: float = STUDENT_T_DOF
) -> Likelihoods:
    """Return the likelihood of each height of columns measured as *heights* (n,), in levels.

    sigmas: (n,) scales of the errors in levels.  dof: degrees of freedom.
    """
    errors = (heights[:, None] - np.arange(1, TALLEST + 1)) / sigmas[:, None]
    likelihoods = (1.0 + errors**2 / dof) ** (-(dof + 1.0) / 2.0) + OUTLIER_LIKELIHOOD
    return np.asarray(likelihoods / likelihoods.sum(axis=1, keepdims=True))


def fit_student_t(errors: Points) -> tuple[float, float]:
    """Return location and scale of a Student's t fitted to *errors* (n,) in levels, with the prior.

    By expectation maximisation.
    """
    location, scale = 0.0, PRIOR_SIGMA_LEVELS
    for _ in range(8):
        weights = (STUDENT_T_DOF + 1.0) / (STUDENT_T_DOF + ((errors - location) / scale) ** 2)
        location = float((weights * errors).sum() / (weights.sum() + PRIOR_MEAN_COUNT))
        squares = float((weights * (errors - location) ** 2).sum())
        squares += PRIOR_SIGMA_COUNT * PRIOR_SIGMA_LEVELS**2
        scale = float(np.sqrt(squares / (len(errors) + PRIOR_SIGMA_COUNT)))
    return location, scale


def robust_sigma(residuals: Points, min_sigma: float) -> float:
    """Return the standard deviation of *residuals* (n,) by their median absolute deviation."""
    # The median absolute deviation of normal noise is 1 / 1.4826 standard deviations.
    return max(1.4826 * float(np.median(np.abs(residuals))), min_sigma)


def huber_divisors(residuals: Points, sigma: Points | float) -> Points:
    """Return by what the weights of *residuals* (n,) are divided (Huber, 1964): 1 for small ones.

    sigma: their standard deviation, one for all or (n,).
    """
    return np.asarray(np.maximum(1.0, np.abs(residuals) / (HUBER_THRESHOLD_SIGMAS * sigma)))
