"""The stand-in for systemctl: it calls a service active only if that says so, and feeds on."""

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

HERE = Path(__file__).parent
UNIT = HERE.parent.parent / "deploy" / "tiki.service"
TELL = "import os, socket; socket.socket(1, 2).sendto(b'READY=1', os.environ['NOTIFY_SOCKET'])"
PROGRAMS = {
    "ready": f"{TELL}; import time; time.sleep(60)",
    "silent": "import time; time.sleep(60)",
    "dead": "raise SystemExit(1)",
}

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="it changes users; run as root")


class StandIn:
    """The stand-in, with its folders below *folder*, for a service that runs *program*."""

    def __init__(self, folder: Path, program: str) -> None:
        (folder / "program.py").write_text(program)
        unit = re.sub(
            "ExecStart=.*", f"ExecStart={sys.executable} {folder}/program.py", UNIT.read_text()
        )
        unit = re.sub("^(User|Group)=tiki", r"\1=root", unit, flags=re.MULTILINE)
        (folder / "tiki.service").write_text(re.sub("WatchdogSec=.*", "WatchdogSec=2s", unit))
        self.environment = {
            "STAND_IN_BELOW": str(folder),
            "STAND_IN_UNIT": str(folder / "tiki.service"),
            "PATH": os.environ["PATH"],
        }

    def __call__(self, *words: str) -> str:
        """Return what it prints."""
        return subprocess.run(
            [sys.executable, HERE / "stand_in.py", *words],
            capture_output=True,
            text=True,
            check=False,
            env=self.environment,
            timeout=30,
        ).stdout.strip()

    def states(self, seconds: float) -> set[str]:
        """Return all states within *seconds*."""
        until_s, found = time.monotonic() + seconds, set()
        while time.monotonic() < until_s:
            found.add(self("is-active", "tiki"))
        return found


@pytest.mark.parametrize(
    ("program", "is_ready", "is_restarted"),
    [("ready", True, True), ("silent", False, False), ("dead", False, True)],
)
def test_active_is_what_says_so(
    tmp_path: Path, program: str, is_ready: bool, is_restarted: bool
) -> None:
    """One that starves its watchdog, or dies, is started again."""
    systemctl = StandIn(tmp_path, PROGRAMS[program])
    assert systemctl("is-active", "tiki") == "inactive"
    systemctl("--no-block", "start", "tiki")
    try:
        assert ("active" in systemctl.states(4.0)) is is_ready
        restarts = systemctl("show", "--property=NRestarts", "--value", "tiki")
        assert (int(restarts) > 0) is is_restarted
    finally:
        systemctl("stop", "tiki")
    assert systemctl("is-active", "tiki") == "inactive"
