"""The settings of [mqtt]: every refusal is one line, and no line shows a password."""

import sys
import tomllib
from pathlib import Path

import pytest

from companion.apps.doctor.bundle import REMOVED, settings_of
from companion.apps.mqtt.broker import Refused
from companion.apps.mqtt.paho_broker import read_password
from companion.apps.mqtt.start import publish_table
from companion.config import BadConfig, MqttConfig, load_config, parse_config
from tests.mqtt.tables import play, played
from tests.tables import sit_down

SECRET = "tangaroa-7"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "broker = 'mqtt://bar.local'",
            "it must be a name or an address alone, like 'broker.local'",
        ),
        ("broker = 'bar.local:1883'", "without mqtt:// and port"),
        ("broker = 'two words'", "mqtt.broker is 'two words'; it must be a name or an address"),
        ("port = 70000", "mqtt.port is 70000; it must be a whole number from 0 to 65535"),
        ("table = 'a/b'", "mqtt.table is 'a/b'; it must be of at most 64 letters"),
        ("table = 'bar#'", "letters without accents, digits, - and _, like 'table-1'"),
        (f"table = '{'x' * 65}'", "it must be of at most 64 letters"),
        ("prefix = ''", "mqtt.prefix is ''; it must be of letters without accents"),
        ("prefix = '/tiki'", "with / between its levels, like 'cafe/tiki'"),
        ("prefix = '$SYS'", "mqtt.prefix is '$SYS'"),
        ("discovery_prefix = 'home assistant'", "mqtt.discovery_prefix is 'home assistant'"),
        (f"password = '{SECRET}'", "mqtt has a password, but mqtt.user is ''; set mqtt.user"),
        ("password_file = '/etc/tiki/mqtt'", "set mqtt.user to the broker's user"),
        (
            f"user = 'bar'\npassword = '{SECRET}'\npassword_file = 'f'",
            "both set; set one of them to ''",
        ),
        ("ca_file = '/etc/ca.pem'", "mqtt.tls is false; set mqtt.tls to true"),
        ("passwort = ''", "unknown key 'mqtt.passwort'; did you mean 'mqtt.password'?"),
        ("user = 'bar'\npassword = 7777", "mqtt.password is not a text; put it in quotes"),
    ],
)
def test_a_setting_that_cannot_be_is_refused_in_one_line(text: str, words: str) -> None:
    """With what was given and what would be right, and without the password."""
    with pytest.raises(BadConfig) as caught:
        parse_config(tomllib.loads(f"[mqtt]\n{text}"))
    said = str(caught.value)
    assert words in said
    assert "\n" not in said
    assert SECRET not in said
    assert "7777" not in said


@pytest.mark.parametrize("broker", ["bar", "bar.local", "192.168.1.9", "::1", "fe80::1"])
def test_names_and_addresses_are_brokers(broker: str) -> None:
    """As a network has them."""
    assert parse_config({"mqtt": {"broker": broker}}).mqtt.broker == broker


@played
async def test_nothing_is_published_by_default_and_the_library_not_even_loaded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A table without a broker does not pay for it."""
    monkeypatch.setitem(sys.modules, "companion.apps.mqtt.paho_broker", None)
    await publish_table(load_config(None).mqtt, sit_down(3), str, lambda: "en")


def test_a_missing_library_is_named_on_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """And the game goes on."""
    monkeypatch.setitem(sys.modules, "paho.mqtt.client", None)
    monkeypatch.delitem(sys.modules, "companion.apps.mqtt.paho_broker", raising=False)
    live_session = sit_down(3)

    async def part() -> None:
        await publish_table(MqttConfig(broker="127.0.0.1"), live_session, str, lambda: "en")

    play(part)
    (said,) = live_session.troubles
    assert said.startswith("MQTT: the package paho")
    assert said.endswith("is missing; run ./run once to install it")


def test_the_support_bundle_has_no_password_and_no_user() -> None:
    """Nor the name of the file with the password."""
    config = parse_config({"mqtt": {"broker": "bar", "user": "ann", "password": SECRET}})
    found = settings_of(config)["mqtt"]
    assert (found["user"], found["password"]) == (REMOVED, REMOVED)
    config = parse_config({"mqtt": {"broker": "bar", "user": "ann", "password_file": "secret"}})
    assert settings_of(config)["mqtt"]["password_file"] == REMOVED


def test_a_password_comes_from_its_file(tmp_path: Path) -> None:
    """Read at each try, so that it can be corrected while the game goes on."""
    file = tmp_path / "password"
    config = MqttConfig(user="ann", password_file=str(file))
    with pytest.raises(Refused, match="No such file or directory; let the user that runs"):
        read_password(config)
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(Refused, match="it is not UTF-8"):
        read_password(config)
    file.write_text(f"{SECRET}\n")
    assert read_password(config) == SECRET
    assert read_password(MqttConfig(user="ann", password=SECRET)) == SECRET
    assert read_password(MqttConfig()) is None
