"""What else may be at the end of a serial cable: each a pty with somebody at its other end."""

import contextlib
import os
import select
import threading
import time
import tty
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Final

from tests.hardware.pico.model_pico import ModelPico

Speaker = Callable[[bytes], bytes | None]
"""What it says when it has heard some bytes, or b"" for a while; None as it goes away."""
TURN_S: Final = 0.005


def echo(heard: bytes) -> bytes:
    """Say what was heard."""
    return heard


def babble(_: bytes) -> bytes:
    """Say something, whatever was heard."""
    return b"T=21.5C;$1 H=40%\r\n\xff\x00*1234ABCD\n"


def silence(_: bytes) -> bytes:
    """Say nothing."""
    return b""


def speak_as(pico: ModelPico, cable: AbstractContextManager[object] | None = None) -> Speaker:
    """Return what says what *pico* would; whoever holds *cable* cuts it off meanwhile."""
    held = cable or threading.Lock()

    def speak(heard: bytes) -> bytes:
        with held:
            pico.hear(heard, time.monotonic())
            return pico.say(time.monotonic())

    return speak


@contextmanager
def device(speaker: Speaker, turn_s: float = TURN_S) -> Iterator[str]:
    """Yield the name of a port at whose other end *speaker* is.

    It is asked when bytes have come, or none for *turn_s*.
    """
    near, far = os.openpty()
    tty.setraw(far)
    os.set_blocking(near, False)
    ending = threading.Event()

    def serve() -> None:
        while not ending.is_set():
            ready, _, _ = select.select([near], [], [], turn_s)
            with contextlib.suppress(BlockingIOError):
                said = speaker(os.read(near, 4096) if ready else b"")
                if said is None:
                    break
                if said:
                    os.write(near, said)
        os.close(near)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield os.ttyname(far)
    finally:
        ending.set()
        thread.join()
        os.close(far)


@dataclass
class ListedPort:
    """A port as pyserial lists it."""

    device: str
    vid: int | None = None
    pid: int | None = None
    serial_number: str | None = None
    location: str | None = None
    product: str | None = None
    interface: str | None = None
