"""A Raspberry Pi camera: two streams, one adaptation, and controls that are checked.

picamera2 is the system's own package; here a stand-in of that name does what its manual says.
"""

import contextlib
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import pytest

from tests.vision.lost_cameras import STALLED_S, until_back
from tests.vision.pi_camera import AUTOMATIC, HELD, Mode, Picamera2
from vision.capture import device_process, pi_device, video_device
from vision.capture.camera_list import FoundCamera
from vision.capture.decoder_lines import DecoderLines
from vision.capture.device import CameraLost, DeviceSettings
from vision.capture.device_process import open_device
from vision.capture.exposure_lock import Controls, Lock
from vision.capture.lens_prior import find_prior
from vision.capture.live_camera import LiveCamera
from vision.capture.pi_device import PiDevice
from vision.capture.preview_frame import PreviewFrame
from vision.capture.sensor_mode import LostView

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
        ("2", ("imx708", "imx219"), -1, "there is no Raspberry Pi camera 2; choose one that is"),
        ("2", ("imx708", "imx219"), -1, 'here: imx708 (source = "picamera2", device = "0"), imx21'),
        ("1", ("imx708", "imx219"), 1, "the Raspberry Pi camera 1 gives no picture"),
        ("0", ("imx708",), 0, "another program uses it, such as rpicam-hello: stop it"),
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
    first = next(at for at, shot in enumerate(shots) if isinstance(shot, PreviewFrame))
    lost = [str(shot) for shot in shots[first:] if isinstance(shot, CameraLost)]
    assert "no picture from the Raspberry Pi camera" in lost[0]
    assert camera.lock == Lock(SETTLED, ("ExposureTime",))
    assert camera.lens == find_prior("imx708", 3456)  # a picture of 4:3 has no more of its width
    assert camera.lost_view == LostView((64, 48), 75, 36)
    (line,) = (record.message for record in caplog.records)
    assert line.startswith("the camera keeps adjusting its exposure: ")
    assert "calibrate again" in line


WIDE: Final = (1536, 864)
"""What is asked for unless the settings say otherwise."""


def shown_by(
    monkeypatch: pytest.MonkeyPatch, model: str, size_px: tuple[int, int] = WIDE, **more: Any
) -> PiDevice:
    """Return a camera of that model, opened for pictures of that size."""
    monkeypatch.setattr(Picamera2, "models", (model,))
    device = PiDevice(DeviceSettings("picamera2", "", *size_px, **more))
    device.close()
    return device


@pytest.mark.parametrize(
    ("model", "size_px", "mode", "hfov_deg"),
    [
        ("imx708", WIDE, (2304, 1296), 66.0),
        ("imx708_noir", WIDE, (2304, 1296), 66.0),
        ("imx708_wide", WIDE, (2304, 1296), 102.0),
        ("imx708", (2560, 1440), (4608, 2592), 66.0),  # with its 14 pictures in a second
        ("imx219", WIDE, (1640, 1232), 62.2),
        ("imx219", (1640, 1232), (1640, 1232), 62.2),
        ("imx219", (1920, 1080), (3280, 2464), 62.2),
        ("ov5647", WIDE, (2592, 1944), 53.5),
        ("ov5647", (1280, 960), (1296, 972), 53.5),
        ("imx500", WIDE, (2028, 1520), 66.0),
    ],
)
def test_each_module_shows_its_whole_width(
    monkeypatch: pytest.MonkeyPatch,
    model: str,
    size_px: tuple[int, int],
    mode: tuple[int, int],
    hfov_deg: float,
) -> None:
    """The widest mode is asked for, in no more pixels than are needed; its angle is told."""
    device = shown_by(monkeypatch, model, size_px)
    assert device._camera.mode["size"] == mode
    assert device._camera.mode["bit_depth"] == 10
    assert device.lens is not None
    assert device.lens.hfov_deg == hfov_deg
    assert 0.0 < device.lens.relative_error < 0.1


@pytest.mark.parametrize(
    ("model", "lens", "hfov_deg"),
    [("imx477", "6 mm", 55.0), ("imx477", "16 mm", 22.2), ("imx296", "6 mm", 45.0)],
)
def test_of_a_lens_that_is_screwed_on_somebody_has_to_tell(
    monkeypatch: pytest.MonkeyPatch, model: str, lens: str, hfov_deg: float
) -> None:
    """The HQ and the Global Shutter Camera have none of their own."""
    assert shown_by(monkeypatch, model).lens is None
    assert shown_by(monkeypatch, model, lens="25 mm").lens is None
    told = shown_by(monkeypatch, model, lens=lens).lens
    assert told is not None
    assert told.hfov_deg == pytest.approx(hfov_deg, abs=0.05)
    assert lens in told.source


def test_a_mode_whose_crop_is_not_true_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A driver says 3040 lines of one that reads 2160: its pictures would be out of proportion."""
    assert shown_by(monkeypatch, "imx477")._camera.mode["size"] == (2028, 1520)
    large = shown_by(monkeypatch, "imx477", (3000, 2250))
    assert large._camera.mode["size"] == (4056, 3040)


def test_left_to_itself_picamera2_crops(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is cropped all the same is said, with the angle that is left."""
    assert shown_by(monkeypatch, "imx708").lost_view is None
    monkeypatch.setattr(Picamera2, "is_deaf", True)
    device = shown_by(monkeypatch, "imx708")
    assert device.lost_view == LostView(WIDE, 67)
    assert device.lens == find_prior("imx708", 3072)
    assert device.lens is not None
    assert device.lens.hfov_deg == pytest.approx(46.8, abs=0.1)


