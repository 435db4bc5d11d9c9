"""Tables that publish to a fake broker, for tests."""

import asyncio
import json
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial, wraps
from pathlib import Path
from typing import Any, ParamSpec

from companion.apps.mqtt.broker import Broker
from companion.apps.mqtt.discovery import Discovery
from companion.apps.mqtt.fake_broker import FakeBroker
from companion.apps.mqtt.naming import TableName
from companion.apps.mqtt.outbox import Outbox
from companion.apps.mqtt.publisher import Publisher
from companion.apps.mqtt.topics import Topics
from companion.referee.live_session import LiveSession
from companion.rules.tiki_topple import TIKIS
from tests.mqtt.reader import Reader
from tests.tables import random_round

P = ParamSpec("P")
TOPICS = Topics("tiki", "bar")
DEADLINE_S = 60.0
QUICK = {"kept_s": 0.05, "answer_s": 0.1}


@dataclass
class Pause:
    """Waits a moment in place of the pauses that are asked for, and keeps those."""

    asked_s: list[float] = field(default_factory=list)

    async def __call__(self, seconds: float) -> None:
        """Wait a moment."""
        self.asked_s.append(seconds)
        await asyncio.sleep(0.01)


@asynccontextmanager
async def publishing(
    live_session: LiveSession,
    broker: FakeBroker | Broker,
    outbox: Path | None = None,
    discovery: Discovery | None = None,
    *,
    topics: Topics = TOPICS,
    client_id: str = "bar",
    pause: Pause | None = None,
    **more: Any,
) -> AsyncIterator[Publisher]:
    """Let *live_session* publish meanwhile."""
    client = broker.client(client_id) if isinstance(broker, FakeBroker) else broker
    publisher = Publisher(
        live_session,
        client,
        topics,
        Outbox(outbox, "here"),
        discovery or Discovery(),
        sleep=pause or Pause(),
        name=TableName(topics, **QUICK),
        **more,
    )
    task = asyncio.create_task(publisher.run())
    try:
        yield publisher
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def until(condition: Callable[[], object]) -> None:
    """Wait until *condition* is true."""
    async with asyncio.timeout(DEADLINE_S):
        while not condition():  # noqa: ASYNC110 - of whatever kind
            await asyncio.sleep(0.005)


def play(part: Callable[[], Any]) -> None:
    """Run *part* to its end, within a time."""

    async def within() -> None:
        async with asyncio.timeout(3 * DEADLINE_S):
            await part()

    asyncio.run(within())


def played(test: Callable[P, Awaitable[None]]) -> Callable[P, None]:
    """Return *test* as pytest calls it: it is run to its end, within a time."""

    @wraps(test)
    def run(*given: P.args, **named: P.kwargs) -> None:
        play(partial(test, *given, **named))

    return run


def actions(seed: int = 1, seats: int = 3) -> list[str]:
    """Return the moves of a random round of Tiki Topple."""
    return [action for _, action, _ in random_round(random.Random(seed), seats, TIKIS)]


def read(broker: FakeBroker, topics: Topics = TOPICS) -> Reader:
    """Return a reader that has heard all that *broker* has published."""
    reader = Reader()
    for message in broker.published:
        if message.topic == topics.events:
            reader.take(message.payload)
    return reader


def kept(broker: FakeBroker, topic: str) -> dict[str, Any]:
    """Return what *broker* keeps of *topic*."""
    found: dict[str, Any] = json.loads(broker.kept.get(topic, b"{}"))
    return found


def at_end(broker: FakeBroker, live_session: LiveSession) -> bool:
    """Return whether the broker has the newest entry and the newest state."""
    entries = live_session.session.entries
    newest = (live_session.session.number, len(entries))
    return (not entries or newest in read(broker).ids()) and (
        kept(broker, TOPICS.state).get("id") == live_session.feed.newest_id
    )
