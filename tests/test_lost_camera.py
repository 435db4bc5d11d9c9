"""A camera that stops delivering: it is named within seconds, and the game goes on by hand."""

import json
from pathlib import Path

import cv2

from tests.cameras import camera_troubles
from tests.evenings import KEY
from tests.recordings import SHIPPED
from tests.vision.streams import streaming
from tests.web.games import FIRST
from tests.wired_tables import House, at_home, page, wait_for
from vision.capture.frame import load_frame
from vision.capture.live_camera import STALL_S

PLAYERS = ("Ann", "Bob")
(START,) = FIRST["tiki_topple"]


def settings(address: str) -> str:
    """Return settings of a table of Tiki Topple that the camera at *address* watches."""
    return f"""
[table]
game = "tiki_topple"
players = {json.dumps(PLAYERS)}
[camera]
source = "video"
device = "{address}"
[web]
host = "127.0.0.1"
port = 8321
key = "{KEY}"
[log]
file = ""
"""


def wait_for_motion(house: House) -> None:
    """Wait until a picture has been judged."""
    wait_for(house, lambda board: board["waiting"])


def test_a_stream_that_stalls_is_named_and_the_game_goes_on_by_hand(tmp_path: Path) -> None:
    """Within 5 s, and no longer than until pictures come again."""
    assert STALL_S < 5.0
    picture = load_frame(SHIPPED / "001.jpg").picture
    with streaming() as sender:
        sender.picture = cv2.resize(picture, (640, 360)).astype("uint8")
        with at_home(tmp_path, settings(sender.address)) as house:
            wait_for_motion(house)
            assert camera_troubles(house.ask("/api/state")) == []
            sender.stalled.set()
            board = wait_for(house, camera_troubles)
            (words,) = camera_troubles(board)
            assert sender.address in words
            assert words in page(house)
            before = len(board["history"])
            house.ask("/api/tell", {"action": START})
            assert len(house.ask("/api/state")["history"]) > before
            sender.stalled.clear()
            wait_for(house, lambda board: not camera_troubles(board))
