"""Browsers for tests: each keeps its cookies, asks the application itself, and follows one hop."""

import asyncio
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import unescape
from typing import Any

import httpx
from starlette.applications import Starlette

from companion.referee.live_session import LiveSession
from companion.rules import tiki_topple
from companion.rules.tiki_topple import TIKIS
from companion.session.session import Header
from companion.web.app import create_app
from companion.web.http.keys import Keys
from companion.web.running_table import Calibrate, RunningTable
from hardware.output_devices import OutputDevices
from tests.tables import NAMES, SIDES, open_log

HOST_KEY = "the-host's-key"
BASE = "http://192.168.1.7:8000"


@dataclass
class Visitor:
    """One browser."""

    app: Starlette
    cookies: dict[str, str] = field(default_factory=dict)

    def ask(
        self,
        method: str,
        path: str,
        form: Mapping[str, Any] | None = None,
        **more: Any,
    ) -> httpx.Response:
        """Return the answer to one request, redirects not followed; cookies are kept."""
        return asyncio.run(self._ask(method, path, form, more))

    async def _ask(
        self, method: str, path: str, form: Mapping[str, Any] | None, more: dict[str, Any]
    ) -> httpx.Response:
        transport = httpx.ASGITransport(self.app)
        async with httpx.AsyncClient(
            transport=transport, base_url=BASE, cookies=self.cookies
        ) as client:
            if form is not None:
                more["data"] = dict(form)
            answer = await client.request(method, path, **more)
            self.cookies = {**self.cookies, **dict(answer.cookies)}
            return answer

    def get(self, path: str) -> httpx.Response:
        """Return the page at *path*."""
        return self.ask("GET", path)

    def post(self, path: str, **form: Any) -> httpx.Response:
        """Return the answer to a form."""
        return self.ask("POST", path, form)


@dataclass
class Pub:
    """A session with its pages, and whoever comes in."""

    live_session: LiveSession
    app: Starlette
    keys: Keys
    outputs: OutputDevices

    def stranger(self) -> Visitor:
        """Return a browser that has never been here."""
        return Visitor(self.app)

    def host(self) -> Visitor:
        """Return the host's browser."""
        visitor = self.stranger()
        assert visitor.get(f"/?key={HOST_KEY}").status_code == 303
        return visitor

    def player(self, seat: int) -> Visitor:
        """Return the browser of whoever took *seat* by its link."""
        visitor = self.stranger()
        assert visitor.post(f"/join/{self.keys.invitation(seat)}").status_code == 303
        return visitor


def sit_down_dealt(*cards: tuple[str, ...] | None) -> LiveSession:
    """Return a session of one round whose set-up tells the engine these secret cards by seat."""
    setup = {"line": list(TIKIS), "cards": [list(card) if card else None for card in cards]}
    options = tiki_topple.options_to_json(tiki_topple.parse_options({"rounds": 1}, len(cards)))
    header = Header(tiki_topple.NAME, NAMES[: len(cards)], options, setup, SIDES[: len(cards)])
    return LiveSession(open_log(), header)


def open_pub(live_session: LiveSession, calibrate: Calibrate | None = None, **more: Any) -> Pub:
    """Return *live_session* with its pages; *calibrate* and *more* as for `RunningTable`."""
    keys, outputs = Keys(HOST_KEY), OutputDevices()
    app = create_app(RunningTable(live_session, keys, outputs, calibrate=calibrate, **more))
    return Pub(live_session, app, keys, outputs)


def hidden_field(answer: httpx.Response, name: str) -> str:
    """Return the value of the first hidden field *name* of a page."""
    found = re.search(rf'name="{name}" value="([^"]*)"', answer.text)
    assert found, f"no hidden field {name}"
    return unescape(found[1])


def alert(answer: httpx.Response) -> str:
    """Return the sentence by which a page refuses."""
    found = re.search(r'role="alert"[^>]*>([^<]+)<', answer.text)
    assert found, "the page refuses nothing"
    return unescape(found[1])


def assert_silent_about(text: str, *secrets: str) -> None:
    """Fail if *text* holds one of *secrets*, in whatever case."""
    for secret in secrets:
        assert secret.lower() not in text.lower(), f"{secret} was told"
