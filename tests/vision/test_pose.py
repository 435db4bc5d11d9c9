"""Two boards in one picture: how steeply one stands over the other; and grids over one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rendering.patches import board_to_table
from rendering.scenes import HFOV_DEG, Scene, projection
from tests.vision.bare_scenes import SHAPE, bare_scene
from vision.geometry.pose import Pose, build_grids, tilt_between_deg

seeds = st.integers(0, 400)


def tilted_scene(seed: int) -> Scene:
    """Return a scene whose board has been turned, moved and tilted."""
    scene, random = bare_scene("topple", seed, 0), np.random.default_rng(seed)
    turn, towards = random.uniform(-10, 10), random.uniform(0, 360)
    tilt, dx, dy = random.uniform(0, 25), *random.normal(0, 3, 2)
    board = {"turn_deg": turn, "tilt_deg": tilt, "towards_deg": towards, "dx": dx, "dy": dy}
    return {**scene, "board": board}


def poses_of(scene: Scene) -> tuple[Pose, Pose]:
    """Return the poses of a scene's camera over the table and over its tilted board."""
    table = projection(scene["camera"])
    return Pose(table, 0.0), Pose(table @ board_to_table(scene), 0.0)


@given(seeds)
def test_the_tilt_is_that_of_the_scene(seed: int) -> None:
    """Rendered tables are seen through the readers' own lens."""
    scene = tilted_scene(seed)
    tilt = tilt_between_deg(*poses_of(scene), HFOV_DEG, SHAPE)
    assert tilt == pytest.approx(scene["board"]["tilt_deg"], abs=1e-4)


@given(seeds, st.floats(-5, 40), st.integers(1, 9), st.integers(1, 9))
def test_a_grid_lies_where_each_of_its_places_does(
    seed: int, z: float, rows: int, columns: int
) -> None:
    """In the picture, to a hundredth of a pixel: several grids, each with steps of its own."""
    pose, _ = poses_of(tilted_scene(seed))
    random = np.random.default_rng(seed)
    firsts, down, right = random.uniform(0, 300, (3, 2)), *random.normal(0, 4, (2, 3, 2))
    pixels = build_grids(pose.homography(z), firsts, down, right, (rows, columns))
    assert pixels.shape == (2, 3, rows, columns)
    grid, row, column = random.integers((3, rows, columns))
    at = firsts[grid] + row * down[grid] + column * right[grid]
    there = pose.project(np.array([[*at, z]]))[0]
    assert pixels[:, grid, row, column] == pytest.approx(there, abs=0.01)
