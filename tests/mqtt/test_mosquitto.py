"""A whole companion and a real Mosquitto: kills, outages, refusals."""

import asyncio
import json
import shutil
import signal
import subprocess
import urllib.parse
import urllib.request
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from companion.apps.mqtt.naming import ANSWER_S
from companion.apps.mqtt.start import publish_table
from companion.config import MqttConfig
from companion.referee.live_session import LiveSession
from companion.session.log import Log
from tests.mqtt.listening import Listener
from tests.mqtt.mosquitto import Mosquitto, missing
from tests.mqtt.reader import Reader, logged
from tests.mqtt.tables import TOPICS, actions, play, played, until
from tests.running import child
from tests.tables import sit_down

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing())

KEY = "tangaroa-waits-here"
PASSWORD = "tangaroa-7"


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    """Return a running broker."""
    folder = tmp_path / "broker"
    folder.mkdir()
    with Mosquitto(folder) as running:
        yield running


def settings(folder: Path, broker: Mosquitto, *more: str) -> Path:
    """Return a file of settings for a companion that publishes to *broker*."""
    file = folder / "tiki.toml"
    lines = ("broker = '127.0.0.1'", f"port = {broker.port}", "table = 'bar'", *more)
    file.write_text(
        f"[camera]\nsource = 'none'\n[table]\ngame = 'topple'\n[web]\nkey = '{KEY}'\n[mqtt]\n"
        + "\n".join(lines)
    )
    return file


def tell(port: int, action: str) -> None:
    """Enter *action* as the host."""
    form = urllib.parse.urlencode({"action": action}).encode()
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/api/v1/tell", form, {"Authorization": f"Bearer {KEY}"}
    )
    urllib.request.urlopen(request, timeout=10).close()


def states(listener: Listener) -> list[str]:
    """Return what was said of whether the table is there."""
    found = [json.loads(each.payload)["state"] for each in listener.of(TOPICS.availability)]
    return [state for place, state in enumerate(found) if place == 0 or state != found[place - 1]]


def test_a_companion_that_is_killed_is_said_to_be_gone_and_loses_nothing(
    tmp_path: Path, broker: Mosquitto
) -> None:
    """`tiki run`, SIGKILL, and again; a reader that came late knows the state at once."""
    config = str(settings(tmp_path, broker))
    with Listener(broker.port, "tiki/#") as listener:
        with child(tmp_path, "--config", config) as running:
            listener.wait(lambda: states(listener) == ["online"])
            tell(running.port, "roll 3")
            listener.wait(lambda: types(listener) and listener.of(TOPICS.state))
            with Listener(broker.port, TOPICS.state, TOPICS.availability, name="late") as late:
                late.wait(lambda: len(late.heard) >= 2)
                kept = {
                    each.topic: json.loads(each.payload) for each in late.heard if each.retained
                }
                assert kept[TOPICS.state]["game"] == "topple"
                assert kept[TOPICS.availability]["state"] == "online"
            running.process.kill()
            listener.wait(lambda: states(listener) == ["online", "offline"])
        with child(tmp_path, "--config", config) as running:
            listener.wait(lambda: states(listener) == ["online", "offline", "online"])
            tell(running.port, "undo")
            listener.wait(lambda: "undo" in types(listener))
            running.assert_in_order(running.stop(signal.SIGTERM))
            listener.wait(lambda: states(listener)[-1] == "offline")
        assert "MQTT" not in running.errors
        reader = read(listener)
    with Log(tmp_path / "game.db") as log:
        assert reader.entries == logged(log)
    assert reader.missed == []


