"""What docs/network.md installs: each file is understood by the program that it is for."""

import http.server
import os
import re
import shutil
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

import pytest

from companion.config import Config
from tests.running import ROOT

DEPLOY: Final = ROOT / "deploy"
KIOSK: Final = DEPLOY / "kiosk" / "kiosk"
ACCESS_POINT: Final = DEPLOY / "access-point.sh"
PASSWORD: Final = "eight or more"


def run(
    *words: object, path: Path | None = None, **variables: str
) -> "subprocess.CompletedProcess[str]":
    """Run a command; *path*: a folder of programs, in the place of all others but the shell's."""
    env = {**os.environ, **variables}
    if path is not None:
        env["PATH"] = str(path)
    return subprocess.run(
        list(map(str, words)), check=False, capture_output=True, text=True, timeout=120, env=env
    )


def program(folder: Path, name: str, script: str) -> None:
    """Write a program that a shell runs."""
    file = folder / name
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(0o755)


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """Return a folder with the programs that every system has, and no more."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "python3").symlink_to(sys.executable)
    for name in ("sh", "sleep", "id", "sed", "grep", "cat"):
        found = shutil.which(name)
        assert found
        (folder / name).symlink_to(found)
    return folder


def test_avahi_announces_the_pages() -> None:
    """A group of one web page, on the port that the settings have by themselves."""
    group = ET.parse(DEPLOY / "avahi" / "tiki.service").getroot()
    assert (group.tag, [each.tag for each in group]) == ("service-group", ["name", "service"])
    found = {each.tag: each.text for each in group.iterfind("service/*")}
    assert found == {"type": "_http._tcp", "port": str(Config().web.port), "txt-record": "path=/"}
    assert group[0].get("replace-wildcards") == "yes"


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not here")
def test_systemd_understands_the_kiosk(tmp_path: Path) -> None:
    """Not a word of warning; and it has one for a unit with a mistake."""
    text = (DEPLOY / "kiosk" / "tiki-kiosk.service").read_text()
    unit = tmp_path / "tiki-kiosk.service"
    unit.write_text(text.replace("/usr/lib/tiki/kiosk", str(KIOSK)))
    done = run("systemd-analyze", "verify", "--recursive-errors=no", unit)
    assert (done.returncode, done.stderr) == (0, "")
    unit.write_text(text.replace("/usr/lib/tiki/kiosk", str(KIOSK)).replace("Restart=", "Restort="))
    assert "Restort" in run("systemd-analyze", "verify", "--recursive-errors=no", unit).stderr


class Pages(http.server.BaseHTTPRequestHandler):
    """Pages that are there from the third request on."""

    asked = 0

    def do_GET(self) -> None:
        """Answer."""
        type(self).asked += 1
        self.send_response(200 if self.asked > 2 else 503)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def address() -> Iterator[str]:
    """Return the address of such pages."""
    Pages.asked = 0
    with http.server.HTTPServer(("127.0.0.1", 0), Pages) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/?view=screen"
        server.shutdown()


@pytest.mark.parametrize("browser", ["chromium", "chromium-browser"])
def test_the_kiosk_waits_for_the_pages(
    programs: Path, tmp_path: Path, address: str, browser: str
) -> None:
    """Then the browser has the screen for itself, whatever it is called."""
    program(programs, browser, "")
    program(programs, "Xwayland", "")
    program(programs, "cage", 'printf "%s\\n" "$@"')
    done = run(KIOSK, path=programs, HOME=str(tmp_path), TIKI_ADDRESS=address, TIKI_WAIT_S="0.05")
    assert done.returncode == 0
    assert done.stderr == f"kiosk: waiting for {address}; is the companion running?\n"
    assert done.stdout.splitlines()[:4] == ["-s", "--", browser, "--kiosk"]
    assert done.stdout.splitlines()[-2:] == [f"--user-data-dir={tmp_path}/profile", address]
    assert Pages.asked == 3


def test_the_kiosk_names_what_is_missing(programs: Path) -> None:
    """And how to get it."""
    program(programs, "cage", "")
    done = run(KIOSK, path=programs)
    assert (done.returncode, done.stderr) == (
        1,
        "kiosk: Xwayland is missing; sudo apt install cage xwayland chromium\n",
    )


def test_the_access_point_says_what_it_would_do() -> None:
    """With quotes that a shell understands, and without the password."""
    done = run(ACCESS_POINT, "--password", PASSWORD, "--ssid", "Ann's", "--dry-run")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert len(lines) == 2
    assert "'802-11-wireless.mode' 'ap'" in lines[0]
    assert "'ssid' 'Ann'\\''s'" in lines[0]
    assert PASSWORD not in done.stdout
    assert run(ACCESS_POINT, "--undo", "--dry-run").stdout == (
        "nmcli 'connection' 'delete' 'tiki-table'\n"
    )


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "choose a password: --password PASSWORD"),
        (("--password", "short"), "has 5 letters; Wi-Fi wants 8 to 63"),
        (("--password", "x" * 64), "has 64 letters"),
        (("--password", "sechs Äpfel"), "use ASCII"),
        (("--password",), "--password needs a value"),
        (("--password", PASSWORD, "--ssid", ""), "it may have 1 to 32"),
        (("--password", PASSWORD, "--ssid", "x" * 33), "it may have 1 to 32"),
        (("--pasword", PASSWORD), "--pasword is unknown; --help lists what there is"),
    ],
)
def test_what_no_access_point_can_have_is_refused(words: Sequence[str], told: str) -> None:
    """In one line, before anything is done."""
    done = run(ACCESS_POINT, "--dry-run", *words, LC_ALL="C.UTF-8")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert told in done.stderr


NMCLI: Final = """
echo "$*" >> "$CALLS"
case "$*" in
"-g NAME connection show") cat "$KNOWN" ;;
"-g DEVICE device") printf 'eth0\\nwlan0\\n' ;;
esac
"""


def test_the_access_point_is_made_anew_and_undone(programs: Path, tmp_path: Path) -> None:
    """One of before is replaced; --undo removes what was made, and says so if nothing was."""
    program(programs, "nmcli", NMCLI)
    (programs / "id").unlink()
    program(programs, "id", "echo 0")
    calls, known = tmp_path / "calls", tmp_path / "known"
    known.write_text("home\n")
    given = {"CALLS": str(calls), "KNOWN": str(known)}
    assert run(ACCESS_POINT, "--undo", path=programs, **given).returncode == 1
    done = run(ACCESS_POINT, "--password", PASSWORD, path=programs, **given)
    assert done.stdout == "Join the Wi-Fi Tiki, then open http://10.42.0.1:8321\n"
    assert "delete" not in calls.read_text()
    known.write_text("home\ntiki-table\n")
    assert run(ACCESS_POINT, "--password", PASSWORD, path=programs, **given).returncode == 0
    said = calls.read_text().splitlines()
    assert said[-3] == "connection delete tiki-table"
    assert said[-2].startswith("connection add type wifi ifname wlan0 con-name tiki-table")
    assert said[-2].endswith(f"wifi-sec.psk {PASSWORD} ipv4.method shared ipv6.method disabled")
    assert said[-1] == "connection up tiki-table"
    assert run(ACCESS_POINT, "--undo", path=programs, **given).returncode == 0
    assert calls.read_text().splitlines()[-1] == "connection delete tiki-table"
    done = run(*(ACCESS_POINT, "--password", PASSWORD, "--device", "wlan9"), path=programs, **given)
    assert "there is no wlan9" in done.stderr


def test_scripts_can_be_run() -> None:
    """As docs/network.md has them typed."""
    for file in (KIOSK, ACCESS_POINT):
        assert file.stat().st_mode & stat.S_IXUSR
    text = (ROOT / "docs" / "network.md").read_text()
    for name in re.findall(r"deploy/[\w./-]+", text):
        assert (ROOT / name).exists(), name
