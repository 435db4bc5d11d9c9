"""Read Topple's balance board: the tower on each spot, and how steeply the board stands."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from vision.calibration import BadCalibration
from vision.capture.frame import Frame, Picture
from vision.columns.board_reader import Columns, ground_around, parse_cells
from vision.columns.calibration_check import doubt_lesson
from vision.columns.grid import TowerLayout
from vision.columns.model import Model
from vision.columns.patches import Boards, View
from vision.geometry.board_pose import BoardPoseEstimator
from vision.geometry.layout import Mat
from vision.geometry.marker_tracking import MarkerTracker
from vision.geometry.pose import Pose, rotation_between, tilt_between_deg
from vision.geometry.rectification import downscale_to_limit
from vision.observation import Observation, Reason, Status, Table, Tilted
from vision.occlusion.arm_direction import ArmRegion
from vision.photometry.white_reference import estimate_white_balance

TOPPLED_DEG: Final = 16.0
"""A board that hangs as steeply as this has toppled; in play it tilts by 4 degrees."""
LEVEL_DEG: Final = 7.0
"""A board steeper than this, but not toppled, is on its way: nothing is read."""
COARSEST_PX_PER_MM: Final = 1.25
"""With fewer pixels, the small markers of the board seem to lean."""


@dataclass(frozen=True, slots=True)
class Balance:
    """What a MarkerTracker needs to know of the balance board's own markers."""

    mat: Mat
    hfov_deg: float


def track_board(layout: TowerLayout) -> MarkerTracker:
    """Return what finds the balance board by its own markers; it tilts by itself."""
    return MarkerTracker(Balance(layout.board, layout.hfov_deg), tilts=True)


class TowerReader:
    """Reads pictures of one Topple table, in any order, after `calibrate`."""

    def __init__(self, layout: TowerLayout) -> None:
        self._layout = layout
        self._table = MarkerTracker(layout)
        self._balance = track_board(layout)
        middle = np.array([layout.board.width / 2.0, layout.board.height / 2.0, 0.0])
        self._pivot = BoardPoseEstimator(middle, layout.board.marker_mm, layout.hfov_deg)
        self._boards = Boards(layout, 0.0)
        self._columns = Columns(layout, Model.DISCS, 0.0, ground_of(layout))

    def calibrate(self, frame: Frame, truth: Mapping[str, Any]) -> None:
        """Learn the four colours from a picture on which the ``cells`` of *truth* stand.

        Raises BadCalibration, and nothing has changed, if tiles or board are not in view or
        *truth* names no such table.
        """
        cells = parse_cells(frame.name, truth, self._layout)
        picture = downscale_to_limit(frame.picture)
        poses = self._locate(picture)
        if poses is None:
            raise BadCalibration(f"{frame.name}: {self._table.explain()}")
        if poses[1] is None:
            raise BadCalibration(f"{frame.name}: {self._balance.explain()}")
        view = self._look(picture, poses[0], poses[1])
        self._columns.teach(view, cells)

    def doubt(self, frame: Frame, truth: Mapping[str, Any]) -> str | None:
        """Return why *frame* cannot show the ``cells`` of *truth*, None if it may."""
        try:
            cells = parse_cells(frame.name, truth, self._layout)
        except BadCalibration as error:
            return str(error)
        picture = downscale_to_limit(frame.picture)
        poses = self._locate(picture)
        if poses is None:
            return self._table.explain()
        if poses[1] is None:
            return self._balance.explain()
        view = self._look(picture, poses[0], poses[1])
        return doubt_lesson(self._layout, Model.DISCS, view, cells)

    def believe(self, frame: str, table: Table) -> None:
        """Take *table* for what the picture *frame* shows; see `companion.eyes.Reader`."""
        self._columns.believe(frame, table)

    def read(self, frame: Frame) -> Observation:
        """Return what *frame* shows; a picture that shows no mat is an answer too."""
        picture = downscale_to_limit(frame.picture)
        poses = self._locate(picture)
        if poses is None:
            return Observation(frame.name, Status.NO_MAT, reason=Reason.TILES)
        table, board = poses
        if board is None:
            return Observation(frame.name, Status.UNSETTLED, reason=Reason.HAND)
        if self._is_coarse(board):
            return Observation(frame.name, Status.UNSETTLED, reason=Reason.UNCLEAR)
        tilted = self._measure_tilt(picture, table, board)
        if tilted.has_toppled:
            reading = {"toppled": True, "tilt_deg": tilted.deg}
            return Observation(frame.name, Status.OK, (), reading, 1.0, facts=(tilted,))
        if tilted.deg > LEVEL_DEG:
            return Observation(frame.name, Status.UNSETTLED, reason=Reason.UNCLEAR)
        if not self._columns.are_taught:
            return Observation(frame.name, Status.UNSETTLED, reason=Reason.UNTAUGHT)
        found = self._columns.read(frame.name, self._look(picture, table, board))
        if found.reason is Reason.HAND:
            return found
        seen = {**found.reading, "tilt_deg": tilted.deg} if found.reading else None
        return replace(found, reading=seen, facts=(tilted,))

    def _measure_tilt(self, picture: Picture, table: Pose, board: Pose) -> Tilted:
        """Return how the board stands; toppled only if no memory of it has a part in that."""
        normal = rotation_between(board, table, self._layout.hfov_deg, picture.shape)[:, 2]
        deg = round(float(np.degrees(np.arccos(np.clip(normal[2], -1.0, 1.0)))), 1)
        towards_deg = float(np.degrees(np.arctan2(normal[0], -normal[1]))) % 360.0
        return Tilted(deg, towards_deg, deg >= TOPPLED_DEG and self._hangs(picture, table))

    def _locate(self, picture: Picture) -> tuple[Pose, Pose | None] | None:
        """Return the camera's pose over the table and over the board, if it is to be seen."""
        table = self._table.locate(picture)
        if table is None:
            return None
        board = self._balance.locate(picture)
        if board is None:
            board = self._pivot.locate(table, self._balance.list_detected(), picture.shape)
        else:
            self._pivot.learn(board, table, picture.shape)
        return table, board

    def _look(self, picture: Picture, table: Pose, board: Pose) -> View:
        light = estimate_white_balance(picture, table, self._layout.mat)
        return self._boards.look(picture, board, table, light)

    def _hangs(self, picture: Picture, table: Pose) -> bool:
        """Return whether the board is steep also to an eye that remembers nothing of it."""
        board = track_board(self._layout).locate(picture)
        if board is None:
            return False
        return tilt_between_deg(table, board, self._layout.hfov_deg, picture.shape) >= TOPPLED_DEG

    def _is_coarse(self, board: Pose) -> bool:
        """Return whether the board's markers are too small in the picture to tell its tilt."""
        side = self._layout.board.width
        ends = np.array([[0.0, 0, 0], [side, 0, 0], [side, side, 0], [0, side, 0]])
        pixels = board.project(ends)
        sides_px = np.linalg.norm(pixels - np.roll(pixels, 1, axis=0), axis=1)
        return bool(sides_px.max() < COARSEST_PX_PER_MM * side)


def ground_of(layout: TowerLayout) -> ArmRegion:
    """Return where arms reach over the level board of *layout*, in the table's frame."""
    mat, board = layout.mat, layout.board
    x, y = (mat.width - board.width) / 2.0, (mat.height - board.height) / 2.0
    return ground_around(layout, layout.top_z, (x, y))
