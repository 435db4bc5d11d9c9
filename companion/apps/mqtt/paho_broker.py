"""A real broker, by Eclipse Paho: MQTT 5, each connection with a thread of its own.

Paho's own reconnection is not used: the outbox knows better what is to be sent again.
"""

import asyncio
import contextlib
import ssl
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any, Final

from paho.mqtt.client import Client, MQTTMessage, MQTTv5
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from companion.apps.mqtt.broker import (
    BrokerTrouble,
    ConnectionEnded,
    Message,
    Refused,
    Unreachable,
)
from companion.config import MqttConfig

KEEPALIVE_S: Final = 20
"""The broker publishes the will after one and a half times as long without a word."""
ANSWER_S: Final = 20.0
CONNECT_S: Final = 10.0
FAREWELL_S: Final = 0.8
THIS_MACHINE: Final = ("127.0.0.1", "::1", "localhost")
FAILURE: Final = 128
UNSUPPORTED_VERSION: Final = 132
BAD_PASSWORD: Final = 134
NOT_AUTHORISED: Final = 135
WITH_WILL: Final = 4
"""Reason codes of MQTT 5.0, section 2.4."""


class PahoBroker:
    """The broker that *config* names; *client_id* is known to it as this table's.

    who: what messages call us.  keep_s: so long it keeps for us what comes while we are away, and
    sends again what was not acknowledged; 0 keeps nothing, and all is acknowledged as it comes.
    """

    def __init__(
        self, config: MqttConfig, client_id: str, *, who: str = "table", keep_s: int = 0
    ) -> None:
        self._config, self._client_id = config, client_id
        self._who, self._keep_s = who, keep_s

    async def connect(self, will: Message | None = None) -> "PahoConnection":
        """Connect, see `Broker`."""
        connection = PahoConnection(self._config, self._client_id, will, self._who, self._keep_s)
        try:
            await connection.open()
        except BaseException:
            connection.drop()
            raise
        return connection


