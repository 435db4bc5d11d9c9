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


ACTIONS_PER_SEAT: Final = Rate(burst=60, every_s=0.25)
"""Of a program: a whole game as fast as it likes, but no flood, which a disk would have to keep."""
CODES_PER_SOURCE: Final = Rate(burst=5, every_s=10.0)
CODES_IN_ALL: Final = Rate(burst=20, every_s=3.0)
MAX_WRONG_CODES: Final = 100
"""So many wrong codes end a code: 1 in 1,000 such rows of guesses finds four of 18 letters."""


class WrongKeys:
    """Counts wrong keys, and tells how long it is until the next one may be tried.

    A source is an address, or a seat: a phone that holds a seat is counted by it, and never waits
    for what others have tried.
    per_source, total: how fast one source, and all together, may try.
    clock: seconds that never go back.
    wrong: how many wrong ones there were since `begin`.
    """

    def __init__(
        self,
        per_source: Rate = PER_SOURCE,
        total: Rate = TOTAL,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._per_source, self._total = per_source, total
        self._clock = clock
        self.wrong = 0
        # When each would have used up its limit, had it tried at the steady rate from the start.
        self._sources: OrderedDict[str | int, float] = OrderedDict()
        self._total_s = 0.0

    def wait_s(self, source: str | int) -> float:
        """Return the seconds until *source* may try another key, 0 if it may at once.

        source: an address, or the number of the seat that the phone holds.
        """
        own_s = self._wait_s(self._sources.get(source, 0.0), self._per_source)
        is_seat = isinstance(source, int)
        return own_s if is_seat else max(own_s, self._wait_s(self._total_s, self._total))

    def begin(self) -> None:
        """Count `wrong` from 0 again; nobody may try any sooner."""
        self.wrong = 0

    def count(self, source: str | int) -> None:
        """Count a wrong key from *source*."""
        now_s = self._clock()
        self.wrong += 1
        self._sources[source] = (
            max(self._sources.get(source, 0.0), now_s) + self._per_source.every_s
        )
        self._sources.move_to_end(source)
        if len(self._sources) > MAX_SOURCES:
            self._sources.popitem(last=False)
        self._total_s = max(self._total_s, now_s) + self._total.every_s

    def _wait_s(self, used_s: float, rate: Rate) -> float:
        # The generic cell rate algorithm: a bucket of *burst* tokens, kept as one time.
        return max(0.0, used_s - (rate.burst - 1) * rate.every_s - self._clock())
