"""Cameras: one contract over recordings, video files, streams, phones, virtual tables, fakes."""

import itertools
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import cv2
import numpy as np
import pytest

from tests.vision.drawing_pages import drawing
from tests.vision.phones import sending
from tests.vision.streams import streaming
from tests.vision.videos import write_video
from vision.capture.camera import Camera, RecordedCamera, Shot
from vision.capture.device import DeviceSettings
from vision.capture.exposure_lock import ADAPTING
from vision.capture.frame import BadPicture, Picture
from vision.capture.live_camera import LiveCamera
from vision.capture.phone_camera import PhoneCamera
from vision.capture.preview_frame import PreviewFrame, luma_of
from vision.capture.virtual_camera import VirtualCamera

KINDS = ("recording", "file", "stream", "fake", "phone", "virtual")
HANG_S = 60.0
"""What takes longer never ends."""


def flat_picture(width_px: int, height_px: int, level: int = 120) -> Picture:
    """Return a grey picture, which no coding changes."""
    return np.full((height_px, width_px, 3), level, np.uint8)


def write_picture(path: Path, level: int) -> Path:
    """Write a grey picture of brightness *level*."""
    cv2.imwrite(str(path), np.full((48, 64, 3), level, np.uint8))
    return path


@contextmanager
def opened(kind: str, folder: Path, rate_hz: float = 50.0) -> Iterator[Camera]:
    """Return a camera of that *kind*."""
    match kind:
        case "recording":
            paths = [write_picture(folder / f"{level}.png", level) for level in (40, 200)]
            yield RecordedCamera(paths, shown_s=0.1, rate_hz=rate_hz)
        case "file":
            source = write_video(folder / "table.avi")
            yield watched("video", source, rate_hz)
        case "stream":
            with streaming() as sender:
                yield watched("video", sender.address, rate_hz)
        case "phone":
            camera = PhoneCamera(rate_hz=rate_hz, stall_s=HANG_S)
            with sending(camera, lambda: flat_picture(640, 480)):
                yield camera
        case "virtual":
            page = VirtualCamera(rate_hz=rate_hz, stall_s=HANG_S)
            with drawing(page, lambda: flat_picture(640, 480)):
                yield page
        case _:
            yield watched("fake", "live", rate_hz)


def watched(kind: Literal["video", "fake"], source: str, rate_hz: float) -> LiveCamera:
    """Return a camera whose process may be as slow as the computer is."""
    return LiveCamera(DeviceSettings(kind, source, 64, 48), rate_hz, stall_s=HANG_S)


@pytest.mark.parametrize("kind", KINDS)
def test_a_camera_yields_glances_of_whole_pictures(kind: str, tmp_path: Path) -> None:
    """What the gate sees is what would be read; time never runs back, and pictures are ours.

    One without controls holds none, and goes on; a network camera's adapt for ever.
    """
    with opened(kind, tmp_path) as camera:
        camera.hold({"ExposureTime": 7_000.0})
        times = []
        for shot in itertools.islice(camera.shots(), 6):
            assert isinstance(shot, PreviewFrame)
            frame = shot.fetch()
            assert (frame.name, frame.taken_s) == (shot.name, shot.taken_s)
            assert frame.picture.ndim == 3
            assert frame.picture.dtype == shot.luma.dtype == np.uint8
            assert frame.picture.flags.writeable
            np.testing.assert_array_equal(shot.luma, luma_of(frame.picture))
            times.append(frame.taken_s)
        camera.close()
    assert times == sorted(set(times))
    assert 0.0 <= time.monotonic() - times[-1] < HANG_S
    assert camera.lock.refused == (ADAPTING if kind in ("stream", "phone") else ())
    assert camera.lock.controls in ({}, {"ExposureTime": 7_000.0})
    assert camera.lens is None


@pytest.mark.parametrize("kind", ["recording", "fake", "phone", "virtual"])
def test_closing_ends_the_shots_though_the_next_is_far_away(kind: str, tmp_path: Path) -> None:
    """A watcher's thread is free at once, and closing twice does no harm."""
    seen, shots = threading.Event(), list[Shot]()

    def watch() -> None:
        for shot in camera.shots():
            shots.append(shot)
            seen.set()

    with opened(kind, tmp_path, rate_hz=0.1 / HANG_S) as camera:
        watcher = threading.Thread(target=watch)
        watcher.start()
        assert seen.wait(HANG_S)
        camera.close()
        camera.close()
        watcher.join(HANG_S)
    assert not watcher.is_alive()
    assert len(shots) == 1


@pytest.mark.parametrize("kind", ["recording", "fake", "phone", "virtual"])
def test_a_closed_camera_yields_nothing(kind: str, tmp_path: Path) -> None:
    """Closing before the start counts too."""
    with opened(kind, tmp_path) as camera:
        camera.close()
        assert list(camera.shots()) == []


def test_a_recording_shows_its_pictures_in_order_and_keeps_the_last(tmp_path: Path) -> None:
    """The last picture stays, and that it has come is told once."""
    ends: list[bool] = []
    paths = [write_picture(tmp_path / f"{level}.png", level) for level in (40, 120, 200)]
    camera = RecordedCamera(paths, 0.05, 100, on_last=lambda: ends.append(True))
    names = []
    for shot in camera.shots():
        assert isinstance(shot, PreviewFrame)
        names.append(shot.name)
        if len(ends) == 1 and names.count("200.png") > 12:
            break
    assert list(dict.fromkeys(names)) == ["40.png", "120.png", "200.png"]
    assert ends == [True]


def test_a_recording_that_is_closed_early_has_not_ended(tmp_path: Path) -> None:
    """Who stops watching in the middle, even within the last picture, has not seen the end."""
    ends: list[bool] = []
    paths = [write_picture(tmp_path / f"{level}.png", level) for level in (40, 120)]
    camera = RecordedCamera(paths, 0.05, 100, on_last=lambda: ends.append(True))
    for shot in camera.shots():
        assert isinstance(shot, PreviewFrame)
        if shot.name == "120.png":
            camera.close()
    assert ends == []


def test_a_broken_picture_is_told_and_the_next_one_shown(tmp_path: Path) -> None:
    """A file that cannot be decoded is a shot that says so."""
    (tmp_path / "broken.jpg").write_bytes(b"\xff\xd8 no picture")
    good = write_picture(tmp_path / "good.png", 90)
    camera = RecordedCamera([tmp_path / "broken.jpg", good], 0.02, 100)
    kinds = [type(shot) for shot in itertools.islice(camera.shots(), 20)]
    assert kinds[0] is BadPicture
    assert kinds[-1] is PreviewFrame
