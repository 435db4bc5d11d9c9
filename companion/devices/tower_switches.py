"""The tower's ball switches: connected to a tilt or, during calibration, to a recorder."""

import time
from collections.abc import Callable, Mapping
from threading import RLock

from hardware.contact import Contact
from hardware.facts import Troubled
from hardware.inputs import OnFact
from hardware.sensors import Sensors
from hardware.tilt import TiltFigures, TowerTilt
from hardware.tilt_calibration import EdgeRecorder


class Tower:
    """The tower's tilt, which can be put aside for its calibration.

    open_switches: opens the switches, by role; raises HardwareError.
    May be called from any thread.
    figures: what tells a fall from a knock; another value counts from the next `listen` on.
    on_fact: called with every fact, in a thread of its own.  clock: that of the switches.
    """

    def __init__(
        self,
        open_switches: Callable[[], Mapping[str, Contact]],
        figures: TiltFigures,
        on_fact: OnFact,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.figures = figures
        self._open_switches = open_switches
        self._on_fact = on_fact
        self._clock = clock
        self._lock = RLock()
        self._sensors: Sensors | None = None
        self._switches: Mapping[str, Contact] = {}

    def listen(self) -> None:
        """Report what the tower does from now on; raises HardwareError."""
        with self._lock:
            self._listen()

    def listen_anew(self) -> None:
        """Take the tower as it stands now, if it listens; raises HardwareError."""
        with self._lock:
            if self._sensors is not None:
                self._listen()

    def record(self) -> EdgeRecorder:
        """Return a recorder that receives the switches' edges instead; raises HardwareError.

        Their faults are withdrawn; they would be reported again once the tilt listens.
        """
        with self._lock:
            self.close()
            self._switches = self._open_switches()
            for device in ("tilt", *self._switches):
                self._on_fact(Troubled(device, "", time.monotonic()))
            return EdgeRecorder(tuple(self._switches.values()), self._clock)

    def close(self) -> None:
        """Let the switches go; may be called twice."""
        with self._lock:
            if self._sensors is not None:
                self._sensors.close()
                self._sensors = None
            for switch in self._switches.values():
                switch.close()
            self._switches = {}

    def _listen(self) -> None:
        self.close()
        self._switches = self._open_switches()
        tilt = TowerTilt(tuple(self._switches.values()), figures=self.figures)
        self._sensors = Sensors(tilt=tilt, on_fact=self._on_fact, clock=self._clock)
        self._sensors.start()
