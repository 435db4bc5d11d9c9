"""Which requests are admitted at all, and the security headers of every answer."""

import asyncio
import ipaddress
import logging
import re
import traceback
from collections.abc import Callable, Collection
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from companion.language.catalogue import is_read, language_of
from companion.language.message import say
from companion.language.speech import speaking, translated
from companion.validation import one_line
from companion.web.http.language import language_asked

_log = logging.getLogger(__name__)

# A page of another site could point its own name at our address and read our pages as its own. It
# cannot do that with an address, nor with a name that only a home's or café's own router gives out.
HOME_NAMES: Final = (".local", ".lan", ".home", ".internal", ".home.arpa", ".fritz.box")

_HOST: Final = re.compile(r"(?P<name>\[[0-9A-Za-z:.%_~-]+\]|[\w.~-]+)(?::\d{0,5})?", re.ASCII)

POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "media-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    # Keys and invitations stand in addresses: no other site is told them.  "no-referrer" would make
    # browsers send "Origin: null" with our own forms.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


SOCKET: Final = "WEBSOCKET"
"""What is asked for where a page opens a socket; it has no method of its own."""
STARTS: Final = frozenset((
    "http.response.start", "websocket.http.response.start", "websocket.accept", "websocket.close",
))  # fmt: skip
ANSWERS: Final = frozenset(("http.response.start", "websocket.http.response.start"))
"""Those that have headers which browsers heed."""


def host_name(host: str) -> str:
    """Return the name or address in a Host header, without its port; "" if it is not one.

    >>> [host_name(host) for host in ("192.168.1.7:8000", "Tiki.local.", "[fe80::1]", "a@b", "[")]
    ['192.168.1.7', 'tiki.local', 'fe80::1', '', '']
    """
    found = _HOST.fullmatch(host)
    if found is None:
        return ""
    return found["name"].strip("[]").rstrip(".").lower()


def is_home_name(host: str, names: Collection[str] = ()) -> bool:
    """Return whether *host*, as in the Host header, can only mean a machine of this network.

    names: further names that the owner has given to it.

    >>> [is_home_name(host) for host in ("192.168.1.7:8000", "tiki.local", "evil.example")]
    [True, True, False]
    """
    name = host_name(host)
    if not name:
        return False
    try:
        ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        if host.startswith("["):
            return False
    else:
        return True
    return "." not in name or name.endswith(HOME_NAMES) or name in names


class Guard:
    """Refuses what comes by a foreign name or from a foreign page; adds the security headers."""

    def __init__(self, app: ASGIApp, names: Collection[str] = (), address: str = "") -> None:
        self._app = app
        self._origin = address.lower()
        self._scheme, _, self._host = self._origin.partition("://")
        self._names = frozenset((*(name.lower() for name in names), host_name(self._host)))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the request through, or answer it with one sentence."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return

        headers = Headers(scope=scope)
        host = headers.get("host", "").lower().removesuffix(":443")
        if self._scheme == "https" and host == self._host.removesuffix(":443"):
            # What comes by this name has come through TLS, whatever the proxy says or leaves out.
            scope = {**scope, "scheme": "wss" if scope["type"] == "websocket" else "https"}
        started = False

        async def send_guarded(message: Message) -> None:
            nonlocal started
            if message["type"] in STARTS:
                started = True
            if message["type"] in ANSWERS:
                answered = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    answered[name] = value
                # Pages show the moment, and scripts must fit them: ask again, which is cheap.
                answered.setdefault("Cache-Control", "no-cache")
            await send(message)

        language = language_asked(headers)
        if not is_read(language):
            await asyncio.to_thread(language_of, language)
        with speaking(language):
            await self._answer(scope, receive, send_guarded, headers, lambda: started)

    async def _answer(
        self,
        scope: Scope,
        receive: Receive,
        send: Send,
        headers: Headers,
        has_started: Callable[[], bool],
    ) -> None:
        is_socket = scope["type"] == "websocket"
        refusal = self._refusal(SOCKET if is_socket else scope["method"], headers)
        try:
            if refusal is None:
                await self._app(scope, receive, send)
                return
            status, words = refusal
        except ClientDisconnect:  # nobody waits for an answer any more
            return
        except Exception as error:  # noqa: BLE001 - whatever it is, people get a sentence
            _log_defect(scope, error)
            status, words = (
                500,
                say("Something went wrong in the companion; the game is saved. Try again."),
            )
        if has_started():
            return
        answer = PlainTextResponse(f"{translated(words)}\n", status)
        await (
            WebSocket(scope, receive, send).send_denial_response(answer)
            if is_socket
            else answer(scope, receive, send)
        )

    def _refusal(self, method: str, headers: Headers) -> tuple[int, str] | None:
        host = headers.get("host", "")
        if not is_home_name(host, self._names):
            return 421, say(
                "The companion does not have that name; use the address shown at the start."
            )
        # A browser asks nobody before it opens a socket, and says from which page it does.
        is_nameless = method == SOCKET and "origin" not in headers
        is_foreign = method not in ("GET", "HEAD", "OPTIONS") and not self._is_own_page(
            host, headers
        )
        if is_foreign or is_nameless:
            return 403, say("This came from another website. Use the companion’s own pages.")
        return None

    def _is_own_page(self, host: str, headers: Headers) -> bool:
        """Return whether a form was sent by our own page, or by no browser at all.

        A proxy may have changed scheme, port or name on the way; the owner's address stays.
        """
        origin = headers.get("origin")
        if origin is None:
            return headers.get("sec-fetch-site", "none") in ("same-origin", "none")
        origin = origin.lower()
        if self._origin and origin == self._origin:
            return True
        scheme, _, netloc = origin.partition("://")
        return scheme in ("http", "https") and netloc == host.lower()


def _log_defect(scope: Scope, error: Exception) -> None:
    """Log where it happened; not the error's own words, which may hold a player's secret."""
    places = "".join(traceback.format_tb(error.__traceback__))
    kind = type(error).__name__
    # The first word alone: an invitation may follow.
    page = one_line(scope["path"].strip("/").partition("/")[0])
    method = scope.get("method", SOCKET)
    _log.error("%s /%s failed with %s:\n%s", method, page, kind, places)