def test_home_assistants_birth_is_heard_through_a_real_broker(
    broker: Mosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As it says it, not retained; announcement and state come again, the announcement first."""
    monkeypatch.setattr("companion.apps.mqtt.publisher.random.uniform", lambda *_: 0.1)
    address = "homeassistant/device/tiki_bar/config"

    async def part(listener: Listener) -> None:
        task = publish(broker.config(discovery=True), sit_down(3))
        await until(lambda: listener.of(TOPICS.state))
        mark = len(listener.heard)
        listener.publish("homeassistant/status", b"online")
        await until(lambda: len(listener.of(TOPICS.state)) == 2)
        again = [each.topic for each in listener.heard[mark:] if each.topic != TOPICS.availability]
        assert again == ["homeassistant/status", address, TOPICS.state]
        await end(task)

    with Listener(broker.port, "tiki/#", "homeassistant/#") as listener:
        play(lambda: part(listener))


def types(listener: Listener) -> set[str]:
    """Return what kinds of events were heard."""
    return {json.loads(each.payload)["event"]["type"] for each in listener.of(TOPICS.events)}


def read(listener: Listener) -> Reader:
    """Return a reader that has heard the same."""
    reader = Reader()
    for each in listener.of(TOPICS.events):
        reader.take(each.payload)
    return reader


def publish(config: MqttConfig, live_session: LiveSession) -> "asyncio.Task[None]":
    """Let *live_session* publish as a companion would."""
    return asyncio.create_task(
        publish_table(config, live_session, lambda: "http://bar.local", lambda: "en")
    )


async def end(*tasks: "asyncio.Task[None]") -> None:
    """End *tasks*."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def test_a_broker_killed_twice_in_a_game_loses_and_doubles_nothing(broker: Mosquitto) -> None:
    """Moves are made before, meanwhile and after; the state is there again as well."""

    async def part(listener: Listener) -> None:
        live_session, moves = sit_down(3), actions(4)
        third = len(moves) // 3
        task = publish(broker.config(), live_session)
        for number, move in enumerate(moves):
            if number in (third, 2 * third):
                # A killed Mosquitto forgets what it has taken and not yet handed on.
                await until(lambda: read(listener).entries == logged(live_session.log))
                await asyncio.to_thread(broker.kill)
            live_session.referee.enter(move)
            live_session.changed()
            await asyncio.sleep(0.05)
            if number in (third + 4, 2 * third + 4):
                await asyncio.to_thread(broker.start)
        await until(lambda: read(listener).entries == logged(live_session.log))
        await until(
            lambda: live_session.feed.newest_id.encode() in listener.of(TOPICS.state)[-1].payload
        )
        await end(task)
        assert read(listener).missed == []
        assert live_session.troubles == ()

    with Listener(broker.port, "tiki/#") as listener:
        broker.save()
        play(lambda: part(listener))


def test_a_broker_that_hangs_is_left_and_found_again(
    broker: Mosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes what is sent and answers nothing; what it had then comes twice at most."""
    monkeypatch.setattr("companion.apps.mqtt.paho_broker.ANSWER_S", 0.4)
    monkeypatch.setattr("companion.apps.mqtt.paho_broker.CONNECT_S", 0.4)

    async def part(listener: Listener) -> None:
        live_session, moves = sit_down(3), actions(5)
        task = publish(broker.config(), live_session)
        await until(lambda: listener.of(TOPICS.state))
        broker.freeze(frozen=True)
        for move in moves[:6]:
            live_session.referee.enter(move)
        await until(lambda: live_session.troubles)
        assert "does not answer" in live_session.troubles[0]
        broker.freeze(frozen=False)
        await until(lambda: read(listener).entries == logged(live_session.log))
        await until(lambda: not live_session.troubles)
        await until(lambda: states(listener)[-1] == "online")
        await end(task)
        assert read(listener).missed == []

    with Listener(broker.port, "tiki/#") as listener:
        play(lambda: part(listener))


async def trouble_of(config: MqttConfig) -> str:
    """Return what a table says that publishes so; its game goes on."""
    live_session, moves = sit_down(3), actions()
    task = publish(config, live_session)
    await until(lambda: live_session.troubles)
    live_session.referee.enter(moves[0])
    (said,) = live_session.troubles
    await end(task)
    assert "\n" not in said
    assert PASSWORD not in said
    return said


def test_a_broker_that_refuses_the_password_is_named_with_the_remedy(tmp_path: Path) -> None:
    """Also where it wants one and none is set; with the right one all is well."""
    file = tmp_path / "passwords"
    subprocess.run(["mosquitto_passwd", "-b", "-c", file, "ann", PASSWORD], check=True)
    acl = tmp_path / "acl"
    acl.write_text("user ann\ntopic readwrite tiki/bar/#\n")
    lines = ("allow_anonymous false", f"password_file {file}", f"acl_file {acl}")
    words = "refuses the user name or the password; correct mqtt.user and mqtt.password"

    async def part(real: Mosquitto) -> None:
        for user, password in (("ann", "wrong"), ("bob", PASSWORD), ("", "")):
            assert words in await trouble_of(real.config(user=user, password=password))
        ann = partial(real.config, user="ann", password=PASSWORD)
        assert "let this table write to tiki/pub/" in await trouble_of(ann(table="pub"))
        live_session = sit_down(3)
        task = publish(ann(), live_session)
        await asyncio.sleep(1)
        assert live_session.troubles == ()
        await end(task)

    with Mosquitto(tmp_path, *lines) as real:
        play(lambda: part(real))


@played
async def test_a_broker_that_cannot_be_reached_is_named_with_the_remedy(broker: Mosquitto) -> None:
    """A name that nobody has, a port where nobody listens, and one where something else does."""
    broker_port = broker.port
    said = await trouble_of(MqttConfig(broker="no-such-host.invalid"))
    assert "the broker no-such-host.invalid:1883 cannot be reached: " in said
    assert said.endswith("check mqtt.broker, mqtt.port and the network. The game goes on")
    broker.kill()
    said = await trouble_of(MqttConfig(broker="127.0.0.1", port=broker_port))
    assert "cannot be reached: Connection refused; check" in said

    def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.close()

    other = await asyncio.start_server(answer, "127.0.0.1")
    port = other.sockets[0].getsockname()[1]
    said = await trouble_of(MqttConfig(broker="127.0.0.1", port=port))
    assert "has closed the connection before it answered; see whether" in said
    other.close()


def certificate(folder: Path, name: str) -> tuple[Path, Path]:
    """Return a certificate that has signed itself, for *name*, and its key."""
    found = folder / f"{name}.pem", folder / f"{name}.key"
    words = f"req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN={name} -addext"
    kind = "IP" if name[0].isdigit() else "DNS"
    subprocess.run(
        [
            "openssl",
            *words.split(),
            f"subjectAltName={kind}:{name}",
            "-out",
            found[0],
            "-keyout",
            found[1],
        ],
        check=True,
        capture_output=True,
    )
    return found


@pytest.mark.skipif(
    not shutil.which("openssl"), reason="openssl is missing: sudo apt install openssl"
)
# Paho leaves the socket to the garbage collector when the handshake fails.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_tls_that_fails_is_named_with_the_remedy(tmp_path: Path) -> None:
    """A certificate that nobody vouches for or of another name, no TLS there, or TLS unasked."""
    mine, key = certificate(tmp_path, "127.0.0.1")
    other, other_key = certificate(tmp_path, "elsewhere.example")

    async def part(real: Mosquitto, plain: Mosquitto, wrong: Mosquitto) -> None:
        said = await trouble_of(real.config(tls=True))
        assert "is not trusted: self" in said
        assert "set mqtt.ca_file to the certificate of whoever signed it" in said
        said = await trouble_of(real.config(tls=True, ca_file=str(other)))
        assert "is not trusted" in said
        said = await trouble_of(wrong.config(tls=True, ca_file=str(other)))
        assert "is not trusted: IP address mismatch" in said
        said = await trouble_of(real.config(tls=True, ca_file=str(tmp_path / "none.pem")))
        assert "none.pem is not there; name the broker's certificate" in said
        said = await trouble_of(plain.config(tls=True))
        assert "does not speak TLS there; correct mqtt.port, or set mqtt.tls to false" in said
        said = await trouble_of(real.config())
        assert "and wants mqtt.tls" in said
        live_session = sit_down(3)
        task = publish(real.config(tls=True, ca_file=str(mine)), live_session)
        await asyncio.sleep(1)
        assert live_session.troubles == ()
        await end(task)

    folders = [tmp_path / name for name in ("real", "plain", "wrong")]
    for folder in folders:
        folder.mkdir()
    with (
        Mosquitto(folders[0], f"certfile {mine}", f"keyfile {key}") as real,
        Mosquitto(folders[1]) as plain,
        Mosquitto(folders[2], f"certfile {other}", f"keyfile {other_key}") as wrong,
    ):
        play(lambda: part(real, plain, wrong))


def test_two_tables_of_one_name_at_a_real_broker(broker: Mosquitto) -> None:
    """The second says so and changes nothing of the first; in its own name it publishes."""

    async def part(listener: Listener) -> None:
        first, second = sit_down(3), sit_down(2)
        tasks = [publish(broker.config(), first)]
        await until(lambda: listener.of(TOPICS.state))
        said = await trouble_of(broker.config())
        assert said.startswith("MQTT: another table is called 'bar' on this broker; give one of")
        assert {len(json.loads(each.payload)["players"]) for each in listener.of(TOPICS.state)} == {
            3
        }
        assert (states(listener), first.troubles) == (["online"], ())
        tasks.append(publish(broker.config(table="pub"), second))
        await until(lambda: listener.of("tiki/pub/state"))
        await end(*tasks)

    assert ANSWER_S < 10
    with Listener(broker.port, "tiki/#") as listener:
        play(lambda: part(listener))


def test_a_refusal_is_one_line_on_the_terminal_and_the_pages_go_on(tmp_path: Path) -> None:
    """Of a companion that was told of a broker that is not there."""
    gone = Mosquitto(tmp_path)
    with child(tmp_path, "--config", str(settings(tmp_path, gone))) as running:
        found: dict[str, Any] = {}

        def warned() -> bool:
            found.update(json.loads(running.ask("/api/v1/state").partition("\r\n\r\n")[2]))
            return any("MQTT" in each for each in found["warnings"])

        for _ in range(100):
            if warned():
                break
        tell(running.port, "roll 3")
        running.assert_in_order(running.stop(signal.SIGTERM))
    (line,) = [each for each in running.errors.splitlines() if "MQTT" in each]
    assert f"MQTT: the broker 127.0.0.1:{gone.port} cannot be reached: Connection refused" in line
