"""The Pico's end of the cable, under CPython with a USB port of the test's own."""

import importlib
import sys
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import pytest

from firmware import wire

FRAMES = [wire.encode(number, "turn", number * 4, number * 1000) for number in range(1, 60)]
HELLO = wire.encode(1, "hello", 1)


class Serial:
    """CircuitPython's data port, with so much room."""

    timeout: float | None = None
    write_timeout: float | None = None

    def __init__(self, room: int = 10**6) -> None:
        self.connected = True
        self.room = room
        self.heard = b""
        self.waiting = b""
        self.resets = 0

    @property
    def in_waiting(self) -> int:
        """How many bytes have come."""
        return len(self.waiting)

    def read(self, size: int) -> bytes:
        """Return up to *size* bytes."""
        data, self.waiting = self.waiting[:size], self.waiting[size:]
        return data

    def write(self, data: bytes) -> int:
        """Take what there is room for."""
        taken = data[: self.room]
        self.room -= len(taken)
        self.heard += taken
        return len(taken)

    def reset_output_buffer(self) -> None:
        """Count that it was done."""
        self.resets += 1


def giving(*frames: bytes) -> Callable[[], bytes | None]:
    """Return what gives *frames*, one at each call, and then None."""
    left = iter(frames)
    return lambda: next(left, None)


@pytest.fixture
def make_port(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Return the class of a port, its module's imports being flat as on the Pico."""
    usb_cdc = ModuleType("usb_cdc")
    monkeypatch.setattr(usb_cdc, "Serial", Serial, raising=False)
    monkeypatch.setitem(sys.modules, "usb_cdc", usb_cdc)
    monkeypatch.setitem(sys.modules, "wire", wire)
    yield importlib.import_module("firmware.port").Port
    monkeypatch.delitem(sys.modules, "firmware.port")


def test_it_never_waits(make_port: Any) -> None:
    """Both timeouts are none."""
    serial = Serial()
    make_port(serial)
    assert (serial.timeout, serial.write_timeout) == (0, 0)


@pytest.mark.parametrize("room", [1, 7, 64, 255, 1000])
def test_what_has_no_room_is_written_later(make_port: Any, room: int) -> None:
    """In order, every byte once, however little goes at a time."""
    serial = Serial(room=0)
    port = make_port(serial)
    next_frame = giving(*FRAMES)
    turns = 0
    while not port.send(next_frame):
        serial.room = room
        turns += 1
        assert port.is_open()
    assert serial.heard == b"".join(FRAMES)
    assert turns >= len(serial.heard) // room


def test_without_a_listener_what_was_half_said_or_heard_is_dropped(make_port: Any) -> None:
    """What lies in the USB buffer too; the count of garbled lines goes on."""
    serial = Serial(room=5)
    port = make_port(serial)
    assert port.is_open()
    serial.waiting = b"rubbish\n" + HELLO[:6]
    assert port.receive() == []
    assert not port.send(giving(FRAMES[0]))
    serial.connected = False
    assert not port.is_open()
    assert not port.is_open()
    assert serial.resets == 1
    serial.connected, serial.room, serial.heard = True, 1000, b""
    assert port.is_open()
    assert port.send(giving(FRAMES[1]))
    assert serial.heard == FRAMES[1]
    serial.waiting = HELLO[6:] + HELLO
    assert port.receive() == [(1, "hello", ("1",))]
    assert port.bad == 2
