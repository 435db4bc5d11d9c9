"""Live cameras: the process that owns the camera is watched, ended when it hangs, and started anew.

A hung call cannot be ended by the process that made it, and keeps the device busy; so each camera
has a process of its own.
"""

import contextlib
import itertools
import json
import os
import select
import subprocess
import sys
import threading
import time
from collections.abc import Generator, Iterator
from dataclasses import asdict, replace
from pathlib import Path
from types import TracebackType
from typing import Final

from vision.capture.camera import Shot
from vision.capture.device import CameraLost, DeviceSettings
from vision.capture.device_process import ANSWER, PICTURE, SETTINGS
from vision.capture.frame import Frame, Picture
from vision.capture.picture_check import PictureCheck, PictureFault
from vision.capture.shared_pictures import PictureBorrower, open_shared_file

STALL_S: Final = 4.0
"""A camera that gives no picture for so long is named, and ended if it had given one."""
OPEN_S: Final = 15.0
"""How long opening a camera may take: picamera2 and some streams need several seconds."""
PAUSES_S: Final = (1.0, 60.0)
"""The first pause before a lost camera is opened again, and the longest; each is twice the one
before."""
STEADY_S: Final = 30.0
"""After pictures for so long the next pause is the first again."""
CLOSE_S: Final = 0.6
"""How long a process may take to let its camera go before it is killed: the companion ends within
3 s of a signal, whatever hangs, and must not leave the process behind."""
_SLICE_S: Final = 0.1
_CODE: Final = "from vision.capture.device_process import main; main()"
_ROOT: Final = Path(__file__).resolve().parents[2]


class LiveCamera:
    """A camera that is watched: a Raspberry Pi camera, a V4L2 device, a stream or a video file.

    settings: which one.  rate_hz: how often a picture is taken, always the newest one.
    stall_s: see `STALL_S`.  pauses_s: see `PAUSES_S`.
    """

    def __init__(
        self,
        settings: DeviceSettings,
        rate_hz: float = 5.0,
        *,
        stall_s: float = STALL_S,
        pauses_s: tuple[float, float] = PAUSES_S,
    ) -> None:
        self._settings = settings
        self._period_s = 1.0 / rate_hz
        self._stall_s = stall_s
        self._pauses_s = pauses_s
        self._closed = threading.Event()
        self._check = PictureCheck(is_sensor=settings.is_sensor)
        self._number = 0

    def shots(self) -> Iterator[Shot]:
        """Yield frames; a lost camera is named within 5 s, and opened again by itself."""
        pause_s = self._pauses_s[0]
        process: _DeviceProcess | None = None
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

    def close(self) -> None:
        """Stop taking pictures."""
        self._closed.set()

    def _open(self, opening: int) -> Generator[Shot, None, "_DeviceProcess | None"]:
        """Yield shots until the camera is closed or lost, and return its process."""
        self._check.reopen()
        try:
            process = _DeviceProcess(replace(self._settings, opening=opening), self._closed)
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

    def _take_pictures(self, process: "_DeviceProcess") -> Iterator[Shot]:
        """Yield shots until the camera is closed; raises CameraLost once it has to be restarted."""
        is_open = False
        while not self._closed.is_set():
            asked_s = time.monotonic()
            process.ask()
            if not process.wait_for_answer(asked_s + self._stall_s):
                if is_open or self._closed.is_set():
                    raise self._stalled()
                yield self._stalled()
                if not process.wait_for_answer(asked_s + OPEN_S):
                    raise self._stalled()
            is_open = True
            picture, taken_s = process.receive(time.monotonic() + self._stall_s)
            yield self._judge(picture, taken_s)
            self._closed.wait(asked_s + self._period_s - time.monotonic())

    def _judge(self, picture: Picture, taken_s: float) -> Shot:
        """Return what the picture is good for; raises CameraLost if the camera has to restart."""
        name = self._settings.name
        fault = self._check.find_fault(picture, taken_s)
        if fault is PictureFault.REPEATED:
            raise CameraLost(
                f"{name} repeats the same picture; it is being restarted; if that does not help,"
                " unplug it for a moment"
            )
        if fault is PictureFault.BLACK:
            return CameraLost(f"{name} gives black pictures; uncover it, or switch a light on")
        self._number += 1
        return Frame(f"live-{self._number:06}", picture, taken_s)

    def _stalled(self) -> CameraLost:
        return CameraLost(
            f"no picture from {self._settings.name} for {self._stall_s:.0f} s; it is being"
            " restarted; if that does not help, check its cable and its power"
        )


class _DeviceProcess:
    """A running `device_process`, which is ended when the context is left.

    Raises CameraLost if the computer cannot start another process.
    """

    def __init__(self, settings: DeviceSettings, closed: threading.Event) -> None:
        self._name = settings.name
        self._closed = closed
        self._answers, theirs = os.pipe()
        self._file = open_shared_file()
        self._pictures = PictureBorrower(self._file)
        self._slot = 0
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

    def ask(self) -> None:
        """Ask for the newest picture."""
        assert self._process.stdin
        self._slot = self._pictures.find_free()
        with contextlib.suppress(BrokenPipeError):  # its end is noticed when the answer is read
            self._process.stdin.write(bytes([self._slot]))
            self._process.stdin.flush()

    def wait_for_answer(self, until_s: float) -> bool:
        """Return whether there is an answer; False too once the camera is closed."""
        while not self._closed.is_set():
            wait_s = min(_SLICE_S, until_s - time.monotonic())
            if select.select([self._answers], [], [], max(0.0, wait_s))[0]:
                return True
            if wait_s <= 0.0:
                return False
        return False

    def receive(self, until_s: float) -> tuple[Picture, float]:
        """Return the picture of an answer, and when it was taken.

        Raises CameraLost, in the words of the process if it has left some.
        """
        kind, height, width, taken_s = ANSWER.unpack(self._read(ANSWER.size, until_s))
        if kind != PICTURE:
            raise CameraLost(self._read(height, until_s).decode(errors="replace"))
        return self._pictures.borrow(self._slot, height, width), taken_s

    def _read(self, size: int, until_s: float) -> bytearray:
        buffer = bytearray(size)
        rest = memoryview(buffer)
        while rest:
            read = os.readv(self._answers, [rest]) if self.wait_for_answer(until_s) else 0
            if not read:
                raise CameraLost(
                    f"no picture from {self._name}, whose process has ended; it is being restarted"
                )
            rest = rest[read:]
        return buffer

    def _close_files(self) -> None:
        os.close(self._answers)
        os.close(self._file)

    def __enter__(self) -> "_DeviceProcess":
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
