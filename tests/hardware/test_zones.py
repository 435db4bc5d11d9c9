"""Zones: from where a light stands to its number on the strip, and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.config import BadConfig, parse_config
from hardware.device import BadValue
from hardware.lights import DARK
from hardware.neopixels import StripConfig
from hardware.zones import BadZone, Zone, Zones, parse_zone

RED, BLUE = (9, 0, 0), (0, 0, 9)


def test_a_zone_is_laid_where_it_stands() -> None:
    """Forwards, backwards, and dark in between."""
    zones = Zones(slots=Zone(0, 2), tower=Zone(5, 3, backwards=True))
    strip = zones.lay_out({"slots": (RED, BLUE), "tower": (RED, BLUE, BLUE)}, 7)
    assert strip == (RED, BLUE, DARK, BLUE, BLUE, RED, DARK)


@given(st.integers(0, 30), st.integers(1, 30), st.booleans())
def test_what_is_laid_out_is_read_back(first: int, count: int, backwards: bool) -> None:
    """A zone reads its own colours in its own order."""
    zone = Zone(first + count - 1 if backwards else first, count, backwards)
    colours = tuple((place, 0, 1) for place in range(count))
    zones = Zones(slots=None, idol=zone)
    zones.check(first + count)
    assert zones.read("idol", zones.lay_out({"idol": colours}, first + count)) == colours
    assert zones.sizes == {"idol": count}


@given(st.integers(0, 99), st.integers(0, 99))
def test_a_written_zone_has_its_ends(first: int, last: int) -> None:
    """First and last are written, and both are in the zone."""
    zone = parse_zone(f"{first}-{last}")
    assert zone is not None
    assert (zone.numbers[0], zone.numbers[-1]) == (first, last)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"slots": "0-9"}, "lights.slots has light 9, but the strip has 9, 0 to 8; shorten"),
        (
            {"lights": 20, "tower": "8-12"},
            "light 8 is in lights.slots and in lights.tower; give each light to one zone",
        ),
        ({"slots": "zero"}, "'zero' is not a run of lights; write first and last, as in '0-8'"),
        ({"slots": "-1-3"}, "is not a run of lights"),
        ({"pin": 40}, "lights.pin is 40; the header has GPIO 0 to 27, a Pico GP0"),
        ({"brightness": 3.0}, "lights.brightness is 3.0; it must be a number from 0 to 1"),
        (
            {"lights": 0, "slots": ""},
            "lights.lights is 0; it must be a whole number from 1 to 1000",
        ),
        (
            {"lights": 60, "budget_ma": 50.0},
            "lights.budget_ma is 50, but 60 dark lights draw 60 mA already",
        ),
    ],
)
def test_a_strip_that_cannot_be_is_named(settings: dict[str, object], said: str) -> None:
    """One line: the key, what was given, what would be right."""
    with pytest.raises(BadConfig, match=said.replace(".", r"\.")) as caught:
        parse_config({"lights": settings})
    assert "\n" not in str(caught.value)


def test_a_zone_may_be_left_out() -> None:
    """No text is no zone, and nothing is shown for it."""
    zones = StripConfig(slots="").zones
    assert zones == Zones(slots=None)
    assert zones.lay_out({"slots": (RED,)}, 2) == (DARK, DARK)
    assert zones.read("slots", (RED, RED)) == ()


def test_a_zone_error_is_a_bad_value() -> None:
    """Whoever reads the settings has one kind of error to expect."""
    assert issubclass(BadZone, BadValue)
