"""The patches around a board's cells: what lies in which row, whichever way the camera stands."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rendering.patches import find_rows, grid_of, label
from rendering.piece_kinds import KINDS
from rendering.scenes import projection
from tests.vision.bare_scenes import SHAPE, bare_scene, project_scene
from vision.columns.grid import TALLEST, Figure, Grid
from vision.columns.patches import (
    OCCLUDER_RADIUS_RADII,
    PATCH_COLUMNS,
    PATCH_ROWS,
    TOP_CROP_HALF_PX,
    PatchGeometry,
    project_patches,
)
from vision.geometry.layout import Mat
from vision.geometry.pose import Points, Pose


@pytest.mark.parametrize("kind", sorted(KINDS))
@settings(max_examples=20)
@given(seed=st.integers(0, 10_000), height=st.integers(1, TALLEST))
def test_feet_and_tops_lie_in_the_rows_that_are_expected(kind: str, seed: int, height: int) -> None:
    """Columns that stand straight show foot and top where the patches say, from any side."""
    scene = bare_scene(kind, seed, height)
    pose, geometry = project_scene(scene)
    rows = find_rows(scene, 0.0, pose)
    assert np.abs(rows[:, 0] - geometry.foot_row).max() < 2.0
    for level in range(1, height + 1):
        assert np.abs(rows[:, level] - geometry.top_rows[:, level]).max() < 2.0
    assert np.isnan(rows[:, height + 1 :]).all()


def test_a_bent_lens_moves_rows_by_little() -> None:
    """The worst lens that is trained with shifts feet by less than a piece's radius."""
    scene = bare_scene("tactiki", 3, 2)
    pose, geometry = project_scene(scene, 0.05)
    rows = find_rows(scene, 0.05, pose)
    assert 0.1 < np.abs(rows[:, 0] - geometry.foot_row).max() < PATCH_COLUMNS / 2.6


def test_patches_show_what_stands_on_the_spot() -> None:
    """A dot painted where a cell's middle appears is found in the middle of its patch."""
    scene = bare_scene("topple", 5, 0)
    pose, geometry = project_scene(scene)
    grid = grid_of(KINDS["topple"])
    picture = np.zeros((*SHAPE, 3), np.uint8)
    at = pose.project(np.column_stack([grid.cell_centres, np.zeros(25)])).round().astype(int)
    for x, y in at:
        picture[y - 2 : y + 3, x - 2 : x + 3] = 255
    patches = geometry.crop(picture)
    assert patches.shape == (25, PATCH_ROWS, PATCH_COLUMNS, 3)
    for patch in patches:
        rows, columns = np.nonzero(patch[:60, :, 0] > 128)
        assert rows.mean() == pytest.approx(geometry.foot_row, abs=1.5)
        assert columns.mean() == pytest.approx((PATCH_COLUMNS - 1) / 2, abs=1.5)


def test_a_spot_outside_of_the_picture_is_not_in_view() -> None:
    """Half a board in the picture is half a board in view."""
    scene = bare_scene("topple", 5, 0)
    pose, _ = project_scene(scene)
    grid = grid_of(KINDS["topple"])
    middle = pose.project(np.array([[*grid.cell_centres[12], 0.0]]))[0]
    geometry = project_patches(grid, pose, 0.0, (SHAPE[0], round(float(middle[0]))))
    assert 0 < geometry.in_view.sum() < 25
    assert not geometry.in_view[12]


def test_levels_rise_more_the_further_away_they_are() -> None:
    """Straight below the camera nothing leans; far from there, it does."""
    figure = Figure(radius=11.0, top_mm=8.0, pitch=8.0)
    far = tuple((30.0 * at, 0.0) for at in range(25))
    grid = Grid(Mat(100, 100, (0, 1, 2, 3), 16.0), 66.0, far, (0, 0, 1, 1), figure, ())
    matrix = projection({"stands": [0.0, 0.1, 600.0], "aim": [0.0, 0.0, 0.0], "roll_deg": 0.0})
    rise = project_patches(grid, Pose(matrix, 0.0), 0.0, SHAPE).pixels_per_level
    assert rise[0] < 0.1
    assert np.all(np.diff(rise) > 0)
    step = 11.0 * 2.6 / PATCH_COLUMNS
    assert rise[10] == pytest.approx(300.0 * 8.0 / 592.0 / step, rel=0.01)


