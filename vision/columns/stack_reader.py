"""Read TacTiki's board: the height of the stack on each field, and whose figure is on top."""

from collections.abc import Mapping
from typing import Any

from vision.calibration import BadCalibration
from vision.capture.frame import Frame
from vision.columns.board_reader import BoardReader, ground_around, parse_cells
from vision.columns.calibration_check import check_calibration
from vision.columns.grid import StackLayout
from vision.columns.model import Model
from vision.columns.patches import View, ViewBuilder
from vision.geometry.marker_tracking import MarkerTracker
from vision.geometry.rectification import shrink_to_fit
from vision.observation import Observation, Reason, Status, Table
from vision.photometry.white_reference import estimate_light


class StackReader:
    """Reads pictures of one TacTiki table, in any order, after `calibrate`."""

    def __init__(self, layout: StackLayout) -> None:
        self._layout = layout
        self._tracker = MarkerTracker(layout)
        self._views = ViewBuilder(layout, layout.floor_z)
        ground = ground_around(layout, layout.floor_z)
        self._board_reader = BoardReader(layout, Model.FIGURES, layout.floor_z, ground)

    def calibrate(self, frame: Frame, truth: Mapping[str, Any]) -> None:
        """Learn both owners' colours from a picture on which the ``cells`` of *truth* stand.

        Raises BadCalibration, and nothing has changed, if the tiles are not in view or *truth*
        names no such table.
        """
        cells = parse_cells(frame.name, truth, self._layout)
        view = self._build_view(frame)
        if view is None:
            raise BadCalibration(f"{frame.name}: {self._tracker.explain()}")
        self._board_reader.calibrate(view, cells)

    def check(self, frame: Frame, truth: Mapping[str, Any]) -> str | None:
        """Return why *frame* cannot show the ``cells`` of *truth*, None if it may."""
        try:
            cells = parse_cells(frame.name, truth, self._layout)
        except BadCalibration as error:
            return str(error)
        view = self._build_view(frame)
        if view is None:
            return self._tracker.explain()
        return check_calibration(self._layout, Model.FIGURES, view, cells)

    def believe(self, frame: str, table: Table) -> None:
        """Take *table* for what the picture *frame* shows; see `companion.watching.eyes.Reader`."""
        self._board_reader.believe(frame, table)

    def read(self, frame: Frame) -> Observation:
        """Return what *frame* shows: NO_MAT where the tiles are not in view."""
        view = self._build_view(frame)
        if view is None:
            return Observation(frame.name, Status.NO_MAT, reason=Reason.TILES)
        return self._board_reader.read(frame.name, view)

    def _build_view(self, frame: Frame) -> View | None:
        """Return the view of *frame*, None if the tiles are not in view."""
        picture = shrink_to_fit(frame.picture)
        pose = self._tracker.locate(picture)
        if pose is None:
            return None
        light = estimate_light(picture, pose, self._layout.mat)
        return self._views.build(picture, pose, light=light)
