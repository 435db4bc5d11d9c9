"""The table's machine as a container: its own systemd and its own disk, on this computer's kernel.

It is many times faster than QEMU, which emulates each instruction.  It has no header and no camera,
so its sensors are simulated.  Its power fails as ext4 has it: whatever the file system has not
flushed is gone, and the journal is all that it finds at the next start.
"""

import fcntl
import os
import random
import signal
import struct
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from tests.image.machine import NoAnswer, PowerGone

EXT4_IOC_SHUTDOWN, NO_FLUSH = 0x8004587D, 2
"""From Linux' fs/ext4/ext4.h: no flush, not even of the journal."""
FOR_QEMU: Final = (
    "bench-devices.service",
    "bench-terminal.service",
    "systemd-networkd.service",
    "systemd-networkd-wait-online.service",
)
"""Units of the card that are about the machine in QEMU."""
PATIENCE_S: Final = 30.0
LOOK_S: Final = 0.1
PATH: Final = "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


class Container:
    """A container whose disk is the image *card*; *stick* is what it has at /mnt.

    The mounts are to be seen by nobody else: this runs in a mount namespace of its own.
    """

    port = 8321
    wires: Final = ()
    early_share = 0.0
    """systemd-nspawn itself is at work in the disk at first."""
    doctors: Final = ("disk",)

    def __init__(self, card: Path, stick: Path, work: Path) -> None:
        self.said = work / "console.log"
        self.image, self._root, self._stick = card, work / "root", work / "stick"
        for folder in (self._root, self._stick):
            folder.mkdir(exist_ok=True)
        _run("mount", "-o", "loop,ro", str(stick), str(self._stick))
        self._process: subprocess.Popen[bytes] | None = None
        self._disk: int | None = None
        self._on_s, self._is_cut = 0.0, False

    def power_up(self) -> None:
        """Start it."""
        _run("mount", "-o", "loop", str(self.image), str(self._root))
        self._on_s, self._is_cut = time.monotonic(), False
        with self.said.open("wb") as said:
            self._process = subprocess.Popen(
                [
                    *("systemd-nspawn", "--quiet", "--boot", "--register=no", "--keep-unit"),
                    *("-D", str(self._root), f"--bind-ro={self._stick}:/mnt"),
                    *(f"systemd.mask={unit}" for unit in FOR_QEMU),
                ],
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=subprocess.STDOUT,
            )
        self._disk = os.open(self._root, os.O_RDONLY)

    def cut(self) -> None:
        """Cut its power: from this moment on nothing reaches its disk."""
        if self._process is None or self._disk is None:
            return
        self._is_cut = True  # before anybody meets the dead disk
        fcntl.ioctl(self._disk, EXT4_IOC_SHUTDOWN, struct.pack("I", NO_FLUSH))
        if leader := self._leader():
            os.kill(leader, signal.SIGKILL)
        self._process.kill()

    def pull(self, _rng: random.Random) -> str:
        """Cut its power, and let go of its disk; return what is lost, in words."""
        self.cut()
        self._end()
        return "what was not flushed is lost"

    def switch_off(self) -> None:
        """Shut it down as people do who know how to, and wait until it is off."""
        assert self._process is not None
        self.command("systemctl poweroff")
        self._process.wait(PATIENCE_S * 3)
        self._end()

    def _end(self) -> None:
        if self._process is not None:
            self._process.wait()
            self._process = None
        if self._disk is not None:
            os.close(self._disk)
            self._disk = None
        deadline_s = time.monotonic() + PATIENCE_S
        while self._is_held():
            if time.monotonic() > deadline_s:
                raise NoAnswer(f"{self._root} is still in use")
            time.sleep(LOOK_S)

    def _is_held(self) -> bool:
        """Let go of the disk; return whether anything still has it.

        A process that dies keeps it for a moment, and it would be mounted again as it is: dead.
        """
        if self._root.is_mount():
            subprocess.run(["umount", self._root], capture_output=True, check=False)
        loops = ["losetup", "--noheadings", "--associated", str(self.image)]
        return bool(subprocess.run(loops, capture_output=True, check=False).stdout)

    def remove(self) -> None:
        """Let go of all."""
        self.cut()
        self._end()
        _run("umount", str(self._stick))

    @property
    def is_on(self) -> bool:
        """Whether it has power."""
        return self._process is not None and not self._is_cut and self._process.poll() is None

    @property
    def since_power_s(self) -> float:
        """How long it has had power."""
        return time.monotonic() - self._on_s

    def command(self, words: str, within_s: float = 120.0) -> tuple[int, str]:
        """Return status and output of a root's command; raises NoAnswer."""
        deadline_s = time.monotonic() + PATIENCE_S
        while (leader := self._leader()) is None:
            if not self.is_on:
                raise PowerGone(f"it ended before '{words}'")
            if time.monotonic() > deadline_s:
                raise NoAnswer("the container did not start")
            time.sleep(LOOK_S)
        try:
            done = subprocess.run(
                ["nsenter", "-t", str(leader), "-a", "sh", "-c", words],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=within_s,
                check=False,
                env={"PATH": PATH, "HOME": "/root", "LC_ALL": "C.UTF-8"},
            )
        except subprocess.TimeoutExpired:
            raise NoAnswer(f"no answer to '{words}'") from None
        return done.returncode, done.stdout

    def ask(self, words: str, within_s: float = 120.0) -> str:
        """Return the output of a root's command that has to succeed; raises NoAnswer."""
        status, said = self.command(words, within_s)
        if status and not self.is_on:
            raise PowerGone(f"it ended during '{words}'")
        if status:
            raise NoAnswer(f"'{words}' ended with {status}: {said[-2000:]}")
        return said.strip()

    def undo(self) -> None:
        """Let a simulated button be pressed."""
        self._sense("press undo")

    def topple(self) -> None:
        """Let the simulated tower fall."""
        self._sense("topple")

    def set_up(self) -> None:
        """Set it up; a simulated one stands already."""

    def _sense(self, words: str) -> None:
        self.ask(f"tiki tell --config /etc/tiki/tiki.toml --sensor '{words}'")

    def _leader(self) -> int | None:
        """Return the first process of the container, None if there is none."""
        if self._process is None:
            return None
        here = Path("/proc/self/ns/pid").readlink()
        below = _children(self._process.pid)
        for pid in [*below, *(each for one in below for each in _children(one))]:
            with suppress(OSError):
                if Path(f"/proc/{pid}/ns/pid").readlink() != here:
                    return pid
        return None


def _children(pid: int) -> list[int]:
    with suppress(OSError):
        return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return []


def _run(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True)
