"""Pearson's chi-square test of counts against shares, its power, and its exact form.

Sources: the tail by the recurrence of the incomplete gamma function (NIST DLMF 8.4.6, 8.4.8,
8.8.6); the power by the noncentral chi-square as a mixture of central ones with Poisson weights
(Johnson, Kotz and Balakrishnan, Continuous Univariate Distributions 2, chapter 29) with the
noncentrality n * sum((q - p)^2 / p) (Cohen, Statistical Power Analysis, chapter 7).
"""

from collections.abc import Sequence
from functools import lru_cache
from math import ceil, comb, erfc, exp, lgamma, log, sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

ALPHA: Final = 0.05
"""The significance level: how often a fair idol may be called unfair."""
FINENESS: Final = 16
"""The exact test rounds each count's part of the statistic to a sixteenth.  It stays exact: the
probabilities are those of the rounded statistic."""
TAIL_MARGIN: Final = 60
"""Statistics above this are not told apart: with 9 degrees of freedom they have 1e-9 together."""
NEGLIGIBLE: Final = 1e-12


def statistic(counts: Sequence[int], shares: Sequence[float]) -> float:
    """Return the sum of (observed - expected)^2 / expected.

    >>> statistic((8, 4), (0.5, 0.5))
    1.3333333333333333
    """
    total = sum(counts)
    return sum(
        (count - total * share) ** 2 / (total * share)
        for count, share in zip(counts, shares, strict=True)
    )


def tail(value: float, freedom: int) -> float:
    """Return the probability that a chi-square of *freedom* degrees is *value* or more.

    >>> round(tail(3.841459, 1), 6), round(tail(16.918978, 9), 6)
    (0.05, 0.05)
    """
    half = value / 2
    if half <= 0:
        return 1.0
    order = 0.5 if freedom % 2 else 1.0
    found = erfc(sqrt(half)) if freedom % 2 else exp(-half)
    while order < freedom / 2:
        found += exp(order * log(half) - half - lgamma(order + 1))
        order += 1
    return min(found, 1.0)


@lru_cache(maxsize=64)
def critical(freedom: int, alpha: float = ALPHA) -> float:
    """Return the value that a chi-square of *freedom* degrees reaches with probability *alpha*."""
    low, high = 0.0, 1.0
    while tail(high, freedom) > alpha:
        high *= 2
    while high - low > NEGLIGIBLE * high:
        middle = (low + high) / 2
        low, high = (middle, high) if tail(middle, freedom) > alpha else (low, middle)
    return high


def power(noncentrality: float, freedom: int, alpha: float = ALPHA) -> float:
    """Return how often the test notices a bias of such *noncentrality*; *alpha* if that is 0."""
    value = critical(freedom, alpha)
    mean = noncentrality / 2
    if mean <= 0:
        return alpha
    last = ceil(mean + 10 * sqrt(mean) + 20)
    return sum(
        exp(number * log(mean) - mean - lgamma(number + 1)) * tail(value, freedom + 2 * number)
        for number in range(max(0, ceil(mean - 10 * sqrt(mean))), last)
    )


def exact_spread(
    shares: Sequence[float], truth: Sequence[float], total: int
) -> NDArray[np.float64]:
    """Return how probable each rounded statistic is when *total* things fall out as by *truth*.

    The statistic, against *shares*, is (place - total * `FINENESS`) / `FINENESS`; the last place
    stands for everything above.  All outcomes are counted, none is drawn at random.
    """
    last = (total + TAIL_MARGIN) * FINENESS
    ways = np.zeros((total + 1, last + 1))
    ways[0, 0] = 1.0
    for share, chance in zip(shares, truth, strict=True):
        grown = np.zeros_like(ways)
        for count in range(total + 1):
            part = min(_part(count, share, total), last)
            begun = ways[: total + 1 - count]
            odds = chance**count * np.array(
                [comb(before + count, count) for before in range(total + 1 - count)], float
            )
            weighed = begun * odds[:, None]
            grown[count:, part:] += weighed[:, : last + 1 - part]
            grown[count:, last] += weighed[:, last + 1 - part :].sum(axis=1)
        ways = grown
    found: NDArray[np.float64] = ways[total]
    return found


def exact_tail(counts: Sequence[int], shares: Sequence[float]) -> float:
    """Return how probable a statistic like that of *counts* or above is, if the *shares* are true.

    >>> round(exact_tail((4, 0), (0.5, 0.5)), 6)
    0.125
    """
    total = sum(counts)
    reached = sum(_part(count, share, total) for count, share in zip(counts, shares, strict=True))
    spread = exact_spread(shares, shares, total)
    return float(spread[min(reached, len(spread) - 1) :].sum())


def exact_power(shares: Sequence[float], truth: Sequence[float], total: int) -> float:
    """Return how often the exact test at `ALPHA` notices that *truth* holds instead of *shares*."""
    beyond = exact_spread(shares, shares, total)[::-1].cumsum()[::-1]
    unlikely = int(np.searchsorted(-beyond, -ALPHA))
    return float(exact_spread(shares, truth, total)[unlikely:].sum())


def _part(count: int, share: float, total: int) -> int:
    # With all counts together these come to the statistic plus the total, in sixteenths.
    return round(count * count / (total * share) * FINENESS)
