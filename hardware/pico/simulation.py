"""A simulated Pico: the real firmware on the MicroPython VM, on a cable that is a pty."""

import os
import select
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final, TypeAlias

from hardware.device import Closeable, HardwareError
from hardware.pico.machine import FIRMWARE, Machine, find_micropython, lay_out
from hardware.pico.simulated_cable import Change, SimulatedCable

Colour: TypeAlias = tuple[int, int, int]

KEYS: Final = tuple(range(5, 22))
START_S: Final = 60.0
ROOM: Final = 256
"""Bytes that a real port holds each way."""


class SimulatedPico(Closeable):
    """A Pico whose firmware really runs.

    folder: where its drive is laid out, and its port.  keys, idol, lights: what is wired, as in
    `firmware/wiring.py`.  firmware: the folder of its modules.  micropython: the VM's path.
    Raises HardwareError if the VM or Adafruit's library is missing, or the firmware does not start.

    port: what stands for /dev/ttyACM0, there while it is plugged in, and it is at the start.
    drive: the folder that stands for CIRCUITPY.
    identity: maker and name by which USB knows it, one a line.
    """

    def __init__(
        self,
        folder: Path,
        *,
        keys: Sequence[int] = KEYS,
        idol: tuple[int, int] | None = (2, 3),
        lights: tuple[int, int] | None = (22, 9),
        firmware: Path | None = None,
        micropython: str | None = None,
    ) -> None:
        self.port = folder / "ttyACM0"
        self.identity = ""
        self._folder = folder
        self._micropython = find_micropython(micropython)
        self.drive = lay_out(folder, firmware or FIRMWARE, keys, idol, lights)
        self._strip = bytes(3 * lights[1]) if lights else b""
        self._grounded: set[int] = set()
        self._state = threading.Condition(threading.RLock())
        self._wake_out, self._wake_in = os.pipe()
        self._cable = SimulatedCable(self.port)
        self._wanted = True  # to be plugged in
        self._booted = False
        self._ended = False
        self._closed = False
        self._connection = 0
        self._room = 0
        self._owed = 0
        self._machine = Machine(folder, self._micropython, "POWER_ON")
        self._thread = threading.Thread(target=self._run, name="simulated Pico", daemon=True)
        self._thread.start()
        self._wait_for_start()

    def plug_in(self) -> None:
        """Plug the cable in."""
        with self._state:
            self._wanted = True
            self._connect_cable()

    def unplug(self) -> None:
        """Pull the cable; the Pico keeps its power, as at a hub of its own, and counts on."""
        with self._state:
            self._wanted = False
            self._disconnect_cable()

    def cut_after(self, bytes_to_pi: int | None = None, bytes_to_pico: int | None = None) -> None:
        """Unplug by itself after so many more bytes, wherever in a frame that is."""
        with self._state:
            self._cable.left_to_pi, self._cable.left_to_pico = bytes_to_pi, bytes_to_pico
            self._wake()

    def garble(self, to_pi: Change | None = None, to_pico: Change | None = None) -> None:
        """Have these change the bytes that pass; None leaves them as they are."""
        with self._state:
            self._cable.to_pi, self._cable.to_pico = to_pi, to_pico

    def restart(self) -> None:
        """Let the power fail and come back: the port goes, and returns with the next boot."""
        with self._state:
            self._start_anew("POWER_ON")
        self._wait_for_start()

    def freeze(self) -> None:
        """Stop its processor; what happens at its wires meanwhile is noticed when it goes on."""
        self._machine.freeze()

    def thaw(self) -> None:
        """Let its processor go on."""
        self._machine.thaw()

    def close_contact(self, gp: int) -> None:
        """Tie a contact to ground."""
        with self._state:
            self._grounded.add(gp)
            self._tell_contact(gp)

    def open_contact(self, gp: int) -> None:
        """Let a contact go."""
        with self._state:
            self._grounded.discard(gp)
            self._tell_contact(gp)

    def turn(self, steps: int) -> None:
        """Turn the idol, clockwise if positive."""
        with self._state:
            self._machine.tell(b"T", steps.to_bytes(4, "big", signed=True))

    @property
    def pixels(self) -> tuple[Colour, ...]:
        """What a strip of usual lights shows: red, green, blue of each."""
        strip = self._strip
        # A WS2812 takes green first.
        return tuple((strip[at + 1], strip[at], strip[at + 2]) for at in range(0, len(strip), 3))

    @property
    def sent(self) -> bytes:
        """What the strip was sent last."""
        return self._strip

    def wait_for_sent(self, wanted: bytes, within_s: float = 60.0) -> None:
        """Wait until the strip was last sent *wanted*; raises TimeoutError if it is not."""
        with self._state:
            if not self._state.wait_for(lambda: self._strip == wanted, within_s):
                raise TimeoutError(f"the strip was sent {self._strip.hex()}, not {wanted.hex()}")

    def wait_for_pixels(self, wanted: Sequence[Colour], within_s: float = 60.0) -> None:
        """Wait until the strip shows *wanted*; raises TimeoutError if it does not."""
        with self._state:
            if not self._state.wait_for(lambda: self.pixels == tuple(wanted), within_s):
                raise TimeoutError(f"the strip shows {self.pixels}, not {tuple(wanted)}")

    @property
    def console(self) -> str:
        """What the firmware has printed."""
        return (self._folder / "console").read_text(errors="replace")

    def close(self) -> None:
        """Take it away; may be called twice."""
        with self._state:
            if self._closed:
                return
            self._closed = True
            self._disconnect_cable()
        self._thread.join()
        self._machine.end()
        os.close(self._wake_in)
        os.close(self._wake_out)

    def _wait_for_start(self) -> None:
        with self._state:
            self._state.wait_for(lambda: self._booted or self._ended, START_S)
            if self._booted:
                return
        said = self.console.strip().splitlines()
        self.close()
        raise HardwareError(f"the firmware does not start: {said[-1] if said else 'it is silent'}")

    def _start_anew(self, reason: str) -> None:
        self._disconnect_cable()
        self._machine.end()
        self._booted = self._ended = False
        self._machine = Machine(self._folder, self._micropython, reason)
        for gp in self._grounded:
            self._tell_contact(gp)
        self._wake()

    def _tell_contact(self, gp: int) -> None:
        now_us = time.monotonic_ns() // 1000
        level = gp not in self._grounded
        self._machine.tell(b"K", bytes([gp, level]) + now_us.to_bytes(8, "big"))

    def _connect_cable(self) -> None:
        if self._booted and self._wanted and not self._cable.plugged:
            self._cable.plug()
        self._wake()

    def _disconnect_cable(self) -> None:
        self._cable.pull()
        self._machine.tell(b"X")
        self._wake()

    def _wake(self) -> None:
        os.write(self._wake_in, b"w")

    def _run(self) -> None:
        while not self._closed:
            with self._state:
                poll = select.poll()
                poll.register(self._wake_out, select.POLLIN)
                if not self._ended:
                    poll.register(self._machine.out, select.POLLIN)
                wait_ms = self._cable.watch(poll, self._room)
                machine = self._machine
            ready = dict(poll.poll(wait_ms))
            with self._state:
                if self._wake_out in ready:
                    os.read(self._wake_out, 4096)
                if machine is self._machine and machine.out in ready:
                    self._hear_machine()
                self._pass_on()
                self._state.notify_all()

    def _hear_machine(self) -> None:
        packet = self._machine.hear()
        if packet is None:
            self._ended = True
            return
        kind, content = packet
        if kind == b"D" and content[0] == self._connection and self._cable.held:
            self._owed += len(content) - 1
            self._cable.write(content[1:])
        elif kind == b"W":
            self._room += int.from_bytes(content, "big")
        elif kind == b"P":
            self._strip = content[1:]
        elif kind == b"U":
            self.identity = content.decode()
        elif kind == b"B":
            self._booted = True
            if content[0]:
                self._connect_cable()
        elif kind == b"R":
            self._start_anew("SOFTWARE")

    def _pass_on(self) -> None:
        if self._cable.look():
            self._connection = self._connection % 255 + 1
            self._room, self._owed = ROOM, 0
            self._machine.tell(b"C", bytes([self._connection if self._cable.held else 0]))
        if self._cable.held:
            data = self._cable.read(self._room)
            if data:
                self._room -= len(data)
                self._machine.tell(b"D", data)
            if self._cable.flush() and self._owed:
                self._machine.tell(b"W", self._owed.to_bytes(2, "big"))
                self._owed = 0
        if self._cable.cut(pico_has_read=self._room >= ROOM):
            self.unplug()
