"""Serving: where the pages can be reached, and a server that ends its open streams first."""

import asyncio
import contextlib
import errno
import logging
import socket
import ssl
from collections.abc import Callable, Generator, Iterable, Sequence
from pathlib import Path
from typing import Final

import uvicorn
from starlette.applications import Starlette

from companion.language.message import say
from companion.service import inherited_sockets
from companion.web.http.certificate import NoCertificate, open_certificate
from companion.web.http.connections import IDLE_S, Connection, Gate, GatedState
from companion.web.http.listener import Listener
from companion.web.http.own_addresses import own_addresses
from companion.web.http.reach import ALL_IPV4, EVERYWHERE, Reach

STOP_S: Final = 0.5
"""Answers that are not complete so long after the server was told to stop are broken off."""
SOCKETS: Final = "companion.web.http.upgraded:Upgraded"
"""Loaded only where pages open sockets."""
MAX_MESSAGE_BYTES: Final = 2_000_000
"""Of what a page sends at once; longer ones end its socket.  A large JPEG has half of that."""
TICKS_A_SWEEP: Final = 10
"""uvicorn ticks ten times a second."""
HANDSHAKE_S: Final = 5.0
"""Who has not agreed on a cipher after so long is disconnected: the gate cannot see it yet."""
OTHER_PORT: Final = say("choose another: --port N")
SET_TLS_PORT: Final = say("set web.tls_port to another")
NO_IPV6: Final = (errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL)

_log = logging.getLogger(__name__)


class CannotStart(Exception):
    """A part without which the daemon is of no use; says which, why and what to do."""


def listen(host: str, port: int, otherwise: str = OTHER_PORT) -> Listener:
    """Return a socket that listens there; raises CannotStart if that is not possible.

    host: as for `open_listener`.  otherwise: what else can be done where the port is in use.
    """
    try:
        return open_listener(host, port)
    except OSError as error:
        at = {"port": port, "host": host, "otherwise": otherwise}
        if error.errno == errno.EADDRINUSE:
            words = say(
                "port {port} on {host} is in use; stop the other program, or {otherwise}", **at
            )
        else:
            words = say(
                "port {port} on {host} cannot be opened ({reason}); {otherwise}",
                reason=error.strerror or str(error),
                **at,
            )
        raise CannotStart(words) from None


def open_listener(host: str, port: int) -> Listener:
    """Return a socket that listens there; raises OSError.

    host: EVERYWHERE is IPv4, and by the socket's twin IPv6 too, where the machine has that.
    """
    if host != EVERYWHERE:
        return _listen(host, port)
    listener = _listen(ALL_IPV4, port)
    try:
        listener.twin = _listen(EVERYWHERE, listener.getsockname()[1])
    except OSError as error:
        if error.errno not in NO_IPV6:
            listener.close()
            raise
    return listener


def inherited_listeners() -> list[Listener]:
    """Return the sockets that the service manager has opened, for ports that are root's."""
    return [Listener(socket.AF_INET, each) for each in inherited_sockets()]


