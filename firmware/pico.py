"""The Pico as the Pi knows it: what it is told, what it answers, and one turn of its loop."""

import binascii
import os
import time

import board
import clock
import microcontroller
import usb_cdc
import wire
import wiring
from idol import Idol
from keys import Keys
from outbox import Outbox
from port import Port
from version import VERSION

REST_US = 2_000_000
TURN_S = 0.001
LONGEST_ECHO = 40
LAST_WORD_S = 0.1


class Pico:
    """All that is wired, and the port; *reason* is why the Pico has started."""

    def __init__(self, serial: usb_cdc.Serial, reason: str) -> None:
        self._boot = binascii.hexlify(os.urandom(4)).decode().upper()
        self._reason = reason
        self._port = Port(serial)
        self._outbox = Outbox()
        self._keys = Keys(wiring.KEYS)
        self._idol = Idol(*wiring.IDOL) if wiring.IDOL else None
        self._lights = None
        if wiring.LIGHTS:
            from lights import Lights  # noqa: PLC0415 - without lights its library may be missing

            self._lights = Lights(*wiring.LIGHTS)
        self._answers: list[bytes] = []
        self._greeting = b""
        self._greeted = False
        self._last_received_us = clock.now_us()
        self._restarts = False

    def step(self) -> None:
        """Read the wires, receive from the Pi, send what is due."""
        self._keys.read(self._outbox)
        if self._idol:
            self._idol.read(self._outbox)
        if not self._port.is_open():
            self._answers.clear()
            self._greeting = b""
            self._greeted = False
        elif self._port.send(self._next_frame):
            # A Pi that does not listen to the answers has to wait with its questions.
            for number, word, fields in self._port.receive():
                self._last_received_us = clock.now_us()
                self._answers += self._answer(number, word, fields)
            if self._port.send(self._next_frame) and self._restarts:
                time.sleep(LAST_WORD_S)
                microcontroller.reset()
        if self._lights and clock.now_us() - self._last_received_us > REST_US:
            self._lights.rest()
        time.sleep(TURN_S)

    def _next_frame(self) -> "bytes | None":
        """Return an event, or else an answer: what a `pong` tells of has then been sent before.

        A greeting comes first of all: without it the Pi cannot tell whose events they are.
        """
        if self._greeting:
            greeting, self._greeting = self._greeting, b""
            return greeting
        frame = self._outbox.next_frame(clock.now_us()) if self._greeted else None
        return frame or (self._answers.pop(0) if self._answers else None)

    def _answer(self, number: int, word: str, fields: "tuple[str, ...]") -> "list[bytes]":
        try:
            wire.check(word, fields, wire.FROM_PI)
        except wire.BadMessage:
            return [self._refusal(number, "fields" if word in wire.FROM_PI else "unknown", word)]
        if word == "hello":
            return self._hello(number, int(fields[0]))
        if word == "ping":
            self._outbox.acknowledge(int(fields[0]), clock.now_us())
            return [self._pong(number)]
        if word == "resend":
            self._outbox.send_again(int(fields[0]), clock.now_us())
        elif word == "restart":
            self._restarts = True
        elif self._lights is None:
            return [self._refusal(number, "missing", word)]
        elif word == "show":
            self._lights.show()
        elif word == "order":
            if not wire.is_order(fields[0]):
                return [self._refusal(number, "fields", word)]
            self._lights.reorder(fields[0])
        elif not fields[1] or len(fields[1]) % 6:
            return [self._refusal(number, "fields", word)]
        elif not self._lights.take(int(fields[0]), binascii.unhexlify(fields[1])):
            return [wire.encode(number, "no", "range")]
        return [wire.encode(number, "ok")]

    def _refusal(self, number: int, why: str, word: str) -> bytes:
        plain = "".join([each if "!" <= each <= "~" else "?" for each in word[:LONGEST_ECHO]])
        return wire.encode(number, "no", why + ":" + plain)

    def _hello(self, number: int, protocol: int) -> "list[bytes]":
        # A Pi with another protocol would misunderstand events.
        self._greeted = protocol == wire.PROTOCOL
        self._outbox.send_again(0, clock.now_us())
        keys = ",".join([str(key) for key in wiring.KEYS]) or "-"
        idol = "{},{}".format(*wiring.IDOL) if wiring.IDOL else "-"
        lights = "{}x{}".format(*wiring.LIGHTS) if wiring.LIGHTS else "-"
        self._greeting += wire.encode(
            number, "hello", wire.PROTOCOL, VERSION, board.board_id, self._boot, keys, idol,
            lights, self._reason,
        )  # fmt: skip
        return [self._pong(number)]

    def _pong(self, number: int) -> bytes:
        return wire.encode(
            number,
            "pong",
            clock.now_us(),
            self._outbox.newest,
            self._keys.levels(),
            self._idol.position if self._idol else 0,
            self._outbox.lost,
            self._port.bad,
        )
