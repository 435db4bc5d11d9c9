"""Name the colour of a card by its own white paper: free of the lamp, of glare and of shadow."""

from collections.abc import Mapping
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Tint: TypeAlias = NDArray[np.float64]
"""(3,) logarithms of blue, green and red, white paper being 0."""

TINT_ANGLE: Final = 0.09
"""Angle in radians between two tints that makes a colour e times less likely at first."""
TINY: Final = 1e-6
DEEPEST: Final = -1.6
"""What is darker than this is noise: saturated colours differ by it from camera to camera."""
STRANGE_ANGLE: Final = 0.3
"""A tint this far from every colour belongs to no card of the game."""
TAUGHT_ANGLE, STRAY_ANGLE, STRAYS = 0.025, 0.06, 0.1
"""In the lamp in which colours were learned most cards look like them, to the first of these, and
that share of them only to the second."""
FOREIGN_ANGLE: Final = 0.2
"""What then strays this far is as likely no card of the game."""


def direction(tint: Tint) -> Tint:
    """Return the tint without its strength, which glare and shadows change."""
    tint = np.maximum(tint, DEEPEST)
    length = np.maximum(np.linalg.norm(tint, axis=-1, keepdims=True), 1e-6)
    return np.asarray(tint / length, np.float64)


class Tints:
    """The colours of a game's cards."""

    def __init__(self, known: Mapping[str, Tint]) -> None:
        """*known*: for each colour one tint (3,), or several (n, 3) of which the nearest counts."""
        self._names = tuple(known)
        self._tints = np.concatenate([np.atleast_2d(each) for each in known.values()])
        self._every = direction(self._tints)
        counts = [1 if each.ndim == 1 else len(each) for each in known.values()]
        self._firsts = np.cumsum([0, *counts[:-1]])

    def weigh(
        self,
        tint: Tint,
        faint: float = 0.0,
        taught: bool = False,
        at_least: NDArray[np.bool_] | None = None,
    ) -> dict[str, float]:
        """Return how likely a *tint* is each colour; together less than 1 if none of them is near.

        faint: a tint weaker than this is washed out, and its direction is as much less certain.
        taught: whether the colours were learned in the lamp that now shines.
        at_least: in which of blue, green and red (3,) it may be brighter than it seems.
        """
        seen = direction(tint)
        if at_least is not None and at_least.any():
            seen = direction(np.where(at_least, np.maximum(self._tints, tint), tint))
        cosines = np.maximum.reduceat((self._every * seen).sum(axis=1), self._firsts)
        angles = np.arccos(np.clip(cosines, -1.0, 1.0))
        if taught:
            likely = _weigh_taught(np.append(angles, FOREIGN_ANGLE))
        else:
            spread = TINT_ANGLE * max(1.0, faint / max(float(np.linalg.norm(tint)), TINY))
            likely = np.exp(-((np.append(angles, STRANGE_ANGLE) / spread) ** 2) / 2)
        likely /= likely.sum()
        return dict(zip(self._names, likely[:-1].tolist(), strict=True))


def _weigh_taught(angles: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how likely tints are that stray by such *angles* from what was learned."""
    most, few = (
        share / spread**2 * np.exp(-((angles / spread) ** 2) / 2)
        for share, spread in ((1.0 - STRAYS, TAUGHT_ANGLE), (STRAYS, STRAY_ANGLE))
    )
    return np.asarray(most + few, np.float64)
