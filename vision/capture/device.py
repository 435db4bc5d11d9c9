"""Camera devices: what the process that owns a camera opens and reads.

Only that process imports the libraries of a camera, since each of their calls may hang for ever.
"""

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, Protocol
from urllib.parse import urlsplit

import cv2
import numpy as np
from numpy.typing import NDArray

WARM_UP_S: Final = 1.0
"""Exposure and white balance of a Raspberry Pi camera adapt for so long before they are locked."""
FILE_RATES_HZ: Final = (1.0, 120.0)
"""A video file that claims another rate is played at `USUAL_RATE_HZ`."""
USUAL_RATE_HZ: Final = 25.0

Kind = Literal["video", "picamera2", "fake"]


class CameraLost(OSError):
    """No picture from a camera: one line says which, why, and what to do."""


@dataclass(frozen=True, slots=True)
class DeviceSettings:
    """Which camera to open.

    source: of "video": a V4L2 device's number or path, a video file, or a stream's address; of
        "fake": what it does, see `FakeDevice`.
    width_px, height_px: requested from the device, which may deliver another size.
    opening: how often the camera has been opened before.
    """

    kind: Kind
    source: str = ""
    width_px: int = 1536
    height_px: int = 864
    opening: int = 0

    @property
    def name(self) -> str:
        """What people call it; a stream's password is left out, since everybody sees this."""
        if self.kind == "picamera2":
            return "the Raspberry Pi camera"
        if not self.is_stream:
            return f"camera {self.source}"
        address = urlsplit(self.source)
        host = address.netloc.rpartition("@")[2]
        return f"camera {address.scheme}://{host}{address.path}"

    @property
    def is_stream(self) -> bool:
        """Whether it comes through a network."""
        return self.kind == "video" and "://" in self.source

    @property
    def node(self) -> Path:
        """Where a V4L2 device or a file is."""
        return Path(f"/dev/video{self.source}" if self.source.isdecimal() else self.source)

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
    """

    queues: bool

    def grab(self) -> None:
        """Wait for the next picture and keep it; raises CameraLost, or hangs."""

    def retrieve(self) -> NDArray[np.uint8]:
        """Return the picture that was grabbed last, as a `Frame` has it; raises CameraLost."""

    def close(self) -> None:
        """Let the camera go."""


class VideoDevice:
    """What OpenCV opens.  A video file is played at its own rate, again and again."""

    queues = True

    def __init__(self, settings: DeviceSettings) -> None:
        self._settings = settings
        self._is_file = not settings.is_stream and settings.node.is_file()
        self._capture = self._open()
        rate_hz = self._capture.get(cv2.CAP_PROP_FPS)
        is_usual = FILE_RATES_HZ[0] <= rate_hz <= FILE_RATES_HZ[1]
        self._period_s = 1.0 / (rate_hz if is_usual else USUAL_RATE_HZ)
        self._due_s = time.monotonic()

    def grab(self) -> None:
        """Wait for the next picture; a device or a stream hands the oldest in its queue out."""
        if self._is_file:
            time.sleep(max(0.0, self._due_s - time.monotonic()))
            self._due_s = max(self._due_s, time.monotonic() - self._period_s) + self._period_s
        if self._capture.grab():
            return
        if not self._is_file:
            raise self._lost()
        self._capture.release()
        self._capture = self._open()
        if not self._capture.grab():
            raise self._lost()

    def retrieve(self) -> NDArray[np.uint8]:
        """Return the picture that was grabbed last."""
        ok, picture = self._capture.retrieve()
        if not ok:
            raise self._lost()
        if picture.ndim == 2:
            picture = cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR)
        return np.ascontiguousarray(picture, dtype=np.uint8)

    def close(self) -> None:
        """Let the device go."""
        self._capture.release()

    def _open(self) -> cv2.VideoCapture:
        source = self._settings.source
        capture = cv2.VideoCapture(int(source) if source.isdecimal() else source)
        if not capture.isOpened():
            raise self._lost()
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, self._settings.width_px)
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, self._settings.height_px)
        return capture

    def _lost(self) -> CameraLost:
        if self._is_file:
            remedy = "it is no video that can be played; choose another file"
        elif self._settings.is_stream:
            remedy = "check that it is switched on, and its address in camera.device"
        elif not self._settings.node.exists():
            remedy = f"there is no {self._settings.node}; plug it in, or set camera.device"
        else:
            remedy = "check the cable, and whether another program uses it"
        return CameraLost(f"no picture from {self._settings.name}; {remedy}")


class PiDevice:
    """A Raspberry Pi camera module through picamera2, which is the system's own package.

    Exposure and white balance adapt for a second and are then locked, so that colours learned at
    the start of a game stay valid.
    """

    queues = False  # picamera2 drops pictures that nobody takes

    def __init__(self, settings: DeviceSettings) -> None:
        self._name = settings.name
        try:
            self._camera = self._open(settings)
        except (ImportError, RuntimeError, IndexError, OSError) as error:
            raise self._lost(error) from None

    def grab(self) -> None:
        """Wait for the next picture."""
        try:
            self._picture = np.ascontiguousarray(self._camera.capture_array("main"), np.uint8)
        except (RuntimeError, OSError) as error:
            raise self._lost(error) from None

    def retrieve(self) -> NDArray[np.uint8]:
        """Return the picture that was grabbed last."""
        return self._picture

    def close(self) -> None:
        """Let the camera go."""
        self._camera.close()

    def _open(self, settings: DeviceSettings) -> Any:
        """Return the started device, its exposure, gain and white balance locked."""
        # Loaded here: it exists only on a Raspberry Pi, and takes a second.
        from picamera2 import Picamera2  # noqa: PLC0415

        device = Picamera2()
        # picamera2's "RGB888" is blue, green, red in memory, as OpenCV wants it.
        main = {"size": (settings.width_px, settings.height_px), "format": "RGB888"}
        device.configure(device.create_video_configuration(main=main))
        device.start()
        time.sleep(WARM_UP_S)
        metadata = device.capture_metadata()
        device.set_controls(
            {
                "AeEnable": False,
                "AwbEnable": False,
                "ExposureTime": metadata["ExposureTime"],
                "AnalogueGain": metadata["AnalogueGain"],
                "ColourGains": metadata["ColourGains"],
            }
        )
        return device

    def _lost(self, error: Exception) -> CameraLost:
        return CameraLost(
            f"{self._name} gives no picture ({error}); check its cable and that"
            " python3-picamera2 is installed"
        )
