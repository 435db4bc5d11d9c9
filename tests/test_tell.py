"""`tiki tell`: what happened, from a terminal, to a companion that runs."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.cli import main
from companion.devices.sensor_adapter import SensorAdapter
from companion.referee.live_session import LiveSession
from hardware.simulated_sensors import SimulatedSensors
from tests.referee.entering import acts, sit
from tests.web.serving import Served, served
from tests.web.visitors import HOST_KEY


def simulated(live_session: LiveSession) -> SimulatedSensors:
    """Return simulated sensors of *live_session*."""
    return SimulatedSensors(
        lambda: len(live_session.header.players), SensorAdapter(live_session).handle
    )


@pytest.fixture
def house() -> Iterator[Served]:
    """Serve a game of Topple with simulated sensors."""
    with served(lambda: sit("topple")) as found:
        found.pub.app.state.site.table.simulate = simulated(found.pub.live_session).simulate
        yield found


def tiki_tell(house: Served, *words: str, key: str = HOST_KEY) -> int:
    """Return the exit status of the command."""
    return main(["tell", "--port", str(house.port), "--key", key, *words])


def test_an_evening_is_told_from_the_terminal(
    house: Served, capsys: pytest.CaptureFixture[str]
) -> None:
    """An action, a fall by sensor, a take-back, a pause: each is answered in words."""
    for words in (["roll", "3"], ["place 20 pink"], ["roll 6"], ["--sensor", "topple"], ["undo"]):
        assert tiki_tell(house, *words) == 0
    assert capsys.readouterr().out.splitlines() == [
        "Rolled a 3",
        "Next: Ann places a piece on a level 3 spot.",
        "Ann places pink on A3",
        "Next: Bob rolls the die.",
        "Rolled a 6",
        "Next: Bob places a piece on any spot.",
        "Simulated: topple",
        "Taken back: The tower fell while Bob was placing",
        "Next: Bob places a piece on any spot.",
    ]
    assert house.do(acts) == ["roll 3", "place 20 pink", "roll 6"]
    assert tiki_tell(house, "pause") == 0
    assert "The game is paused" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "key", "reason"),
    [
        (["roll", "9"], HOST_KEY, "'roll 9' is not an action"),
        (["place 22 pink"], HOST_KEY, "the die has to be rolled"),
        (["undo"], HOST_KEY, "There is nothing to take back."),
        (["--sensor", "spin"], HOST_KEY, "words are 'topple'"),
        (["roll 3"], "guessed", "Give the host's key with --key"),
        (["roll 3"], "", "a companion answers, but its key is not in"),
    ],
)
def test_a_refusal_is_one_line_with_the_remedy(
    house: Served,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    words: list[str],
    key: str,
    reason: str,
) -> None:
    """What was wrong, from the rules or the companion, and exit status 1."""
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    assert tiki_tell(house, *words, key=key) == 1
    told = capsys.readouterr().err
    assert reason in told
    assert len(told.splitlines()) == 1
    assert house.do(acts) == []


def test_real_sensors_are_not_simulated(house: Served, capsys: pytest.CaptureFixture[str]) -> None:
    """Where sensors are real, nobody moves them by words."""
    house.pub.app.state.site.table.simulate = None
    assert tiki_tell(house, "--sensor", "topple") == 1
    assert "Sensors are not simulated" in capsys.readouterr().err


def test_the_key_lies_beside_the_log(house: Served, tmp_path: Path) -> None:
    """On the companion's own machine the command finds the key by itself."""
    log = tmp_path / "game.db"
    log.with_suffix(".keys.json").write_text(json.dumps({"host": HOST_KEY}))
    assert main(["tell", "--port", str(house.port), "--log", str(log), "roll", "3"]) == 0
    assert house.do(acts) == ["roll 3"]


def test_nobody_at_home_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    """A port on which no companion listens, and none at all."""
    for key in (["--key", "x"], []):  # without one, the key is not what is missing
        assert main(["tell", "--port", "1", *key, "roll", "3"]) == 1
        assert "no companion answers on 127.0.0.1 port 1" in capsys.readouterr().err
    assert main(["tell", "--port", "0", "--key", "x", "roll", "3"]) == 1
    assert "0 is not a port number" in capsys.readouterr().err
