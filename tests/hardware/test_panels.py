"""Panels: luma's real drivers on buses that are written down, pulled out and put back."""

import errno
import gc
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import smbus2
from hypothesis import given, settings
from hypothesis import strategies as st
from luma.core.error import DeviceNotFoundError
from luma.oled.device import ssd1306
from PIL import Image

from companion.config import BadConfig, parse_config
from hardware.display import draw_digits
from hardware.panels import PanelConfig, PanelDisplay, explain_for, open_bus
from tests.hardware.recorders import (
    HASTY,
    Record,
    RecordingBus,
    Socket,
    decode_panel,
    make_panel,
)

# luma asks Pillow for pixels in a way that Pillow 14 will no longer know.
pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")
KINDS = ("ssd1306", "sh1106", "matrix", "digits")


def pattern(size: tuple[int, int], seed: int = 1) -> Image.Image:
    """Return a picture in which no row and no column is like another."""
    picture = Image.new("1", size)
    for x in range(size[0]):
        for y in range(size[1]):
            picture.putpixel((x, y), 255 * ((x * x + 3 * y * y + x * y * seed) % 7 < 3))
    return picture


@pytest.mark.parametrize("kind", KINDS)
def test_the_wire_carries_the_picture(kind: str) -> None:
    """What the panel's own protocol says is, pixel by pixel, what was set."""
    bus = RecordingBus()
    with make_panel(kind, bus) as display:
        shown = pattern(display.size)
        display.value = shown
        bus.record.wait_for(
            lambda heard: (
                shown.tobytes()
                in [each.tobytes() for each in decode_panel(kind, heard, display.size)]
            )
        )
    last = decode_panel(kind, bus.record.heard, display.size)[-1]
    assert last.getbbox() is None  # put to rest
    assert bus.record.heard[-1] == ("cleanup",)


@settings(max_examples=20, deadline=None)
@given(st.binary(min_size=32, max_size=32))
def test_any_picture_survives_a_matrix(pixels: bytes) -> None:
    """Every pixel of every block reaches its own lamp."""
    bus, shown = RecordingBus(), Image.frombytes("1", (32, 8), pixels)
    with make_panel("matrix", bus) as display:
        display.value = shown
        bus.record.wait_for(
            lambda heard: (
                shown.tobytes()
                in [each.tobytes() for each in decode_panel("matrix", heard, (32, 8))]
            )
        )


def test_a_wrong_decoder_is_noticed() -> None:
    """The decoder fails on a picture that was shifted by one pixel."""
    bus = RecordingBus()
    with make_panel("ssd1306", bus) as display:
        display.value = pattern(display.size)
        bus.record.wait_for(lambda heard: sum(item[0] == "data" for item in heard))
    shifted = pattern((128, 64), seed=2).tobytes()
    found = decode_panel("ssd1306", bus.record.heard, (128, 64))
    assert shifted not in [each.tobytes() for each in found]


@pytest.mark.parametrize("kind", KINDS)
def test_a_panel_is_woken_in_its_own_words_and_never_blinks(kind: str) -> None:
    """Set up before each picture, switched on behind it, and never switched off in between."""
    bus = RecordingBus()
    config = PanelConfig(kind)  # type: ignore[arg-type]  # a test's parameter
    display = PanelDisplay(config, open_bus=lambda _: bus, resend_s=0.005)
    on = (
        ("command", 0xAF)
        if config.on_i2c
        else ("data", *((12, 1) * (4 if kind == "matrix" else 1)))
    )
    bus.record.wait_for(lambda heard: heard.count(on) >= 3)
    before_closing = list(bus.record.heard)
    display.close()
    off = 0xAE if config.on_i2c else 12
    starts = [item for item in before_closing if item[1] == off and item != on]
    assert starts == []
    assert bus.record.heard[-2] != on  # switched off at last


def test_brightness_and_rotation_reach_the_panel() -> None:
    """Contrast 255 and a picture turned by half are what the OLED is told."""
    bus = RecordingBus()
    config = PanelConfig("ssd1306", brightness=1.0, rotate=2)
    with PanelDisplay(config, open_bus=lambda _: bus) as display:
        display.value = pattern(display.size)
        turned = pattern(display.size).rotate(180).tobytes()
        bus.record.wait_for(
            lambda heard: (
                turned in [each.tobytes() for each in decode_panel("ssd1306", heard, (128, 64))]
            )
        )
    assert ("command", 0x81, 255) in bus.record.heard


def test_digits_reach_the_chip() -> None:
    """Luma's own segments of "8." are all eight bits of the chip's first digit."""
    bus = RecordingBus()
    with make_panel("digits", bus) as display:
        display.value = draw_digits("8.")
        bus.record.wait_for(lambda heard: ("data", 8, 0xFF) in heard or ("data", 1, 0xFF) in heard)


def test_an_unplugged_display_is_told_and_comes_back_by_itself() -> None:
    """Through luma's real I2C: named with the remedy, lit again with the newest picture."""
    told, socket = Record(), Socket()
    display = PanelDisplay(
        PanelConfig("ssd1306"), told.add, open_bus=socket.open, resend_s=0.005, retry_s=HASTY
    )
    socket.record.wait_for(lambda _: socket.lit)
    socket.plugged = False
    told.wait_for(lambda heard: heard)
    display.value = pattern(display.size)  # the game goes on
    assert display.trouble == (
        "display: ssd1306: nothing answers at 0x3C on /dev/i2c-1; check its four wires, and the"
        " address: i2cdetect -y 1 lists what is there"
    )
    socket.record.heard.clear()
    socket.plugged = True
    told.wait_for(lambda heard: len(heard) == 2)
    socket.record.wait_for(lambda _: socket.lit)
    assert (0x00, 0xD5) in [item[:2] for item in socket.record.heard]  # set up from nothing
    assert any(item[0] == 0x40 and any(item[1:]) for item in socket.record.heard)  # not blank
    display.close()
    assert told.troubles() == [told.troubles()[0], ""]
    assert display.trouble == ""


