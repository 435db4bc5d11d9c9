"""The sheet of corner tiles, seen as a camera would see it lying flat."""

import re
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.capture.frame import Picture

ROOT = Path(__file__).parent.parent
PX_PER_MM = 3
GAMES = ("tiki_topple", "tactiki", "topple", "tippi_toppi", "uno_tiki")
COMMAND = [sys.executable, "docs/print_tiles.py"]


def print_tiles(game: str) -> str:
    """Return what the command prints."""
    done = subprocess.run(
        [*COMMAND, game], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    )
    return done.stdout


def paint(sheet: str) -> Picture:
    """Return the black squares of *sheet* as a picture of the page."""
    page: NDArray[np.uint8] = np.full((297 * PX_PER_MM, 210 * PX_PER_MM), 255, np.uint8)
    for x, y, side in re.findall(r"M([\d.]+) ([\d.]+)h([\d.]+)v", sheet):
        left, top = round(float(x) * PX_PER_MM), round(float(y) * PX_PER_MM)
        length = round(float(side) * PX_PER_MM)
        page[top : top + length, left : left + length] = 0
    return page


def detect_markers(page: Picture) -> dict[int, NDArray[np.float64]]:
    """Return the corners, (4, 2) in mm on the page, of each tile that is found."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary).detectMarkers(page)
    # Without a marker ids is None, whatever OpenCV's types say, and corners is empty.
    return {
        int(number): np.asarray(corner, np.float64)[0] / PX_PER_MM
        for number, corner in zip(np.atleast_1d(ids).ravel(), corners, strict=False)
    }


@pytest.mark.parametrize(("number", "game"), list(enumerate(GAMES)))
def test_a_games_four_tiles_are_found_at_true_scale(number: int, game: str) -> None:
    """Their numbers choose the game; each is 40 mm wide, upright, and where it is to lie."""
    sheet = print_tiles(game)
    assert 'width="210mm" height="297mm"' in sheet
    tiles = detect_markers(paint(sheet))
    assert sorted(tiles) == [4 * number + corner for corner in range(4)]
    for corners in tiles.values():
        across, down = corners[1] - corners[0], corners[3] - corners[0]
        assert across == pytest.approx((40, 0), abs=0.4)
        assert down == pytest.approx((0, 40), abs=0.4)
    left, right, below_right, below_left = (tiles[4 * number + corner][0] for corner in range(4))
    assert right - left == pytest.approx(below_right - below_left)
    assert right[0] > left[0]
    assert below_left[1] > left[1]


def test_a_page_without_tiles_shows_none() -> None:
    """The check would notice."""
    assert detect_markers(paint("<svg/>")) == {}


def test_a_game_without_a_mat_has_no_tiles() -> None:
    """The command says so, and prints nothing."""
    done = subprocess.run(
        [*COMMAND, "score_sheet"], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "score_sheet is played without a mat, so it has no tiles to print" in done.stderr
