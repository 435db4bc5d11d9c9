"""Boards of which two markers are left in view."""

from itertools import combinations

import cv2
import numpy as np
import pytest

from tests.vision.grids import calibrate_anew, shots_of
from tests.vision.towers import FULL, layout, view_of
from vision.geometry import board_pose
from vision.geometry.board_pose import BoardPoseEstimator
from vision.geometry.pose import Markers, Points, Pose, camera_matrix, fit_pose, tilt_between_deg
from vision.observation import Reason, Tilted

SHAPE = (864, 1536)
SIDE, MARKER = 186.0, 16.0
LEVEL = (0.0, 0.0)
PAIRS = tuple(combinations(range(4), 2))
SIDES = ((0, 1), (1, 2), (2, 3), (0, 3))
"""Pairs whose line does not lead over the middle."""


def known() -> dict[int, Points]:
    """Return where the corners of a board's markers are on it."""
    square = MARKER / 2.0 * np.array([[-1.0, -1], [1, -1], [1, 1], [-1, 1]])
    ends = ((0.0, 0.0), (SIDE, 0.0), (SIDE, SIDE), (0.0, SIDE))
    return {index: square + end for index, end in enumerate(ends)}


def table() -> Pose:
    """Return the pose of a camera half a metre off that looks down from aside."""
    turn, _ = cv2.Rodrigues(np.array([np.pi + 0.4, 0.0, 0.0]))
    away = np.array([180.0, 180.0, 0.0]) @ np.diag([1.0, -1.0, 1.0])
    shift = np.array([0.0, 0.0, 600.0]) - turn @ away
    projection = camera_matrix(66.0, SHAPE) @ np.column_stack([turn @ np.diag([1.0, -1, 1]), shift])
    return Pose(projection, 0.0)


def board(lean_deg: tuple[float, float], moved_mm: float = 0.0, below_mm: float = 40.0) -> Pose:
    """Return the pose over a board that leans about a pivot *below_mm* its middle."""
    turn, _ = cv2.Rodrigues(np.radians([*lean_deg, 0.0]))
    own = np.array([SIDE / 2, SIDE / 2, below_mm])
    at = np.array([180.0 + moved_mm, 180.0, 90.0 - below_mm])
    stands = np.vstack([np.column_stack([turn, at - turn @ (own * (1, 1, -1))]), [0, 0, 0, 1]])
    return Pose(table().projection @ stands, 0.0)


def see(stands: Pose, markers: tuple[int, ...], noise_px: float, seed: int = 0) -> Markers:
    """Return the corners of *markers* of a board that *stands* so."""
    random = np.random.default_rng(seed)
    seen = {
        index: stands.project(np.column_stack([known()[index], np.zeros(4)]))
        + random.normal(0.0, noise_px, (4, 2))
        for index in markers
    }
    return Markers(seen, {index: known()[index] for index in markers})


def taught() -> BoardPoseEstimator:
    """Return what has seen the board level."""
    pivot = BoardPoseEstimator(np.array([SIDE / 2, SIDE / 2, 0.0]), MARKER, 66.0)
    pivot.learn(board(LEVEL), table(), SHAPE)
    return pivot


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("lean_deg", [LEVEL, (4.0, 0.0), (0.0, -4.0), (-3.0, 3.0)])
def test_two_markers_tell_how_a_board_leans(
    pair: tuple[int, int], lean_deg: tuple[float, float]
) -> None:
    """Seen perfectly, to a hair, also about a pivot further down than the one learned."""
    true = board(lean_deg)
    found = taught().locate(table(), see(true, pair, 0.0), SHAPE)
    assert found is not None
    assert tilt_between_deg(found, true, 66.0, SHAPE) < 0.2


def lean_off_deg(holds: bool) -> float:
    """Return by how much boards usually seem to lean wrongly, seen as noisy pictures show them."""
    off, matrix = [], camera_matrix(66.0, SHAPE)
    for seed, pair in enumerate(SIDES * 20):
        true = board((2.0, -3.0))
        markers = see(true, pair, 0.25, seed)
        found = taught().locate(table(), markers, SHAPE) if holds else fit_pose(matrix, markers)
        assert found is not None
        off.append(tilt_between_deg(found, true, 66.0, SHAPE))
    return float(np.sqrt(np.mean(np.square(off))))


def test_a_pivot_holds_what_two_markers_do_not() -> None:
    """About the line between two markers a board cannot turn without leaving its place."""
    assert lean_off_deg(holds=True) < 0.75 * lean_off_deg(holds=False)


def test_a_board_that_was_moved_stands_on_no_pivot(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody carries it: nothing is said of where it stands."""
    moved = see(board(LEVEL, moved_mm=25.0), (0, 1), 0.0)
    assert taught().locate(table(), moved, SHAPE) is None
    monkeypatch.setattr(board_pose, "MAX_CENTRE_SIGMAS", 100.0)
    assert taught().locate(table(), moved, SHAPE) is not None


def test_markers_that_do_not_fit_tell_nothing() -> None:
    """One is no marker of this board, or its corner is covered."""
    markers = see(board(LEVEL), (0, 2), 0.0)
    markers.seen[2][1] += 12.0
    assert taught().locate(table(), markers, SHAPE) is None


def test_one_marker_or_a_board_never_seen_tells_nothing() -> None:
    """Then there is no pose, and no mistake either."""
    middle = np.array([SIDE / 2, SIDE / 2, 0.0])
    assert (
        BoardPoseEstimator(middle, MARKER, 66.0).locate(
            table(), see(board(LEVEL), (0, 1), 0.0), SHAPE
        )
        is None
    )
    assert taught().locate(table(), see(board(LEVEL), (3,), 0.0), SHAPE) is None
    assert taught().locate(table(), see(board(LEVEL), (), 0.0), SHAPE) is None


@pytest.mark.parametrize("pair", [(0, 1), (1, 3)])
def test_towers_that_hide_two_markers_are_read(pair: tuple[int, int]) -> None:
    """No hand is reported where there is none, and what stands there is told as before."""
    shot = next(s for s in shots_of(FULL) if s.frame.name == "007.jpg")
    reader = calibrate_anew(FULL)
    plain = reader.read(shot.frame)
    side = layout().board.width
    ends = np.array([[0.0, 0, 0], [side, 0, 0], [side, side, 0], [0, side, 0]])[list(pair)]
    covered = shot.frame.picture.copy()
    for x, y in view_of(shot).pose.project(ends).round().astype(int).tolist():
        cv2.circle(covered, (x, y), 22, (90, 90, 90), -1)
    observation = reader.read(shot.altered(covered).frame)
    assert observation.reason is not Reason.HAND
    assert [place.best for place in observation.places] == [place.best for place in plain.places]
    ((tilted,), (before,)) = (seen.facts for seen in (observation, plain))
    assert isinstance(tilted, Tilted)
    assert isinstance(before, Tilted)
    assert tilted.deg == pytest.approx(before.deg, abs=0.7)
