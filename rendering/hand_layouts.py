"""How the cards of a hand lie: fanned, overlapping, side by side, any way up."""

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from rendering.card_grounds import Points
from rendering.drawn import CARD_MM
from rendering.prints import Random
from vision.cards.card_rectification import CORNERS_MM


def _place(centre: Points, turn_deg: float) -> Points:
    """Return the corners (4, 2) of a card at *centre* on the table, turned clockwise, in mm."""
    cos, sin = np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))
    around = (CORNERS_MM - np.array(CARD_MM) / 2) @ np.array([[cos, sin], [-sin, cos]])
    return np.asarray(around + centre)


def _fan(random: Random, count: int) -> Points:
    """Return cards turned about a place below them, each with its index free."""
    pivot_mm = random.uniform(75, 140)
    step = np.degrees(random.uniform(18, 28) / (pivot_mm + CARD_MM[1] / 2))
    turns = (np.arange(count) - (count - 1) / 2) * step + random.normal(0, 0.08 * step, count)
    radii = pivot_mm + random.normal(0, 2.5, count)
    centres = np.column_stack([np.sin(np.radians(turns)), -np.cos(np.radians(turns))])
    return np.stack([_place(r * c, t) for r, c, t in zip(radii, centres, turns, strict=True)])


def _row(random: Random, count: int) -> Points:
    step, slant = random.uniform(17, 30), random.normal(0, 1.5)
    return np.stack(
        [
            _place(np.array([n * step, n * slant + random.normal(0, 1.5)]), random.normal(0, 2.5))
            for n in range(count)
        ]
    )


def _column(random: Random, count: int) -> Points:
    step, slant = random.uniform(16, 30), random.normal(0, 1.5)
    return np.stack(
        [
            _place(np.array([n * slant + random.normal(0, 1.5), n * step]), random.normal(0, 2.5))
            for n in range(count)
        ]
    )


def _grid(random: Random, count: int, turn_deg: float = 4.0) -> Points:
    columns = int(np.ceil(np.sqrt(1.6 * count)))
    room = np.array(CARD_MM) + random.uniform(3, 14, 2)
    if turn_deg > 45:
        room = np.full(2, np.hypot(*CARD_MM) * random.uniform(0.85, 1.0))
    placed = []
    for n in range(count):
        at = room * np.array([n % columns, n // columns])
        turn = random.normal(0, turn_deg) if turn_deg < 45 else random.uniform(0, 360)
        placed.append(_place(at + random.normal(0, 1.2, 2), turn))
    return np.stack(placed)


def _loose(random: Random, count: int) -> Points:
    return _grid(random, count, 360.0)


LAYOUTS: Final[Mapping[str, Callable[[Random, int], Points]]] = {
    "fan": _fan, "row": _row, "column": _column, "grid": _grid, "loose": _loose,
}  # fmt: skip
"""Each returns the corners (n, 4, 2) of so many cards on the table, in mm."""
