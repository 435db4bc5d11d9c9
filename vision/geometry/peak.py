"""The place of a peak between samples."""

from collections.abc import Sequence
from typing import Any, Final

from numpy.typing import NDArray

MIN_CURVATURE: Final = 1e-6
"""What bends less has no peak."""


def interpolate_peak(values: Sequence[float] | NDArray[Any], at: int) -> float:
    """Return the offset of the peak of the parabola around the highest sample, *at*, -0.5 to 0.5.

    >>> interpolate_peak([0.0, 3.0, 2.0], 1)
    0.25
    """
    if not 0 < at < len(values) - 1:
        return 0.0
    before, here, after = (float(value) for value in values[at - 1 : at + 2])
    curvature = before - 2.0 * here + after
    return 0.5 * (before - after) / curvature if curvature < -MIN_CURVATURE else 0.0
