"""A companion of which only the virtual table's line is there, so that a test says what it says.

It serves the page as it is, does what a hand is told to, and keeps all that was said.
"""

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket, WebSocketDisconnect

import companion
from companion.colours import COLOURS
from companion.table.readers import usual_table
from companion.web.shell import FOLDER, templates

APP: Final = Path(companion.__file__).parent / "apps" / "virtual"
DEADLINE_S: Final = 60.0
POLICY: Final = "default-src 'self'; img-src 'self' blob: data:; frame-ancestors 'none'"
ROOM: Final[dict[str, Any]] = {
    "light": 1.0, "kelvin": 5000, "lamp_side": 135, "lamp_height": 55, "shadow": 0.5,
    "blur": 0.6, "noise": 2.0, "width": 960, "height": 540, "quality": 85, "hfov": 66, "k1": 0.0,
    "camera_height": 600, "camera_tilt": 12, "camera_side": 180, "roll": 0, "bump": [0, 0, 0],
    "tile_scale": 1.0, "cups": 0, "sleeves": False, "ground": "wood",
}  # fmt: skip
Message = dict[str, Any]


def piece(number: int, kind: str, look: Any, at: tuple[float, float], size: list[float]) -> Message:
    """Return a piece that lies at (x, y) mm."""
    return {
        "id": number, "kind": kind, "look": look, "x": at[0], "y": at[1], "z": 0.8, "turn": 0,
        "lean": [0, 0], "up": True, "held": None, "of": None, "size": size,
    }  # fmt: skip


def discs() -> list[Message]:
    """Return four discs beside a balance board."""
    colours = ("pink", "yellow", "blue", "green")
    return [
        piece(n + 1, "disc", each, (20.0, 60.0 + 40 * n), [22, 22, 8])
        for n, each in enumerate(colours)
    ]


def cards(own: int = 0) -> list[Message]:
    """Return a card on the table and three in the hand of seat *own*."""
    looks = [{"color": each, "symbol": "7", "spin": False} for each in ("red", "blue", "green")]
    held = [piece(n + 2, "card", look, (0, 0), [56, 87, 0.4]) for n, look in enumerate(looks)]
    top = {"color": "yellow", "symbol": "skip", "spin": False}
    lying = piece(1, "card", top, (330.0, 150.0), [56, 87, 0.4])
    return [lying, *(each | {"of": own} for each in held)]


