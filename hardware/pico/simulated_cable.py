"""A USB cable as a pty: its port comes and goes, and it can be cut and garbled."""

import fcntl
import os
import select
import termios
import time
import tty
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeAlias

Change: TypeAlias = Callable[[bytes], bytes]

LOOK_MS: Final = 2
"""How often it looks whether a program has opened the port."""
CUT_S: Final = 1.0
"""The longest time that the last bytes before a cut have to be read."""
PASS_S: Final = 0.2
"""The time that they have at least: the kernel passes them on when it has time."""


class SimulatedCable:
    """The end that the Pico hangs on; a program opens the other by its name, *port*.

    to_pi, to_pico: what change the bytes that pass, if anything.
    left_to_pi, left_to_pico: so many bytes pass yet, None for no limit; when one of them has come
    to 0 nothing passes any more, and once the last bytes have been read it is time to `cut`.
    """

    def __init__(self, port: Path) -> None:
        self.port = port
        self.to_pi: Change | None = None
        self.to_pico: Change | None = None
        self.left_to_pi: int | None = None
        self.left_to_pico: int | None = None
        self._master: int | None = None
        self._held = False
        self._unsent = b""
        self._ended_s: float | None = None

    @property
    def plugged(self) -> bool:
        """Whether there is a port."""
        return self._master is not None

    def cut(self, *, pico_has_read: bool) -> bool:
        """Return whether the time has come to pull it."""
        if 0 not in (self.left_to_pi, self.left_to_pico):
            return False
        now_s = time.monotonic()
        if self._ended_s is None:
            self._ended_s = now_s
        waited_s = now_s - self._ended_s
        if waited_s < PASS_S or waited_s >= CUT_S:
            return waited_s >= CUT_S
        return pico_has_read and self._pi_has_read()

    @property
    def held(self) -> bool:
        """Whether a program has the port open."""
        return self._held

    def _pi_has_read(self) -> bool:
        """Return whether the Pi has read all: what is unread when the port hangs up is lost."""
        try:
            port = os.open(self.port, os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK)
        except OSError:  # the Pi has the port for itself alone
            return True
        try:
            return fcntl.ioctl(port, termios.FIONREAD, bytes(4)) == bytes(4)
        finally:
            os.close(port)

    def plug(self) -> None:
        """Have a port; each time another one, of the same name."""
        self._master, slave = os.openpty()
        tty.setraw(slave)
        os.set_blocking(self._master, False)
        fresh = self.port.with_suffix(".new")
        fresh.unlink(missing_ok=True)
        fresh.symlink_to(os.ttyname(slave))
        os.close(slave)
        fresh.replace(self.port)

    def pull(self) -> None:
        """Have no port: who has it open sees it hang up."""
        if self._master is not None:
            self.port.unlink(missing_ok=True)
            os.close(self._master)
        self._master = None
        self._held = False
        self._unsent = b""
        self.left_to_pi = self.left_to_pico = self._ended_s = None

    def watch(self, poll: select.poll, room: int) -> int | None:
        """Have *poll* watch for what can pass, *room* bytes to the Pico; return a timeout in ms."""
        if self._master is None:
            return None
        if not self._held or 0 in (self.left_to_pi, self.left_to_pico):
            return LOOK_MS
        wanted = (select.POLLIN if room > 0 else 0) | (select.POLLOUT if self._unsent else 0)
        poll.register(self._master, wanted)
        return None

    def look(self) -> bool:
        """Return whether it has just been opened or closed."""
        if self._master is None:
            return False
        poll = select.poll()
        poll.register(self._master, select.POLLIN)
        seen = dict(poll.poll(0)).get(self._master, 0)
        # What was written before the port was closed is read first.
        held = not seen & select.POLLHUP or (self._held and bool(seen & select.POLLIN))
        changed = held != self._held
        self._held = held
        if changed:
            self._unsent = b""
        return changed

    def read(self, room: int) -> bytes:
        """Return what has come for the Pico, from at most *room* bytes."""
        limit = room if self.left_to_pico is None else min(room, self.left_to_pico)
        if self._master is None or limit <= 0 or self.left_to_pi == 0:
            return b""
        try:
            data = os.read(self._master, limit)
        except OSError:  # nothing there, or closed in between
            return b""
        if self.left_to_pico is not None:
            self.left_to_pico -= len(data)
        return self.to_pico(data) if self.to_pico else data

    def write(self, data: bytes) -> None:
        """Take *data* for the Pi."""
        self._unsent += self.to_pi(data) if self.to_pi else data

    def flush(self) -> bool:
        """Pass on what goes; return whether that is all."""
        data = self._unsent if self.left_to_pi is None else self._unsent[: self.left_to_pi]
        if self._master is None or not data or self.left_to_pico == 0:
            return not self._unsent
        try:
            written = os.write(self._master, data)
        except OSError:  # full, or closed in between
            written = 0
        self._unsent = self._unsent[written:]
        if self.left_to_pi is not None:
            self.left_to_pi -= written
        return not self._unsent
