"""Real CircuitPython on an emulated RP2040: a real PIO counts, a real WS2812 wave is decoded.

No registry has CircuitPython for the Pico, so this runs only if CIRCUITPYTHON_UF2 names its file,
from circuitpython.org.  The emulator has the USB console, not the data port, so the Pico's loop
runs with a port of the test's own; boot.py and code.py themselves do not.
"""

import asyncio
import importlib.util
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware import wire
from hardware.pico.machine import FIRMWARE
from hardware.pico.simulation import SimulatedPico
from tests.firmware.guest import programs, telling, told
from tests.firmware.host import PATIENCE_S
from tests.hardware.picos import wait_for

UF2 = os.environ.get("CIRCUITPYTHON_UF2")
WIRING = "KEYS = (5, 6)\nIDOL = (2, 3)\nLIGHTS = (22, 9)\n"
LIT = [(255, 128, 0), (0, 0, 255), (1, 2, 3)] * 3
HELLO = wire.encode(1, "hello", wire.PROTOCOL)
LIGHT = wire.encode(2, "light", 0, "".join(f"{r:02X}{g:02X}{b:02X}" for r, g, b in LIT))
SHOW = wire.encode(3, "show")
SECOND_NS = 1_000_000_000
EDGES_PER_SECOND = 24_000
EDGES = 12_000
FRAME_S = 0.05
"""Light frames come so often."""


def neopixel() -> Path:
    """Return Adafruit's library."""
    found = importlib.util.find_spec("neopixel")
    assert found
    assert found.origin
    return Path(found.origin)


def test_the_programs_bring_the_firmware_to_a_bare_interpreter(
    micropython: str, tmp_path: Path
) -> None:
    """The same as for the emulator, here on MicroPython with simulated pins."""
    folder = tmp_path / "firmware"
    folder.mkdir()
    (folder / "boot.py").write_bytes((FIRMWARE / "boot.py").read_bytes())
    lines = [*programs(WIRING, neopixel()), telling(HELLO), telling(LIGHT, SHOW)]
    (folder / "code.py").write_text("\n".join(lines))
    with SimulatedPico(tmp_path, firmware=folder, keys=(), micropython=micropython) as pico:
        pico.wait_for_pixels(LIT, PATIENCE_S)
        wait_for(lambda: pico.console.count("\n") == 2)  # whole lines
        greeted, lit = map(told, pico.console.splitlines())
        assert [frame[1] for frame in greeted[1]] == ["hello", "pong"]
        assert greeted[1][0][2][4:7] == ("5,6", "2,3", "22x9")
        assert [frame[1] for frame in lit[1]] == ["ok", "ok"]


class Shaft:
    """Turns an encoder on two of the emulated pins, by the emulated clock."""

    def __init__(self, device: Any, a: int, b: int) -> None:
        self._pins = device.mcu.gpio[a], device.mcu.gpio[b]
        self._alarm = device.simulator.clock.create_alarm(self._step)
        self._step_ns = 0.0
        self._left = 0
        self._levels = self._ring()
        for pin in self._pins:
            pin.set_input_value(True)

    def turn(self, edges: int, per_second: int) -> None:
        """Turn clockwise, A before B."""
        self._left, self._step_ns = edges, SECOND_NS / per_second
        self._alarm.schedule(self._step_ns)

    def _ring(self) -> Iterator[tuple[bool, bool]]:
        while True:
            yield from ((False, True), (False, False), (True, False), (True, True))

    def _step(self) -> None:
        for pin, level in zip(self._pins, next(self._levels), strict=True):
            pin.set_input_value(level)
        self._left -= 1
        if self._left:
            self._alarm.schedule(self._step_ns)


async def run_on_emulated_pico(image: str) -> None:
    """Run the firmware on CircuitPython's *image*, and check all that can be seen there."""
    from rp2040py.boards import BOARDS, resolve_firmware  # noqa: PLC0415 - where it is wanted only
    from rp2040py.device import MicroPythonDevice  # noqa: PLC0415
    from rp2040py.external.key_mock import KeyMock  # noqa: PLC0415
    from rp2040py.external.ws2812 import Ws2812  # noqa: PLC0415

    board = resolve_firmware(BOARDS["pico"], "circuitpython", image)
    device = MicroPythonDevice(board=board, circuitpython=True)
    strip, key = Ws2812(22), KeyMock(5, active_high=False)
    strip.attach(device.mcu)
    key.attach(device.mcu)
    shaft = Shaft(device, 2, 3)

    async def run(program: str) -> str:
        printed, failed = await device.aexec(program, timeout=300)
        assert not failed, failed.decode(errors="replace")
        return str(printed.decode())

    await device.astart(timeout=600)
    try:
        assert "circuitpython" in await run("import sys; print(sys.implementation.name)")
        for program in programs(WIRING, neopixel()):
            await run(program)
        _, frames = told(await run(telling(HELLO)))
        assert [frame[1] for frame in frames] == ["hello", "pong"]

        key.press()
        _, frames = told(await run(telling()))
        assert [frame[1:2] + frame[2][:2] for frame in frames] == [("key", "0", "1")]
        key.release()
        await run(telling())

        shaft.turn(EDGES, EDGES_PER_SECOND)
        steps, frames = told(await run(telling(for_s=1.0)))
        positions = [int(frame[2][0]) for frame in frames if frame[1] == "turn"]
        assert positions[-1] == EDGES
        assert steps >= 100, "a hundred events a second need a hundred turns of the loop"

        begin = "begin = time.monotonic_ns()\n"
        end = "\nprint(time.monotonic_ns() - begin)"
        spent = await run(begin + telling(LIGHT, SHOW, for_s=0) + end)
        assert strip.pixels == LIT
        assert int(spent.strip().splitlines()[-1]) < FRAME_S * SECOND_NS
    finally:
        device.stop()


@pytest.mark.skipif(
    UF2 is None,
    reason="CIRCUITPYTHON_UF2 names no file; get a Pico's .uf2 from circuitpython.org",
)
@pytest.mark.timeout(3600)
def test_the_firmware_runs_on_an_emulated_pico() -> None:
    """A contact, 24,000 edges a second beside the loop, nine lights, and the time they take."""
    assert UF2
    pytest.importorskip("rp2040py", reason="rp2040py is missing: pip install rp2040py")
    asyncio.run(run_on_emulated_pico(UF2))
