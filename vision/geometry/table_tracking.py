"""The tracker of a table: by its corner tiles, or by the corners of its board."""

from typing import Protocol

from vision.geometry.corner_tracking import CornerTracker
from vision.geometry.layout import Rig
from vision.geometry.marker_tracking import MIN_TILES, MarkerTracker
from vision.geometry.pose import Markers, Pose
from vision.geometry.table_view import TableView


class TableTracker(Protocol):
    """Finds the camera's pose over a table, from picture to picture."""

    def locate(self, view: TableView) -> Pose | None:
        """Return the pose in *view*, None if the table is not found in it."""

    def list_detected(self) -> Markers:
        """Return the tiles, or corners, that were found when they were last searched for."""

    def explain(self) -> str:
        """Return why there was no pose, and what to do."""


def track_table(rig: Rig, wanted: int = MIN_TILES) -> TableTracker:
    """Return a tracker of the table of *rig*.

    One by corners takes the first picture for the one in which they were given.
    wanted: so many tiles are searched for closely; see `MarkerTracker`.
    """
    return MarkerTracker(rig, wanted=wanted) if rig.mat.fit is None else CornerTracker(rig)
