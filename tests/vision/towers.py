"""The recorded towers in full size: their table, what a camera sees of it, what stands there.

And a camera straight above, for towers that are drawn.
"""

import numpy as np

from tests.vision.grids import Shot, session_of
from vision.columns.grid import TowerLayout, parse_tower
from vision.columns.patches import View, ViewBuilder
from vision.columns.tower_reader import track_board
from vision.geometry.marker_tracking import MarkerTracker
from vision.geometry.pose import Markers, Pose, camera_matrix, fit_pose
from vision.geometry.table_view import TableView

FULL = "topple_full"
PICTURE = (864, 1536)


def layout() -> TowerLayout:
    """Return the table of the session in full size."""
    return parse_tower(session_of(FULL))


def view_of(shot: Shot) -> View:
    """Return the board as the camera sees it."""
    board = layout()
    poses = [
        track.locate(TableView(shot.frame.picture))
        for track in (track_board(board), MarkerTracker(board))
    ]
    assert poses[0] is not None
    return ViewBuilder(board, 0.0).build(shot.frame.picture, poses[0], poses[1])


def pose_above(x: float, y: float, z: float) -> Pose:
    """Return the pose of a camera that looks straight down from there."""
    matrix = camera_matrix(66.0, PICTURE)
    square = np.array([[-100.0, -100], [100, -100], [100, 100], [-100, 100]])
    pixels = (square - [x, y]) * matrix[0, 0] / z + matrix[:2, 2]
    halves = ({0: part[:2], 1: part[2:]} for part in (pixels, square))
    pose = fit_pose(matrix, Markers(*halves))
    assert pose is not None
    return pose
