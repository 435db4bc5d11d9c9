"""A Raspberry Pi camera module through picamera2, which is the system's own package."""

import time
from collections.abc import Mapping
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from vision.capture.camera_list import FoundCamera, join_cameras, list_video_cameras, pi_cameras
from vision.capture.colour_origin import ColourOrigin
from vision.capture.device import CameraLost, DeviceSettings
from vision.capture.exposure_lock import Controls, Lock, differing
from vision.capture.lens_prior import LensPrior, find_prior
from vision.capture.preview_frame import Luma, luma_of
from vision.capture.sensor_mode import LostView, Mode, Rectangle, choose_mode, find_lost_view

WARM_UP_S: Final = 1.0
"""Exposure and white balance need at least so long to adapt to a table."""
ADAPTING_S: Final = 4.0
"""They are locked after so long, whether they have come to rest or not."""
STEADY_FRAMES: Final = 3
"""In so many frames in a row the exposure must be the same."""
TAKING_FRAMES: Final = 12
"""A control has taken effect after some 4 frames; after so many it will not any more."""
FRAMES_US: Final = (33_333, 100_000)
"""A frame may take so long, and with it an exposure.  picamera2 holds a video's at 33 ms, too short
for an evening's lamp; libcamera's usual profile goes to 67."""
LOW_SIZE_PX: Final = (384, 216)
"""Of the second stream, which is for glances; libcamera scales every sensor down to that."""
AUTO: Final = {"AeEnable": True, "AwbEnable": True}
MANUAL: Final = {"AeEnable": False, "AwbEnable": False}
HELD: Final = ("ExposureTime", "AnalogueGain", "ColourGains", "LensPosition")
TAKEN: Final = ("did not complete", "acquire", "busy", "in use")
"""What picamera2 says in other words where another process has the camera."""
FOCUS_MANUAL, FOCUS_CONTINUOUS = 0, 2
"""libcamera's AfMode; only modules with a motor have it."""


class NoPiCamera(CameraLost):
    """There is no Raspberry Pi camera, which webcams that are here may stand in for."""


