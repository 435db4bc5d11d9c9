"""The camera of a virtual table: whose pictures count, and why none comes."""

import itertools
import threading
import time

import cv2
import numpy as np
import pytest

from companion.table.virtual_words import WORDS
from tests.vision.phones import jpeg_of
from vision.capture.camera import Shot
from vision.capture.device import CameraLost
from vision.capture.frame import Picture
from vision.capture.preview_frame import PreviewFrame
from vision.capture.virtual_camera import (
    MAX_BYTES,
    RefusedPicture,
    VirtualCamera,
    VirtualFault,
)

STALL_S = 0.2


def grey(level: int = 120, width_px: int = 640, height_px: int = 480) -> Picture:
    """Return a picture of one grey."""
    return np.full((height_px, width_px, 3), level, np.uint8)


def opened() -> VirtualCamera:
    """Return a camera that is quick to name what is wrong."""
    return VirtualCamera(rate_hz=100.0, stall_s=STALL_S, first_s=1.5 * STALL_S)


def next_of(camera: VirtualCamera) -> Shot:
    """Return the next shot."""
    return next(iter(camera.shots()))


@pytest.mark.parametrize("fault", [VirtualFault.CLOSED, VirtualFault.HIDDEN])
def test_why_no_picture_comes_is_named_at_once(fault: VirtualFault) -> None:
    """Whoever has closed the page need not wait; what it sent before is not shown any more."""
    camera = opened()
    camera.begin()
    camera.show(jpeg_of(grey()))
    camera.report(fault)
    began_s = time.monotonic()
    shot = next_of(camera)
    assert isinstance(shot, CameraLost)
    assert str(shot) == camera.trouble == fault.value
    assert time.monotonic() - began_s < 10 * STALL_S


def test_a_page_that_was_never_opened_and_one_that_is_silent_are_told_apart() -> None:
    """Each after a while, since both may only be slow; and again as long as that lasts."""
    camera = opened()
    assert [str(shot) for shot in itertools.islice(camera.shots(), 2)] == ["absent", "absent"]
    camera.begin()
    told = [str(shot) for shot in itertools.islice(camera.shots(), 3)]
    assert told == ["starting", "silent", "silent"]
    camera.show(jpeg_of(grey()))
    assert isinstance(next_of(camera), PreviewFrame)
    assert camera.trouble == ""


@pytest.mark.parametrize(
    ("jpeg", "fault"),
    [
        (b"", VirtualFault.NO_JPEG),
        (b"GIF89a", VirtualFault.NO_JPEG),
        (jpeg_of(grey())[:900], VirtualFault.NO_JPEG),
        (cv2.imencode(".png", grey())[1].tobytes(), VirtualFault.NO_JPEG),
        (jpeg_of(grey(120, 320, 239)), VirtualFault.SIZE),
        (jpeg_of(grey(120, 1921, 400)), VirtualFault.SIZE),
        (bytes(MAX_BYTES + 1), VirtualFault.SIZE),
    ],
)
def test_what_is_no_picture_of_use_is_refused_and_named(jpeg: bytes, fault: VirtualFault) -> None:
    """Whoever sends it is told, and so is whoever watches; the next good one is taken."""
    camera = opened()
    camera.begin()
    with pytest.raises(RefusedPicture) as refused:
        camera.show(jpeg)
    assert refused.value.fault is fault
    assert str(next_of(camera)) == fault.value
    camera.show(jpeg_of(grey()))
    assert isinstance(next_of(camera), PreviewFrame)


def test_black_pictures_are_named_after_a_while() -> None:
    """A room without any light, or a page that draws nothing."""
    camera = opened()
    shots = camera.shots()
    until_s = time.monotonic() + 30.0
    while time.monotonic() < until_s:
        camera.show(jpeg_of(grey(0)))
        if isinstance(shot := next(shots), CameraLost):
            break
        time.sleep(0.05)
    assert str(shot) == "black"


def test_one_picture_is_taken_once_and_the_next_asked_for() -> None:
    """The newest counts; nothing is repeated, since a page that shows nothing new says so."""
    camera, asked = opened(), list[float]()
    camera.on_taken = lambda: asked.append(time.monotonic())
    camera.begin()
    camera.show(jpeg_of(grey(60)))
    camera.show(jpeg_of(grey(200)))
    shot = next_of(camera)
    assert isinstance(shot, PreviewFrame)
    assert abs(int(shot.fetch().picture.mean()) - 200) < 3
    assert len(asked) == 1
    assert isinstance(next_of(camera), CameraLost)
    assert len(asked) == 1


def test_closing_wakes_whoever_waits() -> None:
    """Even where the next fault would be named much later."""
    camera = VirtualCamera(stall_s=300.0)
    thread = threading.Thread(target=lambda: list(camera.shots()))
    thread.start()
    camera.close()
    thread.join(30.0)
    assert not thread.is_alive()


def test_each_fault_has_its_words() -> None:
    """One line each, with what to do."""
    assert set(WORDS) == set(VirtualFault)
    assert all("\n" not in words and len(words) < 200 for words in WORDS.values())
