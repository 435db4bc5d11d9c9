"""NeoPixels: what the owner sets of them, and a strip on the Pi's own header.

The strip goes through Adafruit's library.

| model | pins (GPIO) | what it needs beside `pip install 'tiki-companion[pi]'` |
|---|---|---|
| all but the Pi 5 | 10 (SPI) | SPI switched on, the group spi, no display on SPI; no root |
| all but the Pi 5 | 12, 18 (PWM) | root, for /dev/mem; the headphone socket is silent then |
| all but the Pi 5 | 21 (PCM) | root, for /dev/mem |
| Pi 5, 500, CM5 | 0 to 27 | a kernel and firmware that have /dev/pio0, and permission to write it |

Sources: jgarff/rpi_ws281x README (GPIO usage), Adafruit's NeoPixel README (GPIO 10 without root),
Adafruit-Blinka-Raspberry-Pi5-Neopixel (RP1 PIO).  A Pico drives lights without any of this.
"""

import re
from collections.abc import Callable
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from firmware.wire import USUAL_ORDER, is_order
from hardware.device import BadValue, HardwareError
from hardware.lights import DARK, IDLE_MA, LightStrip, Strip
from hardware.output_worker import RESEND_S, Connection, OnTrouble, OutputWorker, ignore_trouble
from hardware.pins import ROLES
from hardware.zones import ZONES, Zones, parse_zone

NAME: Final = "lights"
PIN: Final = "a pin number, or true for the usual pin"
PACKAGES: Final = "pip install 'tiki-companion[pi]'"
PINS: Final = range(29)
OLDER_PINS: Final = (10, 12, 18, 21)
USUAL_PIN: Final = next(role.header for role in ROLES if role.name == "pixels")
OR_PICO: Final = "or let a Pico drive the lights"


class NoLights(BadValue):
    """The settings of the strip are impossible."""


class StripConfig(msgspec.Struct, frozen=True):
    """The light strip, as the owner's settings have it.

    pin: the number of the data wire's pin on the board where it ends, True for the usual one.
    lights: how many are on the strip.
    order: in which each light takes its colours: R, G and B, and W if it has a white of its own,
    which then shows white and greys.
    budget_ma: the most that they may draw together.  brightness: from 0 to 1.
    slots, seats, idol, tower: first and last light of each zone, "0-8", backwards "8-0", or "".
    idol_deg: where the idol ring's first light is, clockwise from the idol's zero.
    Raises NoLights or BadZone if that cannot be.
    """

    kind: Literal["fake", "neopixel"] = "fake"
    pin: Annotated[int | bool, Meta(description=PIN)] = True
    lights: Annotated[int, Meta(ge=1, le=1000)] = 9
    order: str = USUAL_ORDER
    budget_ma: Annotated[float, Meta(ge=1, le=100_000)] = 500.0
    brightness: Annotated[float, Meta(ge=0, le=1)] = 1.0
    slots: str = "0-8"
    seats: str = ""
    idol: str = ""
    tower: str = ""
    idol_deg: Annotated[float, Meta(ge=-360, le=360)] = 0.0

    def __post_init__(self) -> None:
        if self.pin is False:
            raise NoLights(
                "lights.pin is false; it must be a pin number, or true for the usual one; without"
                " lights set lights.kind to 'fake'"
            )
        if self.pin not in PINS:
            raise NoLights(
                f"lights.pin is {self.pin}; the header has GPIO 0 to 27, a Pico GP0 to 22 and 26 to"
                " 28"
            )
        if not is_order(self.order):
            raise NoLights(
                f"lights.order is {self.order!r}; it must be 'GRB', 'RGB', 'BRG', 'RBG', 'GBR' or"
                " 'BGR', with a W added where the lights have a white of their own: 'GRBW'"
            )
        if self.budget_ma < self.lights * IDLE_MA:
            raise NoLights(
                f"lights.budget_ma is {self.budget_ma:g}, but {self.lights} dark lights draw"
                f" {self.lights * IDLE_MA:.0f} mA already; set it to what the supply gives"
            )
        self.zones.check(self.lights)

    @property
    def header_pin(self) -> int:
        """The GPIO number of the data wire, if it ends on the header."""
        return USUAL_PIN if self.pin is True else self.pin

    @property
    def zones(self) -> Zones:
        """The zones of the strip."""
        named = {name: parse_zone(getattr(self, name)) for name in ZONES}
        return Zones(**named, idol_deg=self.idol_deg)


