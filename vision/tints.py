"""Name the colour of a card by its own white paper: free of the lamp, of glare and of shadow."""

from collections.abc import Mapping
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Tint: TypeAlias = NDArray[np.float64]
"""(3,) logarithms of blue, green and red, white paper being 0."""

TINT_ANGLE: Final = 0.09
"""Angle in radians between two tints that makes a colour e times less likely at first."""
STRANGE_ANGLE: Final = 0.3
"""A tint this far from every colour belongs to no card of the game."""


def direction(tint: Tint) -> Tint:
    """Return the tint without its strength, which glare and shadows change."""
    length = np.maximum(np.linalg.norm(tint, axis=-1, keepdims=True), 1e-6)
    return np.asarray(tint / length, np.float64)


def weigh_tint(tint: Tint, known: Mapping[str, Tint]) -> dict[str, float]:
    """Return how likely each known colour is; together less than 1 if none of them is near."""
    there = direction(np.array(list(known.values())))
    angles = np.arccos(np.clip(there @ direction(tint), -1.0, 1.0))
    likely = np.exp(-((np.append(angles, STRANGE_ANGLE) / TINT_ANGLE) ** 2) / 2)
    likely /= likely.sum()
    return {name: float(share) for name, share in zip(known, likely[:-1], strict=True)}
