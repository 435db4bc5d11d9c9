"""Camera devices: what the process that owns a camera opens and reads.

Only that process imports the libraries of a camera, since each of their calls may hang for ever.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from vision.capture.colour_origin import ColourOrigin
from vision.capture.exposure_lock import Controls, Lock
from vision.capture.lens_prior import LensPrior
from vision.capture.preview_frame import Luma
from vision.capture.sensor_mode import LostView
from vision.capture.video_nodes import BY_ID

Kind = Literal["video", "picamera2", "fake"]


class CameraLost(OSError):
    """No picture from a camera: one line says which, why, and what to do."""


@dataclass(frozen=True, slots=True)
class DeviceSettings:
    """Which camera to open.

    source: of "video": a V4L2 device's number, its name in `BY_ID`, or its path, a video file, or a
        stream's address; of "picamera2": a number where there are several; of "fake": what it does,
        see `FakeDevice`.
    width_px, height_px: requested from the device, which may deliver another size.
    opening: how often the camera has been opened before.
    controls: what it is to be held at; if there are none it adapts to the table first.
    lens: what was told of a lens that is screwed on, such as "6 mm".
    """

    kind: Kind
    source: str = ""
    width_px: int = 1536
    height_px: int = 864
    opening: int = 0
    controls: Controls = field(default_factory=dict)
    lens: str = ""

    @property
    def name(self) -> str:
        """What people call it; a stream's password is left out, since everybody sees this."""
        if self.kind == "picamera2":
            return f"the Raspberry Pi camera{f' {self.number}' if self.number else ''}"
        if not self.is_stream:
            return f"camera {self.source}"
        address = urlsplit(self.source)
        host = address.netloc.rpartition("@")[2]
        return f"camera {address.scheme}://{host}{address.path}"

    @property
    def number(self) -> int:
        """Which of several Raspberry Pi cameras, 0 for the first."""
        return int(self.source) if self.source.isdecimal() else 0

    @property
    def is_stream(self) -> bool:
        """Whether it comes through a network."""
        return self.kind == "video" and "://" in self.source

    @property
    def node(self) -> Path:
        """Where a V4L2 device or a file is."""
        if self.source.isdecimal():
            return Path(f"/dev/video{self.source}")
        link = BY_ID / self.source
        return link if link.is_symlink() else Path(self.source)

    @property
    def is_sensor(self) -> bool:
        """Whether an image sensor of this machine delivers the pictures, so that all are noisy.

        A stream may repeat a picture to the bit while nothing moves, and so may a virtual device.
        """
        if self.kind != "video":
            return True
        entry = Path("/sys/class/video4linux") / self.node.resolve().name
        return entry.exists() and "virtual" not in entry.resolve().parts


class Device(Protocol):
    """An open camera.

    queues: whether pictures that nobody takes queue up, so that each has to be grabbed.
    lock: what it is held at.
    lens: what is known of its lens, None if nothing is.
    lost_view: what its pictures lack of its view, None if nothing is known to be missing.
    origin: how the colours of its pictures come, None if there is nothing to say of that.
    """

    queues: bool
    lock: Lock
    lens: LensPrior | None
    lost_view: LostView | None
    origin: ColourOrigin | None

    def grab(self) -> None:
        """Wait for the next picture and keep it; raises CameraLost, or hangs."""

    def glance(self) -> Luma:
        """Return a small grey picture of what was grabbed last; raises CameraLost."""

    def retrieve(self) -> NDArray[np.uint8]:
        """Return the whole picture of the last glance, as a `Frame` has it; raises CameraLost."""

    def adapt(self) -> Lock:
        """Let exposure, gain, white balance and focus adapt to the table, then hold them."""

    def hold(self, controls: Controls) -> Lock:
        """Hold *controls*; what the device does not know of them is left out."""

    def close(self) -> None:
        """Let the camera go."""
