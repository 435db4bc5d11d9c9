"""What comes from a broker: acknowledged once it is kept, whatever fails meanwhile."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.orm import Session

from companion.apps.hub.database import Database, DatabaseTrouble
from companion.apps.hub.reception import (
    ASKING,
    CONFIRMED_S,
    DATABASE,
    EVENTS,
    STATES,
    TRIES,
    Reception,
)
from companion.apps.hub.store import missing
from companion.apps.mqtt.broker import Message
from companion.apps.mqtt.fake_broker import FakeBroker, FakeConnection
from tests.hub.publishing import Table, kept, message, open_database, table
from tests.mqtt.tables import actions, play, publishing, until
from tests.tables import sit_down

FULL = DatabaseTrouble("the database hub.db cannot be used: it is full; free some space")


@dataclass
class Sleep:
    """Waits a moment in place of seconds; what is to wait for *held_s* waits for `release`."""

    held_s: float = CONFIRMED_S
    release: asyncio.Event = field(default_factory=asyncio.Event)

    async def __call__(self, seconds: float) -> None:
        """Wait."""
        await (self.release.wait() if seconds == self.held_s else asyncio.sleep(0.01))


@dataclass
class House:
    """A reception at a fake broker."""

    broker: FakeBroker
    reception: Reception
    sleep: Sleep

    @property
    def connection(self) -> FakeConnection:
        """The hub's, by which events come."""
        return self.broker._open["hub"]

    async def listens(self) -> None:
        """Wait until the hub has subscribed to all that it wants."""
        await until(lambda: {"hub", "hub-now"} <= set(self.broker._open))
        await until(lambda: self.connection.topics and self.broker._open["hub-now"].topics)


@asynccontextmanager
async def receiving(database: Database) -> AsyncIterator[House]:
    """Receive what a fake broker has."""
    broker, sleep = FakeBroker(), Sleep()
    reception = Reception(
        "tiki", database, broker.client("hub"), broker.client("hub-now"), sleep=sleep
    )
    jobs = (reception.receive_events(), reception.receive_states())
    tasks = [asyncio.create_task(job) for job in jobs]
    house = House(broker, reception, sleep)
    try:
        await house.listens()
        yield house
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def run(folder: Path, part: Callable[[House, Database], Any]) -> None:
    """Run *part* at a reception with a database of its own."""
    with closing(open_database(folder)) as database:

        async def within() -> None:
            async with receiving(database) as house:
                await part(house, database)

        play(within)


def test_a_broker_that_lets_the_hub_only_write_or_only_read_is_named(tmp_path: Path) -> None:
    """Also one that comes later, or changes its list; who may not write goes on reading."""
    unread = "the broker does not let this table read tiki/#"
    unwritten = "the broker does not let this table write to tiki/+/again"

    async def part(house: House, database: Database) -> None:
        broker, troubles = house.broker, house.reception.troubles
        topic = f"tiki/{database.client_id}/again"
        broker.unread = (topic,)
        broker.cut("hub-now")
        await until(lambda: troubles.get(STATES) == unread)
        broker.unread, broker.denied = (), (topic,)
        await until(lambda: troubles.get(ASKING) == unwritten)
        broker.cut("hub-now")
        await until(lambda: troubles == {ASKING: unwritten})
        broker.take(Message("tiki/bar/availability", b'{"state": "online"}'), retain=True)
        await until(lambda: "bar" in house.reception.presence.heard)
        assert not any(each.topic == "tiki/bar/again" for each in broker.published)
        broker.denied, broker.unread = (), (topic,)
        broker.cut("hub-now")
        await until(lambda: not troubles)

    run(tmp_path, part)


def test_what_is_kept_is_acknowledged_and_only_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the database refuses nothing is; then all of it, in order, each once."""
    refuses = True

    async def part(house: House, database: Database) -> None:
        nonlocal refuses
        write = database.write

        @contextmanager
        def failing() -> Iterator[Session]:
            with write() as session:
                yield session
                if refuses:
                    raise FULL

        monkeypatch.setattr(database, "write", failing)
        bar = Table()
        for _ in range(5):
            house.broker.take(bar.event())
        await until(lambda: house.reception.troubles)
        assert house.reception.troubles == {DATABASE: str(FULL)}
        assert (house.connection.acknowledged, kept(database)) == ([], [])
        refuses = False
        await until(lambda: len(house.connection.acknowledged) == 5)
        assert [row[3] for row in kept(database)] == [1, 2, 3, 4, 5]
        assert house.reception.troubles == {}

    run(tmp_path, part)


def test_an_event_that_no_database_takes_does_not_hold_up_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is tried some times, alone, and then left with a line in the journal."""

    async def part(house: House, database: Database) -> None:
        tried = []
        take = house.reception._take

        def picky(batch: list[Message]) -> object:
            if any(b'"seq": 2' in each.payload for each in batch):
                tried.append(len(batch))
                raise DatabaseTrouble("a number is too large", is_ours=True)
            return take(batch)

        monkeypatch.setattr(Reception, "_take", lambda _, batch: picky(batch))
        bar = Table()
        for _ in range(4):
            house.broker.take(bar.event())
        await until(lambda: len(house.connection.acknowledged) == 4)
        assert [row[3] for row in kept(database)] == [1, 3, 4]
        assert [count for count in tried if count == 1] == [1] * TRIES

    run(tmp_path, part)


