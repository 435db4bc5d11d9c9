"""The installer: what it says before it does anything, and what it knows of settings and games.

`./run install-test` installs, upgrades and uninstalls in a bare Debian.
"""

import http.server
import os
import shutil
import sqlite3
import subprocess
import threading
from contextlib import closing
from pathlib import Path

import pytest

from companion.session.log import Log
from companion.session.schema import APPLICATION_ID, SCHEMA
from deploy import kept
from deploy.kept import Unkept, answers, copy, format_of, log_of, page_of

ROOT = Path(__file__).parent.parent
STAND_INS = ROOT / "tests" / "hil" / "inside" / "stand_ins"
SCRIPTS = sorted(
    [
        *(ROOT / "deploy").glob("*.sh"),
        *(ROOT / "tests" / "hil").rglob("*.sh"),
        *(ROOT / "tests" / "wifi").glob("*.sh"),
        ROOT / "deploy" / "tiki-as-the-service",
        ROOT / "run",
        STAND_INS / "vcgencmd",
        STAND_INS / "micropython",
    ]
)
HEADER = {"game": "topple", "players": ["Ann", "Bob"]}


def install(*words: str, **stand_ins: str) -> "subprocess.CompletedProcess[str]":
    """Run the installer; *stand_ins* are programs by name, and what they print."""
    folder = Path(os.environ["STAND_INS"])
    for name, text in stand_ins.items():
        program = folder / name
        program.write_text(f"#!/bin/sh\ncat <<'TEXT'\n{text}\nTEXT\n")
        program.chmod(0o755)
    return subprocess.run(
        ["sh", ROOT / "deploy" / "install.sh", *words],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"},
    )


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a folder of programs that stand in for the system's; a bare Debian has no systemd."""
    folder = tmp_path / "programs"
    folder.mkdir()
    (folder / "systemctl").write_text("#!/bin/sh\n")
    (folder / "systemctl").chmod(0o755)
    monkeypatch.setenv("STAND_INS", str(folder))


def refusal(*words: str, **stand_ins: str) -> str:
    """Return the one line by which the installer refuses."""
    done = install(*words, **stand_ins)
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("install.sh: ")
    return line.removeprefix("install.sh: ")


@pytest.mark.usefixtures("programs")
@pytest.mark.parametrize(
    ("words", "stand_ins", "said"),
    [
        ((), {"id": "1000"}, "only root can install a service; try: sudo"),
        (("--uninstall",), {"id": "1000"}, "only root"),
        (("--purge",), {}, "--purge removes games and settings, and goes with --uninstall"),
        (("--upgrade",), {}, "--upgrade is not known"),
        (("--dry-run",), {"dpkg": "armhf"}, "this is a 32-bit system (armhf); put"),
        (("--dry-run",), {"dpkg": "i386"}, "this is a 32-bit system (i386); put"),
        (("--dry-run",), {"dpkg": "riscv64"}, "there are no packages for riscv64"),
        (("--dry-run",), {"df": "head\n/dev/x 9 9 12 9 /"}, "has 12 MB free, 900 are needed; try"),
    ],
)
def test_refusals_are_one_line_with_a_remedy(
    words: tuple[str, ...], stand_ins: dict[str, str], said: str
) -> None:
    """Nothing has been changed by then."""
    assert said in refusal(*words, **stand_ins)


@pytest.mark.usefixtures("programs")
def test_a_dry_run_tells_each_step() -> None:
    """In the order in which they would be done; nothing of it is done."""
    done = install("--dry-run")
    assert (done.returncode, done.stderr) == (0, "")
    steps = done.stdout.splitlines()
    assert steps
    assert all(each.startswith("would ") for each in steps)
    assert not Path("/opt/tiki").exists()


