"""A broker's access list that lets a table write and not read, read and not write, or neither.

Mosquitto grants every subscription, whatever its list says.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.apps.mqtt.broker import Message, Refused
from companion.apps.mqtt.broker_check import check_broker
from companion.apps.mqtt.fake_broker import FakeBroker
from companion.apps.mqtt.naming import ANSWER_S, TableName
from companion.apps.mqtt.start import publish_table
from companion.config import Config
from tests.doctor.machines import built, pi_5
from tests.hub.hubs import HubProcess
from tests.mqtt.listening import Listener
from tests.mqtt.mosquitto import Mosquitto, missing
from tests.mqtt.tables import QUICK, TOPICS, play, played, publishing, until
from tests.tables import sit_down

needs_broker = pytest.mark.skipif(bool(missing()), reason=missing())
READ = "does not let this table read tiki/bar/claim"
WRITE = "does not let this table write to tiki/bar/claim"
REMEDY = "allow its user to in the broker's access list"
LISTS = {
    "write only": ("topic write tiki/bar/#", READ),
    "read only": ("topic read tiki/bar/#", WRITE),
    "another table's": ("topic readwrite tiki/pub/#", WRITE),
}
allowing = pytest.mark.parametrize(("allowed", "said"), LISTS.values(), ids=LISTS)


@contextmanager
def broker_with(folder: Path, *allowed: str) -> Iterator[Mosquitto]:
    """Return a running broker that allows so much to whoever gives no name, and all to `root`."""
    home = folder / "broker"
    home.mkdir()
    access = home / "access"
    access.write_text("\n".join([*allowed, "user root", "topic readwrite #", ""]))
    with Mosquitto(home, f"acl_file {access}") as running:
        yield running


@needs_broker
@allowing
def test_a_table_says_what_its_broker_does_not_let_it_do(
    tmp_path: Path, allowed: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It publishes nothing, and its game goes on."""
    monkeypatch.setattr("companion.apps.mqtt.start.TableName", lambda t: TableName(t, echo_s=1.0))

    async def part(broker: Mosquitto) -> None:
        live_session = sit_down(3)
        task = asyncio.create_task(publish_table(broker.config(), live_session, str, lambda: "en"))
        await until(lambda: live_session.troubles)
        where = f"the broker 127.0.0.1:{broker.port}"
        assert live_session.troubles == (f"MQTT: {where} {said}; {REMEDY}. The game goes on",)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    with broker_with(tmp_path, allowed) as broker, all_of(broker) as listener:
        play(lambda: part(broker))
        assert {each.topic for each in listener.heard} <= {TOPICS.claim, TOPICS.availability}
        assert not any(b"online" in each.payload for each in listener.heard)


@contextmanager
def all_of(broker: Mosquitto) -> Iterator[Listener]:
    """Return who hears all that is published, whatever others may."""
    with Listener(broker.port, "#", user="root") as listener:
        yield listener


@needs_broker
@allowing
def test_the_doctor_says_so_too(tmp_path: Path, allowed: str, said: str) -> None:
    """With the remedy."""
    with broker_with(tmp_path, allowed) as broker:
        found = check_broker(pi_5(), built(config=Config(mqtt=broker.config())))
    assert (found.status, found.remedy) == ("failed", REMEDY)
    assert found.detail == f"the broker 127.0.0.1:{broker.port} {said}"


@needs_broker
def test_what_docs_allow_is_enough(tmp_path: Path) -> None:
    """A table and the doctor beside it, which the table does not take for another one."""

    async def part(broker: Mosquitto, listener: Listener) -> None:
        live_session = sit_down(3)
        task = asyncio.create_task(publish_table(broker.config(), live_session, str, lambda: "en"))
        await until(lambda: listener.of(TOPICS.state))
        mark = len(listener.heard)
        config = Config(mqtt=broker.config())
        found = await asyncio.to_thread(check_broker, pi_5(), built(config=config))
        assert found.detail.endswith("it keeps the state of 'bar'")
        await until(lambda: len(listener.heard) > mark)
        assert [each.topic for each in listener.heard[mark:]] == [TOPICS.claim]
        assert live_session.troubles == ()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    with broker_with(tmp_path, "topic readwrite tiki/bar/#") as broker, all_of(broker) as listener:
        play(lambda: part(broker, listener))


@needs_broker
def test_a_hub_that_may_not_read_says_so(tmp_path: Path) -> None:
    """At its start, for people have to change something first."""
    with broker_with(tmp_path, "topic write tiki/#") as broker:
        hub = HubProcess(tmp_path, broker, f"sqlite:///{tmp_path}/hub.db")
        said = f"the broker 127.0.0.1:{broker.port} does not let this hub read tiki/#; {REMEDY}"
        with hub:
            assert hub.wait_for_end() == 1
        assert said in hub.log()


@needs_broker
def test_a_hub_that_may_not_write_says_so_and_goes_on(tmp_path: Path) -> None:
    """It can ask no table for what it has missed."""
    with (
        broker_with(tmp_path, "topic read tiki/#") as broker,
        HubProcess(tmp_path, broker, f"sqlite:///{tmp_path}/hub.db") as hub,
        all_of(broker) as listener,
    ):
        listener.publish("tiki/bar/availability", b'{"state": "online"}', retain=True)
        state = hub.wait(lambda state: state["tables"] and state["troubles"])
        where = f"the broker 127.0.0.1:{broker.port}"
        said = f"{where} does not let this hub write to tiki/+/again; {REMEDY}"
        assert list(state["troubles"].values()) == [said]


@needs_broker
@pytest.mark.parametrize(
    "allowed",
    [
        ("topic read tiki/#", "topic write tiki/+/again"),
        ("topic read tiki/+/availability", "topic readwrite tiki/+/again"),
    ],
)
def test_a_hub_that_may_do_what_it_has_to_has_no_trouble(
    tmp_path: Path, allowed: tuple[str, ...]
) -> None:
    """As docs/mqtt.md has it, or topic by topic."""
    with broker_with(tmp_path, *allowed) as broker, all_of(broker) as listener:
        listener.publish("tiki/bar/availability", b'{"state": "online"}', retain=True)
        with HubProcess(tmp_path, broker, f"sqlite:///{tmp_path}/hub.db") as hub:
            assert hub.wait(lambda state: state["tables"])["troubles"] == {}


@played
async def test_who_hears_not_itself_takes_no_name() -> None:
    """Two tables of one name would hear nothing of each other."""
    broker, live_session = FakeBroker(unread=(TOPICS.claim, TOPICS.availability)), sit_down(3)
    connection = await broker.client("bar").connect(Message("unused", b""))
    with pytest.raises(Refused, match="does not let this table read tiki/bar/claim"):
        await TableName(TOPICS, **QUICK, echo_s=0.1).claim(connection)
    assert {each.topic for each in broker.published} == {TOPICS.claim}
    broker.unread = ()
    async with publishing(live_session, broker):
        await until(lambda: TOPICS.state in broker.kept)
    assert live_session.troubles == ()


@played
async def test_another_table_that_the_broker_has_not_kept_is_heard_all_the_same() -> None:
    """It answers at once to whoever asks for its name."""
    broker, live_session = FakeBroker(), sit_down(3)
    async with publishing(live_session, broker):
        await until(lambda: TOPICS.state in broker.kept)
        del broker.kept[TOPICS.availability]
        late = await broker.client("late").connect(Message("unused", b""))
        with pytest.raises(Exception, match="another table is called 'bar'"):
            await TableName(TOPICS, **{**QUICK, "kept_s": 5.0}).claim(late)
    assert ANSWER_S < 10
