"""The Pico's clock: microseconds since its start."""

import time

import supervisor

_TICKS = 1 << 29


def now_us() -> int:
    """Return the time now."""
    return time.monotonic_ns() // 1000


def when_us(ticks: int) -> int:
    """Return when it was *ticks*, by the millisecond clock of `supervisor`, which starts over."""
    age_ms = (supervisor.ticks_ms() - ticks) % _TICKS
    return max(0, now_us() - age_ms * 1000)
