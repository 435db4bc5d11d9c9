"""Wrong keys: how many may be tried, and how fast."""

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

MAX_SOURCES: Final = 1024
"""So many addresses are remembered; whoever has more of them still meets the limit for all."""


@dataclass(frozen=True, slots=True)
class Rate:
    """A limit: so many at once, and after these one more every so many seconds."""

    burst: int
    every_s: float


PER_SOURCE: Final = Rate(burst=10, every_s=6.0)
TOTAL: Final = Rate(burst=30, every_s=1.0)
"""docs/decisions/0314-limit-guesses-at-the-hosts-key.md computes what these come to in a year."""


class WrongKeys:
    """Counts wrong keys, and tells how long it is until the next one may be tried.

    A source is an address, or a seat: a phone that holds a seat is counted by it, and never waits
    for what others have tried.
    clock: seconds that never go back.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        # When each would have used up its limit, had it tried at the steady rate from the start.
        self._sources: OrderedDict[str | int, float] = OrderedDict()
        self._total_s = 0.0

    def wait_s(self, source: str | int) -> float:
        """Return the seconds until *source* may try another key, 0 if it may at once.

        source: an address, or the number of the seat that the phone holds.
        """
        own_s = self._wait_s(self._sources.get(source, 0.0), PER_SOURCE)
        is_seat = isinstance(source, int)
        return own_s if is_seat else max(own_s, self._wait_s(self._total_s, TOTAL))

    def count(self, source: str | int) -> None:
        """Count a wrong key from *source*."""
        now_s = self._clock()
        self._sources[source] = max(self._sources.get(source, 0.0), now_s) + PER_SOURCE.every_s
        self._sources.move_to_end(source)
        if len(self._sources) > MAX_SOURCES:
            self._sources.popitem(last=False)
        self._total_s = max(self._total_s, now_s) + TOTAL.every_s

    def _wait_s(self, used_s: float, rate: Rate) -> float:
        # The generic cell rate algorithm: a bucket of *burst* tokens, kept as one time.
        return max(0.0, used_s - (rate.burst - 1) * rate.every_s - self._clock())
