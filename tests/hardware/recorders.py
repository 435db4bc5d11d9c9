"""The far ends of wires: what real drivers send is written down, and can be unplugged."""

import errno
import os
import threading
from collections.abc import Callable
from typing import Any, Final

os.environ.setdefault("BLINKA_OS_AGNOSTIC", "1")  # Adafruit's library then runs on any machine

import board
import neopixel
from luma.core.interface.serial import i2c
from PIL import Image

from hardware.facts import Troubled
from hardware.lights import Strip
from hardware.neopixels import NeoPixelStrip, StripConfig
from hardware.output_worker import RESEND_S
from hardware.panels import PanelConfig, PanelDisplay

PATIENCE_S: Final = 60.0
HASTY: Final = (0.001, 0.004)  # pauses between attempts, for tests that wait for them

board.D10 = board.NEOPIXEL
board.D18 = board.NEOPIXEL


class Record:
    """What has come over a wire, oldest first; it can be waited for."""

    def __init__(self) -> None:
        self.heard: list[Any] = []
        self._news = threading.Condition()

    def add(self, item: Any) -> None:
        """Write *item* down."""
        with self._news:
            self.heard.append(item)
            self._news.notify_all()

    def wait_for(self, wanted: Callable[[list[Any]], object]) -> None:
        """Return once *wanted* holds; fails once PATIENCE_S are over."""
        with self._news:
            found = self._news.wait_for(lambda: wanted(self.heard), PATIENCE_S)
        assert found, f"nothing of the kind has come, only {self.heard[-3:]}"

    def troubles(self) -> list[str]:
        """Return the troubles among what has come, in words."""
        return [item.trouble for item in self.heard if isinstance(item, Troubled)]


class RecordingBus:
    """A serial interface of luma's that nothing hangs on; written messages are kept."""

    def __init__(self) -> None:
        self.record = Record()

    def command(self, *codes: int) -> None:
        """Take a command."""
        self.record.add(("command", *codes))

    def data(self, codes: list[int]) -> None:
        """Take data."""
        self.record.add(("data", *codes))

    def cleanup(self) -> None:
        """Take note of being given back."""
        self.record.add(("cleanup",))


class Socket:
    """An I2C bus below luma's real interface, as smbus2 has it; *plugged* can be changed.

    silence: what the kernel says if nothing answers; a Pi's own bus says EREMOTEIO.
    powered_up: whether the panel was told all it needs since it last lost its power.
    """

    def __init__(self, address: int = 0x3C) -> None:
        self.address = address
        self.plugged = True
        self.silence = OSError(errno.EREMOTEIO, "Remote I/O error")
        self.record = Record()
        self.lit = False
        self.closed = 0

    def write_i2c_block_data(self, address: int, mode: int, codes: list[int]) -> None:
        """Take a message, or fail as the kernel does if nothing answers."""
        if not self.plugged or address != self.address:
            self.lit = False
            raise self.silence
        if mode == 0x00 and codes[-1] == 0xAF:  # switched on
            self.lit = True
        self.record.add((mode, *codes))

    def close(self) -> None:
        """Take note of being closed."""
        self.closed += 1

    def open(self, config: PanelConfig) -> Any:
        """Return luma's own interface on this bus."""
        return i2c(bus=self, address=config.address)


def decode_panel(kind: str, heard: list[Any], size: tuple[int, int]) -> list[Image.Image]:
    """Return the pictures that a panel of *kind* was sent, oldest first, from its data sheet."""
    pages = [item[1:] for item in heard if item[0] == "data"]
    if kind == "ssd1306":  # all eight pages at once, each byte a column of eight, lowest bit on top
        return [_from_columns(page, size) for page in pages]
    if kind == "sh1106":
        rows = [sum(pages[at : at + 8], ()) for at in range(0, len(pages) - 7, 8)]
        return [_from_columns(page, size) for page in rows]
    shown = [page for page in pages if page[0] <= 8]  # registers 1 to 8 are the eight columns
    return [_from_chips(shown[at : at + 8], size) for at in range(0, len(shown) - 7, 8)]


def _from_columns(page: tuple[int, ...], size: tuple[int, int]) -> Image.Image:
    picture = Image.new("1", size)
    width, _ = size
    for at, byte in enumerate(page):
        for bit in range(8):
            picture.putpixel((at % width, at // width * 8 + bit), 255 * (byte >> bit & 1))
    return picture


def _from_chips(columns: list[tuple[int, ...]], size: tuple[int, int]) -> Image.Image:
    picture = Image.new("1", size)
    for message in columns:
        pairs = list(zip(message[::2], message[1::2], strict=True))
        for chip, (register, byte) in enumerate(reversed(pairs)):  # the last chip is sent first
            for bit in range(8):
                picture.putpixel((8 * chip + register - 1, bit), 255 * (byte >> bit & 1))
    return picture


def make_panel(kind: str, bus: RecordingBus | None = None) -> PanelDisplay:
    """Return a display with luma's real driver of *kind* on a bus that is only written down."""
    found = bus or RecordingBus()
    config = PanelConfig(kind, block_deg=0)  # type: ignore[arg-type]  # a test's parameter
    return PanelDisplay(config, open_bus=lambda _: found)


def make_strip(
    record: Record | None = None, config: StripConfig | None = None, resend_s: float = RESEND_S
) -> NeoPixelStrip:
    """Return a strip with Adafruit's real driver; wire bytes and troubles are only written down."""
    found = record or Record()
    neopixel.neopixel_write = lambda _, wire: found.add(bytes(wire))
    return NeoPixelStrip(config or StripConfig(kind="neopixel"), found.add, resend_s=resend_s)


def wire_bytes(strip: Strip) -> bytes:
    """Return what a WS2812 strip is sent for *strip*: green, red, blue of each light."""
    return bytes(level for red, green, blue in strip for level in (green, red, blue))
