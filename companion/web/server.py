"""Serving: where the pages can be reached, and a server that ends its open streams first."""

import asyncio
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import FrameType

import uvicorn
from starlette.applications import Starlette


class CannotStart(Exception):
    """A part without which the daemon is of no use; says which, why and what to do."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where the pages are: for people on this machine and, if served there, on the network."""

    here: str
    network: str | None


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens there; raises CannotStart if that is not possible."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Named as TCP, or asyncio lets small answers wait 40 ms for the one before to be acknowledged.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen()
    except OSError as error:
        listener.close()
        reason = "is in use" if error.errno == 98 else f"cannot be opened ({error.strerror})"
        raise CannotStart(
            f"port {port} on {host} {reason}; stop the other program, or choose another: --port N"
        ) from None
    return listener


def address_of(listener: socket.socket) -> Address:
    """Return where *listener* can be reached."""
    host, port = listener.getsockname()[:2]
    if host not in ("0.0.0.0", "::"):  # noqa: S104 - compared, not bound
        return Address(f"http://{host}:{port}", None)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address that nobody has; nothing is sent
            network = f"http://{probe.getsockname()[0]}:{port}"
        except OSError:
            network = None
    return Address(f"http://127.0.0.1:{port}", network)


def server_settings(app: Starlette, proxies: Sequence[str] = ()) -> uvicorn.Config:
    """Return how *app* is served.

    proxies: addresses and networks of those that may say for whom they ask, and by which scheme.
    """
    return uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        timeout_graceful_shutdown=3,
        # By itself, uvicorn believes whoever asks from this machine.
        proxy_headers=bool(proxies),
        forwarded_allow_ips=list(proxies),
    )


class Server(uvicorn.Server):
    """A server that ends the open streams first, since each would keep it from stopping."""

    def __init__(self, settings: uvicorn.Config, end_streams: Callable[[], None]) -> None:
        super().__init__(settings)
        self._end_streams = end_streams
        self._loop: asyncio.AbstractEventLoop | None = None

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve until told to stop."""
        self._loop = asyncio.get_running_loop()
        await super().serve(sockets)

    def stop(self) -> None:
        """Serve nobody any more; called on the server's loop."""
        self._end_streams()
        self.should_exit = True

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End the streams as well when a signal asks to stop."""
        super().handle_exit(sig, frame)
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._end_streams)
