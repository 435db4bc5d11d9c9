"""The idol's encoder, counted by the Pico's own hardware."""

import board
import clock
import rotaryio
from outbox import Outbox

SAMPLE_US = 10_000


class Idol:
    """An encoder at two neighbouring GP numbers.

    position: steps since the start, four a pulse, clockwise positive.
    """

    def __init__(self, a: int, b: int) -> None:
        self._encoder = rotaryio.IncrementalEncoder(
            getattr(board, f"GP{a}"), getattr(board, f"GP{b}"), divisor=1
        )
        self.position = 0
        self._sampled_us = 0

    def read(self, outbox: Outbox) -> None:
        """Put its position into the *outbox* if it has changed, 100 times a second at most."""
        now_us = clock.now_us()
        position = self._encoder.position
        if position != self.position and now_us - self._sampled_us >= SAMPLE_US:
            self.position = position
            self._sampled_us = now_us
            outbox.add_turn(position, now_us)