@pytest.mark.usefixtures("programs")
def test_a_raspberry_pi_has_its_buses_switched_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that are off; and its settings name its camera."""
    (tmp_path / "model").write_bytes(b"Raspberry Pi Zero 2 W Rev 1.0\0")
    monkeypatch.setenv("TIKI_DEVICE_TREE", str(tmp_path))
    told = install("--dry-run", **{"raspi-config": "1"}).stdout
    assert "would switch on i2c\n" in told
    assert "would switch on spi\n" in told
    assert 'with the camera "picamera2"' in told
    told = install("--dry-run", **{"raspi-config": "0"}).stdout
    assert "switch on" not in told


@pytest.mark.usefixtures("programs")
def test_a_raspberry_pi_gets_a_wifi_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where NetworkManager is; an access point that is there for good keeps its names."""
    (tmp_path / "model").write_bytes(b"Raspberry Pi 4 Model B Rev 1.4\0")
    monkeypatch.setenv("TIKI_DEVICE_TREE", str(tmp_path))
    manager = tmp_path / "NetworkManager"
    monkeypatch.setenv("TIKI_NETWORK_MANAGER", str(manager))
    assert "tiki-portal" not in install("--dry-run").stdout
    (manager / "system-connections").mkdir(parents=True)
    told = install("--dry-run").stdout
    assert "would write /etc/systemd/system/tiki-portal.socket\n" in told
    assert "would write /etc/polkit-1/rules.d/70-tiki.rules\n" in told
    assert f"would write {manager}/dnsmasq-shared.d/tiki.conf\n" in told
    (manager / "system-connections" / "tiki-table.nmconnection").touch()
    assert "dnsmasq" not in install("--dry-run").stdout


@pytest.mark.skipif(shutil.which("shellcheck") is None, reason="sudo apt install shellcheck")
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda each: each.name)
def test_scripts_are_plain_sh(script: Path) -> None:
    """Shellcheck has nothing to say."""
    done = subprocess.run(
        ["shellcheck", "-x", script], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("text", "page", "log"),
    [
        ("", "http://127.0.0.1:8321", "games.db"),
        ('[web]\nhost = "0.0.0.0"\nport = 80\n[log]\nfile = ""', "http://127.0.0.1:80", "games.db"),
        ('[web]\nhost = "192.168.1.5"', "http://192.168.1.5:8321", "games.db"),
        ('[web]\nhost = "::1"\n[log]\nfile = "/srv/x.db"', "http://[::1]:8321", "/srv/x.db"),
        ("web = 3", "http://127.0.0.1:8321", "games.db"),
    ],
)
def test_settings_are_read(tmp_path: Path, text: str, page: str, log: str) -> None:
    """What is not set is as usual."""
    config = tmp_path / "tiki.toml"
    config.write_text(text)
    assert page_of(config) == page
    assert log_of(config, tmp_path) == tmp_path / log
    assert log_of(tmp_path / "missing", tmp_path) == tmp_path / "games.db"


def test_settings_that_are_none_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In one line."""
    config = tmp_path / "tiki.toml"
    config.write_text("[web\n")
    assert kept.main(["answers", str(config)]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert str(config) in line
    assert kept.main(["dance"]) == 2


def test_formats_are_told_while_the_games_are_in_use(tmp_path: Path) -> None:
    """A file that is no log has none."""
    with Log(tmp_path / "games.db") as log:
        log.open_session(HEADER)
        assert format_of(tmp_path / "games.db") == SCHEMA
    assert kept.APPLICATION_ID == APPLICATION_ID
    for name, data in (("empty", b""), ("text", b"x" * 200)):
        (tmp_path / name).write_bytes(data)
        assert format_of(tmp_path / name) is None
    assert format_of(tmp_path / "missing") is None
    with closing(sqlite3.connect(tmp_path / "foreign.db")) as foreign:
        foreign.execute("PRAGMA user_version = 7")
    assert format_of(tmp_path / "foreign.db") is None


def test_games_are_copied_and_checked(tmp_path: Path) -> None:
    """The copy is a log like the first; one in use, or damaged, is not copied."""
    path, target = tmp_path / "games.db", tmp_path / "copy.db"
    with Log(path) as log:
        log.open_session(HEADER)
        with pytest.raises(Unkept, match="could not be copied"):
            copy(path, target)
    copy(path, target)
    with Log(target) as log:
        assert log.extent.sessions == 1
    data = bytearray(path.read_bytes())
    data[4096:8192] = b"\xff" * 4096
    path.write_bytes(data)
    with pytest.raises(Unkept, match=r"see: sudo tiki log check|not whole"):
        copy(path, tmp_path / "other.db")


@pytest.mark.parametrize("status", [200, 404])
def test_a_page_answers_or_does_not(status: int) -> None:
    """Only a table's state counts."""

    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status if self.path == "/api/state" else 500)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Page) as server:
        thread = threading.Thread(target=server.handle_request)
        thread.start()
        url = f"http://127.0.0.1:{server.server_port}"
        assert answers(url) is (status == 200)
        thread.join()
    assert not answers(url)
