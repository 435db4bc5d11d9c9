"""Read Topple's balance board: the tower on each spot, and how steeply the board stands."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from vision.frame import Frame, Picture
from vision.grid import TowerLayout
from vision.heights import Heights
from vision.layout import Mat
from vision.line import BadCalibration
from vision.model import Model
from vision.observation import Observation, Reason, Status
from vision.paper import read_paper_light
from vision.pivot import Pivot
from vision.pose import Pose, axis_between
from vision.rectify import shrink_to_fit
from vision.spots import Boards, View
from vision.stacks import judge, parse_cells
from vision.tiles import TileTracker

TOPPLED_DEG: Final = 16.0
"""A board that hangs as steeply as this has toppled; in play it tilts by 4 degrees."""
LEVEL_DEG: Final = 7.0
"""A board steeper than this, but not toppled, is on its way: nothing is read."""
COARSEST_PX_PER_MM: Final = 1.25
"""With fewer pixels, the small markers of the board seem to lean."""


@dataclass(frozen=True, slots=True)
class Balance:
    """What a TileTracker needs to know of the balance board's own markers."""

    mat: Mat
    hfov_deg: float


def track_board(layout: TowerLayout) -> TileTracker:
    """Return what finds the balance board by its own markers; it tilts by itself."""
    return TileTracker(Balance(layout.board, layout.hfov_deg), tilts=True)


class TowerReader:
    """Reads pictures of one Topple table, in any order, after `calibrate`."""

    def __init__(self, layout: TowerLayout) -> None:
        self._layout = layout
        self._table = TileTracker(layout)
        self._balance = track_board(layout)
        middle = np.array([layout.board.width / 2.0, layout.board.height / 2.0, 0.0])
        self._pivot = Pivot(middle, layout.board.marker_mm, layout.hfov_deg)
        self._boards = Boards(layout, 0.0)
        self._heights: Heights | None = None

    def calibrate(self, frame: Frame, truth: Mapping[str, Any]) -> None:
        """Learn the four colours from a picture on which the ``cells`` of *truth* stand.

        Raises BadCalibration, and nothing has changed, if tiles or board are not in view or
        *truth* names no such table.
        """
        cells = parse_cells(frame.name, truth, self._layout)
        picture = shrink_to_fit(frame.picture)
        poses = self._locate(picture)
        if poses is None:
            raise BadCalibration(f"{frame.name}: {self._table.explain()}")
        if poses[1] is None:
            raise BadCalibration(f"{frame.name}: {self._balance.explain()}")
        view = self._look(picture, poses[0], poses[1])
        self._heights = Heights(self._layout, Model.DISCS, 0.0, view, cells)

    def read(self, frame: Frame) -> Observation:
        """Return what *frame* shows; a picture that shows no mat is an answer too."""
        picture = shrink_to_fit(frame.picture)
        poses = self._locate(picture)
        if poses is None:
            return Observation(frame.name, Status.NO_MAT, reason=Reason.TILES)
        table, board = poses
        if board is None:
            return Observation(frame.name, Status.UNSETTLED, reason=Reason.HAND)
        if self._is_coarse(board):
            return Observation(frame.name, Status.UNSETTLED, reason=Reason.UNCLEAR)
        tilt = round(axis_between(table, board, self._layout.hfov_deg, picture.shape), 1)
        if tilt >= TOPPLED_DEG and self._hangs(picture, table):
            reading = {"toppled": True, "tilt_deg": tilt}
            return Observation(frame.name, Status.OK, reading=reading, confidence=1.0)
        if tilt > LEVEL_DEG or self._heights is None:
            return Observation(frame.name, Status.UNSETTLED, reason=Reason.UNCLEAR)
        spots = self._heights.read(self._look(picture, table, board))
        observation = judge(frame.name, spots, self._layout, Model.DISCS)
        if observation.reading is None:
            return observation
        return replace(observation, reading={**observation.reading, "tilt_deg": tilt})

    def _locate(self, picture: Picture) -> tuple[Pose, Pose | None] | None:
        """Return the camera's pose over the table and over the board, if it is to be seen."""
        table = self._table.locate(picture)
        if table is None:
            return None
        board = self._balance.locate(picture)
        if board is None:
            board = self._pivot.locate(table, self._balance.list_seen(), picture.shape)
        else:
            self._pivot.learn(board, table, picture.shape)
        return table, board

    def _look(self, picture: Picture, table: Pose, board: Pose) -> View:
        light = read_paper_light(picture, table, self._layout.mat)
        return self._boards.look(picture, board, table, light)

    def _hangs(self, picture: Picture, table: Pose) -> bool:
        """Return whether the board is steep also to an eye that remembers nothing of it."""
        board = track_board(self._layout).locate(picture)
        if board is None:
            return False
        return axis_between(table, board, self._layout.hfov_deg, picture.shape) >= TOPPLED_DEG

    def _is_coarse(self, board: Pose) -> bool:
        """Return whether the board's markers are too small in the picture to tell its tilt."""
        side = self._layout.board.width
        ends = np.array([[0.0, 0, 0], [side, 0, 0], [side, side, 0], [0, side, 0]])
        pixels = board.project(ends)
        sides_px = np.linalg.norm(pixels - np.roll(pixels, 1, axis=0), axis=1)
        return bool(sides_px.max() < COARSEST_PX_PER_MM * side)
