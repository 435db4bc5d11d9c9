"""A real Mosquitto of its own: on a free port of this machine, with a folder for what it keeps."""

import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path
from typing import Self

from companion.config import MqttConfig
from tests.running import free_port

PROGRAM = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin:/sbin")
DEADLINE_S = 60.0


def missing() -> str:
    """Return what is missing for a real broker here, with the remedy; "" if nothing is."""
    is_there = PROGRAM is not None and shutil.which("mosquitto_sub") is not None
    return "" if is_there else "mosquitto is missing: sudo apt install mosquitto mosquitto-clients"


class Mosquitto:
    """A broker that can be killed and started again; what it keeps stays.

    lines: further lines of its configuration.
    """

    def __init__(self, folder: Path, *lines: str) -> None:
        self.port = free_port()
        self.folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        self._file = folder / "mosquitto.conf"
        anonymous = [] if any("allow_anonymous" in line for line in lines) else ["true"]
        queue = [] if any("max_queued" in line for line in lines) else ["0"]
        self._file.write_text(
            "\n".join(
                [
                    f"listener {self.port} 127.0.0.1",
                    *(f"allow_anonymous {each}" for each in anonymous),
                    "persistence true",
                    f"persistence_location {folder}/",
                    *(f"max_queued_messages {each}" for each in queue),
                    "user root",
                    *lines,
                    "",
                ]
            )
        )

    def start(self) -> None:
        """Answer, as soon as this returns."""
        assert PROGRAM
        log = (self.folder / "mosquitto.log").open("ab")
        with log:
            self._process = subprocess.Popen([PROGRAM, "-c", self._file], stdout=log, stderr=log)
        deadline_s = time.monotonic() + DEADLINE_S
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
            except OSError:
                assert time.monotonic() < deadline_s, (self.folder / "mosquitto.log").read_text()
                time.sleep(0.02)
            else:
                return

    def save(self) -> None:
        """Write at once what it keeps, subscriptions among it; else it does so every half hour."""
        assert self._process
        kept = self.folder / "mosquitto.db"
        kept.unlink(missing_ok=True)
        self._process.send_signal(signal.SIGUSR1)
        deadline_s = time.monotonic() + DEADLINE_S
        while not kept.exists():
            assert time.monotonic() < deadline_s, (self.folder / "mosquitto.log").read_text()
            time.sleep(0.02)

    def freeze(self, *, frozen: bool) -> None:
        """Let it do nothing, connections open, or go on."""
        assert self._process
        self._process.send_signal(signal.SIGSTOP if frozen else signal.SIGCONT)

    def kill(self) -> None:
        """Kill it, as a power cut would."""
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()
            self._process = None

    def end(self) -> None:
        """Let it end in order, writing what it keeps."""
        assert self._process
        self._process.terminate()
        self._process.wait(DEADLINE_S)
        self._process = None

    def config(self, **more: object) -> MqttConfig:
        """Return the settings of a table that publishes here."""
        given: dict[str, object] = {"broker": "127.0.0.1", "port": self.port, "table": "bar"}
        return MqttConfig(**{**given, **more})  # type: ignore[arg-type]

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
