"""Pauses between tries: longer and longer, and not for all at the same time."""

import random
from typing import Final

PAUSES_S: Final = (1.0, 60.0)
"""The shortest and the longest pause before the next try; each is twice the one before."""
AWAY_S: Final = 5.0
"""The longest pause where somebody is only away: all is right again soon after they are back."""
JITTER: Final = 0.25
"""Many tables that lost the same broker come back one after the other."""


class Pauses:
    """How long to wait before the next try: longer and longer.

    >>> pauses = Pauses(jitter=0)
    >>> [pauses.next_s() for _ in range(8)]
    [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0, 60.0]
    >>> pauses.next_s(is_away=True)
    5.0
    """

    def __init__(self, jitter: float = JITTER) -> None:
        self._jitter = jitter
        self._rng = random.SystemRandom()
        self.reset()

    def reset(self) -> None:
        """Begin with the shortest one."""
        self._pause_s = PAUSES_S[0]

    def next_s(self, *, is_away: bool = False) -> float:
        """Return the next pause in seconds; *is_away*: nobody has to change anything meanwhile."""
        pause_s = min(self._pause_s, AWAY_S) if is_away else self._pause_s
        self._pause_s = min(2 * pause_s, PAUSES_S[1])
        return pause_s * self._rng.uniform(1 - self._jitter, 1 + self._jitter)
