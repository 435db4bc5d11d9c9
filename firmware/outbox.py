"""Events on their way to the Pi, kept until it has them; docs/wire.md says how."""

import struct

import wire

ROOM = 256
RESEND_US = 300_000
_EVENT = "<iiq"  # key or position; 0 open, 1 closed, 2 a turn; when
_SIZE = 16
_TURN = 2


class Outbox:
    """Numbers events and keeps them.

    newest: the number of the last one, 0 before the first.
    lost: how many edges found no room.
    """

    def __init__(self) -> None:
        self.newest = 0
        self.lost = 0
        # In one piece: events that lay here and there would break up the Pico's small memory.
        self._ring = bytearray(ROOM * _SIZE)
        self._kept = 0
        self._unsent = 1  # the number of the next one to send
        self._waiting: tuple[int, int] | None = None
        self._since_us = 0

    def add_edge(self, key: int, closed: bool, at_us: int) -> None:
        """Keep that *key* opened or closed; without room it is lost."""
        if self._kept == ROOM:
            self.lost += 1
        else:
            self._keep(key, int(closed), at_us)

    def add_turn(self, position: int, at_us: int) -> None:
        """Keep the idol's *position*; without room the newest one waits for some."""
        if self._kept == ROOM:
            self._waiting = position, at_us
        else:
            self._keep(position, _TURN, at_us)

    def acknowledge(self, number: int, now_us: int) -> None:
        """Forget all events up to *number*: the Pi has them."""
        if not self._oldest() <= number <= self.newest:
            return
        self._kept = self.newest - number
        self._unsent = max(self._unsent, number + 1)
        self._since_us = now_us
        if self._waiting:
            position, at_us = self._waiting
            self._waiting = None
            self._keep(position, _TURN, at_us)

    def send_again(self, number: int, now_us: int) -> None:
        """Let `next_frame` begin again with event *number*, or the oldest that is kept."""
        self._since_us = now_us
        self._unsent = min(max(number, self._oldest()), self.newest + 1)

    def next_frame(self, now_us: int) -> "bytes | None":
        """Return the next frame to send, None if none is due."""
        if self._unsent > self.newest:
            if not self._kept or now_us - self._since_us < RESEND_US:
                return None
            self.send_again(0, now_us)
        number = self._unsent
        self._unsent += 1
        value, kind, at_us = struct.unpack_from(_EVENT, self._ring, number % ROOM * _SIZE)
        if kind == _TURN:
            return wire.encode(number, "turn", value, at_us)
        return wire.encode(number, "key", value, kind, at_us)

    def _oldest(self) -> int:
        return self.newest + 1 - self._kept

    def _keep(self, value: int, kind: int, at_us: int) -> None:
        if not self._kept:
            self._since_us = at_us
        self.newest += 1
        self._kept += 1
        struct.pack_into(_EVENT, self._ring, self.newest % ROOM * _SIZE, value, kind, at_us)
