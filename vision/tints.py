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
    seen = direction(tint)
    cosines = {name: float(seen @ direction(there)) for name, there in known.items()}
    angles = {name: float(np.arccos(np.clip(c, -1.0, 1.0))) for name, c in cosines.items()}
    likely = {name: float(np.exp(-((a / TINT_ANGLE) ** 2) / 2)) for name, a in angles.items()}
    strange = float(np.exp(-((STRANGE_ANGLE / TINT_ANGLE) ** 2) / 2))
    total = sum(likely.values()) + strange
    return {name: weight / total for name, weight in likely.items()}
