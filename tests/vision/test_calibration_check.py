"""What people mean to teach is doubted where the picture cannot show it, and only there."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import cv2
import numpy as np
import pytest

from companion.table.readers import reader_setup_of
from tests.referee.entering import sit
from tests.vision.shipped import GAMES, START, Shot, description_of, settled, shot_of, shots_of
from vision.capture.frame import Frame
from vision.observation import Evidence

SWAPPED: Final = {
    "tactiki": {"tac": "tiki", "tiki": "tac"},
    "topple": {"pink": "yellow", "yellow": "pink"},
}
EARLY: Final = 2
"""After one move of TacTiki the same fields are taken as before it: only heights could tell."""


def doubt(game: str, shot: Shot, truth: Mapping[str, Any]) -> str | None:
    """Return why the shot cannot show that truth, None if it may; one line."""
    found = reader_setup_of(game).check(shot.frame, truth)
    assert found is None or "\n" not in found
    return found


def first_truth(game: str) -> Mapping[str, Any]:
    """Return what lies there before the first move, always."""
    live_session = sit(game, seats=2)
    truth = reader_setup_of(game).calibration_truth(
        live_session.game.shown(live_session.session.state)
    )
    assert truth is not None
    return truth


def changed(shot: Shot, row: int, column: int, pieces: list[str]) -> Mapping[str, Any]:
    """Return the truth of *shot* with other *pieces* in one place."""
    cells = [list(spots) for spots in shot.cells]
    cells[row][column] = pieces
    return {"cells": cells}


@pytest.mark.parametrize("game", GAMES)
def test_the_start_is_not_doubted(game: str) -> None:
    """It is what the game's eyes take for granted, in the form of truth.jsonl."""
    start = shot_of(game, START)
    assert first_truth(game)["cells"] == start.cells
    assert doubt(game, start, first_truth(game)) is None


@pytest.mark.parametrize("game", GAMES)
def test_the_truth_is_never_doubted(game: str) -> None:
    """Whatever a picture at rest shows."""
    for shot in settled(game)[::4]:
        assert doubt(game, shot, {"cells": shot.cells}) is None, shot.frame.name


@pytest.mark.parametrize("game", GAMES)
def test_a_game_under_way_is_not_the_start(game: str) -> None:
    """Something is named that stands, or does not, where it should not, or should."""
    for shot in settled(game)[EARLY::4]:
        words = doubt(game, shot, first_truth(game)) or ""
        assert words.startswith(("nothing stands in ", "something stands in ")), shot.frame.name


@pytest.mark.parametrize(
    ("game", "row", "column", "place"), [("tactiki", 2, 0, "A3"), ("topple", 0, 4, "E1")]
)
def test_a_piece_too_many_in_the_truth_is_named(
    game: str, row: int, column: int, place: str
) -> None:
    """By letter and number, as people call the place."""
    start = shot_of(game, START)
    pieces = list(SWAPPED[game])[:1]
    assert doubt(game, start, changed(start, row, column, pieces)) == f"nothing stands in {place}"


@pytest.mark.parametrize(
    ("game", "name", "row", "column", "place"),
    [("tactiki", START, 0, 0, "A1"), ("topple", "003.jpg", 2, 2, "C3")],
)
def test_a_piece_too_few_in_the_truth_is_named(
    game: str, name: str, row: int, column: int, place: str
) -> None:
    """It should not stand there."""
    shot = shot_of(game, name)
    expected = f"something stands in {place}, which should be empty"
    assert doubt(game, shot, changed(shot, row, column, [])) == expected


def hides(shot: Shot, words: str) -> bool:
    """Tell whether a hand covers the place that *words* begin with, by the truth of *shot*."""
    covered = shot.row["truth"]["covered_slots"]
    return words.split(maxsplit=1)[0] in [f"{'ABCDE'[column]}{row + 1}" for row, column in covered]


def test_hands_are_named_by_what_they_hide() -> None:
    """Most are doubted, by a covered place; some leave open that all is as it is told."""
    doubted = 0
    for game in GAMES:
        for shot in [one for one in shots_of(game) if not one.is_settled]:
            words = doubt(game, shot, {"cells": shot.cells})
            if words is not None:
                assert words.endswith(" is hidden; take your hands away")
                assert hides(shot, words), shot.frame.name
                doubted += 1
    assert doubted >= 9


