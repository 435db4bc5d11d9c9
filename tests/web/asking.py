"""Requests for tests as a server hands them on: any bytes, at any pace, and phones that leave."""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from starlette.applications import Starlette
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Scope

URLENCODED: Final = b"application/x-www-form-urlencoded"
QUIET: Final = 25  # turns of the event loop in which nothing more came
Headers = Sequence[tuple[bytes, bytes]]


@dataclass
class Asked:
    """A request, byte for byte.

    chunks: of its body.  meanwhile: done before the last of them comes.  leaves: whether the phone
    is gone instead of sending that last one.
    """

    method: str
    path: str
    query: bytes = b""
    headers: Headers = ()
    chunks: Sequence[bytes] = (b"",)
    meanwhile: Callable[[], object] | None = None
    leaves: bool = False


@dataclass
class Answered:
    """What came back; status 0 if nothing did."""

    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""

    @property
    def text(self) -> str:
        """The body."""
        return self.body.decode("utf-8", "replace")


def form_headers(cookies: Mapping[str, str], host: str = "127.0.0.1:8000") -> Headers:
    """Return the headers of a form that a browser with *cookies* sends."""
    pairs = "; ".join(f"{name}={value}" for name, value in cookies.items())
    return (
        (b"host", host.encode()),
        (b"content-type", URLENCODED),
        *([(b"cookie", pairs.encode())] if pairs else []),
    )


def slowly(body: bytes) -> tuple[bytes, bytes]:
    """Return *body* in two: all but the last byte, and that."""
    return body[:-1], body[-1:]


def ask(app: ASGIApp, asked: Asked) -> Answered:
    """Return the answer to *asked*; a stream is left once no more comes for a while."""
    return asyncio.run(answer_to(app, asked))


async def answer_to(app: ASGIApp, asked: Asked) -> Answered:
    """Return the answer to *asked*, on a loop that runs."""
    found, sent, gone = Answered(), 0, asyncio.Event()
    coming = list(asked.chunks)

    async def receive() -> Message:
        if len(coming) == 1:
            if asked.leaves:
                return {"type": "http.disconnect"}
            if asked.meanwhile:
                asked.meanwhile()
        if not coming:
            await gone.wait()
            return {"type": "http.disconnect"}
        return {"type": "http.request", "body": coming.pop(0), "more_body": bool(coming)}

    async def send(message: Message) -> None:
        nonlocal sent
        sent += 1
        if message["type"] == "http.response.start":
            assert not found.status, "answered twice"
            found.status = message["status"]
            found.headers = {
                name.decode("latin-1").lower(): value.decode("latin-1")
                for name, value in message["headers"]
            }
        else:
            found.body += message.get("body", b"")

    asking = asyncio.ensure_future(app(_scope(asked), receive, send))
    known, quiet = 0, 0
    while not asking.done() and quiet < QUIET:
        await asyncio.sleep(0)
        quiet = quiet + 1 if found.status and sent == known else 0
        known = sent
    gone.set()
    await asking
    return found


def _scope(asked: Asked) -> Scope:
    return {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": asked.method,
        "scheme": "http", "path": asked.path, "raw_path": asked.path.encode("utf-8", "replace"),
        "query_string": asked.query, "root_path": "", "server": ("127.0.0.1", 8000),
        "client": ("127.0.0.1", 1), "headers": list(asked.headers),
    }  # fmt: skip


def routes_of(app: Starlette) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield the path of every route with its methods; fails at a kind of which we know nothing."""
    for route in app.routes:
        if isinstance(route, Mount):
            known = ("/static", "/static/virtual")
            assert route.path in known, f"{route.path} is not asked for here"
            yield f"{route.path}/{{file}}", frozenset({"GET", "HEAD"})
        elif not isinstance(route, WebSocketRoute):  # tests/virtual/test_served.py asks for those
            assert isinstance(route, Route), f"{route} is not asked for here"
            yield route.path, frozenset(route.methods or ())
