"""What the Pico's clock says in the Pi's time."""

from collections import deque
from typing import Final, NamedTuple

KEPT: Final = 50
"""Answers that are kept; five seconds of them."""
DRIFT: Final = 5e-4
"""The most that one clock gains on the other: the Pi's may be slewed so fast by NTP, and crystals
are ten times better."""
JUMP_S: Final = 0.01
"""Answers that contradict each other by more come from different clocks."""


class _Answer(NamedTuple):
    """When it came, and the least and the most that can be added to the Pico's time for the Pi's.

    No answer is given before its question, or comes before it was given.
    """

    at_s: float
    least_s: float
    most_s: float


class TimeMap:
    """Learns the Pico's clock from the answers to questions.

    Each answer bounds what lies between the clocks from both sides, the quickest most.

    >>> times = TimeMap()
    >>> times.learn(100.0, 100.002, 5.0), times.learn(100.1, 100.106, 5.1)
    (True, True)
    >>> round(times.to_pi(6.0), 3)
    101.001
    """

    def __init__(self) -> None:
        self._answers: deque[_Answer] = deque(maxlen=KEPT)
        self._offset_s = 0.0

    @property
    def answers(self) -> int:
        """How many answers it knows."""
        return len(self._answers)

    def learn(self, asked_s: float, answered_s: float, pico_s: float) -> bool:
        """Take an answer given at *pico_s* to what was asked at *asked_s*.

        Return False if the Pico's clock has jumped: all that was learned is then forgotten.
        """
        self._answers.append(_Answer(answered_s, asked_s - pico_s, answered_s - pico_s))
        least_s = max(each.least_s - _drift_s(each, answered_s) for each in self._answers)
        most_s = min(each.most_s + _drift_s(each, answered_s) for each in self._answers)
        if least_s > most_s + JUMP_S:
            self._answers.clear()
            return False
        self._offset_s = (least_s + most_s) / 2
        return True

    def to_pi(self, pico_s: float) -> float:
        """Return what the Pico calls *pico_s* in seconds of the Pi's clock."""
        return pico_s + self._offset_s


def _drift_s(answer: _Answer, now_s: float) -> float:
    return (now_s - answer.at_s) * DRIFT
