"""Where the table is published: an MQTT broker, and under which name."""

import re
import socket
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from companion.validation import Misfit, show

PLAIN_PORT: Final = 1883
TLS_PORT: Final = 8883
"""Both as IANA lists them for MQTT."""
MAX_NAME_CHARS: Final = 64
_LEVEL: Final = rf"[A-Za-z0-9_-]{{1,{MAX_NAME_CHARS}}}"
_NAME: Final = re.compile(_LEVEL)
"""What a topic, a client identifier and Home Assistant all take."""
_PREFIX: Final = re.compile(rf"{_LEVEL}(/{_LEVEL}){{0,7}}")
_BROKER: Final = re.compile(r"[A-Za-z0-9._-]{1,253}|[0-9A-Fa-f:.]{2,45}")


class MqttConfig(msgspec.Struct, frozen=True):
    """Where the table is published, and how.

    broker: its name or address; "" publishes nothing.  port: 0 is 1883, or 8883 with TLS.
    table: the name of this table, which no other on the broker may have; "" is the machine's name.
    prefix: what every topic begins with.
    user, password: as the broker knows them.  password_file: holds the password instead.
    tls: whether the connection is encrypted.  ca_file: the certificate by which the broker is
        known; "" trusts those that the system trusts.
    discovery: whether Home Assistant is told of the table.  discovery_prefix: where it listens.
    commands: whether whoever may write to the broker may take moves back.
    """

    broker: str = ""
    port: Annotated[int, Meta(ge=0, le=65535)] = 0
    table: str = ""
    prefix: str = "tiki"
    user: str = ""
    password: str = ""
    password_file: str = ""
    tls: bool = False
    ca_file: str = ""
    discovery: bool = False
    discovery_prefix: str = "homeassistant"
    commands: bool = False

    @property
    def port_used(self) -> int:
        """The port that is connected to.

        >>> MqttConfig(tls=True).port_used, MqttConfig(port=1884).port_used
        (8883, 1884)
        """
        return self.port or (TLS_PORT if self.tls else PLAIN_PORT)

    @property
    def table_used(self) -> str:
        """The name of the table: as it was set, or the machine's."""
        return self.table or table_name(socket.gethostname())


def table_name(host: str) -> str:
    """Return the name of a table that is called like the machine *host*.

    >>> table_name("bar.example"), table_name("")
    ('bar', 'table')
    """
    name = re.sub(r"[^A-Za-z0-9_-]", "-", host.partition(".")[0])[:MAX_NAME_CHARS]
    return name or "table"


def check_mqtt(mqtt: MqttConfig) -> None:
    """Raise Misfit if a name cannot be one, or two settings contradict each other."""
    if mqtt.broker and not _BROKER.fullmatch(mqtt.broker):
        raise Misfit(
            f"mqtt.broker is {show(mqtt.broker)}; it must be a name or an address alone, like"
            " 'broker.local', without mqtt:// and port"
        )
    if mqtt.table and not _NAME.fullmatch(mqtt.table):
        raise Misfit(
            f"mqtt.table is {show(mqtt.table)}; it must be of at most {MAX_NAME_CHARS} letters"
            " without accents, digits, - and _, like 'table-1'"
        )
    for name, prefix in (("prefix", mqtt.prefix), ("discovery_prefix", mqtt.discovery_prefix)):
        if not _PREFIX.fullmatch(prefix):
            raise Misfit(
                f"mqtt.{name} is {show(prefix)}; it must be of letters without accents, digits, -"
                " and _, with / between its levels, like 'cafe/tiki'"
            )
    _check_secrets(mqtt)


def _check_secrets(mqtt: MqttConfig) -> None:
    """No message here shows a password: what a terminal shows may be kept."""
    if mqtt.password and mqtt.password_file:
        raise Misfit("mqtt.password and mqtt.password_file are both set; set one of them to ''")
    if (mqtt.password or mqtt.password_file) and not mqtt.user:
        raise Misfit("mqtt has a password, but mqtt.user is ''; set mqtt.user to the broker's user")
    if mqtt.ca_file and not mqtt.tls:
        raise Misfit("mqtt.ca_file is set, but mqtt.tls is false; set mqtt.tls to true")