def test_a_loose_wire_that_nobody_noticed_is_healed() -> None:
    """A panel that lost its power between two pictures is set up and lit again all the same."""
    socket = Socket()
    with PanelDisplay(PanelConfig("sh1106"), open_bus=socket.open, resend_s=0.005):
        socket.record.wait_for(lambda _: socket.lit)
        socket.lit = False
        socket.record.wait_for(lambda _: socket.lit)


def test_a_display_that_is_away_for_days_costs_nothing() -> None:
    """Luma never forgets a driver that was made, so none is made for another attempt."""

    def drivers() -> int:
        return sum(isinstance(each, ssd1306) for each in gc.get_objects())

    told, attempts, before = Record(), Record(), drivers()

    def open_bus(_: PanelConfig) -> Any:
        attempts.add("attempt")
        raise DeviceNotFoundError("I2C device not found: /dev/i2c-1")

    with PanelDisplay(PanelConfig("ssd1306"), told.add, open_bus=open_bus, retry_s=HASTY):
        attempts.wait_for(lambda heard: len(heard) > 20)
    assert drivers() == before + 1
    assert len(told.heard) == 1


def test_the_wrong_address_is_named() -> None:
    """An OLED that answers at 0x3D is looked for there only if the settings say so."""
    told, socket = Record(), Socket(address=0x3D)
    with PanelDisplay(PanelConfig("ssd1306"), told.add, open_bus=socket.open):
        told.wait_for(lambda heard: heard)
    assert "nothing answers at 0x3C" in told.troubles()[0]
    with PanelDisplay(PanelConfig("ssd1306", address=0x3D), open_bus=socket.open):
        socket.record.wait_for(lambda _: socket.lit)


def test_a_bus_of_two_pins_says_in_its_own_way_that_nothing_answers() -> None:
    """What the kernel says there, luma passes on; people read the same sentence."""
    told, socket = Record(), Socket(address=0x3D)
    socket.silence = OSError(errno.ENXIO, "No such device or address")
    with PanelDisplay(PanelConfig("ssd1306"), told.add, open_bus=socket.open):
        told.wait_for(lambda heard: heard)
    assert "nothing answers at 0x3C on /dev/i2c-1; check its four wires" in told.troubles()[0]


@pytest.mark.parametrize(
    ("config", "said"),
    [
        (
            PanelConfig("ssd1306", bus=77),
            "display: ssd1306: there is no /dev/i2c-77; sudo raspi-config nonint do_i2c 0, ",
        ),
        (
            PanelConfig("matrix"),
            "display: matrix: the package spidev is missing; pip install spidev",
        ),
    ],
)
def test_this_machine_lacks_what_a_pi_has(
    config: PanelConfig, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Luma's real interfaces fail here, and each failure is one line with the remedy."""
    monkeypatch.setitem(sys.modules, "spidev", None)
    told = Record()
    with PanelDisplay(config, told.add) as display:
        told.wait_for(lambda heard: heard)
        assert display.trouble.startswith(said)
    assert told.troubles() == [display.trouble]


def raising(error: Exception) -> Any:
    """Return something that raises *error* when it is called."""

    def call(*_: object, **__: object) -> Iterator[None]:
        raise error

    return call


def test_a_bus_without_permission_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Luma's own error for it becomes the group that is missing."""
    config = PanelConfig("ssd1306")
    monkeypatch.setattr(smbus2, "SMBus", raising(PermissionError(13, "denied", "/dev/i2c-1")))
    with pytest.raises(Exception, match="permission denied") as caught:
        open_bus(config)
    assert explain_for(config)(caught.value) == (
        "display: ssd1306: no permission for /dev/i2c-1; sudo usermod -aG i2c $USER, then log in"
        " again"
    )


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (
            DeviceNotFoundError("SPI device not found"),
            "there is no /dev/spidev0.0; sudo raspi-config",
        ),
        (PermissionError(13, "denied"), "no permission for /dev/spidev0.0; sudo usermod -aG spi"),
        (
            OSError(110, "Connection\n timed out"),
            "says TimeoutError: [Errno 110] Connection timed",
        ),
    ],
)
def test_whatever_a_bus_says_is_one_line(error: Exception, said: str) -> None:
    """Known or not, it is told with the bus's name and something to do."""
    line = explain_for(PanelConfig("digits"))(error)
    assert said in line
    assert "\n" not in line
    assert line.startswith("display: digits: ")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"address": 0x3C00}, "display.address is 0x3C00; OLEDs have 0x3C or 0x3D"),
        ({"blocks": 5}, "display.blocks is 5; it must be 4 or 8"),
        ({"rotate": 1}, "display.rotate is 1; it must be 0 or 2"),
        (
            {"kind": "digits", "rotate": 2},
            "display.rotate is 2, but digits cannot be turned",
        ),
        ({"chip": 2}, "display.chip is 2; it must be 0 or 1"),
        ({"block_deg": 45}, "display.block_deg is 45; it must be 0 or 90 or -90 or 180"),
        ({"brightness": -1.0}, "display.brightness is -1.0; it must be a number from 0 to 1"),
    ],
)
def test_a_panel_that_cannot_be_is_named(given: dict[str, Any], said: str) -> None:
    """One line: the key, what was given, what would be right."""
    with pytest.raises(BadConfig, match=said):
        parse_config({"display": given})
