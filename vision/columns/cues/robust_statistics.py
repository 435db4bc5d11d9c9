"""Robust statistics: estimates on which outliers have little influence."""

from typing import Final

import numpy as np

from vision.geometry.pose import Points

HUBER_THRESHOLD_SIGMAS: Final = 2.5
"""Larger residuals count less than their square."""


def robust_sigma(residuals: Points, min_sigma: float) -> float:
    """Return the standard deviation of *residuals* (n,) by their median absolute deviation."""
    # The median absolute deviation of normal noise is 1 / 1.4826 standard deviations.
    return max(1.4826 * float(np.median(np.abs(residuals))), min_sigma)


def huber_divisors(residuals: Points, sigma: Points | float) -> Points:
    """Return by what the weights of *residuals* (n,) are divided (Huber, 1964): 1 for small ones.

    sigma: their standard deviation, one for all or (n,).
    """
    return np.asarray(np.maximum(1.0, np.abs(residuals) / (HUBER_THRESHOLD_SIGMAS * sigma)))
