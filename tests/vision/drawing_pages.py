"""A page for tests that draws a virtual table: it sends a picture whenever it is asked for one."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tests.vision.phones import jpeg_of
from vision.capture.frame import Picture
from vision.capture.virtual_camera import VirtualCamera


@contextmanager
def drawing(camera: VirtualCamera, picture: Callable[[], Picture]) -> Iterator[None]:
    """Have a page draw until the context is left."""
    ended, asked = threading.Event(), threading.Event()
    camera.on_taken = asked.set
    camera.begin()

    def run() -> None:
        while not ended.is_set():
            asked.clear()
            camera.show(jpeg_of(picture()))
            asked.wait()

    thread = threading.Thread(target=run, name="page")
    thread.start()
    try:
        yield
    finally:
        ended.set()
        asked.set()
        thread.join()