class PiDevice:
    """A camera with two streams: small grey pictures all the time, the whole one on demand.

    Its sensor's mode is that with the widest view; left to itself picamera2 takes one that is
    cropped, for Camera Module 3 to two thirds of the width.
    Exposure, gain, white balance and focus adapt once and are then held, at what the settings say
    if they say something: colours that were learned stay valid when the camera is opened again.
    """

    queues = False  # picamera2 drops pictures that nobody takes

    def __init__(self, settings: DeviceSettings) -> None:
        self._name = settings.name
        self._request: Any = None
        try:
            self._camera = self._open(settings)
            self.lock = self.hold(settings.controls) if settings.controls else self.adapt()
            self.lens, self.lost_view = self._look(settings)
            self.origin: ColourOrigin | None = _origin_of(settings)
        except CameraLost:
            raise
        except (ImportError, RuntimeError, IndexError, OSError) as error:
            raise self._lost(error) from None

    def grab(self) -> None:
        """Wait for the next picture."""
        try:
            request = self._camera.capture_request()
        except (RuntimeError, OSError) as error:
            raise self._lost(error) from None
        self._release()
        self._request = request

    def glance(self) -> Luma:
        """Return a small grey picture of what was grabbed last."""
        width, height = self._low_size_px
        # The rows of brightness come first; each may be padded.
        return luma_of(np.asarray(self._request.make_array("lores"))[:height, :width])

    def retrieve(self) -> NDArray[np.uint8]:
        """Return the whole picture that was grabbed last."""
        try:
            return np.ascontiguousarray(self._request.make_array("main"), np.uint8)
        except (RuntimeError, OSError) as error:
            raise self._lost(error) from None

    def adapt(self) -> Lock:
        """Let exposure, gain, white balance and focus adapt, then hold them."""
        begun_s = time.monotonic()
        self._set(AUTO | self._focus(FOCUS_CONTINUOUS))
        same, last = 0, self._report()
        while time.monotonic() - begun_s < ADAPTING_S:
            now = self._report()
            same = 0 if differing(last, now) else same + 1
            last = now
            if same >= STEADY_FRAMES and time.monotonic() - begun_s >= WARM_UP_S:
                break
        return self.hold(last)

    def hold(self, controls: Controls) -> Lock:
        """Hold *controls*, and check them against what the camera then reports."""
        known = self._camera.camera_controls
        wanted = {name: value for name, value in controls.items() if name in known}
        self._set(MANUAL | self._focus(FOCUS_MANUAL) | wanted)
        refused = tuple(wanted)
        for _ in range(TAKING_FRAMES):
            refused = differing(wanted, self._report())
            if not refused:
                break
        self.lock = Lock(wanted, refused)
        return self.lock

    def close(self) -> None:
        """Let the camera go."""
        self._release()
        self._camera.close()

    def _open(self, settings: DeviceSettings) -> Any:
        # Loaded here: it exists only on a Raspberry Pi, and takes a second.
        from picamera2 import Picamera2  # noqa: PLC0415

        here = pi_cameras(Picamera2.global_camera_info())
        if settings.number >= len(here):
            raise _missing(settings.number, here)
        device = Picamera2(settings.number)
        mode = choose_mode(_modes_of(device), (settings.width_px, settings.height_px))
        more: dict[str, Any] = {}
        if mode is not None:
            more["sensor"] = {"output_size": mode["size"], "bit_depth": mode["bit_depth"]}
        if "FrameDurationLimits" in device.camera_controls:
            more["controls"] = {"FrameDurationLimits": FRAMES_US}
        # picamera2's "RGB888" is blue, green, red in memory, as OpenCV wants it.
        main = {"size": (settings.width_px, settings.height_px), "format": "RGB888"}
        # A stream for glances may not be larger than the main one.
        low_px = (min(LOW_SIZE_PX[0], settings.width_px), min(LOW_SIZE_PX[1], settings.height_px))
        low = {"size": low_px, "format": "YUV420"}
        device.configure(device.create_video_configuration(main=main, lores=low, **more))
        self._low_size_px = device.stream_configuration("lores")["size"]
        device.start()
        return device

    def _look(self, settings: DeviceSettings) -> tuple[LensPrior | None, LostView | None]:
        """Return what is known of the lens, and what is missing of the view."""
        known = self._camera.camera_properties
        taken = _rectangle(self._camera.capture_metadata().get("ScalerCrop"))
        areas = known.get("PixelArrayActiveAreas") or (None,)
        size_px = settings.width_px, settings.height_px
        lost_view = find_lost_view(taken, _rectangle(areas[0]), size_px)
        if taken is None:
            return None, lost_view
        cell = known.get("UnitCellSize")
        cell_nm = cell[0] if isinstance(cell, tuple | list) else None
        return find_prior(str(known.get("Model")), taken[2], settings.lens, cell_nm), lost_view

    def _report(self) -> dict[str, float | tuple[float, ...]]:
        """Return what the next frame was taken with."""
        metadata = self._camera.capture_metadata()
        return {
            name: tuple(value) if isinstance(value, list | tuple) else value
            for name in HELD
            if (value := metadata.get(name)) is not None
        }

    def _set(self, controls: Mapping[str, Any]) -> None:
        known = self._camera.camera_controls
        self._camera.set_controls({name: controls[name] for name in controls if name in known})

    def _focus(self, mode: int) -> dict[str, int]:
        return {"AfMode": mode} if "AfMode" in self._camera.camera_controls else {}

    def _release(self) -> None:
        if self._request is not None:
            self._request.release()
            self._request = None

    def _lost(self, error: Exception) -> CameraLost:
        remedy = "check its cable and that python3-picamera2 is installed"
        if any(part in str(error).lower() for part in TAKEN):
            remedy = (
                "another program uses it, such as rpicam-hello: stop it; otherwise check its cable"
            )
        return CameraLost(f"{self._name} gives no picture ({error}); {remedy}")


def _origin_of(settings: DeviceSettings) -> ColourOrigin:
    """Return how colours come: libcamera's tuning makes them, and is released with picamera2."""
    release = ""
    with suppress(PackageNotFoundError):
        release = f" {version('picamera2')}"
    size_px = settings.width_px, settings.height_px
    return ColourOrigin("picamera2", f"picamera2{release}", "", "RGB888", size_px)


def _missing(number: int, here: tuple[FoundCamera, ...]) -> CameraLost:
    if here:
        return CameraLost(
            f"there is no Raspberry Pi camera {number}; choose one that is here:"
            f" {join_cameras(here)}"
        )
    remedy = "switch off, push the ribbon cable fully in at both ends, and start again"
    if webcams := list_video_cameras():
        remedy += f"; or choose one that is here: {join_cameras(webcams)}"
    return NoPiCamera(f"no Raspberry Pi camera is connected; {remedy}")


def _modes_of(device: Any) -> list[Mode]:
    """Return the sensor's modes; picamera2 configures the camera for each to find out about it."""
    try:
        return list(device.sensor_modes)
    except (AttributeError, KeyError, RuntimeError, TypeError):
        return []  # it may be opened all the same, and then says what it shows


def _rectangle(given: Any) -> Rectangle | None:
    """Return a rectangle as picamera2 gives it: numbers, or in older versions libcamera's own."""
    if hasattr(given, "width"):
        given = given.x, given.y, given.width, given.height
    try:
        left, top, width, height = map(int, given)
    except (TypeError, ValueError):
        return None
    return (left, top, width, height) if width and height else None
