"""A Raspberry Pi camera: two streams, one adaptation, and controls that are checked.

picamera2 is the system's own package; here a stand-in of that name does what its manual says.
"""

from pathlib import Path
from typing import Any

import pytest

from tests.vision.test_live_camera import PATIENT_S, STALLED_S, until_back
from vision.capture.device import CameraLost, DeviceSettings
from vision.capture.exposure_lock import Lock
from vision.capture.glance import Glance
from vision.capture.live_camera import LiveCamera

PICAMERA2 = """
import sys
import time
import numpy as np

LATE = 4          # frames until a control has taken effect
SETTLES_US = [9_000, 14_000, 19_000, 20_000, 20_000, 20_000, 20_000, 20_000, 20_000]

class Request:
    def __init__(self, number):
        self.released = False
        table = np.random.default_rng(number).integers(50, 90, (48, 64, 3), np.uint8)
        luma = table.mean(axis=2).round().astype(np.uint8)
        padded = np.zeros((72, 80), np.uint8)     # rows of 64 in steps of 80, then the colours
        padded[:48, :64] = luma
        self.arrays = {"main": table, "lores": padded}
    def make_array(self, name):
        assert not self.released
        return self.arrays[name]
    def release(self):
        assert not self.released
        self.released = True

class Picamera2:
    held = 0
    @staticmethod
    def global_camera_info():
        return [{"Model": model} for model in MODELS]
    def __init__(self, number):
        if number == TAKEN:
            raise RuntimeError("Camera __init__ sequence did not complete.")
        print("opened", number, file=sys.stderr, flush=True)
        self.shots, self.pending, self.late, self.auto = 0, None, 0, True
        self.now = {"ExposureTime": 5_000, "AnalogueGain": 1.5, "ColourGains": (2.0, 1.0),
                    "LensPosition": 1.2, "Lux": 300.0}
        self.settling = iter(SETTLES_US)
        self.camera_controls = dict.fromkeys(CONTROLS, (0, 1, 0))
        self.requests = []
    def create_video_configuration(self, main, lores):
        assert main == {"size": (64, 48), "format": "RGB888"}, main
        assert lores == {"size": (64, 48), "format": "YUV420"}, lores
        return {"main": main, "lores": lores}
    def configure(self, streams):
        self.streams = streams
    def stream_configuration(self, name):
        return self.streams[name]
    def start(self):
        pass
    def set_controls(self, controls):
        assert set(controls) <= set(CONTROLS), controls
        if controls.get("AeEnable"):
            self.auto, self.settling = True, iter(SETTLES_US)
        else:
            self.auto, self.pending, self.late = False, controls, LATE
    def capture_metadata(self):
        time.sleep(0.005)
        if self.auto:
            self.now["ExposureTime"] = next(self.settling, SETTLES_US[-1])
        elif self.pending is not None:
            self.late -= 1
            if self.late == 0:
                known = {name: value for name, value in self.pending.items() if name in self.now}
                known["ExposureTime"] = min(known["ExposureTime"], LONGEST_US) - 11   # whole lines
                self.now.update(known)
        return dict(self.now)
    def capture_request(self):
        assert sum(not request.released for request in self.requests) <= 1
        time.sleep(0.005)
        self.shots += 1
        if self.shots == HANGS_AT:
            time.sleep(3600)
        self.requests.append(Request(self.shots))
        return self.requests[-1]
    def close(self):
        assert all(request.released for request in self.requests)
"""
AUTOMATIC = ("AeEnable", "AwbEnable")
HELD = ("ExposureTime", "AnalogueGain", "ColourGains")
ALL = (*AUTOMATIC, *HELD, "AfMode", "LensPosition")


def install(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    controls: tuple[str, ...] = ALL,
    longest_us: int = 60_000,
    hangs_at: int = 0,
    models: tuple[str, ...] = ("imx708",),
    taken: int = -1,
) -> None:
    """Let the camera's process find a picamera2 of such a camera in *folder*."""
    figures = f"CONTROLS, LONGEST_US, HANGS_AT = {controls!r}, {longest_us}, {hangs_at}\n"
    figures += f"MODELS, TAKEN = {models!r}, {taken}\n"
    (folder / "picamera2.py").write_text(figures + PICAMERA2)
    monkeypatch.setenv("PYTHONPATH", str(folder))


