"""The socket of a page: who comes by it, what is read of it and how fast, and when it ends."""

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from companion.apps.virtual.page import Page, Person
from companion.apps.virtual.relay import Relay, TooMany
from companion.language.message import Message, say
from companion.language.speech import translated, translated_json
from companion.web.http.streams import ChangeNotifier
from vision.capture.virtual_camera import RefusedPicture, VirtualCamera

RATE_HZ: Final = 90.0
"""So many messages a second are read of a page on the long run; who sends more waits."""
BURST: Final = 180.0
RETRY_S: Final = 1.0
"""After a picture that could not be used the next one is asked for so much later."""

GOING, BUSY, ENDED, SLOW = 1001, 1013, 4403, 4408
"""How a socket is closed: the companion stops, too many pages, a key has ended, nothing is read."""
FULL: Final = say("Too many pages show this table. Close some of them.")
KEY_ENDED: Final = say("This page may not do that any more; load it again.")


class Pace:
    """How fast messages may come: a bucket that fills up again.

    clock: a steady one, in seconds.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._left, self._at_s = BURST, clock()

    def wait_s(self) -> float:
        """Take one message out, and return how long to wait before the next is read."""
        now_s = self._clock()
        self._left = min(BURST, self._left + RATE_HZ * (now_s - self._at_s)) - 1.0
        self._at_s = now_s
        return max(0.0, -self._left / RATE_HZ)


class Line:
    """One page's socket.

    who: returns who has the page now; it may be another since the last time.
    """

    def __init__(
        self, socket: WebSocket, relay: Relay, camera: VirtualCamera, who: Callable[[], Person]
    ) -> None:
        self._socket = socket
        self._relay = relay
        self._camera = camera
        self._who = who
        self._woken = asyncio.Event()
        self._page = Page(who(), self._woken.set)

    async def follow(self, notifier: ChangeNotifier) -> None:
        """Serve the page until it goes, or has to."""
        await self._socket.accept()
        try:
            self._relay.open(self._page)
        except TooMany:
            await self._end(BUSY, FULL)
            return
        tasks = [
            asyncio.create_task(each)
            for each in (self._read(), self._write(), self._watch(notifier))
        ]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            self._relay.close(self._page)
        await asyncio.gather(*tasks, return_exceptions=True)
        for task in done:
            if (error := task.exception()) is not None and not self._is_gone(error):
                raise error

    def _is_gone(self, error: BaseException) -> bool:
        """Return whether *error* says no more than that the page is not there any more."""
        states = (self._socket.client_state, self._socket.application_state)
        return isinstance(error, WebSocketDisconnect) or WebSocketState.DISCONNECTED in states

    async def _read(self) -> None:
        loop = asyncio.get_running_loop()
        pace = Pace(loop.time)
        while True:
            message = await self._socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            if not self._is_still_admitted():
                await self._end(ENDED, KEY_ENDED)
                return
            text, jpeg = message.get("text"), message.get("bytes")
            if text is not None:
                self._relay.take(self._page, text)
            elif jpeg is not None:
                await self._take_picture(jpeg)
            if wait_s := pace.wait_s():
                await asyncio.sleep(wait_s)

    async def _take_picture(self, jpeg: bytes) -> None:
        if not self._relay.expects(self._page):
            return
        try:
            await asyncio.to_thread(self._camera.show, jpeg)
        except RefusedPicture:
            self._page.tell({"tell": "refused", "words": self._camera.trouble})
            asyncio.get_running_loop().call_later(RETRY_S, self._relay.ask_picture)
        else:
            self._relay.note_picture()

    async def _write(self) -> None:
        while not self._page.is_lost:
            self._woken.clear()
            while (body := self._page.next_message()) is not None:
                await self._socket.send_text(json.dumps(translated_json(body)))
            await self._woken.wait()
        await self._end(SLOW, say("This page has stopped reading; load it again."))

    async def _watch(self, notifier: ChangeNotifier) -> None:
        """Close the socket when the companion stops, or its key opens nothing any more."""
        while not notifier.closed:
            if not self._is_still_admitted():
                await self._end(ENDED, KEY_ENDED)
                return
            await notifier.wait()
        await self._end(GOING, "")

    def _is_still_admitted(self) -> bool:
        """Take note of who has the page now; return whether it may do what it could before."""
        before, now = self._page.person, self._who()
        if now != before:
            lost = (before.is_host and not now.is_host) or (
                before.seat is not None and now.seat != before.seat
            )
            if lost:
                return False
            self._relay.meet(self._page, now)
        return True

    async def _end(self, code: int, words: Message | str) -> None:
        with suppress(RuntimeError, WebSocketDisconnect):  # it has gone already
            await self._socket.close(code, str(translated(words))[:120])
