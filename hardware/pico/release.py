"""What this version of the companion puts onto a Pico: firmware, wiring, and Adafruit's library."""

import ast
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final, Self

from hardware.buttons import BUTTONS
from hardware.device import HardwareError
from hardware.pins import PinPlan

LIBRARY: Final = "adafruit-circuitpython-neopixel"
"""Adafruit's package with the driver of the lights; adafruit_pixelbuf, which that needs, is built
into CircuitPython on every Pico.  Under MIT, as the head of its one file says."""
WIRING: Final = "lib/wiring.py"
_ON_TOP: Final = ("boot.py", "code.py")
"""What CircuitPython starts by itself; all else lies in lib/."""
_DRIVER: Final = "neopixel.py"


class NoLibrary(HardwareError):
    """Adafruit's library is not installed on this computer; one line says how to get it."""


@dataclass(frozen=True, slots=True)
class Wiring:
    """What is wired to a Pico, by GP numbers.

    keys: tilt switches and buttons, in the order of the pin table.  idol: the encoder's A and B,
    or none.  lights: the data wire's pin, and how many there are; None if there are none.
    """

    keys: tuple[int, ...]
    idol: tuple[int, ...]
    lights: tuple[int, int] | None

    @classmethod
    def of(cls, plan: PinPlan, lights: int) -> Self:
        """Return the wires of *plan*; so many *lights*, if it has a wire for them."""
        keys = tuple(pin.number for _, pin in plan.named("tilt", *BUTTONS))
        idol = tuple(pin.number for _, pin in plan.named("idol"))
        pixels = plan.find("pixels")
        return cls(keys, idol, (pixels.number, lights) if pixels else None)

    @property
    def source(self) -> str:
        """The firmware's wiring.py."""
        return (
            '"""Where the wires end, by GP number; from your settings, by tiki pico install."""\n\n'
            f"KEYS = {self.keys}\nIDOL = {self.idol or None}\nLIGHTS = {self.lights}\n"
        )

    @classmethod
    def read(cls, source: str) -> Self | None:
        """Return what a wiring.py says; None if it says nothing of the kind.

        >>> Wiring.read(Wiring((5,), (2, 3), (22, 9)).source)
        Wiring(keys=(5,), idol=(2, 3), lights=(22, 9))
        """
        try:
            found = {
                target.id: ast.literal_eval(line.value)
                for line in ast.parse(source).body
                if isinstance(line, ast.Assign | ast.AnnAssign) and line.value
                for target in (line.targets if isinstance(line, ast.Assign) else [line.target])
                if isinstance(target, ast.Name)
            }
            pin, count = found["LIGHTS"] or (0, 0)
            keys, idol = tuple(map(int, found["KEYS"])), tuple(map(int, found["IDOL"] or ()))
            return cls(keys, idol, (int(pin), int(count)) if count else None)
        except (SyntaxError, ValueError, KeyError, TypeError, RecursionError, MemoryError):
            return None

    def __str__(self) -> str:
        """Return it for people."""
        idol = " and ".join(map(str, self.idol)) or "none"
        lights = f"{self.lights[1]} at GP {self.lights[0]}" if self.lights else "none"
        contacts = ", ".join(map(str, self.keys)) or "none"
        return f"contacts: GP {contacts}; idol: GP {idol}; lights: {lights}"


def released_files(wiring: Wiring, firmware: Traversable | None = None) -> dict[str, bytes]:
    """Return the files of a Pico with this *wiring*, by their names on its drive.

    firmware: the folder of its modules, this companion's own unless told.
    Raises NoLibrary if there are lights and nothing to drive them.
    """
    found = {
        name if (name := source.name) in _ON_TOP else f"lib/{name}": source.read_bytes()
        for source in (firmware or files("firmware")).iterdir()
        if source.name.endswith(".py") and source.name != "__init__.py"
    }
    found[WIRING] = wiring.source.encode()
    if wiring.lights:
        found[f"lib/{_DRIVER}"] = _read_driver()
    return dict(sorted(found.items()))


def _read_driver() -> bytes:
    """Return the driver of the lights; raises NoLibrary.

    It is found by its package, as only CircuitPython could import it.
    """
    try:
        path = distribution(LIBRARY).locate_file(_DRIVER)
        with open(str(path), "rb") as source:  # noqa: PTH123 - what is located need be no Path
            return source.read()
    except (PackageNotFoundError, OSError):
        raise NoLibrary(
            "the Pico's lights need Adafruit's neopixel, which is not installed here; install it:"
            f" .venv/bin/pip install --no-deps {LIBRARY}"
        ) from None
