"""The output devices of one table."""

from dataclasses import dataclass, field
from typing import Final

from hardware.device import BadValue, Closeable
from hardware.display import ScoreDisplay
from hardware.fakes import FakeDisplay, FakeSound, FakeStrip
from hardware.lights import LightStrip
from hardware.neopixels import NeoPixelStrip, StripConfig
from hardware.output_worker import OnTrouble, ignore_trouble
from hardware.panels import PanelConfig, PanelDisplay
from hardware.pico.link import PicoLink
from hardware.pico.strip import PicoStrip
from hardware.sound import Sound, SoundConfig, Speaker
from hardware.zones import Zones

SPI_DATA: Final = 10
"""The header's pin that can drive lights, and the matrix displays' data."""


@dataclass(frozen=True, slots=True)
class OutputDevices(Closeable):
    """The output devices of one table; fakes unless others are given.

    strip, zones: the lights, and which of them stand where.  display: the score display.
    sound: earcons and spoken calls.
    """

    strip: LightStrip = field(default_factory=FakeStrip)
    display: ScoreDisplay = field(default_factory=FakeDisplay)
    sound: Sound = field(default_factory=FakeSound)
    zones: Zones = field(default_factory=Zones)

    def close(self) -> None:
        """Put all devices to rest; may be called twice."""
        try:
            self.strip.close()
        finally:
            try:
                self.display.close()
            finally:
                self.sound.close()


def check_buses(lights: StripConfig, display: PanelConfig) -> None:
    """Raise BadValue if *lights* and *display* want the same wires of the header."""
    on_spi = display.kind in ("matrix", "digits")
    if on_spi and lights.kind == "neopixel" and lights.header_pin == SPI_DATA:
        raise BadValue(
            f"lights.pin 10 and display.kind '{display.kind}' are both on SPI; move the lights to"
            " GPIO 18 and set lights.pin, or use an OLED"
        )


def open_output_devices(
    lights: StripConfig | None = None,
    display: PanelConfig | None = None,
    sound: SoundConfig | None = None,
    on_trouble: OnTrouble = ignore_trouble,
    link: PicoLink | None = None,
) -> OutputDevices:
    """Return the output devices that the settings name.

    on_trouble: called, from other threads, when a device fails and when it works again; none of
    that ever stops the game.  link: to the Pico that drives the lights, None for the header.
    Raises BadValue if the settings contradict each other.
    """
    lights = lights or StripConfig()
    display = display or PanelConfig()
    sound = sound or SoundConfig()
    if link is None:
        check_buses(lights, display)
    return OutputDevices(
        strip=_open_strip(lights, on_trouble, link),
        display=FakeDisplay() if display.kind == "fake" else PanelDisplay(display, on_trouble),
        sound=FakeSound() if sound.kind == "fake" else Speaker(sound, on_trouble),
        zones=lights.zones,
    )


def _open_strip(lights: StripConfig, on_trouble: OnTrouble, link: PicoLink | None) -> LightStrip:
    if lights.kind == "fake":
        return FakeStrip(lights.lights, lights.budget_ma, lights.brightness)
    if link is not None:
        return PicoStrip(link, lights, on_trouble)
    return NeoPixelStrip(lights, on_trouble)
