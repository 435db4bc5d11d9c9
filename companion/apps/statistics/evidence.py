"""Evidence against shares that are thought to be true, valid whenever anybody looks.

It is how likely the spins are under a mixture of all shares, weighed by a Dirichlet distribution
around those thought to be true, over how likely they are under these. If these are true, that is a
martingale which begins at 1, so that it ever comes to x, in a course of any length, with a
probability of 1 / x at most: J. Ville, Étude critique de la notion de collectif (1939). Mixtures:
H. Robbins, Statistical methods related to the law of the iterated logarithm, Annals of Mathematical
Statistics 41 (1970); of counts: M. Lindon and A. Malek, Anytime-valid inference for multinomial
count data, Neural Information Processing Systems 35 (2022). The same mixture, held against each
share that a seat may have, bounds the true one at every look: A. Ramdas et al., Game-theoretic
statistics and safe anytime-valid inference, Statistical Science 38 (2023).
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import inf, lgamma, log
from typing import Final

import numpy as np
from numpy.typing import NDArray

PRIOR_SPINS: Final = 20.0
"""How narrow the mixture is: as if so many spins had been seen, spread as they should be.  Of 4 to
80, this needs the fewest spins for one seat that is hit one and a half times as often."""
COURSES: Final = 200
"""So many courses of spins are drawn to say how soon a bias shows."""
_SEED: Final = 65
_STEPS: Final = 30


def log_evidence(counts: Sequence[int], shares: Sequence[float]) -> float:
    """Return the logarithm of the evidence against *shares*, which come to 1; 0 without a spin.

    >>> round(log_evidence((4, 0), (0.5, 0.5)), 3)
    0.256
    """
    found = lgamma(PRIOR_SPINS) - lgamma(PRIOR_SPINS + sum(counts))
    for count, share in zip(counts, shares, strict=True):
        prior = PRIOR_SPINS * share
        found += lgamma(prior + count) - lgamma(prior) - count * log(share)
    return found


def share_bounds(hits: int, total: int, share: float, error: float) -> tuple[float, float]:
    """Return between what a seat's true share lies, 0 to 1, once it had *hits* of *total* spins.

    However often that is asked in a course, all answers together are wrong with a probability of at
    most *error*.  share: what it is thought to be; it only makes the bounds narrower if it is true.

    >>> [round(bound, 2) for bound in share_bounds(25, 100, 0.25, 0.05)]
    [0.14, 0.38]
    """
    limit = -log(error)

    def excess(asked: float) -> float:
        """Return by how much the evidence against a share that is *asked* for is too high."""
        prior = (PRIOR_SPINS * share, PRIOR_SPINS * (1 - share))
        found = lgamma(PRIOR_SPINS) - lgamma(PRIOR_SPINS + total) - limit
        for count, before, chance in zip(
            (hits, total - hits), prior, (asked, 1 - asked), strict=True
        ):
            found += lgamma(before + count) - lgamma(before)
            found -= count * log(chance) if chance > 0 else (-inf if count else 0.0)
        return found

    middle = hits / total if total else share
    return _crossing(excess, middle, 0.0), _crossing(excess, middle, 1.0)


def first_calls(
    shares: Sequence[float],
    truth: Sequence[float],
    limit: float,
    size: tuple[int, int],
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """Return after how many spins the evidence first comes to *limit*, if *truth* holds.

    size: how many courses are drawn, and of how many spins; one number for each course, inf where
    the evidence never comes to it.
    """
    seats = np.searchsorted(np.cumsum(truth)[:-1], rng.random(size), side="right")
    grown = np.zeros(size)
    for seat, share in enumerate(shares):
        hit = seats == seat
        hits_before = np.cumsum(hit, axis=1) - hit
        grown += np.where(hit, np.log(PRIOR_SPINS + hits_before / share), 0.0)
    grown -= np.log(PRIOR_SPINS + np.arange(size[1]))
    reached = np.cumsum(grown, axis=1) >= log(limit)
    return np.where(reached.any(axis=1), reached.argmax(axis=1) + 1.0, inf)


@lru_cache(maxsize=64)
def usual_calls(
    shares: tuple[float, ...], truth: tuple[float, ...], limit: float, spins: int
) -> NDArray[np.float64]:
    """Return `first_calls` of `COURSES` courses of *spins*, in order, the same each time."""
    rng = np.random.default_rng(_SEED)
    return np.sort(first_calls(shares, truth, limit, (COURSES, spins), rng))


def _crossing(excess: Callable[[float], float], inside: float, outside: float) -> float:
    """Return where *excess* becomes positive between *inside* and *outside*, or *outside*."""
    if excess(outside) <= 0:
        return outside
    for _ in range(_STEPS):
        middle = (inside + outside) / 2
        inside, outside = (inside, middle) if excess(middle) > 0 else (middle, outside)
    return inside
