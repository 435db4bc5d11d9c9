"""A table whose cameras are found: video files in their places, and the host's hands."""

import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tests.evenings import KEY
from tests.recordings import SHIPPED
from tests.wired_tables import DEADLINE_S, House, host_headers, page
from vision.capture.camera_list import FoundCamera
from vision.capture.frame import Picture, load_frame

SETTINGS = f"""
[table]
game = "tiki_topple"
players = ["Ann", "Bob"]
[camera]
source = "auto"
[web]
host = "127.0.0.1"
port = 8321
key = "{KEY}"
[log]
file = ""
"""


def film(path: Path, picture: Picture) -> FoundCamera:
    """Return a camera that shows *picture* for ever, with a little noise, as sensors have."""
    height, width = picture.shape[:2]
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (width, height))
    noise = np.random.default_rng(3)
    for _ in range(20):
        noisy = picture.astype(np.int16) + noise.integers(-2, 3, picture.shape)
        writer.write(np.clip(noisy, 0, 255).astype(np.uint8))
    writer.release()
    return FoundCamera("video", str(path), path.stem, f"/dev/{path.stem}")


def table_picture(width_px: int = 1280) -> Picture:
    """Return the table of the recording that ships."""
    picture = load_frame(SHIPPED / "000.jpg").picture
    return np.asarray(cv2.resize(picture, (width_px, width_px * 9 // 16)), np.uint8)


def connect(monkeypatch: pytest.MonkeyPatch, cameras: list[FoundCamera]) -> None:
    """Let *cameras* be those that are here, as the list has them at any time."""
    monkeypatch.setattr("companion.cameras.find_cameras", lambda: tuple(cameras))
    monkeypatch.setattr(
        "companion.cameras.list_video_cameras",
        lambda: tuple(each for each in cameras if each.source == "video"),
    )
    monkeypatch.setattr("companion.cameras.LOOK_S", 0.05)


def camera_troubles(board: dict[str, Any]) -> list[str]:
    """Return what the pages say of the camera."""
    return [words for words in board["warnings"] if words.startswith("the camera: ")]


def send(house: House, **form: str) -> str:
    """Send the form of the cameras as the host; return the page that comes, whatever its status."""
    data = urllib.parse.urlencode(form).encode()
    request = urllib.request.Request(f"{house.url}/set-up/camera", data, host_headers(house))
    try:
        with urllib.request.urlopen(request, timeout=DEADLINE_S) as reply:
            found = reply.read()
    except urllib.error.HTTPError as error:
        with error:
            found = error.read()
    return str(found.decode())


def wait_for_page(house: House, wanted: Callable[[str], object]) -> str:
    """Return the set-up page once *wanted* holds of it."""
    deadline = time.monotonic() + DEADLINE_S
    while not wanted(shown := page(house, "/desk/set-up")):
        assert time.monotonic() < deadline, shown
        time.sleep(0.1)
    return shown
