"""The unit of the service: systemd understands every line of it, and it may do little."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from companion.cli import build_parser, lights
from companion.wifi.radio import ADDRESS

UNITS = sorted((Path(__file__).parent.parent / "deploy").glob("*.service"))
UNITS_BY_NAME = {each.name: each for each in UNITS}
PORTAL = Path(__file__).parent.parent / "deploy" / "wifi" / "tiki-portal.socket"
MAX_EXPOSURE = 2.0
PROGRAM = r"^(Exec(?:Start|StopPost)=-?)\S+"

pytestmark = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None,
    reason="systemd-analyze is missing: sudo apt install systemd",
)


def analyze(*words: str) -> str:
    """Return all that `systemd-analyze` says."""
    done = subprocess.run(["systemd-analyze", *words], capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def verify(unit: Path, folder: Path) -> str:
    """Return what is wrong with *unit*, once its program is one that is there.

    `systemd-analyze verify` says it of an unknown key too, and still ends with status 0.
    """
    draft = folder / unit.name
    text = re.sub(PROGRAM, rf"\1{sys.executable}", unit.read_text(), flags=re.MULTILINE)
    draft.write_text(text)
    return analyze("verify", "--man=no", str(draft))


def exposure(unit: Path) -> float:
    """Return how much *unit* may do, from 0 to 10."""
    found = re.search(r"Overall exposure level for \S+: ([\d.]+)", said := security(unit))
    assert found, said
    return float(found[1])


def security(unit: Path) -> str:
    """Return the whole table of what *unit* may do."""
    return analyze("security", "--offline=true", str(unit))


@pytest.mark.parametrize("unit", UNITS, ids=lambda each: each.name)
def test_systemd_understands_the_unit(unit: Path, tmp_path: Path) -> None:
    """Not a word is said of it."""
    assert verify(unit, tmp_path) == ""


def test_systemd_understands_the_socket(tmp_path: Path) -> None:
    """It belongs to the service beside it, and a mistake in it is named."""
    socket, service = PORTAL.read_text(), (PORTAL.parent.parent / "tiki.service").read_text()
    whole = re.sub(PROGRAM, r"\1/bin/true", service, flags=re.MULTILINE)
    (tmp_path / "tiki.service").write_text(whole)
    draft = tmp_path / PORTAL.name
    draft.write_text(socket)
    assert analyze("verify", "--man=no", str(draft)) == ""
    draft.write_text(socket.replace("FreeBind", "FreeBnd"))
    assert "FreeBnd" in analyze("verify", "--man=no", str(draft))
    assert f"ListenStream={ADDRESS}:80" in socket


@pytest.mark.parametrize("unit", UNITS, ids=lambda each: each.name)
def test_the_unit_may_do_little(unit: Path) -> None:
    """The figure is that of `systemd-analyze security`."""
    assert exposure(unit) <= MAX_EXPOSURE


def test_the_lights_go_out_whatever_ends_the_companion() -> None:
    """With the program and the settings of the service, and nothing depends on it."""
    unit = UNITS_BY_NAME["tiki.service"].read_text()
    (started,) = re.findall(r"^ExecStart=(\S+) run (.*)$", unit, re.MULTILINE)
    (ended,) = re.findall(r"^ExecStopPost=(.*)$", unit, re.MULTILINE)
    assert ended == f"-{started[0]} lights off --quiet {started[1]}"
    words = ended.removeprefix("-").split()[1:]
    assert build_parser(words[0]).parse_args(words).run is lights.run


def test_the_checks_can_fail(tmp_path: Path) -> None:
    """A key that does not exist is named, and a unit without limits may do much."""
    loose = tmp_path / "loose.service"
    loose.write_text("[Service]\nExecStart=/bin/true\nProtectSytem=strict\n")
    folder = tmp_path / "draft"
    folder.mkdir()
    assert "ProtectSytem" in verify(loose, folder)
    assert exposure(loose) > MAX_EXPOSURE
