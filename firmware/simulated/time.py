"""CircuitPython's `time` in MicroPython's terms."""

from utime import sleep, ticks_us

_started_us = ticks_us()


def monotonic_ns():
    """Return nanoseconds since the start."""
    return (ticks_us() - _started_us) * 1000


def monotonic():
    """Return seconds since the start."""
    return (ticks_us() - _started_us) / 1000000