def test_a_hand_over_the_empty_board_is_named_with_the_remedy() -> None:
    """Nobody can teach from it."""
    words = doubt("topple", shot_of("topple", "002.jpg"), first_truth("topple")) or ""
    assert words.endswith(" is hidden; take your hands away")
    assert hides(shot_of("topple", "002.jpg"), words)


@pytest.mark.parametrize("game", GAMES)
def test_colours_that_have_changed_places_are_doubted(game: str) -> None:
    """Nothing would ever be read rightly with them."""
    names = SWAPPED[game]
    words = " and ".join(names)
    for shot in settled(game)[-1:-20:-6]:
        cells = [
            [[names.get(piece, piece) for piece in spot] for spot in row] for row in shot.cells
        ]
        assert doubt(game, shot, {"cells": cells}) == f"{words} have changed places"


@pytest.mark.parametrize("game", GAMES)
def test_a_picture_without_the_mat_says_what_to_do(game: str) -> None:
    """And never raises."""
    blank = Frame("blank.jpg", np.zeros((90, 160, 3), np.uint8), 0.0)
    assert "uncover all four" in (reader_setup_of(game).check(blank, first_truth(game)) or "")


@pytest.mark.parametrize("cells", [None, 7, [[[]] * 5] * 4, [[["pele"]] * 5] * 5])
@pytest.mark.parametrize("game", GAMES)
def test_an_impossible_truth_is_doubted_by_what_it_says(game: str, cells: object) -> None:
    """The picture is not even looked at."""
    words = doubt(game, shot_of(game, START), {"cells": cells}) or ""
    assert words.startswith("001.jpg: 'cells' is ")


LAMP: Final = (0.7, 1.2, 3.0)
"""By how much blue, green and red are as strong under a lamp that hides which paints are seen."""


def under_a_lamp(shot: Shot) -> Frame:
    """Return what the camera sees of the same table under that lamp."""
    levels = np.minimum(shot.frame.picture * np.array(LAMP), 255.0)
    return replace(shot.frame, picture=levels.astype(np.uint8))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.slow(keep=["topple"])
def test_paints_are_learned_anew_under_a_lamp_that_hides_them(game: str) -> None:
    """From the picture that was believed: whatever is laid next has the right name."""
    reader, first = reader_setup_of(game).open_reader(description_of(game)), shots_of(game)[0]
    reader.calibrate(first.frame, first.row["truth"])
    settled = [shot for shot in shots_of(game) if shot.is_settled]
    before, after = settled[6:8]
    rivals = []
    for is_believed in (False, True):
        if is_believed:
            reader.read(under_a_lamp(before))
            reader.set_reference(before.frame.name, before.table)
        seen = reader.read(under_a_lamp(after))
        each = zip(before.table, after.table, seen.places, strict=True)
        rivals += [rival_of(str(new), place) for old, new, place in each if old != new]
    half = len(rivals) // 2
    assert min(rivals[:half]) > 0.2
    assert max(rivals[half:]) < 0.1


def rival_of(name: str, place: Evidence) -> float:
    """Return how likely *place* is anything but *name*; nobody has seen green in that light."""
    others = place.probabilities.keys() - {name}
    return max(place.of(other) for other in others if not other.startswith("green"))


@pytest.mark.parametrize("turn_deg", [60.0, 90.0, 120.0])
def test_a_set_in_quite_other_colours_is_not_doubted(turn_deg: float) -> None:
    """Whichever way its names are given: there are no usual ones to be swapped."""
    start = shot_of("tactiki", START)
    hsv = cv2.cvtColor(start.frame.picture.astype(np.float32) / 255.0, cv2.COLOR_BGR2HSV)
    hsv[..., 0] = (hsv[..., 0] + turn_deg) % 360.0
    turned = np.asarray(255.0 * cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR), np.uint8)
    shot = replace(start, frame=replace(start.frame, picture=turned))
    for cells in (
        start.cells,
        [[[SWAPPED["tactiki"][p] for p in c] for c in r] for r in start.cells],
    ):
        assert doubt("tactiki", shot, {"cells": cells}) is None
