"""The name of a table on its broker: no two tables may have the same one.

Each companion makes up a number at its start, its instance, and says it with its availability.
Whoever finds another instance online asks it whether it is still there: a broker that was killed
never publishes the will of a table that has gone meanwhile, and after a power cut it waits.
"""

import asyncio
import re
import secrets
from typing import Any, Final

from companion.apps.mqtt.broker import Connection, Message, NameTaken
from companion.apps.mqtt.messages import OFFLINE, ONLINE, availability, decode, encode
from companion.apps.mqtt.topics import Topics

_INSTANCE: Final = re.compile(r"[0-9a-f]{8}")
KEPT_S: Final = 0.5
"""So long after the subscription the broker sends what it has kept."""
ANSWER_S: Final = 3.0
"""So long another table of the same name has time to say that it is there."""


class TableName:
    """The name under which this instance publishes *topics*.

    instance: 8 hexadecimal digits.
    """

    def __init__(self, topics: Topics, kept_s: float = KEPT_S, answer_s: float = ANSWER_S) -> None:
        self._topics, self.instance = topics, secrets.token_hex(4)
        self._kept_s, self._answer_s = kept_s, answer_s

    @property
    def online(self) -> Message:
        """What says that this table is there."""
        return availability(self._topics, ONLINE, self.instance)

    @property
    def will(self) -> Message:
        """What the broker says when this table has vanished."""
        return availability(self._topics, OFFLINE, self.instance)

    async def claim(self, connection: Connection) -> None:
        """Take the name on *connection*; raises NameTaken if another table has it."""
        await connection.subscribe(self._topics.availability, self._topics.claim)
        if not await self._hears_other(connection, self._kept_s, kept=True):
            return
        await connection.publish(self._topics.claim, encode({"instance": self.instance}))
        if await self._hears_other(connection, self._answer_s, kept=False):
            raise self._taken()

    async def hold(self, connection: Connection, message: Message) -> None:
        """Defend the name against *message*, or give it up: the smaller instance keeps it.

        Raises NameTaken.
        """
        found = decode(message.payload)
        if message.topic == self._topics.claim:
            if found.get("instance") != self.instance:
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

    async def _hears_other(self, connection: Connection, limit_s: float, *, kept: bool) -> bool:
        """Return whether another instance is said to be online within *limit_s*."""
        try:
            async with asyncio.timeout(limit_s):
                while True:
                    message = await connection.receive()
                    if message.topic != self._topics.availability:
                        continue
                    if message.retained and not kept:
                        continue
                    if self._is_other(decode(message.payload)):
                        return True
                    if message.retained:
                        return False
        except TimeoutError:
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
