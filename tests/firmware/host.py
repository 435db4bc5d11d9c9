"""The Pi as far as these tests need one: it says a word and hears what comes of it."""

import random
import time
from pathlib import Path
from typing import TypeAlias

import serial

from firmware import wire

PATIENCE_S = 60.0
"""On a busy machine everything takes its time."""

Frame: TypeAlias = tuple[int, str, tuple[str, ...]]


class Host:
    """Has the port of a Pico open.

    Its frames' numbers begin anywhere: answers to a program before it are not its own.

    frames: all that were heard.  events: those that came in order, as the Pi takes them.
    raw: all bytes that were heard.  number: of the last frame that was said.
    """

    def __init__(self, port: Path) -> None:
        self.frames: list[Frame] = []
        self.events: list[Frame] = []
        self.raw = b""
        self.reader = wire.Reader()
        self.number = random.randrange(10**6)
        self._serial = serial.Serial(str(port), timeout=0)

    @property
    def newest(self) -> int:
        """The number of the newest event that came in order."""
        return self.events[-1][0] if self.events else 0

    def write(self, data: bytes) -> None:
        """Send bytes as they are."""
        self._serial.write(data)

    def say(self, word: str, *fields: "int | str") -> int:
        """Send a frame and return its number."""
        self.number += 1
        self.write(wire.encode(self.number, word, *fields))
        return self.number

    def ask(self, word: str, *fields: "int | str", within_s: float = PATIENCE_S) -> tuple[str, ...]:
        """Return the first answer to a frame: its word and its fields."""
        number = self.say(word, *fields)
        _, answer, answered = self.wait_for(number, within_s)
        return (answer, *answered)

    def wait_for(self, number: int, within_s: float = PATIENCE_S, word: str = "") -> Frame:
        """Return the answer to frame *number*, that with this *word* if one is given.

        Raises TimeoutError if it does not come.
        """
        until = time.monotonic() + within_s
        while True:
            for frame in self.frames:
                if frame[0] == number and frame[1] not in wire.EVENTS and word in ("", frame[1]):
                    return frame
            if time.monotonic() > until:
                raise TimeoutError(f"no answer to frame {number}; heard {self.frames[-5:]}")
            self.listen(0.002)

    def heard_events(self) -> list[Frame]:
        """Return all events that were heard, in order or not."""
        return [frame for frame in self.frames if frame[1] in wire.EVENTS]

    def wait_for_events(self, count: int, within_s: float = PATIENCE_S) -> list[Frame]:
        """Return the events so far, once there are *count*; raises TimeoutError."""
        until = time.monotonic() + within_s
        while len(self.events) < count:
            if time.monotonic() > until:
                raise TimeoutError(f"{len(self.events)} events instead of {count}")
            self.listen(0.002)
        return self.events

    def listen(self, for_s: float = 0.0) -> list[Frame]:
        """Return the frames that come within so many seconds."""
        until = time.monotonic() + for_s
        heard: list[Frame] = []
        while True:
            data = self._serial.read(self._serial.in_waiting or 1)
            self.raw += data
            heard += self.reader.feed(data)
            if time.monotonic() >= until:
                break
            time.sleep(0.001)
        self.frames += heard
        for frame in heard:
            if frame[1] in wire.EVENTS and frame[0] == self.newest + 1:
                self.events.append(frame)
        return heard

    def listen_until_cut(self, within_s: float = PATIENCE_S) -> None:
        """Listen until the port hangs up; raises TimeoutError if it does not."""
        until = time.monotonic() + within_s
        while time.monotonic() < until:
            try:
                self.listen(0.002)
            except OSError:
                return
        raise TimeoutError("the cable is whole")

    def close(self) -> None:
        """Close the port."""
        self._serial.close()
