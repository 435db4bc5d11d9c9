"""Contacts to ground: every edge that the Pico's scanner sees, bounces too, as the Pi debounces."""

import time

import board
import clock
import keypad
from outbox import Outbox

SCAN_S = 0.001
ROOM = 128
SETTLE_S = 5 * SCAN_S


class Keys:
    """The contacts at these GP *numbers*, a key's number being its place among them.

    closed: how each stands.
    """

    def __init__(self, numbers: "tuple[int, ...]") -> None:
        self.closed = [False] * len(numbers)
        self._keys = None
        if numbers:
            # Its debounce_threshold, 1 unless told, does not exist before CircuitPython 9.2.
            self._keys = keypad.Keys(
                [getattr(board, f"GP{number}") for number in numbers],
                value_when_pressed=False,
                pull=True,
                interval=SCAN_S,
                max_events=ROOM,
            )
            self.closed = self._settled()

    def read(self, outbox: Outbox) -> None:
        """Put what has happened into the *outbox*."""
        if self._keys is None:
            return
        events = self._keys.events
        event = events.get()
        while event is not None:
            self._changed(outbox, event.key_number, event.pressed, clock.when_us(event.timestamp))
            event = events.get()
        if events.overflowed:
            outbox.lost += 1
            for key, closed in enumerate(self._settled()):
                if closed != self.closed[key]:
                    self._changed(outbox, key, closed, clock.now_us())

    def levels(self) -> str:
        """Return how the contacts stand: a bit for each, the first lowest, in hex digits."""
        bits = sum(1 << key for key, closed in enumerate(self.closed) if closed)
        digits = 2 * max(1, (len(self.closed) + 7) // 8)
        return ("0" * digits + f"{bits:X}")[-digits:]

    def _changed(self, outbox: Outbox, key: int, closed: bool, at_us: int) -> None:
        self.closed[key] = closed
        outbox.add_edge(key, closed, at_us)

    def _settled(self) -> "list[bool]":
        """Return how each contact stands, found anew; what had been noticed before is dropped."""
        assert self._keys is not None
        closed = [False] * len(self.closed)
        events = self._keys.events
        events.clear()
        self._keys.reset()  # takes all for open, and then notices those that are not
        time.sleep(SETTLE_S)
        event = events.get()
        while event is not None:
            closed[event.key_number] = event.pressed
            event = events.get()
        return closed
