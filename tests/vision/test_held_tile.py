"""A tile in the hand, drawn into shipped pictures: the lens within one per cent, and honestly."""

import math

import numpy as np
import pytest

from tests.vision.held_tiles import HeldTile as Held
from tests.vision.held_tiles import wave
from tests.web.setting_up import picture_of
from vision.geometry.held_tile import CORNER_SIGMA_PX, ENOUGH_ERROR, HeldTile, Sight
from vision.geometry.lens import UNKNOWN
from vision.geometry.pose import camera_matrix
from vision.geometry.table_view import TableView

TRUE_DEG = 66.0
PICTURE = picture_of("tiki_topple")
PLAIN = np.full(PICTURE.shape, 120, np.uint8)
FLAT = Held(49, (20.0, 0.0, 360.0), 3.0)


def error_of(found: HeldTile, true_deg: float = TRUE_DEG) -> float:
    """Return by how much the focal length is wrong, as a logarithm."""
    pixels = [camera_matrix(deg, PICTURE.shape)[0, 0] for deg in (found.lens.hfov_deg, true_deg)]
    return math.log(pixels[0] / pixels[1])


def look(measuring: HeldTile, held: Held, blur_px: float = 0.7) -> Sight:
    """Return what a picture of *held* alone is good for."""
    return measuring.look(TableView(held.draw(PLAIN, TRUE_DEG, blur_px=blur_px)))


@pytest.mark.parametrize("number", [49, 3])
def test_ten_seconds_of_tilting_are_enough(number: int) -> None:
    """By another game's tile or by the same as one that lies on the table."""
    measuring = HeldTile()
    for at, held in enumerate(wave(number, 5, 15)):
        measuring.look(TableView(held.draw(PICTURE, TRUE_DEG, seed=at)))
        if measuring.is_enough:
            break
    assert measuring.lens.error <= ENOUGH_ERROR
    assert abs(error_of(measuring)) < 0.01
    assert 4 <= measuring.taken <= 20


@pytest.mark.parametrize("true_deg", [47.0, 58.0, 78.0, 92.0])
def test_any_lens_is_measured(true_deg: float) -> None:
    """Narrow and wide ones, before a plain wall: the fit does not stay where it began."""
    focal_px, usual_px = (camera_matrix(deg, PLAIN.shape)[0, 0] for deg in (true_deg, TRUE_DEG))
    measuring = HeldTile()
    for at, held in enumerate(wave(49, 2, 20, 0.24 * focal_px / usual_px)):
        measuring.look(TableView(held.draw(PLAIN, true_deg, seed=at)))
    assert measuring.taken >= 10
    assert measuring.lens.error < 0.02
    assert abs(error_of(measuring, true_deg)) < 0.01


def test_blur_and_motion_leave_the_error_honest() -> None:
    """Blurs of 0.7 to 2 px and motion of up to 4 px in six hands: never wrong and sure."""
    off = []
    for seed in range(6):
        measuring, random = HeldTile(), np.random.default_rng(seed)
        for at, held in enumerate(wave(49, seed, 8)):
            moved = random.uniform(0.0, 4.0), random.uniform(0.0, 2.0)
            picture = held.draw(
                PICTURE, TRUE_DEG, blur_px=random.uniform(0.7, 2.0), moved_px=moved, seed=at
            )
            measuring.look(TableView(picture))
        assert measuring.taken >= 4
        off.append(error_of(measuring) / measuring.lens.error)
    assert np.sqrt(np.mean(np.square(off))) < 1.6
    assert max(map(abs, off)) < 3.0


def test_corners_under_blur_are_as_sure_as_is_said() -> None:
    """Their errors, in a hand that shakes a little."""
    apart = []
    for at, held in enumerate(wave(49, 3, 12)):
        view = TableView(held.draw(PICTURE, TRUE_DEG, blur_px=1.2, moved_px=(3.0, 1.0), seed=at))
        true = held.corners(TRUE_DEG, PICTURE.shape)
        found = min(view.find_each_marker(), key=lambda tile: float(np.abs(tile - true).max()))
        apart.append(found - true)
    assert np.sqrt(np.mean(np.square(apart))) < CORNER_SIGMA_PX


def test_each_picture_says_what_it_is_good_for() -> None:
    """Too far, not tilted, blurred, still moving, seen before."""
    slanted = Held(49, (20.0, 0.0, 360.0), 30.0)
    measuring = HeldTile()
    assert measuring.look(TableView(PLAIN)) is Sight.NO_TILE
    assert look(measuring, Held(49, (0.0, 0.0, 900.0), 30.0)) is Sight.SMALL
    assert look(measuring, FLAT) is Sight.FLAT
    assert look(measuring, slanted, blur_px=5.0) is Sight.BLURRED
    assert look(measuring, Held(49, (90.0, 0.0, 360.0), 30.0)) is Sight.MOVING
    assert look(measuring, slanted) is Sight.MOVING
    assert look(measuring, slanted) is Sight.TAKEN
    assert look(measuring, slanted) is Sight.KNOWN
    assert measuring.taken == 1


def test_flat_tiles_tell_nothing() -> None:
    """However long they are shown."""
    measuring = HeldTile()
    for _ in range(3):
        look(measuring, FLAT)
    assert measuring.lens is UNKNOWN
    assert not measuring.is_enough
