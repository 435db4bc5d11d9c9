"""Camera, sensors, buttons, and where their wires end.

Lights, display and sound have their settings beside their drivers, in `hardware`.
"""

from collections.abc import Mapping
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from hardware.neopixels import PIN
from hardware.pins import ROLES
from hardware.spin import PULSES

Source = Literal["auto", "recording", "video", "picamera2", "phone", "virtual", "none"]
SensorKind = Literal["fake", "wired", "none"]
BoardName = Literal["header", "pico"]
Factory = Literal["lgpio", "rpigpio", "mock"]
Wire = Annotated[int | bool, Meta(description=PIN)]

WIRED: Final = tuple(role.name for role in ROLES if role.name != "pixels")
"""What may have a pin of its own in the file; the lights have theirs in lights.pin."""


class CameraConfig(msgspec.Struct, frozen=True):
    """Where pictures come from; "none" if everything is to be entered.

    source: "auto" is the camera that the host has chosen on a page, else the first that is found;
    "phone" is one whose page sends pictures; "virtual" is a page that draws a table, and sends what
    a camera would see of it.
    folder: of a recording; "" is the one that ships with the companion.  frame_s: how long each of
    its pictures is shown.  device: number or path of a video device.
    lens: what is screwed onto an HQ or a global shutter camera; "" for a camera with its own.
    hfov_deg: how wide it looks along the longer side of its pictures; 0 if that is to be measured.
    settle_s: how long nothing may move before the table is read.
    """

    source: Source = "recording"
    folder: str = ""
    frame_s: Annotated[float, Meta(ge=0.05, le=3600)] = 2.0
    device: str = "0"
    width_px: Annotated[int, Meta(ge=320, le=9248)] = 1536
    height_px: Annotated[int, Meta(ge=240, le=6944)] = 864
    rate_hz: Annotated[float, Meta(ge=1, le=60)] = 5.0
    lens: Literal["", "6 mm", "16 mm"] = ""
    hfov_deg: Annotated[float, Meta(ge=0, le=150)] = 0.0
    settle_s: Annotated[float, Meta(ge=0.1, le=10)] = 0.7


class SensorsConfig(msgspec.Struct, frozen=True):
    """The tower's tilt and the idol.

    kind: "fake" is moved by `tiki tell --sensor`, "wired" is on the board of `PinsConfig`.
    topple_s: a tilt of this length is a fall; a calibration may raise it, see `TiltFigures`.
    pulses: of the idol's encoder in one revolution.  rest_s: at rest after so long without a step.
    hand_deg: how far the idol's hand reaches to each side; it is used when the seats are
        calibrated.
    """

    kind: SensorKind = "fake"
    topple_s: Annotated[float, Meta(ge=0.3, le=3)] = 0.6
    pulses: Annotated[int, Meta(ge=PULSES[0], le=PULSES[-1])] = 20
    rest_s: Annotated[float, Meta(ge=0.1, le=5)] = 0.8
    hand_deg: Annotated[float, Meta(ge=0, le=45)] = 5.0


class ButtonsConfig(msgspec.Struct, frozen=True):
    """The buttons: one set for each seat, undo and pause.  kind: as of the sensors."""

    kind: SensorKind = "fake"


class PinsConfig(msgspec.Struct, frozen=True):
    """Where the wires of sensors, buttons and lights end.

    board: "header" for the Raspberry Pi's own pins, "pico" for a Pico on a USB cable.
    port: of the Pico, such as /dev/ttyACM0; "" finds it.
    factory: gpiozero's way to the header's pins, "mock" has simulated ones; a Pico needs none.
    wires: of each role the pin's number, True for its usual pin on that board, or False for no
        wire; in the file beside the board.
    """

    board: BoardName = "header"
    port: str = ""
    factory: Factory = "lgpio"
    wires: Mapping[str, int] = msgspec.field(default_factory=dict)
