"""The table's machine in QEMU: its power, its terminal, its wires, and its network."""

import random
import socket
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.image.card import LOSSES, Card
from tests.wires import PINS, ROLE

MEMORY_MB: Final = 2048
PORT: Final = 8321
READY, STATUS = "bench-ready", "bench-status "
START_S: Final = 10.0
BOOT_S: Final = 240.0
COMMAND_S: Final = 120.0
TURNS_S: Final = 0.3
"""A button is held so long: no emulated debounce takes it for a bounce."""
LINES: Final = "/sys/devices/platform/gpio-sim.*/gpiochip*"
KERNEL: Final = (
    "fsck.repair=yes console=ttyS1 quiet loglevel=4 mitigations=off tsc=reliable"
    " no_timer_check random.trust_cpu=on systemd.show_status=0 panic=-1"
    " systemd.mask=serial-getty@ttyS1.service"
)
"""As on Raspberry Pi OS the disk is checked at each start."""


class NoAnswer(RuntimeError):
    """The machine does not do what it has to; says what was waited for."""


class PowerGone(NoAnswer):
    """The machine has no power any more."""


@dataclass(frozen=True)
class Parts:
    """What a machine is made of: folder has kernel and initrd, stick is code and packages."""

    folder: Path
    stick: Path


class Machine:
    """A machine with *card* in it; on as long as the context is, unless it is pulled before.

    port: of this computer, which leads to that of the table's page.
    wires: how the settings are changed for what hangs on it.  doctors: what the doctor finds well.
    """

    wires: Final = (
        ('source = "picamera2"', 'source = "none"'),
        ('[sensors]\nkind = "fake"', '[sensors]\nkind = "wired"'),
        ('[buttons]\nkind = "fake"', '[buttons]\nkind = "wired"'),
        ('[display]\nkind = "fake"', '[display]\nkind = "ssd1306"'),
        (PINS, f"{PINS}tilt_0 = true\nundo = true\npause = true\n"),
    )
    early_share = 0.2
    """So often its power fails before the page is there again."""
    doctors: Final = ("pins", "i2c", "disk", "permissions")

    def __init__(self, parts: Parts, card: Card, work: Path, port: int) -> None:
        self.port = port
        self.image, self.said = work / "card.raw", work / "console.log"
        self._wire = work / "terminal"
        self._parts, self._card = parts, card
        self._process: subprocess.Popen[bytes] | None = None
        self._terminal: socket.socket | None = None
        self._heard, self._is_ready = b"", False
        self.on_s = 0.0

    def power_up(self) -> None:
        """Plug it in."""
        self._wire.unlink(missing_ok=True)
        self._card.put_in()
        self.on_s = time.monotonic()
        self._process = subprocess.Popen(
            self._command(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
        )
        self._terminal = self._connect()

    def cut(self) -> None:
        """Cut its power: it does nothing more from this moment on.  From any thread."""
        if self._process is not None:
            self._process.kill()

    def pull(self, rng: random.Random) -> str:
        """Cut its power, and let the card lose something; return how much, in words."""
        self.cut()
        self._end()
        loss = rng.choice(LOSSES)
        lost = self._card.pull(rng, loss)
        return f"of what was not flushed {loss} is lost ({lost} sectors)"

    def switch_off(self) -> None:
        """Shut it down as people do who know how to, and wait until it is off."""
        assert self._process is not None
        self._send("systemctl poweroff")
        self._process.wait(BOOT_S)
        self._end()
        self._card.pull(random.Random(0), "nothing")

    def _end(self) -> None:
        if self._process is not None:
            self._process.wait()
            self._process = None
        if self._terminal is not None:
            self._terminal.close()
            self._terminal = None
        self._heard, self._is_ready = b"", False

    @property
    def is_on(self) -> bool:
        """Whether it has power."""
        return self._process is not None and self._process.poll() is None

    @property
    def since_power_s(self) -> float:
        """How long it has had power."""
        return time.monotonic() - self.on_s

    # Whoever stands before it.

    def command(self, words: str, within_s: float = COMMAND_S) -> tuple[int, str]:
        """Return status and output of a root's command; raises NoAnswer."""
        self._send(words)
        said: list[str] = []
        deadline_s = time.monotonic() + within_s
        while True:
            line = self._line(deadline_s, words)
            if line.startswith(STATUS):
                return int(line.removeprefix(STATUS)), "\n".join(said)
            said.append(line)

    def ask(self, words: str, within_s: float = COMMAND_S) -> str:
        """Return the output of a root's command that has to succeed; raises NoAnswer."""
        status, said = self.command(words, within_s)
        if status:
            raise NoAnswer(f"'{words}' ended with {status}: {said[-2000:]}")
        return said.strip()

    def undo(self) -> None:
        """Press the button that takes back, for a moment."""
        pin = ROLE["undo"].header
        self.ask(f"p={LINES}/sim_gpio{pin}/pull; for f in $p; do {turn('$f')}; done")

    def topple(self) -> None:
        """Let the tower fall; it lies until it is set up."""
        self._tilt("pull-up")

    def set_up(self) -> None:
        """Set the tower up."""
        self._tilt("pull-down")

    def _tilt(self, level: str) -> None:
        pin = ROLE["tilt_0"].header
        self.ask(f"for f in {LINES}/sim_gpio{pin}/pull; do echo {level} >$f; done")

    def _send(self, words: str) -> None:
        assert "\n" not in words
        assert self._terminal is not None
        deadline_s = time.monotonic() + BOOT_S
        while not self._is_ready:
            self._is_ready = self._line(deadline_s, "its terminal") == READY
        try:
            self._terminal.sendall(f"{words}\n".encode())
        except OSError:
            raise PowerGone(f"the machine ended before '{words}'") from None

    def _connect(self) -> socket.socket:
        """Plug in the terminal, before anything can be said on it."""
        found = socket.socket(socket.AF_UNIX)
        deadline_s = time.monotonic() + START_S
        while True:
            try:
                found.connect(str(self._wire))
            except OSError:
                if time.monotonic() > deadline_s:
                    raise NoAnswer("QEMU did not start") from None
                time.sleep(0.01)
            else:
                return found

    def _line(self, deadline_s: float, waiting_for: str) -> str:
        assert self._terminal is not None
        while b"\n" not in self._heard:
            left_s = deadline_s - time.monotonic()
            if left_s <= 0:
                raise NoAnswer(f"no answer to '{waiting_for}'")
            self._terminal.settimeout(left_s)
            try:
                piece = self._terminal.recv(65536)
            except OSError:
                piece = b""
            if not piece and not self.is_on:
                raise PowerGone(f"the machine ended during '{waiting_for}'")
            self._heard += piece
        line, _, self._heard = self._heard.partition(b"\n")
        return line.decode(errors="replace").rstrip("\r")

    def _command(self) -> list[str]:
        forward = f"hostfwd=tcp:127.0.0.1:{self.port}-:{PORT}"
        disk = f"driver=nbd,node-name=card,server.type=unix,server.path={self._card.address}"
        stick = f"driver=file,node-name=stick,filename={self._parts.stick},read-only=on"
        return [
            # /dev/kvm is left alone: where it is offered to guests it often carries no kernel.
            *("qemu-system-x86_64", "-accel", "tcg,thread=multi", "-machine", "pc"),
            *("-cpu", "Nehalem", "-smp", "2", "-m", str(MEMORY_MB)),
            *("-nodefaults", "-no-user-config", "-no-reboot", "-display", "none"),
            *("-kernel", str(self._parts.folder / "vmlinuz")),
            *("-initrd", str(self._parts.folder / "initrd.gz"), "-append", KERNEL),
            *("-blockdev", disk, "-device", "virtio-blk-pci,drive=card"),
            *("-blockdev", stick, "-device", "virtio-blk-pci,drive=stick"),
            # The home network: nothing beyond it, and nobody in it but this computer.
            *("-netdev", f"user,id=home,restrict=on,{forward}"),
            *("-device", "virtio-net-pci,netdev=home,romfile="),
            *("-chardev", f"socket,id=terminal,path={self._wire},server=on,wait=off"),
            *("-serial", "chardev:terminal", "-serial", f"file:{self.said}"),
            *("-device", "virtio-rng-pci"),
        ]


def turn(file: str) -> str:
    """Return the words that close the switch at a wire's *file*, and open it again."""
    return f"echo pull-down >{file}; sleep {TURNS_S}; echo pull-up >{file}"
