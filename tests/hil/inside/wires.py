"""The far ends of the wires, on gpio-sim's lines or a Pico's pins: each edge at its own time."""

import time
from pathlib import Path
from typing import Final

from hardware.fake_idol import LEVELS
from hardware.pico.simulation import SimulatedPico
from tests.wires import ROLE, STEP_DEG, Bench

DEVICES: Final = Path("/dev")
SIMULATED: Final = Path("/sys/kernel/config/gpio-sim")
LINES: Final = Path("/sys/devices/platform")
RATE: Final = 0.5
"""Revolutions a second of a spun idol.  The kernel keeps 16 edges of a wire for who reads late: at
20 a second that is 0.8 s, for which a busy computer may let this machine stand still."""
HASTE_S: Final = 0.004


def lines(name: str = "pi") -> Path:
    """Return the folder of the lines of gpio-sim's chip of this name."""
    device, chip = (
        (SIMULATED / name / each).read_text().strip() for each in ("dev_name", "bank0/chip_name")
    )
    return LINES / device / chip


def wait_until(due_s: float) -> None:
    """Return at *due_s*: who sleeps through a bounce may wake up when it should be over."""
    time.sleep(max(0.0, due_s - HASTE_S - time.monotonic()))
    while time.monotonic() < due_s:
        pass


class KernelBench(Bench):
    """All wires of one table, on the kernel's lines."""

    pins = 'board = "header"\nfactory = "lgpio"\n'

    def __init__(self, seed: int = 1) -> None:
        super().__init__(seed)
        self._folder = lines()
        self._cut: set[str] = set()
        self._late_s = 0.0
        self.power_up()

    def power_up(self) -> None:
        """Let the tower stand, and the idol's wires be where it points."""
        self.drive("tilt_0", False)
        step = int(self.deg // STEP_DEG) % len(LEVELS)
        for role, active in zip(("idol_a", "idol_b"), LEVELS[step], strict=True):
            self.drive(role, active)

    def drive(self, role: str, active: bool, at_s: float | None = None) -> None:
        """Let the wire of *role* be active or not, at the time *at_s*."""
        if at_s is not None:
            due_s = at_s + self._late_s
            late_s = time.monotonic() - due_s
            wait_until(due_s)
            if role.startswith("idol"):
                self._late_s += max(0.0, late_s)
        if role not in self._cut:
            is_high = active != ROLE[role].active_low
            self._pull(role).write_text("pull-up" if is_high else "pull-down")

    def turn(self, turns: float, rate: float = RATE) -> None:
        """Turn the idol, anticlockwise if negative.

        Where this machine is late, all that follows is: a mass that turns never catches up.
        """
        self._late_s = 0.0
        super().turn(turns, min(rate, RATE))
        self._calm_s["idol"] += self._late_s
        self._late_s = 0.0

    def cut(self, role: str) -> None:
        """Cut the wire of *role*: from now on it is as its resistor has it."""
        self.drive(role, not ROLE[role].active_low)
        self._cut.add(role)

    def _pull(self, role: str) -> Path:
        return self._folder / f"sim_gpio{ROLE[role].header}" / "pull"


class PicoBench(Bench):
    """The wires of a simulated Pico's switches and buttons."""

    pins = 'board = "pico"\n'

    def __init__(self, pico: SimulatedPico, seed: int = 1) -> None:
        super().__init__(seed)
        self._pico = pico
        self.power_up()

    def power_up(self) -> None:
        """Let the tower stand."""
        self.drive("tilt_0", False)

    def drive(self, role: str, active: bool, at_s: float | None = None) -> None:
        """Let the wire of *role* be active or not, at the time *at_s*."""
        if at_s is not None:
            wait_until(at_s)
        number = ROLE[role].pico
        assert number is not None
        is_closed = active == ROLE[role].active_low
        (self._pico.close_contact if is_closed else self._pico.open_contact)(number)
