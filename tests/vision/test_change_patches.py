"""What the change network sees: both pictures in one frame, on the plane of the old top."""

from typing import Any, Final

import cv2
import numpy as np
import pytest

from rendering.patches import find_pose, grid_of
from rendering.piece_kinds import TOPPLE
from tests.vision.bare_scenes import SHAPE, bare_scene
from vision.capture.frame import Picture
from vision.columns.change_patches import (
    BINS,
    COLUMNS,
    DELTAS,
    GAIN_RANGE,
    MARKS,
    ROWS,
    ChangePatches,
    are_possible,
    measure_gain,
    rises_mm,
)
from vision.columns.patches import View, project_patches
from vision.geometry.pose import Pose
from vision.photometry.chromaticity import IDENTITY_CORRECTION

TALL: Final = 5
TILT_DEG: Final = 3.0
CORNER: Final = 24
CELLS: Final = np.arange(25)
EVEN: Final = np.ones(3)


def seen_from(tilt_deg: float, height: int = TALL, cell: int = CORNER) -> View:
    """Return a view of a board tilted so far; a white dot on the top of the column of *cell*."""
    scene = bare_scene("topple", 3, height)
    scene["board"] |= {"tilt_deg": tilt_deg, "towards_deg": 30.0}
    pose = find_pose(scene, 0.0, np.random.default_rng(7))
    return view_at(pose, dotted(pose, height, cell))


def view_at(pose: Pose, picture: Picture) -> View:
    """Return the view of *picture* from that pose."""
    geometry = project_patches(grid_of(TOPPLE), pose, 0.0, SHAPE)
    return View(picture, pose, pose, geometry, IDENTITY_CORRECTION)


def dotted(pose: Pose, height: int, cell: int) -> Picture:
    """Return a dark picture with a dot where the top of a column is seen."""
    picture = np.full((*SHAPE, 3), 20, np.uint8)
    top_mm = float(rises_mm(grid_of(TOPPLE), np.array(height)))
    top = np.array([[*grid_of(TOPPLE).cell_centres[cell], top_mm]])
    x, y = pose.project(top)[0]
    cv2.circle(picture, (round(x), round(y)), 3, (255, 255, 255), -1, cv2.LINE_AA)
    return picture


def middle_of_dot(patch: Picture) -> tuple[float, float]:
    """Return row and column of the dot in a patch."""
    bright = patch[..., 0].astype(float)
    bright[bright < 80] = 0.0
    rows, columns = np.indices(bright.shape)
    return (
        float((rows * bright).sum() / bright.sum()),
        float((columns * bright).sum() / bright.sum()),
    )


def cut(now: View, before: View, heights: Any) -> tuple[Any, Any]:
    """Return pairs and marks of all cells."""
    patches = ChangePatches(grid_of(TOPPLE), 0.0)
    return patches.cut(now, patches.cut_out(before), np.asarray(heights), EVEN, CELLS)


@pytest.mark.parametrize("cell", [0, 3, CORNER])
@pytest.mark.parametrize("height", [1, TALL])
def test_an_old_top_stays_where_it_was_when_the_board_tilts(height: int, cell: int) -> None:
    """The dot on a top is in the same place of both patches, though the board has tilted."""
    now, before = seen_from(TILT_DEG, height, cell), seen_from(0.0, height, cell)
    pairs, _ = cut(now, before, np.full(25, height))
    assert middle_of_dot(pairs[cell, 0]) == pytest.approx(middle_of_dot(pairs[cell, 1]), abs=1.0)


def test_on_the_boards_plane_a_tall_top_would_move() -> None:
    """Without the plane of its top the dot of a tall column is elsewhere: the check can fail."""
    pairs, _ = cut(seen_from(TILT_DEG), seen_from(0.0), np.zeros(25, np.intp))
    now, before = map(middle_of_dot, pairs[CORNER])
    assert np.hypot(now[0] - before[0], now[1] - before[1]) > 1.5


@pytest.mark.parametrize("cell", [0, 3, CORNER])
def test_marks_say_where_tops_should_be(cell: int) -> None:
    """The mark of no change lies where the top is seen, those of more pieces further out."""
    view = seen_from(0.0, TALL, cell)
    pairs, marks = cut(view, view, np.full(25, TALL))
    assert marks.shape == (25, MARKS, BINS)
    assert pairs.shape == (25, 2, ROWS, COLUMNS, 3)
    own, same = marks[cell], DELTAS.index(0)
    row, _ = middle_of_dot(pairs[cell, 0])
    assert 2 * own[same].argmax() == pytest.approx(row, abs=2.0)
    order = own[: len(DELTAS)].argmax(axis=1)
    assert (np.diff(order) >= 0).all()
    assert order[-1] > order[same]


def test_the_board_cut_out_shows_what_the_picture_shows() -> None:
    """The part that is kept gives the same patches as the whole picture, and is smaller."""
    view, patches = seen_from(0.0), ChangePatches(grid_of(TOPPLE), 0.0)
    board = patches.cut_out(view)
    assert board.picture.nbytes < view.picture.nbytes
    pairs, _ = patches.cut(view, board, np.zeros(25, np.intp), EVEN, CELLS)
    apart = np.abs(pairs[:, 0].astype(int) - pairs[:, 1])
    assert np.mean(apart > 2) < 0.001


def test_another_light_is_measured_by_channel() -> None:
    """Gains are medians of the usable pixels; what is saturated or dark does not count."""
    before = np.random.default_rng(5).uniform(20, 180, (80, 80, 3)).astype(np.float32)
    now = before * np.array([1.3, 1.0, 0.8], np.float32)
    now[:20] = 255.0
    assert measure_gain(now, before) == pytest.approx([1.3, 1.0, 0.8], abs=0.01)
    assert measure_gain(np.zeros_like(now), before) == pytest.approx([1.0] * 3)
    assert measure_gain(before, before / 4.0)[0] == GAIN_RANGE[1]


def test_the_cell_that_changed_differs_most() -> None:
    """A coarse look at the board tells where to look."""
    patches, view = ChangePatches(grid_of(TOPPLE), 0.0), seen_from(0.0, 1)
    changed = view.picture.copy()
    x, y = view.pose.project(np.array([[*grid_of(TOPPLE).cell_centres[7], 0.0]]))[0]
    cv2.circle(changed, (round(x), round(y)), 14, (40, 200, 90), -1)
    flat = patches.flatten(view_at(view.pose, changed))
    differences = patches.compare(flat, patches.flatten(view))
    assert differences.argmax() == 7


def test_no_column_has_fewer_than_none_or_more_than_the_tallest() -> None:
    """Changes that cannot be are ruled out."""
    assert are_possible(np.array([0, 6])).tolist() == [
        [False, False, False, True, True, True, True],
        [True, True, True, True, False, False, False],
    ]
