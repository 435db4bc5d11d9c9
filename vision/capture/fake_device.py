"""A camera device that fails as real ones do, for tests of what watches them."""

import itertools
import os
import time
from collections.abc import Iterator
from typing import Final, NoReturn

import numpy as np
from numpy.typing import NDArray

from vision.capture.colour_origin import ColourOrigin
from vision.capture.device import CameraLost, DeviceSettings
from vision.capture.exposure_lock import Controls, Lock, differing
from vision.capture.lens_prior import LensPrior
from vision.capture.preview_frame import Luma, luma_of
from vision.capture.sensor_mode import LostView

RATE_HZ: Final = 25.0
LONGEST_US: Final = 60_000.0
DEEDS: Final = ("live", "upright", "frozen", "black", "hang", "fail", "crash")


class FakeDevice:
    """Does what its source says, such as "live*5 hang | live".

    Deeds are separated by spaces; "*5" does one five times, and the last is done for ever.  The
    lists between bars are for the first opening, the second, and so on; the last is for all later.
    live: a noisy grey picture; upright: one of another shape; frozen: the same for ever; black;
        hang: never returns; fail: raises CameraLost; crash: ends the process.
    "shut" instead of a list: opening never returns.
    Its exposure is what it was told to hold, or longer by a millisecond each time it adapts; told
    to hold more than `LONGEST_US`, it refuses.
    """

    queues = True
    lens: LensPrior | None = None
    lost_view: LostView | None = None
    origin: ColourOrigin | None = None

    def __init__(self, settings: DeviceSettings) -> None:
        openings = settings.source.split("|")
        deeds = openings[min(settings.opening, len(openings) - 1)].split()
        if deeds == ["shut"]:
            _hang()
        self._deeds = _repeat(deeds)
        self._name = settings.name
        self._shape = (settings.height_px, settings.width_px, 3)
        self._random = np.random.default_rng(settings.opening)
        self._still = np.random.default_rng(0).integers(60, 160, self._shape, np.uint8)
        self._picture = self._glanced = self._still
        self._exposure_us = 0.0
        self.lock = self.hold(settings.controls) if settings.controls else self.adapt()

    def grab(self) -> None:
        """Do the next deed."""
        time.sleep(1.0 / RATE_HZ)
        match next(self._deeds):
            case "live":
                noise = self._random.integers(0, 5, self._shape, np.uint8)
                self._picture = self._still + noise
            case "upright":
                noise = self._random.integers(0, 5, self._shape, np.uint8)
                self._picture = np.ascontiguousarray((self._still + noise).transpose(1, 0, 2))
            case "frozen":
                self._picture = self._still
            case "black":
                self._picture = self._random.integers(0, 5, self._shape, np.uint8)
            case "hang":
                _hang()
            case "fail":
                raise CameraLost(f"no picture from {self._name}; this device has failed")
            case _:
                os.abort()

    def glance(self) -> Luma:
        """Return a small grey picture of what was grabbed last."""
        self._glanced = self._picture
        return luma_of(self._glanced)

    def retrieve(self) -> NDArray[np.uint8]:
        """Return the whole picture of the last glance."""
        return self._glanced

    def adapt(self) -> Lock:
        """Expose a little longer than before."""
        return self.hold({"ExposureTime": self._exposure_us + 1_000.0})

    def hold(self, controls: Controls) -> Lock:
        """Expose as long as it is told, as far as it can."""
        wanted = float(controls["ExposureTime"])  # type: ignore[arg-type]  # it is one number
        self._exposure_us = min(wanted, LONGEST_US)
        self.lock = Lock(controls, differing(controls, {"ExposureTime": self._exposure_us}))
        return self.lock

    def close(self) -> None:
        """Do nothing."""


def _hang() -> NoReturn:
    while True:
        time.sleep(3600.0)


def _repeat(deeds: list[str]) -> Iterator[str]:
    words = [deed.partition("*") for deed in deeds]
    if not words or any(deed not in DEEDS for deed, _, _ in words):
        raise ValueError(f"{' '.join(deeds)!r}: a deed is one of {', '.join(DEEDS)}")
    counted = [itertools.repeat(deed, int(times or 1)) for deed, _, times in words]
    return itertools.chain(*counted, itertools.repeat(words[-1][0]))
