"""What a camera is held at, over a V4L2 device that OpenCV opens, and over the fake one."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from vision.capture import live_camera, video_device
from vision.capture.device import DeviceSettings
from vision.capture.exposure_lock import Lock, differing, parse_controls
from vision.capture.fake_device import LONGEST_US
from vision.capture.live_camera import LiveCamera
from vision.capture.preview_frame import PreviewFrame
from vision.capture.video_device import VideoDevice


class Webcam:
    """What OpenCV does of a webcam: it adapts while pictures are taken, and has steps of exposure.

    lacks: properties that it has not.  sticks: properties that it does not let anybody set.
    """

    def __init__(self, lacks: tuple[int, ...] = (), sticks: tuple[int, ...] = ()) -> None:
        self._lacks, self._sticks = lacks, sticks
        self._values = {
            cv2.CAP_PROP_EXPOSURE: 100.0,
            cv2.CAP_PROP_GAIN: 10.0,
            cv2.CAP_PROP_WB_TEMPERATURE: 3000.0,
            cv2.CAP_PROP_FOCUS: 20.0,
            cv2.CAP_PROP_FPS: 30.0,
            cv2.CAP_PROP_AUTO_EXPOSURE: 3.0,
            cv2.CAP_PROP_AUTO_WB: 1.0,
            cv2.CAP_PROP_AUTOFOCUS: 1.0,
        }

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's own name
        """Return that it is."""
        return True

    def getBackendName(self) -> str:  # noqa: N802 - OpenCV's own name
        """Return what it is on Linux."""
        return "V4L2"

    def get(self, place: int) -> float:
        """Return a value, -1 for one that it has not."""
        return -1.0 if place in self._lacks else self._values.get(place, -1.0)

    def set(self, place: int, value: float) -> bool:
        """Set a value if it can be set."""
        if place in (*self._lacks, *self._sticks):
            return False
        self._values[place] = value
        return True

    def grab(self) -> bool:
        """Adapt a little, where nothing is held."""
        if self._values[cv2.CAP_PROP_AUTO_EXPOSURE] == 3.0:
            self._values[cv2.CAP_PROP_EXPOSURE] = 250.0
        if self._values[cv2.CAP_PROP_AUTO_WB] == 1.0:
            self._values[cv2.CAP_PROP_WB_TEMPERATURE] = 4600.0
        return True

    def retrieve(self) -> tuple[bool, Any]:
        """Return a grey picture."""
        return True, np.full((48, 64, 3), 90, np.uint8)

    def release(self) -> None:
        """Do nothing."""


def webcam(monkeypatch: pytest.MonkeyPatch, camera: Webcam, **more: Any) -> VideoDevice:
    """Return the device that OpenCV has of *camera*."""
    monkeypatch.setattr(cv2, "VideoCapture", lambda _: camera)
    monkeypatch.setattr(video_device, "ADAPTING_S", 0.01)
    return VideoDevice(DeviceSettings("video", "0", 64, 48, **more))


def test_a_webcam_adapts_once_and_is_held_at_that(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its automatics are off afterwards, and what it said while they were on stays."""
    camera = Webcam()
    device = webcam(monkeypatch, camera)
    adapted = {"exposure": 250.0, "gain": 10.0, "white_balance_k": 4600.0, "focus": 20.0}
    assert device.lock == Lock(adapted)
    assert camera.get(cv2.CAP_PROP_AUTO_EXPOSURE) == 1.0
    assert camera.get(cv2.CAP_PROP_AUTO_WB) == camera.get(cv2.CAP_PROP_AUTOFOCUS) == 0.0
    assert device.hold({"exposure": 77.0}) == Lock({"exposure": 77.0})
    device.grab()
    assert camera.get(cv2.CAP_PROP_EXPOSURE) == 77.0


