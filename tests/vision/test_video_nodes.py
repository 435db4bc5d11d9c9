"""Webcams: which are here, which is chosen, and why one cannot be opened."""

import json
from dataclasses import asdict
from pathlib import Path

import cv2
import pytest

from vision.capture import device, video_device
from vision.capture.camera_list import (
    FoundCamera,
    list_video_cameras,
    parse_cameras,
    pi_cameras,
)
from vision.capture.device import CameraLost, DeviceSettings
from vision.capture.video_device import VideoDevice
from vision.capture.video_nodes import list_video_nodes


def plug(system: Path, **names: tuple[str, str]) -> Path:
    """Let the kernel tell of nodes, each with its name and index."""
    for node, (name, index) in names.items():
        (system / node).mkdir(parents=True)
        (system / node / "name").write_text(f"{name}\n")
        (system / node / "index").write_text(f"{index}\n")
    return system


def test_cameras_are_listed_without_what_is_none(tmp_path: Path) -> None:
    """A webcam has a second node, and a Raspberry Pi has decoders."""
    system = plug(
        tmp_path,
        video10=("bcm2835-codec-decode", "0"),
        video2=("C920", "0"),
        video0=("USB Webcam", "0"),
        video1=("USB Webcam", "1"),
        video11=("", "0"),
    )
    assert list_video_nodes(system) == {
        "/dev/video0": "USB Webcam",
        "/dev/video2": "C920",
        "/dev/video11": "a camera",
    }
    assert list_video_nodes(tmp_path / "nothing") == {}


class Closed:
    """What OpenCV has of a camera that cannot be opened."""

    def __init__(self, _: object) -> None:
        pass

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's own name
        """Return that it is not."""
        return False


def reason(monkeypatch: pytest.MonkeyPatch, source: str) -> str:
    """Return why the camera *source* cannot be opened."""
    monkeypatch.setattr(cv2, "VideoCapture", Closed)
    with pytest.raises(CameraLost) as caught:
        VideoDevice(DeviceSettings("video", source))
    return str(caught.value)


def test_a_missing_camera_is_named_beside_those_that_are_here(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """So that nobody has to look for a number."""
    c920 = FoundCamera("video", "/dev/v4l/by-id/usb-C920", "C920", "/dev/video2")
    monkeypatch.setattr(video_device, "list_video_cameras", lambda: (c920,))
    assert reason(monkeypatch, "97") == (
        "no picture from camera 97; there is no /dev/video97; plug it in, or choose one that is"
        ' here: C920 (source = "video", device = "/dev/v4l/by-id/usb-C920")'
    )
    monkeypatch.setattr(video_device, "list_video_cameras", tuple)
    assert reason(monkeypatch, "97").endswith("there is no /dev/video97; plug it in")


def test_one_in_use_and_one_that_is_not_ours_are_told_apart(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Either cannot be opened; the remedies are different."""
    node = tmp_path / "video0"
    node.symlink_to("/dev/null")  # a device, not a file to be played
    assert "check the cable, and whether another program uses it" in reason(monkeypatch, str(node))
    monkeypatch.setattr("os.access", lambda *_: False)
    assert f"no permission for {node}: sudo usermod -aG video" in reason(monkeypatch, str(node))


def test_each_webcam_is_listed_by_the_name_that_stays(tmp_path: Path) -> None:
    """By its id, else by its socket, else by its number; two of one model share one id."""
    system = plug(
        tmp_path / "system", video0=("C920", "0"), video1=("C920", "1"), video2=("C920", "0"),
        video4=("Cam", "0"),
    )  # fmt: skip
    by_path, by_id = tmp_path / "by-path", tmp_path / "by-id"
    for link, node in (
        (by_path / "usb-0:1:1.0-video-index0", "video0"),
        (by_path / "usb-0:1:1.0-video-index1", "video1"),
        (by_path / "usb-0:2:1.0-video-index0", "video2"),
        (by_id / "usb-046d_C920-video-index0", "video2"),
    ):
        link.parent.mkdir(exist_ok=True)
        link.symlink_to(f"/dev/{node}")
    assert list_video_cameras(system, (by_path, by_id)) == (
        FoundCamera("video", str(by_path / "usb-0:1:1.0-video-index0"), "C920", "/dev/video0"),
        FoundCamera("video", str(by_id / "usb-046d_C920-video-index0"), "C920", "/dev/video2"),
        FoundCamera("video", "/dev/video4", "Cam", "/dev/video4"),
    )


def test_a_webcam_that_comes_back_as_another_number_is_found_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """By its id, with or without the folder; OpenCV is given the number that it has now."""
    opened: list[object] = []

    class Asked(Closed):
        def __init__(self, place: object) -> None:
            opened.append(place)

    monkeypatch.setattr(cv2, "VideoCapture", Asked)
    monkeypatch.setattr(device, "BY_ID", tmp_path)
    link = tmp_path / "usb-046d_C920-video-index0"
    for number in (90, 92):
        link.unlink(missing_ok=True)
        link.symlink_to(f"/dev/video{number}")
        for source in (link.name, str(link), f"{number}"):
            with pytest.raises(CameraLost):
                VideoDevice(DeviceSettings("video", source))
    assert opened == [90, 90, 90, 92, 92, 92]


def test_the_list_is_read_again_whatever_libcamera_says_in_between() -> None:
    """The last one counts, since webcams are named before picamera2 is asked."""
    found = (FoundCamera("picamera2", "0", "imx708"), FoundCamera("video", "/dev/video0", "C920"))
    first, both = (json.dumps([asdict(each) for each in some]) for some in (found[1:], found))
    said = f"\ncameras {first}\n[0:26] INFO Camera\n\ncameras {both}\n[0:27] cameras []\n"
    assert parse_cameras(said) == found
    for nothing in ("", "[0:26] INFO", "cameras [}]", "cameras [3]", 'cameras [{"colour": "red"}]'):
        assert parse_cameras(nothing) is None
    assert pi_cameras([]) == ()
    assert pi_cameras([{}])[0].name == "a camera"
