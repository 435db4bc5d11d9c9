"""A phone for tests: it sends pictures as the page does, in a thread of its own."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import cv2
import numpy as np

from vision.capture.frame import Picture
from vision.capture.phone_camera import Order, PhoneCamera, RefusedPicture
from vision.capture.preview_frame import luma_of

PAGE = "page one"


def jpeg_of(picture: Picture, quality: int = 95) -> bytes:
    """Return *picture* as a phone encodes it."""
    return bytes(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes())


def small_of(picture: Picture) -> bytes:
    """Return the small picture that a phone sends of *picture*."""
    return jpeg_of(np.asarray(luma_of(picture), np.uint8))


def send(camera: PhoneCamera, picture: Picture, page: str = PAGE) -> Order:
    """Send one glance, and the whole picture if it is wanted; return what is wanted then.

    Raises RefusedPicture.
    """
    height, width = picture.shape[:2]
    order = camera.show(page, small_of(picture), (width, height))
    while order is Order.WHOLE:
        order = camera.deliver(page, jpeg_of(picture))
    return order


@contextmanager
def sending(
    camera: PhoneCamera, picture: Callable[[], Picture], page: str = PAGE
) -> Iterator[None]:
    """Have a phone send pictures until the camera is closed or the context is left."""
    camera.begin(page)
    ended = threading.Event()

    def run() -> None:
        order = Order.NEXT
        while order is not Order.STOP and not ended.is_set():
            try:
                order = send(camera, picture(), page)
            except RefusedPicture:
                ended.wait(0.02)

    thread = threading.Thread(target=run, name="phone")
    thread.start()
    try:
        yield
    finally:
        ended.set()
        camera.close()
        thread.join()
