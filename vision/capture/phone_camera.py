"""A phone as the camera: its page sends a small picture a glance, and the whole one if asked to.

Each small picture is answered only once it is known what is wanted next, so that a whole picture is
the one that was glanced at, and nothing is sent that nobody looks at.  Only where the watcher takes
longer than `HOLD_S` to decide, as while it learns a table, the whole one is that of a later glance.
"""

import itertools
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from functools import cache
from typing import Final, TypeAlias

from vision.capture.camera import Shot, Unadapting
from vision.capture.colour_origin import OPENCV, ColourOrigin
from vision.capture.device import CameraLost
from vision.capture.exposure_lock import ADAPTING, Lock
from vision.capture.frame import BadPicture, Frame, Picture, decode, size_of_jpeg
from vision.capture.live_camera import STALL_S
from vision.capture.picture_check import PictureCheck
from vision.capture.preview_frame import Luma, PreviewFrame, luma_of

HOLD_S: Final = 2.0
"""An answer comes after so long even if nothing is wanted: no thread hangs when all is to end."""
STALE_S: Final = 0.5
"""A small picture that has waited longer is not looked at: the next one comes at once."""
MIN_WIDTH_PX: Final = 640
"""Of the longer side of whole pictures; corner tiles in smaller ones are too coarse to be read."""
MAX_GLANCE_PX: Final = 640
"""Of the longer side of a small picture."""
MAX_ASPECT_ERROR: Final = 0.02
"""A small picture has whole pixels: its aspect is that of the whole one but for 1 in 108."""
MAX_SLENDERNESS: Final = 3.0
"""Longer side over shorter: cameras have at most 21:9, and a strip shows no table."""

Size: TypeAlias = tuple[int, int]
"""Width and height in pixels."""


class PhoneFault(StrEnum):
    """Why a phone gives no picture."""

    ABSENT = "absent"
    """None has come since the companion was started."""
    SILENT = "silent"
    HIDDEN = "hidden"
    """Its screen is locked, or another page or app is in front; the phone says so itself."""
    INTERRUPTED = "interrupted"
    """Its camera gives nothing, as during a call; the phone says so itself."""
    TURNED = "turned"
    CROPPED = "cropped"
    SMALL = "small"
    NO_JPEG = "no_jpeg"
    BLACK = "black"


class Order(StrEnum):
    """What the phone is to do next."""

    NEXT = "next"
    WHOLE = "whole"
    """Send the whole picture that belongs to the last small one."""
    BEGIN = "begin"
    """Say again which phone this is, since the companion was started again."""
    STOP = "stop"
    """Another camera watches, or another page of this phone."""


class RefusedPicture(ValueError):
    """A picture that cannot be used; *fault* says why."""

    def __init__(self, fault: PhoneFault) -> None:
        super().__init__(fault.value)
        self.fault = fault


