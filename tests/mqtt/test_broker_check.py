"""`tiki doctor` and the broker: it answers, lets the table in, keeps its state; or what to do."""

import json
import subprocess
from pathlib import Path

import pytest

from companion.apps.doctor.verdict import Verdict
from companion.apps.mqtt.broker_check import check_broker
from companion.cli import main
from companion.config import Config, MqttConfig
from tests.doctor.machines import built, pi_5
from tests.mqtt.listening import Listener
from tests.mqtt.mosquitto import Mosquitto, missing
from tests.mqtt.tables import TOPICS
from tests.running import free_port

needs_broker = pytest.mark.skipif(bool(missing()), reason=missing())
PASSWORD = "tangaroa-7"


def verdict_of(mqtt: MqttConfig) -> Verdict:
    """Return what is said of a table that publishes so."""
    return check_broker(pi_5(), built(config=Config(mqtt=mqtt)))


def test_a_table_without_a_broker_needs_none() -> None:
    """It is skipped."""
    assert verdict_of(MqttConfig()).status == "skipped"


def test_a_broker_that_is_not_there_is_named_with_the_remedy() -> None:
    """Nobody listens at that port."""
    found = verdict_of(MqttConfig(broker="127.0.0.1", port=free_port(), table="bar"))
    assert found.status == "failed"
    assert "cannot be reached: Connection refused" in found.detail
    assert found.remedy == "check mqtt.broker, mqtt.port and the network"


def test_a_broker_that_answers_its_own_machine_only_is_named_with_what_it_lacks() -> None:
    """Mosquitto as installed: the lines of docs/mqtt.md, with the port of the settings."""
    port = free_port()
    found = verdict_of(MqttConfig(broker="127.0.0.2", port=port, table="bar"))
    assert "cannot be reached: Connection refused" in found.detail
    page = (Path(__file__).parents[2] / "docs" / "mqtt.md").read_text()
    lines = page.partition("```conf\n")[2].partition("```")[0].replace("1883", str(port))
    for line in lines.splitlines():
        assert f"'{line.partition(' /')[0]}'" in found.remedy


@needs_broker
def test_a_broker_that_answers_is_well_and_hears_nothing_of_a_table(tmp_path: Path) -> None:
    """Whether it keeps a state of this table is said; the check asks whether it hears itself."""
    with Mosquitto(tmp_path) as broker, Listener(broker.port, "#") as listener:
        found = verdict_of(broker.config())
        assert found.status == "ok"
        assert "it keeps nothing of 'bar' yet" in found.detail
        assert [each.topic for each in listener.heard] == [TOPICS.claim]
        listener._client.publish(TOPICS.state, b"{}", qos=1, retain=True).wait_for_publish(5)
        assert verdict_of(broker.config()).detail.endswith("it keeps the state of 'bar'")


@needs_broker
def test_a_password_that_is_refused_is_named_without_it(tmp_path: Path) -> None:
    """And with the right one all is well."""
    file = tmp_path / "passwords"
    subprocess.run(["mosquitto_passwd", "-b", "-c", file, "ann", PASSWORD], check=True)
    with Mosquitto(tmp_path, "allow_anonymous false", f"password_file {file}") as broker:
        wrong = broker.config
        found = verdict_of(wrong(user="ann", password=f"not-{PASSWORD}"))
        assert found.status == "failed"
        assert "refuses the user name or the password" in found.detail
        assert "correct mqtt.user and mqtt.password" in found.remedy
        assert PASSWORD not in found.detail + found.remedy
        assert "lets 'ann' in" in verdict_of(wrong(user="ann", password=PASSWORD)).detail


def test_the_command_has_the_check(capsys: pytest.CaptureFixture[str]) -> None:
    """As the last one."""
    main(["doctor", "--json"])
    checks = json.loads(capsys.readouterr().out)["checks"]
    assert (checks[-1]["name"], checks[-1]["status"]) == ("broker", "skipped")
