"""Cameras: where pictures come from, one after the other, until closed.

A camera yields either a frame or the reason why there is none; it never ends by an exception, since
a cable that was pulled may come back.
"""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, Protocol, TypeAlias

import cv2
import numpy as np

from vision.capture.frame import BadPicture, Frame, load_frame

RETRY_S: Final = 2.0


class CameraLost(OSError):
    """The camera sends no pictures: which, why, and what to do."""


Shot: TypeAlias = Frame | CameraLost | BadPicture


class Camera(Protocol):
    """Something that takes pictures."""

    def shots(self) -> Iterator[Shot]:
        """Yield shots at the camera's own pace until `close`; blocks in between."""

    def close(self) -> None:
        """Stop; may be called from another thread, and twice."""


class RecordedCamera:
    """Shows the pictures in *paths* as a camera would: each for *shown_s*, at *rate_hz*.

    The last picture stays for good, as a table does when nobody touches it.
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
        """Yield each picture as often as its time allows; a broken file yields what is wrong."""
        last: Shot | None = None
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

    def _repeat(self, shot: Shot, until_s: float) -> Iterator[Shot]:
        while True:
            now_s = time.monotonic()
            if now_s >= until_s or self._closed.is_set():
                return
            yield Frame(shot.name, shot.picture, now_s) if isinstance(shot, Frame) else shot
            self._closed.wait(self._period_s)

    def close(self) -> None:
        """Stop showing pictures."""
        self._closed.set()


class VideoCamera:
    """A camera that OpenCV opens: a V4L2 device by number or path, a video file or a stream.

    width_px, height_px: what is asked of the device; it may give another size.
    """

    def __init__(
        self,
        source: int | str,
        width_px: int = 1536,
        height_px: int = 864,
        rate_hz: float = 5.0,
    ) -> None:
        self._source = source
        self._size_px = (width_px, height_px)
        self._period_s = 1.0 / rate_hz
        self._closed = threading.Event()

    def shots(self) -> Iterator[Shot]:
        """Yield frames; after a failure say so and try again every 2 s."""
        number = 0
        while not self._closed.is_set():
            device = cv2.VideoCapture(self._source)
            try:
                device.set(cv2.CAP_PROP_FRAME_WIDTH, self._size_px[0])
                device.set(cv2.CAP_PROP_FRAME_HEIGHT, self._size_px[1])
                while not self._closed.is_set():
                    taken, picture = device.read()
                    if not taken:
                        break
                    number += 1
                    frame = np.ascontiguousarray(picture, dtype=np.uint8)
                    yield Frame(f"live-{number:06}", frame, time.monotonic())
                    self._closed.wait(self._period_s)
            finally:
                device.release()
            if not self._closed.is_set():
                yield CameraLost(
                    f"no picture from camera {self._source}; check the cable, and whether another"
                    " program uses it"
                )
                self._closed.wait(RETRY_S)

    def close(self) -> None:
        """Stop taking pictures."""
        self._closed.set()


class PiCamera:
    """A Raspberry Pi camera module through picamera2, which is the system's own package.

    Exposure and colour gains are left to settle for a second and then locked, so that colours
    learned at the start of a game stay true.
    """

    def __init__(self, width_px: int = 1536, height_px: int = 864, rate_hz: float = 5.0) -> None:
        self._size_px = (width_px, height_px)
        self._period_s = 1.0 / rate_hz
        self._closed = threading.Event()

    def shots(self) -> Iterator[Shot]:
        """Yield frames; after a failure say so and try again every 2 s."""
        number = 0
        while not self._closed.is_set():
            try:
                with self._opened() as device:
                    while not self._closed.is_set():
                        picture = np.asarray(device.capture_array("main"), np.uint8)
                        number += 1
                        yield Frame(f"live-{number:06}", picture, time.monotonic())
                        self._closed.wait(self._period_s)
            except (ImportError, RuntimeError, IndexError, OSError) as error:
                yield CameraLost(
                    f"the Raspberry Pi camera gives no picture ({error}); check its cable and"
                    " that python3-picamera2 is installed"
                )
                self._closed.wait(RETRY_S)

    def _opened(self) -> Any:
        # Loaded here: it exists only on a Raspberry Pi, and takes a second.
        from picamera2 import Picamera2  # noqa: PLC0415

        device = Picamera2()
        # picamera2's "RGB888" is blue, green, red in memory, as OpenCV wants it.
        main = {"size": self._size_px, "format": "RGB888"}
        device.configure(device.create_video_configuration(main=main))
        device.start()
        self._closed.wait(1.0)
        found = device.capture_metadata()
        device.set_controls(
            {
                "AeEnable": False,
                "AwbEnable": False,
                "ExposureTime": found["ExposureTime"],
                "AnalogueGain": found["AnalogueGain"],
                "ColourGains": found["ColourGains"],
            }
        )
        return device

    def close(self) -> None:
        """Stop taking pictures."""
        self._closed.set()
