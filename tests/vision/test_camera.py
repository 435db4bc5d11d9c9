"""Cameras: one contract over recorded pictures, a video file, a stream, and a fake device."""

import itertools
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.streams import streaming
from vision.capture.camera import Camera, RecordedCamera
from vision.capture.device import DeviceSettings
from vision.capture.frame import BadPicture
from vision.capture.glance import Glance, luma_of
from vision.capture.live_camera import LiveCamera

KINDS = ("recording", "file", "stream", "fake")


def write_picture(path: Path, level: int) -> Path:
    """Write a grey picture of brightness *level*."""
    cv2.imwrite(str(path), np.full((48, 64, 3), level, np.uint8))
    return path


def write_video(path: Path, levels: tuple[int, ...] = (40, 200), rate_hz: float = 10) -> str:
    """Write a video of grey pictures, and return where it is."""
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), rate_hz, (64, 48))
    for level in levels:
        writer.write(np.full((48, 64, 3), level, np.uint8))
    writer.release()
    return str(path)


@pytest.fixture(params=KINDS)
def camera(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Camera]:
    """Return a camera of each kind in turn."""
    match request.param:
        case "recording":
            paths = [write_picture(tmp_path / f"{level}.png", level) for level in (40, 200)]
            yield RecordedCamera(paths, shown_s=0.1, rate_hz=50)
        case "file":
            source = write_video(tmp_path / "table.avi")
            yield LiveCamera(DeviceSettings("video", source, 64, 48), rate_hz=50)
        case "stream":
            with streaming() as sender:
                yield LiveCamera(DeviceSettings("video", sender.address), rate_hz=50)
        case _:
            yield LiveCamera(DeviceSettings("fake", "live", 64, 48), rate_hz=50)


def test_a_camera_yields_pictures_with_rising_times(camera: Camera) -> None:
    """Frames are blue-green-red bytes that may be written to, and time never runs back."""
    shots = itertools.islice(camera.shots(), 6)
    frames = [shot.fetch() for shot in shots if isinstance(shot, Glance)]
    camera.close()
    assert len(frames) == 6
    assert all(frame.picture.shape == frames[0].picture.shape for frame in frames)
    assert frames[0].picture.ndim == 3
    assert all(frame.picture.dtype == np.uint8 for frame in frames)
    assert all(frame.picture.flags.writeable for frame in frames)
    times = [frame.taken_s for frame in frames]
    assert times == sorted(set(times))
    assert abs(times[-1] - time.monotonic()) < 5.0


def test_a_glance_is_the_picture_in_small(camera: Camera) -> None:
    """What the gate sees is what would be read, and what would be read is not told before."""
    for number, shot in enumerate(camera.shots()):
        assert isinstance(shot, Glance)
        assert shot.luma.dtype == np.uint8
        if number == 2:
            frame = shot.fetch()
            camera.close()
            assert (frame.name, frame.taken_s) == (shot.name, shot.taken_s)
            np.testing.assert_array_equal(shot.luma, luma_of(frame.picture))


def test_a_camera_is_held_at_what_it_is_told(
    camera: Camera, request: pytest.FixtureRequest
) -> None:
    """One without such controls holds none, and goes on; a network camera's adapt for ever."""
    camera.hold({"ExposureTime": 7_000.0})
    for number, shot in enumerate(camera.shots()):
        assert isinstance(shot, Glance)
        if number == 3:
            camera.close()
    adapting = ("exposure", "white_balance_k") if "[stream]" in request.node.name else ()
    assert camera.lock.refused == adapting
    assert camera.lock.controls in ({}, {"ExposureTime": 7_000.0})


def test_closing_ends_the_shots_soon(camera: Camera) -> None:
    """A watcher's thread is free within a second, and closing twice does no harm."""
    seen = threading.Event()

    def watch() -> None:
        for _ in camera.shots():
            seen.set()

    watcher = threading.Thread(target=watch)
    watcher.start()
    assert seen.wait(10.0)
    began_s = time.monotonic()
    camera.close()
    camera.close()
    watcher.join(timeout=10.0)
    assert time.monotonic() - began_s < 1.0


def test_a_closed_camera_yields_nothing(camera: Camera) -> None:
    """Closing before the start counts too."""
    camera.close()
    assert list(camera.shots()) == []


def test_a_recording_shows_its_pictures_in_order_and_keeps_the_last(tmp_path: Path) -> None:
    """The last picture stays, and that it has come is told once."""
    ends: list[bool] = []
    paths = [write_picture(tmp_path / f"{level}.png", level) for level in (40, 120, 200)]
    camera = RecordedCamera(paths, 0.05, 100, on_last=lambda: ends.append(True))
    names = []
    for shot in camera.shots():
        assert isinstance(shot, Glance)
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
        assert isinstance(shot, Glance)
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
    assert kinds[-1] is Glance
