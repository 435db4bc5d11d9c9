"""The balance board: how far it leans under what stands on it, and when it falls."""

import math
from collections.abc import Iterable
from typing import Final, NamedTuple

MOST_DEG: Final = 4.5
"""It leans no farther while it stands."""
STIFFNESS_MM: Final = 190.0
"""By so much of one disc's lever its lean comes nearer to the most by two thirds."""
LIMIT_MM: Final = 430.0
"""A lever of one disc beyond which it falls: four discs in one corner, or five along an edge."""
FALLEN_DEG: Final = 24.0


class Lean(NamedTuple):
    """How far a board leans, which way goes down, and whether it cannot stand so."""

    tilt_deg: float
    towards_deg: float
    is_too_far: bool


def lean_of(loads: Iterable[tuple[float, float]], *, is_fallen: bool) -> Lean:
    """Return how a board leans with a disc at each of *loads*, seen from its middle in mm.

    >>> lean_of([(72.0, 0.0), (-72.0, 0.0)], is_fallen=False)
    Lean(tilt_deg=0.0, towards_deg=0.0, is_too_far=False)
    """
    x = y = 0.0
    for load_x, load_y in loads:
        x, y = x + load_x, y + load_y
    lever = math.hypot(x, y)
    towards = math.degrees(math.atan2(x, -y)) % 360.0 if lever > 1e-9 else 0.0
    if is_fallen:
        return Lean(FALLEN_DEG, 135.0, is_too_far=False)
    tilt = MOST_DEG * (1.0 - math.exp(-lever / STIFFNESS_MM))
    return Lean(round(tilt, 3), round(towards, 2) % 360.0, lever > LIMIT_MM)
