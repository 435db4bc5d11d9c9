"""A Pico on a USB cable of the kernel's: /dev/ttyACM0 is what the companion finds.

The Pico's firmware really runs, on the MicroPython VM, whose own port is a terminal; this passes on
what comes, as long as the cable is in.
"""

import os
import select
import subprocess
import threading
import time
import tty
from pathlib import Path
from typing import Final

from hardware.pico.ports import PRODUCT
from hardware.pico.simulation import SimulatedPico

GADGET: Final = Path("/dev/ttyGS0")
HOST: Final = Path("/dev/ttyACM0")
MICROPYTHON: Final = "/usr/local/bin/micropython"
LOOK_S: Final = 0.05
FOUND_S: Final = 15.0


class Cable:
    """A USB cable from *pico* to this machine, in from the start."""

    def __init__(self, pico: SimulatedPico) -> None:
        self._pico = pico
        self._out = threading.Event()
        self._bridge: threading.Thread | None = None
        self.plug_in()

    def plug_in(self) -> None:
        """Plug it in, and wait until the kernel has found the port."""
        subprocess.run(
            [
                *("modprobe", "g_serial", "use_acm=1", "idVendor=0x239a", "idProduct=0x80f4"),
                *("iManufacturer=Tiki", f"iProduct={PRODUCT}", "iSerialNumber=hil"),
            ],
            check=True,
        )
        until_s = time.monotonic() + FOUND_S
        while not HOST.exists():
            assert time.monotonic() < until_s, "the kernel finds no serial port"
            time.sleep(LOOK_S)
        subprocess.run(["udevadm", "settle"], check=True)
        self._out.clear()
        self._bridge = threading.Thread(target=self._pass_on, daemon=True)
        self._bridge.start()

    def pull(self) -> None:
        """Pull it."""
        if self._bridge is not None:
            self._out.set()
            self._bridge.join()
            self._bridge = None
            subprocess.run(["modprobe", "-r", "g_serial"], check=True)

    def _pass_on(self) -> None:
        ends = [os.open(path, os.O_RDWR | os.O_NOCTTY) for path in (GADGET, self._pico.port)]
        try:
            for end in ends:
                tty.setraw(end)
            while not self._out.is_set():
                for ready in select.select(ends, [], [], LOOK_S)[0]:
                    os.write(ends[1 - ends.index(ready)], os.read(ready, 4096))
        finally:
            for end in ends:
                os.close(end)
