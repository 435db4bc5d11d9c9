"""Events on their way to the Pi, kept until it has them; docs/wire.md says how."""

import wire

ROOM = 256
RESEND_US = 300_000


class Outbox:
    """Numbers events and keeps them.

    newest: the number of the last one, 0 before the first.
    lost: how many edges found no room.
    """

    def __init__(self) -> None:
        self.newest = 0
        self.lost = 0
        self._frames: dict[int, bytes] = {}
        self._unsent = 1  # the number of the next one to send
        self._waiting: tuple[int, int] | None = None
        self._since_us = 0

    def add_edge(self, key: int, closed: bool, at_us: int) -> None:
        """Keep that *key* opened or closed; without room it is lost."""
        if len(self._frames) == ROOM:
            self.lost += 1
        else:
            self._keep("key", at_us, key, int(closed))

    def add_turn(self, position: int, at_us: int) -> None:
        """Keep the idol's *position*; without room the newest one waits for some."""
        if len(self._frames) == ROOM:
            self._waiting = position, at_us
        else:
            self._keep("turn", at_us, position)

    def acknowledge(self, number: int, now_us: int) -> None:
        """Forget all events up to *number*: the Pi has them."""
        oldest = self._oldest()
        if not oldest <= number <= self.newest:
            return
        for each in range(oldest, number + 1):
            del self._frames[each]
        self._unsent = max(self._unsent, number + 1)
        self._since_us = now_us
        if self._waiting:
            self._keep("turn", self._waiting[1], self._waiting[0])
            self._waiting = None

    def send_again(self, number: int = 0) -> None:
        """Let `next_frame` begin again with event *number*, or the oldest that is kept."""
        self._unsent = min(max(number, self._oldest()), self.newest + 1)

    def next_frame(self, now_us: int) -> "bytes | None":
        """Return the next frame to send, None if none is due."""
        if self._unsent > self.newest:
            if not self._frames or now_us - self._since_us < RESEND_US:
                return None
            self._since_us = now_us
            self.send_again()
        frame = self._frames[self._unsent]
        self._unsent += 1
        return frame

    def _oldest(self) -> int:
        return self.newest + 1 - len(self._frames)

    def _keep(self, word: str, at_us: int, *fields: int) -> None:
        if not self._frames:
            self._since_us = at_us
        self.newest += 1
        self._frames[self.newest] = wire.encode(self.newest, word, *fields, at_us)
