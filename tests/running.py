"""A `tiki run` in a process of its own, for what only a whole process can show."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parent.parent
STOP_S = 60.0
"""What hangs takes longer; the limits of the program are as long, for a busy machine."""
DEADLINE_S = 90.0
HEEDING = ("env", "--default-signal=INT,HUP,TERM")
"""Begins a command that heeds signals: tests in the background may have had some ignored, and
children inherit that."""

# Runs `tiki`, and at last says on standard error which of the fakes it has put to rest. What stands
# in the variable FIRST is done before.
PROGRAM = """
import os, sys
from companion import closing
from companion.cli import main, signals
from companion.cli.signals import StopRequest
closing.close_parts.__defaults__ = (30.0,)
signals.STOP_LIMIT_S = 60.0
leave = StopRequest.__exit__

def say():
    from hardware.output_devices import OutputDevices
    import gc
    for each in gc.get_objects():
        if isinstance(each, OutputDevices):
            dark = each.strip.closed and each.strip.value == each.strip.rest
            print("at rest" if dark and each.display.closed else "still on", file=sys.stderr)

def leave_and_say(self, *error):
    try:
        say()
    except OSError:
        pass  # the terminal is gone
    leave(self, *error)

StopRequest.__exit__ = leave_and_say
exec(os.environ.get("FIRST", ""))
sys.exit(main(sys.argv[1:]))
"""


@dataclass
class Child:
    """A `tiki run` of its own."""

    process: "subprocess.Popen[str]"
    folder: Path
    port: int = 0
    errors: str = ""
    open: list[socket.socket] = field(default_factory=list)

    def send(self, text: str, host: str = "127.0.0.1") -> socket.socket:
        """Send *text* from *host* on a new connection, which stays open."""
        connection = socket.create_connection(("127.0.0.1", self.port), DEADLINE_S, (host, 0))
        self.open.append(connection)
        connection.sendall(text.replace("\n", "\r\n").encode())
        return connection

    def ask(self, path: str, host: str = "127.0.0.1") -> str:
        """Return all that comes when *host* asks for *path*."""
        connection = self.send(f"GET {path} HTTP/1.0\nHost: tiki.local\n\n", host)
        found = everything(connection)
        connection.close()
        return found

    def files(self, looks: int = 10) -> int:
        """Return how many files it has open: the fewest of several looks, for some are read."""
        folder, found = Path(f"/proc/{self.process.pid}/fd"), []
        for _ in range(looks):
            found.append(len(list(folder.iterdir())))
            time.sleep(0.02)
        return min(found)

    def stop(self, *signals: signal.Signals, again_s: float = 0.1) -> float:
        """Send *signals* one after the other; return how long it took to end."""
        began_s = time.monotonic()
        for number in signals:
            self.process.send_signal(number)
            time.sleep(again_s)
        _, self.errors = self.process.communicate(timeout=DEADLINE_S)
        return time.monotonic() - began_s

    def assert_in_order(self, spent_s: float, *, at_rest: bool = True) -> None:
        """Check how it has ended: in time, with status 0, nothing left open, no traceback."""
        assert (self.process.returncode, "Traceback" in self.errors) == (0, False), self.errors
        assert spent_s < STOP_S
        assert not list(self.folder.glob("*-wal"))
        assert not at_rest or ("at rest" in self.errors and "still on" not in self.errors)


@contextmanager
def child(
    folder: Path, *words: str, first: str = "", serves: bool = True, files: int = 0
) -> Iterator[Child]:
    """Run `tiki run` on a log in *folder*; if it *serves*, from when it says where.

    first: what its Python does before.  files: how many it may open, 0 for as many as we.
    """
    command = [*HEEDING, sys.executable, "-c", PROGRAM, "run"]
    limit = ["prlimit", f"--nofile={files}"] if files else []
    process = subprocess.Popen(
        [*limit, *command, "--port", "0", "--log", str(folder / "game.db"), *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "FIRST": first},
    )
    found = Child(process, folder)
    try:
        if serves:
            assert process.stdout
            said = re.search(r":(\d+)", process.stdout.readline())
            assert said
            found.port = int(said[1])
            assert found.ask("/api/state").startswith("HTTP/1.1 200")
        yield found
    finally:
        process.kill()
        process.communicate()
        for each in found.open:
            each.close()


def free_port() -> int:
    """Return a port of this machine on which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def wait_for(path: Path) -> None:
    """Wait until there is something at *path*."""
    deadline_s = time.monotonic() + DEADLINE_S
    while not path.exists():
        assert time.monotonic() < deadline_s, f"{path} never came"
        time.sleep(0.01)


def everything(connection: socket.socket) -> str:
    """Return all that still comes on *connection*, until it is closed."""
    found = bytearray()
    try:
        while piece := connection.recv(65_536):
            found += piece
    except ConnectionResetError:
        pass
    return found.decode("latin-1")