def test_what_is_no_event_is_acknowledged_too(tmp_path: Path) -> None:
    """Else it would come for ever."""

    async def part(house: House, database: Database) -> None:
        house.broker.take(Message("tiki/bar/events", b"{"))
        house.broker.take(Table().event())
        await until(lambda: len(house.connection.acknowledged) == 2)
        assert len(kept(database)) == 1
        assert house.reception.counts.refused == 1

    run(tmp_path, part)


def test_a_broker_that_comes_back_is_found_again(tmp_path: Path) -> None:
    """Meanwhile the pages say so."""

    async def part(house: House, database: Database) -> None:
        house.broker.stop()
        await until(lambda: "cannot be reached" in house.reception.troubles.get(EVENTS, ""))
        house.broker.start()
        await house.listens()
        await until(lambda: not house.reception.troubles)
        house.broker.take(Table().event())
        await until(lambda: kept(database))

    run(tmp_path, part)


def test_a_table_is_asked_for_what_is_missing(tmp_path: Path) -> None:
    """A real one, whose broker has lost events: it publishes again what followed the last known."""

    async def part(house: House, database: Database) -> None:
        live_session, moves = sit_down(3), actions()
        async with publishing(live_session, house.broker):
            live_session.referee.enter(moves[0])
            await until(lambda: len(kept(database)) == 1)
            taking = house.broker.take
            house.broker.take = lambda *_, **__: None  # type: ignore[method-assign]
            for move in moves[1:4]:
                live_session.referee.enter(move)
            await until(lambda: live_session.session.next_seq == 5)
            await asyncio.sleep(0.2)
            house.broker.take = taking  # type: ignore[method-assign]
            live_session.referee.enter(moves[4])
            await until(lambda: len(kept(database)) == 5)
            await until(lambda: not gaps_of(database))

    run(tmp_path, part)


def test_a_table_is_asked_for_its_newest_entry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No event came after it, so that its scoreboard alone tells of it; also the very first one."""
    monkeypatch.setattr("companion.apps.hub.reception.BEHIND_S", 0.1)
    monkeypatch.setattr("companion.apps.hub.reception.GAPS_S", 0.1)
    monkeypatch.setattr("companion.apps.mqtt.publisher.GOING_BACK_S", 0.1)

    async def part(house: House, database: Database) -> None:
        live_session, moves = sit_down(3), actions()
        async with publishing(live_session, house.broker):
            taking = house.broker.take

            def lossy(message: Message, *, retain: bool = False) -> None:
                if not message.topic.endswith("/events"):
                    taking(message, retain=retain)

            for count in (2, 4):
                house.broker.take = lossy  # type: ignore[method-assign]
                for move in moves[count - 2 : count]:
                    live_session.referee.enter(move)
                live_session.changed()
                await asyncio.sleep(0.3)
                assert len(kept(database)) == count - 2
                house.broker.take = taking  # type: ignore[method-assign]
                await until(partial(has_kept, database, count))

    run(tmp_path, part)


def has_kept(database: Database, count: int) -> bool:
    """Return whether so many events are kept."""
    return len(kept(database)) == count


def gaps_of(database: Database) -> dict[str, str]:
    """Return what is missing."""
    with database.read() as session:
        return missing(session)


STATE = {
    "schema": 1, "game": "topple", "title": "Topple", "players": [{"name": "Ann", "score": 4}],
    "something": "new",
}  # fmt: skip


def test_scoreboards_and_who_is_there_are_known(tmp_path: Path) -> None:
    """A field that is new is ignored; what is no scoreboard changes nothing."""

    async def part(house: House, database: Database) -> None:
        house.broker.take(message("bar", STATE, "state"))
        house.broker.take(message("bar", {"players": 3}, "state"))
        house.broker.take(message("bar", {"state": "online", "instance": "1"}, "availability"))
        house.broker.take(message("bar", {"state": "perhaps"}, "availability"))
        house.broker.take(message("a b", {"state": "online"}, "availability"))
        await until(lambda: house.reception.boards and house.reception.presence.heard)
        await until(lambda: _is_online(database))
        assert house.reception.boards["bar"].players[0].score == 4
        house.broker.take(message("bar", {"state": "offline", "instance": "1"}, "availability"))
        await until(lambda: not _is_online(database))

    run(tmp_path, part)


def _is_online(database: Database) -> bool:
    try:
        return table(database).is_online
    except AssertionError:  # not there yet
        return False


def test_a_table_that_a_broker_does_not_mention_is_away(tmp_path: Path) -> None:
    """It went while the broker was down, which therefore never said so."""

    async def part(house: House, database: Database) -> None:
        for name in ("bar", "pub"):
            house.broker.take(message(name, {"state": "online", "instance": name}, "availability"))
        await until(lambda: _is_online(database) and house.reception.presence.heard >= {"pub"})
        house.broker.stop()
        house.broker.start()
        await house.listens()
        house.broker.take(message("bar", {"state": "online", "instance": "bar"}, "availability"))
        await until(lambda: house.reception.presence.heard == {"bar"})
        house.sleep.release.set()
        await until(lambda: not table(database, "pub").is_online)
        assert table(database, "bar").is_online

    run(tmp_path, part)
