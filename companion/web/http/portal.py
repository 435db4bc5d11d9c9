"""The portal: whoever joins the table's own Wi-Fi is led to the page that brings it into another.

Phones ask for pages of their makers when they have joined a Wi-Fi, and every name leads here (see
deploy/wifi/dnsmasq.conf).  An answer that leads elsewhere makes them show that page at once.
"""

from typing import Final

from starlette.datastructures import Headers
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from companion.web.http.guard import HEADERS, is_home_name
from companion.wifi.own_wifi import OwnWifi
from companion.wifi.radio import ADDRESS

PAGE: Final = "/wifi"
HTTP_PORT: Final = 80


def comes_through(own_wifi: OwnWifi | None, scope: Scope) -> bool:
    """Return whether a request was sent to the table's address in its own Wi-Fi, while it is open.

    That is the socket's own address, which no request can make up.
    """
    if own_wifi is None or not own_wifi.is_open:
        return False
    return (scope.get("server") or ("",))[0] == ADDRESS


class Portal:
    """Leads what comes by a foreign name through the own Wi-Fi to its page; lets all else pass.

    own_wifi: the table's, None where it has none.
    """

    def __init__(self, app: ASGIApp, own_wifi: OwnWifi | None = None) -> None:
        self._app = app
        self._own_wifi = own_wifi

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the request through, or answer with the address of the page."""
        own_wifi = self._own_wifi
        if scope["type"] != "http" or own_wifi is None or not comes_through(own_wifi, scope):
            await self._app(scope, receive, send)
            return
        with own_wifi.visit():
            is_asked = scope["method"] in ("GET", "HEAD")
            if is_asked and not is_home_name(Headers(scope=scope).get("host", "")):
                port = scope["server"][1]
                place = ADDRESS if port in (HTTP_PORT, None) else f"{ADDRESS}:{port}"
                headers = {**HEADERS, "Cache-Control": "no-store"}
                answer = RedirectResponse(f"http://{place}{PAGE}", 302, headers)
                await answer(scope, receive, send)
            else:
                await self._app(scope, receive, send)