class PhoneCamera(Unadapting):
    """A phone that watches, however often its page is opened.

    explain: says a fault in one line, with the remedy.
    rate_hz: how often a small picture is taken at most.  stall_s: it is called silent after that.
    numbers: of its pictures, which cameras that follow each other share.
    page: which opened page sends the pictures; "" while none has.
    `show`, `deliver` and `report` are called for the phone, `shots` by the watcher's thread.
    """

    lock = Lock({}, ADAPTING)  # no page can hold what a phone's camera adapts

    def __init__(
        self,
        explain: Callable[[PhoneFault], str] = str,
        rate_hz: float = 5.0,
        *,
        stall_s: float = STALL_S,
        numbers: Iterator[int] | None = None,
    ) -> None:
        self.page = ""
        self._explain = explain
        self._period_s = 1.0 / rate_hz
        self._stall_s = stall_s
        self._numbers = itertools.count(1) if numbers is None else numbers
        self._check = PictureCheck(is_sensor=False)  # phones smooth all noise away
        self._closed = threading.Event()
        self._changed = threading.Condition()
        self._size: Size | None = None
        self._glance: tuple[Luma, float] | None = None
        self._whole: Picture | None = None
        self._order: Order | None = None
        self._question = 0
        self._is_released = False
        # Not told at once: a page that was just opened takes a moment.
        self._fault: PhoneFault | None = PhoneFault.ABSENT
        self._told: PhoneFault | None = PhoneFault.ABSENT

    def begin(self, page: str) -> None:
        """Take pictures of *page* from now on, however the phone is held now."""
        with self._changed:
            self.page, self._size = page, None
            self._changed.notify_all()

    def show(self, page: str, jpeg: bytes, size: Size) -> Order:
        """Take a small picture, and return what is wanted next; waits until that is known.

        size: of the whole picture that belongs to it.  Raises RefusedPicture.
        """
        if self._is_over(page):
            return Order.STOP
        with self._noting_faults(page):
            self._require_view(size)
            found = _size_of(jpeg)
            if not _have_one_aspect(found, size) or max(found) > MAX_GLANCE_PX:
                raise RefusedPicture(PhoneFault.CROPPED)
            luma = luma_of(_decode(jpeg))
        with self._changed:
            if page == self.page:
                self._size, self.origin = size, ColourOrigin("phone", OPENCV, "", "JPEG", size)
                self._glance = luma, time.monotonic()
                self._fault = self._told = None
                if self._order is not Order.WHOLE:
                    self._order = None
            return self._wait_for_order(page)

    def deliver(self, page: str, jpeg: bytes) -> Order:
        """Take the whole picture that belongs to the last small one; else as `show`."""
        if self._is_over(page):
            return Order.STOP
        with self._noting_faults(page):
            if _size_of(jpeg) != self._size:
                raise RefusedPicture(PhoneFault.CROPPED)
            whole = _decode(jpeg)
        with self._changed:
            if page == self.page:
                self._whole, self._order = whole, None
            return self._wait_for_order(page)

    def report(self, page: str, fault: PhoneFault) -> None:
        """Note why no picture comes for now."""
        with self._changed:
            if page == self.page:
                self._fault = fault
                self._changed.notify_all()

    @property
    def trouble(self) -> str:
        """Why there is no picture, in one line; "" if there is one."""
        return "" if self._fault is None else self._explain(self._fault)

    def shots(self) -> Iterator[Shot]:
        """Yield glances, or every few seconds why none comes."""
        while not self._closed.is_set():
            asked_s = time.monotonic()
            found = self._next_glance()
            if self._closed.is_set():
                return
            yield self._judge(*found) if isinstance(found, tuple) else self._lost(found)
            self._closed.wait(asked_s + self._period_s - time.monotonic())

    def release(self) -> None:
        """Let no answer wait any more, since the companion stops; the phone waits for it."""
        self._is_released = True
        with self._changed:
            self._changed.notify_all()

    def close(self) -> None:
        """Take no more pictures; the phone is told so."""
        self._closed.set()
        with self._changed:
            self._changed.notify_all()

    def _next_glance(self) -> tuple[Luma, float] | PhoneFault:
        with self._changed:
            if self._glance is not None and time.monotonic() - self._glance[1] > STALE_S:
                self._glance = None
            self._order = Order.NEXT
            self._changed.notify_all()
            self._changed.wait_for(self._has_news, self._stall_s)
            found, self._glance = self._glance, None
            if found is None:
                self._fault = self._told = self._fault or PhoneFault.SILENT
                return self._fault
        return found

    def _has_news(self) -> bool:
        is_new_fault = self._fault not in (None, self._told)
        return self._glance is not None or is_new_fault or self._closed.is_set()

    def _judge(self, luma: Luma, taken_s: float) -> Shot:
        if self._check.find_fault(luma, taken_s) is not None:
            return self._lost(PhoneFault.BLACK)
        shown = f"live-{next(self._numbers):06}"

        @cache  # all who look at this picture share its frame, and with it what was found in it
        def fetch() -> Frame:
            return Frame(shown, self._fetch(), taken_s)

        return PreviewFrame(shown, luma, taken_s, fetch, is_remote=True)

    def _fetch(self) -> Picture:
        """Have the phone send the whole picture, and return it; raises CameraLost."""
        with self._changed:
            self._take_whole()  # of a glance before, if any
            self._order = Order.WHOLE
            self._changed.notify_all()
            self._changed.wait_for(
                lambda: self._whole is not None or self._fault or self._closed.is_set(),
                self._stall_s,
            )
            whole = self._take_whole()
            if whole is None:
                raise self._lost(self._fault or PhoneFault.SILENT)
            return whole

    def _take_whole(self) -> Picture | None:
        found, self._whole = self._whole, None
        return found

    def _lost(self, fault: PhoneFault) -> CameraLost:
        return CameraLost(self._explain(fault))

    def _wait_for_order(self, page: str) -> Order:
        """Return what is wanted next, once it is; *page* has sent what was wanted."""
        self._question += 1
        own = self._question  # a phone that lost its answer asks again, and this one is let go
        self._changed.notify_all()
        return self._changed.wait_for(lambda: self._answer(page, own), HOLD_S) or Order.NEXT

    def _answer(self, page: str, question: int) -> Order | None:
        """Return what is to be answered now, None if that is not known yet."""
        if self._is_released or question != self._question:
            return Order.NEXT
        return Order.STOP if self._is_over(page) else self._order

    def _is_over(self, page: str) -> bool:
        is_other = page != self.page or self._closed.is_set()
        return is_other and not self._is_released

    def _require_view(self, size: Size) -> None:
        """Raise RefusedPicture unless *size* is that of the same view as before."""
        if max(size) < MIN_WIDTH_PX or max(size) > MAX_SLENDERNESS * min(size):
            raise RefusedPicture(PhoneFault.SMALL)
        first = self._size or size
        if not _have_one_aspect(size, first):
            is_turned = _have_one_aspect(size[::-1], first)
            raise RefusedPicture(PhoneFault.TURNED if is_turned else PhoneFault.CROPPED)

    @contextmanager
    def _noting_faults(self, page: str) -> Iterator[None]:
        """Let whoever watches know what is refused, too."""
        try:
            yield
        except RefusedPicture as refused:
            self.report(page, refused.fault)
            raise


def _have_one_aspect(one: Size, other: Size) -> bool:
    return abs(one[0] * other[1] / (one[1] * other[0]) - 1.0) <= MAX_ASPECT_ERROR


def _size_of(jpeg: bytes) -> Size:
    """Return the size that the header of a JPEG claims; raises RefusedPicture if it is none."""
    try:
        return size_of_jpeg(jpeg)
    except BadPicture:
        raise RefusedPicture(PhoneFault.NO_JPEG) from None


def _decode(jpeg: bytes) -> Picture:
    """Return the picture; raises RefusedPicture if it is broken off."""
    try:
        return decode(jpeg, "")
    except BadPicture:
        raise RefusedPicture(PhoneFault.NO_JPEG) from None
