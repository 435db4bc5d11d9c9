"""A real server for tests: its own thread, loop and free port, and the session that it shows."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from companion.referee.live_session import LiveSession
from companion.scenes import update_outputs
from companion.scoreboard import read_scoreboard
from companion.web.http.connections import Gate
from companion.web.http.reach import Place, Reach
from companion.web.http.server import Server, listen
from tests.web.visitors import HOST_KEY, Pub, open_pub

T = TypeVar("T")
DEADLINE_S = 60.0


@dataclass
class Served:
    """A pub that can be reached by address; everything in it happens on the server's loop."""

    pub: Pub
    loop: asyncio.AbstractEventLoop
    port: int
    server: Server

    @property
    def url(self) -> str:
        """The address of the scoreboard."""
        return f"http://127.0.0.1:{self.port}/"

    @property
    def host_url(self) -> str:
        """The address that lets the host in."""
        return f"{self.url}?key={HOST_KEY}"

    def do(self, act: Callable[[LiveSession], T]) -> T:
        """Do something at the table, where the server does everything, and return its result."""

        async def acting() -> T:
            return act(self.pub.live_session)

        return asyncio.run_coroutine_threadsafe(acting(), self.loop).result(DEADLINE_S)


class LoopbackReach(Reach):
    """As if the browsers of tests, which come by 127.0.0.1, were phones in a network."""

    def _look(self) -> tuple[tuple[Place, ...], str]:
        return (Place(self.here),), ""


@contextmanager
def served(make_session: Callable[[], LiveSession], port: int = 0, **more: Any) -> Iterator[Served]:
    """Serve what *make_session* returns; fails if a stream goes on when it is told to end.

    more: as for `RunningTable`.  Raises CannotStart if *port* is in use.
    """
    listener = listen("127.0.0.1", port)
    ready: Future[Served] = Future()

    async def serve() -> None:
        live_session = make_session()
        with live_session.log:
            reach = LoopbackReach("127.0.0.1", listener.getsockname()[1])
            pub = open_pub(live_session, **{"reach": reach, **more})
            live_session.on_change.add(
                lambda: update_outputs(pub.outputs, read_scoreboard(live_session))
            )
            update_outputs(pub.outputs, read_scoreboard(live_session))
            server = Server(pub.app, listener, tls=more.get("tls"))
            loop = asyncio.get_running_loop()
            ready.set_result(Served(pub, loop, listener.getsockname()[1], server))
            await server.serve()

    def run() -> None:
        try:
            asyncio.run(serve())
        except BaseException as error:
            if ready.done():
                raise
            ready.set_exception(error)

    thread = threading.Thread(target=run, name="served", daemon=True)
    thread.start()
    with listener:
        found = ready.result(DEADLINE_S)
        try:
            yield found
        finally:
            found.loop.call_soon_threadsafe(found.pub.app.state.site.close)
            ending = answers_end(found.server.gate)
            ended = asyncio.run_coroutine_threadsafe(ending, found.loop).result(2 * DEADLINE_S)
            found.loop.call_soon_threadsafe(found.server.stop)
            thread.join(DEADLINE_S)
            assert ended, "an open stream keeps the server from stopping"
            assert not thread.is_alive(), "the server does not stop"


async def answers_end(gate: Gate) -> bool:
    """Return whether every answer comes to its end; one that never does is waited for till then."""
    loop = asyncio.get_running_loop()
    until_s = loop.time() + DEADLINE_S
    while any(connection.is_busy for connection in gate.connections):
        if loop.time() > until_s:
            return False
        await asyncio.sleep(0.01)
    return True
