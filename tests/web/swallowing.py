"""A wire that swallows what goes over it, as a network does that a phone is just waking up in."""

import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from typing import Final

CHUNK: Final = 65_536


class Wire:
    """Passes connections on to a port of this machine; while `swallows`, nothing gets through."""

    def __init__(self, port: int) -> None:
        self.swallows = False
        self.swallowed = 0
        self._to = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._open: list[socket.socket] = []
        self._accepting = threading.Thread(target=self._accept, name="wire", daemon=True)
        self._accepting.start()

    def sleep(self) -> None:
        """Swallow all from now on, on connections that stand as on new ones."""
        self.swallows = True

    def close(self) -> None:
        """Cut everything."""
        self._listener.shutdown(socket.SHUT_RDWR)  # else it accepts one more after it was closed
        self._listener.close()
        self._accepting.join()
        for each in self._open:
            each.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near = self._listener.accept()[0]
                self._open.append(near)
                far = socket.create_connection(("127.0.0.1", self._to))
                self._open.append(far)
                lost = threading.Event()  # what has lost something never speaks again
                for one, other in ((near, far), (far, near)):
                    passing = (one, other, lost)
                    threading.Thread(target=self._pass, args=passing, daemon=True).start()

    def _pass(self, one: socket.socket, other: socket.socket, lost: threading.Event) -> None:
        with suppress(OSError):
            while data := one.recv(CHUNK):
                if self.swallows:
                    lost.set()
                    self.swallowed += 1
                if not lost.is_set():
                    other.sendall(data)
            if not lost.is_set():
                other.shutdown(socket.SHUT_WR)


@contextmanager
def wire_to(port: int) -> Iterator[Wire]:
    """Yield a wire to *port*."""
    with closing(Wire(port)) as wire:
        yield wire
