"""docs/mqtt.md: its examples are run against a real broker, its messages and its card are true."""

import asyncio
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from companion.apps.mqtt.discovery import Discovery, components_of
from companion.apps.mqtt.fake_broker import FakeBroker
from companion.apps.mqtt.messages import IDOL_KINDS, TOWER_KINDS
from companion.apps.mqtt.start import publish_table
from companion.apps.mqtt.topics import SCHEMA, Topics
from companion.config import MqttConfig
from tests.mqtt.listening import Listener
from tests.mqtt.mosquitto import Mosquitto, missing
from tests.mqtt.tables import TOPICS, actions, play, played, publishing, until
from tests.tables import sit_down

PAGE = (Path(__file__).parents[2] / "docs" / "mqtt.md").read_text()


def blocks(kind: str) -> list[str]:
    """Return the examples of a kind."""
    return re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)


@played
async def test_the_table_of_topics_is_complete() -> None:
    """Every topic has a row, and every kind of event its word."""
    rows = re.findall(r"^\| `(tiki/bar/\w+)` \| (\w*) ?\| (.*) \|$", PAGE, re.MULTILINE)
    named = [
        getattr(TOPICS, name) for name in vars(Topics) if isinstance(vars(Topics)[name], property)
    ]
    assert sorted(topic for topic, _, _ in rows) == sorted(named)
    words = {topic: words for topic, _, words in rows}
    for topic, kinds in ((TOPICS.tower, TOWER_KINDS), (TOPICS.idol, IDOL_KINDS)):
        assert all(f"`{kind}`" in words[topic] for kind in kinds)
    retained = {topic for topic, kept, _ in rows if kept == "yes"}
    broker, live_session = FakeBroker(), sit_down(3)
    async with publishing(live_session, broker):
        await until(lambda: TOPICS.state in broker.kept)
        assert set(broker.kept) == retained


def shape(thing: Any) -> Any:
    """Return the names and types of what JSON holds."""
    if isinstance(thing, dict):
        return {name: shape(value) for name, value in thing.items()}
    return [shape(each) for each in thing[:1]] if isinstance(thing, list) else type(thing).__name__


@played
async def test_the_example_of_an_event_looks_like_one() -> None:
    """The same fields of the same types; ids and places fit each other."""
    (example,) = map(json.loads, blocks("json"))
    assert example["schema"] == SCHEMA
    broker, live_session = FakeBroker(), sit_down(3)
    async with publishing(live_session, broker):
        for move in actions()[:2]:
            live_session.referee.enter(move)
        await until(lambda: sum(each.topic == TOPICS.events for each in broker.published) == 2)
    real = json.loads(
        [each.payload for each in broker.published if each.topic == TOPICS.events][-1]
    )
    real["event"].pop("table", None)
    assert shape(real) == shape(example)
    assert list(real) == list(example)


def test_the_card_names_entities_as_home_assistant_does() -> None:
    """By the ids that it is asked to give them."""
    components = components_of(TOPICS, 3, Discovery(is_on=True, commands=True))
    known = {each["default_entity_id"] for each in components.values()}
    named = re.findall(r"\b((?:sensor|event|button)\.\w+)", "\n".join(blocks("yaml")))
    assert len(named) >= 8
    assert set(named) <= known


needs_broker = pytest.mark.skipif(bool(missing()), reason=missing())


