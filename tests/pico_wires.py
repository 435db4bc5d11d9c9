"""The far ends of a Pico's wires, for tests: what the hands do happens as long as it takes."""

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from hardware.fake_idol import Motion, spin_edges
from hardware.inputs import Edge
from hardware.pico.simulation import SimulatedPico
from tests.hardware.picos import simulated_pico
from tests.wires import CALM_S, RATE, ROLE, Bench


class PicoBench(Bench):
    """A bench on a simulated Pico, whose own clock tells when something happened."""

    def __init__(self, pico: SimulatedPico, seed: int = 1) -> None:
        super().__init__(seed)
        self.pico = pico
        self.pins = f'board = "pico"\nport = "{pico.port}"\n'
        for role in ROLE.values():
            if not role.active_low:
                self.drive(role.name, False)

    @classmethod
    @contextmanager
    def built(cls) -> Iterator["PicoBench"]:
        """Yield a bench on a Pico of its own."""
        with simulated_pico() as pico:
            yield cls(pico)

    def power_up(self) -> None:
        """Begin anew: the Pico has kept its power, and its wires have not moved."""

    def drive(self, role: str, active: bool, at_s: float | None = None) -> None:
        """Let the wire of *role* be active or not from *at_s* on, which is waited for."""
        number = ROLE[role].pico
        assert number is not None
        if at_s is not None:
            _wait_until(at_s)
        closed = active == ROLE[role].active_low
        (self.pico.close_contact if closed else self.pico.open_contact)(number)

    def turn(self, turns: float, rate: float = RATE) -> None:
        """Turn the idol, anticlockwise if negative, step by step."""
        edges = spin_edges(self.deg, Motion(abs(turns), rate), 20, clockwise=turns > 0)
        start_s = at_s = self._begin("idol", 0.0)
        for _, _, since_s in edges:
            at_s = start_s + since_s
            _wait_until(at_s)
            self.pico.turn(1 if turns > 0 else -1)
        self._calm_s["idol"] = at_s + CALM_S
        self.deg += turns * 360

    def _play(
        self, device: str, roles: Sequence[str], edges: Iterable[Edge], late_s: float = 0.0
    ) -> None:
        assert not late_s, "on a Pico nothing can be told to have happened before"
        super()._play(device, roles, edges)


def _wait_until(at_s: float) -> None:
    time.sleep(max(0.0, at_s - time.monotonic()))
