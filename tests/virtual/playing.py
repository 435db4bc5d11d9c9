"""A daemon that serves a virtual table, and pages of it that a test plays: their sockets alone."""

import asyncio
import json
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

import httpx
from msgspec.structs import replace
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from companion.cli.run import VIRTUAL
from companion.config.sections import LogConfig
from companion.config.web import WebConfig
from companion.daemon import Daemon
from companion.registry import recordings

T = TypeVar("T")
Message = dict[str, Any]
DEADLINE_S: Final = 90.0
SLICE_S: Final = 0.02
POSTED_S: Final = 0.3
"""What was told by then has been told: what never comes is waited for so long."""


def until(reached: Callable[[], T], what: str = "it") -> T:
    """Return what *reached* does once that is true; fails if it never is."""
    deadline_s = time.monotonic() + DEADLINE_S
    while not (found := reached()):
        assert time.monotonic() < deadline_s, f"{what} never came"
        time.sleep(SLICE_S)
    return found


def recorded(game: str, number: int) -> bytes:
    """Return a picture of the recording that ships, as a stand-in for what a page would draw."""
    return (recordings()[game] / f"{number:03}.jpg").read_bytes()


@dataclass
class PlayedPage:
    """A page's socket; what it is told is kept, and pictures are sent when they are asked for.

    jpeg: what it sends next, None for nothing.
    """

    socket: ClientConnection
    told: list[Message] = field(default_factory=list)
    jpeg: bytes | None = None
    sent: int = 0
    is_asked: bool = False
    closed: str = ""

    def begin(self) -> None:
        """Read from now on, in threads of their own."""
        threading.Thread(target=self._read, daemon=True).start()
        threading.Thread(target=self._draw, daemon=True).start()

    def _read(self) -> None:
        try:
            for text in self.socket:
                message = json.loads(text)
                self.told.append(message)
                if message["tell"] == "next":
                    self.is_asked = True
        except ConnectionClosed:
            pass
        self.closed = f"{self.socket.close_code} {self.socket.close_reason}"

    def _draw(self) -> None:
        while not self.closed:
            if self.is_asked and self.jpeg is not None:
                self.is_asked = False
                try:
                    self.socket.send(self.jpeg)
                except ConnectionClosed:
                    return
                self.sent += 1
            time.sleep(0.05)

    def say(self, do: str, **more: Any) -> None:
        """Say one thing."""
        self.socket.send(json.dumps({"do": do, **more}))

    def heard(self, tell: str) -> list[Message]:
        """Return all that it was told of one kind."""
        return [message for message in [*self.told] if message["tell"] == tell]

    def wait(self, tell: str, count: int = 1) -> Message:
        """Return the newest of one kind, once there were so many."""
        until(lambda: len(self.heard(tell)) >= count, f"{tell} ({self.told[-3:]})")
        return self.heard(tell)[-1]

    @property
    def pieces(self) -> dict[int, Message]:
        """All pieces as it was told of them."""
        found: dict[int, Message] = {}
        for message in [*self.told]:
            if message["tell"] == "scene":
                found = {piece["id"]: piece for piece in message["pieces"]}
            elif message["tell"] == "pieces":
                found.update({piece["id"]: piece for piece in message["changed"]})
                for number in message["gone"]:
                    found.pop(number, None)
        return found

    def first(self, kind: str, **more: Any) -> Message:
        """Return a piece of *kind* with these entries, the highest of those that lie there."""
        found = [
            piece
            for piece in self.pieces.values()
            if piece["kind"] == kind and piece.items() >= more.items()
        ]
        return max(found, key=lambda each: each["z"])


@dataclass
class Playing:
    """A daemon that serves a virtual table."""

    daemon: Daemon
    port: int
    pages: list[PlayedPage] = field(default_factory=list)

    @property
    def url(self) -> str:
        """Where it serves."""
        return f"http://127.0.0.1:{self.port}"

    def do(self, act: Callable[[], T]) -> T:
        """Do something where the daemon does everything, and return its result."""

        async def acting() -> T:
            return act()

        loop = self.daemon._loop
        assert loop is not None
        return asyncio.run_coroutine_threadsafe(acting(), loop).result(DEADLINE_S)

    def host_cookie(self) -> str:
        """Return the cookie of a browser that has the host's address."""
        answer = httpx.get(f"{self.url}/?key={self.daemon.keys.host}")
        assert answer.status_code == 303, answer.text
        return answer.headers["set-cookie"].split(";")[0]

    def seat_cookie(self, seat: int) -> str:
        """Return the cookie of a phone that has taken *seat*."""
        invitation = self.do(lambda: self.daemon.keys.invitation(seat))
        answer = httpx.post(f"{self.url}/join/{invitation}", headers={"Origin": self.url})
        return next(
            each.split(";")[0]
            for each in answer.headers.get_list("set-cookie")
            if each.startswith("tiki_seat")
        )

    def socket(self, cookie: str = "", origin: str | None = None) -> ClientConnection:
        """Return an open socket; raises InvalidStatus if it is refused."""
        return connect(
            f"ws://127.0.0.1:{self.port}/virtual/socket",
            origin=Origin(self.url if origin is None else origin),
            additional_headers=[("Cookie", cookie)] if cookie else [],
            max_size=2**22,
            legacy=True,
        )

    def open(
        self, cookie: str = "", *, draws: bool = False, jpeg: bytes | None = None
    ) -> PlayedPage:
        """Open a page, and let it greet."""
        page = PlayedPage(self.socket(cookie), jpeg=jpeg)
        self.pages.append(page)
        page.begin()
        page.wait("scene")
        page.say("hello", draws=draws, visible=True)
        return page

    def acts(self) -> list[str]:
        """Return what the log holds, beside who was at the table."""
        entries = self.do(lambda: [*self.daemon.live_session.session.entries])
        return [f"{type(entry.event).__name__} {entry.event}" for entry in entries]

    @property
    def troubles(self) -> tuple[str, ...]:
        """What is wrong with devices."""
        return self.do(lambda: tuple(map(str, self.daemon.live_session.troubles)))


@contextmanager
def playing(folder: Path, game: str) -> Iterator[Playing]:
    """Serve a virtual table of *game*, as `tiki demo --play` does."""
    config = replace(
        VIRTUAL,
        web=WebConfig(host="127.0.0.1", port=0),
        log=LogConfig(file=str(folder / "demo.db")),
    )
    begun: Future[Daemon] = Future()

    def serve() -> None:
        try:
            daemon = Daemon(config)  # its log is this thread's alone
            daemon.spot(game)
            asyncio.run(daemon.run(partial(begun.set_result, daemon)))
        except BaseException as error:
            if begun.done():
                raise
            begun.set_exception(error)

    thread = threading.Thread(target=serve)
    thread.start()
    daemon = begun.result(DEADLINE_S)
    try:
        found = Playing(daemon, int(daemon.reach.here.rsplit(":", 1)[1]))
        until(lambda: daemon.live_session.header.game == game)
        until(lambda: httpx.get(f"{found.url}/api/state").status_code == 200)
        yield found
        for page in found.pages:
            page.socket.close()
    finally:
        daemon.stop()
        thread.join(DEADLINE_S)
    assert not thread.is_alive(), "the daemon does not stop"
