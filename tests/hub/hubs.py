"""A `tiki hub` in a process of its own, which can be killed."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

from tests.mqtt.mosquitto import Mosquitto
from tests.running import free_port

PROGRAM = "import sys; from companion.cli import main; sys.exit(main(sys.argv[1:]))"
DEADLINE_S = 60.0
KEY = "tangaroa-waits-here"


class HubProcess:
    """A hub; settings: lines of `[mqtt]` beside the broker's place.

    environment: its variables.
    """

    def __init__(self, folder: Path, broker: Mosquitto, database: str, *settings: str) -> None:
        self.port = free_port()
        self._folder = folder
        self._running: subprocess.Popen[bytes] | None = None
        self.environment = {**os.environ, "XDG_STATE_HOME": str(folder / "state")}
        self._config = folder / "hub.toml"
        self._config.write_text(
            "\n".join(
                (
                    "[web]", "host = '127.0.0.1'", f"key = '{KEY}'",
                    "[hub]", f"database = '{database}'", f"port = {self.port}",
                    "[mqtt]", "broker = '127.0.0.1'", f"port = {broker.port}", *settings, "",
                )
            )
        )  # fmt: skip

    @property
    def command(self) -> list[str]:
        """What starts it."""
        return [sys.executable, "-c", PROGRAM, "hub", "--config", str(self._config)]

    def start(self) -> None:
        """Begin; `wait` tells when it answers."""
        with (self._folder / "hub.log").open("ab") as log:
            self._running = subprocess.Popen(
                self.command, env=self.environment, stdout=log, stderr=log
            )

    def kill(self) -> None:
        """Kill it, as a power cut would."""
        if self._running is not None:
            self._running.send_signal(signal.SIGKILL)
            self._running.wait()
            self._running = None

    def stop(self) -> int:
        """Let it end in order; return its exit status."""
        assert self._running
        self._running.send_signal(signal.SIGTERM)
        return self._running.wait(DEADLINE_S)

    def wait_for_end(self) -> int:
        """Return its exit status, once it has ended by itself."""
        assert self._running
        return self._running.wait(DEADLINE_S)

    def state(self) -> dict[str, Any]:
        """Return all that it shows, {} if it does not answer."""
        address = f"http://127.0.0.1:{self.port}/api/v1/state"
        with contextlib.suppress(OSError), urllib.request.urlopen(address, timeout=60) as answer:
            found: dict[str, Any] = json.load(answer)
            return found
        return {}

    def wait(self, condition: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
        """Wait until what it shows meets *condition*; return that."""
        deadline_s = time.monotonic() + DEADLINE_S
        while not ((state := self.state()) and condition(state)):
            assert time.monotonic() < deadline_s, (state, self.log())
            time.sleep(0.1)
        return state

    def log(self) -> str:
        """Return what it has said."""
        return (self._folder / "hub.log").read_text()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
