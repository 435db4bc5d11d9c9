"""The parts of the configured table, as the checks need them."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from companion.config import Config, camera_of, is_wired, pin_plan
from companion.registry import game_of
from hardware.pins import HEADER, PICO, PinPlan, usual_plan

FAKE: Final = "fake"
NONE: Final = "none"
ON_I2C: Final = frozenset({"ssd1306", "sh1106"})
ON_SPI: Final = frozenset({"matrix", "digits"})


@dataclass(frozen=True, slots=True)
class Requirements:
    """What the configured table needs.

    log: the file in which games are kept.  plan: the wires of header or Pico.  factory: gpiozero's
    way to the header's.  port: of the Pico, "" finds it.  sensors: what reads tilt, idol and
    buttons; "fake", "none" or "wired".  lights: "fake" or "neopixel".  display: "fake", or the kind
    of chip.  bus, address: of a display on I2C.  sound: "fake" or "speaker".  voice: the program
    that speaks, "none" for none.
    """

    config: Config
    log: Path
    plan: PinPlan = field(default_factory=lambda: usual_plan(HEADER))
    factory: str = "lgpio"
    port: str = ""
    sensors: str = FAKE
    lights: str = FAKE
    display: str = FAKE
    bus: int = 1
    address: int = 0x3C
    sound: str = FAKE
    voice: str = NONE

    @property
    def unseen(self) -> str:
        """The title of the only game of this table if it is played without the camera; or ""."""
        if camera_of(self.config) == self.config.camera:
            return ""
        return str(game_of(self.config.table.game).title)

    @property
    def header(self) -> bool:
        """Whether anything at all is wired to the header's own pins."""
        return self.plan.board is HEADER and self._is_wired

    @property
    def pico(self) -> bool:
        """Whether anything at all is wired to a Pico."""
        return self.plan.board is PICO and self._is_wired

    @property
    def _is_wired(self) -> bool:
        return self.sensors == "wired" or self.lights == "neopixel"


def read_requirements(config: Config, log: Path) -> Requirements:
    """Return what *config* asks for; *log* is the file in which it has games kept."""
    return Requirements(
        config,
        log,
        plan=pin_plan(config),
        factory=config.pins.factory,
        port=config.pins.port,
        sensors="wired" if is_wired(config) else config.sensors.kind,
        lights=config.lights.kind,
        display=config.display.kind,
        bus=config.display.bus,
        address=config.display.address,
        sound=config.sound.kind,
        voice=config.sound.voice,
    )
