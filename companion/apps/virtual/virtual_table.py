"""A virtual table that is played at: loaded only where there is one; a real table pays nothing."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from random import SystemRandom

from starlette.requests import HTTPConnection
from starlette.websockets import WebSocket

from companion.apps.virtual.laying import virtual_set
from companion.apps.virtual.page import Person
from companion.apps.virtual.relay import Relay
from companion.apps.virtual.socket import Line
from companion.apps.virtual.teaching import Teacher
from companion.web.site import Site


class VirtualTable:
    """A virtual table that is being played at: its relay, and who teaches the eyes."""

    def __init__(self, site: Site) -> None:
        camera = site.table.virtual_camera
        assert camera is not None
        self._site = site
        self._loop: asyncio.AbstractEventLoop | None = None
        sense = site.table.simulate or (lambda _words: None)
        self.camera = camera
        self.relay = Relay(camera, sense, self._call_later, virtual_set, SystemRandom())
        self.teacher = Teacher(site, self.relay)
        self.relay.on_eye = self.teacher.attend
        self.relay.on_lay = self.teacher.lay
        site.live_session.on_game.add(self.teacher.follow_game)

    def begin(self) -> None:
        """Lay the table, now that somebody looks; on the event loop."""
        if self._loop is None:
            loop = self._loop = asyncio.get_running_loop()
            self.camera.on_taken = partial(self._post, loop, self.relay.ask_picture)
            self.teacher.attend()

    def person(self, connection: HTTPConnection) -> Person:
        """Return who has a page open."""
        visitor, site = self._site.visitor(connection), self._site
        seats = range(len(site.live_session.header.players))
        free = tuple(seat for seat in seats if not site.keys.is_taken(seat))
        return Person(visitor.seat, visitor.is_host, free if visitor.is_host else ())

    @staticmethod
    def _post(loop: asyncio.AbstractEventLoop, act: Callable[[], None]) -> None:
        with suppress(RuntimeError):  # the companion stops
            loop.call_soon_threadsafe(act)

    def _call_later(self, seconds: float, act: Callable[[], None]) -> object:
        return asyncio.get_running_loop().call_later(seconds, act)

    async def follow(self, socket: WebSocket) -> None:
        """Let a page follow the table by its *socket*, and move what is on it, until it goes."""
        self.begin()
        line = Line(socket, self.relay, self.camera, lambda: self.person(socket))
        await line.follow(self._site.notifier)
