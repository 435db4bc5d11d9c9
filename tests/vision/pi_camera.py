"""A stand-in for picamera2, the system's own package: one camera that does what its manual says.

The modes are those that rpicam-hello lists: of Camera Module 3 in raspberrypi/picamera2, issue
1184, of 2 in lit-robotics/libcamera-rs, pull request 75, of 1 in raspberrypi/rpicam-apps, issue
427, of the HQ Camera in raspberrypi/linux, pull request 6208, of the AI Camera in
Gordon999/RPiCamGUI, issue 14, of the global shutter in the issue 3632 of allsky.
"""

import time
from collections.abc import Mapping
from typing import Any, ClassVar, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Mode: TypeAlias = dict[str, Any]

LATE_FRAMES: Final = 4
"""Frames until a control has taken effect."""
AUTOMATIC: Final = ("AeEnable", "AwbEnable")
HELD: Final = ("ExposureTime", "AnalogueGain", "ColourGains")
SETTLING_US: Final = (*(round(900 * 1.1**frame) for frame in range(32)), 20_000)
"""It adapts for longer than a second of thirty frames."""
ALL: Final = (*AUTOMATIC, *HELD, "AfMode", "LensPosition", "FrameDurationLimits")
VIDEO_US: Final = (33_333, 33_333)
"""What a frame of a video takes unless something else is asked for."""


def _mode(size: tuple[int, int], fps: float, crop: tuple[int, ...], bits: int = 10) -> Mode:
    return {
        "format": f"SRGGB{bits}_CSI2P", "unpacked": f"SRGGB{bits}", "bit_depth": bits,
        "size": size, "fps": fps, "crop_limits": crop, "exposure_limits": (26, 220_416_802, 20_000),
    }  # fmt: skip


_MODULE_3: Final = (
    _mode((1536, 864), 120.13, (768, 432, 3072, 1728)),
    _mode((2304, 1296), 56.03, (0, 0, 4608, 2592)),
    _mode((4608, 2592), 14.35, (0, 0, 4608, 2592)),
)
MODES: Final[Mapping[str, tuple[Mode, ...]]] = {
    "imx708": _MODULE_3,
    "imx708_noir": _MODULE_3,
    "imx708_wide": _MODULE_3,
    "imx219": tuple(
        _mode(size, fps, crop, bits)
        for bits, binned_hz in ((10, 41.85), (8, 83.70))
        for size, fps, crop in (
            ((640, 480), 206.65, (1000, 752, 1280, 960)),
            ((1640, 1232), binned_hz, (0, 0, 3280, 2464)),
            ((1920, 1080), 47.57, (680, 692, 1920, 1080)),
            ((3280, 2464), 21.19, (0, 0, 3280, 2464)),
        )
    ),
    "ov5647": (
        _mode((640, 480), 58.92, (16, 0, 2560, 1920)),
        _mode((1296, 972), 43.25, (0, 0, 2592, 1944)),
        _mode((1920, 1080), 30.62, (348, 434, 1928, 1080)),
        _mode((2592, 1944), 15.63, (0, 0, 2592, 1944)),
    ),
    "imx477": (
        _mode((1332, 990), 169.87, (696, 528, 2664, 1980)),
        _mode((2028, 1080), 105.95, (0, 440, 4056, 2160), 12),
        _mode((2028, 1520), 75.36, (0, 0, 4056, 3040), 12),
        _mode((4056, 2160), 27.48, (0, 440, 4056, 3040), 12),  # it reads 2160 lines
        _mode((4056, 3040), 19.53, (0, 0, 4056, 3040), 12),
    ),
    "imx500": (
        _mode((2028, 1520), 30.02, (0, 0, 4056, 3040)),
        _mode((4056, 3040), 10.0, (0, 0, 4056, 3040)),
    ),
    "imx296": (_mode((1456, 1088), 60.38, (0, 0, 1456, 1088)),),
}
CELLS_NM: Final = {"imx219": 1120, "imx296": 3450, "imx477": 1550, "imx500": 1550}


class Request:
    """A picture in both streams, until it is released."""

    def __init__(self, number: int) -> None:
        self.released = False
        table = np.random.default_rng(number).integers(50, 90, (48, 64, 3), np.uint8)
        padded = np.zeros((72, 80), np.uint8)  # rows of 64 in steps of 80, then the colours
        padded[:48, :64] = table.mean(axis=2).round()
        self._arrays = {"main": table, "lores": padded}

    def make_array(self, name: str) -> NDArray[np.uint8]:
        """Return a stream's picture."""
        assert not self.released
        return self._arrays[name]

    def release(self) -> None:
        """Give the picture back, once."""
        assert not self.released
        self.released = True


