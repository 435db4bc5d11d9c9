"""The newest pictures of the table for whoever sets the camera up, as long as somebody looks.

A camera in a living room is private: nothing is kept, and nothing is fetched unless it was asked
for a moment ago.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from companion.language.message import message_of
from vision.capture.camera import Shot
from vision.capture.device import CameraLost
from vision.capture.frame import Frame
from vision.capture.preview_frame import PreviewFrame

INTEREST_S: Final = 4.0
"""After so long without being asked nobody looks any more."""
MIN_GAP_S: Final = 0.3
"""Between two pictures: three in a second look alive, and cost the watcher next to nothing."""


@dataclass(frozen=True, slots=True)
class LivePicture:
    """A picture, or why there is none.

    number: counts pictures and failures.  trouble: "" with a frame.
    """

    number: int
    frame: Frame | None
    trouble: str = ""


class LiveView:
    """Hands pictures from the watcher's thread to whoever looks."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._changed = threading.Condition()
        self._newest = LivePicture(0, None)
        self._asked_s = self._offered_s = float("-inf")

    @property
    def is_wanted(self) -> bool:
        """Whether somebody has looked a moment ago."""
        return self._clock() - self._asked_s < INTEREST_S

    def offer(self, shot: Shot) -> None:
        """Take what the camera gives now, if somebody looks and it is time; the watcher's thread.

        Raises CameraLost if the picture cannot be fetched.
        """
        if not self.is_wanted:
            if self._newest.frame is not None:
                self._newest = LivePicture(self._newest.number, None)
            return
        if self._clock() - self._offered_s < MIN_GAP_S:
            return
        self._offered_s = self._clock()
        try:
            frame = shot.fetch() if isinstance(shot, PreviewFrame) else None
        except CameraLost as error:
            self._show(None, message_of(error))
            raise
        self._show(frame, "" if isinstance(shot, PreviewFrame) else message_of(shot))

    def look(self, after: int, wait_s: float) -> LivePicture:
        """Return the newest picture once it is not number *after*; that one if none comes in time.

        Any thread but the watcher's.
        """
        with self._changed:
            self._asked_s = self._clock()
            self._changed.wait_for(lambda: self._has_news(after), wait_s)
            return self._newest

    def _has_news(self, after: int) -> bool:
        newest = self._newest
        return newest.number != after and (newest.frame is not None or bool(newest.trouble))

    def _show(self, frame: Frame | None, trouble: str) -> None:
        with self._changed:
            self._newest = LivePicture(self._newest.number + 1, frame, trouble)
            self._changed.notify_all()
