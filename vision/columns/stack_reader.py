"""Read a board that lies on the table: the height of each stack, and the colour of its top."""

from vision.capture.frame import Frame
from vision.columns.board_reader import BoardReader, ground_around
from vision.columns.grid import StackLayout
from vision.columns.model import Model
from vision.columns.patches import View
from vision.geometry.table_tracking import track_table
from vision.geometry.table_view import view_of
from vision.observation import Observation, Reason, Status
from vision.photometry.white_reference import estimate_white_balance


class StackReader(BoardReader):
    """Reads pictures of one such table, TacTiki's or one with discs, after `calibrate`."""

    def __init__(self, layout: StackLayout, model: Model = Model.FIGURES) -> None:
        super().__init__(layout, model, layout.floor_z, ground_around(layout, layout.floor_z))
        self._tracker = track_table(layout)

    def read(self, frame: Frame) -> Observation:
        """Return what *frame* shows: NO_MAT where the tiles are not in view."""
        view = self._build_view(frame)
        if isinstance(view, str):
            return Observation(frame.name, Status.NO_MAT, reason=Reason.TILES)
        return self._read_view(frame.name, view)

    def _build_view(self, frame: Frame) -> View | str:
        seen = view_of(frame)
        pose = self._tracker.locate(seen)
        if pose is None:
            return self._tracker.explain()
        light = estimate_white_balance(seen.picture, pose, self._grid.mat)
        return self._views.build(seen.picture, pose, light=light)
