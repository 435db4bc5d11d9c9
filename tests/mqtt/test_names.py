"""Two tables of one name: noticed, said, and neither spoils what the other publishes."""

import asyncio
from pathlib import Path

import pytest

from companion.apps.mqtt.broker import Message
from companion.apps.mqtt.fake_broker import FakeBroker
from companion.apps.mqtt.messages import OFFLINE, ONLINE, availability, decode
from companion.apps.mqtt.naming import TableName
from tests.mqtt.tables import QUICK, TOPICS, actions, played, publishing, until
from tests.tables import sit_down

TAKEN = "another table is called 'bar' on this broker; give one of them another mqtt.table"


def online(broker: FakeBroker) -> str:
    """Return which instance is online, "" if none is."""
    found = decode(broker.kept.get(TOPICS.availability, b"{}"))
    return str(found["instance"]) if found.get("state") == ONLINE else ""


@played
async def test_the_second_table_of_a_name_says_so_and_publishes_nothing() -> None:
    """Its game goes on; when the first one leaves, it takes the name."""
    broker, first, second = FakeBroker(), sit_down(3), sit_down(2)
    async with publishing(second, broker, client_id="second") as late:
        async with publishing(first, broker, client_id="first"):
            await until(lambda: online(broker))
            await until(lambda: first.troubles or second.troubles)
            loser, winner = (first, second) if first.troubles else (second, first)
            assert loser.troubles == (f"MQTT: {TAKEN}. The game goes on",)
            assert winner.troubles == ()
            mark = len(broker.published)
            loser.referee.enter(actions()[0])
            loser.changed()
            await asyncio.sleep(0.3)
            sent = {each.topic for each in broker.published[mark:]}
            assert sent <= {TOPICS.claim, TOPICS.availability}
        if loser is second:
            await until(lambda: not second.troubles)
    assert late is not None


@played
async def test_who_comes_later_gives_way_to_who_answers() -> None:
    """The claim of a new table is answered by the one that is there."""
    broker, live_session = FakeBroker(), sit_down(3)
    async with publishing(live_session, broker):
        await until(lambda: online(broker))
        here = online(broker)
        for _ in range(5):
            late = await broker.client("late").connect(Message("unused", b""))
            with pytest.raises(Exception, match="another table is called 'bar'"):
                await TableName(TOPICS, **QUICK).claim(late)
            await late.close(tell=False)
        assert online(broker) == here
        assert live_session.troubles == ()


@played
async def test_a_table_that_is_said_to_be_online_but_gone_keeps_no_name() -> None:
    """A broker that was killed never publishes its will."""
    broker, live_session = FakeBroker(), sit_down(3)
    gone = availability(TOPICS, ONLINE, "00000000")
    broker.take(gone, retain=True)
    async with publishing(live_session, broker):
        await until(lambda: online(broker) not in ("", "00000000"))
        assert live_session.troubles == ()


@pytest.mark.parametrize(
    "payload",
    [availability(TOPICS, OFFLINE, "ffffffff").payload, b"", b"nonsense", b"[]", b'{"state": 3}'],
)
@played
async def test_whoever_says_that_the_table_is_gone_is_put_right(payload: bytes) -> None:
    """A will that comes late, a farewell of another table, or what anybody writes there."""
    broker, live_session = FakeBroker(), sit_down(3)
    async with publishing(live_session, broker):
        await until(lambda: online(broker))
        here = online(broker)
        broker.take(Message(TOPICS.availability, payload), retain=True)
        await until(lambda: online(broker) == here)


@pytest.mark.parametrize(("theirs", "stays"), [("00000000", False), ("ffffffff", True)])
@played
async def test_of_two_that_came_at_once_the_smaller_instance_stays(
    theirs: str, stays: bool
) -> None:
    """Both have found nobody, and both are online."""
    broker, live_session = FakeBroker(), sit_down(3)
    async with publishing(live_session, broker):
        await until(lambda: online(broker))
        broker.take(availability(TOPICS, ONLINE, theirs), retain=True)
        if stays:
            await until(lambda: online(broker) not in ("", theirs))
            assert live_session.troubles == ()
        else:
            await until(lambda: live_session.troubles)
            assert online(broker) == theirs


@played
async def test_claims_that_make_no_sense_are_ignored(tmp_path: Path) -> None:
    """Anybody may write anything to a broker."""
    assert [decode(each) for each in (b"\xff", b"{", b"3", b"[" * 100_000)] == [{}] * 4
    broker, live_session = FakeBroker(), sit_down(3)
    async with publishing(live_session, broker, tmp_path / "outbox.json"):
        await until(lambda: online(broker))
        for payload in (b"\xff", b"{}", b"[]", b'{"instance": {"a": 1}}'):
            broker.take(Message(TOPICS.claim, payload))
            bad = Message(TOPICS.availability, b'{"state": "online", "instance": [1]}')
            broker.take(bad)
        await asyncio.sleep(0.05)
        assert online(broker)
        assert live_session.troubles == ()
