"""Weigh what several tell of the heights of columns, each as far as it is to be trusted.

A column is told by its foot and top, by its shadow, by how large its top looks, by the light that
it keeps from the board. None of these is independent of the others: dim light and poor focus
deceive them all. So the odds of each are raised to a power of its own, which depends on by how much
a level rises in the picture: the more it does, the more a column itself is worth beside its shadow.
And since each is now and then wholly mistaken, however certain, none decides alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Odds: TypeAlias = NDArray[np.float32]
"""(spots, TALLEST + 2): how likely nothing stands on a spot, so many pieces do, or it is hidden."""
Tempered: TypeAlias = NDArray[np.float64]
"""(n, TALLEST): how likely each height of some columns is, as far as one is to be trusted."""

USUAL_PX: Final = 4.2
"""By how many pixels of its patch a level of a disc usually rises."""
RISES_PX: Final = (0.8, 21.0)
"""Nothing was learned of levels that rise by less or more than this."""
DOUBTED: Final = 0.05
TINY: Final = 1e-12


@dataclass(frozen=True, slots=True)
class CueWeight:
    """How far something that tells heights is to be trusted.

    share: to which power its odds count where a level rises by USUAL_PX, 1 being full trust.
    growth: with which power of the rise that grows.  floor: added to all odds, so that no height is
    ruled out by it alone.
    """

    share: float
    growth: float = 0.0
    floor: float = 0.0

    def temper(self, odds: NDArray[np.floating], rise: NDArray[np.float32]) -> Tempered:
        """Return what *odds* (n, TALLEST) count where a level rises by *rise* (n,) pixels.

        >>> rise = np.array([2.1, 4.2], np.float32)
        >>> CueWeight(0.5, -1.0).temper(np.full((2, 1), 0.25), rise).round(2).tolist()
        [[0.25], [0.5]]
        """
        powers = self.share * (np.clip(rise, *RISES_PX) / USUAL_PX) ** self.growth
        return np.asarray((odds + self.floor) ** powers[:, None], np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class CueLikelihood:
    """What one says of the columns *which* (n,).

    told: (n, TALLEST) how likely each height is, as far as that is to be trusted.
    """

    which: NDArray[np.intp]
    told: Odds | Tempered


@dataclass(frozen=True, slots=True)
class CueWeights:
    """How far all that tells heights of some pieces is to be trusted."""

    column: CueWeight
    shadow: CueWeight
    outline: CueWeight
    relief: CueWeight
    light: CueWeight = CueWeight(1.0)


def find_uncertain(odds: Odds, plain: float | NDArray[np.float64]) -> NDArray[np.intp]:
    """Return at which spots a column may stand whose height is less certain than *plain*.

    plain: one for all, or for each of the spots (spots,).
    """
    standing, likeliest = odds[:, 1:-1].sum(axis=1), odds[:, 1:-1].max(axis=1)
    return np.flatnonzero((standing > DOUBTED) & (likeliest < plain * standing))


def find_certain(odds: Odds, least: float) -> NDArray[np.intp]:
    """Return at which spots a column stands whose height is more certain than *least*."""
    return np.flatnonzero(odds[:, 1:-1].max(axis=1) > least)


def fuse(odds: Odds, which: NDArray[np.intp], *told: Odds | Tempered) -> None:
    """Put in place of the heights of the columns *which* in *odds* what all that is *told* says."""
    both = np.prod(told, axis=0)
    standing = odds[which, 1:-1].sum(axis=1)
    odds[which, 1:-1] = both * (standing / both.sum(axis=1))[:, None]


def check_leave_one_out(
    odds: Odds, which: NDArray[np.intp], cues: Sequence[CueLikelihood], least: float
) -> None:
    """Take back half the certainty of heights in *odds* that only one statement speaks for.

    cues: all that made the odds of the columns *which* (n,).  least: how likely a height must
    be without any one of them.
    """
    said = np.ones((len(cues), len(odds), odds.shape[1] - 2))
    for each, statement in zip(said, cues, strict=True):
        each[statement.which] = statement.told
    logs = np.log(np.maximum(said[:, which], TINY))
    others = logs.sum(axis=0) - logs
    without = np.exp(others - others.max(axis=2, keepdims=True))
    without /= without.sum(axis=2, keepdims=True)
    standing = odds[which, 1:-1].sum(axis=1)
    every = np.arange(len(which))
    upheld = without[:, every, odds[which, 1:-1].argmax(axis=1)]
    weakest = without[upheld.argmin(axis=0), every]
    lone = np.flatnonzero(upheld.min(axis=0) < least)
    odds[which[lone], 1:-1] = (odds[which[lone], 1:-1] + weakest[lone] * standing[lone, None]) / 2.0


def add_outliers(odds: Odds, which: NDArray[np.intp], share: float) -> Tempered:
    """Return what *odds* tell of the columns *which* if they may be about anything at all.

    share: how likely that is, for each height.  What deceives one who has told of a column mostly
    deceives others too; who comes after them must be able to contradict them all.
    """
    heights = odds[which, 1:-1]
    return np.asarray(heights + share * heights.sum(axis=1, keepdims=True), np.float64)