class PahoConnection:
    """A connection by Paho, whose thread hands everything over to the event loop."""

    def __init__(
        self, config: MqttConfig, client_id: str, will: Message | None, who: str, keep_s: int
    ) -> None:
        self._config, self._who, self._keep_s = config, who, keep_s
        self._name = f"{config.broker}:{config.port_used}"
        self._loop = asyncio.get_running_loop()
        self._opened: asyncio.Future[None] = self._loop.create_future()
        self._ended: asyncio.Future[Any] = self._loop.create_future()
        self._answers: dict[int, asyncio.Future[Any]] = {}
        self._messages: asyncio.Queue[Message] = asyncio.Queue()
        self._is_dropped = False
        self._client = client = Client(
            CallbackAPIVersion.VERSION2,
            client_id,
            protocol=MQTTv5,
            reconnect_on_failure=False,
            manual_ack=bool(keep_s),
        )
        if will is not None:
            client.will_set(will.topic, will.payload, qos=1, retain=True)
        client.connect_timeout = CONNECT_S
        client.on_connect = self._on_connect
        client.on_disconnect = self._on_disconnect
        client.on_publish = self._on_publish
        client.on_subscribe = self._on_subscribe
        client.on_message = self._on_message

    async def open(self) -> None:
        """Connect; raises Unreachable or Refused."""
        Thread(target=self._connect, name="mqtt connect", daemon=True).start()
        await asyncio.wait({self._opened}, timeout=2 * CONNECT_S)
        if not self._opened.done():
            raise Unreachable(
                f"the broker {self._name} does not answer; check mqtt.broker, mqtt.port and the"
                " network"
            )
        self._opened.result()

    def drop(self) -> None:
        """Let everything go, whatever comes of it; the will is not published."""
        self._is_dropped = True
        self._client.disconnect()
        self._part()
        # A trouble that was raised holds who raised it, and so the client.
        self._opened, self._ended = self._loop.create_future(), self._loop.create_future()
        for future in (self._opened, self._ended):
            future.cancel()

    async def publish(self, topic: str, payload: bytes, *, retain: bool = False) -> None:
        """Publish with QoS 1, see `Connection`."""
        info = self._client.publish(topic, payload, qos=1, retain=retain)
        code = await self._answer(info.rc, info.mid)
        if code >= FAILURE:
            raise self.refused("write to", topic)

    async def subscribe(self, *topics: str) -> None:
        """Subscribe with QoS 1, see `Connection`."""
        rc, mid = self._client.subscribe([(topic, 1) for topic in topics])
        if mid is None:
            raise self._end()
        if await self._answer(rc, mid) >= FAILURE:
            raise self.refused("read", " and ".join(topics))

    def refused(self, what: str, topic: str) -> Refused:
        """Return what is wrong, see `Connection`."""
        return Refused(
            f"the broker {self._name} does not let this {self._who} {what} {topic}; allow its user"
            " to in the broker's access list"
        )

    async def receive(self) -> Message:
        """Return the next message, see `Connection`."""
        coming: asyncio.Future[Any] = asyncio.ensure_future(self._messages.get())
        try:
            await asyncio.wait({coming, self._ended}, return_when=asyncio.FIRST_COMPLETED)
            if not coming.done():
                raise self._end()
            found: Message = coming.result()
            return found
        finally:
            coming.cancel()

    def received(self) -> list[Message]:
        """Return what else has come, see `Connection`."""
        found = []
        while not self._messages.empty():
            found.append(self._messages.get_nowait())
        return found

    def acknowledge(self, messages: Iterable[Message]) -> None:
        """Acknowledge, see `Connection`; of no use once the connection has ended."""
        if not self._ended.done():
            for each in messages:
                self._client.ack(each.mid, 1)

    async def close(self, *, tell: bool = True) -> None:
        """Say goodbye, see `Connection`."""
        if not self._ended.done():
            code = ReasonCode(PacketTypes.DISCONNECT, identifier=WITH_WILL) if tell else None
            self._client.disconnect(reasoncode=code)
            await asyncio.wait({self._ended}, timeout=FAREWELL_S)
        self._is_dropped = True
        self._part()

    def _part(self) -> None:
        """Leave the client to itself, for it closes its sockets when nobody holds it any more."""
        client = self._client
        client.on_connect = client.on_disconnect = client.on_message = None
        client.on_publish = client.on_subscribe = None

    async def _answer(self, rc: MQTTErrorCode, mid: int) -> int:
        """Return the reason code by which the broker answers to message *mid*."""
        if rc != MQTTErrorCode.MQTT_ERR_SUCCESS:
            raise self._end()
        answer: asyncio.Future[Any] = self._loop.create_future()
        self._answers[mid] = answer
        try:
            await asyncio.wait(
                {answer, self._ended}, timeout=ANSWER_S, return_when=asyncio.FIRST_COMPLETED
            )
            if not answer.done():
                raise self._end()
            return int(answer.result())
        finally:
            del self._answers[mid]

    def _end(self) -> BrokerTrouble:
        """Return why the connection is of no more use."""
        if self._ended.done() and not self._ended.cancelled():
            trouble: BrokerTrouble = self._ended.result()
            return trouble
        return ConnectionEnded(f"the broker {self._name} does not answer any more")

    def _connect(self) -> None:
        """Connect, in a thread: looking up a name may take long."""
        config, client = self._config, self._client
        try:
            if config.user:
                client.username_pw_set(config.user, read_password(config))
            if config.tls:
                client.tls_set(config.ca_file or None)
            client.connect(
                config.broker,
                config.port_used,
                KEEPALIVE_S,
                clean_start=not self._keep_s,
                properties=self._kept() if self._keep_s else None,
            )
            if self._is_dropped:
                client.disconnect()
                return
            client.loop_start()
        except (OSError, ValueError) as error:
            self._post(partial(self._fail, connect_trouble(config, error)))
        except BrokerTrouble as trouble:
            self._post(partial(self._fail, trouble))

    def _kept(self) -> Any:
        """Return the properties by which the broker keeps what comes while we are away."""
        make: Any = Properties  # has no types
        found = make(PacketTypes.CONNECT)
        found.SessionExpiryInterval = self._keep_s
        return found

    def _post(self, call: Callable[[], object]) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended; nobody waits any more
            self._loop.call_soon_threadsafe(call)

    def _fail(self, trouble: BrokerTrouble) -> None:
        """Let all who wait know of *trouble*."""
        if not self._opened.done():
            self._opened.set_exception(trouble)
        if not self._ended.done():
            self._ended.set_result(trouble)

    def _open(self) -> None:
        if not self._opened.done():
            self._opened.set_result(None)

    def _settle(self, mid: int, code: int) -> None:
        answer = self._answers.get(mid)
        if answer is not None and not answer.done():
            answer.set_result(code)

    def _on_connect(self, _c: Client, _u: Any, _f: Any, code: ReasonCode, _p: Any) -> None:
        if code.is_failure:
            self._post(partial(self._fail, refusal(self._config, int(code.value), str(code))))
        else:
            self._post(self._open)

    def _on_disconnect(self, _c: Client, _u: Any, _f: Any, code: ReasonCode, _p: Any) -> None:
        trouble: BrokerTrouble = ConnectionEnded(f"the broker {self._name} has gone: {code}")
        if not self._opened.done():
            trouble = Unreachable(
                f"the broker {self._name} has closed the connection before it answered; see whether"
                " that port is the broker's, and wants mqtt.tls"
            )
        self._post(partial(self._fail, trouble))

    def _on_publish(self, _c: Client, _u: Any, mid: int, code: ReasonCode, _p: Any) -> None:
        self._post(partial(self._settle, mid, int(code.value)))

    def _on_subscribe(self, _c: Client, _u: Any, mid: int, codes: Any, _p: Any) -> None:
        self._post(partial(self._settle, mid, max(int(code.value) for code in codes)))

    def _on_message(self, _c: Client, _u: Any, message: MQTTMessage) -> None:
        mid = message.mid if self._keep_s else 0
        found = Message(message.topic, bytes(message.payload), bool(message.retain), mid)
        self._post(partial(self._messages.put_nowait, found))


