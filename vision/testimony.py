"""Weigh what several tell of the heights of columns, each as far as it is to be trusted.

A column is told by its foot and top, by its shadow, by how large its top looks. None of these is
independent of the others: dim light and poor focus deceive them all. So the odds of each are raised
to a power of its own, which depends on by how much a level rises in the picture: the more it does,
the more a column itself is worth beside its shadow.
"""

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


@dataclass(frozen=True, slots=True)
class Heed:
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
        >>> Heed(0.5, -1.0).temper(np.full((2, 1), 0.25), rise).round(2).tolist()
        [[0.25], [0.5]]
        """
        powers = self.share * (np.clip(rise, *RISES_PX) / USUAL_PX) ** self.growth
        return np.asarray((odds + self.floor) ** powers[:, None], np.float64)


@dataclass(frozen=True, slots=True)
class Heeds:
    """How far all that tells heights of some pieces is to be trusted."""

    column: Heed
    shadow: Heed
    outline: Heed
    relief: Heed


def find_doubtful(odds: Odds, plain: float) -> NDArray[np.intp]:
    """Return at which spots a column may stand whose height is less certain than *plain*."""
    standing, likeliest = odds[:, 1:-1].sum(axis=1), odds[:, 1:-1].max(axis=1)
    return np.flatnonzero((standing > DOUBTED) & (likeliest < plain * standing))


def find_sure(odds: Odds, least: float) -> NDArray[np.intp]:
    """Return at which spots a column stands whose height is more certain than *least*."""
    return np.flatnonzero(odds[:, 1:-1].max(axis=1) > least)


def weigh_in(odds: Odds, which: NDArray[np.intp], *told: Odds | Tempered) -> None:
    """Put in place of the heights of the columns *which* in *odds* what all that is *told* says."""
    both = np.prod(told, axis=0)
    standing = odds[which, 1:-1].sum(axis=1)
    odds[which, 1:-1] = both * (standing / both.sum(axis=1))[:, None]


def allow_for_mistakes(odds: Odds, which: NDArray[np.intp], share: float) -> Tempered:
    """Return what *odds* tell of the columns *which* if they may be about anything at all.

    share: how likely that is, for each height.  What deceives one who has told of a column mostly
    deceives others too; who comes after them must be able to contradict them all.
    """
    heights = odds[which, 1:-1]
    return np.asarray(heights + share * heights.sum(axis=1, keepdims=True), np.float64)
