"""A Raspberry Pi camera: two streams, one adaptation, and controls that are checked.

picamera2 is the system's own package; here a stand-in of that name does what its manual says.
"""

import contextlib
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.vision.lost_cameras import STALLED_S, until_back
from tests.vision.pi_camera import AUTOMATIC, HELD, Picamera2
from vision.capture import pi_device
from vision.capture.device import CameraLost, DeviceSettings
from vision.capture.exposure_lock import Controls, Lock
from vision.capture.glance import Glance
from vision.capture.live_camera import LiveCamera
from vision.capture.pi_device import PiDevice

SETTLED: Controls = {
    "ExposureTime": 20_000, "AnalogueGain": 1.5, "ColourGains": (2.0, 1.0), "LensPosition": 1.2,
}  # fmt: skip
STAND_IN = """
from tests.vision.pi_camera import Picamera2
Picamera2.frame_s, Picamera2.hangs_at = 0.01, 3
Picamera2.settling_us, Picamera2.longest_us = (20_000,), 15_000
"""


@pytest.fixture(autouse=True)
def pi(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have picamera2 here, and no other clock than the camera's own."""
    monkeypatch.setitem(sys.modules, "picamera2", SimpleNamespace(Picamera2=Picamera2))
    clock = SimpleNamespace(monotonic=lambda: Picamera2.now_s)
    monkeypatch.setattr(pi_device, "time", clock)


def opened(number: str = "", **more: Any) -> PiDevice:
    """Return the camera of that number, after a look through both streams."""
    device = PiDevice(DeviceSettings("picamera2", number, 64, 48, **more))
    with contextlib.closing(device):
        for _ in range(2):
            device.grab()
            luma, picture = device.glance(), device.retrieve()
            assert (luma.shape, picture.shape) == ((48, 64), (48, 64, 3))
            assert abs(float(luma.mean()) - float(picture.mean())) < 0.5
    return device


def test_it_adapts_once_and_is_held_at_that() -> None:
    """Exposure has come to rest before it is locked, focus with it; nothing else is touched."""
    assert opened().lock == Lock(SETTLED)


def test_of_two_cameras_the_settings_choose(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first one unless camera.device says otherwise."""
    monkeypatch.setattr(Picamera2, "models", ("imx708", "imx219"))
    for number, expected in (("0", 0), ("", 0), ("1", 1)):
        assert opened(number)._camera.number == expected


@pytest.mark.parametrize(
    ("number", "models", "taken", "words"),
    [
        ("0", (), -1, "no Raspberry Pi camera is connected; switch off, push the ribbon cable"),
        ("2", ("imx708", "imx219"), -1, "there is no Raspberry Pi camera 2; set camera.device to"),
        ("2", ("imx708", "imx219"), -1, "one that is here: 0 (imx708), 1 (imx219)"),
        ("1", ("imx708", "imx219"), 1, "the Raspberry Pi camera 1 gives no picture"),
        ("0", ("imx708",), 0, "another program uses it, such as rpicam-hello: end that one"),
    ],
)
def test_a_camera_that_cannot_be_opened_is_named(
    monkeypatch: pytest.MonkeyPatch, number: str, models: tuple[str, ...], taken: int, words: str
) -> None:
    """None there, not that one, or another program has it: one line each, with the remedy."""
    monkeypatch.setattr(Picamera2, "models", models)
    monkeypatch.setattr(Picamera2, "taken", taken)
    with pytest.raises(CameraLost) as lost:
        opened(number)
    assert words in str(lost.value)
    assert "\n" not in str(lost.value)


def test_a_module_without_a_motor_has_no_focus(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is set that the camera does not list."""
    monkeypatch.setattr(Picamera2, "controls", AUTOMATIC + HELD)
    assert set(opened().lock.controls) == set(HELD)


def test_what_was_held_is_held_again() -> None:
    """Colours that were learned stay valid though the camera is opened anew."""
    held = Lock({"ExposureTime": 33_000, "AnalogueGain": 4.0, "ColourGains": (1.1, 2.2)})
    assert opened(controls=held.controls).lock == held


def test_a_call_that_never_returns_comes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """picamera2 hangs in a capture, each time; the camera is held as before all the same.

    What it does not hold is named once, though it is opened twice, with what to do.
    """
    (tmp_path / "picamera2.py").write_text(STAND_IN)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    settings = DeviceSettings("picamera2", "", 64, 48)
    camera = LiveCamera(settings, rate_hz=50, stall_s=STALLED_S, pauses_s=(0.01, 0.1))
    shots = list(until_back(camera, frames=2, after_a_picture=True))
    first = next(at for at, shot in enumerate(shots) if isinstance(shot, Glance))
    lost = [str(shot) for shot in shots[first:] if isinstance(shot, CameraLost)]
    assert "no picture from the Raspberry Pi camera" in lost[0]
    assert camera.lock == Lock(SETTLED, ("ExposureTime",))
    (line,) = (record.message for record in caplog.records)
    assert line.startswith("the camera does not hold its exposure: ")
    assert "calibrate again" in line
