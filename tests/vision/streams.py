"""A camera in the network: pictures over HTTP, as fast as a real one sends them."""

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final

import cv2
import numpy as np

from vision.capture.frame import Picture

RATE_HZ: Final = 25.0
SIZE_PX: Final = (640, 360)
BEHIND: Final = 20
"""So many pictures may a computer be behind; a stream that is not drained is 37 and more."""
_STEPS: Final = 100
"""Of so many shades each half of a picture has one."""


def numbered_picture(number: int) -> Picture:
    """Return a picture whose halves are as bright as its *number* says, below 10,000."""
    width, height = SIZE_PX
    halves = np.array([[number % _STEPS, number // _STEPS]]).repeat(width // 2, axis=1)
    return np.asarray(40 + 2 * halves.repeat(height, axis=0)[..., None].repeat(3, axis=2), np.uint8)


def number_of(picture: Picture) -> int:
    """Return the number of a picture, which may be small or compressed."""
    width = picture.shape[1]
    middles = (picture[:, at * width // 8 : (at + 2) * width // 8].mean() for at in (1, 5))
    low, high = (round((float(middle) - 40.0) / 2.0) for middle in middles)
    return low + _STEPS * high


class StreamingCamera:
    """Serves `numbered_picture` after picture to whoever connects.

    stalled: while set, nothing is sent, and the connection stays open.
    shown: the newest picture's number; it counts on though nobody looks, as at a real table.
    picture: shown to everybody instead of the numbers, once it is set.
    breaks: what becomes of three of four pictures on their way; None for nothing.
    """

    def __init__(self) -> None:
        self.stalled = threading.Event()
        self.picture: Picture | None = None
        self.breaks: Callable[[bytes], bytes] | None = None
        self._sent = 0
        self._began_s = time.monotonic()
        camera = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
                self.end_headers()
                with contextlib.suppress(OSError):
                    while True:
                        if not camera.stalled.is_set():
                            self.wfile.write(camera.encode())
                        time.sleep(1.0 / RATE_HZ)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()
        self.address = f"http://127.0.0.1:{self._server.server_address[1]}/table.mjpg"

    def is_newest(self, picture: Picture) -> bool:
        """Return whether *picture* was sent a moment ago."""
        return 0 <= self.shown - number_of(picture) < BEHIND

    @property
    def shown(self) -> int:
        """The number of the picture that is shown at this moment."""
        return int((time.monotonic() - self._began_s) * RATE_HZ)

    def encode(self) -> bytes:
        """Return the present picture as one part of the answer."""
        picture = numbered_picture(self.shown) if self.picture is None else self.picture
        _, encoded = cv2.imencode(".jpg", picture)
        sent = encoded.tobytes()
        self._sent += 1
        if self.breaks is not None and self._sent % 4:
            sent = self.breaks(sent)
        head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(sent)}\r\n\r\n"
        return head.encode() + sent + b"\r\n"

    def close(self) -> None:
        """Serve nobody any more."""
        self._server.shutdown()
        self._server.server_close()


@contextlib.contextmanager
def streaming() -> Iterator[StreamingCamera]:
    """Return a camera that sends pictures until the context is left."""
    camera = StreamingCamera()
    try:
        yield camera
    finally:
        camera.close()
