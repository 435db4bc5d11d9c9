"""The idol's zero by the Pico's own count: it holds while the Pico keeps its power."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Self

from hardware.idol import IdolSpinner
from hardware.pico.link import PicoLink
from hardware.sectors import TURN_DEG

MOVED: Final = "the idol moved while its zero was taken up"


@dataclass(frozen=True, slots=True)
class PicoZero:
    """Where the idol points, for each position that a Pico counts.

    boot: the start of the Pico since which it has counted.  step_deg: of the encoder.
    zero_deg: where the idol pointed at position 0.
    """

    boot: str
    step_deg: float
    zero_deg: float

    def to_json(self) -> dict[str, object]:
        """Return what `from_json` reads."""
        return {"boot": self.boot, "step_deg": self.step_deg, "zero_deg": self.zero_deg}

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> Self:
        """Return what was kept; raises KeyError, TypeError or ValueError."""
        return cls(str(found["boot"]), float(found["step_deg"]), float(found["zero_deg"]))


def read_zero(link: PicoLink, idol: IdolSpinner, known: PicoZero | None) -> PicoZero | None:
    """Return the zero as it is now, None if nobody knows it.

    It is *known* until it is found to be another: while the idol turns, or the Pico is away,
    nothing is found.
    """
    hello, position = link.hello, link.position
    if hello is None or position is None:
        return known
    if not idol.located:
        return None if known and known.boot == hello.boot else known
    if not idol.at_rest:
        return known
    angle_deg = idol.value
    if link.position != position:
        return known
    found = PicoZero(hello.boot, idol.step_deg, (angle_deg - position * idol.step_deg) % TURN_DEG)
    return known if known and _agree(known, found) else found


def take_up_zero(link: PicoLink, idol: IdolSpinner, known: PicoZero) -> None:
    """Let *idol* point where it does by what is *known*, if the Pico has counted on since."""
    hello, position = link.hello, link.position
    if hello is None or position is None or not idol.at_rest or idol.located:
        return
    if (hello.boot, idol.step_deg) != (known.boot, known.step_deg):
        return
    idol.correct((known.zero_deg + position * known.step_deg) % TURN_DEG)
    if link.position != position:
        idol.lose_zero(MOVED)


def _agree(one: PicoZero, other: PicoZero) -> bool:
    off_deg = (one.zero_deg - other.zero_deg + TURN_DEG / 2) % TURN_DEG - TURN_DEG / 2
    return one.boot == other.boot and abs(off_deg) < other.step_deg / 2
