"""Programs for an interpreter that has none of our files: they bring the firmware, and run it."""

import ast
from pathlib import Path

from firmware import wire
from hardware.pico.machine import FIRMWARE
from tests.firmware.host import Frame

LOADER = """
import sys
import time


class Module:
    pass


def load(name, source):
    space = {"__name__": name}
    exec(source, space)
    module = Module()
    for key in space:
        setattr(module, key, space[key])
    sys.modules[name] = module
"""

PORT = """
class Serial:
    connected = True
    heard = said = b""

    @property
    def in_waiting(self):
        return len(self.heard)

    def read(self, size):
        data, self.heard = self.heard[:size], self.heard[size:]
        return data

    def write(self, data):
        self.said += data
        return len(data)


from pico import Pico

serial = Serial()
pico = Pico(serial, "test")


def tell(data, for_s=0.02):
    serial.heard += data
    end_ns = time.monotonic_ns() + int(for_s * 1000000000)
    steps = 0
    while time.monotonic_ns() < end_ns or not steps:
        pico.step()
        steps += 1
    said, serial.said = serial.said, b""
    print((steps, said))
"""

MODULES = (
    "wire", "version", "clock", "outbox", "keys", "idol", "lights", "port", "pico",
)  # fmt: skip


def programs(wiring: str, neopixel: Path) -> list[str]:
    """Return what to run, one after the other, to have the firmware with this *wiring* there."""
    sources = {"wiring": wiring, "neopixel": neopixel.read_text()}
    sources |= {name: (FIRMWARE / f"{name}.py").read_text() for name in MODULES}
    first = ("wiring", "neopixel", *MODULES)
    return [LOADER, *(f"load({name!r}, {sources[name]!r})" for name in first), PORT]


def telling(*frames: bytes, for_s: float = 0.02) -> str:
    """Return the program that lets the Pico hear *frames* and then run for so many seconds."""
    return f"tell({b''.join(frames)!r}, {for_s})"


def told(printed: str) -> tuple[int, list[Frame]]:
    """Return what such a program printed: turns of the Pico's loop, and the frames it said."""
    steps, said = ast.literal_eval(printed.strip().splitlines()[-1])
    return steps, wire.Reader().feed(said)
