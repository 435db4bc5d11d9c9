"""Open event streams, and how all of them end when the companion stops."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from hashlib import blake2b
from typing import Any, Final, TypeVar

from sse_starlette import EventSourceResponse, ServerSentEvent

from companion.language.speech import translated_json
from companion.referee.feed import Waiters
from companion.referee.follower import Follower

T = TypeVar("T")

BEAT_S: Final = 10.0
"""Seconds between two beats.  The page calls the connection lost after two and a half of them."""
RETRY_MS: Final = 1000


class ChangeNotifier:
    """Notifies followers of changes; several quick changes may be one notification."""

    def __init__(self) -> None:
        self._count = 0
        self._waiters = Waiters()
        self._closed = False

    @property
    def count(self) -> int:
        """The number of notifications so far."""
        return self._count

    @property
    def closed(self) -> bool:
        """Whether it is closed."""
        return self._closed

    def notify(self) -> None:
        """Wake everyone who waits."""
        self._count += 1
        self._waiters.wake()

    def close(self) -> None:
        """End every stream that follows, and every one to come; call it on the event loop."""
        self._closed = True
        self.notify()

    async def wait(self) -> None:
        """Return at the next change; at once if the notifier has been closed."""
        if not self._closed:
            await self._waiters.wait()


def mark_of(html: str) -> str:
    """Return a short text that differs between any two different pieces of a page."""
    return blake2b(html.encode(), digest_size=6).hexdigest()


async def follow_regions(
    notifier: ChangeNotifier, render: Callable[[], Mapping[str, str]]
) -> AsyncIterator[ServerSentEvent]:
    """Yield the pieces of a page that have changed, at first all, until *notifier* is closed."""
    sent: dict[str, str] = {}
    while not notifier.closed:
        count = notifier.count
        marked = {name: (mark_of(html), html) for name, html in render().items()}
        news = {
            name: {"mark": mark, "html": html}
            for name, (mark, html) in marked.items()
            if sent.get(name) != mark
        }
        sent = {name: mark for name, (mark, _) in marked.items()}
        if news:
            yield ServerSentEvent(json.dumps(news), event="regions", retry=RETRY_MS)
        if count == notifier.count:
            await notifier.wait()


async def follow_feed(
    follower: Follower,
    notifier: ChangeNotifier,
    snapshot: Callable[[], Mapping[str, Any]],
) -> AsyncIterator[ServerSentEvent]:
    """Yield a snapshot, and then every item that *follower* is told, until *notifier* is closed.

    The snapshot says how everything stands after the item whose id it has. Who resumes is then told
    what was missed, older items among it, and so the snapshot is no place to resume from.
    """
    first = {"type": "state", **snapshot()}
    known = None if follower.resumes else str(first["id"])
    yield ServerSentEvent(json.dumps(translated_json(first)), id=known, retry=RETRY_MS)
    async for item in _until_closed(follower.items(), notifier):
        body = json.dumps(translated_json(item.body), ensure_ascii=False)
        yield ServerSentEvent(body, id=item.id or None)


async def _until_closed(source: AsyncIterator[T], notifier: ChangeNotifier) -> AsyncIterator[T]:
    """Yield what *source* yields until *notifier* is closed, even in the middle of waiting."""

    async def closed() -> None:
        while not notifier.closed:
            await notifier.wait()

    async def following() -> T:
        return await anext(source)

    stop = asyncio.create_task(closed())
    step: asyncio.Task[T] | None = None
    try:
        while True:
            step = asyncio.create_task(following())
            await asyncio.wait({step, stop}, return_when=asyncio.FIRST_COMPLETED)
            if not step.done():
                return
            yield step.result()
    finally:
        stop.cancel()
        if step is not None:
            step.cancel()


def stream(events: AsyncIterator[ServerSentEvent]) -> EventSourceResponse:
    """Return *events* as a response, with a beat now and then by which a page sees it is alive."""
    return EventSourceResponse(
        events,
        ping=BEAT_S,
        ping_message_factory=lambda: ServerSentEvent("{}", event="beat"),
        sep="\n",
    )