@pytest.mark.parametrize(
    ("model", "size_px", "fitting_px"),
    [
        ("imx708", WIDE, None),
        ("imx708", (1280, 960), 720),
        ("imx219", WIDE, 1154),
        ("imx219", (1640, 1232), None),
        ("imx296", (1456, 1088), None),
    ],
)
def test_a_picture_of_another_shape_than_the_sensor_is_named(
    monkeypatch: pytest.MonkeyPatch, model: str, size_px: tuple[int, int], fitting_px: int | None
) -> None:
    """With the setting that shows all."""
    lost = None if fitting_px is None else LostView(size_px, 75, fitting_px)
    assert shown_by(monkeypatch, model, size_px).lost_view == lost


@pytest.mark.parametrize("silent", ["ScalerCrop", "PixelArrayActiveAreas"])
def test_a_camera_that_does_not_say_what_it_shows_is_named(
    monkeypatch: pytest.MonkeyPatch, silent: str
) -> None:
    """Without the crop its angle is known to nobody."""
    monkeypatch.setattr(Picamera2, "silent", (silent,))
    device = shown_by(monkeypatch, "imx708")
    assert device.lost_view == LostView(WIDE)
    assert (device.lens is None) == (silent == "ScalerCrop")


@pytest.mark.parametrize("modes", [(), ({"format": "MJPEG"},)])
def test_a_camera_without_modes_is_opened_all_the_same(
    monkeypatch: pytest.MonkeyPatch, modes: tuple[Mode, ...]
) -> None:
    """picamera2 then takes which it likes, and what it crops is said."""
    monkeypatch.setattr(Picamera2, "modes", {"imx708": modes})
    assert shown_by(monkeypatch, "imx708").lost_view == LostView(WIDE, 67)


def broken(_: Picamera2) -> None:
    """Raise what picamera2 does where a camera has no such control."""
    raise KeyError("FrameDurationLimits")


def test_what_picamera2_says_in_another_way_does_not_close_the_camera(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A list that cannot be made, a rectangle of libcamera's own, and one that is none."""
    area = SimpleNamespace(x=16, y=24, width=4608, height=2592)
    for areas, has_view in (([area], True), ([(0, 0, 0, 0)], False), ((16, 24), False)):
        monkeypatch.setattr(Picamera2, "more_properties", {"PixelArrayActiveAreas": areas})
        assert (shown_by(monkeypatch, "imx708").lost_view is None) is has_view
    monkeypatch.setattr(Picamera2, "more_properties", {"UnitCellSize": area})
    assert shown_by(monkeypatch, "imx708").lens == find_prior("imx708", 4608)
    monkeypatch.setattr(Picamera2, "sensor_modes", property(broken))
    assert shown_by(monkeypatch, "imx708").lost_view == LostView(WIDE, 67)


def test_a_sensor_is_known_without_the_size_of_its_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    """The table of libcamera lacks some; ours has them."""
    monkeypatch.setattr(Picamera2, "silent", ("UnitCellSize",))
    assert shown_by(monkeypatch, "imx219").lens == find_prior("imx219", 3280)
    assert find_prior("imx519", 4656) is None


def test_an_evening_s_lamp_may_take_longer_than_a_video_s_frame(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A tenth of a second, not a thirtieth."""
    monkeypatch.setattr(Picamera2, "longest_us", 200_000)
    assert opened(controls={"ExposureTime": 80_000}).lock.refused == ()
    assert opened(controls={"ExposureTime": 150_000}).lock.refused == ("ExposureTime",)


WEBCAM: Final = ("HD Pro Webcam C920", "/base/axi/pcie@120000/rp1/usb@200000-1:1.0-046d:082d")


def test_a_webcam_is_none_of_the_raspberry_pi_s(monkeypatch: pytest.MonkeyPatch) -> None:
    """picamera2 lists it last; two of one model are told apart by their sockets."""
    ids = ("/base/axi/rp1/i2c@88000/imx708@1a", "/base/axi/rp1/i2c@80000/imx708@1a")
    monkeypatch.setattr(Picamera2, "ids", (*ids, WEBCAM[1]))
    monkeypatch.setattr(Picamera2, "models", ("imx708", "imx708", WEBCAM[0]))
    with pytest.raises(CameraLost) as lost:
        opened("2")
    assert str(lost.value) == (
        "there is no Raspberry Pi camera 2; choose one that is here: imx708 at i2c@88000 (source ="
        ' "picamera2", device = "0"), imx708 at i2c@80000 (source = "picamera2", device = "1")'
    )


@pytest.mark.parametrize("count", [0, 1, 2])
def test_on_a_pi_with_a_webcam_alone_that_is_opened(
    monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    """Through V4L2; of two somebody has to choose, by names that stay."""
    monkeypatch.setattr(Picamera2, "ids", (WEBCAM[1],))
    monkeypatch.setattr(Picamera2, "models", (WEBCAM[0],))
    webcams = [FoundCamera("video", f"/dev/v4l/by-id/{at}", "C920") for at in range(count)]
    for module in (device_process, pi_device):
        monkeypatch.setattr(module, "list_video_cameras", lambda: tuple(webcams))

    def give(settings: DeviceSettings, lines: DecoderLines) -> DeviceSettings:
        lines.close()
        return settings

    monkeypatch.setattr(video_device, "VideoDevice", give)
    settings = DeviceSettings("picamera2", "", *WIDE)
    if count == 1:
        taken: Any = open_device(settings)
        assert taken == DeviceSettings("video", "/dev/v4l/by-id/0", *WIDE)
        return
    with pytest.raises(CameraLost) as lost:
        open_device(settings)
    assert str(lost.value).startswith("no Raspberry Pi camera is connected; switch off")
    assert str(lost.value).count("C920") == count