def test_what_a_scene_teaches_follows_from_what_hides_what() -> None:
    """Columns in plain view have their height; under an arm they are hidden."""
    scene = bare_scene("tactiki", 11, 1)
    heights, paints = label(scene)
    assert set(heights.tolist()) == {1}
    assert set(paints.tolist()) == {0}
    far = [2000 * math.cos(1.0), 2000 * math.sin(1.0), 300.0]
    scene["hand"] = {
        "limbs": [{"start": [170.0, 170.0, 60.0], "end": far, "thick": 45.0, "thin": 45.0}]
    }
    assert label(scene)[0][12] == TALLEST + 1


def trace_rays(pose: Pose, floor_z: float, geometry: PatchGeometry, own: tuple[int, int]) -> Points:
    """Return the ways (steps, rows, columns, 2) that rays from a column's top take to the camera.

    own: its cell and height.  Each step is a millimetre higher, from its top upwards.
    """
    cell, height = own
    grid = grid_of(KINDS["tactiki"])
    row = round(float(geometry.top_rows[cell, height])) - TOP_CROP_HALF_PX
    first, down, right = geometry.frames[:, cell]
    rows, columns = np.indices((2 * TOP_CROP_HALF_PX, 2 * TOP_CROP_HALF_PX))
    floor = (
        first
        + (row + rows)[..., None] * down
        + (PATCH_COLUMNS // 2 - TOP_CROP_HALF_PX + columns)[..., None] * right
    )
    eye = pose.camera - [0.0, 0.0, floor_z]
    level = grid.figure.rise_mm(height)
    share = (level + np.arange(120.0))[:, None, None, None] / eye[2]
    return np.asarray(floor + (eye[:2] - floor) * share)


OCCLUDED_SEEDS = (4, 5)
"""Seeds of the next test in which something occludes a top."""


@pytest.mark.parametrize("seed", [4, 5, 6])
def test_what_stands_before_a_top_hides_it(seed: int) -> None:
    """Just the pixels from which the way to the camera leads through a taller column."""
    pose, geometry = project_scene(bare_scene("tactiki", seed, 0))
    kind, grid = KINDS["tactiki"], grid_of(KINDS["tactiki"])
    heights = np.random.default_rng(seed).integers(0, TALLEST + 1, 25)
    hidden = 0
    for cell in np.flatnonzero(heights).tolist():
        height = int(heights[cell])
        ways = trace_rays(pose, kind.floor_z, geometry, (cell, height))
        covered = np.zeros(ways.shape[1:3], np.bool_)
        for other in np.flatnonzero(heights > height):
            up = round(grid.figure.pitch * (heights[other] - height))
            apart = np.linalg.norm(ways[: up + 1] - grid.cell_centres[other], axis=3)
            covered |= (apart < OCCLUDER_RADIUS_RADII * grid.figure.radius).any(axis=0)
        (shown,) = geometry.find_visible_top_pixels([(cell, height)], heights)
        assert np.mean(shown == covered) < 0.02, (cell, height)
        hidden += int(np.count_nonzero(covered))
    assert (hidden > 0) == (seed in OCCLUDED_SEEDS)


def test_no_top_hides_itself_or_what_is_higher() -> None:
    """A single column, whatever height it is asked about, and columns all of one height."""
    _, geometry = project_scene(bare_scene("topple", 4, 0))
    alone, alike = np.eye(25, dtype=np.intp)[7] * 6, np.full(25, 3)
    assert geometry.find_visible_top_pixels([(7, 6), (7, 2)], alone).all()
    assert geometry.find_visible_top_pixels([(7, 3), (8, 3)], alike).all()
