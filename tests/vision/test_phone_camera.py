"""A phone as the camera: what it sends is asked for, and what it cannot send is named."""

import itertools
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
import pytest

from tests.vision.phones import PAGE, jpeg_of, send, sending, small_of
from vision.capture import phone_camera
from vision.capture.camera import Shot
from vision.capture.frame import Picture
from vision.capture.phone_camera import Order, PhoneCamera, PhoneFault, RefusedPicture
from vision.capture.preview_frame import PreviewFrame

PATIENT_S = 60.0
NO_ROWS = bytes.fromhex("ffd8ffc0000b080000000001011100ffd9")
"""A JPEG whose header claims a picture of no rows."""


def table(width_px: int = 1280, height_px: int = 720) -> Picture:
    """Return a picture with something on it."""
    rows = np.linspace(40, 200, height_px).astype(np.uint8)
    return np.ascontiguousarray(np.broadcast_to(rows[:, None, None], (height_px, width_px, 3)))


@contextmanager
def watching(camera: PhoneCamera, *, fetches: bool = False) -> Iterator[Callable[[str], None]]:
    """Have a watcher take pictures until the context is left.

    Gives what waits until a picture was seen ("picture"), or that fault; raises if it never is.
    """
    seen: list[str] = []
    news = threading.Condition()

    def note(shot: Shot) -> None:
        if isinstance(shot, PreviewFrame) and fetches:
            shot.fetch()
        with news:
            seen.append("picture" if isinstance(shot, PreviewFrame) else str(shot))
            news.notify_all()

    def watch() -> None:
        for shot in camera.shots():
            note(shot)

    def wait_for(wanted: str) -> None:
        with news:
            seen.clear()
            assert news.wait_for(lambda: wanted in seen, PATIENT_S), seen

    thread = threading.Thread(target=watch, name="watcher")
    thread.start()
    try:
        yield wait_for
    finally:
        camera.close()
        thread.join(PATIENT_S)
        assert not thread.is_alive()


@contextmanager
def waiting(camera: PhoneCamera) -> Iterator[list[Order]]:
    """Have a phone wait for the answer to a small picture; give what it is told in the end."""
    orders: list[Order] = []
    phone = threading.Thread(target=lambda: orders.append(send(camera, table())))
    phone.start()
    while camera._glance is None:
        time.sleep(0.01)
    yield orders
    phone.join(PATIENT_S)


def test_a_whole_picture_is_sent_only_when_it_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    """And it is the one that was glanced at, though the table changed while it was judged."""
    camera, level, asked = PhoneCamera(rate_hz=50, stall_s=PATIENT_S), itertools.count(50), []
    deliver = camera.deliver

    def counted(page: str, jpeg: bytes) -> Order:
        asked.append(page)
        return deliver(page, jpeg)

    monkeypatch.setattr(camera, "deliver", counted)
    with sending(camera, lambda: np.full((720, 1280, 3), next(level), np.uint8)):
        shots = camera.shots()
        for shot in itertools.islice(shots, 3):
            assert isinstance(shot, PreviewFrame)
        assert asked == []
        shot = next(shots)
        assert isinstance(shot, PreviewFrame)
        time.sleep(0.1)
        frame = shot.fetch()
        assert abs(int(frame.picture[0, 0, 0]) - int(shot.luma[0, 0])) <= 1
        assert shot.fetch() is frame
        assert asked == [PAGE]


@pytest.mark.parametrize(
    ("fault", "act"),
    [
        (PhoneFault.TURNED, lambda camera: send(camera, table(720, 1280))),
        (PhoneFault.CROPPED, lambda camera: send(camera, table(960, 720))),
        (PhoneFault.CROPPED, lambda c: c.show(PAGE, small_of(table(720, 720)), (1280, 720))),
        (PhoneFault.CROPPED, lambda c: c.show(PAGE, jpeg_of(table()), (1280, 720))),
        (PhoneFault.CROPPED, lambda c: c.deliver(PAGE, jpeg_of(table(1280, 960)))),
        (PhoneFault.SMALL, lambda camera: send(camera, table(320, 180))),
        (PhoneFault.SMALL, lambda c: c.show(PAGE, small_of(table()), (1280, 320))),
        (PhoneFault.NO_JPEG, lambda c: c.show(PAGE, b"GIF89a", (1280, 720))),
        (PhoneFault.NO_JPEG, lambda c: c.show(PAGE, small_of(table())[:-40], (1280, 720))),
        (PhoneFault.NO_JPEG, lambda c: c.show(PAGE, NO_ROWS, (1280, 720))),
        (PhoneFault.NO_JPEG, lambda c: c.deliver(PAGE, b"")),
    ],
)
def test_what_no_reader_could_use_is_named_and_the_next_good_picture_is_taken(
    fault: PhoneFault, act: Callable[[PhoneCamera], object]
) -> None:
    """Turned, cropped and small pictures, and what is no JPEG: to the phone and to the watcher."""
    camera = PhoneCamera(rate_hz=50, stall_s=PATIENT_S)
    camera.begin(PAGE)
    with watching(camera) as wait_for:
        assert send(camera, table()) is Order.NEXT
        with pytest.raises(RefusedPicture) as refused:
            act(camera)
        assert refused.value.fault is fault
        assert camera.trouble == fault
        wait_for(fault)
        send(camera, table())
        assert camera.trouble == ""


