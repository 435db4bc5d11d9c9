"""`tiki doctor` on this machine: what it says of each device is so."""

from pathlib import Path
from typing import Final

import pytest

from companion.registry import recordings
from tests.evenings import topple_evening
from tests.hil.inside import film
from tests.hil.inside.examined import examine
from tests.hil.inside.table import replaced, wired

LATE: Final = "no answer within"
SLOW: Final = ("camera", "eyes")
"""Emulated, this machine is slower than any Pi: these may take longer than the doctor waits."""
TRUE: Final = {
    "config": "ok: ",
    "board": "ok: Raspberry Pi 4 Model B Rev 1.5",
    "system": "ok: Debian GNU/Linux 13 (trixie), Python 3.13.",
    "power": "ok: ",
    "memory": "ok: ",
    "disk": "failed: {folder} is on overlay, which loses every game when the power fails",
    "clock": "failed: ",
    "permissions": "ok: all 2 devices can be used (gpio, i2c)",
    "pins": "ok: lgpio opens them on gpiochip0 (pinctrl-bcm2711), and nothing else uses one: tilt_0"
    " GPIO4, ",
    "i2c": "ok: 0x3C (a display) answers on /dev/i2c-1",
    "spi": "skipped: SPI is off, and nothing is configured on it",
    "serial": "",
    "lights": "simulated: the page shows the lights",
    "display": "ok: ssd1306 on I2C; see i2c",
    "sound": "simulated: off; this machine has no sound program",
    "camera": "ok: Virtual camera with a recorded game through picamera2",
    "eyes": "ok: ",
    "page": "ok: ",
    "wifi": "skipped: ",
    "network": "skipped: only this machine reaches the pages",
    "broker": "skipped: no broker is named in mqtt.broker",
}


@pytest.mark.usefixtures("bench", "oled")
def test_every_line_is_true(folder: Path) -> None:
    """Board, system, header, bus and camera as they are here, as an ordinary user sees them."""
    film.load(recordings()["tactiki"], ["001.jpg"])
    text = replaced(
        wired(folder, topple_evening(253, seats=2, target=8), "tilt_0", "idol_a", "idol_b", "undo"),
        ('source = "none"', 'source = "picamera2"'),
    )
    said = examine(folder, text)
    if LATE in "".join(said.values()):
        said = examine(folder, text)  # by now Python has kept what it compiles
    assert list(said) == list(TRUE)
    wrong = {
        name: line
        for name, line in said.items()
        if not line.startswith(TRUE[name].format(folder=folder))
        and not (name in SLOW and LATE in line)
    }
    assert wrong == {}
    assert said["clock"].endswith("UTC: the time zone is the one that nobody has chosen")
