"""What the readers of both card games share: tiles, cards known again, and arms over them."""

from abc import ABC, abstractmethod

from vision.calibration import BadCalibration
from vision.capture.frame import Frame, Picture
from vision.cards.detection import TopCardDetector
from vision.cards.evidence_cache import EvidenceCache
from vision.cards.layout import PileLayout, UnoLayout
from vision.cards.reidentification import CardReidentifier
from vision.geometry.pose import Pose
from vision.geometry.table_tracking import track_table
from vision.geometry.table_view import view_of
from vision.observation import Observation, Table
from vision.occlusion.arms_over_cards import ArmDetector


class CardTableReader(ABC):
    """Reads pictures of a table with cards, in any order."""

    def __init__(self, layout: PileLayout | UnoLayout, arms: ArmDetector) -> None:
        self._tracker = track_table(layout)
        self._detector = TopCardDetector(layout.card)
        self._cache = EvidenceCache()
        self._reidentifier = CardReidentifier(layout.card)
        self._arms = arms

    @abstractmethod
    def read(self, frame: Frame) -> Observation:
        """Return the observation of *frame*; one without the mat in view is an observation too."""

    def recognise(self, frame: Frame, known: Table) -> Observation:
        """Return what *frame* shows, as if no card on it had been seen before; see `Reader`."""
        del known
        self._cache.clear()
        return self.read(frame)

    def set_reference(self, frame: str, table: Table) -> None:
        """Compare later pictures with the picture *frame*; see `companion.table.readers.Reader`.

        table: not used; the referee names what lies there, the reader keeps how it looks.
        """
        del table
        self._reidentifier.set_reference(frame)
        self._arms.set_reference(frame)

    def _locate(self, frame: Frame) -> tuple[Picture, Pose] | None:
        """Return the picture and the pose of *frame*, None without the tiles."""
        view = view_of(frame)
        pose = self._tracker.locate(view)
        return None if pose is None else (view.picture, pose)

    def _locate_for_calibration(self, frame: Frame) -> tuple[Picture, Pose]:
        """Return the same; raises BadCalibration without the tiles."""
        located = self._locate(frame)
        if located is None:
            raise BadCalibration(f"{frame.name}: {self._tracker.explain()}")
        return located

    def _start_from(self, frame: Frame, picture: Picture, pose: Pose, panel_side: float) -> None:
        """Forget all pictures before the calibration's, in which cards have this *panel_side*."""
        self._detector.calibrate(panel_side)
        self._cache.clear()
        self._reidentifier.reset()
        self._arms.learn(frame.name, picture, pose)
