"""Read Topple's balance board: the tower in each cell, and the board's tilt."""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from vision.capture.frame import Frame, Picture
from vision.columns.board_reader import BoardReader, ground_around
from vision.columns.grid import TowerLayout
from vision.columns.model import Model
from vision.columns.patches import View
from vision.geometry.board_pose import BoardPoseEstimator
from vision.geometry.layout import Mat
from vision.geometry.marker_tracking import MarkerTracker
from vision.geometry.pose import Pose, rotation_between, tilt_between_deg
from vision.geometry.table_tracking import track_table
from vision.geometry.table_view import TableView, view_of
from vision.observation import Observation, Reason, Status, Tilted
from vision.occlusion.arm_direction import ArmRegion
from vision.photometry.white_reference import estimate_white_balance

MIN_TOPPLED_TILT_DEG: Final = 16.0
"""Geometry: in play the board tilts by 4 degrees, toppled it hangs by 25."""
MAX_READABLE_TILT_DEG: Final = 7.0
"""A board between the two is still moving."""
MIN_MARKER_PX_PER_MM: Final = 1.25
"""With fewer pixels the board's 16 mm markers seem to tilt."""


@dataclass(frozen=True, slots=True)
class BoardMarkers:
    """The rig of the balance board's own markers, for a MarkerTracker."""

    mat: Mat
    hfov_deg: float


def track_board(layout: TowerLayout) -> MarkerTracker:
    """Return the tracker of the balance board's own markers; the board tilts by itself."""
    return MarkerTracker(BoardMarkers(layout.board, layout.hfov_deg), tilts=True)


class TowerReader(BoardReader):
    """Reads pictures of one Topple table, in any order, after `calibrate`."""

    def __init__(self, layout: TowerLayout) -> None:
        super().__init__(layout, Model.DISCS, 0.0, ground_of(layout))
        self._layout = layout
        self._table_tracker = track_table(layout)
        self._board_tracker = track_board(layout)
        middle = np.array([layout.board.width / 2.0, layout.board.height / 2.0, 0.0])
        self._pivot = BoardPoseEstimator(middle, layout.board.marker_mm, layout.hfov_deg)

    def read(self, frame: Frame) -> Observation:
        """Return what *frame* shows, with the board's tilt: NO_MAT where tiles are not in view."""
        seen = view_of(frame)
        poses = self._locate(seen)
        if poses is None:
            return Observation(frame.name, Status.NO_MAT, reason=Reason.TILES)
        table, board = poses
        if board is None:
            return Observation(frame.name, Status.UNSETTLED, reason=Reason.HAND)
        if self._is_too_coarse(board):
            return Observation(frame.name, Status.UNSETTLED, reason=Reason.UNCLEAR)
        tilted = self._measure_tilt(seen, table, board)
        if tilted.has_toppled:
            toppled = {"toppled": True, "tilt_deg": tilted.deg}
            return Observation(frame.name, Status.OK, (), toppled, 1.0, facts=(tilted,))
        if tilted.deg > MAX_READABLE_TILT_DEG:
            return Observation(frame.name, Status.UNSETTLED, reason=Reason.UNCLEAR)
        if self._heights is None:
            return Observation(frame.name, Status.UNSETTLED, reason=Reason.UNTAUGHT)
        observation = self._read_view(frame.name, self._view(seen.picture, table, board))
        if observation.reason is Reason.HAND:
            return observation
        reading = observation.reading and {**observation.reading, "tilt_deg": tilted.deg}
        return replace(observation, reading=reading, facts=(tilted,))

    def _measure_tilt(self, seen: TableView, table: Pose, board: Pose) -> Tilted:
        """Return the board's tilt; toppled only if this picture alone says so too."""
        normal = rotation_between(board, table, self._layout.hfov_deg, seen.shape)[:, 2]
        deg = round(float(np.degrees(np.arccos(np.clip(normal[2], -1.0, 1.0)))), 1)
        towards_deg = float(np.degrees(np.arctan2(normal[0], -normal[1]))) % 360.0
        has_toppled = deg >= MIN_TOPPLED_TILT_DEG and self._is_toppled_afresh(seen, table)
        return Tilted(deg, towards_deg, has_toppled)

    def _is_toppled_afresh(self, seen: TableView, table: Pose) -> bool:
        """Return whether a tracker that remembers no earlier pose finds the board toppled."""
        board = track_board(self._layout).locate(seen)
        if board is None:
            return False
        tilt_deg = tilt_between_deg(table, board, self._layout.hfov_deg, seen.shape)
        return tilt_deg >= MIN_TOPPLED_TILT_DEG

    def _locate(self, seen: TableView) -> tuple[Pose, Pose | None] | None:
        """Return the poses over the table and over the board, None for what is not in view."""
        table = self._table_tracker.locate(seen)
        if table is None:
            return None
        board = self._board_tracker.locate(seen)
        if board is None:
            board = self._pivot.locate(table, self._board_tracker.list_detected(), seen.shape)
        else:
            self._pivot.learn(board, table, seen.shape)
        return table, board

    def _build_view(self, frame: Frame) -> View | str:
        seen = view_of(frame)
        poses = self._locate(seen)
        if poses is None:
            return self._table_tracker.explain()
        table, board = poses
        if board is None:
            return self._board_tracker.explain()
        return self._view(seen.picture, table, board)

    def _view(self, picture: Picture, table: Pose, board: Pose) -> View:
        light = estimate_white_balance(picture, table, self._layout.mat)
        return self._views.build(picture, board, table, light)

    def _is_too_coarse(self, board: Pose) -> bool:
        """Return whether the board's markers are too small in the picture to measure its tilt."""
        side = self._layout.board.width
        corners = np.array([[0.0, 0, 0], [side, 0, 0], [side, side, 0], [0, side, 0]])
        pixels = board.project(corners)
        sides_px = np.linalg.norm(pixels - np.roll(pixels, 1, axis=0), axis=1)
        return bool(sides_px.max() < MIN_MARKER_PX_PER_MM * side)


def ground_of(layout: TowerLayout) -> ArmRegion:
    """Return where arms reach over the level board of *layout*, in the table's frame."""
    mat, board = layout.mat, layout.board
    x, y = (mat.width - board.width) / 2.0, (mat.height - board.height) / 2.0
    return ground_around(layout, layout.top_z, (x, y))
