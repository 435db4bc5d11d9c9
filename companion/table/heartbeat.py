"""The heartbeat of the watcher's thread: whether it comes on, as seen from another thread."""

import time
from collections.abc import Callable
from typing import Final

MAX_JUDGING_S: Final = 20.0
"""Judging a picture takes less than a second, on the smallest Pi several."""
STUCK_JUDGING_S: Final = 60.0
"""Judging that takes longer comes to no end by itself."""
MAX_LEARNING_S: Final = 120.0
"""Learning the stacks of a table takes 5 s of a desktop's processor; a Zero 2 W may have a tenth
of its speed."""
STUCK_LEARNING_S: Final = 600.0
"""Learning that takes longer comes to no end by itself.  A restart would begin it anew."""
STUCK_WAITING_S: Final = 120.0
"""A camera says something at least every 80 s: an unplugged one is opened again each minute."""
MAX_FAILURES: Final = 2
"""So many pictures in a row that could not be judged are named; a single one may be a bad one."""


class Heartbeat:
    """What the watcher's thread is doing, and what has gone wrong in it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._began_s: float | None = None
        self._waits_since_s: float | None = None
        self._is_learning = False
        self._is_dead = False
        self._failures = 0
        self._error = ""

    def begin(self) -> None:
        """Note that a picture is being judged."""
        self._is_learning = False
        self._began_s, self._waits_since_s = self._clock(), None

    def learn(self) -> None:
        """Note that the table is being learned, too, with the picture that is being judged."""
        self._is_learning = True

    def end(self) -> None:
        """Note that it has been judged, or has failed; the thread waits for the camera now."""
        self._began_s, self._waits_since_s = None, self._clock()

    def stop(self) -> None:
        """Note that the thread has ended because the camera was closed."""
        self._began_s = self._waits_since_s = None

    def die(self, error: Exception) -> None:
        """Note that the thread has ended by *error*."""
        self.stop()
        self.fail(error)
        self._is_dead = True

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
        if self._is_dead:
            return (
                f"the camera is no longer being watched ({self._error}); enter the moves by hand,"
                " and restart the companion"
            )
        began_s = self._began_s  # read once: the other thread may end meanwhile
        limit_s = MAX_LEARNING_S if self._is_learning else MAX_JUDGING_S
        if began_s is not None and self._clock() - began_s > limit_s:
            slow = "learning the table" if self._is_learning else "judging a picture"
            return (
                f"{slow} has taken more than {limit_s:.0f} s; enter the moves by hand, and restart"
                " the companion if this stays"
            )
        if self._failures >= MAX_FAILURES:
            return (
                f"pictures cannot be judged ({self._error}); enter the moves by hand, and restart"
                " the companion if this stays"
            )
        return ""

    @property
    def stuck(self) -> str:
        """What only a restart ends, in one line; "" while the thread comes on; from any thread."""
        began_s, waits_since_s, now_s = self._began_s, self._waits_since_s, self._clock()
        if self._is_dead:
            return f"the camera's thread has ended ({self._error})"
        limit_s = STUCK_LEARNING_S if self._is_learning else STUCK_JUDGING_S
        if began_s is not None and now_s - began_s > limit_s:
            slow = "learning the table" if self._is_learning else "judging one picture"
            return f"{slow} has taken more than {limit_s:.0f} s"
        if waits_since_s is not None and now_s - waits_since_s > STUCK_WAITING_S:
            return f"the camera's thread has hung for more than {STUCK_WAITING_S:.0f} s"
        return ""
