"""What tiles agree on after a bump: poses, not pictures; corners are measured as a camera does."""

from collections.abc import Mapping
from typing import Final

import cv2
import numpy as np
import pytest

from vision.geometry.pose import (
    FLIP_Y,
    Markers,
    Points,
    Pose,
    camera_matrix,
    fit_pose,
    unproject,
)
from vision.geometry.tile_agreement import Agreement, find_agreement

MATRIX: Final = camera_matrix(66.0, (432, 768))
HIGH_MM: Final = 520.0
HALF_MM: Final = 20.0
PLACES: Final = {7: (0.0, 0.0), 8: (400.0, 0.0), 9: (400.0, 260.0), 10: (0.0, 260.0)}
"""Of the tiles' middles, in mm of the table."""
NOISE_PX: Final = 0.15
"""Of a corner that is measured in a small picture, of which a pixel is about a millimetre."""
SQUARE: Final = HALF_MM * np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])


def camera(tilt_deg: float, x_mm: float = 200.0, roll_deg: float = 0.0) -> Pose:
    """Return the pose of a camera above the table, tilted about the mat's long side."""
    down, _ = cv2.Rodrigues(np.array([np.pi, 0.0, 0.0]))
    tilt, _ = cv2.Rodrigues(np.radians([tilt_deg, 0.0, 0.0]))
    roll, _ = cv2.Rodrigues(np.radians([0.0, 0.0, roll_deg]))
    rotation = roll @ tilt @ down
    stands = FLIP_Y @ np.array([x_mm, 130.0 - HIGH_MM * np.tan(np.radians(8.0)), HIGH_MM])
    return Pose(MATRIX @ np.column_stack([rotation @ FLIP_Y, -rotation @ stands]), 0.0)


BEFORE: Final = camera(8.0)


def see(pose: Pose, random: np.random.Generator, bend: float = 0.0) -> dict[int, Points]:
    """Return the tiles' corners in pixels, as they are measured through a lens that bends lines."""
    middle, focal_px = MATRIX[:2, 2], MATRIX[0, 0]
    seen = {}
    for tile, place in PLACES.items():
        pixels = pose.project(np.column_stack([SQUARE + place, np.zeros(4)]))
        off = pixels - middle
        bent = middle + off * (1.0 - bend * (off**2).sum(axis=1, keepdims=True) / focal_px**2)
        seen[tile] = bent + random.normal(0.0, NOISE_PX, pixels.shape)
    return seen


def agree(old: Mapping[int, Points], new: Mapping[int, Points], before: Pose = BEFORE) -> Agreement:
    """Return what the tiles agree on, failing if it is nothing."""
    found = find_agreement(MATRIX, before, old, new)
    assert found is not None
    return found


def slide(corners: Points, pose: Pose, dx_mm: float, dy_mm: float) -> Points:
    """Return a tile's corners in pixels after it slid on the table."""
    there = unproject(pose, corners) + np.array([dx_mm, dy_mm])
    return pose.project(np.column_stack([there, np.zeros(4)]))


@pytest.mark.parametrize(
    "after", [camera(8.0, 215.0), camera(14.5), camera(8.0, roll_deg=6.0), camera(11.0, 190.0, 3.0)]
)
def test_a_bump_is_seen_by_all_tiles(after: Pose) -> None:
    """The pose is the camera's."""
    random = np.random.default_rng(1)
    for _ in range(20):
        found = agree(see(BEFORE, random), see(after, random))
        assert found.tiles == PLACES.keys()
        assert not found.slid
        apart = unproject(found.pose, after.project(np.array([[200.0, 130.0, 0.0]]))) - [200, 130]
        assert np.linalg.norm(apart) < 1.0