def test_a_phone_that_was_turned_may_stay_so_once_its_page_is_started_again() -> None:
    """Nobody has to restart the companion; larger pictures of the same view are welcome."""
    camera = PhoneCamera(rate_hz=50, stall_s=PATIENT_S)
    with watching(camera, fetches=True):
        camera.begin("one")
        send(camera, table(), "one")
        send(camera, table(1920, 1080), "one")
        camera.begin("two")
        send(camera, table(720, 1280), "two")
        assert camera.trouble == ""


def test_a_phone_says_itself_why_nothing_comes() -> None:
    """It is named at once, and not called silent; a page that was left has no say any more."""
    camera = PhoneCamera(rate_hz=50, stall_s=0.2)
    camera.begin(PAGE)
    with watching(camera) as wait_for:
        wait_for(PhoneFault.ABSENT)
        send(camera, table())
        camera.report(PAGE, PhoneFault.HIDDEN)
        wait_for(PhoneFault.HIDDEN)
        wait_for(PhoneFault.HIDDEN)
        send(camera, table())
        camera.report("another page", PhoneFault.HIDDEN)
        wait_for(PhoneFault.SILENT)


def test_the_page_that_was_started_last_is_the_camera() -> None:
    """The one before is told to stop, while it waits too; so is all once the camera is closed."""
    camera = PhoneCamera(rate_hz=50, stall_s=PATIENT_S)
    camera.begin(PAGE)
    with waiting(camera) as orders:
        camera.begin("page two")
    assert orders == [Order.STOP]
    assert send(camera, table()) is Order.STOP
    assert send(camera, table(100, 100)) is Order.STOP
    assert camera.deliver(PAGE, b"") is Order.STOP
    camera.close()
    assert send(camera, table(), "page two") is Order.STOP


def test_a_phone_is_answered_though_nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it showed meanwhile is old by then, and the next picture is looked at."""
    monkeypatch.setattr(phone_camera, "HOLD_S", 0.05)
    monkeypatch.setattr(phone_camera, "STALE_S", 0.0)
    camera = PhoneCamera(rate_hz=50, stall_s=PATIENT_S)
    camera.begin(PAGE)
    assert send(camera, table()) is Order.NEXT
    shots = camera.shots()
    with sending(camera, lambda: table() // 2):
        shot = next(shots)
        assert isinstance(shot, PreviewFrame)
        assert shot.luma.max() <= 101


def test_a_phone_is_not_told_to_stop_because_the_companion_does() -> None:
    """Its answer waits no longer, and it goes on when the companion is there again."""
    camera = PhoneCamera(stall_s=PATIENT_S)
    camera.begin(PAGE)
    with waiting(camera) as orders:
        camera.release()
    camera.close()
    assert orders == [Order.NEXT]
    assert send(camera, table()) is Order.NEXT


def test_a_phone_that_goes_while_its_whole_picture_is_wanted_is_lost() -> None:
    """Whoever wanted it is told at once, in the words of the phone if it has any."""
    camera = PhoneCamera(rate_hz=50, stall_s=0.2)
    camera.begin(PAGE)
    phone = threading.Thread(target=camera.show, args=(PAGE, small_of(table()), (1280, 720)))
    phone.start()
    shots = camera.shots()
    shot = next(shots)
    assert isinstance(shot, PreviewFrame)
    with pytest.raises(OSError, match="silent"):
        shot.fetch()
    camera.close()
    phone.join(PATIENT_S)


def test_black_pictures_are_named() -> None:
    """A phone that lies on its lens."""
    camera = PhoneCamera(rate_hz=200, stall_s=PATIENT_S)
    camera._check.find_fault(small := np.zeros((108, 192), np.uint8), time.monotonic() - 10.0)
    assert small.size
    camera.begin(PAGE)
    with watching(camera) as wait_for, sending(camera, lambda: table() * 0):
        wait_for(PhoneFault.BLACK)
