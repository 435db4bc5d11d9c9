"""The countdown of a game in which a phase may last only so long."""

import math
import time
from collections.abc import Callable, Hashable
from datetime import datetime
from typing import Any

from companion.referee.game import Playing
from companion.session.session import Session


def clock_words(seconds: int) -> str:
    """Return *seconds* as a clock shows them.

    >>> clock_words(245)
    '4:05'
    """
    return f"{seconds // 60}:{seconds % 60:02}"


class Countdown:
    """How much time is left; stands still while the game is paused.

    now: a clock that only runs forward, in seconds.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._phase: Hashable = None
        self._limit_s: float | None = None
        self._spent_s = 0.0
        self._since_s: float | None = None

    @property
    def left_s(self) -> float | None:
        """The seconds that are left, never below 0; None while nothing is timed."""
        if self._limit_s is None:
            return None
        running_s = self._now() - self._since_s if self._since_s is not None else 0.0
        return max(0.0, self._limit_s - self._spent_s - running_s)

    @property
    def seconds_left(self) -> int | None:
        """The same in whole seconds, as a clock shows them: 0 when the time is over."""
        return None if self.left_s is None else math.ceil(self.left_s)

    @property
    def seconds_limit(self) -> int | None:
        """How many whole seconds there were at first; None while nothing is timed."""
        return None if self._limit_s is None else math.ceil(self._limit_s)

    @property
    def is_running(self) -> bool:
        """Whether time goes by."""
        return self._since_s is not None

    def follow(
        self, limit_s: float | None, *, paused: bool, phase: Hashable, spent_s: float = 0.0
    ) -> None:
        """Time what may last *limit_s*, None for nothing.

        phase: which phase is timed; one whose end is taken back has the time left that it had.
        spent_s: how much of it had gone before the companion was started.
        """
        if self._since_s is not None and (paused or limit_s is None):
            self._spent_s += self._now() - self._since_s
            self._since_s = None
        if limit_s is not None and phase != self._phase:
            self._phase, self._spent_s, self._since_s = phase, spent_s, None
        self._limit_s = limit_s
        if limit_s is not None and not paused and self._since_s is None:
            self._since_s = self._now()


def phase_began(session: Session[Any, Any], game: Playing[Any, Any]) -> int:
    """Return the number of the entry that began the timed phase of *session*; 0 for its opening."""
    history = session.history
    place = len(history.acts)
    while place and game.time_limit_s(history.positions[place - 1][0].state) is not None:
        place -= 1
    return history.acts[place - 1].seq if place else 0


def spent_s(session: Session[Any, Any], game: Playing[Any, Any]) -> float:
    """Return how long the timed phase of *session* had continued when its log was left.

    The time between the last entry and the start of the companion is nobody's, nor is that while
    the session was put away.
    """
    if not session.entries:
        return 0.0
    instants = [datetime.fromisoformat(entry.at) for entry in session.entries]
    began, ended = instants[max(phase_began(session, game) - 1, 0)], instants[-1]
    spent = ended - began
    if session.header.resumes:
        taken_up = datetime.fromisoformat(session.log.opened()[session.number])
        copied = [at for at in instants if began <= at <= taken_up]
        if copied:
            spent -= min(taken_up, ended) - copied[-1]
    return spent.total_seconds()
