"""What answers at a serial port: Picos of any protocol, and a console with a fault."""

import time
from contextlib import AbstractContextManager
from types import SimpleNamespace

from firmware.wire import encode
from hardware.pico.ports import PortInfo
from tests.hardware.pico.serial_devices import Speaker, device

HELLO = ("1", "raspberry_pi_pico", "00C0FFEE", "5,8", "-", "-", "power")


def answering(answer: Speaker, says: bytes = b"") -> AbstractContextManager[str]:
    """Return a serial device that *says* something again and again.

    It gives *answer* to what it is told, and is gone when that is None.
    """

    def speak(heard: bytes) -> bytes | None:
        said = answer(heard) if heard else b""
        return None if said is None else says + said

    return device(speak, turn_s=0.05)


def pico_as(protocol: int) -> Speaker:
    """Return the answers of a Pico with this protocol, whose second contact is closed."""

    def answer(said: bytes) -> bytes:
        told = b""
        for frame in said.splitlines():
            number, word = int(frame.split()[0][1:]), frame.split()[1].partition(b"*")[0]
            if word == b"hello":
                told += encode(number, "hello", protocol, *HELLO)
            if word in (b"hello", b"ping"):
                told += encode(number, "pong", time.monotonic_ns() // 1000, 7, "02", -30, 1, 0)
            else:
                told += encode(number, "ok")
        return told

    return answer


def port(node: str, interface: str | None, serial: str = "1") -> PortInfo:
    """Return a serial port of a Pico as pyserial lists it."""
    return SimpleNamespace(
        device=node, vid=0x239A, pid=0x80F4, serial_number=serial, location=None,
        product="Tiki Pico", interface=interface,
    )  # fmt: skip


FAULT = (
    b"\r\nAuto-reload is off.\r\ncode.py output:\r\nTraceback (most recent call last):\r\n"
    b'  File "code.py", line 12, in <module>\r\n\x1b]0;RuntimeError: there is no data port\r\n'
    b"\r\nCode done running.\r\n\r\nPress any key to enter the REPL."
)