def read_password(config: MqttConfig) -> str | None:
    """Return the password for the broker; raises Refused if its file cannot be read."""
    if not config.password_file:
        return config.password or None
    try:
        return Path(config.password_file).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8"
        raise Refused(
            f"mqtt.password_file {config.password_file} cannot be read: {reason}; let the user that"
            " runs the companion read it"
        ) from None


def connect_trouble(config: MqttConfig, error: Exception) -> BrokerTrouble:
    """Return what is told of an *error* in connecting."""
    name = f"{config.broker}:{config.port_used}"
    if isinstance(error, ssl.SSLCertVerificationError):
        reason = error.verify_message.rstrip(".")
        return Refused(
            f"the certificate of the broker {name} is not trusted: {reason}; set mqtt.ca_file to"
            " the certificate of whoever signed it, and mqtt.broker to the name in it"
        )
    if isinstance(error, ssl.SSLError) or (config.tls and isinstance(error, ConnectionResetError)):
        return Refused(
            f"the broker {name} does not speak TLS there; correct mqtt.port, or set mqtt.tls to"
            " false"
        )
    if config.ca_file and isinstance(error, FileNotFoundError):
        return Refused(f"mqtt.ca_file {config.ca_file} is not there; name the broker's certificate")
    reason = getattr(error, "strerror", None) or str(error)
    remedy = "check mqtt.broker, mqtt.port and the network"
    if isinstance(error, ConnectionRefusedError) and config.broker not in THIS_MACHINE:
        # Mosquitto 2 as installed.
        remedy += (
            f". Mosquitto answers other machines only with 'listener {config.port_used}',"
            " 'allow_anonymous false', 'password_file' and 'acl_file' in its mosquitto.conf, see"
            " docs/mqtt.md"
        )
    return Unreachable(f"the broker {name} cannot be reached: {reason}; {remedy}")


def refusal(config: MqttConfig, code: int, words: str) -> Refused:
    """Return what is told when the broker refuses with a reason *code* of MQTT 5.0."""
    name = f"{config.broker}:{config.port_used}"
    if code in (BAD_PASSWORD, NOT_AUTHORISED):
        return Refused(
            f"the broker {name} refuses the user name or the password; correct mqtt.user and"
            " mqtt.password, or mqtt.password_file"
        )
    if code == UNSUPPORTED_VERSION:
        return Refused(f"the broker {name} does not speak MQTT 5; use one that does")
    return Refused(f"the broker {name} refuses the connection: {words}; see the broker's own log")
