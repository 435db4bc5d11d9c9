"""A camera that is a page: it draws the virtual table, and sends what its lens would see.

One picture is in flight at a time.  The page sends one, and is asked for the next as soon as the
watcher has taken it, so that nothing is drawn that nobody looks at.
"""

import itertools
import threading
import time
from collections.abc import Callable, Iterator
from enum import StrEnum
from functools import cache
from typing import Final

from vision.capture.camera import Shot, Unadapting
from vision.capture.device import CameraLost
from vision.capture.frame import BadPicture, Frame, Picture, decode, size_of_jpeg
from vision.capture.live_camera import STALL_S
from vision.capture.picture_check import PictureCheck
from vision.capture.preview_frame import PreviewFrame, luma_of

MAX_BYTES: Final = 2_000_000
"""Of one JPEG; 1920 x 1080 with noise has some 900 KB."""
FIRST_S: Final = 20.0
"""A page may take so long over its first picture: its browser makes all that it draws with."""
SIDES_PX: Final = (240, 1920)
"""Of a picture's shorter side at least, and of its longer one at most."""


class VirtualFault(StrEnum):
    """Why no picture comes."""

    ABSENT = "absent"
    """No page that draws has been opened since the companion was started."""
    CLOSED = "closed"
    """The page that drew was closed, or its connection is gone."""
    HIDDEN = "hidden"
    """It is behind other pages or windows, where browsers draw nothing."""
    STARTING = "starting"
    """It has only just begun: a slow computer takes many seconds over its first picture."""
    SILENT = "silent"
    NO_JPEG = "no_jpeg"
    SIZE = "size"
    BLACK = "black"


class RefusedPicture(ValueError):
    """A picture that cannot be used; *fault* says why."""

    def __init__(self, fault: VirtualFault) -> None:
        super().__init__(fault.value)
        self.fault = fault


class VirtualCamera(Unadapting):
    """Takes the pictures that a page draws of the virtual table.

    explain: says a fault in one line, with the remedy.
    rate_hz: how often one is taken at most.  stall_s: after so long without one that is named.
    first_s: see `FIRST_S`.
    on_taken: called, in the watcher's thread, when the next picture may come.
    `begin`, `show` and `report` are called for the page, from any thread; `shots` by the watcher's.
    """

    def __init__(
        self,
        explain: Callable[[VirtualFault], str] = str,
        rate_hz: float = 10.0,
        *,
        stall_s: float = STALL_S,
        first_s: float = FIRST_S,
    ) -> None:
        self.on_taken: Callable[[], None] = lambda: None
        self._explain = explain
        self._period_s = 1.0 / rate_hz
        self._stall_s = stall_s
        self._first_s = first_s
        self._numbers = itertools.count(1)
        self._check = PictureCheck(is_sensor=False)  # where nothing shines, nothing is noisy
        self._closed = threading.Event()
        self._changed = threading.Condition()
        self._newest: tuple[Picture, float] | None = None
        self._begun_s: float | None = None
        self._fault: VirtualFault | None = VirtualFault.ABSENT
        self._told: VirtualFault | None = VirtualFault.ABSENT
        # Not told at once: a page that was just opened takes a moment.

    def begin(self) -> None:
        """Expect pictures from now on: a page has begun to draw."""
        with self._changed:
            self._fault, self._begun_s = None, time.monotonic()

    def show(self, jpeg: bytes) -> None:
        """Take a picture; raises RefusedPicture, and whoever watches is told so too."""
        try:
            picture = _decode(jpeg)
        except RefusedPicture as refused:
            self.report(refused.fault)
            raise
        with self._changed:
            self._newest, self._begun_s = (picture, time.monotonic()), None
            self._fault = self._told = None
            self._changed.notify_all()

    def report(self, fault: VirtualFault) -> None:
        """Note why no picture comes for now."""
        with self._changed:
            self._fault = fault
            if fault in (VirtualFault.CLOSED, VirtualFault.HIDDEN):
                self._newest = None
            self._changed.notify_all()

    @property
    def trouble(self) -> str:
        """Why there is no picture, in one line; "" if there is one."""
        return "" if self._fault is None else self._explain(self._fault)

    def shots(self) -> Iterator[Shot]:
        """Yield glances, or every few seconds why none comes."""
        while not self._closed.is_set():
            asked_s = time.monotonic()
            found = self._next()
            if self._closed.is_set():
                return
            if isinstance(found, VirtualFault):
                yield CameraLost(self._explain(found))
            else:
                self.on_taken()
                yield self._judge(*found)
            self._closed.wait(asked_s + self._period_s - time.monotonic())

    def close(self) -> None:
        """Take no more pictures."""
        self._closed.set()
        with self._changed:
            self._changed.notify_all()

    def _next(self) -> tuple[Picture, float] | VirtualFault:
        with self._changed:
            self._changed.wait_for(self._has_news, self._stall_s)
            found, self._newest = self._newest, None
            if found is None:
                if self._fault is None and self._is_starting:
                    return VirtualFault.STARTING
                self._fault = self._told = self._fault or VirtualFault.SILENT
                return self._fault
        return found

    @property
    def _is_starting(self) -> bool:
        begun_s = self._begun_s
        return begun_s is not None and time.monotonic() - begun_s < self._first_s

    def _has_news(self) -> bool:
        is_new_fault = self._fault not in (None, self._told)
        return self._newest is not None or is_new_fault or self._closed.is_set()

    def _judge(self, picture: Picture, taken_s: float) -> Shot:
        luma = luma_of(picture)
        if self._check.find_fault(luma, taken_s) is not None:
            return CameraLost(self._explain(VirtualFault.BLACK))
        shown = f"live-{next(self._numbers):06}"

        @cache  # all who look at this picture share its frame, and with it what was found in it
        def fetch() -> Frame:
            return Frame(shown, picture, taken_s)

        return PreviewFrame(shown, luma, taken_s, fetch)


def _decode(jpeg: bytes) -> Picture:
    """Return the picture of a JPEG; raises RefusedPicture if it is none, or of no use."""
    if len(jpeg) > MAX_BYTES:
        raise RefusedPicture(VirtualFault.SIZE)
    try:
        size = size_of_jpeg(jpeg)
        if min(size) < SIDES_PX[0] or max(size) > SIDES_PX[1]:
            raise RefusedPicture(VirtualFault.SIZE)
        return decode(jpeg, "")
    except BadPicture:
        raise RefusedPicture(VirtualFault.NO_JPEG) from None