def pi_camera(number: str = "", *, hangs: bool = False, **more: Any) -> LiveCamera:
    """Return the camera that was installed.

    hangs: whether that is to be noticed soon; a busy machine is given time otherwise.
    """
    settings = DeviceSettings("picamera2", number, 64, 48, **more)
    stall_s = STALLED_S if hangs else PATIENT_S
    return LiveCamera(settings, rate_hz=50, stall_s=stall_s, pauses_s=(0.01, 0.1))


def look(camera: LiveCamera, shots: int = 2) -> Lock:
    """Return what *camera* is held at after so many *shots*."""
    for number, shot in enumerate(camera.shots(), 1):
        assert isinstance(shot, Glance), shot
        assert shot.fetch().picture.shape == (48, 64, 3)
        assert shot.luma.shape == (48, 64)
        assert abs(float(shot.luma.mean()) - float(shot.fetch().picture.mean())) < 0.5
        if number == shots:
            camera.close()
    return camera.lock


def test_it_adapts_once_and_is_held_at_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exposure has come to rest before it is locked, focus with it; nothing else is touched."""
    install(tmp_path, monkeypatch)
    assert look(pi_camera()) == Lock(
        {
            "ExposureTime": 20_000,
            "AnalogueGain": 1.5,
            "ColourGains": (2.0, 1.0),
            "LensPosition": 1.2,
        }
    )


def test_of_two_cameras_the_settings_choose(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """The first one unless camera.device says otherwise."""
    install(tmp_path, monkeypatch, models=("imx708", "imx219"))
    for number, opened in (("0", 0), ("", 0), ("1", 1)):
        look(pi_camera(number))
        assert capfd.readouterr().err.split("\n")[0] == f"opened {opened}"


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
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    number: str,
    models: tuple[str, ...],
    taken: int,
    words: str,
) -> None:
    """None there, not that one, or another program has it: one line each, with the remedy."""
    install(tmp_path, monkeypatch, models=models, taken=taken)
    camera = pi_camera(number)
    shot = next(camera.shots())
    camera.close()
    assert isinstance(shot, CameraLost)
    assert words in str(shot)
    assert "\n" not in str(shot)


def test_a_module_without_a_motor_has_no_focus(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is set that the camera does not list."""
    install(tmp_path, monkeypatch, controls=AUTOMATIC + HELD)
    assert set(look(pi_camera()).controls) == set(HELD)


def test_what_was_held_is_held_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Colours that were learned stay valid though the camera is opened anew."""
    install(tmp_path, monkeypatch)
    held = Lock({"ExposureTime": 33_000, "AnalogueGain": 4.0, "ColourGains": (1.1, 2.2)})
    assert look(pi_camera(controls=held.controls)) == held


def test_what_the_camera_does_not_hold_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Once, with what to do; pictures go on."""
    install(tmp_path, monkeypatch, longest_us=25_000)
    lock = look(pi_camera(controls={"ExposureTime": 33_000, "AnalogueGain": 4.0}), shots=5)
    assert lock.refused == ("ExposureTime",)
    (line,) = (record.message for record in caplog.records)
    assert line.startswith("the camera does not hold its exposure: ")
    assert "calibrate again" in line


def test_a_call_that_never_returns_comes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """picamera2 hangs in a capture, each time; the camera is held as before all the same."""
    install(tmp_path, monkeypatch, hangs_at=3)
    camera = pi_camera(hangs=True)
    shots = list(until_back(camera, frames=2))
    assert [type(shot) for shot in shots] == [Glance, Glance, CameraLost, Glance, Glance]
    assert "the Raspberry Pi camera" in str(shots[2])
    assert camera.lock.controls["ExposureTime"] == 20_000
