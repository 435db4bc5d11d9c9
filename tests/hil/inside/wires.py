"""The far ends of the header's wires on gpio-sim's lines: each edge is made at its own time."""

import threading
import time
from pathlib import Path
from typing import Final

from hardware.fake_idol import LEVELS
from tests.wires import ROLE, STEP_DEG, Bench

LINES: Final = Path("/sys/devices/platform")
RATE: Final = 1.5
"""Revolutions a second of a spun idol: 120 edges a second are made by this machine in time."""
HELD: Final = ("tilt_0", "idol_a", "idol_b")
"""Wires that something always holds: against a switch that is closed no resistor counts."""
LOOK_S: Final = 0.005


def lines() -> Path:
    """Return the folder of gpio-sim's lines."""
    return next(LINES.glob("gpio-sim.*/gpiochip*"))


class KernelBench(Bench):
    """All wires of one table, on the kernel's lines.

    gpio-sim has one pull a line, and sets it anew when a program asks for a resistor; what is held
    is therefore put back at once.
    """

    def __init__(self, seed: int = 1) -> None:
        super().__init__(seed)
        self._folder = lines()
        self._levels: dict[str, bool] = {}
        self._cut: set[str] = set()
        self._moving = threading.Lock()
        self._closed = threading.Event()
        self._holder = threading.Thread(target=self._hold, daemon=True)
        self.power_up()
        self._holder.start()

    def power_up(self) -> None:
        """Let the tower stand, and the idol's wires be where it points."""
        self.drive("tilt_0", False)
        step = int(self.deg // STEP_DEG) % len(LEVELS)
        for role, active in zip(("idol_a", "idol_b"), LEVELS[step], strict=True):
            self.drive(role, active)

    def drive(self, role: str, active: bool, at_s: float | None = None) -> None:
        """Let the wire of *role* be active or not, at the time *at_s*."""
        if at_s is not None:
            time.sleep(max(0.0, at_s - time.monotonic()))
        with self._moving:
            self._levels[role] = active != ROLE[role].active_low
            if role not in self._cut:
                self._put(role)

    def turn(self, turns: float, rate: float = RATE) -> None:
        """Turn the idol, anticlockwise if negative."""
        super().turn(turns, min(rate, RATE))

    def cut(self, role: str) -> None:
        """Cut the wire of *role*: from now on only its resistor says how it stands."""
        self._cut.add(role)

    def close(self) -> None:
        """Let go of the wires."""
        self._closed.set()
        self._holder.join()

    def _line(self, role: str) -> Path:
        return self._folder / f"sim_gpio{ROLE[role].header}"

    def _put(self, role: str) -> None:
        pull = "pull-up" if self._levels[role] else "pull-down"
        (self._line(role) / "pull").write_text(pull)

    def _hold(self) -> None:
        while not self._closed.wait(LOOK_S):
            with self._moving:
                for role in HELD:
                    level = (self._line(role) / "value").read_text().strip() == "1"
                    if level != self._levels[role] and role not in self._cut:
                        self._put(role)
