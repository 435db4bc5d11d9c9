"""Two boards in one picture: how steeply one stands over the other, and where a lamp is in each."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rendering.patches import board_to_table, place
from rendering.piece_kinds import TOPPLE
from rendering.scenes import HFOV_DEG, Scene, projection
from tests.vision.bare_scenes import SHAPE, bare_scene
from vision.geometry.pose import Pose, build_grids, tilt_between_deg, transform_point

seeds = st.integers(0, 400)
places = st.tuples(*[st.floats(-2000, 2000)] * 2, st.floats(-50, 5000))


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


@given(seeds, places)
def test_a_place_is_carried_from_the_board_to_the_table(
    seed: int, point: tuple[float, float, float]
) -> None:
    """Where the scene has it, and back again."""
    scene = tilted_scene(seed)
    table, board = poses_of(scene)
    on_table = transform_point(np.array(point), board, table, HFOV_DEG, SHAPE)
    assert on_table == pytest.approx(place(board_to_table(scene), np.array([point]))[0], abs=1e-3)
    back = transform_point(on_table, table, board, HFOV_DEG, SHAPE)
    assert back == pytest.approx(np.array(point), abs=1e-3)


@given(seeds)
def test_the_tilt_is_that_of_the_scene(seed: int) -> None:
    """Rendered tables are seen through the readers' own lens."""
    scene = tilted_scene(seed)
    tilt = tilt_between_deg(*poses_of(scene), HFOV_DEG, SHAPE)
    assert tilt == pytest.approx(scene["board"]["tilt_deg"], abs=1e-4)


@given(seeds, st.floats(-1e-5, 1e-5), st.floats(-1e-5, 1e-5))
def test_a_bent_pose_moves_a_lamp_by_little(seed: int, bend_x: float, bend_y: float) -> None:
    """Poses that were bent to meet their markers still say from where the light comes."""
    scene = tilted_scene(seed)
    table, board = poses_of(scene)
    bend = np.array([[1.01, 0.002, 0], [-0.002, 0.99, 0], [bend_x, bend_y, 1.0]])
    bent = Pose(bend @ board.projection, 0.0)
    lamp = np.array([30_000.0, -40_000.0, 60_000.0])
    way, bent_way = (transform_point(lamp, table, to, HFOV_DEG, SHAPE) for to in (board, bent))
    cosine = way @ bent_way / np.linalg.norm(way) / np.linalg.norm(bent_way)
    assert np.degrees(np.arccos(min(cosine, 1.0))) < 2.0


def test_a_level_board_lies_as_the_table_does() -> None:
    """A board that neither tilts nor turns differs by where it stands alone."""
    scene = bare_scene("topple", 3, 0)
    scene["board"].update(tilt_deg=0.0, turn_deg=0.0, dx=0.0, dy=0.0)
    table, board = poses_of(scene)
    middle = [TOPPLE.mat / 2, TOPPLE.mat / 2, TOPPLE.floor_z]
    on_table = transform_point(np.array([10.0, 20.0, 30.0]), board, table, HFOV_DEG, SHAPE)
    assert on_table == pytest.approx(np.add(middle, [10.0, 20.0, 30.0]), abs=0.5)


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
