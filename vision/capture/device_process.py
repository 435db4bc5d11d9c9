"""The process that owns a camera: `python -m vision.capture.device_process ANSWERS PICTURES`.

The environment says which camera, see `SETTINGS`. Each byte on the standard input asks for the
newest picture, and says into which slot of the shared file PICTURES, a file descriptor; the answer
to ANSWERS, another one, says that it is there. The process ends with the input, after a failure,
and when a call of the camera hangs.
"""

import contextlib
import json
import os
import select
import signal
import struct
import sys
import time
from typing import Final

import cv2

from vision.capture.device import CameraLost, Device, DeviceSettings, PiDevice, VideoDevice
from vision.capture.shared_pictures import PictureWriter

ANSWER: Final = struct.Struct("<cIId")
"""What precedes an answer: its kind, two sizes, and the time in seconds of the monotonic clock.

A picture has its height and width; of what was LOST the first size is the number of bytes of the
line that follows."""
PICTURE: Final = b"P"
LOST: Final = b"L"
SETTINGS: Final = "TIKI_CAMERA"
"""Variable with the settings as JSON; a command line would show everybody a stream's password."""
MAX_LINE_BYTES: Final = 1000
"""A pipe takes so much at once."""
HANG_S: Final = 30
"""A call that takes longer ends the process, in case nobody is left to end it."""


def open_device(settings: DeviceSettings) -> Device:
    """Return the open camera; raises CameraLost, or hangs."""
    if settings.kind == "picamera2":
        return PiDevice(settings)
    if settings.kind == "fake":
        from vision.capture.fake_device import FakeDevice  # noqa: PLC0415

        return FakeDevice(settings)
    return VideoDevice(settings)


def serve(device: Device, requests: int, answers: int, pictures: PictureWriter) -> None:
    """Answer each byte from *requests* with the newest picture, until they end.

    A picture that nobody asked for is grabbed and dropped, so that the next one is never old.
    Raises EOFError at the end.
    """
    signal.alarm(0)
    while True:
        slot = None if device.queues else _take(requests, None)
        signal.alarm(HANG_S)
        device.grab()
        taken_s = time.monotonic()
        if device.queues:
            slot = _take(requests, 0.0)
        if slot is not None:
            picture = device.retrieve()
            pictures.write(slot, picture)
            height, width, _ = picture.shape
            os.write(answers, ANSWER.pack(PICTURE, height, width, taken_s))
        signal.alarm(0)


def _take(requests: int, wait_s: float | None) -> int | None:
    """Return the slot of a request that comes within *wait_s*, None if none does.

    Raises EOFError if none will come any more.
    """
    if not select.select([requests], [], [], wait_s)[0]:
        return None
    slots = os.read(requests, 64)
    if not slots:
        raise EOFError
    return slots[-1]


def main() -> None:
    """Serve the camera that the environment describes."""
    settings = DeviceSettings(**json.loads(os.environ[SETTINGS]))
    answers, pictures = map(int, sys.argv[1:])
    cv2.setNumThreads(1)
    signal.alarm(HANG_S)
    with contextlib.ExitStack() as closing, contextlib.suppress(EOFError, BrokenPipeError):
        try:
            device = closing.enter_context(contextlib.closing(open_device(settings)))
            serve(device, sys.stdin.fileno(), answers, PictureWriter(pictures))
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
