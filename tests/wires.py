"""The far ends of the wires, for tests: buttons that bounce, a ball switch, an idol.

On the header these are gpiozero's mock pins, driven edge by edge, each with its time: what is
pressed or spun is handed over at once and lies in the near future, so that a busy machine changes
nothing of it.
"""

import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from random import Random
from typing import Any, Final

import pytest
from gpiozero.pins import mock
from gpiozero.pins.pi import PiPin

from hardware.fake_idol import LEVELS, Motion, spin_edges
from hardware.inputs import Edge
from hardware.pins import ROLES
from hardware.quadrature import EDGES
from tests.hardware import bounces

ROLE: Final = {role.name: role for role in ROLES}
TILTS: Final = tuple(role.header for role in ROLES if not role.active_low)
CALM_S: Final = 1.2
"""After so long without an edge a tower stands for sure, and an idol rests."""
HOLD_S: Final = 0.06
RATE: Final = 4.0
"""Revolutions a second of a spun idol."""
STEP_DEG: Final = 4.5
INDEX_DEG: Final = 45.5 * STEP_DEG
"""Where the encoder's index begins, half-way between two edges."""
FIRST_DEG: Final = 40.0
"""Where the first player sits, from where the idol pointed when the companion started."""
BOUNCE_S: Final = (0.0, 0.0004, 0.0011, 0.0019, 0.0031)

PINS: Final = 'board = "header"\nport = ""\nfactory = "lgpio"\n'
"""What the example's settings say of where the wires end."""


def wired(text: str, pins: str, *roles: str) -> str:
    """Return the config *text* with sensors and buttons on wires, which end as *pins* says."""
    for kind in ("sensors", "buttons"):
        text = text.replace(f'[{kind}]\nkind = "fake"', f'[{kind}]\nkind = "wired"')
    wires = "".join(f"{role} = true\n" for role in roles)
    return text.replace(PINS, f"{pins}{wires}")


class HeldPin(mock.MockPin):  # type: ignore[misc]  # gpiozero has no types
    """A pin that is held by what hangs on its wire: no resistor moves it."""

    def __init__(self, factory: Any, info: Any) -> None:
        super().__init__(factory, info)
        self._state = self.info.name not in {f"GPIO{number}" for number in TILTS}
        self._at_s = 0.0

    def put(self, level: bool, at_s: float) -> None:
        """Let the wire be at *level* from *at_s* on."""
        self._at_s = at_s
        self.drive_high() if level else self.drive_low()

    def _set_pull(self, value: str) -> None:
        self._pull = value

    def _call_when_changed(self) -> None:
        PiPin._call_when_changed(self, self._at_s, self._state)


