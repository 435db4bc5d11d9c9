"""Cameras: one contract over recorded pictures and what OpenCV opens."""

import itertools
import threading
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.capture.camera import Camera, CameraLost, RecordedCamera, VideoCamera
from vision.capture.frame import BadPicture, Frame

MakeCamera = Callable[[Path], Camera]


def write_picture(path: Path, level: int) -> Path:
    """Write a grey picture of brightness *level*."""
    cv2.imwrite(str(path), np.full((48, 64, 3), level, np.uint8))
    return path


def recorded(folder: Path) -> Camera:
    """Return a camera that shows two pictures."""
    paths = [write_picture(folder / f"{level}.png", level) for level in (40, 200)]
    return RecordedCamera(paths, shown_s=0.1, rate_hz=50)


def video(folder: Path) -> Camera:
    """Return a camera that plays a video file, over and over."""
    path = folder / "table.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (64, 48))
    for level in (40, 200):
        writer.write(np.full((48, 64, 3), level, np.uint8))
    writer.release()
    return VideoCamera(str(path), 64, 48, rate_hz=50)


@pytest.mark.parametrize("make", [recorded, video])
def test_a_camera_yields_pictures_with_rising_times(make: MakeCamera, tmp_path: Path) -> None:
    """Frames are blue-green-red bytes, and time never runs back."""
    camera = make(tmp_path)
    frames = [shot for shot in itertools.islice(camera.shots(), 2) if isinstance(shot, Frame)]
    camera.close()
    assert len(frames) == 2
    assert all(frame.picture.shape == (48, 64, 3) for frame in frames)
    assert all(frame.picture.dtype == np.uint8 for frame in frames)
    assert frames[0].taken_s < frames[1].taken_s


@pytest.mark.parametrize("make", [recorded, video])
def test_closing_ends_the_shots_soon(make: MakeCamera, tmp_path: Path) -> None:
    """A watcher's thread is free within a second, and closing twice does no harm."""
    camera = make(tmp_path)
    watcher = threading.Thread(target=lambda: list(camera.shots()))
    watcher.start()
    time.sleep(0.2)
    camera.close()
    camera.close()
    watcher.join(timeout=1.0)
    assert not watcher.is_alive()


def test_a_recording_shows_its_pictures_in_order_and_keeps_the_last(tmp_path: Path) -> None:
    """The last picture stays, and that it has come is told once."""
    ends: list[bool] = []
    paths = [write_picture(tmp_path / f"{level}.png", level) for level in (40, 120, 200)]
    camera = RecordedCamera(paths, 0.05, 100, on_last=lambda: ends.append(True))
    names = []
    for shot in camera.shots():
        assert isinstance(shot, Frame)
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
        assert isinstance(shot, Frame)
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
    assert kinds[-1] is Frame


def test_a_camera_that_is_not_there_says_so_and_tries_again(tmp_path: Path) -> None:
    """The reason names the device; the shots go on."""
    camera = VideoCamera(str(tmp_path / "nothing.avi"))
    shot = next(camera.shots())
    camera.close()
    assert isinstance(shot, CameraLost)
    assert "nothing.avi" in str(shot)
