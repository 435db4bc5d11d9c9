"""The feed: entries of the log and notices, published in order to all who follow."""

import asyncio
import secrets
from collections import deque
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any, Final, NamedTuple

MAX_KEPT_ITEMS: Final = 512  # a game has some 40 entries; older ones are in the log
GAP: Final = "gap"
_EPOCH: Final = secrets.token_hex(3)


class Position(NamedTuple):
    """A place in the log: a session and an entry of it, 0 before the first."""

    session: int
    seq: int


@dataclass(frozen=True, slots=True)
class Item:
    """One published thing.

    number: counts from 1 without gaps while the process lives.  id: differs from that of any other
    item, also after a restart.  position: of the entry, or of the newest one before a notice.
    """

    number: int
    id: str
    position: Position
    body: dict[str, Any]
    is_entry: bool = False


def entry_id(position: Position, at: str) -> str:
    """Return the id of the entry at *position*, written at the time *at*.

    The time is part of it, so that the entry of another log is not mistaken for it.

    >>> entry_id(Position(3, 17), "2026-01-01T20:00:00.000+00:00")
    '3.17.b7bf62'
    """
    mark = blake2b(at.encode(), digest_size=3).hexdigest() if position.seq else "0"
    return f"{position.session}.{position.seq}.{mark}"


def gap_body(position: Position) -> dict[str, Any]:
    """Return that notices after the entry at *position* are missing."""
    return {
        "type": GAP,
        "session": position.session,
        "seq": position.seq,
        "message": "Notices since then are no longer known; entries follow from the log",
    }


class Waiters:
    """Tasks that wait to be woken, all at once.  Lives on one event loop."""

    def __init__(self) -> None:
        self._waiting: set[asyncio.Future[None]] = set()

    def wake(self) -> None:
        """Wake everyone who waits; may be called without a running loop."""
        waiting, self._waiting = self._waiting, set()
        for waiter in waiting:
            if not waiter.done():
                waiter.set_result(None)

    async def wait(self) -> None:
        """Return when woken the next time."""
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.add(waiter)
        try:
            await waiter
        finally:
            self._waiting.discard(waiter)


class Feed:
    """A short memory of items, and a way to wait for the next one.

    epoch: tells the notices of this process from those of another.
    position: of the newest entry.
    floor: where in the log the kept items begin: all entries after it are among them.
    dropped_id: of the newest item that is no longer kept, "" if all are.
    Lives on one event loop; `publish` may be called without a running loop (in a replay).
    """

    def __init__(self) -> None:
        self.epoch = _EPOCH
        self.position = self.floor = Position(0, 0)
        self.dropped_id = ""
        self._entry_id = entry_id(self.position, "")
        self._items: deque[Item] = deque()
        self._published = 0
        self._waiters = Waiters()

    @property
    def newest(self) -> int:
        """The number of the newest item, 0 before the first."""
        return self._published

    @property
    def newest_id(self) -> str:
        """The id of the newest item, or what stands for it before the first."""
        return self._items[-1].id if self._items else self._notice_id(0)

    @property
    def dropped(self) -> int:
        """The number of the newest item that is no longer kept, 0 if all are."""
        return self._published - len(self._items)

    def begin(self, position: Position, at: str = "") -> None:
        """Go on from the entry at *position*, written at *at*, when a session is taken up."""
        if not self._published:
            self.floor = position
        self.position, self._entry_id = position, entry_id(position, at)

    def publish(self, body: dict[str, Any], session: int | None = None) -> None:
        """Send *body* to everyone who follows; *session* is that of an entry, None of a notice."""
        self._published += 1
        number = self._published
        if session is None:
            item = Item(number, self._notice_id(number), self.position, body)
        else:
            position = Position(session, body["seq"])
            item = Item(number, entry_id(position, body["at"]), position, body, is_entry=True)
            if position > self.position:
                self.position, self._entry_id = position, item.id
        self._items.append(item)
        if len(self._items) > MAX_KEPT_ITEMS:
            dropped = self._items.popleft()
            self.floor, self.dropped_id = max(self.floor, dropped.position), dropped.id
        self._waiters.wake()

    def since(self, number: int) -> list[Item]:
        """Return the items after *number* that are still kept."""
        return [item for item in self._items if item.number > number]

    def forget_notices(self) -> None:
        """Put a gap in the place of every kept notice: it may tell what is to be forgotten."""
        self._items = deque(
            item if item.is_entry else replace(item, body=gap_body(item.position))
            for item in self._items
        )

    def _notice_id(self, number: int) -> str:
        return f"{self._entry_id}+{self.epoch}.{number}"

    async def wait(self, number: int) -> None:
        """Return as soon as there is an item after *number*."""
        if number >= self._published:
            await self._waiters.wait()

    async def follow(self, after: int) -> AsyncIterator[Item]:
        """Yield every kept item after number *after*, and then each new one, forever."""
        while True:
            for item in self.since(after):
                after = item.number
                yield item
            await self.wait(after)
