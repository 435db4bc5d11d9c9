"""The feed: entries of the log and notices, published in order to all who follow."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any, Final

MAX_KEPT_ITEMS: Final = 512  # a game has some 40 entries; a follower that missed more starts again


@dataclass(frozen=True, slots=True)
class Item:
    """One published thing; *number* counts from 1 without gaps while the process lives."""

    number: int
    body: dict[str, Any]


class Feed:
    """A short memory of items, and a way to wait for the next one.

    Lives on one event loop; `publish` may be called without a running loop (in a replay).
    """

    def __init__(self) -> None:
        self._items: deque[Item] = deque(maxlen=MAX_KEPT_ITEMS)
        self._published = 0
        self._waiting: set[asyncio.Future[None]] = set()

    @property
    def newest(self) -> int:
        """The number of the newest item, 0 before the first."""
        return self._published

    def publish(self, body: dict[str, Any]) -> None:
        """Send *body* to everyone who follows."""
        self._published += 1
        self._items.append(Item(self._published, body))
        for waiter in self._waiting:
            if not waiter.done():
                waiter.set_result(None)
        self._waiting.clear()

    def since(self, number: int) -> list[Item]:
        """Return the items after *number* that are still kept."""
        return [item for item in self._items if item.number > number]

    async def follow(self, after: int) -> AsyncIterator[Item]:
        """Yield every item after number *after*, forever; none twice, none left out.

        A number from before a restart is higher than any since: such a follower starts again.
        """
        after = after if after <= self._published else 0
        while True:
            for item in self.since(after):
                after = item.number
                yield item
            if after == self._published:
                waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
                self._waiting.add(waiter)
                try:
                    await waiter
                finally:
                    self._waiting.discard(waiter)
