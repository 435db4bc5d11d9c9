"""How the colours of a camera's pictures come is told with them."""

from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.vision.videos import write_video
from vision.capture.colour_origin import OPENCV, ColourOrigin, differing_parts, parse_origin
from vision.capture.device import DeviceSettings
from vision.capture.frame import encode
from vision.capture.live_camera import LiveCamera
from vision.capture.phone_camera import PhoneCamera
from vision.capture.preview_frame import PreviewFrame
from vision.capture.switched_camera import SwitchedCamera

STREAM = ColourOrigin("stream", "OpenCV 4.12.0", "FFMPEG", "h264", (1280, 720))


def test_a_camera_tells_it_through_its_process(tmp_path: Path) -> None:
    """By the decoder with its release, and what it decodes; a switched one passes it on."""
    camera = LiveCamera(DeviceSettings("video", write_video(tmp_path / "table.avi", (90, 120))))
    switched = SwitchedCamera()
    assert [each.origin for each in (camera, switched)] == [None, None]
    shots = camera.shots()
    assert isinstance(next(shots), PreviewFrame)
    switched.put(camera, shots)
    found = switched.origin
    camera.close()
    assert found is not None
    assert (found.source, found.decoder, found.codec) == ("file", OPENCV, "MJPG")
    assert found.backend
    assert found.size_px[0] >= 32


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"decoder": "OpenCV 5.0.0"}, ("OpenCV 4.12.0", "OpenCV 5.0.0")),
        ({"codec": "mjpeg"}, ("h264", "mjpeg")),
        ({"size_px": (640, 360)}, ("1280 × 720", "640 × 360")),
        ({"backend": ""}, ("FFMPEG", "")),
        (
            {"decoder": "picamera2 0.3.27", "source": "picamera2"},
            ("OpenCV 4.12.0, stream", "picamera2 0.3.27, picamera2"),
        ),
        ({}, ("", "")),
    ],
)
def test_only_what_differs_is_named(more: dict[str, Any], words: tuple[str, str]) -> None:
    """People need not know the rest."""
    assert differing_parts(STREAM, replace(STREAM, **more)) == words


def test_it_is_kept_as_json() -> None:
    """Lists come back as what they were; what lacks a part is none."""
    assert parse_origin({**asdict(STREAM), "size_px": [1280, 720]}) == STREAM
    with pytest.raises(KeyError):
        parse_origin({"source": "stream"})


def test_a_phone_tells_it_once_it_has_sent_a_picture() -> None:
    """Before, nobody knows the size of its pictures."""
    phone = PhoneCamera()
    assert phone.origin is None
    phone.begin("page")
    phone.release()  # so that no answer waits
    small = encode(np.full((90, 160, 3), 120, np.uint8), 90)
    phone.show("page", small, (1280, 720))
    assert phone.origin == ColourOrigin("phone", OPENCV, "", "JPEG", (1280, 720))
