"""The heartbeat of the watcher's thread: whether it comes on, as seen from another thread."""

import time
from collections.abc import Callable
from typing import Final

MAX_JUDGING_S: Final = 20.0
"""Judging a picture takes less than a second, the first one with a calibration several."""
MAX_FAILURES: Final = 2
"""So many pictures in a row that could not be judged are named; a single one may be a bad one."""


class Heartbeat:
    """What the watcher's thread is doing, and what has gone wrong in it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._began_s: float | None = None
        self._failures = 0
        self._error = ""

    def begin(self) -> None:
        """Note that a picture is being judged."""
        self._began_s = self._clock()

    def end(self) -> None:
        """Note that it has been judged, or has failed."""
        self._began_s = None

    def fail(self, error: Exception) -> None:
        """Note that judging a picture ended with *error*."""
        self._failures += 1
        self._error = " ".join(f"{type(error).__name__}: {error}".split())

    def succeed(self) -> None:
        """Note that a picture has been read to the end."""
        self._failures = 0

    @property
    def trouble(self) -> str:
        """What is wrong, in one line with the remedy; "" while all is well; from any thread."""
        began_s = self._began_s  # read once: the other thread may end meanwhile
        if began_s is not None and self._clock() - began_s > MAX_JUDGING_S:
            return (
                f"a picture has been judged for more than {MAX_JUDGING_S:.0f} s; enter the moves by"
                " hand, and restart the companion if this stays"
            )
        if self._failures >= MAX_FAILURES:
            return (
                f"pictures cannot be judged ({self._error}); enter the moves by hand, and restart"
                " the companion if this stays"
            )
        return ""
