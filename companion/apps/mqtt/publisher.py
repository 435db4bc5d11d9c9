"""The publisher: keeps the broker told, whatever becomes of the connection."""

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final

from companion.apps.mqtt.broker import (
    AWAY,
    Broker,
    BrokerTrouble,
    Connection,
    Message,
    NameTaken,
    Refused,
)
from companion.apps.mqtt.discovery import (
    BIRTH,
    UNDO,
    Discovery,
    components_of,
    discovery_messages,
)
from companion.apps.mqtt.messages import EventMessages, decode, notice_messages, state_message
from companion.apps.mqtt.naming import TableName
from companion.apps.mqtt.outbox import Outbox
from companion.apps.mqtt.pauses import Pauses
from companion.apps.mqtt.topics import Topics
from companion.language.catalogue import DEFAULT
from companion.language.message import capitalised, message_of, say
from companion.language.speech import speaking
from companion.referee.follower import FROM_THE_START, Follower
from companion.referee.live_session import LiveSession
from companion.referee.transient_notices import remarked
from companion.rules.base import RulesError
from companion.session.history import ReplayError
from companion.session.log import LogError

DEVICE: Final = "MQTT"
"""What troubles are told of."""
NO_DISCOVERY: Final = Discovery()
NO_STATE: Final = Message("", b"")
STATE_S: Final = 0.25
"""What changes within this time is published as one state."""
GOING_BACK_S: Final = 2.0
"""Entries are published again no more often: readers that ask at once are served together."""
BIRTH_S: Final = 5.0
"""Within this time of its birth Home Assistant is told of the table, at random: so it wants it."""
STEADY_S: Final = 30.0
"""A connection that has lasted so long begins with the shortest pause again."""
logger = logging.getLogger(__name__)


