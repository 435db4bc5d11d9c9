"""A stand-in for picamera2, the system's own package: one camera that does what its manual says."""

import time
from collections.abc import Mapping
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

LATE_FRAMES: Final = 4
"""Frames until a control has taken effect."""
AUTOMATIC: Final = ("AeEnable", "AwbEnable")
HELD: Final = ("ExposureTime", "AnalogueGain", "ColourGains")
SETTLING_US: Final = (*(round(900 * 1.1**frame) for frame in range(32)), 20_000)
"""It adapts for longer than a second of thirty frames."""
ALL: Final = (*AUTOMATIC, *HELD, "AfMode", "LensPosition")


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

    models: of all cameras that are connected.  taken: the number of one that others use.
    controls: what it has.  longest_us: it exposes no longer.  settling_us: the exposure of the
        first frames while it adapts, the last one's of all later.
    hangs_at: the picture that never comes, 0 for none.  frame_s: how long it waits for one.
    now_s: the time by its own clock, thirty frames a second.
    """

    models: ClassVar[tuple[str, ...]] = ("imx708",)
    taken: ClassVar = -1
    controls: ClassVar[tuple[str, ...]] = ALL
    longest_us: ClassVar = 60_000
    settling_us: ClassVar[tuple[int, ...]] = SETTLING_US
    hangs_at: ClassVar = 0
    frame_s: ClassVar = 0.0
    now_s: ClassVar = 0.0

    @classmethod
    def global_camera_info(cls) -> list[dict[str, str]]:
        """Return what is connected."""
        return [{"Model": model} for model in cls.models]

    def __init__(self, number: int) -> None:
        if number == self.taken:
            raise RuntimeError("Camera __init__ sequence did not complete.")
        self.number = number
        self._shots = self._late = 0
        self._pending: Mapping[str, Any] | None = None
        self._settling = iter(self.settling_us)
        self._now: dict[str, Any] = {
            "ExposureTime": 5_000, "AnalogueGain": 1.5, "ColourGains": (2.0, 1.0),
            "LensPosition": 1.2, "Lux": 300.0,
        }  # fmt: skip
        self.camera_controls = dict.fromkeys(self.controls, (0, 1, 0))
        self._requests: list[Request] = []

    def create_video_configuration(
        self, main: dict[str, Any], lores: dict[str, Any]
    ) -> dict[str, dict[str, Any]]:
        """Return both streams, which have to be as a small picture of ours wants them."""
        assert main == {"size": (64, 48), "format": "RGB888"}, main
        assert lores == {"size": (64, 48), "format": "YUV420"}, lores
        return {"main": main, "lores": lores}

    def configure(self, streams: dict[str, dict[str, Any]]) -> None:
        """Take *streams*."""
        self._streams = streams

    def stream_configuration(self, name: str) -> dict[str, Any]:
        """Return what a stream is like."""
        return self._streams[name]

    def start(self) -> None:
        """Do nothing."""

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
            known["ExposureTime"] = min(known["ExposureTime"], self.longest_us) - 11  # whole lines
            self._now.update(known)
        return dict(self._now)

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

    def _wait(self) -> None:
        time.sleep(self.frame_s)
        type(self).now_s += 1.0 / 30.0
