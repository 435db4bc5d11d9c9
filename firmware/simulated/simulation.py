"""The other end of the simulated Pico: packets from and to `hardware.pico.simulation`.

A packet is its kind, one byte; its length, two; and its content.
"""

import os
import select

CONTACT = b"K"  # a GP number, its level, when it changed by the clock of `time.ticks_us`
TURNED = b"T"  # steps
CONNECTED = b"C"  # which connection this is, 0 if none
PULLED = b"X"  # the cable was pulled
DATA = b"D"  # to the Pico: bytes; from it: which connection, bytes
ROOM = b"W"  # so many bytes of those that were written have gone on
PIXELS = b"P"  # the bytes for the strip
IDENTIFIED = b"U"  # the USB device's maker and name
BOOTED = b"B"  # 1 if there is a data port, else 0
RESET = b"R"

_in = open("/dev/fd/" + os.getenv("TIKI_IN"), "rb")
_out = open("/dev/fd/" + os.getenv("TIKI_OUT"), "wb")
_poll = select.poll()
_poll.register(_in, select.POLLIN)
handlers = {}


def pump():
    """Take what has come in."""
    while _poll.poll(0):
        kind = _in.read(1)
        if not kind:
            raise SystemExit  # whoever simulates has gone
        content = _in.read(int.from_bytes(_in.read(2), "big"))
        if kind in handlers:
            handlers[kind](content)


def tell(kind, content=b""):
    """Send a packet."""
    _out.write(kind + len(content).to_bytes(2, "big") + content)
