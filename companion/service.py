"""The service manager: what systemd is told of the companion, and by which it is kept alive.

systemd names a socket in the environment, and takes lines of VARIABLE=VALUE there; see sd_notify(3)
and sd_watchdog_enabled(3). Where it names none, nothing is said.
"""

import asyncio
import contextlib
import logging
import os
import socket
from collections.abc import Callable, MutableMapping
from typing import Final

ASK_AGAIN_S: Final = 0.2
ANSWER_LIMIT_S: Final = 5.0
STATUS_S: Final = 5.0
"""How often the status is looked at where no watchdog wants to be fed."""
FEEDS: Final = 3
"""So often in its time the watchdog is fed: one that comes late does no harm."""
FIRST_SOCKET: Final = 3
MAX_STATUS_CHARS: Final = 300

logger = logging.getLogger(__name__)


def is_given_sockets(environment: MutableMapping[str, str] = os.environ) -> bool:
    """Return whether the manager has opened listening sockets for us, not yet taken."""
    return environment.get("LISTEN_PID") == str(os.getpid())


def inherited_sockets(environment: MutableMapping[str, str] = os.environ) -> range:
    """Return the listening sockets that the manager has opened for us, as file descriptors.

    See sd_listen_fds(3).  environment: loses what names them, so that they are taken once.
    """
    is_ours = is_given_sockets(environment)
    count, *_ = (environment.pop(f"LISTEN_{each}", "") for each in ("FDS", "PID", "FDNAMES"))
    if not is_ours or not count.isdecimal():
        return range(0)
    found = range(FIRST_SOCKET, FIRST_SOCKET + int(count))
    for each in found:
        os.set_inheritable(each, False)
    return found


class ServiceManager:
    """The one that has started this process, if any.

    environment: loses what names the manager, so that no process of ours speaks for us.
    is_there: whether anybody listens.  feed_s: how often the watchdog wants to be fed, None for no
    watchdog.
    """

    def __init__(self, environment: MutableMapping[str, str] = os.environ) -> None:
        address = environment.pop("NOTIFY_SOCKET", "")
        limit_us = environment.pop("WATCHDOG_USEC", "")
        is_ours = environment.pop("WATCHDOG_PID", "") in ("", str(os.getpid()))
        self.is_there = address.startswith(("/", "@"))
        self._address = "\0" + address[1:] if address.startswith("@") else address
        watched = self.is_there and is_ours and limit_us.isdecimal() and int(limit_us) > 0
        self.feed_s = int(limit_us) / 1e6 / FEEDS if watched else None

    def tell(self, *lines: str) -> None:
        """Send *lines*; nobody waits for a manager that does not listen.  From any thread."""
        if not self.is_there:
            return
        with (
            contextlib.suppress(OSError),
            socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK) as channel,
        ):
            channel.sendto("\n".join(lines).encode(), self._address)


async def report(
    manager: ServiceManager,
    here: str,
    stuck: Callable[[], str],
    describe: Callable[[], str],
) -> None:
    """Report READY to *manager* once the page at *here* answers, then feed its watchdog.

    Until cancelled, and while everything works.

    stuck: returns what only a restart ends, in one line, or "".  While it is something, or while
    the event loop hangs on which this runs, the watchdog is not fed.
    describe: returns in one line how the table is.
    """
    if not manager.is_there:
        return
    await _until_answered(here)
    manager.tell("READY=1")
    told = fault = ""
    while True:
        fault_before, fault = fault, stuck()
        if fault and not fault_before:
            logger.warning("%s; the service is about to be restarted", fault)
        words = _one_line(f"Stuck: {fault}" if fault else describe())
        lines = [] if words == told else [f"STATUS={words}"]
        if manager.feed_s is not None and not fault:
            lines.append("WATCHDOG=1")
        if lines:
            manager.tell(*lines)
        told = words
        await asyncio.sleep(manager.feed_s or STATUS_S)


async def _until_answered(here: str) -> None:
    """Ask the server at *here* for the table's state until it is answered."""
    where = here.removeprefix("http://")
    host, _, port = where.rpartition(":")
    question = f"GET /api/state HTTP/1.0\r\nHost: {where}\r\n\r\n".encode()
    while True:
        with contextlib.suppress(OSError, TimeoutError):
            async with asyncio.timeout(ANSWER_LIMIT_S):
                reader, writer = await asyncio.open_connection(host.strip("[]"), int(port))
                with contextlib.closing(writer):
                    writer.write(question)
                    if b" 200 " in await reader.readline():
                        return
        await asyncio.sleep(ASK_AGAIN_S)


def _one_line(text: str) -> str:
    return " ".join(text.split())[:MAX_STATUS_CHARS]
