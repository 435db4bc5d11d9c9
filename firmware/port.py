"""The Pico's end of the cable: frames in, frames out, and never a wait for the Pi."""

import usb_cdc
import wire

TYPE_CHECKING = False  # CircuitPython has no typing
if TYPE_CHECKING:
    from collections.abc import Callable

AT_ONCE = 256


class Port:
    """Frames over the USB data port *serial*, of which both timeouts are set to 0."""

    def __init__(self, serial: usb_cdc.Serial) -> None:
        serial.timeout = 0
        serial.write_timeout = 0
        self._serial = serial
        self._reader = wire.Reader()
        self._unwritten = b""
        self._open = False

    @property
    def bad(self) -> int:
        """How many lines were no frame, since the start of the Pico."""
        return self._reader.bad

    def is_open(self) -> bool:
        """Return whether a program on the Pi has the port open.

        If not, what has been said or heard in part is dropped.
        """
        connected = self._serial.connected
        if self._open and not connected:
            bad = self._reader.bad
            self._reader = wire.Reader()
            self._reader.bad = bad
            self._unwritten = b""
            self._serial.reset_output_buffer()  # or who comes next hears the rest of it
        self._open = connected
        return connected

    def receive(self) -> "list[tuple[int, str, tuple[str, ...]]]":
        """Return the frames that have come: number, word, fields."""
        waiting = self._serial.in_waiting
        return self._reader.feed(self._serial.read(waiting)) if waiting else []

    def send(self, next_frame: "Callable[[], bytes | None]") -> bool:
        """Write what *next_frame* gives, until it gives None; return False if the port is full."""
        while True:
            while len(self._unwritten) < AT_ONCE:
                frame = next_frame()
                if frame is None:
                    break
                self._unwritten += frame
            if not self._unwritten:
                return True
            written = self._serial.write(self._unwritten)
            self._unwritten = self._unwritten[written:]
            if self._unwritten:
                return False
