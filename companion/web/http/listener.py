"""The socket that listens: it asks the gate who may come in, and turns the others away."""

import contextlib
import errno
import os
import socket
from typing import Any, Final

from companion.web.http.connections import Gate, plain_answer

GONE_S: Final = 30.0
"""A phone that acknowledges nothing for so long has left."""
SEND_BUFFER_BYTES: Final = 65_536
"""A page has some 20 KB; more would only hide that nobody reads."""
SCARCE: Final = frozenset((errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM))

_BUSY: Final = "Too many connections are open here. Close some pages, or try again in a moment.\n"
BUSY: Final = plain_answer("503 Service Unavailable", _BUSY)


class Listener(socket.socket):
    """A listening socket that lets in only whom its gate admits.

    opened: the file descriptor of one that listens already.
    twin: listens for IPv6 on the same port, None where there is none.
    """

    def __init__(self, family: socket.AddressFamily, opened: int | None = None) -> None:
        # Named as TCP, or asyncio lets small answers wait 40 ms for the one before.
        super().__init__(family, socket.SOCK_STREAM, socket.IPPROTO_TCP, opened)
        self.gate: Gate | None = None
        self.twin: Listener | None = None
        self._spare: int | None = None

    @property
    def sockets(self) -> "tuple[Listener, ...]":
        """Its twin and itself, in the order in which a loop must let go of them."""
        return (self,) if self.twin is None else (self.twin, self)

    def accept(self) -> tuple[socket.socket, Any]:
        """Return the next connection; raises BlockingIOError if there is none for the moment."""
        if self._spare is None:
            self._spare = os.open(os.devnull, os.O_RDONLY)
        if self.gate is not None and self.gate.is_clogged:
            raise BlockingIOError
        try:
            guest, address = super().accept()
        except OSError as error:
            if error.errno not in SCARCE:
                raise
            self._turn_one_away()
            raise BlockingIOError from None
        if self.gate is not None and not self.gate.admit(guest, address[0]):
            turn_away(guest)
            raise BlockingIOError
        prepare(guest)
        return guest, address

    def close(self) -> None:
        """Listen no more, nor by the twin; may be called twice."""
        super().close()
        if self.twin is not None:
            self.twin.close()
        if self._spare is not None:
            os.close(self._spare)
            self._spare = None

    def _turn_one_away(self) -> None:
        """Use the spare file to answer one that waits, so that it does not wait for ever."""
        if self._spare is not None:
            os.close(self._spare)
            self._spare = None
        with contextlib.suppress(OSError):
            turn_away(super().accept()[0])


def prepare(guest: socket.socket) -> None:
    """Let the kernel give up a connection whose phone has left, and buffer little for it."""
    with contextlib.suppress(OSError):  # it may have gone already
        guest.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
        guest.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, round(1000 * GONE_S))


def turn_away(guest: socket.socket) -> None:
    """Answer *guest* that too many are here, and close it."""
    guest.setblocking(False)
    with contextlib.suppress(OSError):
        guest.send(BUSY)
    with contextlib.suppress(OSError):
        guest.recv(65_536)  # closed with something unread, it would be reset and the answer lost
    guest.close()
