"""`tiki lights off`: the dark frame that a killed companion has not sent."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from socket import create_server

import pytest

from companion.cli import main
from hardware import neopixels
from tests.commands import assert_one_line
from tests.hardware.recorders import Record
from tests.install.unit import StandIn
from tests.running import ROOT

LIGHTS = 9
DARK = bytes(3 * LIGHTS)
PATIENCE_S = 90.0
QUICK_S = 10.0
"""So long the unit lets it take."""

# Runs `tiki` with Adafruit's library, whose bytes become a line each of the file that FRAMES names.
PROGRAM = f"""
import os, sys
sys.path.insert(0, {str(ROOT)!r})
os.environ["BLINKA_OS_AGNOSTIC"] = "1"
import board, neopixel
board.D18 = board.NEOPIXEL

def write(_, frame):
    with open(os.environ["FRAMES"], "a") as frames:
        frames.write(f"{{sys.argv[1]}} {{bytes(frame).hex()}}\\n")

neopixel.neopixel_write = write
from companion.cli import main
sys.exit(main())
"""


def settings(folder: Path, lights: str = 'kind = "neopixel"', *, port: int = 9) -> Path:
    """Write the settings of a table with these lights on its header, and return the file."""
    file = folder / "tiki.toml"
    file.write_text(
        f'[table]\ngame = "tiki_topple"\n[camera]\nsource = "none"\n[web]\nhost = "127.0.0.1"\n'
        f'port = {port}\n[log]\nfile = "{folder}/games.db"\n[lights]\n{lights}\n'
    )
    return file


@pytest.fixture
def wire(monkeypatch: pytest.MonkeyPatch) -> Record:
    """Return what comes over the data wire."""
    found = Record()
    monkeypatch.setattr("neopixel.neopixel_write", lambda _, sent: found.add(bytes(sent)))
    return found


@pytest.mark.parametrize(("order", "levels"), [("GRB", 3), ("GRBW", 4)])
def test_every_light_is_sent_darkness(
    order: str, levels: int, tmp_path: Path, wire: Record, capsys: pytest.CaptureFixture[str]
) -> None:
    """All that the settings have, with each of their colours."""
    file = settings(tmp_path, f'kind = "neopixel"\nlights = 20\norder = "{order}"')
    assert main(["lights", "off", "--config", str(file)]) == 0
    assert set(wire.heard) == {bytes(20 * levels)}
    assert capsys.readouterr().out == "The lights are out.\n"
    assert main(["lights", "off", "--quiet", "--config", str(file)]) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("lights", "said"),
    [
        ('kind = "fake"', "No lights are configured"),
        ('kind = "neopixel"\n[pins]\nboard = "pico"', "The lights are on the Pico, which puts"),
    ],
)
def test_what_is_not_on_the_header_is_left_alone(
    lights: str, said: str, tmp_path: Path, wire: Record, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is said, and is no failure."""
    assert main(["lights", "off", "--config", str(settings(tmp_path, lights))]) == 0
    assert wire.heard == []
    assert capsys.readouterr().out.startswith(said)


def test_a_companion_that_runs_is_not_disturbed(
    tmp_path: Path, wire: Record, capsys: pytest.CaptureFixture[str]
) -> None:
    """Such as one that was started again at once."""
    with create_server(("127.0.0.1", 0)) as server:
        file = settings(tmp_path, port=server.getsockname()[1])
        assert main(["lights", "off", "--config", str(file)]) == 1
    assert wire.heard == []
    assert_one_line(capsys.readouterr().err, "the companion is running", "left alone")


def test_what_the_driver_refuses_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the remedy; so are settings that cannot be read."""

    def refuse(_: object) -> None:
        raise RuntimeError("Can't open /dev/mem: Permission denied")

    monkeypatch.setattr(neopixels, "_Pixels", refuse)
    file = settings(tmp_path)
    assert main(["lights", "off", "--config", str(file)]) == 1
    assert_one_line(capsys.readouterr().err, "lights: GPIO 18 needs root; move the data wire")
    assert main(["lights", "off", "--quiet", "--config", str(file)]) == 0
    file.write_text("[lights\n")
    assert main(["lights", "off", "--quiet", "--config", str(file)]) == 0
    assert capsys.readouterr() == ("", "")
    assert main(["lights", "off", "--config", str(file)]) == 1
    assert_one_line(capsys.readouterr().err, "tiki.toml")


def lit(frames: Path) -> list[str]:
    """Return what was sent, oldest first: who sent it, and "lit" or "dark"."""
    lines = (line.split() for line in frames.read_text().splitlines()) if frames.exists() else ()
    return [f"{who} {'dark' if bytes.fromhex(sent) == DARK else 'lit'}" for who, sent in lines]


def wait_for(wanted: str, frames: Path, after: int = 0) -> int:
    """Return how many frames there are once *wanted* is among those *after* some."""
    until_s = time.monotonic() + PATIENCE_S
    while wanted not in (seen := lit(frames))[after:]:
        assert time.monotonic() < until_s, seen
        time.sleep(0.05)
    return len(seen)


@pytest.mark.skipif(os.geteuid() != 0, reason="the stand-in changes users; run as root")
def test_a_killed_service_leaves_darkness(tmp_path: Path) -> None:
    """`kill -9`: dark before the next start, as the unit has it; that one's lights are its own."""
    unit = StandIn(tmp_path / "unit", "")
    folder = tmp_path / "unit"
    (folder / "program.py").write_text(PROGRAM)
    file, frames = settings(folder, port=0), folder / "frames"
    text = (folder / "tiki.service").read_text()
    program = f"{sys.executable} {folder}/program.py"
    text = re.sub(
        "^ExecStart=.*", f"ExecStart={program} run --config {file}", text, flags=re.MULTILINE
    )
    text = re.sub(
        r"^ExecStopPost=-\S+ (.*) --config .*",
        rf"ExecStopPost=-{program} \1 --config {file}",
        text,
        flags=re.MULTILINE,
    )
    text = text.replace("WatchdogSec=2s", "WatchdogSec=60s").replace(
        "Environment=", f"Environment=FRAMES={frames} "
    )
    (folder / "tiki.service").write_text(text)
    try:
        unit("start", "tiki")
        count = wait_for("run lit", frames)
        os.kill(int((folder / "run" / "stand-in" / "main").read_text()), signal.SIGKILL)
        killed_s = time.monotonic()
        wait_for("lights dark", frames, count)
        assert time.monotonic() - killed_s < QUICK_S
        count = wait_for("run lit", frames, count)
        assert lit(frames)[count:].count("lights dark") == 0
    finally:
        unit("stop", "tiki")
    assert lit(frames)[-1].endswith("dark")


def test_a_killed_program_leaves_its_lights_on(tmp_path: Path) -> None:
    """Why all this: what Adafruit's library has lit stays lit, so the tests above can fail."""
    (tmp_path / "program.py").write_text(PROGRAM)
    file, frames = settings(tmp_path, port=0), tmp_path / "frames"
    running = subprocess.Popen(
        [sys.executable, tmp_path / "program.py", "run", "--config", file],
        env={**os.environ, "FRAMES": str(frames)},
        stdout=subprocess.DEVNULL,
    )
    try:
        wait_for("run lit", frames)
    finally:
        running.kill()
        running.wait()
    assert lit(frames)[-1] == "run lit"
