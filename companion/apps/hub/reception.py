"""Reception: what comes from the broker goes into the database, and only then is acknowledged."""

import asyncio
import contextlib
import json
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Final

from companion.apps.hub.background import in_thread
from companion.apps.hub.database import Database, DatabaseTrouble
from companion.apps.hub.presence import Change, Presence, keep_changes
from companion.apps.hub.published import Availability, Board, Claim, Unreadable, read, table_of
from companion.apps.hub.store import Taken, missing, tables, take
from companion.apps.mqtt.broker import (
    AWAY,
    Broker,
    BrokerTrouble,
    Connection,
    ConnectionEnded,
    Message,
    Refused,
)
from companion.apps.mqtt.echo import hear_oneself
from companion.apps.mqtt.pauses import Pauses
from companion.apps.mqtt.topics import SCHEMA
from companion.closing import end_tasks

EVENTS: Final = "events"
STATES: Final = "states"
DATABASE: Final = "database"
AGAIN: Final = "again"
ASKING: Final = "asking"
PROBE: Final = json.dumps({"schema": SCHEMA}).encode()
"""Asks no table for anything; the hub hears whether it may read."""
STEADY_S: Final = 30.0
CONFIRMED_S: Final = 90.0
"""A broker that was restarted forgets tables, or says of some that they are there; those that are
come back within a minute and say so."""
AGAIN_S: Final = 3.0
"""A table answers by publishing again, and does that no more often."""
BEHIND_S: Final = 10.0
"""An entry that a scoreboard has had for so long is missing if nothing comes meanwhile."""
GAPS_S: Final = 60.0
"""So often a table is asked that is away, or has not answered."""
MAX_BATCH: Final = 100
"""So many events are kept at once."""
TRIES: Final = 3
"""So often an event is tried that the database does not take for what it is."""
logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Counts:
    """What has come so far: events that were new, known already, and could not be read."""

    kept: int = 0
    known: int = 0
    refused: int = 0


