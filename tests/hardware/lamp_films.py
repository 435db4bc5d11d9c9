"""What lamps show over some beats, without its colour."""

from typing import Any

from companion.scenes.light_patterns import light_zones
from companion.scoreboard import Scoreboard
from hardware.lights import DARK, Strip
from hardware.zones import Zone, ZoneName, Zones
from tests.hardware.colour_vision import luminance

BEATS = 8  # in which every pattern has shown what it is
BRIGHT_FROM = 0.08  # of white; dim lights stay below, bright ones are above
SIZES: list[tuple[ZoneName, int]] = [
    ("slots", 9),
    ("slots", 4),
    ("seats", 4),
    ("seats", 12),
    ("idol", 12),
    ("idol", 24),
    ("tower", 4),
    ("tower", 8),
]
Film = tuple[tuple[int, ...], ...]


def shown(board: Scoreboard, name: ZoneName, count: int, beat: int = 0) -> Strip:
    """Return what a strip shows that has this zone only."""
    alone: dict[str, Any] = {"slots": None, name: Zone(0, count)}
    zones = Zones(**alone)
    return light_zones(board, zones, beat)[name]


def without_colour(strip: Strip) -> tuple[int, ...]:
    """Return for each light whether it is dark, dim or bright, its colour removed."""
    return tuple(
        0 if colour == DARK else 2 if luminance(colour) >= BRIGHT_FROM else 1 for colour in strip
    )


def film(board: Scoreboard, name: ZoneName, count: int) -> Film:
    """Return a zone's lights over all beats, without colour."""
    return tuple(without_colour(shown(board, name, count, beat)) for beat in range(BEATS))


def assert_told_apart(films: dict[str, Film]) -> None:
    """Fail if two of *films* are the same."""
    seen: dict[Film, str] = {}
    for name, each in films.items():
        twin = seen.setdefault(each, name)
        assert twin == name, f"{name} looks like {twin} without its colour"
