"""Score displays on the Pi's own buses, through luma: OLEDs on I2C, LED matrices and digits on SPI.

An OLED answers what it is sent, so one that was unplugged is noticed within seconds.  A MAX7219 has
no way to answer; it is sent everything again every few seconds, so it comes back all the same.
"""

import contextlib
import errno
import re
from collections.abc import Callable
from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec
from luma.core.const import common
from luma.core.error import DeviceNotFoundError, DevicePermissionError
from luma.core.interface.serial import i2c, noop, spi
from luma.led_matrix.const import max7219 as registers
from luma.led_matrix.device import max7219
from luma.oled.device import sh1106, ssd1306
from msgspec import Meta
from PIL import Image

from hardware.device import BadValue
from hardware.display import DIGITS, HEIGHT, WIDTH, Form, ScoreDisplay
from hardware.output_worker import (
    RESEND_S,
    RETRY_S,
    Connection,
    OnTrouble,
    OutputWorker,
    ignore_trouble,
)

NAME: Final = "display"
I2C_ADDRESSES: Final = range(0x08, 0x78)
SPI_HZ: Final = 1_000_000
"""Slow enough for the loose wires of a table, fast enough for 64 bytes."""


class NoDisplay(BadValue):
    """The settings of the display are impossible."""


class PanelConfig(msgspec.Struct, frozen=True):
    """The score display, as the owner's settings have it.

    kind: "ssd1306" and "sh1106" are OLEDs of 128 x 64 pixels on I2C; "matrix" is a row of 8 x 8
        blocks and "digits" eight seven-segment digits, both with MAX7219 chips on SPI.
    bus, address: of the I2C bus, /dev/i2c-*bus*.  chip: the SPI's chip select, /dev/spidev0.*chip*.
    blocks: of the matrix, 4 or 8.  block_deg: how each block is turned; -90 suits the modules of
        four in a row, 0 single ones.
    rotate: quarter turns of the whole picture, 0 or 2, digits 0 only.  brightness: from 0 to 1.
    Raises NoDisplay if that cannot be.
    """

    kind: Literal["fake", "ssd1306", "sh1106", "matrix", "digits"] = "fake"
    bus: Annotated[int, Meta(ge=0, le=99)] = 1
    address: int = 0x3C
    chip: Literal[0, 1] = 0
    blocks: Literal[4, 8] = 4
    block_deg: Literal[0, 90, -90, 180] = -90
    rotate: Literal[0, 2] = 0
    brightness: Annotated[float, Meta(ge=0, le=1)] = 0.5

    def __post_init__(self) -> None:
        if self.address not in I2C_ADDRESSES:
            raise NoDisplay(
                f"display.address is 0x{self.address:02X}; OLEDs have 0x3C or 0x3D, and I2C has"
                " nothing below 0x08 or above 0x77"
            )
        if self.kind == "digits" and self.rotate:
            raise NoDisplay(
                f"display.rotate is {self.rotate}, but digits cannot be turned; set it to 0"
            )

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the picture in bits."""
        match self.kind:
            case "matrix":
                return (8 * self.blocks, 8)
            case "digits":
                return (DIGITS, 8)
            case _:
                return (WIDTH, HEIGHT)

    @property
    def form(self) -> Form:
        """What a bit of the picture is."""
        return "segments" if self.kind == "digits" else "pixels"

    @property
    def on_i2c(self) -> bool:
        """Whether the display is on I2C; otherwise it is on SPI."""
        return self.kind in ("ssd1306", "sh1106")


Bus: TypeAlias = Any
"""A serial interface of luma's: `command(*bytes)`, `data(bytes)`, `cleanup()`."""
OpenBus: TypeAlias = Callable[[PanelConfig], Bus]


def open_bus(config: PanelConfig) -> Bus:
    """Return luma's interface to the bus that *config* names; raises what luma raises."""
    if config.on_i2c:
        return i2c(port=config.bus, address=config.address)
    return spi(port=0, device=config.chip, gpio=noop(), bus_speed_hz=SPI_HZ)


class _Wire:
    """A bus that may be there or not: without one it keeps what luma sends to wake the panel.

    So luma's driver is made once, for good, which matters: luma never forgets a device.
    """

    def __init__(self) -> None:
        self.bus: Bus | None = None
        self.waking: list[Callable[[Bus], None]] = []

    def command(self, *codes: int) -> None:
        if self.bus is not None:
            self.bus.command(*codes)
            return
        # Woken again every few seconds, a panel must not be switched off first: it would blink.
        lit = codes[1:] if codes[0] == common.DISPLAYOFF else codes
        self.waking.append(lambda bus: bus.command(*lit))

    def data(self, codes: list[int]) -> None:
        if self.bus is not None:
            self.bus.data(codes)
        elif codes[0] >= registers.DIGIT_0 + 8:  # a register's value; the rest is a blank picture
            self.waking.append(lambda bus: bus.data(codes))

    def cleanup(self) -> None:
        """Leave the bus to whoever opened it."""


