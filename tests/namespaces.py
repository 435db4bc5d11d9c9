"""Networks of their own: a table's and a phone's, each in a network namespace, and what joins them.

Whoever may not make namespaces is skipped, with the reason.
"""

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parent.parent
DEADLINE_S: Final = 60.0
HOLD: Final = "mount -t sysfs sysfs /sys && ip link set lo up && echo up && cat"
"""/sys shows the interfaces of the namespace in which it was mounted.  Ends with its input."""
GET: Final = """
import sys, urllib.request
jar = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
for address in sys.argv[1:]:
    page = jar.open(address, timeout=30).read().decode()
print(page)
"""


SETTINGS: Final = """
[camera]
source = "none"
[table]
game = "topple"
players = ["Ann", "Ben"]
"""
TIKI: Final = "import sys; from companion.cli import main; sys.exit(main(sys.argv[1:]))"


class Namespace:
    """A machine of a network: a namespace that is held by a process.

    command: makes and holds it.
    """

    def __init__(self, command: list[str]) -> None:
        self._holder = subprocess.Popen(
            [*command, "sh", "-c", HOLD],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self._holder.stdout
        if self._holder.stdout.readline() != "up\n":
            _, errors = self._holder.communicate()
            pytest.skip(f"no network namespace can be made here: {errors.strip()}")
        self.pid = self._holder.pid

    @property
    def entering(self) -> list[str]:
        """The words of a command that runs another one inside."""
        kinds = ("--user", "--net", "--mount", "--preserve-credentials")
        return ["nsenter", "--target", str(self.pid), *kinds]

    def run(self, *command: str) -> str:
        """Return what *command* prints inside."""
        done = subprocess.run(
            [*self.entering, *command], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def ip(self, words: str) -> None:
        """Change the network, by *words* to the program of that name."""
        self.run("ip", *words.split())

    def get(self, *addresses: str) -> str:
        """Return the page at the last of *addresses*, which one browser opens after the other."""
        return self.run(sys.executable, "-c", GET, *addresses)

    def beside(self) -> "Namespace":
        """Return another machine, to which links can lead."""
        inside = ["nsenter", "--target", str(self.pid), "--user", "--preserve-credentials"]
        return Namespace([*inside, "unshare", "--net", "--mount"])

    def close(self) -> None:
        """Let go of it."""
        self._holder.communicate()


@contextmanager
def table_and_phone() -> Iterator[tuple[Namespace, Namespace]]:
    """Give two machines that no network joins yet."""
    for program in ("unshare", "nsenter", "ip"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")
    table = Namespace(["unshare", "--map-root-user", "--net", "--mount"])
    phone = table.beside()
    try:
        yield table, phone
    finally:
        phone.close()
        table.close()


def join(table: Namespace, phone: Namespace, interface: str = "wlan0") -> None:
    """Let *interface* of the table and one of the same name of the phone be one network."""
    table.ip(f"link add {interface} type veth peer name {interface} netns {phone.pid}")
    for each in (table, phone):
        each.run("sysctl", "-qw", f"net.ipv6.conf.{interface}.accept_dad=0")
        each.ip(f"link set {interface} up")


class Table:
    """A `tiki run` on the machine of the table; *more*: of its settings."""

    def __init__(self, namespace: Namespace, folder: Path, more: str = "") -> None:
        settings = folder / "tiki.toml"
        settings.write_text(f"{SETTINGS}{more}\n")
        self._namespace, self._file = namespace, folder / "said"
        command = [sys.executable, "-c", TIKI, "run", "--config", str(settings)]
        with self._file.open("w") as out:
            self._process = subprocess.Popen(
                [*namespace.entering, *command, "--log", str(folder / "game.db")],
                cwd=ROOT,
                stdout=out,
                stderr=subprocess.STDOUT,
                env={**os.environ, "PYTHONUNBUFFERED": "1"},
            )
        self.key = self.wait_for(r"/\?key=([\w-]+)")[1]
        until_s = time.monotonic() + DEADLINE_S
        while not self._answers():
            assert time.monotonic() < until_s, self._file.read_text()
            time.sleep(0.1)

    def wait_for(self, pattern: str) -> re.Match[str]:
        """Return where *pattern* stands in what it prints, once it does."""
        until_s = time.monotonic() + DEADLINE_S
        while (found := re.search(pattern, text := self._file.read_text())) is None:
            assert self._process.poll() is None, text
            assert time.monotonic() < until_s, text
            time.sleep(0.1)
        return found

    def desk(self, begun: str = "http://127.0.0.1:8321") -> str:
        """Return the host's desk, as a browser on the table's own machine has it."""
        return self._namespace.get(f"{begun}/?key={self.key}", f"{begun}/desk")

    def _answers(self) -> bool:
        """Return whether the port is open, on whichever address."""
        return ":2081" in self._namespace.run("cat", "/proc/net/tcp")  # 8321

    def stop(self) -> None:
        """End it."""
        self._process.terminate()
        self._process.wait(DEADLINE_S)