class _Pixels:
    """An open NeoPixel driver; see `Connection`."""

    def __init__(self, config: StripConfig) -> None:
        import board  # noqa: PLC0415 - only a Pi has what these two need
        import neopixel  # noqa: PLC0415

        newer = re.match(r"RASPBERRY_PI_(5|CM5)", str(board.board_id)) is not None
        if not newer and config.header_pin not in OLDER_PINS:
            pins = ", ".join(map(str, OLDER_PINS))
            raise NoLights(
                f"GPIO {config.header_pin} cannot drive NeoPixels on this Pi; it must be {pins};"
                f" move the data wire and set lights.pin, {OR_PICO}"
            )
        self._pixels: Any = neopixel.NeoPixel(
            getattr(board, f"D{config.header_pin}"),
            config.lights,
            brightness=config.brightness,
            auto_write=False,
            pixel_order=config.order,
        )

    def show(self, value: Strip) -> None:
        self._pixels[:] = list(value)
        self._pixels.show()

    def close(self) -> None:
        self._pixels.deinit()


def _meaning(says: str, means: str) -> tuple[re.Pattern[str], str]:
    return re.compile(says, re.IGNORECASE), means


# What a driver says, and what that means to the owner; the first that fits is taken.
_MEANINGS: Final = (
    _meaning("No module named '(board|neopixel|adafruit_.*)'", f"a package is missing; {PACKAGES}"),
    _meaning(
        r"'(?P<what>\w+)' was not found.*?(?P<install>\S*python\S* -m pip install .+)",
        "the package {what} is missing; {install}",
    ),
    _meaning("not supported", f"this is not a Raspberry Pi; set lights.kind to 'fake', {OR_PICO}"),
    _meaning(
        "sudo|/dev/mem|mmap|mailbox",
        "GPIO {pin} needs root; move the data wire to GPIO 10, which needs only SPI and the group"
        f" spi, and set lights.pin, {OR_PICO}",
    ),
    _meaning(
        r"PIO device.*error -13\b|Permission denied",
        "no permission; sudo usermod -aG gpio,spi $USER and log in again; a Pi 5 also needs"
        f" /dev/pio0 in the group gpio, {OR_PICO}",
    ),
    _meaning(
        "PIO device|pio_|state machines",
        "/dev/pio0 is missing or in use; bring the Pi 5 up to date with sudo apt full-upgrade and"
        f" sudo rpi-eeprom-update -a, {OR_PICO}",
    ),
    _meaning("busy", "GPIO {pin} is in use; free it or choose another lights.pin"),
    _meaning("SPI", "SPI is off; sudo raspi-config nonint do_spi 0, and restart"),
)


def explain_for(config: StripConfig) -> Callable[[Exception], str]:
    """Return what makes one line with the remedy from anything that a NeoPixel driver raises."""

    def explain(error: Exception) -> str:
        if isinstance(error, NoLights):
            return f"{NAME}: {error}"
        said = " ".join(str(error).split())
        for says, means in _MEANINGS:
            if found := says.search(said):
                return f"{NAME}: " + means.format(pin=config.header_pin, **found.groupdict())
        return (
            f"{NAME}: the driver says {type(error).__name__}: {said or 'nothing'}; check the data"
            " wire and lights.pin against docs/build-your-own.md"
        )

    return explain


def put_out(config: StripConfig) -> None:
    """Make the strip on the header dark, before this returns; Adafruit's library does not.

    For lights that nobody else drives any more: they keep their colours when the program that lit
    them is killed.  Raises HardwareError, in one line with the remedy, if it cannot be done.
    """
    try:
        pixels = _Pixels(config)
        try:
            pixels.show((DARK,) * config.lights)
        finally:
            pixels.close()
    except Exception as error:  # noqa: BLE001 - drivers raise what they like
        raise HardwareError(explain_for(config)(error)) from None


class NeoPixelStrip(LightStrip):
    """A strip of WS2812 lights whose data wire is on the Pi's header.

    A value is on its way when it has been set; a thread of its own takes it there.  What keeps the
    lights dark is reported as a `Troubled` fact, and tried again until it works.
    """

    __slots__ = ("_worker",)

    def __init__(
        self,
        config: StripConfig,
        on_trouble: OnTrouble = ignore_trouble,
        *,
        resend_s: float = RESEND_S,
    ) -> None:
        def connect() -> Connection[Strip]:
            return _Pixels(config)

        self._worker: OutputWorker[Strip] = OutputWorker(
            NAME, connect, explain_for(config), on_trouble, resend_s=resend_s
        )
        super().__init__(config.lights, config.budget_ma, config.brightness)

    @property
    def trouble(self) -> str:
        """What keeps the lights dark, in one line with the remedy; "" while they work."""
        return self._worker.trouble or super().trouble

    def _write(self, value: Strip) -> None:
        self._worker.submit(value)

    def _release(self) -> None:
        self._worker.close()
