"""Footprints: what of the table a piece covers, and whether two of them meet."""

import math
from dataclasses import dataclass
from typing import Final

ROUND: Final = frozenset(("figure", "disc"))
"""Kinds that are as wide in every direction."""
TOUCH_MM: Final = 1.0
"""Pieces that overlap by less stand beside each other."""


@dataclass(frozen=True, slots=True)
class Footprint:
    """A disc or a rectangle: its middle, width and depth in mm, and its turn in degrees."""

    x: float
    y: float
    width: float
    depth: float
    turn: float = 0.0
    is_round: bool = False

    @property
    def reach(self) -> float:
        """How far it goes from its middle at most."""
        return self.width / 2 if self.is_round else math.hypot(self.width, self.depth) / 2

    def covers(self, x: float, y: float) -> bool:
        """Return whether a point is within it."""
        along, across = self._seen_from(x, y)
        if self.is_round:
            return math.hypot(along, across) <= self.width / 2
        return abs(along) <= self.width / 2 and abs(across) <= self.depth / 2

    def meets(self, other: "Footprint", touch: float = TOUCH_MM) -> bool:
        """Return whether both overlap by more than *touch* mm.

        >>> Footprint(0, 0, 20, 10).meets(Footprint(0, 9.5, 20, 10))
        False
        """
        far = math.hypot(self.x - other.x, self.y - other.y)
        if far > self.reach + other.reach - touch:
            return False
        if self.is_round and other.is_round:
            return True
        if self.is_round:
            return other.nears(self, touch)
        if other.is_round:
            return self.nears(other, touch)
        axes = (self.turn, self.turn + 90.0, other.turn, other.turn + 90.0)
        return all(self._overlaps(other, axis, touch) for axis in axes)

    def _seen_from(self, x: float, y: float) -> tuple[float, float]:
        """Return a point in its own frame, from its middle."""
        angle = math.radians(self.turn)
        dx, dy = x - self.x, y - self.y
        return (
            dx * math.cos(angle) + dy * math.sin(angle),
            -dx * math.sin(angle) + dy * math.cos(angle),
        )

    def nears(self, disc: "Footprint", touch: float) -> bool:
        """Return whether a rectangle and a *disc* overlap by more than *touch* mm."""
        along, across = self._seen_from(disc.x, disc.y)
        beyond = (
            max(0.0, abs(along) - self.width / 2),
            max(0.0, abs(across) - self.depth / 2),
        )
        return math.hypot(*beyond) < disc.width / 2 - touch

    def _overlaps(self, other: "Footprint", axis: float, touch: float) -> bool:
        angle = math.radians(axis)
        ux, uy = math.cos(angle), math.sin(angle)
        apart = abs((other.x - self.x) * ux + (other.y - self.y) * uy)
        return apart < self.half_along(axis) + other.half_along(axis) - touch

    def half_along(self, axis: float) -> float:
        """Return how far a rectangle goes from its middle along an axis, in degrees."""
        angle = math.radians(axis - self.turn)
        return (abs(self.width * math.cos(angle)) + abs(self.depth * math.sin(angle))) / 2
