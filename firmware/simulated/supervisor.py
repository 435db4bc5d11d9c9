"""CircuitPython's `supervisor`, as far as it is used."""

import simulation
from utime import ticks_us

_PERIOD = 1 << 29
_FIRST_OVERFLOW_MS = 1000  # a real one overflows after 65 s, and no test waits so long
_started_us = ticks_us()


class _Runtime:
    autoreload = True


runtime = _Runtime()


def ticks_ms(at_us=None):
    """Return milliseconds, as they are now or were at *at_us*, starting over from time to time."""
    since_us = (ticks_us() if at_us is None else at_us) - _started_us
    return (since_us // 1000 - _FIRST_OVERFLOW_MS) % _PERIOD


def set_usb_identification(manufacturer=None, product=None, vid=-1, pid=-1):
    """Tell the simulation."""
    simulation.tell(simulation.IDENTIFIED, f"{manufacturer}\n{product}".encode())
