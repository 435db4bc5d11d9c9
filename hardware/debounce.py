"""Debouncing: from the edges of a wire to the level that someone meant, without a thread."""

import math
from collections import deque
from dataclasses import dataclass
from typing import Final

SETTLE_S: Final = 0.02
"""How long a level must last to be accepted; a push button bounces for 1 to 10 ms, if not worn."""
WIRE_REMEDY: Final = "look for a loose wire, a missing pull-up, or a lead beside the lights' cable"
LULL_S: Final = 0.1
"""A wire that pauses for so long has stopped for now."""


class Debouncer:
    """One wire: a level is accepted once it has lasted.

    level: the level accepted.  since_s: when its first edge came, minus infinity at the start.
    A level that was accepted stays until another has lasted for *settle_s*, in seconds.
    """

    __slots__ = ("_began_s", "_raw", "_raw_since_s", "_settle_s", "level", "since_s")

    def __init__(self, level: bool, settle_s: float = SETTLE_S) -> None:
        self.level = level
        self.since_s = self._began_s = self._raw_since_s = -math.inf
        self._raw = level
        self._settle_s = settle_s

    @property
    def next_due_s(self) -> float | None:
        """When the level now seen will have lasted; None if it is the one accepted."""
        return None if self._raw == self.level else self._raw_since_s + self._settle_s

    def edge(self, active: bool, at_s: float) -> None:
        """Take note of a change at *at_s*; the level that is known already is no change."""
        if active == self._raw:
            return
        if at_s - self._raw_since_s >= self._settle_s:
            self._began_s = at_s
        self._raw = active
        self._raw_since_s = at_s

    def due(self, now_s: float) -> bool:
        """Return whether another level is accepted as of *now_s* than before."""
        if self._raw == self.level or now_s < self._raw_since_s + self._settle_s:
            return False
        self.level = self._raw
        self.since_s = self._began_s
        return True


@dataclass(frozen=True, slots=True)
class ChatterFigures:
    """When a wire is said to chatter.

    rate_hz: more edges a second than people make; a button mashed 8 times a second that bounces
        four times each way makes 80, mains hum picked up by a loose wire at least 100.
    for_s: how long it must continue.  calm_s: how long it must be quieter before it is trusted
        again.
    """

    rate_hz: int = 90
    for_s: float = 4.0
    calm_s: float = 1.0


class Chatter:
    """One wire, and whether it chatters forever.

    chattering: whether it cannot be trusted now.
    """

    __slots__ = ("_busy_s", "_busy_since_s", "_figures", "_times_s", "chattering")

    def __init__(self, figures: ChatterFigures | None = None) -> None:
        self.chattering = False
        self._figures = figures or ChatterFigures()
        self._times_s: deque[float] = deque(maxlen=self._figures.rate_hz)
        self._busy_since_s: float | None = None
        self._busy_s = 0.0

    @property
    def next_due_s(self) -> float | None:
        """When to ask whether it went on, or has been calm; None while neither can be."""
        if self.chattering:
            return self._busy_s + self._figures.calm_s
        return None if self._busy_since_s is None else self._busy_since_s + self._figures.for_s

    def edge(self, at_s: float) -> None:
        """Take note of any edge of the wire, at *at_s*."""
        self._times_s.append(at_s)
        busy = len(self._times_s) == self._figures.rate_hz and at_s - self._times_s[0] < 1.0
        if not busy:
            self._busy_since_s = None
            return
        self._busy_s = at_s
        if self._busy_since_s is None:
            self._busy_since_s = self._times_s[0]

    def due(self, now_s: float) -> bool:
        """Return whether it began or ceased to be `chattering` as of *now_s*."""
        since_s = self._busy_since_s
        if self.chattering:
            changed = now_s - self._busy_s >= self._figures.calm_s
        elif since_s is not None and now_s - since_s >= self._figures.for_s:
            changed = now_s - self._busy_s < LULL_S
        else:
            return False
        self._busy_since_s = None
        self.chattering ^= changed
        return changed
