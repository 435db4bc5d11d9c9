"""Whether a broker sends what may be read: who has published something waits for it to come back.

A grant says nothing.  Mosquitto grants every subscription, and asks its access list only when there
is something to be sent (2.0.11 to 2.0.21).
"""

import asyncio
from typing import Final

from companion.apps.mqtt.broker import Connection, Message

ECHO_S: Final = 5.0
"""So long after it has taken a message a broker sends it on to whoever may read it."""


async def hear_oneself(
    connection: Connection, topic: str, payload: bytes, limit_s: float = ECHO_S
) -> tuple[bool, list[Message]]:
    """Publish *payload* to *topic*, to which *connection* has subscribed; wait until it comes.

    Returns whether it came within *limit_s*, and all else that came meanwhile.  Raises Refused if
    it may not be written, or ConnectionEnded.
    """
    heard: list[Message] = []
    await connection.publish(topic, payload)
    try:
        async with asyncio.timeout(limit_s):
            while True:
                message = await connection.receive()
                if (message.topic, message.payload) == (topic, payload):
                    return True, heard
                heard.append(message)
    except TimeoutError:
        return False, heard
