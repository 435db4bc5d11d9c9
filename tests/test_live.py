"""A live camera, from the first picture of an unknown set to refereed moves: nothing is told."""

import json
import re
import subprocess
import urllib.request
from pathlib import Path
from typing import Any

import cv2
import pytest

from tests.commands import TIKI
from tests.recordings import SHIPPED, true_moves

MOVES = 3
SETTINGS = """
[table]
sides = ["near", "right", "far", "left"]
[camera]
source = "video"
device = "{device}"
rate_hz = 10
settle_s = 0.3
"""


def film(path: Path, frames: int) -> None:
    """Film the shipped pictures 1 to *frames*, ten frames of each, at ten a second."""
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (1280, 720))
    for number in range(1, frames + 1):
        picture = cv2.imread(str(SHIPPED / f"{number:03}.jpg"))
        assert picture is not None
        for _ in range(10):
            writer.write(picture)
    writer.release()


@pytest.mark.slow
def test_a_game_before_an_unknown_camera_is_refereed(tmp_path: Path) -> None:
    """The line is read by default colours, this set's are learned from it, moves follow."""
    film(tmp_path / "table.avi", 8)
    config = tmp_path / "tiki.toml"
    config.write_text(SETTINGS.format(device=tmp_path / "table.avi"))
    log = tmp_path / "games.db"
    command = [str(TIKI), "run", "--config", str(config), "--port", "0", "--log", str(log)]
    told: list[dict[str, Any]] = []
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as daemon:
        try:
            assert daemon.stdout
            found = re.search(r":(\d+)", daemon.stdout.readline())
            assert found
            address = f"http://127.0.0.1:{found.group(1)}/api/events"
            with urllib.request.urlopen(address, timeout=60) as stream:
                for line in stream:
                    if line.startswith(b"data: {") and len(line) > 12:
                        told.append(json.loads(line[6:]))
                    if [item["type"] for item in told].count("move") == MOVES:
                        break  # the film begins again
        finally:
            daemon.kill()
    moves = [(item["seat"], item["action"]) for item in told if item["type"] == "move"]
    assert moves == true_moves()[: len(moves)]
    assert list(tmp_path.glob("games.tiki_topple@*.colours.jpg"))
