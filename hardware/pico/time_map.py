"""What the Pico's clock says in the Pi's time."""

from collections import deque
from typing import Final, NamedTuple

KEPT: Final = 50
"""Answers that are kept; five seconds of them."""
DRIFT: Final = 5e-4
"""The most that one clock gains on the other: the Pi's may be slewed so fast by NTP, and crystals
are ten times better."""
JUMP_S: Final = 0.01
"""Two answers that contradict each other by more come from different clocks."""


class _Answer(NamedTuple):
    """When it came, what is to be added to the Pico's time, and how wrong that may be."""

    at_s: float
    offset_s: float
    doubt_s: float


class TimeMap:
    """Learns the Pico's clock from the answers to questions; the quickest of late tell most.

    >>> times = TimeMap()
    >>> times.learn(100.0, 100.002, 5.0)
    True
    >>> round(times.to_pi(6.0), 3)
    101.001
    """

    def __init__(self) -> None:
        self._answers: deque[_Answer] = deque(maxlen=KEPT)
        self._offset_s = 0.0

    @property
    def known(self) -> bool:
        """Whether there was an answer yet."""
        return bool(self._answers)

    def learn(self, asked_s: float, answered_s: float, pico_s: float) -> bool:
        """Take an answer given at *pico_s* to what was asked at *asked_s*.

        Return False if the Pico's clock has jumped: all that was learned is then forgotten.
        """
        doubt_s = (answered_s - asked_s) / 2
        answer = _Answer(answered_s, asked_s + doubt_s - pico_s, doubt_s)
        if self._answers:
            best = self._best(answered_s)
            allowed_s = doubt_s + _doubt_s(best, answered_s) + JUMP_S
            if abs(answer.offset_s - best.offset_s) > allowed_s:
                self._answers.clear()
                return False
        self._answers.append(answer)
        self._offset_s = self._best(answered_s).offset_s
        return True

    def to_pi(self, pico_s: float) -> float:
        """Return what the Pico calls *pico_s* in seconds of the Pi's clock."""
        return pico_s + self._offset_s

    def _best(self, now_s: float) -> _Answer:
        return min(self._answers, key=lambda answer: _doubt_s(answer, now_s))


def _doubt_s(answer: _Answer, now_s: float) -> float:
    return answer.doubt_s + (now_s - answer.at_s) * DRIFT
