"""Cameras: sources of glances, one after the other, until closed.

A camera yields either a glance or the reason why there is none. It never ends by an exception,
since an unplugged cable may be plugged in again.
"""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Protocol, TypeAlias

from vision.capture.colour_origin import ColourOrigin
from vision.capture.device import CameraLost
from vision.capture.exposure_lock import Controls, Lock
from vision.capture.frame import BadPicture, Frame, load_frame
from vision.capture.lens_prior import LensPrior
from vision.capture.preview_frame import PreviewFrame, glance_at
from vision.capture.sensor_mode import LostView

Shot: TypeAlias = PreviewFrame | CameraLost | BadPicture


class Camera(Protocol):
    """A source of pictures."""

    @property
    def lock(self) -> Lock:
        """What its exposure, gain, white balance and focus are held at."""

    @property
    def lens(self) -> LensPrior | None:
        """What is known of its lens before it is measured, None if nothing is."""

    @property
    def lost_view(self) -> LostView | None:
        """What its pictures lack of its view, None if nothing is known to be missing."""

    @property
    def origin(self) -> ColourOrigin | None:
        """How the colours of its pictures come, None if there is nothing to say of that."""

    def shots(self) -> Iterator[Shot]:
        """Yield glances or errors at the camera's own rate until `close`; blocks in between."""

    def adapt(self) -> bool:
        """Let it adapt to the table before the next glance, and be held at that.

        Returns False if it need not, and the last glance is as good as the next.
        """

    def hold(self, controls: Controls) -> None:
        """Hold it at *controls* from the next glance on."""

    def hurry(self, rate_hz: float) -> None:
        """Give at least so many glances a second, if it can; 0 for its own rate again."""

    def close(self) -> None:
        """Stop; may be called from another thread, and twice."""


class Unadapting:
    """A camera that adapts to nothing: its pictures are as they are."""

    lock: Lock = Lock()
    lens: LensPrior | None = None
    lost_view: LostView | None = None
    origin: ColourOrigin | None = None

    def adapt(self) -> bool:
        """Return that there is nothing to adapt."""
        return False

    def hold(self, controls: Controls) -> None:
        """Do nothing."""

    def hurry(self, rate_hz: float) -> None:
        """Do nothing: it gives pictures as they come."""


class RecordedCamera(Unadapting):
    """A camera that yields the pictures in *paths*, each for *shown_s* seconds at *rate_hz*.

    The last picture is repeated until the camera is closed.
    on_passed: called with the name of each picture when its time is over.
    on_last: called when all are over.
    """

    def __init__(
        self,
        paths: Sequence[Path],
        shown_s: float = 2.0,
        rate_hz: float = 5.0,
        on_last: Callable[[], None] = lambda: None,
        on_passed: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._on_passed = on_passed
        self._paths = tuple(paths)
        self._shown_s = shown_s
        self._period_s = 1.0 / rate_hz
        self._on_last = on_last
        self._closed = threading.Event()

    def shots(self) -> Iterator[Shot]:
        """Yield each picture as often as its time allows; a broken file yields its BadPicture."""
        last: Frame | BadPicture | None = None
        for path in self._paths:
            if self._closed.is_set():
                return
            try:
                last = load_frame(path)
            except BadPicture as error:
                last = error
            yield from self._repeat(last, time.monotonic() + self._shown_s)
            self._on_passed(path.name)
        if self._closed.is_set():
            return
        self._on_last()
        if last is not None:
            yield from self._repeat(last, float("inf"))

    def _repeat(self, shot: Frame | BadPicture, until_s: float) -> Iterator[Shot]:
        while True:
            now_s = time.monotonic()
            if now_s >= until_s or self._closed.is_set():
                return
            if isinstance(shot, BadPicture):
                yield shot
            else:
                yield glance_at(Frame(shot.name, shot.picture, now_s))
            self._closed.wait(self._period_s)

    def close(self) -> None:
        """Stop showing pictures."""
        self._closed.set()
