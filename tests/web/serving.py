"""A real server for tests: its own thread, loop and free port, and the session that it shows."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

import uvicorn

from companion.referee.live_session import LiveSession
from companion.scenes import update_outputs
from companion.scoreboard import read_scoreboard
from tests.web.visitors import HOST_KEY, Pub, open_pub

T = TypeVar("T")
DEADLINE_S = 20.0


@dataclass
class Served:
    """A pub that can be reached by address; everything in it happens on the server's loop."""

    pub: Pub
    loop: asyncio.AbstractEventLoop
    port: int

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


@contextmanager
def served(make_session: Callable[[], LiveSession], port: int = 0, **more: Any) -> Iterator[Served]:
    """Serve what *make_session* returns; fails if the server does not stop when it is told to.

    more: as for `create_app`.
    """
    ready: Future[tuple[Served, uvicorn.Server]] = Future()

    async def serve() -> None:
        live_session = make_session()
        pub = open_pub(live_session, **more)
        live_session.on_change.append(
            lambda: update_outputs(pub.outputs, read_scoreboard(live_session))
        )
        update_outputs(pub.outputs, read_scoreboard(live_session))
        settings = uvicorn.Config(pub.app, port=port, log_level="error", access_log=False)
        server = uvicorn.Server(settings)
        serving = asyncio.create_task(server.serve())
        while not server.started:
            if serving.done():
                raise OSError(f"port {port} is in use")
            await asyncio.sleep(0.01)
        (listener,) = server.servers[0].sockets
        found = Served(pub, asyncio.get_running_loop(), listener.getsockname()[1])
        ready.set_result((found, server))
        await serving
        live_session.log.close()

    def run() -> None:
        try:
            asyncio.run(serve())
        except BaseException as error:
            if ready.done():
                raise
            ready.set_exception(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    found, server = ready.result(DEADLINE_S)
    try:
        yield found
    finally:
        found.loop.call_soon_threadsafe(found.pub.app.state.site.close)
        server.should_exit = True
        thread.join(DEADLINE_S)
        assert not thread.is_alive(), "an open stream keeps the server from stopping"