@dataclass(slots=True)
class Reception:
    """Receives what tables publish under *prefix*, and keeps it in *database*.

    events: the broker, which keeps what comes there until it is acknowledged.  states: the same
    for what counts only now.
    on_change: called when something is new.  sleep: waits so many seconds before another try.
    boards: the newest scoreboard of each table.  troubles: what is wrong, by what is at fault.
    """

    prefix: str
    database: Database
    events: Broker
    states: Broker
    on_change: Callable[[], None] = lambda: None
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    boards: dict[str, Board] = field(default_factory=dict)
    troubles: dict[str, str] = field(default_factory=dict)
    counts: Counts = field(default_factory=Counts)
    presence: Presence = field(default_factory=Presence)
    _may_ask: bool = True
    _is_refused: bool = False
    _gaps: asyncio.Event = field(default_factory=asyncio.Event)
    _came: set[str] = field(default_factory=set)
    _board_s: dict[str, float] = field(default_factory=dict)
    _event_s: float = 0.0

    async def receive_events(self) -> None:
        """Keep all events, forever."""
        await self._follow(EVENTS, self.events, self._receive_events)

    async def receive_states(self) -> None:
        """Keep the newest scoreboard of each table and whether it is there, forever."""
        await self._follow(STATES, self.states, self._receive_states)

    def report(self, part: str, words: str) -> None:
        """Say what is wrong with *part*, "" if nothing is."""
        if words == self.troubles.get(part, ""):
            return
        if words:
            if words not in self.troubles.values():
                logger.warning("%s", words)
            self.troubles[part] = words
        else:
            del self.troubles[part]
        self.on_change()

    async def _follow(
        self, part: str, broker: Broker, receive: Callable[[Connection], Awaitable[None]]
    ) -> None:
        loop, pauses = asyncio.get_running_loop(), Pauses()
        while True:
            began_s = loop.time()
            try:
                connection = await broker.connect()
            except BrokerTrouble as trouble:
                self.report(part, str(trouble))
                is_away = isinstance(trouble, AWAY)
            else:
                is_away = await self._use(part, connection, receive)
            if loop.time() - began_s >= STEADY_S:
                pauses.reset()
            await self.sleep(pauses.next_s(is_away=is_away))

    async def _use(
        self, part: str, connection: Connection, receive: Callable[[Connection], Awaitable[None]]
    ) -> bool:
        """Receive on *connection* until it ends; return whether only the broker has gone."""
        is_away = False
        try:
            await receive(connection)
        except BrokerTrouble as trouble:
            self.report(part, str(trouble))
            is_away = isinstance(trouble, AWAY)
        except Exception:  # whatever fails here, the hub goes on
            logger.exception("Receiving has failed")
            self.report(part, "receiving has failed and begins anew; see the hub's own log")
        finally:
            await connection.close(tell=False)
        return is_away

    async def _receive_events(self, connection: Connection) -> None:
        await connection.subscribe(f"{self.prefix}/+/events")
        self.report(EVENTS, "")
        while True:
            batch = [await connection.receive(), *connection.received()]
            for first in range(0, len(batch), MAX_BATCH):
                part = batch[first : first + MAX_BATCH]
                await self._keep(part)
                self._event_s = asyncio.get_running_loop().time()
                connection.acknowledge(part)

    async def _keep(self, batch: Sequence[Message]) -> None:
        """Keep *batch*, however long the database is away."""
        pauses, tries = Pauses(), 0
        while True:
            try:
                taken = await in_thread(partial(self._take, batch))
            except DatabaseTrouble as trouble:
                tries += trouble.is_ours
                if trouble.is_ours and len(batch) > 1:
                    for each in batch:
                        await self._keep([each])
                    return
                if tries >= TRIES:
                    logger.warning("An event of %s cannot be kept: %s", batch[0].topic, trouble)
                    self.counts.refused += 1
                    return
                self.report(DATABASE, str(trouble))
                await self.sleep(pauses.next_s())
            else:
                self.report(DATABASE, "")
                self._count(taken)
                return

    def _take(self, batch: Sequence[Message]) -> Taken:
        with self.database.write() as session:
            return take(session, batch)

    def _count(self, taken: Taken) -> None:
        self.counts.kept += taken.kept
        self.counts.known += taken.known
        self.counts.refused += len(taken.refused)
        if taken.gaps:
            self._gaps.set()
        for topic, reason in taken.refused.items():
            logger.warning("What was published to %s cannot be read: %s", topic, reason)
        if taken.kept or taken.refused:
            self.on_change()

    async def listen(self, connection: Connection) -> list[Message]:
        """Subscribe to what counts only now; return what has come until the hub heard itself.

        Raises Refused if nothing comes.  That no table may be asked for what it missed is reported.
        """
        names = ("availability", "state", "claim")
        await connection.subscribe(*(f"{self.prefix}/+/{name}" for name in names))
        topic = f"{self.prefix}/{self.database.client_id}/{AGAIN}"
        await connection.subscribe(topic)
        self._may_ask, self._is_refused = not self._is_refused, False
        if not self._may_ask:  # Mosquitto parts from whoever writes what they may not
            return []
        try:
            is_heard, found = await hear_oneself(connection, topic, PROBE)
        except Refused:
            self._may_ask, self._is_refused = False, True
            asked = f"{self.prefix}/+/{AGAIN}"
            self.report(ASKING, str(connection.refused("write to", asked)))
            return []
        self.report(ASKING, "")
        if not (is_heard or found):
            raise connection.refused("read", f"{self.prefix}/#")
        return found

    async def _receive_states(self, connection: Connection) -> None:
        self.presence.begin()
        heard = await self.listen(connection)
        self.report(STATES, "")
        jobs = (self._confirm(), self._ask_again(connection))
        tasks = [asyncio.create_task(job) for job in jobs]
        try:
            await self._handle_states(heard)
            while True:
                batch = [await connection.receive(), *connection.received()]
                await self._handle_states(batch)
        finally:
            await end_tasks(tasks)

    async def _handle_states(self, batch: Sequence[Message]) -> None:
        now, changes = datetime.now(UTC), dict[str, Change]()
        for message in batch:
            try:
                table = table_of(message.topic)
                name = message.topic.rpartition("/")[2]
                if name == "state":
                    self._handle_board(table, read(Board, message.payload))
                elif name == AGAIN:
                    continue
                elif name == "claim":
                    self.presence.claim(table, read(Claim, message.payload), now)
                else:
                    said = read(Availability, message.payload)
                    change = self.presence.availability(table, said, now)
                    change.twin |= table in changes and changes[table].twin
                    changes[table] = change
            except Unreadable:  # empty ones clear what was kept; others are seen by their events
                continue
        if changes:
            await self._keep_presence(changes, now)
        if came := {name for name, change in changes.items() if change.is_online}:
            self._came |= came
            self._gaps.set()
        self.on_change()

    def _handle_board(self, table: str, board: Board) -> None:
        before = self.boards.get(table)
        if before is None or before.entry != board.entry:
            self._board_s[table] = asyncio.get_running_loop().time()
        self.boards[table] = board

    async def _keep_presence(self, changes: dict[str, Change], now: datetime) -> None:
        def keep() -> None:
            with self.database.write() as session:
                keep_changes(session, changes, now)

        while True:
            try:
                await in_thread(keep)
            except DatabaseTrouble as trouble:
                self.report(DATABASE, str(trouble))
                await self.sleep(1.0)
            else:
                return

    async def _ask_again(self, connection: Connection) -> None:
        """Ask tables for what is missing, as long as something is: now and then, or at once."""

        def read_missing(newest: Mapping[str, str]) -> dict[str, str]:
            with self.database.read() as session:
                return missing(session, newest)

        loop, asked_s = asyncio.get_running_loop(), dict[str, float]()
        while self._may_ask:
            self._gaps.clear()
            try:
                newest = self._newest(loop.time() - BEHIND_S)
                for table, known in (await in_thread(partial(read_missing, newest))).items():
                    # It publishes all that followed: asked again meanwhile it would begin again.
                    if (
                        table not in self._came
                        and loop.time() - asked_s.get(table, -GAPS_S) < GAPS_S
                    ):
                        continue
                    asked_s[table] = loop.time()
                    self._came.discard(table)
                    payload = json.dumps({"schema": SCHEMA, "after": known}).encode()
                    await connection.publish(f"{self.prefix}/{table}/again", payload)
                self.report(AGAIN, "")
            except DatabaseTrouble:  # which others report
                pass
            except ConnectionEnded:  # so that the other half notices, and both begin anew
                await connection.close(tell=False)
                return
            except BrokerTrouble as trouble:
                self.report(AGAIN, str(trouble))
            await self.sleep(AGAIN_S)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(BEHIND_S):
                    await self._gaps.wait()

    def _newest(self, before_s: float) -> dict[str, str]:
        """Return the newest entries of tables, if all has been quiet since *before_s*.

        What the broker still has to send is not missing.
        """
        if self._event_s > before_s:
            return {}
        return {
            name: board.entry
            for name, board in self.boards.items()
            if board.entry and self._board_s[name] <= before_s
        }

    async def _confirm(self) -> None:
        """Say of tables which this broker has not mentioned that they are away."""
        await self.sleep(CONFIRMED_S)

        def away() -> None:
            now = datetime.now(UTC)
            with self.database.write() as session:
                for table in tables(session):
                    if table.is_online and table.name not in self.presence.heard:
                        table.is_online, table.since = False, now

        try:
            await in_thread(away)
        except DatabaseTrouble as trouble:
            self.report(DATABASE, str(trouble))
        self.on_change()
