"""A broker's acknowledgement is no promise: Mosquitto is killed after it, and loses what it had."""

import asyncio
import json
import re
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from itertools import count
from pathlib import Path
from typing import Final

import pytest
from sqlalchemy import func, select

from companion.apps.hub.database import Database, parse_url
from companion.apps.hub.hub import KEPT_S
from companion.apps.hub.schema import GapRow
from companion.apps.mqtt.broker import Connection
from companion.apps.mqtt.paho_broker import PahoBroker
from companion.apps.mqtt.start import ENDING, publish_table
from companion.referee.live_session import LiveSession
from companion.session.log import Log
from tests.hub.hubs import HubProcess
from tests.hub.kept_events import enter, has_all, kept, logged, script
from tests.mqtt.listening import Listener
from tests.mqtt.mosquitto import Mosquitto, missing
from tests.mqtt.tables import TOPICS, play, until
from tests.tables import sit_down

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing())

PAGE: Final = Path(__file__).parents[2] / "docs" / "mqtt.md"
INSTALLED: Final = ("max_queued_messages 1000",)
"""What Mosquitto does if its settings say nothing but `persistence true`."""
RIGHT_S: Final = 10.0
HEALED_S: Final = 180.0
SOME: Final = 5
"""So many events between two kills in a game."""
MANY: Final = 1200
"""More than Mosquitto keeps for a reader that is away."""


def advised() -> tuple[str, ...]:
    """Return the settings by which, as docs/mqtt.md has it, Mosquitto loses less."""
    (block,) = re.findall(r"```conf\n(autosave.*?)```", PAGE.read_text(), re.DOTALL)
    return tuple(block.splitlines())


def moves() -> Iterator[str]:
    """Yield moves and beginnings of games without end."""
    for seed in count():
        yield from script(seed)


class Trial:
    """A table, its broker and a hub at it; *url*: the hub's database."""

    def __init__(self, live_session: LiveSession, broker: Mosquitto, hub: HubProcess, url: str):
        self.live_session, self.broker, self.hub, self.url = live_session, broker, hub, url
        self._moves, self.right_s = moves(), list[float]()

    async def play(self, events: int) -> None:
        """Play until so many more events have been acknowledged by the broker."""
        for _ in range(events):
            enter(self.live_session, next(self._moves))
            await asyncio.sleep(0)
        newest = logged(self.live_session.log)[-1]
        await until(lambda: self._acknowledged() == newest)

    def _acknowledged(self) -> str:
        """Return the id of the newest event that the broker has acknowledged."""
        outbox = self.live_session.log.beside(ENDING)
        assert outbox
        return str(json.loads(outbox.read_bytes())["newest"]) if outbox.exists() else ""

    async def kill(self) -> None:
        """Kill the broker and start it again; its retained state has to be right soon."""
        await asyncio.to_thread(self.broker.kill)
        enter(self.live_session, next(self._moves))
        await asyncio.to_thread(self.broker.start)
        began_s = time.monotonic()
        while not await asyncio.to_thread(self._is_right):
            assert time.monotonic() - began_s < RIGHT_S, self.right_s
            await asyncio.sleep(0.1)
        self.right_s.append(time.monotonic() - began_s)

    def _is_right(self) -> bool:
        """Return whether whoever comes now is told that the table is there, and how it stands."""
        words = ("mosquitto_sub", "-p", str(self.broker.port), "-C", "2", "-W", "1")
        topics = ("-t", TOPICS.availability, "-t", TOPICS.state)
        told = subprocess.run((*words, *topics), capture_output=True, check=False).stdout
        found = [json.loads(line) for line in told.splitlines()]
        ids = [each["id"] for each in found if "id" in each]
        return ids == [self.live_session.feed.newest_id] and {"online"} == {
            each["state"] for each in found if "instance" in each
        }

    async def heals(self) -> None:
        """Wait until the hub has all; it asks for what the broker has forgotten."""
        wanted = {"bar": logged(self.live_session.log)}
        began_s = time.monotonic()
        while not await asyncio.to_thread(has_all, self.url, wanted):
            if time.monotonic() - began_s > HEALED_S:
                break  # what is missing then is told by the test
            await asyncio.sleep(0.5)