class Picamera2:
    """The camera; what it is like, its class says.

    models: of all cameras that are connected.  ids: theirs, where they matter.
    taken: the number of one that others use.
    modes: by the sensor's model.  is_deaf: it takes the mode it likes, whatever is asked for.
    silent: what neither metadata nor properties tell.  more_properties: what these tell otherwise.
    controls: what it has.  longest_us: it exposes no longer.  settling_us: the exposure of the
        first frames while it adapts, the last one's of all later.
    hangs_at: the picture that never comes, 0 for none.  frame_s: how long it waits for one.
    now_s: the time by its own clock, thirty frames a second.
    """

    models: ClassVar[tuple[str, ...]] = ("imx708",)
    ids: ClassVar[tuple[str, ...]] = ()
    taken: ClassVar = -1
    modes: ClassVar[Mapping[str, tuple[Mode, ...]]] = MODES
    is_deaf: ClassVar = False
    silent: ClassVar[tuple[str, ...]] = ()
    more_properties: ClassVar[Mapping[str, Any]] = {}
    controls: ClassVar[tuple[str, ...]] = ALL
    longest_us: ClassVar = 60_000
    settling_us: ClassVar[tuple[int, ...]] = SETTLING_US
    hangs_at: ClassVar = 0
    frame_s: ClassVar = 0.0
    now_s: ClassVar = 0.0

    @classmethod
    def global_camera_info(cls) -> list[dict[str, str]]:
        """Return what is connected."""
        ids = cls.ids or [f"/base/soc/i2c0mux/i2c@1/{model}@1a" for model in cls.models]
        return [{"Model": model, "Id": own} for model, own in zip(cls.models, ids, strict=True)]

    def __init__(self, number: int) -> None:
        if number == self.taken:
            raise RuntimeError("Camera __init__ sequence did not complete.")
        self.number = number
        self._is_started = False
        self._model = self.models[number]
        # A longest side and what is around the sensor's active area, as libcamera gives it.
        widest = max((mode["crop_limits"] for mode in MODES[self._model]), key=lambda crop: crop[2])
        told = {
            "Model": self._model,
            "PixelArrayActiveAreas": [(16, 24, *widest[2:])],
            "UnitCellSize": (CELLS_NM.get(self._model, 1400),) * 2,
        }
        self.camera_properties = self._without_the_silent(told | dict(self.more_properties))
        self._shots = self._late = 0
        self._pending: Mapping[str, Any] | None = None
        self._settling = iter(self.settling_us)
        self._now: dict[str, Any] = {
            "ExposureTime": 5_000, "AnalogueGain": 1.5, "ColourGains": (2.0, 1.0),
            "LensPosition": 1.2, "Lux": 300.0,
        }  # fmt: skip
        self.camera_controls = dict.fromkeys(self.controls, (0, 1, 0))
        self._requests: list[Request] = []

    @property
    def sensor_modes(self) -> list[Mode]:
        """What the sensor can do; to find that out the camera is configured for each."""
        assert not self._is_started
        return list(self.modes[self._model])

    def create_video_configuration(
        self,
        main: dict[str, Any],
        lores: dict[str, Any],
        sensor: Mapping[str, Any] | None = None,
        controls: Mapping[str, Any] | None = None,
    ) -> dict[str, dict[str, Any]]:
        """Return both streams, which have to be as a picture of ours wants them, and the rest."""
        width, height = main["size"]
        assert main["format"] == "RGB888", main
        assert lores == {"size": (min(width, 384), min(height, 216)), "format": "YUV420"}, lores
        assert set(controls or {}) <= set(self.controls), controls
        limits = {"FrameDurationLimits": VIDEO_US} | dict(controls or {})
        return {"main": main, "lores": lores, "sensor": dict(sensor or {}), "controls": limits}

    def configure(self, streams: dict[str, dict[str, Any]]) -> None:
        """Take *streams*, and the sensor's mode that is asked for, else one of about that size."""
        self._streams = streams
        wanted = {} if self.is_deaf else streams["sensor"]
        size = wanted.get("output_size", streams["main"]["size"])
        bits = wanted.get("bit_depth", 10)
        self.mode = min(
            MODES[self._model],
            key=lambda mode: (
                sum(abs(a - b) for a, b in zip(mode["size"], size, strict=True)),
                abs(mode["bit_depth"] - bits),
            ),
        )
        assert not wanted or (self.mode["size"], self.mode["bit_depth"]) == (size, bits), wanted
        self._now["ScalerCrop"] = _cut(self.mode["crop_limits"], *streams["main"]["size"])

    def stream_configuration(self, name: str) -> dict[str, Any]:
        """Return what a stream is like."""
        return self._streams[name]

    def start(self) -> None:
        """Let no mode be looked at any more."""
        self._is_started = True

    def set_controls(self, controls: Mapping[str, Any]) -> None:
        """Adapt, or hold *controls* a few frames later; there are no others than it has."""
        assert set(controls) <= set(self.controls), controls
        if controls.get("AeEnable"):
            self._settling = iter(self.settling_us)
        self._pending = None if controls.get("AeEnable", True) else controls
        self._late = LATE_FRAMES

    def capture_metadata(self) -> dict[str, Any]:
        """Return what the next frame was taken with."""
        self._wait()
        self._late -= 1
        if self._pending is None:
            self._now["ExposureTime"] = next(self._settling, self.settling_us[-1])
        elif self._late == 0:
            known = {name: value for name, value in self._pending.items() if name in self._now}
            frame_us = self._streams["controls"]["FrameDurationLimits"][1]
            longest_us = min(self.longest_us, frame_us)
            known["ExposureTime"] = min(known["ExposureTime"], longest_us) - 11  # whole lines
            self._now.update(known)
        return self._without_the_silent(self._now)

    def capture_request(self) -> Request:
        """Return the next frame; of those before, one at most may still be held."""
        assert sum(not request.released for request in self._requests) <= 1
        self._wait()
        self._shots += 1
        if self._shots == self.hangs_at:
            time.sleep(3600.0)
        self._requests.append(Request(self._shots))
        return self._requests[-1]

    def close(self) -> None:
        """Fail unless every frame was given back."""
        assert all(request.released for request in self._requests)

    def _without_the_silent(self, told: Mapping[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in told.items() if name not in self.silent}

    def _wait(self) -> None:
        time.sleep(self.frame_s)
        type(self).now_s += 1.0 / 30.0


def _cut(crop: tuple[int, ...], width_px: int, height_px: int) -> tuple[int, int, int, int]:
    """Return the middle of *crop* in the shape of a picture, in even numbers."""
    left, top, width, height = crop
    across = min(width, height * width_px // height_px) // 2 * 2
    down = min(height, width * height_px // width_px) // 2 * 2
    return left + (width - across) // 2, top + (height - down) // 2, across, down
