"""Zones: which lights of one strip stand beside the line, the seats, the idol and the tower.

Scenes speak of zones and never of light numbers; here, and only here, one becomes the other.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

from hardware.device import BadValue
from hardware.lights import DARK, Strip

ZoneName: TypeAlias = Literal["slots", "seats", "idol", "tower"]
ZONES: Final[tuple[ZoneName, ...]] = get_args(ZoneName)
_WRITTEN: Final = re.compile(r"(\d{1,5})(?:-(\d{1,5}))?")


class BadZone(BadValue):
    """A zone that the strip does not have, or that another zone has already."""


@dataclass(frozen=True, slots=True)
class Zone:
    """A run of lights, in the order in which they mean something.

    first: the number on the strip of the zone's first light.  count: how many lights.
    backwards: the zone runs against the strip, from *first* down.
    """

    first: int
    count: int
    backwards: bool = False

    @property
    def numbers(self) -> range:
        """The numbers on the strip, in the zone's own order."""
        step = -1 if self.backwards else 1
        return range(self.first, self.first + step * self.count, step)


def parse_zone(text: str) -> Zone | None:
    """Return the zone that *text* gives, None for no text; raises BadZone.

    >>> parse_zone("0-8")
    Zone(first=0, count=9, backwards=False)
    >>> parse_zone("20-9")
    Zone(first=20, count=12, backwards=True)
    """
    if not text:
        return None
    written = _WRITTEN.fullmatch(text)
    if not written:
        raise BadZone(f"'{text}' is not a run of lights; write first and last, as in '0-8'")
    first, last = int(written[1]), int(written[2] or written[1])
    return Zone(first, abs(last - first) + 1, last < first)


@dataclass(frozen=True, slots=True)
class Zones:
    """The zones of one strip; None where the strip has no lights for it.

    slots: beside the line or the board, the far end first.  seats: round the table in the order of
        play, as many for each seat.  idol: a ring, clockwise seen from above.  tower: from its top
        down.
    idol_deg: where the ring's first light is, in degrees clockwise from the idol's zero.
    """

    slots: Zone | None = Zone(0, 9)
    seats: Zone | None = None
    idol: Zone | None = None
    tower: Zone | None = None
    idol_deg: float = 0.0

    @property
    def sizes(self) -> dict[ZoneName, int]:
        """How many lights each zone has; zones without lights are left out."""
        return {name: len(numbers) for name, numbers in self._numbers().items()}

    def check(self, lights: int) -> None:
        """Raise BadZone unless all zones lie on a strip of *lights* and none lies on another."""
        owner: dict[int, ZoneName] = {}
        for name, numbers in self._numbers().items():
            for number in numbers:
                if not 0 <= number < lights:
                    raise BadZone(
                        f"lights.{name} has light {number}, but the strip has {lights},"
                        f" 0 to {lights - 1}; shorten the zone or raise lights.lights"
                    )
                if owner.setdefault(number, name) != name:
                    raise BadZone(
                        f"light {number} is in lights.{owner[number]} and in lights.{name};"
                        " give each light to one zone"
                    )

    def lay_out(self, zones: Mapping[ZoneName, Strip], lights: int) -> Strip:
        """Return the strip of *lights* on which each zone shows its colours; the rest is dark."""
        strip = [DARK] * lights
        for name, numbers in self._numbers().items():
            for number, colour in zip(numbers, zones.get(name, ()), strict=False):
                strip[number] = colour
        return tuple(strip)

    def read(self, name: ZoneName, strip: Strip) -> Strip:
        """Return what zone *name* shows on *strip*, in the zone's own order."""
        return tuple(strip[number] for number in self._numbers().get(name, ()))

    def _numbers(self) -> dict[ZoneName, range]:
        zones = ((name, getattr(self, name)) for name in ZONES)
        return {name: zone.numbers for name, zone in zones if zone is not None}