def test_what_a_webcam_lacks_is_left_out_and_what_sticks_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Cheap ones have no focus; some drivers accept a value and keep another."""
    lacking = Webcam(lacks=(cv2.CAP_PROP_FOCUS, cv2.CAP_PROP_AUTOFOCUS))
    assert "focus" not in webcam(monkeypatch, lacking).lock.controls
    sticking = Webcam(sticks=(cv2.CAP_PROP_WB_TEMPERATURE,))
    lock = webcam(monkeypatch, sticking, controls={"white_balance_k": 5200.0}).lock
    assert lock.trouble.startswith("the camera keeps adjusting its white balance")


def test_automatics_that_cannot_be_switched_off_are_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whether its switch does not take, or a sensor has no exposure that anybody may set."""
    stuck = Webcam(sticks=(cv2.CAP_PROP_AUTO_EXPOSURE,))
    lock = webcam(monkeypatch, stuck).lock
    assert lock.refused == ("exposure",)
    assert lock.trouble.startswith("the camera keeps adjusting its exposure: colours may drift")
    assert "turn its automatic settings off" in lock.trouble
    monkeypatch.setattr(DeviceSettings, "is_sensor", True)
    bare = Webcam(lacks=(cv2.CAP_PROP_EXPOSURE, cv2.CAP_PROP_AUTO_EXPOSURE))
    assert webcam(monkeypatch, bare).lock.refused == ("exposure",)
    assert webcam(monkeypatch, Webcam()).lock.refused == ()


def test_a_stream_adapts_for_ever_and_a_file_never(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Nobody here can hold a camera in the network: its own settings have to."""
    monkeypatch.setattr(cv2, "VideoCapture", lambda _: Webcam())
    stream = VideoDevice(DeviceSettings("video", "http://cam.local/1.mjpg", 64, 48))
    assert stream.lock == Lock({}, ("exposure", "white_balance_k"))
    assert stream.hold({"exposure": 77.0}) == stream.lock
    (tmp_path / "film.avi").write_bytes(b"film")
    film = VideoDevice(DeviceSettings("video", str(tmp_path / "film.avi"), 64, 48))
    assert film.lock == film.hold({"exposure": 77.0}) == Lock()


def test_a_camera_adapts_anew_only_if_it_has_not_just_done_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Opening one adapts it; the lamp may have been switched since."""
    camera = LiveCamera(DeviceSettings("fake", "live", 64, 48), rate_hz=50, stall_s=20.0)
    held: list[object] = []
    for number, shot in enumerate(camera.shots()):
        assert isinstance(shot, PreviewFrame)
        held.append(camera.lock.controls["ExposureTime"])
        if number == 1:
            assert not camera.adapt()
            monkeypatch.setattr(live_camera, "FRESH_S", 0.0)
            assert camera.adapt()
        if number == 3:
            camera.hold({"ExposureTime": 5_000.0})
        if number == 5:
            camera.hold({"ExposureTime": 2 * LONGEST_US})
        if number == 7:
            camera.close()
    assert held[:4] == [1_000.0, 1_000.0, 2_000.0, 2_000.0]
    assert held[4:6] == [5_000.0] * 2
    assert camera.lock.refused == ("ExposureTime",)


def test_a_lock_survives_the_way_between_processes() -> None:
    """JSON knows no tuples."""
    lock = Lock({"ExposureTime": 20_000, "ColourGains": (1.5, 2.0)})
    said = json.loads(json.dumps(asdict(lock)))
    assert Lock(parse_controls(said["controls"]), tuple(said["refused"])) == lock


@pytest.mark.parametrize("value", ["fast", None, [1.0, "x"], {}])
def test_controls_that_are_no_numbers_are_refused(value: object) -> None:
    """A file that somebody has written in by hand."""
    with pytest.raises(ValueError, match="a number or several"):
        parse_controls({"ExposureTime": value})


@pytest.mark.parametrize(
    ("wanted", "reported", "names"),
    [
        (20_000, 19_960, ()),
        (20_000, 33_000, ("x",)),
        (0.0, 0.004, ()),
        (-1.0, 1.0, ("x",)),
        ((1.5, 2.0), (1.5, 1.2), ("x",)),
        ((1.5, 2.0), 1.5, ("x",)),
    ],
)
def test_a_control_takes_a_value_beside_the_wanted_one(
    wanted: Any, reported: Any, names: tuple[str, ...]
) -> None:
    """Up to a twentieth; a lens at infinity may say next to nothing."""
    assert differing({"x": wanted}, {"x": reported}) == names
    assert differing({"x": wanted}, {}) == ("x",)