@dataclass
class StandIn:
    """The companion's end of all lines; *said* has what pages said, in order.

    pictures: when each came, in seconds, and its bytes.  refuses: what is said to who takes.
    """

    game: str
    pieces: dict[int, Message]
    you: Message = field(default_factory=lambda: {"seat": 0, "hand": 0, "host": True})
    said: list[Message] = field(default_factory=list)
    at_s: list[float] = field(default_factory=list)
    pictures: list[tuple[float, bytes]] = field(default_factory=list)
    refuses: str = ""
    answers_pictures: bool = True
    port: int = 0
    lines: list[WebSocket] = field(default_factory=list)
    loop: asyncio.AbstractEventLoop | None = None

    @property
    def url(self) -> str:
        """Where the page is."""
        return f"http://127.0.0.1:{self.port}/virtual"

    def of(self, kind: str) -> list[Message]:
        """Return what pages said of one *kind*."""
        return [each for each in self.said if each["do"] == kind]

    def wait(self, kind: str, count: int = 1) -> list[Message]:
        """Return what was said of *kind* once that was *count* times; fails if it never is."""
        deadline = time.monotonic() + DEADLINE_S
        while len(found := self.of(kind)) < count:
            assert time.monotonic() < deadline, (kind, self.said)
            time.sleep(0.02)
        return found

    def tell(self, message: Message) -> None:
        """Tell all pages."""
        self._do(self._tell(message))

    def hang_up(self) -> None:
        """Break all lines."""
        self._do(self._hang_up())

    def _do(self, work: Any) -> None:
        assert self.loop
        asyncio.run_coroutine_threadsafe(work, self.loop).result(DEADLINE_S)

    async def _hang_up(self) -> None:
        for line in [*self.lines]:
            with suppress(RuntimeError):
                await line.close()

    async def _tell(self, message: Message) -> None:
        for line in self.lines:
            await line.send_json(message)

    def snapshot(self) -> Message:
        """Return all that is drawn."""
        found: Message = {
            "tell": "scene", "game": self.game, "table": usual_table(self.game),
            "pieces": [*self.pieces.values()], "hands": [], "room": ROOM, "you": self.you,
        }  # fmt: skip
        if "balance" in found["table"]["layout"]:
            found["board"] = {"tilt": 0, "towards": 0, "fallen": False}
        if "idol" in found["table"]["layout"]:
            found["idol"] = {"angle": 0, "card": None}
        return found

    async def listen(self, line: WebSocket) -> None:
        """Hear one page until it goes."""
        await line.accept()
        self.lines.append(line)
        with suppress(WebSocketDisconnect, RuntimeError, KeyError):
            while True:
                got = await line.receive()
                if got.get("bytes") is not None:
                    self.pictures.append((time.monotonic(), got["bytes"]))
                    if self.answers_pictures:
                        await line.send_json({"tell": "next"})
                else:
                    await self._heed(line, json.loads(got["text"]))
        self.lines.remove(line)

    async def _heed(self, line: WebSocket, message: Message) -> None:
        self.said.append(message)
        self.at_s.append(time.monotonic())
        held = next((each for each in self.pieces.values() if each["held"] is not None), None)
        match message:
            case {"do": "hello"}:
                await line.send_json(self.snapshot())
                await line.send_json({"tell": "eye", "yours": line is self.lines[0]})
                if line is self.lines[0]:
                    await line.send_json({"tell": "next"})
                return
            case {"do": "take", "piece": number}:
                if self.refuses:
                    await line.send_json({"tell": "refused", "words": self.refuses})
                    return
                held = self.pieces[number]
                held["held"] = self.you["hand"]
            case {"do": "point", "x": x, "y": y, "z": z} if held:
                held |= {"x": x, "y": y, "z": z - 10}
            case {"do": "put", "x": x, "y": y, **more} if held:
                turn = more.get("turn", held["turn"])
                z = 1.0 + 0.4 * len(self.of("put"))  # on top of all that was put before
                held |= {"x": x, "y": y, "z": z, "turn": turn, "held": None, "of": None}
            case {"do": "stow"} if held:
                held |= {"held": None, "of": self.you["seat"]}
            case {"do": "room", **room}:
                await self._tell({"tell": "room", "room": room})
                return
            case {"do": "cheat", "is": on}:
                await self._tell({"tell": "cheat", "is": on})
                return
            case _:
                return
        await self._tell({"tell": "pieces", "changed": [held], "gone": []})

    async def show(self, request: Request) -> Response:
        """Serve the page as the host has it."""
        del request
        environment = templates([APP / "templates", FOLDER / "templates"])
        html = environment.get_template("virtual.html").render(
            title="A game", is_host=self.you["host"], regions={}, players=["Ann", "Bob"],
            colours=COLOURS,
        )  # fmt: skip
        return HTMLResponse(html, headers={"Content-Security-Policy": POLICY})


async def _beat(request: Request) -> Response:
    """Keep what follows the page content; nothing changes."""
    del request

    async def beats() -> AsyncIterator[str]:
        while True:
            yield "event: beat\ndata:\n\n"
            await asyncio.sleep(2)

    return StreamingResponse(beats(), media_type="text/event-stream")


async def _nothing(request: Request) -> Response:
    kind = "text/css" if request.url.path.endswith("css") else "text/javascript"
    return Response("", media_type=kind)


@contextmanager
def standing_in(game: str, pieces: list[Message], **more: Any) -> Iterator[StandIn]:
    """Serve a virtual table with *pieces*; *more* as `StandIn` has it."""
    found = StandIn(game, {each["id"]: each for each in pieces}, **more)
    routes = [
        Route("/virtual", found.show),
        WebSocketRoute("/virtual/socket", found.listen),
        Route("/live", _beat),
        *(Route(path, _nothing) for path in ("/static/games.css", "/worker.js")),
        Mount("/static/virtual", StaticFiles(directory=APP / "static")),
        Mount("/static", StaticFiles(directory=FOLDER / "static")),
    ]
    config = uvicorn.Config(
        Starlette(routes=routes),
        host="127.0.0.1",
        port=found.port,
        log_level="critical",
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)

    async def serve() -> None:
        found.loop = asyncio.get_running_loop()
        await server.serve()

    thread = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)
    thread.start()
    deadline = time.monotonic() + DEADLINE_S
    while not server.started:
        assert thread.is_alive(), "the stand-in does not start"
        assert time.monotonic() < deadline, "the stand-in does not start"
        time.sleep(0.02)
    found.port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield found
    finally:
        server.should_exit = True
        thread.join(DEADLINE_S)
        assert not thread.is_alive()
