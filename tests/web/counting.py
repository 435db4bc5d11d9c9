"""A lesson that only counts, and refuses its third step."""

from dataclasses import dataclass, field

from companion.devices.calibration import Press, Step
from hardware.device import HardwareError


@dataclass
class Counting:
    """A lesson that only counts; its third step is refused.

    pressed: what was pressed.
    """

    title: str = "To count"
    device: str = "the counter"
    pressed: list[str] = field(default_factory=list)

    @property
    def step(self) -> Step:
        """How far it has come."""
        number = len(self.pressed)
        presses = (Press(f"count {number}", f"Say {number}"), Press("stop", "Stop"))
        return Step(f"Step {number}", presses, "is being taught to count")

    def press(self, name: str) -> None:
        """Count on."""
        if len(self.pressed) == 2:
            raise HardwareError("three is too many; stop there")
        self.pressed.append(name)

    def close(self) -> None:
        """Do nothing."""
