"""Webcams: which are here, which is chosen, and why one cannot be opened."""

from pathlib import Path

import cv2
import pytest

from vision.capture import video_device
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
    monkeypatch.setattr(video_device, "list_video_nodes", lambda: {"/dev/video2": "C920"})
    assert reason(monkeypatch, "97") == (
        "no picture from camera 97; there is no /dev/video97; plug it in, or set camera.device to"
        " one that is here: /dev/video2 (C920)"
    )
    monkeypatch.setattr(video_device, "list_video_nodes", dict)
    assert reason(monkeypatch, "97").endswith("plug it in, or set camera.device")


def test_one_in_use_and_one_that_is_not_ours_are_told_apart(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Either cannot be opened; the remedies are different."""
    node = tmp_path / "video0"
    node.symlink_to("/dev/null")  # a device, not a file to be played
    assert "check the cable, and whether another program uses it" in reason(monkeypatch, str(node))
    monkeypatch.setattr("os.access", lambda *_: False)
    assert f"nobody has given you {node}: sudo usermod -aG video" in reason(monkeypatch, str(node))
