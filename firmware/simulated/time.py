"""CircuitPython's `time` in MicroPython's terms."""

import utime

sleep = utime.sleep
_started_us = utime.ticks_us()


def monotonic_ns():
    """Return nanoseconds since the start."""
    return (utime.ticks_us() - _started_us) * 1000


def monotonic():
    """Return seconds since the start."""
    return (utime.ticks_us() - _started_us) / 1000000
