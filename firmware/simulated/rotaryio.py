"""CircuitPython's `rotaryio`: counts the steps that the simulation makes."""

import simulation


class IncrementalEncoder:
    """An encoder at two neighbouring pins."""

    def __init__(self, pin_a, pin_b, divisor=4):
        if abs(pin_a.number - pin_b.number) != 1:
            raise RuntimeError("Pins must be sequential")
        pin_a.take()
        pin_b.take()
        self._divisor = divisor
        self._steps = 0
        simulation.handlers[simulation.TURNED] = self._turn

    @property
    def position(self):
        """What it has counted."""
        simulation.pump()
        return self._steps // self._divisor

    def _turn(self, content):
        steps = int.from_bytes(content, "big")
        self._steps += steps - (1 << 32) if steps >> 31 else steps
