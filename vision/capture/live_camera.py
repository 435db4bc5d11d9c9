"""Live cameras: the process that owns the camera is watched, ended when it hangs, and started anew.

A hung call cannot be ended by the process that made it, and keeps the device busy; so each camera
has a process of its own. It delivers small grey pictures, and a whole one when that is fetched.
"""

import itertools
import logging
import queue
import threading
import time
from collections.abc import Generator, Iterator
from dataclasses import replace
from functools import cache
from typing import Final

from vision.capture.camera import Shot
from vision.capture.colour_origin import ColourOrigin
from vision.capture.device import CameraLost, DeviceSettings
from vision.capture.exposure_lock import Controls, Lock
from vision.capture.frame import Frame
from vision.capture.lens_prior import LensPrior
from vision.capture.picture_check import PictureCheck
from vision.capture.picture_fault import PictureFault
from vision.capture.preview_frame import Luma, PreviewFrame
from vision.capture.sensor_mode import LostView
from vision.capture.watched_process import WatchedProcess

STALL_S: Final = 4.0
"""A camera that gives no picture for so long is named, and ended if it had given one."""
OPEN_S: Final = 15.0
"""How long opening a camera may take: picamera2 and some streams need several seconds."""
PAUSES_S: Final = (1.0, 60.0)
"""The first pause before a lost camera is opened again, and the longest; each is twice the one
before."""
STEADY_S: Final = 30.0
"""After pictures for so long the next pause is the first again."""
FRESH_S: Final = 20.0
"""A camera that adapted to the table less than so long ago need not do so again."""

logger = logging.getLogger(__name__)


class LiveCamera:
    """A camera that is watched: a Raspberry Pi camera, a V4L2 device, a stream or a video file.

    settings: which one.  rate_hz: how often a picture is taken, always the newest one.
    stall_s: see `STALL_S`.  pauses_s: see `PAUSES_S`.
    numbers: of its pictures, which cameras that follow each other share.
    """

    def __init__(
        self,
        settings: DeviceSettings,
        rate_hz: float = 5.0,
        *,
        stall_s: float = STALL_S,
        pauses_s: tuple[float, float] = PAUSES_S,
        numbers: Iterator[int] | None = None,
    ) -> None:
        self._settings = settings
        self._rate_hz = self._hurried_hz = rate_hz
        self._stall_s = stall_s
        self._pauses_s = pauses_s
        self._closed = threading.Event()
        self._check = PictureCheck(is_sensor=settings.is_sensor)
        self._numbers = itertools.count(1) if numbers is None else numbers
        self._lock = Lock(settings.controls)
        self._lens: LensPrior | None = None
        self._lost_view: LostView | None = None
        self._origin: ColourOrigin | None = None
        self._adapted_s = float("-inf")
        self._orders: queue.SimpleQueue[Controls | None] = queue.SimpleQueue()

    def shots(self) -> Iterator[Shot]:
        """Yield frames; a lost camera is named within 5 s, and opened again by itself."""
        pause_s = self._pauses_s[0]
        process: WatchedProcess | None = None
        for opening in itertools.count():
            began_s = time.monotonic()
            if process is not None and process.is_alive:
                name = self._settings.name
                yield CameraLost(f"{name} hangs in its driver; unplug it, or restart the computer")
            else:
                process = yield from self._open(opening)
            if time.monotonic() - began_s > STEADY_S + self._stall_s:
                pause_s = self._pauses_s[0]
            if self._closed.wait(pause_s):
                return
            pause_s = min(2.0 * pause_s, self._pauses_s[1])

    @property
    def lock(self) -> Lock:
        """What it was held at last; nothing before it was opened."""
        return self._lock

    @property
    def lens(self) -> LensPrior | None:
        """What is known of its lens; nothing before it was opened."""
        return self._lens

    @property
    def lost_view(self) -> LostView | None:
        """What its pictures lack of its view; nothing before it was opened."""
        return self._lost_view

    @property
    def origin(self) -> ColourOrigin | None:
        """How the colours of its pictures come; nothing before it was opened."""
        return self._origin

    def adapt(self) -> bool:
        """Let it adapt to the table before the next glance; False if it has just done so."""
        if time.monotonic() - self._adapted_s < FRESH_S:
            return False
        self._orders.put(None)
        return True

    def hold(self, controls: Controls) -> None:
        """Hold it at *controls* from the next glance on, after it was lost too."""
        self._orders.put(controls)

    def hurry(self, rate_hz: float) -> None:
        """Take at least so many pictures a second from now on; 0 for its own rate again."""
        self._hurried_hz = max(rate_hz, self._rate_hz)

    def close(self) -> None:
        """Stop taking pictures."""
        self._closed.set()

    def _open(self, opening: int) -> Generator[Shot, None, WatchedProcess | None]:
        """Yield shots until the camera is closed or lost, and return its process."""
        self._check.reopen()
        try:
            settings = replace(self._settings, opening=opening, controls=self._lock.controls)
            process = WatchedProcess(settings, self._stall_s, self._closed)
        except CameraLost as error:
            yield error
            return None
        with process:
            try:
                yield from self._take_pictures(process)
            except CameraLost as error:
                if not self._closed.is_set():
                    yield error  # before the process is ended, which may take a while
        return process

    def _take_pictures(self, process: WatchedProcess) -> Iterator[Shot]:
        """Yield shots until the camera is closed; raises CameraLost once it has to be restarted."""
        yield from self._wait_until_open(process)
        while not self._closed.is_set():
            self._carry_out_orders(process)
            asked_s = time.monotonic()
            yield self._judge(process, *process.glance())
            process.raise_if_lost()
            self._closed.wait(asked_s + 1.0 / self._hurried_hz - time.monotonic())

    def _wait_until_open(self, process: WatchedProcess) -> Iterator[Shot]:
        """Yield that nothing comes, if nothing does for a while; the camera may only be slow."""
        if not process.wait_for_answer(self._stall_s):
            if not self._closed.is_set():
                yield process.stalled
            if not process.wait_for_answer(OPEN_S - self._stall_s):
                raise process.stalled
        if not self._lock.controls:
            self._adapted_s = time.monotonic()
        self._note(process, process.receive_lock(0.0))

    def _carry_out_orders(self, process: WatchedProcess) -> None:
        while not self._orders.empty():
            controls = self._orders.get()
            self._note(process, process.hold(controls))
            if controls is None:
                self._adapted_s = time.monotonic()

    def _note(self, process: WatchedProcess, lock: Lock) -> None:
        if lock.trouble and lock.refused != self._lock.refused:
            logger.warning("%s", lock.trouble)
        self._lock, self._lens, self._lost_view = lock, process.lens, process.lost_view
        self._origin = process.origin

    def _judge(self, process: WatchedProcess, luma: Luma, taken_s: float) -> Shot:
        """Return what a picture is good for; raises CameraLost if the camera has to restart."""
        name = self._settings.name
        fault = self._check.find_fault(luma, taken_s)
        if fault is PictureFault.REPEATED:
            raise CameraLost(
                f"{name} repeats the same picture; it is being restarted; if that does not help,"
                " unplug it for a moment"
            )
        if fault is PictureFault.BLACK:
            return CameraLost(f"{name} gives black pictures; uncover it, or switch a light on")
        shown = f"live-{next(self._numbers):06}"

        @cache  # all who look at this picture share its frame, and with it what was found in it
        def fetch() -> Frame:
            return Frame(shown, process.fetch_picture(), taken_s)

        return PreviewFrame(shown, luma, taken_s, fetch)
