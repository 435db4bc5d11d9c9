"""The lens is measured from tiles, and never sure of what one view cannot tell."""

import math

import numpy as np
import pytest

from tests.vision.lenses import SHAPE, DrawnLens, Fisheye
from vision.geometry.lens import UNKNOWN, Lens, NoSuchLens, measure_lens
from vision.geometry.pose import Markers

ANGLES_DEG = (47.0, 66.0, 92.0)
TABLES = range(8)
KNOWN_ERROR = 0.03


def error_of(found: Lens, true: DrawnLens) -> float:
    """Return by how much the focal length is wrong, as a logarithm."""
    half = math.radians(found.hfov_deg) / 2
    return math.log(SHAPE[1] / 2 / math.tan(half) / true.focal_px)


@pytest.mark.parametrize("hfov_deg", ANGLES_DEG)
@pytest.mark.parametrize("slant_deg", [0.0, 5.0, 10.0, 20.0, 30.0])
def test_one_view_tells_how_sure_it_is(hfov_deg: float, slant_deg: float) -> None:
    """Off centre, by tiles laid by hand: wrong by no more than the error that is told allows."""
    true = DrawnLens(hfov_deg, beside=(9.0, -6.0))
    found = [measure_lens([true.look(slant_deg, table)], SHAPE) for table in TABLES]
    off = [error_of(each, true) / each.error for each in found]
    assert np.sqrt(np.mean(np.square(off))) < 1.6
    assert max(map(abs, off)) < 4.0
    if slant_deg == 0.0:
        assert not any(each.error <= KNOWN_ERROR for each in found)


@pytest.mark.parametrize("hfov_deg", ANGLES_DEG)
def test_a_slanted_view_is_enough(hfov_deg: float) -> None:
    """From 35 degrees on the angle is known to a few hundredths, with distortion too."""
    true = DrawnLens(hfov_deg, k1=-0.05)
    found = [measure_lens([true.look(35.0, table)], SHAPE) for table in TABLES]
    assert all(each.error < 0.04 for each in found)
    assert all(abs(error_of(each, true)) < 0.06 for each in found)


def test_what_is_known_beforehand_counts() -> None:
    """Seen from straight above nothing is learned, so a camera module's own angle stays."""
    true, prior = DrawnLens(47.0), Lens(47.5, 0.02)
    found = measure_lens([true.look(1.0, 3)], SHAPE, prior)
    assert found.error <= KNOWN_ERROR
    assert found.hfov_deg == pytest.approx(47.5, abs=0.5)
    assert measure_lens([], SHAPE, prior) is prior


@pytest.mark.parametrize(("hfov_deg", "k1"), [(47.0, -0.25), (66.0, -0.15), (102.0, -0.08)])
def test_a_tile_in_the_hand_tells_what_straight_above_cannot(hfov_deg: float, k1: float) -> None:
    """The check ruler's sheet, tilted before the lens for some pictures: within two hundredths."""
    true = DrawnLens(hfov_deg, k1=k1, beside=(6.0, 4.0))
    held = [true.hold(90.0, 260.0 * true.focal_px / 1182.0, seed) for seed in range(9)]
    found = measure_lens([true.look(2.0, 1), *held], SHAPE)
    assert found.error < 0.012
    assert abs(error_of(found, true)) < 0.02
    assert found.k1 == pytest.approx(k1, abs=0.03)


def test_lines_that_hardly_bend_are_left_alone() -> None:
    """Readers do as well with them, and straightening costs time."""
    assert measure_lens([DrawnLens(66.0, k1=-0.05).look(30.0, 1)], SHAPE).k1 == 0.0
    assert measure_lens([DrawnLens(66.0, k1=-0.2).look(30.0, 1)], SHAPE).k1 < -0.15


@pytest.mark.parametrize("slant_deg", [0.0, 15.0, 30.0])
def test_a_fisheye_is_refused(slant_deg: float) -> None:
    """In words, wherever it stands: no pinhole bends lines so much."""
    for seed in range(3):
        with pytest.raises(NoSuchLens, match="use a camera that sees less than 120 degrees"):
            measure_lens([Fisheye(160.0).look(slant_deg, seed)], SHAPE)


def test_what_no_lens_shows_is_refused() -> None:
    """Four squares that lie on no one plane, such as a tile on a cup."""
    view = DrawnLens(66.0).look(20.0, 1)
    seen = {tile: corners * (1.0 + 0.2 * (tile == 2)) for tile, corners in view.seen.items()}
    with pytest.raises(NoSuchLens, match="lay all of them flat"):
        measure_lens([Markers(seen, view.known)], SHAPE)


def test_it_is_written_as_it_is() -> None:
    """For a session.json."""
    assert UNKNOWN.to_json() == {"hfov_deg": 66.0, "error": 0.4, "k1": 0.0}


def test_more_noise_than_reckoned_with_makes_it_less_sure() -> None:
    """Such as of a tile that moves while its rows are read: never wrong and sure."""
    true, off = DrawnLens(66.0), []
    for seed in range(8):
        random = np.random.default_rng(seed)
        held = [true.hold(40.0, 300.0, 20 * seed + at) for at in range(9)]
        shaken = [
            Markers({9: view.seen[9] + random.normal(0.0, 0.8, (4, 2))}, view.known)
            for view in held
        ]
        sure, unsure = measure_lens(held, SHAPE), measure_lens(shaken, SHAPE)
        assert unsure.error > 1.3 * sure.error
        off.append(error_of(unsure, true) / unsure.error)
    assert np.sqrt(np.mean(np.square(off))) < 1.6
