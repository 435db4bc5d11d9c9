"""All sensors of one table, and the one thread that turns their edges into facts."""

import logging
import time
from collections.abc import Callable
from contextlib import ExitStack
from threading import Event, Thread
from typing import Any, Final, Self, TypeAlias

from hardware.device import Closeable, HardwareError
from hardware.facts import Fact, Troubled
from hardware.inputs import InputDevice, OnFact

TICK_S: Final = 0.01
"""The shortest time between two queries of the devices; a flood of edges is judged in batches."""
GLANCE_S: Final = 1.0
"""The longest: a wire whose last edge was lost is set right by then."""

Sensor: TypeAlias = InputDevice[Any]
_log: Final = logging.getLogger(__name__)


class Sensors(Closeable):
    """The buttons, the tower's tilt and the idol; any of them may be missing.

    on_fact: called with every fact, in the thread that `start` starts, one at a time; it should
        only enqueue.  If it fails, that is logged, and the next fact is still reported.
    A device whose judging fails is reported once by a `Troubled`, and again when it works; the
    others are unaffected.  While nothing happens the thread looks once a second.
    A context manager: entering starts, leaving closes.
    """

    def __init__(
        self,
        buttons: Sensor | None = None,
        tilt: Sensor | None = None,
        idol: Sensor | None = None,
        *,
        on_fact: OnFact,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.buttons = buttons
        self.tilt = tilt
        self.idol = idol
        self._devices = tuple(each for each in (buttons, tilt, idol) if each is not None)
        self._on_fact = on_fact
        self._clock = clock
        self._failing: set[str] = set()
        self._stirred = Event()
        self._closing = Event()
        self._thread: Thread | None = None
        for device in self._devices:
            device.on_fact = self._report
            device.woken = self._stirred.set

    def start(self) -> None:
        """Begin to listen; raises HardwareError if it was started already."""
        if self._thread is not None:
            raise HardwareError("these sensors are already listening; close them and make new ones")
        self._thread = Thread(target=self._listen, name="sensors", daemon=True)
        self._thread.start()

    def attend(self, now_s: float) -> float:
        """Attend once to every device, as of *now_s*; return when to do so again."""
        next_s = now_s + GLANCE_S
        for device in self._devices:
            due_s = self._attend(device, now_s)
            if due_s is not None:
                next_s = min(next_s, due_s)
        return max(next_s, now_s + TICK_S)

    def close(self) -> None:
        """Stop listening and let all contacts go; may be called twice."""
        self._closing.set()
        self._stirred.set()
        if self._thread is not None:
            self._thread.join()
        with ExitStack() as closing:
            for device in self._devices:
                closing.callback(device.close)

    def __enter__(self) -> Self:
        self.start()
        return self

    def _listen(self) -> None:
        while not self._closing.is_set():
            self._stirred.clear()
            wait_s = self.attend(self._clock()) - self._clock()
            self._closing.wait(TICK_S)
            self._stirred.wait(max(wait_s - TICK_S, 0.0))

    def _attend(self, device: Sensor, now_s: float) -> float | None:
        try:
            device.attend(now_s)
            due_s = device.next_due_s
        except Exception as error:  # noqa: BLE001 - one broken device must not silence the others
            if device.name not in self._failing:
                self._failing.add(device.name)
                trouble = f"fails: {error}; check its wires, or restart the companion"
                self._report(Troubled(device.name, trouble, now_s))
            return now_s + GLANCE_S
        if device.name in self._failing:
            self._failing.remove(device.name)
            self._report(Troubled(device.name, "", now_s))
        return due_s

    def _report(self, fact: Fact) -> None:
        try:
            self._on_fact(fact)
        except Exception as error:  # noqa: BLE001 - a listener's fault must not cost the next fact
            _log.error("a listener failed on %s: %s", fact, error)
