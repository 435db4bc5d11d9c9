"""What this version of the companion puts onto a Pico: firmware, wiring, and Adafruit's library."""

from importlib.metadata import PackageNotFoundError, distribution
from importlib.resources import files
from typing import Final

from hardware.buttons import BUTTONS
from hardware.device import HardwareError
from hardware.pins import PinPlan

LIBRARY: Final = "adafruit-circuitpython-neopixel"
"""Adafruit's package with the driver of the lights; adafruit_pixelbuf, which that needs, is built
into CircuitPython on every Pico.  Under MIT, as the head of its one file says."""
_DRIVER: Final = "neopixel.py"
_WIRING: Final = "wiring.py"


class NoLibrary(HardwareError):
    """Adafruit's library is not installed on this computer; one line says how to get it."""


def released_files(plan: PinPlan, lights: int) -> dict[str, bytes]:
    """Return the files of a Pico with the wires of *plan*, by their names on its drive.

    lights: how many there are, if the plan has a wire for them.
    Raises NoLibrary if there are lights and nothing to drive them.
    """
    firmware = {
        source.name: source.read_bytes()
        for source in files("firmware").iterdir()
        if source.name.endswith(".py") and source.name != "__init__.py"
    }
    found = {**firmware, _WIRING: wiring_source(plan, lights).encode()}
    driver = _driver()
    if driver:
        found[f"lib/{_DRIVER}"] = driver
    elif plan.find("pixels"):
        raise NoLibrary(
            "the Pico's lights need Adafruit's neopixel, which is not installed here; install it:"
            f" .venv/bin/pip install --no-deps {LIBRARY}"
        )
    return dict(sorted(found.items()))


def _driver() -> bytes:
    """Return the driver of the lights; empty if it is not installed.

    It is found by its package, as only CircuitPython could import it.
    """
    try:
        path = distribution(LIBRARY).locate_file(_DRIVER)
        with open(str(path), "rb") as source:  # noqa: PTH123 - what is located need be no Path
            return source.read()
    except (PackageNotFoundError, OSError):
        return b""


def wiring_source(plan: PinPlan, lights: int) -> str:
    """Return the firmware's wiring.py for the wires of *plan* and so many *lights*.

    Its keys are in the order of the pin table.
    """
    keys = tuple(pin.number for _, pin in plan.named("tilt", *BUTTONS))
    idol = tuple(pin.number for _, pin in plan.named("idol"))
    pixels = plan.find("pixels")
    strip = (pixels.number, lights) if pixels else None
    return (
        f'"""Where the wires end, by GP number; from your settings, by tiki pico install."""\n\n'
        f"KEYS = {keys}\nIDOL = {idol or None}\nLIGHTS = {strip}\n"
    )
