"""A game of TacTiki through picamera2 and libcamera, of which only the table is a recording."""

from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest

from companion.games import recordings
from tests.hil.inside import film
from tests.hil.inside.house import at_home
from tests.hil.inside.table import settings

PICTURES: Final = ("001.jpg", "003.jpg", "005.jpg")
READ_S: Final = 400.0
"""The networks that read pictures take 30 times as long here as on the computer below."""
CAMERA: Final = (
    ('game = "auto"', 'game = "tactiki"'),
    ('"Red", "Blue", "Yellow", "Green"', '"Ann", "Bob"'),
    ('source = "recording"', 'source = "picamera2"'),
    (
        "width_px = 1536\nheight_px = 864\nrate_hz = 5.0",
        "width_px = 1024\nheight_px = 576\nrate_hz = 2.0",
    ),
)


def has_seen(moves: int, board: dict[str, Any]) -> bool:
    """Return whether *board* has so many moves."""
    return len(board["history"]) >= moves


@pytest.mark.timeout(1200)
def test_a_game_is_followed(folder: Path) -> None:
    """The moves of the record, no other, each seen by the camera; nobody taps anything in."""
    recording = recordings()["tactiki"]
    truth = film.moves_of(recording)
    film.load(recording, PICTURES)
    with at_home(folder, settings(folder, *CAMERA)) as house:
        house.wait_for(lambda board: board["waiting"] not in ("picture", "motion"), READ_S)
        played: list[str] = []
        for number, name in enumerate(PICTURES):
            film.turn_to(number)
            played += truth[name]
            house.wait_for(partial(has_seen, len(played)), READ_S)
        seen = [line for line in house.record() if line["type"] in ("move", "observed")]
        assert [line["action"] for line in seen] == played
        assert len(played) == 2
        assert all(line["frame"] for line in seen)
