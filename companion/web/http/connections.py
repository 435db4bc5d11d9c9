"""Connections: how many are admitted, from whom, and how long each may keep the table waiting.

Whoever opens connections and sends nothing must not lock out the phones at the table, nor use up
the files that the log and the devices need.
"""

import asyncio
import contextlib
import logging
import resource
import socket
import time
from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

import h11
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.server import ServerState

if TYPE_CHECKING:
    from companion.web.http.guest import Guest

REQUEST_S: Final = 15.0
"""A request has arrived whole after so long, or its connection is closed."""
IDLE_S: Final = 10
"""A connection without a request is kept so long for the next one."""
STUCK_S: Final = 20.0
"""Who takes nothing of an answer for so long is disconnected."""
MAX_CONNECTIONS: Final = 320
MAX_OF_ADDRESS: Final = 64
"""A browser opens six; a café's guests may come through one router, ten phones or more."""
MAX_OF_PROXY: Final = 240
"""A proxy, which often is this machine, brings everybody by one address."""
RESERVED_FILES: Final = 24
"""Kept free for the log, templates, the camera and wires, beside what is open at the start."""
MAX_CLOSING: Final = 8
"""So many connections are closed for others at once; the next ones wait a moment."""
UNSEEN_S: Final = 1.0
"""Who has agreed on no cipher after so long goes for others: only then is there a connection."""
THIS_MACHINE: Final = ("127.0.0.1", "::1", "::ffff:127.0.0.1")
TLS_HELLO: Final = b"\x16\x03"
"""How a browser begins that was told https://; no request does (RFC 8446, section 5.1)."""
MAX_NAMED: Final = 50
"""So many that tried https:// are remembered, so as to name each once."""

_LATE: Final = "That request took too long. Try again.\n"

_log = logging.getLogger(__name__)


def plain_answer(status: str, words: str) -> bytes:
    """Return a whole answer of *words*, after which the connection is closed."""
    return (
        f"HTTP/1.1 {status}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n"
        f"Content-Length: {len(words)}\r\n\r\n{words}"
    ).encode("ascii")


LATE: Final = plain_answer("408 Request Timeout", _LATE)


