"""A hundred tables at one broker, which is killed and started again while they play."""

import asyncio
import time
from collections import Counter, defaultdict
from contextlib import ExitStack
from pathlib import Path

import pytest

from companion.apps.mqtt.start import publish_table
from companion.referee.live_session import LiveSession
from companion.session.log import Log
from tests.mqtt.listening import Listener
from tests.mqtt.mosquitto import Mosquitto, missing
from tests.mqtt.reader import Reader, logged
from tests.mqtt.tables import actions
from tests.tables import sit_down

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing())

TABLES = 100
MOVES = 15
KILLED_AT, STARTED_AT, RESTARTED_AT = 4, 8, 11
"""Before which move of every table the broker goes and comes, and all companions start again."""
DEADLINE_S = 200.0


def readers(listener: Listener) -> dict[str, Reader]:
    """Return a reader of each table that has heard what *listener* has."""
    found: dict[str, Reader] = defaultdict(Reader)
    for message in tuple(listener.heard):
        if message.topic.endswith("/events"):
            found[message.topic.split("/")[1]].take(message.payload)
    return found


def publish(broker: Mosquitto, tables: dict[str, LiveSession]) -> "list[asyncio.Task[None]]":
    """Let all *tables* publish."""
    return [
        asyncio.create_task(publish_table(broker.config(table=name), each, str, lambda: "en"))
        for name, each in tables.items()
    ]


async def play_all(broker: Mosquitto, tables: dict[str, LiveSession], listener: Listener) -> None:
    """Play at all *tables*, until *listener* has heard all of it."""
    tasks = publish(broker, tables)
    scripts = {name: actions(seed) for seed, name in enumerate(tables)}
    for move in range(MOVES):
        if move == KILLED_AT:
            await asyncio.to_thread(broker.kill)
        if move == STARTED_AT:
            await asyncio.to_thread(broker.start)
        if move == RESTARTED_AT:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            tasks = publish(broker, tables)
        for name, live_session in tables.items():
            live_session.referee.enter(scripts[name][move])
            live_session.changed()
            await asyncio.sleep(0)
        await asyncio.sleep(0.1)
    wanted = {name: logged(each.log) for name, each in tables.items()}
    async with asyncio.timeout(DEADLINE_S):
        while {name: each.entries for name, each in readers(listener).items()} != wanted:  # noqa: ASYNC110 - of another thread
            await asyncio.sleep(0.5)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


@pytest.mark.slow
def test_a_hundred_tables_lose_and_double_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The broker is killed in mid-game, and every companion is started again."""
    began_s = time.monotonic()
    (tmp_path / "broker").mkdir()
    with ExitStack() as stack:
        broker = stack.enter_context(Mosquitto(tmp_path / "broker"))
        tables = {
            f"table-{number}": sit_down(
                3, log=stack.enter_context(Log(tmp_path / f"table-{number}.db"))
            )
            for number in range(TABLES)
        }
        listener = stack.enter_context(Listener(broker.port, "tiki/#"))
        broker.save()
        asyncio.run(play_all(broker, tables, listener))
        heard = readers(listener)
        entries = sum(len(each.log.entries(1)) for each in tables.values())
    counts = Counter(message.topic.split("/")[2] for message in listener.heard)
    doubles = sum(each.doubles for each in heard.values())
    missed = sum(len(each.missed) for each in heard.values())
    with capsys.disabled():
        print(  # noqa: T201 - its counts are what it is for
            f"\n{TABLES} tables, {entries} entries, heard {counts['events']} events and"
            f" {counts['state']} states in {time.monotonic() - began_s:.0f} s; {doubles} sent twice"
            f" and dropped, {missed} missed"
        )
    assert len(heard) == TABLES
    assert entries >= TABLES * MOVES
    assert sum(len(each.entries) for each in heard.values()) == entries
    assert missed == 0
