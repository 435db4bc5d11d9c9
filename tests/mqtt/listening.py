"""A reader at a real broker, which keeps what comes while it is away (a persistent session)."""

import threading
import time
from collections.abc import Callable
from typing import Any, Self

from paho.mqtt.client import Client, MQTTMessage, MQTTv5
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from companion.apps.mqtt.broker import Message

DEADLINE_S = 60.0
HOUR_S = 3600


class Listener:
    """Hears all that is published to *topics* at 127.0.0.1:*port*, also after an outage.

    heard: every message, in order.  user: as whom, "" gives no name.
    """

    def __init__(self, port: int, *topics: str, name: str = "listener", user: str = "") -> None:
        self.heard: list[Message] = []
        self._ready = threading.Event()
        self._topics = [(topic, 1) for topic in topics]
        self._client = client = Client(CallbackAPIVersion.VERSION2, name, protocol=MQTTv5)
        client.reconnect_delay_set(1, 1)
        if user:
            client.username_pw_set(user)
        client.on_connect = self._subscribe
        client.on_subscribe = lambda *_: self._ready.set()
        client.on_message = self._hear
        make: Any = Properties  # has no types
        kept = make(PacketTypes.CONNECT)
        kept.SessionExpiryInterval = HOUR_S
        client.connect("127.0.0.1", port, clean_start=False, properties=kept)
        client.loop_start()
        assert self._ready.wait(DEADLINE_S)

    def _subscribe(self, client: Client, *_: object) -> None:
        client.subscribe(self._topics)

    def _hear(self, _client: Client, _data: object, message: MQTTMessage) -> None:
        self.heard.append(Message(message.topic, bytes(message.payload), bool(message.retain)))

    def of(self, topic: str) -> list[Message]:
        """Return what it has heard on *topic*."""
        return [message for message in tuple(self.heard) if message.topic == topic]

    def wait(self, condition: Callable[[], object]) -> None:
        """Wait, without an event loop, until *condition* is true."""
        deadline_s = time.monotonic() + DEADLINE_S
        while not condition():
            assert time.monotonic() < deadline_s, self.heard[-3:]
            time.sleep(0.02)

    def publish(self, topic: str, payload: bytes, *, retain: bool = False) -> None:
        """Publish something, as anybody may."""
        self._client.publish(topic, payload, qos=1, retain=retain).wait_for_publish(DEADLINE_S)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.disconnect()
        self._client.loop_stop()