@dataclass(frozen=True, slots=True)
class Limits:
    """How many connections may be open: in all, of one address, and of a proxy's."""

    total: int = MAX_CONNECTIONS
    of_address: int = MAX_OF_ADDRESS
    of_proxy: int = MAX_OF_PROXY

    @classmethod
    def within(cls, files: int) -> "Limits":
        """Return the limits for a process that may open *files* more files."""
        total = max(4, min(MAX_CONNECTIONS, files - RESERVED_FILES))
        return cls(total, min(MAX_OF_ADDRESS, total // 2), min(MAX_OF_PROXY, total * 3 // 4))


def free_files() -> int:
    """Return how many more files this process may open."""
    most, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return (1 << 20 if most == resource.RLIM_INFINITY else most) - len(
        list(Path("/proc/self/fd").iterdir())
    )


class Gate:
    """Admits connections within limits, and closes those that keep the table waiting.

    connections: those that are open.  proxies: addresses and networks that, beside this machine,
    bring more people than one.
    """

    def __init__(self, limits: Limits | None = None, proxies: Iterable[str] = ()) -> None:
        self.connections: set[Guest] = set()
        self._proxies = [ip_network(each, strict=False) for each in (*THIS_MACHINE, *proxies)]
        self._limits = limits or Limits.within(free_files())
        self._admitted: dict[socket.socket, tuple[str, float]] = {}
        self._misled: deque[str] = deque(maxlen=MAX_NAMED)

    @property
    def is_clogged(self) -> bool:
        """Whether as many are being closed as may be; the event loop has to run first."""
        return len(self._open()) >= self._limits.total + MAX_CLOSING

    def admit(self, guest: socket.socket, host: str) -> bool:
        """Return whether *guest*, from *host*, may stay; another may have to go for it.

        That is the oldest one without a finished request: of the same host if it has too many, else
        of the host that has most. Only for a host that has fewer, an answer is broken off too.
        """
        going = Counter(each.host for each in self.connections if each.aborted)
        hosts = Counter(host for host, _ in self._open().values()) - going
        own, most = hosts[host], max(hosts.values(), default=0)
        if own >= self._limit_of(host):
            made_room = self._close_one({host})
        elif hosts.total() >= self._limits.total:
            fullest = {each for each in hosts if hosts[each] == most}
            made_room = (
                self._close_one(fullest)
                or self._close_one(set(hosts))
                or (own + 1 < most and self._close_one(fullest, even_busy=True))
            )
        else:
            made_room = True
        if made_room:
            self._admitted[guest] = host, time.monotonic()
        return made_room

    def name_misled(self, host: str, address: str) -> None:
        """Log once that *host* tries https:// where *address* answers to http:// alone."""
        if host not in self._misled:
            self._misled.append(host)
            _log.warning(
                "%s tries https://, which is not answered there; open http://%s on it",
                host,
                address,
            )

    def sweep(self, now_s: float) -> None:
        """Close what has kept the table waiting for too long."""
        for connection in tuple(self.connections):
            connection.check(now_s)

    def close_all(self) -> None:
        """Close every connection, whatever is still to be sent."""
        for connection in tuple(self.connections):
            connection.transport.abort()

    def _limit_of(self, host: str) -> int:
        address = ip_address(host.partition("%")[0])
        is_proxy = any(address in network for network in self._proxies)
        return self._limits.of_proxy if is_proxy else self._limits.of_address

    def _open(self) -> dict[socket.socket, tuple[str, float]]:
        self._admitted = {
            guest: since for guest, since in self._admitted.items() if guest.fileno() != -1
        }
        return self._admitted

    def _close_one(self, hosts: set[str], *, even_busy: bool = False) -> bool:
        if self._close_unseen(hosts):
            return True
        found = [
            each
            for each in self.connections
            if each.host in hosts and not each.aborted and (even_busy or not each.is_busy)
        ]
        if not found:
            return False
        # Of busy ones the newest: what has been followed for long is most likely a page in use.
        (max if even_busy else min)(found, key=lambda each: each.opened_s).abort()
        return True

    def _close_unseen(self, hosts: set[str]) -> bool:
        """Close the oldest of *hosts* with whom no connection has come about, if there is one."""
        seen = {each.number for each in self.connections}
        until_s = time.monotonic() - UNSEEN_S
        for guest, (host, since_s) in self._admitted.items():
            if host in hosts and since_s < until_s and guest.fileno() not in seen:
                del self._admitted[guest]
                with contextlib.suppress(OSError):  # it may have gone already
                    guest.shutdown(socket.SHUT_RDWR)
                return True
        return False


class GatedState(ServerState):
    """What a server's connections share, and the gate that they came through."""

    def __init__(self, gate: Gate) -> None:
        super().__init__()
        self.gate = gate


class Gated(asyncio.Protocol):
    """A connection that the gate counts, and that is closed when its peer takes nothing any more.

    It stands before the protocol of uvicorn that it is added to.
    host: the peer's address.  number: of its socket's file.
    opened_s: since when it is open, on the loop's clock.
    aborted: whether it is being closed at once.
    """

    client: Any
    loop: Any
    transport: Any

    def come_through(self, state: ServerState) -> None:
        """Know the gate of *state*; called once, before anything is received."""
        assert isinstance(state, GatedState)
        self._gate = state.gate
        self.host, self.number = "", -1
        self.opened_s: float = self.loop.time()
        self.aborted = False
        self._stuck_since_s: float | None = None

    def connection_made(self, transport: Any) -> None:
        """Be counted."""
        super().connection_made(transport)
        self.host = self.client[0] if self.client else ""
        self.number = transport.get_extra_info("socket").fileno()
        self._gate.connections.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Be counted no more."""
        self._gate.connections.discard(self)
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Note since when nothing has been taken."""
        self._stuck_since_s = self.loop.time()
        super().pause_writing()

    def resume_writing(self) -> None:
        """Note that the peer takes something again."""
        self._stuck_since_s = None
        super().resume_writing()

    def check(self, now_s: float) -> None:
        """Close the connection if its peer has taken nothing for too long."""
        if self.transport.is_closing():
            # What it was closed with may be waiting for a reader that never comes.
            self._stuck_since_s = self._stuck_since_s or now_s
        if self._stuck_since_s is not None and now_s - self._stuck_since_s > STUCK_S:
            self.abort()

    def abort(self) -> None:
        """Close the connection now."""
        self.aborted = True
        self.transport.abort()

    @property
    def is_busy(self) -> bool:
        """Whether it is being used: as long as it is open."""
        return not self.transport.is_closing()


class Connection(Gated, H11Protocol):
    """A connection that is closed when its peer keeps it waiting for too long."""

    def __init__(
        self, config: Config, server_state: ServerState, app_state: dict[str, Any], _loop: Any
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.come_through(server_state)
        self._owes_since_s: float | None = self.opened_s

    @property
    def is_busy(self) -> bool:
        """Whether a request has arrived whole and its answer is not complete."""
        is_whole = self.conn.their_state not in (h11.IDLE, h11.SEND_BODY)
        is_answered = self._answer is None or self._answer.response_complete
        return is_whole and not is_answered and not self.transport.is_closing()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Let the websocket that this becomes take its place."""
        super().handle_websocket_upgrade(event)
        self._gate.connections.discard(self)

    def data_received(self, data: bytes) -> None:
        """Take what has come, and note whether more of the request is due."""
        is_first = self.conn.their_state is h11.IDLE and not self.conn.trailing_data[0]
        if is_first and data.startswith(TLS_HELLO):
            host, port = self.server or ("", 0)
            name = f"[{host}]" if ":" in host else host
            self._gate.name_misled(self.host, f"{name}:{port}")
            self.transport.close()
            return
        super().data_received(data)
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._owes_since_s = None
        elif self._owes_since_s is None:
            self._owes_since_s = self.loop.time()

    def on_response_complete(self) -> None:
        """Wait for another request, for as long as an idle connection is kept."""
        if self.conn.their_state is not h11.SEND_BODY:
            self._owes_since_s = None
        super().on_response_complete()

    def check(self, now_s: float) -> None:
        """Close the connection if its peer has kept it waiting for too long."""
        super().check(now_s)
        if (
            self._owes_since_s is not None
            and now_s - self._owes_since_s > REQUEST_S
            and not self.transport.is_closing()
        ):
            self._time_out()

    @property
    def _answer(self) -> RequestResponseCycle | None:
        # None before the first request, which uvicorn's annotation leaves out.
        return cast("RequestResponseCycle | None", self.cycle)

    def _time_out(self) -> None:
        answer = self._answer
        if answer is not None and answer.response_started:
            self.abort()
        elif self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            if answer is not None:
                answer.disconnected = True
            if answer is not None or self.conn.trailing_data[0]:
                self.transport.write(LATE)
            self.transport.close()
        else:
            self.abort()
