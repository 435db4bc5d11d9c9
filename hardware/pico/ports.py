"""The serial ports, and at which of them a Pico may be."""

import errno
import os
import termios
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Final, Protocol

from hardware.device import HardwareError

PRODUCT: Final = "Tiki Pico"
"""What our firmware has the USB say."""
PICOS: Final = {
    (0x2E8A, 0x0005): "Pico with MicroPython",
    (0x2E8A, 0x000A): "Pico with a program of its own",
    (0x2E8A, 0x000B): "Pico 2 with CircuitPython",
    (0x239A, 0x80F4): "Pico with CircuitPython",
    (0x239A, 0x8120): "Pico W with CircuitPython",
    (0x239A, 0x8162): "Pico 2 W with CircuitPython",
}
"""By USB's numbers of maker and product.  Sources: CircuitPython's boards, raspberrypi/usb-pid."""
_DATA: Final = ("CDC2", "data")
_CONSOLE: Final = "CircuitPython CDC"
"""CircuitPython calls the interface of its console "CircuitPython CDC control", that of a program's
data "CircuitPython CDC2 control"."""
BY_ID: Final = Path("/dev/serial/by-id")
PROCESSES: Final = Path("/proc")
DIALOUT: Final = "sudo usermod -aG dialout $USER, then log in again"
"""What helps whoever may not use a port."""
WRITE_TIMEOUT_S: Final = 0.5
READ_TIMEOUT_S: Final = 0.05


class NoPico(HardwareError):
    """No Pico is to be had; one line says why, and what to do."""


class PortLost(HardwareError):
    """The port has gone: the cable was pulled, or the Pico restarts."""


class PortInfo(Protocol):
    """A serial port, as pyserial lists it; None is what nobody knows."""

    device: str
    vid: int | None
    pid: int | None
    serial_number: str | None
    location: str | None
    product: str | None
    interface: str | None


ListPorts = Callable[[], Iterable[PortInfo]]


def list_ports() -> Iterable[PortInfo]:
    """Return the serial ports that there are."""
    from serial.tools.list_ports import comports  # noqa: PLC0415 - only a table with a Pico needs it

    found: Iterable[PortInfo] = sorted(comports())
    return found


def is_pico(port: PortInfo) -> bool:
    """Return whether a Pico is at *port*, by USB's numbers."""
    return (port.vid, port.pid) in PICOS


def find_nodes(ports: Iterable[PortInfo]) -> list[str]:
    """Return the nodes at which our Pico may answer, likeliest first.

    It is known by its name, or else by USB's numbers.  Raises NoPico if there is none, if there are
    several, or if it has nothing but CircuitPython's console.
    """
    listed = tuple(ports)
    ours = [port for port in listed if port.product == PRODUCT]
    ours = ours or [port for port in listed if is_pico(port)]
    boards: dict[str, list[PortInfo]] = {}
    for port in ours:
        boards.setdefault(_board(port), []).append(port)
    if not boards:
        raise NoPico(
            "no Pico is plugged in: plug its cable into a USB socket; a cable that only charges"
            " will not do"
        )
    if len(boards) > 1:
        names = [stable_name(found[0].device) for found in boards.values()]
        raise NoPico(
            f"{len(names)} Picos are plugged in, {' and '.join(names)}: unplug the others, or set"
            " pins.port to that in the idol"
        )
    (found,) = boards.values()
    data = [port for port in found if any(word in (port.interface or "") for word in _DATA)]
    if not data and all(_CONSOLE in (port.interface or "") for port in found):
        raise NoPico(
            f"the Pico at {found[0].device} runs CircuitPython without our firmware: run"
            " './run pico install'"
        )
    # Of two that nobody tells apart the console is the first.
    return [port.device for port in data or reversed(found)]


def _board(port: PortInfo) -> str:
    # One board has up to two ports.
    return port.serial_number or (port.location or port.device).partition(":")[0]


def stable_name(node: str, by_id: Path = BY_ID) -> str:
    """Return the name that udev keeps for the port at *node*, whichever socket; else *node*."""
    target = Path(node).resolve()
    names = sorted(by_id.glob("*")) if by_id.is_dir() else []
    return next((str(name) for name in names if name.resolve() == target), node)


def programs_at(
    node: str, processes: Path = PROCESSES, *, with_this: bool = False
) -> tuple[str, ...]:
    """Return the other programs that have *node* open, as far as this user may see them.

    with_this: whether this process counts as well.
    """
    names, target = set(), Path(node).resolve()
    for process in processes.glob("[0-9]*"):
        if process.name == str(os.getpid()) and not with_this:
            continue
        try:
            if any(handle.readlink() == target for handle in (process / "fd").iterdir()):
                names.add((process / "comm").read_text(errors="replace").strip())
        except OSError:
            continue  # someone else's, or gone by now
    return tuple(sorted(names))


def open_port(node: str) -> Any:
    """Return pyserial's port at *node*, ours alone; raises NoPico.

    It never blocks for long: a read ends after READ_TIMEOUT_S, a write after WRITE_TIMEOUT_S.
    """
    from serial import Serial  # noqa: PLC0415 - as above

    try:
        return Serial(node, timeout=READ_TIMEOUT_S, write_timeout=WRITE_TIMEOUT_S, exclusive=True)
    except (OSError, ValueError, termios.error) as error:
        number = getattr(error, "errno", None)
        raise NoPico(_explain(node, number, str(error))) from None


class Port:
    """An open serial port, of which only `wake` is for any thread; raises NoPico."""

    def __init__(self, node: str) -> None:
        from serial import SerialTimeoutException  # noqa: PLC0415 - as above

        self._full: Any = SerialTimeoutException
        self._serial = open_port(node)

    def read(self) -> bytes:
        """Return what has come, b"" if that is nothing for READ_TIMEOUT_S; raises PortLost."""
        try:
            data: bytes = self._serial.read(1)
            if data:
                data += self._serial.read(self._serial.in_waiting)
        except (OSError, termios.error) as error:
            raise PortLost(str(error)) from None
        return data

    def write(self, data: bytes) -> bool:
        """Send *data*; return False if nobody takes it for WRITE_TIMEOUT_S.  Raises PortLost."""
        try:
            self._serial.write(data)
        except self._full:
            return False
        except (OSError, termios.error) as error:
            raise PortLost(str(error)) from None
        return True

    def wake(self) -> None:
        """Let a `read` that waits return."""
        self._serial.cancel_read()

    def close(self) -> None:
        """Give it back."""
        self._serial.close()


def _explain(node: str, number: int | None, said: str) -> str:
    if number in (errno.EAGAIN, errno.EBUSY):
        return taken(node, programs_at(node))
    if number in (errno.EACCES, errno.EPERM):
        return f"no permission for {node}: {DIALOUT}"
    if number in (errno.ENOENT, errno.ENXIO, errno.ENODEV) or not Path(node).exists():
        return (
            f"nothing is plugged in at {node}: plug the Pico in, or leave pins.port empty, to have"
            " it looked for"
        )
    return f"{node} cannot be opened, {said}: unplug the Pico and plug it in again"


def taken(node: str, programs: Sequence[str]) -> str:
    """Return that *programs* have the port at *node*."""
    who = " and ".join(programs) or "another program"
    return f"{node} is in use by {who}: stop it"
