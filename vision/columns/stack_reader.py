"""Read TacTiki's board: how high the stack on each field is, and whose figure is on top."""

from collections.abc import Mapping
from typing import Any

from vision.calibration import BadCalibration
from vision.capture.frame import Frame
from vision.columns.board_reader import Columns, ground_around, parse_cells
from vision.columns.calibration_check import doubt_lesson
from vision.columns.grid import StackLayout
from vision.columns.model import Model
from vision.columns.patches import Boards, View
from vision.geometry.marker_tracking import MarkerTracker
from vision.geometry.rectification import downscale_to_limit
from vision.observation import Observation, Reason, Status, Table
from vision.photometry.white_reference import estimate_white_balance


class StackReader:
    """Reads pictures of one TacTiki table, in any order, after `calibrate`."""

    def __init__(self, layout: StackLayout) -> None:
        self._layout = layout
        self._tracker = MarkerTracker(layout)
        self._boards = Boards(layout, layout.floor_z)
        ground = ground_around(layout, layout.floor_z)
        self._columns = Columns(layout, Model.FIGURES, layout.floor_z, ground)

    def calibrate(self, frame: Frame, truth: Mapping[str, Any]) -> None:
        """Learn both owners' colours from a picture on which the ``cells`` of *truth* stand.

        Raises BadCalibration, and nothing has changed, if the tiles are not in view or *truth*
        names no such table.
        """
        cells = parse_cells(frame.name, truth, self._layout)
        view = self._look(frame)
        if view is None:
            raise BadCalibration(f"{frame.name}: {self._tracker.explain()}")
        self._columns.teach(view, cells)

    def doubt(self, frame: Frame, truth: Mapping[str, Any]) -> str | None:
        """Return why *frame* cannot show the ``cells`` of *truth*, None if it may."""
        try:
            cells = parse_cells(frame.name, truth, self._layout)
        except BadCalibration as error:
            return str(error)
        view = self._look(frame)
        if view is None:
            return self._tracker.explain()
        return doubt_lesson(self._layout, Model.FIGURES, view, cells)

    def believe(self, frame: str, table: Table) -> None:
        """Take *table* for what the picture *frame* shows; see `companion.eyes.Reader`."""
        self._columns.believe(frame, table)

    def read(self, frame: Frame) -> Observation:
        """Return what *frame* shows; a picture that shows no mat is an answer too."""
        view = self._look(frame)
        if view is None:
            return Observation(frame.name, Status.NO_MAT, reason=Reason.TILES)
        return self._columns.read(frame.name, view)

    def _look(self, frame: Frame) -> View | None:
        picture = downscale_to_limit(frame.picture)
        pose = self._tracker.locate(picture)
        if pose is None:
            return None
        light = estimate_white_balance(picture, pose, self._layout.mat)
        return self._boards.look(picture, pose, light=light)
