"""A broker in memory, for tests and trials: it obeys the contract of `Broker` and loses nothing."""

import asyncio
from collections.abc import Collection, Iterable
from typing import Any

from companion.apps.mqtt.broker import (
    BrokerTrouble,
    ConnectionEnded,
    Message,
    Refused,
    Unreachable,
)


def matches(topic: str, pattern: str) -> bool:
    """Return whether *topic* is meant by *pattern*, in which + stands for any one level.

    >>> matches("tiki/bar/state", "tiki/+/state"), matches("tiki/bar/state", "tiki/+")
    (True, False)
    """
    levels, wanted = topic.split("/"), pattern.split("/")
    return len(levels) == len(wanted) and all(
        want in ("+", level) for level, want in zip(levels, wanted, strict=True)
    )


class FakeBroker:
    """A broker; `client` is what one table sees of it.

    kept: what is retained, by topic.  published: everything, in order.  is_up: whether it answers.
    refuses: why it lets nobody in, "" if it does.  denied: topics that nobody may write to.
    unread: topics that nobody may read, whose subscription it grants all the same.
    acknowledges: whether it still answers to what is published; it has it all the same.
    """

    def __init__(self, denied: Collection[str] = (), unread: Collection[str] = ()) -> None:
        self.kept: dict[str, bytes] = {}
        self.published: list[Message] = []
        self.is_up, self.refuses, self.denied, self.unread = True, "", denied, unread
        self.acknowledges = True
        self._open: dict[str, FakeConnection] = {}

    def client(self, client_id: str) -> "FakeClient":
        """Return the broker as the table *client_id* sees it."""
        return FakeClient(self, client_id)

    def stop(self) -> None:
        """Vanish with all connections, and publish no will; what is kept stays."""
        self.is_up = False
        for connection in list(self._open.values()):
            connection.end(ConnectionEnded("the broker has gone"))
        self._open.clear()

    def start(self) -> None:
        """Answer again."""
        self.is_up = True

    def cut(self, client_id: str) -> None:
        """Lose the connection of *client_id*, and publish its will."""
        connection = self._open.pop(client_id)
        connection.end(ConnectionEnded("the connection was cut"))
        self._publish_will(connection)

    def _publish_will(self, connection: "FakeConnection") -> None:
        if connection.will is not None:
            self.take(connection.will, retain=True)

    def take(self, message: Message, *, retain: bool = False) -> None:
        """Publish *message* to everyone who has subscribed to its topic."""
        self.published.append(message)
        if retain and message.payload:
            self.kept[message.topic] = message.payload
        elif retain:
            self.kept.pop(message.topic, None)
        if message.topic in self.unread:
            return
        for connection in list(self._open.values()):
            if any(matches(message.topic, each) for each in connection.topics):
                connection.messages.put_nowait(message)

    def admit(self, client_id: str, will: Message | None) -> "FakeConnection":
        """Let *client_id* in, and throw out who was in under that name."""
        if not self.is_up:
            raise Unreachable("the broker cannot be reached")
        if self.refuses:
            raise Refused(self.refuses)
        if client_id in self._open:
            before = self._open.pop(client_id)
            before.end(ConnectionEnded("another client of that name has connected"))
            self._publish_will(before)
        found = self._open[client_id] = FakeConnection(self, client_id, will)
        return found

    def leave(self, connection: "FakeConnection", *, tell: bool) -> None:
        """Let *connection* end in good order."""
        if self._open.get(connection.client_id) is connection:
            del self._open[connection.client_id]
            connection.end(ConnectionEnded("the connection was closed"))
            if tell:
                self._publish_will(connection)


class FakeClient:
    """What one table sees of a `FakeBroker`."""

    def __init__(self, broker: FakeBroker, client_id: str) -> None:
        self._broker, self._client_id = broker, client_id

    async def connect(self, will: Message | None = None) -> "FakeConnection":
        """Connect, see `Broker`."""
        await asyncio.sleep(0)
        return self._broker.admit(self._client_id, will)


class FakeConnection:
    """An open connection to a `FakeBroker`."""

    def __init__(self, broker: FakeBroker, client_id: str, will: Message | None) -> None:
        self.client_id, self.will = client_id, will
        self.topics: set[str] = set()
        self.messages: asyncio.Queue[Message] = asyncio.Queue()
        self.acknowledged: list[Message] = []
        self._broker = broker
        self._ended: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

    def end(self, trouble: BrokerTrouble) -> None:
        """Be of no more use, for the reason *trouble*."""
        if not self._ended.done():
            self._ended.set_result(trouble)

    async def publish(self, topic: str, payload: bytes, *, retain: bool = False) -> None:
        """Publish, see `Connection`."""
        await asyncio.sleep(0)
        self._check()
        if topic in self._broker.denied:
            raise self.refused("write to", topic)
        self._broker.take(Message(topic, payload), retain=retain)
        await asyncio.sleep(0)
        if not self._broker.acknowledges:
            await asyncio.wait({self._ended})
        self._check()

    async def subscribe(self, *topics: str) -> None:
        """Subscribe, see `Connection`."""
        await asyncio.sleep(0)
        self._check()
        for topic in topics:
            self.topics.add(topic)
            for name, payload in self._broker.kept.items():
                if matches(name, topic) and name not in self._broker.unread:
                    self.messages.put_nowait(Message(name, payload, retained=True))

    def refused(self, what: str, topic: str) -> Refused:
        """Return what is wrong, see `Connection`."""
        return Refused(f"the broker does not let this table {what} {topic}")

    async def receive(self) -> Message:
        """Return the next message, see `Connection`."""
        coming: asyncio.Future[Any] = asyncio.ensure_future(self.messages.get())
        try:
            await asyncio.wait({coming, self._ended}, return_when=asyncio.FIRST_COMPLETED)
            if not coming.done():
                self._check()
            found: Message = coming.result()
            return found
        finally:
            coming.cancel()

    def received(self) -> list[Message]:
        """Return what else has come, see `Connection`."""
        found = []
        while not self.messages.empty():
            found.append(self.messages.get_nowait())
        return found

    def acknowledge(self, messages: Iterable[Message]) -> None:
        """Note what is acknowledged, see `Connection`."""
        self.acknowledged += messages

    async def close(self, *, tell: bool = True) -> None:
        """Say goodbye, see `Connection`."""
        await asyncio.sleep(0)
        self._broker.leave(self, tell=tell)

    def _check(self) -> None:
        if self._ended.done():
            trouble: BrokerTrouble = self._ended.result()
            raise trouble
