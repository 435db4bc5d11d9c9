"""The name of a table on its broker: no two tables may have the same one.

Each companion makes up a number at its start, its instance, and says it with its availability.
Each asks for the name before it takes it; whoever does not hear its own question would hear no
answer either.  Another instance that is said to be online has time to answer: a broker that was
killed never publishes the will of a table that has gone meanwhile, and after a power cut it waits.
"""

import asyncio
import re
import secrets
from itertools import count
from typing import Any, Final

from companion.apps.mqtt.broker import Connection, Message, NameTaken
from companion.apps.mqtt.echo import ECHO_S, hear_oneself
from companion.apps.mqtt.messages import OFFLINE, ONLINE, availability, decode, encode
from companion.apps.mqtt.topics import Topics

_INSTANCE: Final = re.compile(r"[0-9a-f]{8}")
NOBODY: Final = ""
"""The instance of whoever asks for a name only to hear itself, and wants no answer."""
KEPT_S: Final = 0.5
"""So long after the subscription the broker sends what it has kept."""
ANSWER_S: Final = 3.0
"""So long another table of the same name has time to say that it is there."""


class TableName:
    """The name under which this instance publishes *topics*.

    instance: 8 hexadecimal digits.
    """

    def __init__(
        self,
        topics: Topics,
        kept_s: float = KEPT_S,
        answer_s: float = ANSWER_S,
        echo_s: float = ECHO_S,
    ) -> None:
        self._topics, self.instance = topics, secrets.token_hex(4)
        self._kept_s, self._answer_s, self._echo_s = kept_s, answer_s, echo_s

    @property
    def online(self) -> Message:
        """What says that this table is there."""
        return availability(self._topics, ONLINE, self.instance)

    @property
    def will(self) -> Message:
        """What the broker says when this table has vanished."""
        return availability(self._topics, OFFLINE, self.instance)

    async def claim(self, connection: Connection) -> None:
        """Take the name on *connection*.

        Raises NameTaken if another table has it, and Refused if this one may not write or read.
        """
        topic, question = self._topics.claim, encode({"instance": self.instance})
        await connection.subscribe(self._topics.availability, topic)
        is_heard, heard = await hear_oneself(connection, topic, question, self._echo_s)
        if not is_heard:
            raise connection.refused("read", topic)
        if not await self._hears_other(connection, heard, self._kept_s, kept=True):
            return
        if await self._hears_other(connection, heard, self._answer_s, kept=False):
            raise self._taken()

    async def hold(self, connection: Connection, message: Message) -> None:
        """Defend the name against *message*, or give it up: the smaller instance keeps it.

        Raises NameTaken.
        """
        found = decode(message.payload)
        if message.topic == self._topics.claim:
            if found.get("instance") not in (NOBODY, self.instance):
                await self._say_online(connection)
        elif message.topic == self._topics.availability:
            if self._is_other(found):
                if str(found["instance"]) < self.instance:
                    raise self._taken()
                await self._say_online(connection)
            elif found.get("state") != ONLINE:  # a will that comes late, or another's farewell
                await self._say_online(connection)

    async def _say_online(self, connection: Connection) -> None:
        await connection.publish(self.online.topic, self.online.payload, retain=True)

    async def _hears_other(
        self, connection: Connection, heard: list[Message], limit_s: float, *, kept: bool
    ) -> bool:
        """Return whether another instance is said to be online within *limit_s*.

        heard: what has come already; what comes is added.  kept: by the broker, too.
        """
        try:
            async with asyncio.timeout(limit_s):
                for place in count():
                    if place == len(heard):
                        heard.append(await connection.receive())
                    message = heard[place]
                    if message.topic != self._topics.availability:
                        continue
                    if message.retained and not kept:
                        continue
                    if self._is_other(decode(message.payload)):
                        return True
                    if message.retained:
                        return False
        except TimeoutError:
            pass
        return False

    def _is_other(self, found: dict[str, Any]) -> bool:
        other = str(found.get("instance"))
        is_one = _INSTANCE.fullmatch(other) is not None and other != self.instance
        return found.get("state") == ONLINE and is_one

    def _taken(self) -> NameTaken:
        return NameTaken(
            f"another table is called '{self._topics.table}' on this broker; give one of them"
            " another mqtt.table"
        )
