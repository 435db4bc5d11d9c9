"""NeoPixels: Adafruit's real library, its bytes on the wire, and its words where it cannot run."""

import os
import subprocess
import sys

import pytest

from hardware.lights import DARK
from hardware.neopixels import NoLights, StripConfig, explain_for
from tests.hardware.recorders import Record, make_strip, wire_bytes

NEOPIXEL = StripConfig(kind="neopixel")
RAINBOW = tuple((28 * place, 255 - 28 * place, place) for place in range(9))
DIM_RAINBOW = tuple((red // 4, green // 4, blue) for red, green, blue in RAINBOW)


def test_the_wire_carries_green_red_blue() -> None:
    """Every light's levels in the order of a WS2812, and darkness at the end."""
    wire = Record()
    with make_strip(wire) as strip:
        strip.value = DIM_RAINBOW
        wire.wait_for(lambda heard: wire_bytes(DIM_RAINBOW) in heard)
    assert wire.heard[-1] == bytes(27)
    assert wire_bytes(((1, 2, 3),)) == b"\x02\x01\x03"


@pytest.mark.parametrize(
    ("order", "sent"),
    [
        ("GRB", "1e 0a 05  28 28 28"),
        ("RGB", "0a 1e 05  28 28 28"),
        ("BRG", "05 0a 1e  28 28 28"),
        ("RBG", "0a 05 1e  28 28 28"),
        ("GBR", "1e 05 0a  28 28 28"),
        ("BGR", "05 1e 0a  28 28 28"),
        ("GRBW", "1e 0a 05 00  00 00 00 28"),
        ("WRGB", "00 0a 1e 05  28 00 00 00"),
    ],
)
def test_the_wire_has_the_colours_in_the_lights_order(order: str, sent: str) -> None:
    """Lights with a white of their own show white with that alone."""
    wire = Record()
    config = StripConfig(kind="neopixel", lights=2, slots="0-1", order=order)
    with make_strip(wire, config) as strip:
        strip.value = ((10, 30, 5), (40, 40, 40))
        wire.wait_for(lambda heard: bytes.fromhex(sent) in heard)
    assert wire.heard[-1] == bytes(2 * len(order))


@pytest.mark.parametrize("order", ["", "grb", "RGG", "RG", "RGBP", "GRBWW", "rainbow"])
def test_a_wrong_order_is_refused_with_what_would_be_right(order: str) -> None:
    """In one line."""
    with pytest.raises(NoLights) as refused:
        StripConfig(order=order)
    assert str(refused.value) == (
        f"lights.order is '{order}'; it must be 'GRB', 'RGB', 'BRG', 'RBG', 'GBR' or 'BGR', with a"
        " W added where the lights have a white of their own: 'GRBW'"
    )


def test_brightness_dims_the_wire() -> None:
    """Half brightness is half of every level, which is what the budget counts with."""
    wire = Record()
    config = StripConfig(kind="neopixel", lights=2, slots="0-1", brightness=0.5)
    with make_strip(wire, config) as strip:
        strip.value = ((255, 128, 0), DARK)
        wire.wait_for(lambda heard: b"\x40\x7f\x00\x00\x00\x00" in heard)
        assert strip.current_ma == pytest.approx(2 + 0.5 * 20 * (1 + 128 / 255))


def test_a_strip_is_shown_again_after_a_loose_wire() -> None:
    """Lights that lost their power cannot say so; they are told everything again."""
    wire = Record()
    with make_strip(wire, NEOPIXEL, resend_s=0.005) as strip:
        strip.value = DIM_RAINBOW
        wire.wait_for(lambda heard: heard.count(wire_bytes(DIM_RAINBOW)) > 2)


def test_a_pin_that_cannot_drive_lights_is_named() -> None:
    """Before the Pi 5 only four pins can; the line says which, and the game goes on."""
    told = Record()
    with make_strip(told, StripConfig(kind="neopixel", pin=17)) as strip:
        told.wait_for(lambda _: strip.trouble)
        strip.value = DIM_RAINBOW
        assert strip.trouble == (
            "lights: GPIO 17 cannot drive NeoPixels on this Pi; it must be 10, 12, 18, 21;"
            " move the data wire and set lights.pin, or let a Pico drive the lights"
        )
    assert told.troubles() == [strip.trouble]


TELL = """
import queue
from hardware.neopixels import NeoPixelStrip, StripConfig
told = queue.Queue()
with NeoPixelStrip(StripConfig(kind="neopixel"), told.put):
    print(told.get(timeout=60).trouble)
"""


@pytest.mark.parametrize(
    ("machine", "said"),
    [
        ({}, "lights: this is not a Raspberry Pi; set lights.kind to 'fake', or let a Pico drive"),
        (
            {"BLINKA_FORCEBOARD": "RASPBERRY_PI_5", "BLINKA_FORCECHIP": "BCM2XXX"},
            "lights: the package gpiod is missing; ",
        ),
        (
            {"BLINKA_FORCEBOARD": "RASPBERRY_PI_4B", "BLINKA_FORCECHIP": "BCM2XXX"},
            "lights: the package gpiod is missing; ",
        ),
    ],
    ids=["no-pi", "pi-5", "pi-4"],
)
def test_the_real_library_says_what_is_missing(machine: dict[str, str], said: str) -> None:
    """On this machine, and on one that calls itself a Pi: one line, with what to do."""
    known = {key: value for key, value in os.environ.items() if not key.startswith("BLINKA")}
    run = subprocess.run(
        [sys.executable, "-c", TELL],
        env=known | machine,
        capture_output=True,
        text=True,
        check=True,
    )
    (line,) = run.stdout.splitlines()
    assert line.startswith(said)
    assert "pip install" in line or not machine
    assert run.stderr == ""


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (
            RuntimeError("NeoPixel support requires running with sudo, please try again!"),
            "GPIO 18 needs root; move the data wire to GPIO 10",
        ),
        (RuntimeError("Failed to open PIO device (error -13)"), "/dev/pio0 in the group gpio"),
        (RuntimeError("Failed to open PIO device (error -2)"), "/dev/pio0 is missing or in use"),
        (RuntimeError("No PIO state machines are available"), "/dev/pio0 is missing or in use"),
        (
            RuntimeError("ws2811_init failed with code -13 (Unable to initialize SPI)"),
            "SPI is off; sudo raspi-config nonint do_spi 0",
        ),
        (PermissionError(13, "Permission denied", "/dev/gpiochip0"), "sudo usermod -aG gpio,spi"),
        (OSError(16, "Device or resource busy"), "GPIO 18 is in use; free it"),
        (ModuleNotFoundError("No module named 'neopixel'"), "a package is missing; pip install"),
        (ValueError("odd\nthings"), "the driver says ValueError: odd things; check the data wire"),
    ],
)
def test_whatever_the_driver_says_is_one_line(error: Exception, said: str) -> None:
    """Each known failure has its remedy, and an unknown one is told in the driver's own words."""
    line = explain_for(NEOPIXEL)(error)
    assert said in line
    assert "\n" not in line
    assert line.startswith("lights: ")