class Publisher:
    """Publishes *live_session* to *broker* under *topics*.

    language: returns the table's, for all words.  sleep: waits so many seconds before another try.
    birth_s: within this time Home Assistant is told of the table when it says that it is there.
    """

    def __init__(
        self,
        live_session: LiveSession,
        broker: Broker,
        topics: Topics,
        outbox: Outbox,
        discovery: Discovery = NO_DISCOVERY,
        *,
        language: Callable[[], str] = lambda: DEFAULT,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        name: TableName | None = None,
        birth_s: float = BIRTH_S,
    ) -> None:
        self._live_session, self._broker, self._topics = live_session, broker, topics
        self._outbox, self._discovery, self._language = outbox, discovery, language
        self._sleep, self._pauses = sleep, Pauses()
        self._name = name or TableName(topics)
        self._entries = EventMessages(topics, live_session)
        self._was_online, self._is_away, self._failures = False, False, 0
        self._told = ""
        self._changed, self._birth_s = asyncio.Event(), birth_s
        self._announced: list[Message] = []
        self._state = NO_STATE
        self._goes_back, self._asked, self._went_back_s = asyncio.Event(), "", -GOING_BACK_S

    async def run(self) -> None:
        """Publish forever; while there is no broker, try again after longer and longer pauses."""
        loop = asyncio.get_running_loop()
        while True:
            began_s, self._is_away = loop.time(), False
            try:
                connection = await self._broker.connect(self._name.will)
            except BrokerTrouble as trouble:
                self._fail(trouble)
            else:
                await self._use(connection)
            if loop.time() - began_s >= STEADY_S:
                self._pauses.reset()
            await self._sleep(self._pauses.next_s(is_away=self._is_away))

    async def _use(self, connection: Connection) -> None:
        """Publish on *connection* until it ends, or this table has to leave it."""
        tell = True
        try:
            await self._serve(connection)
        except BrokerTrouble as trouble:
            tell = not isinstance(trouble, NameTaken)
            self._fail(trouble)
        except Exception:  # whatever fails here, the table is published again
            logger.exception("Publishing has failed")
            self._report("publishing has failed and begins anew; see the companion's own log")
        finally:
            self._outbox.save()
            await connection.close(tell=tell)

    async def _serve(self, connection: Connection) -> None:
        await self._name.claim(connection)
        await connection.subscribe(self._topics.again)
        if self._discovery.commands:
            await connection.subscribe(self._topics.command)
        if self._discovery.is_on:
            await self._subscribe_to_birth(connection)
        await connection.publish(*self._name.online[:2], retain=True)
        self._was_online, self._failures = True, 0
        self._publish_anew()
        self._report("")
        await _until_one_ends(
            self._listen(connection),
            self._publish_state(connection),
            self._publish_notices(connection),
            self._publish_events(connection),
        )

    def _fail(self, trouble: BrokerTrouble) -> None:
        """Let people know of *trouble*, unless it may pass before they have read it."""
        self._failures += 1
        self._is_away = isinstance(trouble, AWAY)
        if not (self._is_away and self._was_online and self._failures == 1):
            self._report(f"{trouble}. The game goes on")

    def _report(self, words: str) -> None:
        if words != self._told:
            self._told = words
            if words:
                logger.warning("%s: %s", DEVICE, words)
            self._live_session.report(DEVICE, words)

    async def _publish_events(self, connection: Connection) -> None:
        """Publish every entry from where the outbox is, and go back when a reader asks for it."""
        while True:
            self._goes_back.clear()
            going_back = asyncio.create_task(self._goes_back.wait())
            publishing = asyncio.create_task(self._publish_entries(connection))
            try:
                await asyncio.wait({going_back, publishing}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                going_back.cancel()
                publishing.cancel()
                outcomes = await asyncio.gather(going_back, publishing, return_exceptions=True)
            if isinstance(outcomes[1], Exception):
                raise outcomes[1]
            if self._asked == FROM_THE_START:
                self._outbox.forget()
            elif self._asked:
                self._outbox.go_back(self._asked)
            self._asked = ""

    def _go_back(self, entry: str) -> None:
        """Publish again what followed *entry*, if it was published; not too often."""
        now_s = asyncio.get_running_loop().time()
        is_known = Follower(self._live_session, entry).resumes and "+" not in entry
        if is_known and now_s - self._went_back_s >= GOING_BACK_S:
            self._asked, self._went_back_s = entry, now_s
            self._goes_back.set()

    async def _publish_entries(self, connection: Connection) -> None:
        """Publish every entry that the broker has not acknowledged, and each new one."""
        follower = Follower(self._live_session, self._outbox.newest or FROM_THE_START)
        if not follower.resumes:
            self._outbox.forget()
            follower = Follower(self._live_session, FROM_THE_START)
        async for item in follower.items():
            if not item.is_entry:
                continue
            with speaking(self._language()):
                message = self._entries.message(item, self._outbox.newest)
            await connection.publish(message.topic, message.payload)
            more = item.position < self._live_session.feed.position
            self._outbox.acknowledge(item.id, more=more)

    async def _publish_notices(self, connection: Connection) -> None:
        """Publish what is not in the log, from now on."""
        feed = self._live_session.feed
        async for item in feed.follow(feed.newest):
            if item.is_entry:
                continue
            with speaking(self._language()):
                messages = notice_messages(self._topics, item)
            for message in messages:
                await connection.publish(message.topic, message.payload)

    async def _publish_state(self, connection: Connection) -> None:
        """Publish the scoreboard, and what Home Assistant has to know, whenever they change."""
        live_session, changed = self._live_session, self._changed
        with live_session.on_change.heard_by(changed.set):
            while True:
                changed.clear()
                await self._announce(connection)
                with speaking(self._language()):
                    message = state_message(self._topics, live_session)
                if message != self._state:
                    self._state = message
                    await connection.publish(message.topic, message.payload, retain=True)
                await asyncio.sleep(STATE_S)
                await changed.wait()

    async def _announce(self, connection: Connection) -> None:
        """Tell Home Assistant of what has changed since it was told on this connection."""
        seats = len(self._live_session.header.players)
        with speaking(self._language()):
            components = components_of(self._topics, seats, self._discovery)
            messages = discovery_messages(
                self._topics, self._discovery, components, self._outbox.announced
            )
        if messages[-1:] != self._announced:
            self._announced = messages[-1:]
            for message in messages:
                await connection.publish(message.topic, message.payload, retain=True)
            self._outbox.announce({name: each["platform"] for name, each in components.items()})

    async def _subscribe_to_birth(self, connection: Connection) -> None:
        """Hear of Home Assistant's birth; an access list from before it was heard may forbid it."""
        try:
            await connection.subscribe(self._discovery.status)
        except Refused as trouble:
            logger.warning("%s: %s. Home Assistant knows the table all the same", DEVICE, trouble)

    def _publish_anew(self) -> None:
        """Let the table be announced and its state published as if nobody had been told."""
        self._announced, self._state = [], NO_STATE
        self._changed.set()

    async def _listen(self, connection: Connection) -> None:
        """Do what the table is told, and defend its name."""
        while True:
            message = await connection.receive()
            if message.topic == self._topics.again:
                self._go_back(str(decode(message.payload).get("after", "")))
            elif message.topic == self._topics.command:
                if (
                    self._discovery.commands
                    and message.payload == UNDO.encode()
                    and not message.retained
                ):
                    self._undo()
            elif message.topic == self._discovery.status:
                if message.payload == BIRTH and not message.retained:
                    # Tables by the dozen are not to answer at once.
                    delay_s = random.uniform(0, self._birth_s)  # noqa: S311 - no secret
                    asyncio.get_running_loop().call_later(delay_s, self._publish_anew)
            else:
                await self._name.hold(connection, message)

    def _undo(self) -> None:
        """Take back what happened last, as the button at the table does."""
        live_session = self._live_session
        words: str = say("Taken back")
        try:
            live_session.referee.undo()
        except (RulesError, ReplayError) as error:
            words = capitalised(message_of(error))
        except LogError:  # which the pages say
            return
        live_session.show(remarked(words))


async def _until_one_ends(*jobs: Coroutine[Any, Any, None]) -> None:
    """Do all *jobs* until one ends, and raise what has ended it; then none of them goes on."""
    tasks = [asyncio.create_task(job) for job in jobs]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        ends = await asyncio.gather(*tasks, return_exceptions=True)
    failures = [end for end in ends if isinstance(end, Exception)]
    # A name that is taken says more than what it brings.
    for failure in sorted(failures, key=lambda each: not isinstance(each, NameTaken)):
        raise failure