class Bench(ABC):
    """All wires of one table and the hands that move what hangs on them.

    deg: where the idol points, in degrees clockwise from where it was at first, counted on.
    pins: what the settings say of where the wires end.
    """

    pins: str

    def __init__(self, seed: int = 1) -> None:
        self.deg = 2.0
        self._rng = Random(seed)
        self._calm_s: dict[str, float] = {}

    @abstractmethod
    def power_up(self) -> None:
        """Begin anew, as after a restart of the Pi: all wires stand as what hangs on them does."""

    @abstractmethod
    def drive(self, role: str, active: bool, at_s: float | None = None) -> None:
        """Let the wire of *role* be active or not from *at_s* on, now if None."""

    def wired(self, text: str, *roles: str) -> str:
        """Return the config *text* with sensors and buttons on these wires, one for each role."""
        return wired(text, self.pins, *roles)

    def press(self, role: str) -> None:
        """Press a button, bouncing both ways, after any other was let go.

        All are one device, whose edges come in the order of their times.
        """
        start_s = self._begin("buttons", 0.0)
        for edge, since_s in enumerate(BOUNCE_S):
            self.drive(role, edge % 2 == 0, start_s + since_s)
        for edge, since_s in enumerate(BOUNCE_S):
            self.drive(role, edge % 2 == 1, start_s + HOLD_S + since_s)
        self._calm_s["buttons"] = start_s + 2 * HOLD_S

    def shake(self, pattern: bounces.Pattern, late_s: float = 0.0) -> None:
        """Let the first ball switch say what *pattern* has, beginning *late_s* ago."""
        self._play("tilt", ["tilt_0"], pattern.edges, late_s)

    def knock(self) -> None:
        """Knock the table."""
        self.shake(bounces.knock(self._rng, 1))

    def sway(self) -> None:
        """Let the tower wobble or lean, and come back."""
        self.shake(bounces.unease(self._rng, 1))

    def topple(self) -> None:
        """Topple the tower; it lies until it is set up."""
        self.shake(bounces.fall(self._rng, 1))

    def set_up(self) -> None:
        """Set the tower up again."""
        self._play("tilt", ["tilt_0"], [Edge(0, False, 0.0)])

    def turn(self, turns: float, rate: float = RATE) -> None:
        """Turn the idol, anticlockwise if negative."""
        motion = Motion(abs(turns), rate)
        edges = spin_edges(self.deg, motion, 20, clockwise=turns > 0, index_deg=INDEX_DEG)
        self._play("idol", ["idol_a", "idol_b", "idol_index"], edges)
        self.deg += turns * 360

    def spin_to(self, deg: float, turns: float) -> None:
        """Spin it by *turns* at least, anticlockwise if negative, until it points at *deg*."""
        way = 1 if turns > 0 else -1
        on = (deg - self.deg) * way % 360 / 360
        self.turn(way * (int(abs(turns)) + on))

    def spin(self, deg: float, turns: float) -> None:
        """Spin it to *deg* from the first player; less than one turn ends where it ends."""
        if abs(turns) < 1:
            self.turn(turns)
        else:
            self.spin_to(FIRST_DEG + deg, turns)

    def act(self, words: str) -> bool:
        """Do what *words* of an evening say, all but spins; return whether the game hears of it."""
        match words.split():
            case ["knock"]:
                self.knock()
            case ["wobble" | "lean"]:
                self.sway()
            case ["still"]:
                pass
            case ["press", *role]:
                self.press("_".join(role))
                return True
            case ["topple"]:
                self.topple()
                return True
            case _:
                raise AssertionError(words)
        return False

    def point_at(self, deg: float) -> None:
        """Turn it by hand to *deg*, and wait until it rests."""
        way = (deg - self.deg + 180) % 360 - 180
        if way:
            self.turn(way / 360, rate=1.0)
        self.wait("idol")

    def wait(self, device: str) -> None:
        """Return when *device*, "buttons", "tilt" or "idol", is calm."""
        time.sleep(max(0.0, self._calm_s.get(device, 0.0) - time.monotonic()))

    def _begin(self, device: str, late_s: float) -> float:
        self.wait(device)
        return time.monotonic() - late_s

    def _play(
        self, device: str, roles: Sequence[str], edges: Iterable[Edge], late_s: float = 0.0
    ) -> None:
        start_s = at_s = self._begin(device, late_s)
        for contact, active, since_s in edges:
            at_s = start_s + since_s
            self.drive(roles[contact], active, at_s)
        self._calm_s[device] = at_s + CALM_S


class HeaderBench(Bench):
    """A bench on gpiozero's mock pins, its edges told at once with the times they will have."""

    pins = 'board = "header"\nfactory = "mock"\n'

    def __init__(self, seed: int = 1) -> None:
        super().__init__(seed)
        self.factory = mock.MockFactory(pin_class=HeldPin)

    @classmethod
    def built(cls, monkeypatch: pytest.MonkeyPatch) -> "HeaderBench":
        """Return a bench on which every `factory = "mock"` ends."""
        bench = cls()
        monkeypatch.setattr(mock, "MockFactory", lambda: bench.factory)
        bench.power_up()
        return bench

    def power_up(self) -> None:
        """Begin anew, as after a restart: all wires stand as what hangs on them does."""
        self.factory.reset()
        step = int(self.deg // STEP_DEG)
        for role, active in zip(("idol_a", "idol_b"), LEVELS[step % EDGES], strict=True):
            self.drive(role, active, 0.0)

    def drive(self, role: str, active: bool, at_s: float | None = None) -> None:
        """Let the wire of *role* be active or not from *at_s* on, now if None."""
        pin = self.factory.pin(ROLE[role].header)
        pin.put(active != ROLE[role].active_low, time.monotonic() if at_s is None else at_s)