@pytest.mark.parametrize(
    ("bend", "after"), [(-0.2, camera(14.5)), (0.2, camera(1.5)), (0.2, camera(14.5, 240.0, 5.0))]
)
def test_through_a_lens_that_bends_lines_no_tile_seems_to_have_slid(
    bend: float, after: Pose
) -> None:
    """Of a camera that was turned; by three tiles alone, the fourth seems 3 mm off or more."""
    random = np.random.default_rng(1)
    straight = {tile: SQUARE + place for tile, place in PLACES.items()}
    for _ in range(20):
        old, new = see(BEFORE, random, bend), see(after, random, bend)
        before = fit_pose(MATRIX, Markers(old, straight))
        assert before is not None
        found = agree(old, new, before)
        assert found.tiles == PLACES.keys()
        assert not found.slid


@pytest.mark.parametrize("tile", PLACES)
@pytest.mark.parametrize(("dx_mm", "dy_mm"), [(4.0, 0.0), (-3.0, 3.0), (0.0, -20.0)])
def test_a_tile_that_slid_under_a_camera_at_rest_is_named(
    tile: int, dx_mm: float, dy_mm: float
) -> None:
    """Though a camera that was turned a little would explain much of it."""
    random = np.random.default_rng(2)
    for _ in range(20):
        old, new = (see(BEFORE, random) for _ in range(2))
        found = agree(old, new | {tile: slide(new[tile], BEFORE, dx_mm, dy_mm)})
        assert found.tiles == PLACES.keys() - {tile}
        assert list(found.slid) == [tile]
        assert found.slid[tile] == pytest.approx((dx_mm, dy_mm), abs=1.0)


def test_a_tile_slid_is_named_while_another_is_hidden() -> None:
    """Two in place are a camera that stayed."""
    random = np.random.default_rng(3)
    old, new = (see(BEFORE, random) for _ in range(2))
    new[8] = slide(new[8], BEFORE, 0.0, 15.0)
    del new[10]
    assert list(agree(old, new).slid) == [8]


def test_a_bump_is_told_by_two_of_three_tiles_where_the_third_is_measured_badly() -> None:
    """Its corners were taken at another edge: it is no tile that slid."""
    random = np.random.default_rng(4)
    after = camera(8.0, 214.0)
    for tile in (7, 8, 9):
        old, new = see(BEFORE, random), see(after, random)
        del new[10]
        middle = new[tile].mean(axis=0)
        new[tile] = middle + 0.8 * (new[tile] - middle)
        found = agree(old, new)
        assert found.tiles == new.keys() - {tile}
        assert not found.slid


def test_a_hand_over_a_tiles_edge_is_no_tile_that_slid() -> None:
    """Its corners are not those of a tile."""
    random = np.random.default_rng(5)
    old, new = (see(BEFORE, random) for _ in range(2))
    new[9][:2] += (0.0, 9.0)
    found = agree(old, new)
    assert found.tiles == PLACES.keys() - {9}
    assert not found.slid


def test_a_tile_that_slid_during_a_bump_is_named_beside_it() -> None:
    """One that slid so far that no camera explains it."""
    random = np.random.default_rng(6)
    after = camera(8.0, 214.0)
    old, new = see(BEFORE, random), see(after, random)
    new[10] = slide(new[10], after, 25.0, 18.0)
    found = agree(old, new)
    assert found.tiles == PLACES.keys() - {10}
    assert list(found.slid) == [10]
    assert found.slid[10] == pytest.approx((25.0, 18.0), abs=4.0)


def test_tiles_that_lie_anyhow_agree_on_nothing() -> None:
    """Nor does a single one."""
    random = np.random.default_rng(7)
    old, new = (see(BEFORE, random) for _ in range(2))
    ways = [(30.0, 0.0), (-45.0, 20.0), (0.0, 60.0), (-12.0, -35.0)]
    scattered = {
        tile: slide(new[tile], BEFORE, *way) for tile, way in zip(PLACES, ways, strict=True)
    }
    assert find_agreement(MATRIX, BEFORE, old, scattered) is None
    assert find_agreement(MATRIX, BEFORE, old, {7: new[7]}) is None
