"""The stand-in for systemctl: it calls a service active only if that says so, and feeds on."""

import os
import time
from pathlib import Path

import pytest

from tests.install.unit import StandIn

TELL = "import os, socket; socket.socket(1, 2).sendto(b'READY=1', os.environ['NOTIFY_SOCKET'])"
PROGRAMS = {
    "ready": f"{TELL}; import time; time.sleep(60)",
    "silent": "import time; time.sleep(60)",
    "dead": "raise SystemExit(1)",
}

PATIENCE_S = 60.0

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="it changes users; run as root")


def test_active_is_what_says_so(tmp_path: Path) -> None:
    """One that starves its watchdog, or dies, is started again; a silent one is waited for."""
    units = {name: StandIn(tmp_path / name, program) for name, program in PROGRAMS.items()}
    try:
        for systemctl in units.values():
            assert systemctl("is-active", "tiki") == "inactive"
            systemctl("--no-block", "start", "tiki")
        seen: dict[str, set[str]] = {name: set() for name in units}
        until_s = time.monotonic() + PATIENCE_S
        while "active" not in seen["ready"] or not units["ready"].restarts:
            assert time.monotonic() < until_s, seen
            for name, systemctl in units.items():
                seen[name].add(systemctl("is-active", "tiki"))
        assert units["dead"].restarts > 0
        assert units["silent"].restarts == 0  # for longer than the watchdog of the other
        assert "active" not in seen["silent"] | seen["dead"]
    finally:
        for systemctl in units.values():
            systemctl("stop", "tiki")
    assert {systemctl("is-active", "tiki") for systemctl in units.values()} == {"inactive"}