class _Panel:
    """luma's driver, with or without the panel; see `Connection`."""

    def __init__(self, config: PanelConfig, open_bus: OpenBus) -> None:
        self._config = config
        self._open_bus = open_bus
        self._wire = _Wire()
        self._driver = self._make_driver()
        self._driver.contrast(round(255 * config.brightness))
        self._driver.show()

    def _make_driver(self) -> Any:
        kind, rotate = self._config.kind, self._config.rotate
        if self._config.on_i2c:
            return {"ssd1306": ssd1306, "sh1106": sh1106}[kind](self._wire, rotate=rotate)
        is_matrix = kind == "matrix"
        blocks = self._config.blocks if is_matrix else 1
        block_deg = self._config.block_deg if is_matrix else 0
        return max7219(self._wire, cascaded=blocks, block_orientation=block_deg, rotate=rotate)

    def connect(self) -> Connection[Image.Image]:
        self._wire.bus = self._open_bus(self._config)
        return self

    def show(self, picture: Image.Image) -> None:
        # All of it every time, lit only at the end: the panel may have lost its power in between.
        *waking, light_up = self._wire.waking
        for send in waking:
            send(self._wire.bus)
        self._driver.display(picture)
        light_up(self._wire.bus)

    def close(self) -> None:
        with contextlib.suppress(Exception):  # it may be gone; the bus is given back all the same
            self._driver.hide()
        bus, self._wire.bus = self._wire.bus, None
        if bus is not None:
            bus.cleanup()


def _is_unanswered(error: Exception, said: str) -> bool:
    """Return whether nothing on an I2C bus has answered.

    luma says so of a Pi's own bus only; one that the kernel makes of two pins (dtoverlay=i2c-gpio)
    fails with ENXIO.  Source: the kernel's Documentation/i2c/fault-codes.rst.
    """
    if isinstance(error, DeviceNotFoundError):
        return re.search("on address", said) is not None
    return isinstance(error, OSError) and error.errno == errno.ENXIO


def explain_for(config: PanelConfig) -> Callable[[Exception], str]:
    """Return what makes one line with the remedy from anything that a panel's driver raises."""
    if config.on_i2c:
        node, group, switch = f"/dev/i2c-{config.bus}", "i2c", "do_i2c"
    else:
        node, group, switch = f"/dev/spidev0.{config.chip}", "spi", "do_spi"

    def explain(error: Exception) -> str:
        said = " ".join(str(error).split())
        match error:
            case ImportError(name=name):
                what = f"the package {name} is missing; pip install {name}"
            case DevicePermissionError() | PermissionError():
                what = (
                    f"no permission for {node}; sudo usermod -aG {group} $USER, then log in again"
                )
            case _ if _is_unanswered(error, said):
                what = (
                    f"nothing answers at 0x{config.address:02X} on {node}; check its four wires,"
                    f" and the address: i2cdetect -y {config.bus} lists what is there"
                )
            case DeviceNotFoundError() | FileNotFoundError():
                what = f"there is no {node}; sudo raspi-config nonint {switch} 0, and restart"
            case _:
                what = f"the bus {node} says {type(error).__name__}: {said}; check the wires"
        return f"{NAME}: {config.kind}: {what}"

    return explain


class PanelDisplay(ScoreDisplay):
    """A score display on one of the Pi's buses.

    A picture is on its way when it has been set; a thread of its own takes it there, since a bus
    may be slow or stuck.  What keeps the display dark is told as a `Troubled` fact, and tried again
    until it works.

    open_bus: how the bus is opened; luma's own way unless told.
    """

    __slots__ = ("_worker",)

    def __init__(
        self,
        config: PanelConfig,
        on_trouble: OnTrouble = ignore_trouble,
        *,
        open_bus: OpenBus = open_bus,
        resend_s: float = RESEND_S,
        retry_s: tuple[float, float] = RETRY_S,
    ) -> None:
        panel = _Panel(config, open_bus)
        self._worker: OutputWorker[Image.Image] = OutputWorker(
            NAME, panel.connect, explain_for(config), on_trouble, resend_s=resend_s, retry_s=retry_s
        )
        super().__init__(config.size, config.form)

    @property
    def trouble(self) -> str:
        """What keeps the display dark, in one line with the remedy; "" while all is well."""
        return self._worker.trouble or super().trouble

    def _write(self, value: Image.Image) -> None:
        self._worker.submit(value)

    def _release(self) -> None:
        self._worker.close()
