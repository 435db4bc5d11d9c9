"""The version of the programs' addresses: in each of them, and in a header of every answer."""

from collections.abc import Collection
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

API_VERSION: Final = "1.2"
"""The first number changes when programs have to; the second when there is more to ask for."""
BASE: Final = "/api/v1"
UNVERSIONED: Final = "/api"


def both(path: str) -> tuple[str, str]:
    """Return the addresses of *path*: with the version, and the old one without.

    >>> both("/state")
    ('/api/v1/state', '/api/state')
    """
    return f"{BASE}{path}", f"{UNVERSIONED}{path}"


def is_for_programs(path: str) -> bool:
    """Return whether *path* is an address for programs."""
    return path == UNVERSIONED or path.startswith(f"{UNVERSIONED}/")


class NameVersion:
    """Puts the version into the header `Api-Version` of each answer to a program.

    origins: of the pages from elsewhere that may read there, such as an overlay for a stream.
    """

    def __init__(self, app: ASGIApp, origins: Collection[str] = ()) -> None:
        self._app = app
        self._origins = frozenset(origin.lower() for origin in origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand the request on."""
        if scope["type"] != "http" or not is_for_programs(scope["path"]):
            await self._app(scope, receive, send)
            return
        origin = Headers(scope=scope).get("origin", "")
        is_let_in = origin.lower() in self._origins and scope["method"] in ("GET", "HEAD")

        async def send_named(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["Api-Version"] = API_VERSION
                if is_let_in:
                    headers["Access-Control-Allow-Origin"] = origin
                    headers["Cross-Origin-Resource-Policy"] = "cross-origin"
                    headers.add_vary_header("Origin")
            await send(message)

        await self._app(scope, receive, send_named)
