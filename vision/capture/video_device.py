"""What OpenCV opens: a V4L2 camera, a stream from the network, or a video file."""

import os
import re
import time
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.camera_list import join_cameras, list_video_cameras
from vision.capture.colour_origin import OPENCV, ColourOrigin, codec_of
from vision.capture.decoder_lines import DecoderLines
from vision.capture.device import CameraLost, DeviceSettings
from vision.capture.exposure_lock import ADAPTING, Controls, Lock, differing
from vision.capture.lens_prior import LensPrior
from vision.capture.preview_frame import Luma, luma_of
from vision.capture.sensor_mode import LostView

FILE_RATES_HZ: Final = (1.0, 120.0)
"""A video file that claims another rate is played at `USUAL_RATE_HZ`."""
USUAL_RATE_HZ: Final = 25.0
BROKEN_IN_A_ROW: Final = 25
"""So many broken pictures are passed over before the camera counts as lost."""
ADAPTING_S: Final = 1.5
"""A webcam adapts within a second or so, as long as its pictures are taken."""
HELD: Final = {
    "exposure": cv2.CAP_PROP_EXPOSURE,
    "gain": cv2.CAP_PROP_GAIN,
    "white_balance_k": cv2.CAP_PROP_WB_TEMPERATURE,
    "focus": cv2.CAP_PROP_FOCUS,
}
"""The values of a V4L2 device by our names; OpenCV says -1 for one that it lacks."""
AUTO: Final = {
    cv2.CAP_PROP_AUTO_EXPOSURE: ("exposure", 3.0, 1.0),
    cv2.CAP_PROP_AUTO_WB: ("white_balance_k", 1.0, 0.0),
    cv2.CAP_PROP_AUTOFOCUS: ("focus", 1.0, 0.0),
}
"""What makes each adapt by itself, and what holds it: V4L2_EXPOSURE_APERTURE_PRIORITY and _MANUAL
are 3 and 1 (kernel documentation, camera control reference)."""


