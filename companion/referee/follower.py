"""A follower of the feed: one that comes back is told what it has missed, also from the log."""

import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from typing import Any, Final

from companion.referee.feed import GAP, Item, Position, entry_id, gap_body
from companion.referee.game import Game
from companion.referee.live_session import LiveSession
from companion.registry import GAMES, game_of
from companion.session.events import Entry, public_json
from companion.session.log import LogError
from companion.session.session import Header

__all__ = ["FROM_THE_START", "GAP", "Follower"]

FROM_THE_START: Final = "0"
"""Instead of an id: before the first entry of the session in play."""
ENTRIES_A_TURN: Final = 50
"""After so many entries from the log others have their turn of the event loop."""
_ID: Final = re.compile(r"(\d{1,9})\.(\d{1,9})\.(?:0|[0-9a-f]{6})(?:\+([0-9a-f]+)\.(\d{1,9}))?")


class Follower:
    """Somebody who follows *live_session* from the item whose id is *last_id* on.

    resumes: whether that item is known here; with any other id all begins with what comes next.
    """

    def __init__(self, live_session: LiveSession, last_id: str = "") -> None:
        self._live_session = live_session
        self._feed = live_session.feed
        found = self._find(last_id)
        self.resumes = found is not None
        self._number, self._position = found or (self._feed.newest, self._feed.position)

    async def items(self) -> AsyncIterator[Item]:
        """Yield every item from there on, forever: none twice, no entry left out.

        Where notices are missing because they are no longer kept, or were of another process, an
        item of the type `gap` says so, and the entries of that time follow it from the log.
        """
        feed = self._feed
        while True:
            if self._number < feed.dropped:
                yield self._gap()
            while self._number < feed.dropped:
                async for item in self._from_log():
                    yield item
            for item in feed.since(self._number):
                self._number = item.number
                if item.is_entry:
                    if item.position <= self._position:
                        continue
                    self._position = item.position
                yield item
            await feed.wait(self._number)

    def _find(self, last_id: str) -> tuple[int, Position] | None:
        """Return the number and the place in the log of the item whose id is *last_id*.

        The number is -1 if it is not known what followed it. None: there is no such item.
        """
        feed, session = self._feed, self._live_session.session
        if last_id == FROM_THE_START:
            begun = Position(session.number, 0)
            earlier = [item.number for item in feed.since(0) if item.position < begun]
            is_kept = feed.dropped == 0 and feed.floor <= begun
            return max(earlier, default=0 if is_kept else -1), begun
        found = _ID.fullmatch(last_id)
        if found is None:
            return None
        position = Position(int(found[1]), int(found[2]))
        if not self._is_logged(position, last_id.partition("+")[0]):
            return None
        if found[3] == feed.epoch:
            number = int(found[4])
            return (number, position) if number <= feed.newest else None
        if last_id == feed.dropped_id:
            return feed.dropped, position
        kept = (item.number for item in feed.since(0) if item.id == last_id)
        return next(kept, -1), position

    def _is_logged(self, position: Position, known_id: str) -> bool:
        """Return whether the log has that entry, and not another one in its place."""
        session = self._live_session.session
        if position.seq == 0:
            return 0 < position.session <= session.number
        if position > Position(session.number, len(session.entries)):
            return False
        return any(
            entry.seq == position.seq and entry_id(position, entry.at) == known_id
            for _, entry in self._entries(position.session)
        )

    def _gap(self) -> Item:
        return Item(self._number, "", self._position, gap_body(self._position))

    async def _from_log(self) -> AsyncIterator[Item]:
        """Yield the entries that are no longer kept, or never were."""
        number, until = self._feed.dropped, self._feed.floor
        told = 0
        for session in range(self._position.session, until.session + 1):
            for game, entry in self._entries(session):
                position = Position(session, entry.seq)
                if not self._position < position <= until:
                    continue
                self._position = position
                body = public_json(entry, game.public)
                yield Item(0, entry_id(position, entry.at), position, body, is_entry=True)
                told += 1
                if told % ENTRIES_A_TURN == 0:
                    await asyncio.sleep(0)
        self._number, self._position = number, max(self._position, until)

    def _entries(self, session: int) -> Iterator[tuple[Game[Any, Any], Entry]]:
        """Yield the entries of a session with its game; none of what this version cannot read."""
        now = self._live_session
        if session == now.session.number:
            yield from ((now.game, entry) for entry in tuple(now.session.entries))
            return
        with suppress(LogError):
            name = Header.from_json(now.log.header(session)).game
            if name in GAMES:
                yield from ((game_of(name), entry) for entry in now.log.entries(session))
