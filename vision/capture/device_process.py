"""The process that owns a camera: `python -m vision.capture.device_process ANSWERS PICTURES`.

The environment says which camera, see `SETTINGS`. Each byte on the standard input asks for
something: `GLANCE` for the newest small picture, which is answered to ANSWERS, a file descriptor; a
smaller number for the whole picture that belongs to it, in that slot of the shared file PICTURES,
another one; `ADAPT` lets the camera adapt to the table, and `HOLD`, with a line of JSON, holds it
at that. Both are answered with what it is held at from then on and what is known of its view, which
is told first of all, too.
The process ends with the input, after a failure, and when a call of the camera hangs.
"""

import contextlib
import json
import os
import select
import signal
import struct
import sys
import time
from dataclasses import asdict, replace
from typing import Final

import cv2

from vision.capture.camera_list import list_video_cameras
from vision.capture.device import CameraLost, Device, DeviceSettings
from vision.capture.exposure_lock import Lock, parse_controls
from vision.capture.shared_pictures import PictureWriter

ANSWER: Final = struct.Struct("<cIId")
"""What precedes an answer: its kind, two sizes, and the time in seconds of the monotonic clock.

A picture, small or whole, has its height and width; the pixels of a small one follow. Of what was
LOST, or is HELD, the first size is the number of bytes of the line that follows."""
SMALL: Final = b"S"
PICTURE: Final = b"P"
HELD: Final = b"H"
LOST: Final = b"L"
HOLD: Final = 253
GLANCE: Final = 254
ADAPT: Final = 255
SETTINGS: Final = "TIKI_CAMERA"
"""Variable with the settings as JSON; a command line would show everybody a stream's password."""
MAX_LINE_BYTES: Final = 1000
"""A pipe takes so much at once."""
HANG_S: Final = 30
"""A call that takes longer ends the process, in case nobody is left to end it."""


def open_device(settings: DeviceSettings) -> Device:
    """Return the open camera; raises CameraLost, or hangs."""
    # Each is loaded by the process that needs it alone.
    if settings.kind == "picamera2":
        from vision.capture.pi_device import NoPiCamera, PiDevice  # noqa: PLC0415

        try:
            return PiDevice(settings)
        except NoPiCamera:
            webcams = list_video_cameras()
            if len(webcams) != 1:
                raise
            settings = replace(settings, kind="video", source=webcams[0].device)
    if settings.kind == "fake":
        from vision.capture.fake_device import FakeDevice  # noqa: PLC0415

        return FakeDevice(settings)
    from vision.capture.decoder_lines import DecoderLines  # noqa: PLC0415
    from vision.capture.video_device import VideoDevice  # noqa: PLC0415

    lines = DecoderLines(settings.name)
    try:
        return VideoDevice(settings, lines)
    except BaseException:
        lines.close()
        raise


class Server:
    """Answers requests for the pictures of *device*.

    A picture that nobody asked for is grabbed and dropped, so that the next one is never old.
    requests, answers: file descriptors.
    """

    def __init__(
        self, device: Device, requests: int, answers: int, pictures: PictureWriter
    ) -> None:
        self._device = device
        self._requests = requests
        self._answers = answers
        self._pictures = pictures
        self._taken_s: float | None = None  # of a picture that was grabbed and not glanced at

    def serve(self) -> None:
        """Answer until the requests end; raises EOFError then."""
        signal.alarm(0)
        self._tell(self._device.lock)
        while True:
            asked = self._take(0.0 if self._device.queues else None)
            signal.alarm(HANG_S)
            if asked is None:
                self._grab()
            elif asked == GLANCE:
                self._glance()
            elif asked == ADAPT:
                self._tell(self._device.adapt())
            elif asked == HOLD:
                self._tell(self._device.hold(parse_controls(json.loads(self._read_line()))))
            else:
                self._fetch(asked)
            signal.alarm(0)

    def _grab(self) -> None:
        self._device.grab()
        self._taken_s = time.monotonic()

    def _glance(self) -> None:
        if self._taken_s is None:
            self._grab()
        taken_s, self._taken_s = self._taken_s, None
        luma = self._device.glance()
        height, width = luma.shape
        os.write(self._answers, ANSWER.pack(SMALL, height, width, taken_s) + luma.tobytes())

    def _fetch(self, slot: int) -> None:
        picture = self._device.retrieve()
        try:
            self._pictures.write(slot, picture)
        except ValueError as error:
            raise CameraLost(f"the camera changed: {error}; it is being restarted") from None
        height, width, _ = picture.shape
        os.write(self._answers, ANSWER.pack(PICTURE, height, width, time.monotonic()))

    def _tell(self, lock: Lock) -> None:
        told = {name: getattr(self._device, name) for name in ("lens", "lost_view", "origin")}
        view = {name: known and asdict(known) for name, known in told.items()}
        line = json.dumps(asdict(lock) | view).encode()
        os.write(self._answers, ANSWER.pack(HELD, len(line), 0, time.monotonic()) + line)

    def _read_line(self) -> bytes:
        """Return what comes up to the end of a line, which is on its way."""
        line = b""
        while not line.endswith(b"\n"):
            piece = os.read(self._requests, 1)
            if not piece:
                raise EOFError
            line += piece
        return line

    def _take(self, wait_s: float | None) -> int | None:
        """Return a request that comes within *wait_s*, None if none does.

        Raises EOFError if none will come any more.
        """
        if not select.select([self._requests], [], [], wait_s)[0]:
            return None
        asked = os.read(self._requests, 1)
        if not asked:
            raise EOFError
        return asked[0]


def main() -> None:
    """Serve the camera that the environment describes."""
    said = json.loads(os.environ[SETTINGS])
    settings = DeviceSettings(**said | {"controls": parse_controls(said.get("controls", {}))})
    answers, pictures = map(int, sys.argv[1:])
    cv2.setNumThreads(1)
    signal.alarm(HANG_S)
    with contextlib.ExitStack() as closing, contextlib.suppress(EOFError, BrokenPipeError):
        try:
            device = closing.enter_context(contextlib.closing(open_device(settings)))
            Server(device, sys.stdin.fileno(), answers, PictureWriter(pictures)).serve()
        except (EOFError, BrokenPipeError):
            raise
        except Exception as error:  # noqa: BLE001 - camera libraries raise what they like
            line = _explain(settings, error).encode()[:MAX_LINE_BYTES]
            os.write(answers, ANSWER.pack(LOST, len(line), 0, time.monotonic()) + line)


def _explain(settings: DeviceSettings, error: Exception) -> str:
    """Return one line that says which camera is lost, why, and what to do."""
    words = str(error)
    if not isinstance(error, CameraLost):
        kind = type(error).__name__
        words = f"no picture from {settings.name} ({kind}: {error}); check it, and its cable"
    return " ".join(words.split())


if __name__ == "__main__":
    main()