class VideoDevice:
    """A camera, stream or file.  A video file is played at its own rate, again and again.

    lines: by which broken pictures are known and counted; closed with it.
    """

    queues = True
    lens: LensPrior | None = None
    lost_view: LostView | None = None

    def __init__(self, settings: DeviceSettings, lines: DecoderLines | None = None) -> None:
        self._settings = settings
        self._is_file = not settings.is_stream and settings.node.is_file()
        self._lines = lines
        self._capture = self._open()
        rate_hz = self._capture.get(cv2.CAP_PROP_FPS)
        is_usual = FILE_RATES_HZ[0] <= rate_hz <= FILE_RATES_HZ[1]
        self._period_s = 1.0 / (rate_hz if is_usual else USUAL_RATE_HZ)
        self._due_s = time.monotonic()
        self.lock = self.hold(settings.controls) if settings.controls else self.adapt()
        self.origin: ColourOrigin | None = self._find_origin()

    def grab(self) -> None:
        """Wait for the next picture; a device or a stream hands the oldest in its queue out."""
        if self._is_file:
            time.sleep(max(0.0, self._due_s - time.monotonic()))
            self._due_s = max(self._due_s, time.monotonic() - self._period_s) + self._period_s
        if self._grab_whole():
            return
        if not self._is_file:
            raise self._lost()
        self._capture.release()
        self._capture = self._open()
        if not self._capture.grab():
            raise self._lost()

    def _grab_whole(self) -> bool:
        """Grab the next picture that is not broken, and return whether there is one."""
        for _ in range(BROKEN_IN_A_ROW):
            is_grabbed = self._capture.grab()
            is_broken = self._is_broken(at_once=True)
            if is_grabbed or not is_broken:
                return is_grabbed
        return False

    def glance(self) -> Luma:
        """Return a small grey picture of what was grabbed last."""
        ok, picture = self._capture.retrieve()
        for _ in range(BROKEN_IN_A_ROW):
            if not self._is_broken(at_once=False) or ok:
                break
            self.grab()
            ok, picture = self._capture.retrieve()
        if not ok:
            raise self._lost()
        if picture.ndim == 2:
            picture = cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR)
        self._picture = np.ascontiguousarray(picture, dtype=np.uint8)
        return luma_of(self._picture)

    def _is_broken(self, *, at_once: bool) -> bool:
        """Return whether the picture that was taken last is, by what its decoder said.

        at_once: whether it was grabbed, not retrieved. FFmpeg decodes a picture then, V4L2 later;
        it is counted once it is decoded.
        """
        if self._lines is None:
            return False
        is_broken = self._lines.heard()
        if at_once == (self._capture.getBackendName() == "FFMPEG"):
            self._lines.note(is_broken=is_broken)
        return is_broken

    def retrieve(self) -> NDArray[np.uint8]:
        """Return the whole picture of the last glance, whatever was grabbed since."""
        return self._picture

    def adapt(self) -> Lock:
        """Let exposure, white balance and focus of a V4L2 device adapt, then hold them."""
        if self._is_file or self._settings.is_stream:
            return self._hold_nothing()
        for switch, (_, automatic, _) in AUTO.items():
            self._capture.set(switch, automatic)
        until_s = time.monotonic() + ADAPTING_S
        while time.monotonic() < until_s:
            self.grab()
        return self.hold(self._report())

    def close(self) -> None:
        """Let the device go."""
        self._capture.release()
        if self._lines is not None:
            self._lines.close()

    def hold(self, controls: Controls) -> Lock:
        """Hold *controls*, as far as the driver does; nobody holds a stream's or a file's."""
        if self._is_file or self._settings.is_stream:
            self.lock = self._hold_nothing()
            return self.lock
        for switch, (_, _, manual) in AUTO.items():
            self._capture.set(switch, manual)
        wanted = {
            name: value
            for name, value in controls.items()
            if name in HELD and not isinstance(value, tuple)
        }
        for name, value in wanted.items():
            self._capture.set(HELD[name], value)
        refused = (*differing(wanted, self._report()), *self._automatic())
        self.lock = Lock(wanted, tuple(dict.fromkeys(refused)))
        return self.lock

    def _hold_nothing(self) -> Lock:
        """Return what a file or a stream is held at: what adapts was done, or does so elsewhere."""
        return Lock() if self._is_file else Lock({}, ADAPTING)

    def _automatic(self) -> list[str]:
        """Return what adapts all the same: its switch did not take, or there is none."""
        found = [
            name
            for switch, (name, automatic, _) in AUTO.items()
            if float(self._capture.get(switch)) == automatic
        ]
        if self._settings.is_sensor and "exposure" not in self._report():
            found.append("exposure")
        return found

    def _report(self) -> dict[str, float | tuple[float, ...]]:
        said = {name: float(self._capture.get(place)) for name, place in HELD.items()}
        return {name: value for name, value in said.items() if value >= 0.0}

    def _open(self) -> cv2.VideoCapture:
        capture = cv2.VideoCapture(self._place())
        if not capture.isOpened():
            raise self._lost()
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, self._settings.width_px)
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, self._settings.height_px)
        return capture

    def _find_origin(self) -> ColourOrigin:
        kind = "file" if self._is_file else "stream" if self._settings.is_stream else "device"
        return ColourOrigin(
            kind,
            OPENCV,
            self._capture.getBackendName(),
            codec_of(self._capture.get(cv2.CAP_PROP_FOURCC)),
            (
                int(self._capture.get(cv2.CAP_PROP_FRAME_WIDTH)),
                int(self._capture.get(cv2.CAP_PROP_FRAME_HEIGHT)),
            ),
        )

    def _place(self) -> int | str:
        """Return a V4L2 device's number, whichever it has now; else what the settings say."""
        if self._settings.is_stream:
            return self._settings.source
        numbered = re.fullmatch(r"/dev/video(\d+)", str(self._settings.node.resolve()))
        return int(numbered[1]) if numbered else str(self._settings.node)

    def _lost(self) -> CameraLost:
        if self._is_file:
            remedy = "it is not a video that can be played; choose another file"
        elif self._settings.is_stream:
            remedy = "check that it is switched on, and its address"
        elif not self._settings.node.exists():
            remedy = f"there is no {self._settings.node}; plug it in"
            if here := list_video_cameras():
                remedy += f", or choose one that is here: {join_cameras(here)}"
        elif not os.access(self._settings.node, os.R_OK | os.W_OK):
            remedy = (
                f"no permission for {self._settings.node}: sudo usermod -aG video $USER, then"
                " log in again"
            )
        else:
            remedy = "check the cable, and whether another program uses it"
        return CameraLost(f"no picture from {self._settings.name}; {remedy}")
