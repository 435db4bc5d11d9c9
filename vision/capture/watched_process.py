"""A camera's process as its watcher sees it: started, asked, answered within a time, and ended."""

import contextlib
import json
import os
import select
import subprocess
import sys
import threading
import time
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Any, Final

import numpy as np

from vision.capture.colour_origin import ColourOrigin, parse_origin
from vision.capture.device import CameraLost, DeviceSettings
from vision.capture.device_process import (
    ADAPT,
    ANSWER,
    GLANCE,
    HELD,
    HOLD,
    LOST,
    PICTURE,
    SETTINGS,
    SMALL,
)
from vision.capture.exposure_lock import Controls, Lock, parse_controls
from vision.capture.frame import Picture
from vision.capture.lens_prior import LensPrior
from vision.capture.preview_frame import Luma
from vision.capture.sensor_mode import LostView
from vision.capture.shared_pictures import PictureBorrower, open_shared_file

CLOSE_S: Final = 0.6
"""How long a process may take to let its camera go before it is killed: the companion ends within
3 s of a signal, whatever hangs, and must not leave the process behind."""
ADAPTING_S: Final = 6.0
"""No camera adapts to the table for longer."""
_SLICE_S: Final = 0.1
_CODE: Final = "from vision.capture.device_process import main; main()"
_ROOT: Final = Path(__file__).resolve().parents[2]


class WatchedProcess:
    """A running `device_process`, which is ended when the context is left.

    stall_s: it may take so long to answer.  closed: set once nobody waits for answers any more.
    lens, lost_view, origin: as of the `Device`, once that has told what it is held at.
    Raises CameraLost if the computer cannot start another process.
    """

    def __init__(self, settings: DeviceSettings, stall_s: float, closed: threading.Event) -> None:
        self._name = settings.name
        self._stall_s = stall_s
        self._closed = closed
        self.lens: LensPrior | None = None
        self.lost_view: LostView | None = None
        self.origin: ColourOrigin | None = None
        self._answers, theirs = os.pipe()
        self._file = open_shared_file()
        self._pictures = PictureBorrower(self._file)
        self._lost: CameraLost | None = None
        path = os.pathsep.join(filter(None, (str(_ROOT), os.environ.get("PYTHONPATH"))))
        try:
            self._process = subprocess.Popen(  # noqa: S603 - our own module
                [sys.executable, "-P", "-c", _CODE, str(theirs), str(self._file)],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                pass_fds=(theirs, self._file),
                env={
                    **os.environ,
                    "PYTHONPATH": path,
                    "OPENBLAS_NUM_THREADS": "1",
                    SETTINGS: json.dumps(asdict(settings)),
                },
                start_new_session=True,  # Ctrl-C is for the companion, which ends it
            )
        except OSError as error:
            self._close_files()
            raise CameraLost(
                f"{self._name} cannot be opened ({error.strerror}); close other programs"
            ) from None
        finally:
            os.close(theirs)

    @property
    def is_alive(self) -> bool:
        """Whether it has outlived its end: a call that hangs in the kernel cannot be killed."""
        return self._process.poll() is None

    @property
    def stalled(self) -> CameraLost:
        """What is to be said if no answer comes."""
        return CameraLost(
            f"no picture from {self._name} for {self._stall_s:.0f} s; it is being restarted; if"
            " that does not help, check its cable and its power"
        )

    def wait_for_answer(self, wait_s: float) -> bool:
        """Return whether there is an answer in time; False too once the camera is closed."""
        until_s = time.monotonic() + wait_s
        while not self._closed.is_set():
            rest_s = min(_SLICE_S, until_s - time.monotonic())
            if select.select([self._answers], [], [], max(0.0, rest_s))[0]:
                return True
            if rest_s <= 0.0:
                return False
        return False

    def glance(self) -> tuple[Luma, float]:
        """Return the newest small picture, and when it was taken; raises CameraLost."""
        self._ask(bytes([GLANCE]))
        height, width, taken_s = self._receive(SMALL, self._stall_s)
        pixels = np.frombuffer(self._read(height * width), np.uint8)
        return pixels.reshape(height, width), taken_s

    def fetch_picture(self) -> Picture:
        """Return the whole picture of the last glance; raises CameraLost, now and at the next."""
        slot = self._pictures.find_free()
        self._ask(bytes([slot]))
        try:
            height, width, _ = self._receive(PICTURE, self._stall_s)
        except CameraLost as error:
            self._lost = error
            raise
        return self._pictures.borrow(slot, height, width)

    def hold(self, controls: Controls | None) -> Lock:
        """Hold the camera at *controls*, or at what it adapts to if there are none.

        Raises CameraLost.
        """
        if controls is None:
            self._ask(bytes([ADAPT]))
        else:
            self._ask(bytes([HOLD]) + json.dumps(dict(controls)).encode() + b"\n")
        return self.receive_lock(ADAPTING_S + self._stall_s)

    def receive_lock(self, wait_s: float) -> Lock:
        """Return what the camera is held at, which it tells once it is open; raises CameraLost."""
        size, _, _ = self._receive(HELD, wait_s)
        said: dict[str, Any] = json.loads(self._read(size))
        lens, lost, origin = said["lens"], said["lost_view"], said["origin"]
        self.lens = lens and LensPrior(**lens)
        self.lost_view = lost and LostView(**lost | {"size_px": tuple(lost["size_px"])})
        self.origin = origin and parse_origin(origin)
        return Lock(parse_controls(said["controls"]), tuple(said["refused"]))

    def raise_if_lost(self) -> None:
        """Raise the CameraLost that fetching a picture raised, if it did."""
        if self._lost is not None:
            raise self._lost

    def _ask(self, request: bytes) -> None:
        assert self._process.stdin
        with contextlib.suppress(BrokenPipeError):  # its end is noticed when the answer is read
            self._process.stdin.write(request)
            self._process.stdin.flush()

    def _receive(self, wanted: bytes, wait_s: float) -> tuple[int, int, float]:
        """Return two sizes and a time; raises CameraLost, in the words of the process if it can."""
        if not self.wait_for_answer(wait_s):
            raise self.stalled
        kind, height, width, taken_s = ANSWER.unpack(self._read(ANSWER.size))
        if kind == LOST:
            raise CameraLost(self._read(height).decode(errors="replace"))
        assert kind == wanted
        return height, width, taken_s

    def _read(self, size: int) -> bytearray:
        buffer = bytearray(size)
        rest = memoryview(buffer)
        while rest:
            read = os.readv(self._answers, [rest]) if self.wait_for_answer(self._stall_s) else 0
            if not read:
                raise CameraLost(
                    f"no picture from {self._name}, whose process has ended; it is being restarted"
                )
            rest = rest[read:]
        return buffer

    def _close_files(self) -> None:
        os.close(self._answers)
        os.close(self._file)

    def __enter__(self) -> "WatchedProcess":
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        """Let the camera go in order if that can be done; else kill the process."""
        assert self._process.stdin
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()
        self._close_files()
        for end in (self._process.kill, lambda: None):
            try:
                self._process.wait(CLOSE_S)
            except subprocess.TimeoutExpired:
                end()
