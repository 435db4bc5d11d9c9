"""`tiki hub` on the command line: every refusal is one line with the remedy, and no secret."""

import socket
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from companion.apps.hub.schema import HubRow
from companion.cli import main
from tests.hub.hubs import DEADLINE_S, KEY, HubProcess
from tests.hub.postgres import PASSWORD, Postgres
from tests.hub.postgres import missing as no_postgres
from tests.hub.publishing import open_database
from tests.mqtt.listening import Listener
from tests.mqtt.mosquitto import Mosquitto
from tests.mqtt.mosquitto import missing as no_mosquitto
from tests.running import free_port

needs_broker = pytest.mark.skipif(bool(no_mosquitto()), reason=no_mosquitto())
needs_postgres = pytest.mark.skipif(bool(no_postgres()), reason=no_postgres())
SECRET = "tangaroa-9"


@pytest.fixture
def refusal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., str]:
    """Return what says why the command ends with these words."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))

    def told(*words: str) -> str:
        given = ("hub", "--port", str(free_port()), *words)
        assert main(given) == 1
        (line,) = capsys.readouterr().err.splitlines()
        assert line.startswith("tiki: ")
        assert SECRET not in line
        return line

    return told


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "no broker is named; give --broker mqtt://HOST, or set mqtt.broker"),
        (("--broker", "broker.local"), "--broker takes an address like mqtt://broker.local"),
        (("--broker", "http://broker.local"), "--broker takes an address like mqtt://"),
        (("--broker", f"mqtt://ann:{SECRET}@broker"), "--broker has a password, which other users"),
        (("--broker", "mqtt://two words"), "mqtt.broker is 'two words'; it must be a name"),
        (("--broker", "mqtt://h:99999"), "mqtt.port is 99999; it must be a whole number"),
        (("--config", "/no/such.toml"), "/no/such.toml: No such file or directory; name a"),
        (
            ("--broker", "mqtt://h", "--database", f"mysql://u:{SECRET}@h/d"),
            "the hub knows no database mysql",
        ),
        (
            ("--broker", "mqtt://h", "--database", "sqlite:////no/such/hub.db"),
            "the database /no/such/hub.db cannot be used: No such file or directory; make its",
        ),
        (
            ("--broker", "mqtt://h", "--database", f"postgresql://u:{SECRET}@127.0.0.1:1/d"),
            "the database postgresql://u:***@127.0.0.1:1/d cannot be used: ",
        ),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(
    refusal: Callable[..., str], words: tuple[str, ...], said: str
) -> None:
    """What was given, and what would be right."""
    assert said in refusal(*words)


def test_a_newer_hubs_database_is_refused(refusal: Callable[..., str], tmp_path: Path) -> None:
    """It is left as it is."""
    with closing(open_database(tmp_path)) as database, database.write() as session:
        row = session.get(HubRow, 1)
        assert row is not None
        row.schema = 9
    said = refusal("--broker", "mqtt://h", "--database", f"sqlite:///{tmp_path}/hub.db")
    assert "is of a newer version (schema 9; this one knows 1); update the companion" in said


@needs_broker
def test_a_broker_that_refuses_the_password_ends_the_hub(
    refusal: Callable[..., str], tmp_path: Path
) -> None:
    """At the start, for people have to change something first."""
    file = tmp_path / "passwords"
    subprocess.run(["mosquitto_passwd", "-b", "-c", file, "ann", SECRET], check=True)
    settings = tmp_path / "hub.toml"
    settings.write_text(f"[mqtt]\nuser = 'ann'\npassword = 'not-{SECRET}'\n")
    with Mosquitto(tmp_path, "allow_anonymous false", f"password_file {file}") as broker:
        words = ("--config", str(settings), "--broker", f"mqtt://127.0.0.1:{broker.port}")
        said = refusal(*words)
    assert "refuses the user name or the password; correct mqtt.user and mqtt.password" in said


@needs_postgres
def test_a_database_server_that_refuses_is_named(refusal: Callable[..., str]) -> None:
    """A wrong password, a database that is not there."""
    with Postgres() as server:
        for url, words in (
            (server.url(password=SECRET), "correct user and password in the database's address"),
            (server.url(name="cafe"), "does not exist; make it: sudo -u postgres createuser"),
        ):
            said = refusal("--broker", "mqtt://h", "--database", url)
            assert words in said
            assert PASSWORD not in said


@needs_broker
def test_a_hub_begins_without_a_broker_and_ends_in_order(tmp_path: Path) -> None:
    """It says so on its pages, finds the broker when that comes, and ends with status 0."""
    (tmp_path / "broker").mkdir()
    broker = Mosquitto(tmp_path / "broker")
    with HubProcess(tmp_path, broker, f"sqlite:///{tmp_path}/hub.db") as hub:
        hub.wait(lambda state: "cannot be reached" in str(state["troubles"]))
        with broker:
            hub.wait(lambda state: not state["troubles"])
            with Listener(broker.port, "tiki/none") as listener:
                listener.publish("tiki/bar/availability", b'{"state": "online"}')
                shown = hub.wait(lambda state: state["tables"])
                assert [each["name"] for each in shown["tables"]] == ["bar"]
            assert hub.stop() == 0
        assert f"/?key={KEY}" in hub.log()
        assert "Traceback" not in hub.log()


def test_a_port_in_use_is_named(refusal: Callable[..., str]) -> None:
    """A table's, or another hub's."""
    with socket.create_server(("0.0.0.0", 0)) as other:
        port = str(other.getsockname()[1])
        said = refusal("--broker", "mqtt://h", "--port", port)
    assert f"port {port} on :: is in use; stop the other program, or choose another" in said


@needs_broker
def test_the_service_manager_is_told_that_the_hub_is_ready(tmp_path: Path) -> None:
    """Once its page answers; then how many tables there are; and that it stops."""
    (tmp_path / "broker").mkdir()
    address = str(tmp_path / "notify")
    told: list[str] = []
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(address)
        manager.settimeout(DEADLINE_S)
        with Mosquitto(tmp_path / "broker") as broker:
            hub = HubProcess(tmp_path, broker, f"sqlite:///{tmp_path}/hub.db")
            hub.environment["NOTIFY_SOCKET"] = address
            with hub:
                while not any("STATUS=0 of 0 tables at http://" in each for each in told):
                    told.append(manager.recv(4096).decode())
                assert told[0] == "READY=1"
                assert hub.stop() == 0
                while "STOPPING=1" not in told:
                    told.append(manager.recv(4096).decode())
