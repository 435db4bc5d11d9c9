"""CircuitPython's `keypad`: contacts, scanned at an interval, and a queue that may overflow."""

import simulation
import supervisor
from utime import ticks_us


class Event:
    """What happened to a key."""

    def __init__(self, key_number=0, pressed=True, timestamp=0):
        self.key_number = key_number
        self.pressed = pressed
        self.released = not pressed
        self.timestamp = timestamp


class EventQueue:
    """What the scanner has seen."""

    def __init__(self, keys, room):
        self.overflowed = False
        self._keys = keys
        self._room = room
        self._events = []

    def get(self):
        """Return the oldest event, None if there is none."""
        self._keys.scan_until_now()
        return self._events.pop(0) if self._events else None

    def clear(self):
        """Forget all."""
        self._keys.scan_until_now()
        self._events.clear()
        self.overflowed = False

    def __len__(self):
        self._keys.scan_until_now()
        return len(self._events)

    def add(self, event):
        """Add an event if there is room."""
        if len(self._events) == self._room:
            self.overflowed = True
        else:
            self._events.append(event)


class Keys:
    """Contacts to ground; a change shorter than the interval may be missed, as by the real one."""

    def __init__(
        self,
        pins,
        *,
        value_when_pressed,
        pull=True,
        interval=0.020,
        max_events=64,
        debounce_threshold=1,
    ):
        if value_when_pressed or not pull or debounce_threshold != 1:
            raise NotImplementedError("this simulation has contacts to ground only, with pull-ups")
        for pin in pins:
            pin.take()
        self.key_count = len(pins)
        self._numbers = {pin.number: key for key, pin in enumerate(pins)}
        self._interval_us = int(interval * 1000000)
        simulation.pump()
        self._now = [pin.number in _grounded for pin in pins]
        self._scanned = [False] * len(pins)
        self._scanned_us = ticks_us()
        self.events = EventQueue(self, max_events)
        simulation.handlers[simulation.CONTACT] = self._change

    def reset(self):
        """Take all keys for open."""
        self.scan_until_now()
        self._scanned = [False] * self.key_count

    def scan_until_now(self):
        """Make up for the scans that were due since the last time."""
        simulation.pump()
        self._scan_until(ticks_us())

    def _scan_until(self, at_us):
        # Between two changes all scans after the first see the same.
        due_us = self._scanned_us + self._interval_us
        if at_us < due_us:
            return
        for key, pressed in enumerate(self._now):
            if pressed != self._scanned[key]:
                self._scanned[key] = pressed
                self.events.add(Event(key, pressed, supervisor.ticks_ms(due_us)))
        self._scanned_us += (at_us - self._scanned_us) // self._interval_us * self._interval_us

    def _change(self, content):
        self._scan_until(int.from_bytes(content[2:], "big"))
        key = self._numbers.get(content[0])
        if key is not None:
            self._now[key] = not content[1]
        _remember(content)


_grounded = set()


def _remember(content):
    if content[1]:
        _grounded.discard(content[0])
    else:
        _grounded.add(content[0])


simulation.handlers[simulation.CONTACT] = _remember
