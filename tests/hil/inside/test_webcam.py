"""Webcams behind the kernel's real V4L2: sizes, two of them, one in use, pulled, and held."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.hil.inside import webcams
from tests.hil.inside.examined import examine
from tests.hil.inside.house import at_home
from tests.hil.inside.table import settings
from vision.capture.device import DeviceSettings
from vision.capture.frame import Frame
from vision.capture.live_camera import LiveCamera
from vision.capture.preview_frame import PreviewFrame
from vision.capture.video_device import VideoDevice

FIRST, SECOND = "/dev/video0", "/dev/video1"
OPEN_S, NAMED_S, BACK_S = 60.0, 40.0, 90.0
SHOTS, ATTEMPTS = 3, 6
IN_USE = "whether another program uses it"


@pytest.fixture(autouse=True)
def _webcams() -> Iterator[None]:
    with webcams.plugged():
        yield


def frames(camera: LiveCamera) -> list[Frame]:
    """Return the first whole pictures of *camera*, which is closed then."""
    found: list[Frame] = []
    until_s = time.monotonic() + OPEN_S
    for shot in camera.shots():
        if isinstance(shot, PreviewFrame):
            found.append(shot.fetch())
        if len(found) == SHOTS or time.monotonic() > until_s:
            camera.close()
    return found


def is_lost(board: dict[str, Any]) -> bool:
    """Return whether *board* says that the first camera gives no picture."""
    return any("camera 0" in warning for warning in board["warnings"])


@pytest.mark.parametrize(
    ("wanted", "given"),
    [((320, 240), (320, 180)), ((640, 480), (640, 480)), ((3840, 2160), (3840, 2160))],
)
def test_pictures_come_in_what_size_the_driver_has(
    wanted: tuple[int, int], given: tuple[int, int]
) -> None:
    """The smallest that was asked for, and the largest; time never runs back."""
    found = frames(LiveCamera(DeviceSettings("video", "0", *wanted), rate_hz=1.0))
    assert [frame.picture.shape for frame in found] == [(given[1], given[0], 3)] * SHOTS
    times = [frame.taken_s for frame in found]
    assert times == sorted(set(times))


def test_two_cameras_are_told_apart(folder: Path) -> None:
    """The doctor names the one in the settings; of one that is not there it lists the others."""
    said = {
        device: examine(
            folder,
            settings(
                folder,
                ('source = "recording"', 'source = "video"'),
                ('device = "0"', f'device = "{device}"'),
            ),
        )["camera"]
        for device in ("1", "7")
    }
    assert said["1"] == f"ok: vivid-001-vid-cap at {SECOND}"
    assert said["7"] == "failed: there is no /dev/video7"


def test_a_camera_in_use_is_named() -> None:
    """Until the other program lets it go; the second camera is free meanwhile."""
    with webcams.taken(FIRST):
        camera = LiveCamera(DeviceSettings("video", "0"))
        said = []
        for shot in camera.shots():
            said.append(str(shot))
            # Emulated, starting a process may take longer than a camera is waited for.
            if IN_USE in said[-1] or len(said) == ATTEMPTS:
                camera.close()
        assert IN_USE in said[-1], said
        assert len(frames(LiveCamera(DeviceSettings("video", SECOND)))) == SHOTS
    assert len(frames(LiveCamera(DeviceSettings("video", "0")))) == SHOTS


def test_a_cable_that_is_pulled_is_named_and_mended(folder: Path) -> None:
    """On the pages, while the camera is being read; plugged in again, it goes on by itself."""
    text = settings(
        folder,
        ('source = "recording"', 'source = "video"'),
        ("width_px = 1536\nheight_px = 864", "width_px = 640\nheight_px = 480"),
    )
    with at_home(folder, text) as house:
        house.wait_for(lambda board: not is_lost(board), OPEN_S)
        webcams.pull(0)
        house.wait_for(is_lost, NAMED_S)
        webcams.plug(0)
        house.wait_for(lambda board: not is_lost(board), BACK_S)


def test_what_is_not_held_is_told() -> None:
    """Gain follows the light until the driver's switch is off; exposure has none to be held by."""
    device = VideoDevice(DeviceSettings("video", "0", 640, 480))
    try:
        assert "gain" in device.lock.controls
        webcams.set_control(FIRST, "Gain, Automatic", 0)
        lock = device.hold({"gain": 100.0})
        assert lock.controls == {"gain": 100.0}
        assert lock.refused == ("exposure",)
        assert device.hold({"gain": 100.0, "exposure": 250.0}).refused == ("exposure",)
    finally:
        device.close()