def _listen(host: str, port: int) -> Listener:
    """Return a socket that listens on *host*, of one kind of address alone; raises OSError."""
    listener = Listener(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if listener.family == socket.AF_INET6:
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        listener.bind((host, port))
        listener.listen()
    except OSError:
        listener.close()
        raise
    return listener


def reach_of(listener: Listener, configured: str = "") -> Reach:
    """Return where phones reach what *listener* serves; *configured*: by the owner's word."""
    host, port = listener.getsockname()[:2]
    return Reach(EVERYWHERE if listener.twin else host, port, configured)


class HomeTls:
    """The same pages over TLS, on a port of their own, by a certificate made at home on request.

    host, port: where; port 0 takes one that is free.
    file: where the certificate is kept; where there is one, they are served from the start.  None
        keeps none, and serves nothing.
    port: the one that is served, 0 while none is.
    """

    def __init__(self, host: str, port: int, file: Path | None) -> None:
        self._host, self._wanted = host, port
        self._file = file
        self._server: Server | None = None
        self._opening = asyncio.Lock()
        self.port = 0

    async def begin(self, server: "Server") -> None:
        """Serve what *server* does, if that was asked for once; what prevents it is logged."""
        self._server = server
        if self._file is not None and self._file.exists():
            try:
                await self.open(())
            except (CannotStart, NoCertificate) as error:
                _log.warning("No pages over TLS: %s", error)

    async def open(self, names: Iterable[str]) -> None:
        """Serve from now on, if nothing is served yet.

        names: for a new certificate, beside the machine's addresses of now.
        Raises CannotStart or NoCertificate.
        """
        async with self._opening:
            if self.port or self._server is None:
                return
            own = (str(each.ip) for each in own_addresses())
            all_names = (self._host, *own, *names)
            context = await asyncio.to_thread(open_certificate, self._file, all_names)
            listener = listen(self._host, self._wanted, SET_TLS_PORT)
            await self._server.serve_too(listener, context)
            self.port = listener.getsockname()[1]


class Server(uvicorn.Server):
    """A server of *app* on *listener* that keeps its connections within limits.

    It ends the open streams first, since each would keep it from stopping. It leaves signals alone:
    uvicorn would end the process by them, with everything that is still to be put to rest.
    app: as `create_app` makes it.  proxies: addresses and networks of those that may say for whom
    they ask, and by which scheme; they may have more connections than a phone.
    tls: serves the same, too.  has_sockets: whether pages may open websockets.
    """

    def __init__(
        self,
        app: Starlette,
        listener: Listener,
        proxies: Sequence[str] = (),
        tls: HomeTls | None = None,
        *,
        has_sockets: bool = False,
    ) -> None:
        settings = uvicorn.Config(
            app,
            http=Connection,
            ws=SOCKETS if has_sockets else "none",
            ws_max_size=MAX_MESSAGE_BYTES,
            ws_per_message_deflate=False,  # pictures are packed already
            lifespan="off",
            log_config=None,
            log_level="warning",
            access_log=False,
            timeout_keep_alive=IDLE_S,
            timeout_graceful_shutdown=1,
            # By itself, uvicorn believes whoever asks from this machine.
            proxy_headers=bool(proxies),
            forwarded_allow_ips=list(proxies),
        )
        super().__init__(settings)
        self._listener = listener
        self._end_streams: Callable[[], None] = app.state.site.close
        self._tls = tls
        self.gate = Gate(proxies=proxies)
        for each in listener.sockets:
            each.gate = self.gate
        self.server_state = GatedState(self.gate)

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve until told to stop, also where the service manager listens for us."""
        inherited = inherited_listeners()
        for each in inherited:
            each.gate = self.gate
        own: list[socket.socket] = [*self._listener.sockets, *inherited]
        await super().serve(own if sockets is None else sockets)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to serve, over TLS too where that was asked for once."""
        await super().startup(sockets)
        if self._tls is not None:
            await self._tls.begin(self)

    async def serve_too(self, listener: Listener, context: ssl.SSLContext) -> None:
        """Serve the same by TLS to whom *listener* lets in, within the same limits."""

        def connect() -> Connection:
            return Connection(self.config, self.server_state, self.lifespan.state, None)

        for each in listener.sockets:
            each.gate = self.gate
            self.servers.append(
                await asyncio.get_running_loop().create_server(
                    connect,
                    sock=each,
                    ssl=context,
                    backlog=self.config.backlog,
                    ssl_handshake_timeout=HANDSHAKE_S,
                )
            )

    def stop(self) -> None:
        """Serve nobody any more; called on the server's loop, or before it serves."""
        self._end_streams()
        self.should_exit = True

    async def on_tick(self, counter: int) -> bool:
        """Close, now and then, what keeps the table waiting; return whether to stop."""
        if counter % TICKS_A_SWEEP == 0:
            self.gate.sweep(asyncio.get_running_loop().time())
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let answers come to their end, but not for long."""
        asyncio.get_running_loop().call_later(STOP_S, self.gate.close_all)
        await super().shutdown(sockets)

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Leave signals to whoever started the server."""
        yield
