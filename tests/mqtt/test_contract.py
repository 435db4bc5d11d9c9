"""What is wanted of a broker, held against the fake one and a real Mosquitto alike."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.apps.mqtt.broker import (
    Broker,
    Connection,
    ConnectionEnded,
    Message,
    Unreachable,
)
from companion.apps.mqtt.fake_broker import FakeBroker
from companion.apps.mqtt.paho_broker import PahoBroker
from tests.mqtt.mosquitto import Mosquitto, missing
from tests.mqtt.tables import played

WILL = Message("t/will", b"gone")
QUIET_S = 0.3


class Kind:
    """One kind of broker: how a client is made, how it is stopped and started again."""

    def __init__(
        self,
        client: Callable[[str], Broker],
        stop: Callable[[], None],
        start: Callable[[], None],
    ) -> None:
        self.client, self.stop, self.start = client, stop, start


@pytest.fixture(params=["fake", "mosquitto"])
def kind(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Kind]:
    """Return a running broker of each kind."""
    if request.param == "fake":
        fake = FakeBroker()
        yield Kind(fake.client, fake.stop, fake.start)
        return
    if reason := missing():
        pytest.skip(reason)
    with Mosquitto(tmp_path) as real:
        yield Kind(lambda name: PahoBroker(real.config(), name), real.kill, real.start)


async def silent(connection: Connection) -> bool:
    """Return whether nothing comes for a while."""
    try:
        await asyncio.wait_for(connection.receive(), QUIET_S)
    except TimeoutError:
        return True
    return False


def test_a_part_that_fails_is_noticed() -> None:
    """A test that is no plain function is run all the same."""

    @played
    async def fail() -> None:
        raise AssertionError("as it has to")

    with pytest.raises(AssertionError, match="as it has to"):
        fail()


@played
async def test_what_is_published_reaches_who_has_subscribed_and_nobody_else(kind: Kind) -> None:
    """In order, and not as something that was kept."""
    writer = await kind.client("writer").connect(WILL)
    reader = await kind.client("reader").connect(WILL)
    await reader.subscribe("t/one", "t/two")
    for number in range(30):
        await writer.publish("t/one" if number % 2 else "t/two", b"%d" % number)
        await writer.publish("t/three", b"unheard")
    found = [await reader.receive() for _ in range(30)]
    assert [int(each.payload) for each in found] == list(range(30))
    assert not any(each.retained for each in found)
    assert await silent(reader)
    await writer.close()
    await reader.close()


@played
async def test_what_is_kept_reaches_who_comes_later_until_it_is_cleared(kind: Kind) -> None:
    """The newest one alone, and said to be kept; also after the broker was away."""
    writer = await kind.client("writer").connect(WILL)
    await writer.publish("t/kept", b"old", retain=True)
    await writer.publish("t/kept", b"new", retain=True)
    reader = await kind.client("reader").connect(WILL)
    await reader.subscribe("t/kept")
    assert await reader.receive() == Message("t/kept", b"new", retained=True)
    await writer.publish("t/kept", b"", retain=True)
    assert await reader.receive() == Message("t/kept", b"")
    await reader.close()
    late = await kind.client("late").connect(WILL)
    await late.subscribe("t/kept")
    assert await silent(late)
    await late.close()
    await writer.close()


@played
async def test_the_will_is_published_at_a_farewell_unless_it_is_a_silent_one(kind: Kind) -> None:
    """And kept for who comes later."""
    reader = await kind.client("reader").connect(WILL)
    await reader.subscribe("t/will", "t/other")
    leaving = await kind.client("leaving").connect(Message("t/other", b"silence"))
    await leaving.close(tell=False)
    assert await silent(reader)
    leaving = await kind.client("leaving").connect(WILL)
    await leaving.close()
    assert await reader.receive() == WILL
    late = await kind.client("late").connect(WILL)
    await late.subscribe("t/will")
    assert await late.receive() == WILL._replace(retained=True)
    await late.close()
    await reader.close()


@played
async def test_the_same_client_throws_out_the_one_before(kind: Kind) -> None:
    """Both ways of waiting end, and the will is published."""
    before = await kind.client("same").connect(WILL)
    waiting = asyncio.create_task(before.receive())
    await asyncio.sleep(0)
    after = await kind.client("same").connect(WILL)
    with pytest.raises(ConnectionEnded):
        await waiting
    with pytest.raises(ConnectionEnded):
        await before.publish("t/one", b"late")
    await after.publish("t/one", b"here")
    await after.close()


@played
async def test_a_broker_that_vanishes_ends_connections_and_can_come_back(kind: Kind) -> None:
    """What waits ends, what is tried meanwhile is refused, and then all is as before."""
    lost = await kind.client("table").connect(WILL)
    waiting = asyncio.create_task(lost.receive())
    await lost.publish("t/one", b"before")
    kind.stop()
    with pytest.raises(ConnectionEnded):
        await waiting
    with pytest.raises(ConnectionEnded):
        await lost.publish("t/one", b"lost")
    await lost.close()
    with pytest.raises(Unreachable, match="cannot be reached"):
        await kind.client("table").connect(WILL)
    kind.start()
    back = await kind.client("table").connect(WILL)
    await back.publish("t/one", b"after")
    await back.close()


@played
async def test_closing_twice_and_after_the_end_does_nothing(kind: Kind) -> None:
    """Whoever puts things to rest need not know how they are."""
    connection = await kind.client("table").connect(WILL)
    await connection.close()
    await connection.close()
    with pytest.raises(ConnectionEnded):
        await connection.publish("t/one", b"late")
