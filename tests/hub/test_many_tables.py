"""A hundred tables, a real broker and a real database; broker, hub and database are killed."""

import asyncio
import time
from collections import Counter
from collections.abc import Mapping
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from companion.apps.hub.database import Database, parse_url
from companion.apps.hub.overview import read_standings
from companion.apps.hub.schema import EventRow, GapRow
from companion.apps.mqtt.start import publish_table
from companion.apps.statistics.past_games import standings, summary_of
from companion.referee.live_session import LiveSession
from companion.referee.past import GameCourse, open_course
from companion.session.log import Log
from tests.hub.hubs import HubProcess
from tests.hub.kept_events import enter, has_all, kept, logged, script
from tests.hub.postgres import Postgres
from tests.hub.postgres import missing as no_postgres
from tests.mqtt.mosquitto import Mosquitto
from tests.mqtt.mosquitto import missing as no_mosquitto
from tests.tables import sit_down

MISSING = no_mosquitto() or no_postgres()
pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(MISSING), reason=MISSING)]

TABLES = 100
DEADLINE_S = 400.0
PLAYERS = [f"Player {number}" for number in range(1, 61)]


class Chaos:
    """What is killed and started again, before which of the moves of all tables."""

    def __init__(self, broker: Mosquitto, hub: HubProcess, database: Postgres | None) -> None:
        self.counts: Counter[str] = Counter()
        self._acts = {
            2: ("hub killed", hub.kill),
            4: ("", hub.start),
            6: ("broker killed", broker.kill),
            8: ("", broker.start),
            10: ("database killed", database.kill if database else _nothing),
            13: ("", database.start if database else _nothing),
            15: ("broker killed", broker.kill),
            16: ("hub killed", hub.kill),
            17: ("", broker.start),
            18: ("", hub.start),
            20: ("database killed", database.kill if database else _nothing),
            21: ("hub killed", hub.kill),
            22: ("", database.start if database else _nothing),
            23: ("", hub.start),
            24: ("broker killed", broker.kill),
            25: ("", broker.start),
        }

    async def before(self, move: int) -> None:
        """Do what is due before *move*."""
        name, act = self._acts.get(move, ("", _nothing))
        if name and act is not _nothing:
            self.counts[name] += 1
        await asyncio.to_thread(act)


def _nothing() -> None:
    pass


async def play_all(
    broker: Mosquitto, url: str, tables: Mapping[str, LiveSession], chaos: Chaos
) -> None:
    """Play at all tables, and wait until the hub has all of it."""
    tasks = [
        asyncio.create_task(publish_table(broker.config(table=name), each, str, lambda: "en"))
        for name, each in tables.items()
    ]
    scripts = {name: list(script(seed)) for seed, name in enumerate(tables)}
    for move in range(max(map(len, scripts.values()))):
        await chaos.before(move)
        for name, live_session in tables.items():
            if move < len(scripts[name]):
                enter(live_session, scripts[name][move])
            await asyncio.sleep(0)
        await asyncio.sleep(0.3)
    wanted = {name: logged(each.log) for name, each in tables.items()}
    with suppress(TimeoutError):  # what is missing then is told below
        async with asyncio.timeout(DEADLINE_S):
            while not await asyncio.to_thread(has_all, url, wanted):  # noqa: ASYNC110
                await asyncio.sleep(1.0)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def own_standings(tables: Mapping[str, LiveSession]) -> set[tuple[str, int, int]]:
    """Return who has played and won how many finished games, as the tables' logs have it."""
    games: list[Any] = []
    for each in tables.values():
        for number in each.log.opened():
            if number == each.session.number:
                games.append(summary_of(number, GameCourse(each.session, each.game)))
            else:
                games.append(summary_of(number, open_course(each.log, number)))
    return {(line.name, line.games, line.won) for line in standings(games)}


def players_of(number: int) -> tuple[str, ...]:
    """Return who sits at a table: everybody plays at several."""
    return tuple(PLAYERS[(3 * number + seat * 7) % len(PLAYERS)] for seat in range(3))


@pytest.mark.timeout(900)
@pytest.mark.parametrize("kind", ["postgresql", "sqlite"])
def test_a_hundred_tables_are_kept_exactly_once(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is killed meanwhile; the standings are those of the tables' own logs."""
    began_s = time.monotonic()
    (tmp_path / "broker").mkdir()
    with ExitStack() as stack:
        server = stack.enter_context(Postgres()) if kind == "postgresql" else None
        url = server.url() if server else f"sqlite:///{tmp_path}/hub.db"
        broker = stack.enter_context(Mosquitto(tmp_path / "broker"))
        hub = stack.enter_context(HubProcess(tmp_path, broker, url))
        hub.wait(lambda state: not state["troubles"])
        broker.save()
        tables: dict[str, LiveSession] = {}
        for number in range(TABLES):
            monkeypatch.setattr("tests.tables.NAMES", players_of(number))
            log = stack.enter_context(Log(tmp_path / f"table-{number}.db"))
            tables[f"table-{number}"] = sit_down(3, log=log, rounds=1, tie="share")
        chaos = Chaos(broker, hub, server)
        asyncio.run(play_all(broker, url, tables, chaos))
        assert hub.stop() == 0
        database = stack.enter_context(closing(Database(parse_url(url))))
        found = kept(database)
        with database.read() as session:
            late = session.scalar(select(func.count()).where(EventRow.is_late))
            gaps = session.scalar(select(func.count(GapRow.id)))
            lines = {(line.name, line.games, line.won) for line in read_standings(session)}
        wanted = {name: logged(each.log) for name, each in tables.items()}
        own = own_standings(tables)
    events = sum(map(len, found.values()))
    killed = ", ".join(f"{name} {count} times" for name, count in chaos.counts.items())
    with capsys.disabled():
        print(  # noqa: T201 - its counts are what it is for
            f"\n{kind}: {TABLES} tables, {sum(map(len, wanted.values()))} entries, {events} events"
            f" kept, {events - sum(len(set(ids)) for ids in found.values())} twice, {gaps} gaps,"
            f" {late} late; {len(lines)} players in the standings; {killed};"
            f" {time.monotonic() - began_s:.0f} s"
        )
    assert found == wanted
    assert gaps == 0
    assert lines == own
    assert len(lines) >= len(PLAYERS) // 2
    assert "Traceback" not in hub.log()