@needs_broker
def test_the_commands_of_the_page_show_what_they_say(tmp_path: Path) -> None:
    """Each is run as it stands, at our broker; the one that takes back does."""
    lines = [line for block in blocks("sh") for line in block.splitlines()]
    assert len(lines) == 4
    live_session = sit_down(3)
    live_session.referee.enter(actions()[0])

    async def part(broker: Mosquitto) -> None:
        config = broker.config(commands=True)
        table = asyncio.create_task(publish_table(config, live_session, str, lambda: "en"))
        found: dict[str, str] = {}
        for line in lines:
            words = shlex.split(line.replace("broker.local", "127.0.0.1"))
            ending = ["-C", "1", "-W", "10"] if words[0] == "mosquitto_sub" else []
            running = asyncio.create_task(
                asyncio.to_thread(
                    subprocess.run,
                    [*words, "-p", str(broker.port), *ending],
                    capture_output=True,
                    text=True,
                    check=False,
                )
            )
            await asyncio.sleep(0.7)  # until it listens
            if "events" in line:
                live_session.referee.enter(actions()[1])
                live_session.changed()
            done = await running
            assert done.returncode == 0, (line, done.stderr)
            found[words[-1]] = done.stdout
        assert '"title": "Tiki Topple"' in found["tiki/+/state"]
        assert json.loads(found["tiki/+/events"])["event"]["seq"] == 2
        assert '"online"' in found["tiki/+/availability"]
        await until(lambda: live_session.session.entries[-1].event.type == "undo")
        table.cancel()
        await asyncio.wait({table})

    with Mosquitto(tmp_path) as broker:
        play(lambda: part(broker))


@needs_broker
def test_the_program_of_the_page_prints_each_move_once(tmp_path: Path) -> None:
    """As it stands, at our broker; an event that comes twice is dropped, a missing one named."""
    (program,) = blocks("python")

    def event(seq: int) -> bytes:
        found = {
            "table": "bar",
            "session": 1,
            "seq": seq,
            "id": f"id-{seq}",
            "after": f"id-{seq - 1}",
        }
        return json.dumps({**found, "event": {"type": "move", "action": f"move-{seq}"}}).encode()

    with Mosquitto(tmp_path) as broker, Listener(broker.port, "tiki/#") as listener:
        known = program.replace('"broker.local"', f'"127.0.0.1", {broker.port}')
        with subprocess.Popen(
            [sys.executable, "-c", known], stdout=subprocess.PIPE, text=True
        ) as running:
            try:
                assert running.stdout
                log = tmp_path / "mosquitto.log"
                listener.wait(lambda: "as moves" in log.read_text())
                listener.publish("tiki/bar/claim", b"{}")  # so that its subscription has come
                for seq in (1, 2, 2, 4):
                    listener.publish("tiki/bar/events", event(seq))
                said = [running.stdout.readline().strip() for _ in range(4)]
            finally:
                running.kill()
    assert said == [
        "bar 1 1 move-1",
        "bar 1 2 move-2",
        "bar something is missing before id-4",
        "bar 1 4 move-4",
    ]


@needs_broker
def test_the_access_list_of_the_page_lets_the_table_do_all_that_it_does(tmp_path: Path) -> None:
    """State, events, Home Assistant and the defence of its name; no trouble is told."""
    settings, _, acl = blocks("conf")
    (tmp_path / "tiki-access").write_text(acl)
    subprocess.run(
        ["mosquitto_passwd", "-b", "-c", tmp_path / "tiki-passwords", "bar", "pw"], check=True
    )
    listener, *lines = settings.replace("/etc/mosquitto", str(tmp_path)).splitlines()
    assert listener == f"listener {MqttConfig().port_used}"
    assert len(lines) == 3
    live_session = sit_down(3)
    live_session.referee.enter(actions()[0])

    async def part(broker: Mosquitto) -> None:
        config = broker.config(user="bar", password="pw", discovery=True, commands=True)
        table = asyncio.create_task(publish_table(config, live_session, str, lambda: "en"))
        await asyncio.sleep(1.5)
        assert live_session.troubles == ()
        refused = sit_down(3)
        other = asyncio.create_task(
            publish_table(
                broker.config(user="bar", password="pw", discovery=True, table="pub"), refused, str,
                lambda: "en",
            )
        )  # fmt: skip
        await until(lambda: refused.troubles)
        for task in (table, other):
            task.cancel()
        await asyncio.wait({table, other})

    with Mosquitto(tmp_path, *lines) as broker:
        play(lambda: part(broker))
