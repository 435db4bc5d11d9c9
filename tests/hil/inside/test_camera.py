"""A game of TacTiki through picamera2 and libcamera, of which only the table is a recording."""

import contextlib
import json
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest

from companion.registry import recordings
from companion.table.camera_lens import are_apart
from tests.hil.inside import film
from tests.hil.inside.house import House, at_home
from tests.hil.inside.table import settings
from vision.geometry.lens import Lens

REEL: Final = 6
"""So many pictures: libcamera decodes all before it begins, and the companion waits for 15 s."""
LEARN_S: Final = 900.0
"""Calibrating with the first picture takes 8 s of the computer below, and 30 times as long here."""
READ_S: Final = 120.0
CAMERA: Final = (
    ('game = "auto"', 'game = "tactiki"'),
    ('"Red", "Blue", "Yellow", "Green"', '"Ann", "Bob"'),
    ('source = "recording"', 'source = "picamera2"'),
    (
        "width_px = 1536\nheight_px = 864\nrate_hz = 5.0",
        f"width_px = {film.WIDE[0]}\nheight_px = {film.WIDE[1]}\nrate_hz = 2.0",
    ),
)


def unplug_camera() -> None:
    """End the process that owns the camera, as if its cable had been pulled and put back."""
    ended = 0
    for command in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if b"device_process" in command.read_bytes():
                os.kill(int(command.parent.name), signal.SIGKILL)
                ended += 1
    assert ended == 1, f"{ended} processes own a camera"


def seen(house: House) -> list[str]:
    """Return all actions so far; each was seen by the camera."""
    lines = [line for line in house.record() if line["type"] in ("move", "observed")]
    assert all(line["frame"] for line in lines)
    return [line["action"] for line in lines]


def is_followed(
    house: House, scene: film.Scene, played: Sequence[str], board: dict[str, Any]
) -> bool:
    """Return whether all that is *played* has been seen, and *board* tells the rest of *scene*."""
    if scene.is_illegal and board["question"] is None:
        return False
    if scene.has_hand and board["waiting"] != "hand":
        return False
    return len(seen(house)) >= len(played)


@pytest.mark.timeout(2400)
def test_a_game_is_followed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The moves of the record, no other, each seen by the camera; nobody taps anything in.

    Nobody tells how wide it looks either, which is wider than most cameras do.

    Between two reels the camera is gone, and comes back held at what it was calibrated with.
    Where a picture shows two moves at once nobody can tell which came first.
    """
    recording = recordings()["tactiki"]
    scenes = film.scenes_of(recording)
    reels = [scenes[first : first + REEL] for first in range(0, len(scenes), REEL)]
    film.load(recording, [scene.name for scene in reels[0]], film.WIDE)
    played: list[str] = []
    start_s = time.monotonic()
    with at_home(folder, settings(folder, *CAMERA)) as house:
        learned = "games.tactiki@*.colours.json"
        house.wait_for(
            lambda board: any(folder.glob(learned)) and not board["waiting"], LEARN_S, 0.5
        )
        for reel in reels:
            if reel is not reels[0]:
                unplug_camera()  # it comes back after a second at the earliest
                film.load(recording, [scene.name for scene in reel], film.WIDE)
            for number, scene in enumerate(reel):
                film.turn_to(number)
                played += scene.actions
                house.wait_for(partial(is_followed, house, scene, played), READ_S, look_s=0.5)
                assert Counter(seen(house)) == Counter(played), scene
                with capsys.disabled():
                    sys.stdout.write(f"\n{scene.name} after {time.monotonic() - start_s:.0f} s ")
        (kept,) = folder.glob(learned)
        held = json.loads(kept.read_text())["camera"]
        assert held["ExposureTime"] == 20_000
        (lens,) = folder.glob("games.camera@*.lens.json")
        measured = Lens(**json.loads(lens.read_text())["image"])
        assert not are_apart(measured, Lens(film.WIDE_DEG, 0.0))
    assert len(played) == 30
