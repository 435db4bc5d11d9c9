"""How hard a player thinks: its level, its dice, and when it has to stop."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random


@dataclass(frozen=True)
class Effort:
    """The means of one decision.

    level: one of `companion.players.LEVELS`.  rng: all chance of the decision comes from it.
    time_s: seconds at most.  is_stopped: asked often; True ends the search at once.
    tilt_deg: how a board that tilts leans to the right and towards the near edge, if measured.
    """

    level: str
    rng: Random
    time_s: float
    is_stopped: Callable[[], bool]
    tilt_deg: tuple[float, float] | None = None
    _began_s: float = field(default_factory=time.monotonic)

    def is_over(self) -> bool:
        """Tell whether there is no time left."""
        return self.is_stopped() or time.monotonic() - self._began_s >= self.time_s

    def time_left_s(self) -> float:
        """Return the seconds that are left, below 0 if there are none."""
        return self.time_s - (time.monotonic() - self._began_s)
