"""What a camera is held at: exposure, gain, white balance and focus do not follow the table.

Colours are learned from one picture; a camera that adapts to an arm over the table would show
others afterwards.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

Controls: TypeAlias = Mapping[str, float | tuple[float, ...]]
"""Values by the device's own names, such as ExposureTime in microseconds."""

TOLERANCE: Final = 0.05
"""A sensor exposes whole lines and has steps of gain: it takes a value up to so much beside it."""
ADAPTING: Final = ("exposure", "white_balance_k")
"""What every camera adapts, so that one without a switch for it does so for ever."""


@dataclass(frozen=True, slots=True)
class Lock:
    """How a camera is held.

    controls: the values, empty if the camera has none that can be held.
    refused: the names of those that the camera does not hold.
    """

    controls: Controls = field(default_factory=dict)
    refused: tuple[str, ...] = ()

    @property
    def trouble(self) -> str:
        """What is not held, with the remedy; "" if all is."""
        if not self.refused:
            return ""
        return (
            f"the camera keeps adjusting its {', '.join(map(plain_name, self.refused))}: colours"
            " may drift when the light changes; turn its automatic settings off, or"
            " calibrate again if readings are refused"
        )


def parse_controls(said: Mapping[str, Any]) -> Controls:
    """Return controls that were written as JSON; raises ValueError."""
    controls = {
        name: tuple(value) if isinstance(value, list) else value for name, value in said.items()
    }
    for name, value in controls.items():
        if not all(isinstance(each, int | float) for each in _values(value)):
            raise ValueError(f"{name} is {value!r}; it must be a number or several")
    return controls


def plain_name(control: str) -> str:
    """Return what people call a control.

    >>> plain_name("ColourGains"), plain_name("Sharpness")
    ('white balance', 'Sharpness')
    """
    return _PLAIN.get(control, control)


def differing(wanted: Controls, reported: Controls) -> tuple[str, ...]:
    """Return the names of *wanted* that *reported* lacks, or has at another value.

    >>> differing({"ExposureTime": 20_000, "ColourGains": (1.5, 2.0)},
    ...           {"ExposureTime": 19_989, "ColourGains": (1.5, 1.2)})
    ('ColourGains',)
    """
    return tuple(
        name
        for name, value in wanted.items()
        if name not in reported or not _agree(value, reported[name])
    )


def _agree(one: float | tuple[float, ...], other: float | tuple[float, ...]) -> bool:
    ones, others = _values(one), _values(other)
    return len(ones) == len(others) and all(
        abs(a - b) <= TOLERANCE * max(abs(a), abs(b), SMALLEST)
        for a, b in zip(ones, others, strict=True)
    )


def _values(value: float | tuple[float, ...]) -> tuple[float, ...]:
    return value if isinstance(value, tuple) else (value,)


SMALLEST: Final = 0.1
"""Values below this are compared as if they were as large: a lens at infinity reports 0 or so."""
_PLAIN: Final = {
    "ExposureTime": "exposure",
    "AnalogueGain": "gain",
    "ColourGains": "white balance",
    "LensPosition": "focus",
    "exposure": "exposure",
    "gain": "gain",
    "white_balance_k": "white balance",
    "focus": "focus",
}