async def evening(trial: Trial, kills: int, events: int) -> None:
    """Kill the broker so often in a game, and as often while the hub is away for *events*."""
    publishing = partial(publish_table, trial.broker.config(), trial.live_session)
    task = asyncio.create_task(publishing(str, lambda: "en"))
    for _ in range(kills):
        await trial.play(SOME)
        await trial.kill()
    await asyncio.to_thread(trial.hub.kill)
    for _ in range(kills):
        await trial.play(events // kills)
        await trial.kill()
    await asyncio.to_thread(trial.hub.start)
    await trial.heals()
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


@pytest.mark.timeout(900)
@pytest.mark.slow(keep=["installed-2-60"])
@pytest.mark.parametrize(("kills", "events"), [(2, 60), (10, 2500)])
@pytest.mark.parametrize("lines", [INSTALLED, advised()], ids=["installed", "advised"])
def test_a_broker_killed_after_acknowledging_costs_nothing(
    kills: int,
    events: int,
    lines: tuple[str, ...],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """In mid-game, and while the hub is away; nothing is lost or doubled at the hub."""
    (tmp_path / "broker").mkdir()
    url = f"sqlite:///{tmp_path}/hub.db"
    with (
        Log(tmp_path / "games.db") as log,
        Mosquitto(tmp_path / "broker", *lines) as broker,
        HubProcess(tmp_path, broker, url) as hub,
    ):
        hub.wait(lambda state: not state["troubles"])
        trial = Trial(sit_down(3, log=log, rounds=1, tie="share"), broker, hub, url)
        began_s = time.monotonic()
        asyncio.run(evening(trial, kills, events))
        took_s = time.monotonic() - began_s
        hub.stop()
        with closing(Database(parse_url(url))) as database:
            found = kept(database)
            with database.read() as session:
                gaps = session.scalar(select(func.count(GapRow.id)))
        assert found == {"bar": logged(log)}
        assert gaps == 0
    if events >= MANY:
        with capsys.disabled():
            print(  # noqa: T201 - its counts are what it is for
                f"\n{lines}: killed {2 * kills} times, {len(found['bar'])} events kept, none twice;"
                f" the state right after {max(trial.right_s):.1f} s at most; {took_s:.0f} s"
            )


@pytest.mark.slow
def test_what_no_longer_fits_a_brokers_queue_is_asked_for(tmp_path: Path) -> None:
    """Mosquitto drops it, and tells the table that all is well."""
    (tmp_path / "broker").mkdir()
    url = f"sqlite:///{tmp_path}/hub.db"

    async def part(trial: Trial) -> None:
        publishing = publish_table(broker.config(), trial.live_session, str, lambda: "en")
        task = asyncio.create_task(publishing)
        await trial.play(3)
        await trial.heals()
        await asyncio.to_thread(hub.kill)
        await trial.play(MANY)
        await asyncio.to_thread(hub.start)
        await trial.heals()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    with (
        Log(tmp_path / "games.db") as log,
        Mosquitto(tmp_path / "broker", *INSTALLED) as broker,
        HubProcess(tmp_path, broker, url) as hub,
    ):
        hub.wait(lambda state: not state["troubles"])
        trial = Trial(sit_down(3, log=log, rounds=1, tie="share"), broker, hub, url)
        asyncio.run(part(trial))
        with closing(Database(parse_url(url))) as database:
            assert kept(database) == {"bar": logged(log)}


def test_a_kept_session_survives_the_end_of_its_broker(tmp_path: Path) -> None:
    """Mosquitto forgets one that was made with a clean start, for how long it was to be kept."""

    async def hear(broker: Mosquitto) -> Connection:
        connection = await PahoBroker(broker.config(), "hub", keep_s=KEPT_S).connect()
        await connection.subscribe("tiki/+/events")
        return connection

    async def part(broker: Mosquitto) -> None:
        await (await hear(broker)).close(tell=False)
        with Listener(broker.port, "tiki/none") as other:
            other.publish(TOPICS.events, b"meanwhile")
        await asyncio.to_thread(broker.end)
        await asyncio.to_thread(broker.start)
        connection = await hear(broker)
        async with asyncio.timeout(RIGHT_S):
            assert (await connection.receive()).payload == b"meanwhile"
        await connection.close(tell=False)

    with Mosquitto(tmp_path) as broker:
        play(lambda: part(broker))
