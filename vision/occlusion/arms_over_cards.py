"""Arms over cards on a bare table, and their side, by comparison with earlier pictures."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.geometry.layout import Mat
from vision.geometry.pose import Points, Pose
from vision.occlusion.arm_direction import ArmRegion, ArmSighting, Edges, ReferenceTable, contains
from vision.occlusion.background import BackgroundModel
from vision.photometry.saturated_white import SaturatedWhite
from vision.photometry.white_reference import (
    estimate_white_balance,
    gains_of,
    is_same_illuminant,
    measure_paper_white,
)

MAT_MARGIN_MM: Final = 20.0
"""How far beyond the corner tiles' centres an arm is searched for: all of their paper."""
SAMPLE_SPACING_MM: Final = 20.0
"""Distance of the table's points at which its brightness is sampled: some 200 of them."""
MAX_CAMERA_SHIFT_MM: Final = 4.0
"""Error of the position of a camera that has not moved."""


@dataclass(frozen=True, slots=True, eq=False)
class _Reference:
    """A picture over which nobody reaches."""

    frame: str
    picture: Picture
    pose: Pose
    white: NDArray[np.float64] | None


class ArmDetector:
    """Finds arms over cards by the table around them.

    The whole table is compared, for the side, only once something comes over the surround: most
    pictures show no arm and cost nothing. Under another illuminant, or from elsewhere, no side is
    given: what an arm has changed cannot be separated from what else has.
    """

    def __init__(self, mat: Mat, places: Edges, background: BackgroundModel) -> None:
        """*places*: where cards and pieces change.  background: the table around them."""
        low, right, bottom = -MAT_MARGIN_MM, mat.width + MAT_MARGIN_MM, mat.height + MAT_MARGIN_MM
        region = ArmRegion((low, low, right, bottom), places)
        self._mat = mat
        self._background = background
        self._table = ReferenceTable(region)
        self._white = SaturatedWhite(mat, _points_beside(region))
        self._newest: _Reference | None = None
        self._reference: _Reference | None = None

    @property
    def is_learned(self) -> bool:
        """Whether the table around the cards is known."""
        return self._background.is_learned

    def learn(self, frame: str, picture: Picture, pose: Pose) -> None:
        """Use *picture*, over which nobody reaches, as reference."""
        self._background.learn(picture, pose)
        # Colours learned under saturating light are learned by the paper as it seems to be.
        paper = measure_paper_white(picture, pose, self._mat)
        self._set_reference(_Reference(frame, picture, pose, paper))

    def keep(
        self, frame: str, picture: Picture, pose: Pose, white: NDArray[np.float64] | None
    ) -> None:
        """Remember a *picture* over which nobody seems to reach, until it is believed.

        white: the level (3,) of paper, from `measure_white`.
        """
        self._newest = _Reference(frame, picture, pose, white)

    def set_reference(self, frame: str) -> None:
        """Use the picture *frame*, if it is remembered, as reference.

        If nothing was learned, the table around the cards is learned from it too.
        """
        newest = self._newest
        if newest is None or newest.frame != frame:
            return
        if not self.is_learned:
            self._background.learn(newest.picture, newest.pose)
        self._set_reference(newest)

    def _set_reference(self, reference: _Reference) -> None:
        self._reference = reference
        self._table.learn(reference.picture, reference.pose)
        self._white.learn(reference.picture, reference.pose, reference.white)

    def measure_white(self, picture: Picture, pose: Pose) -> NDArray[np.float64] | None:
        """Return the level (3,) of paper, beyond 255 where it is saturated; None if unknown."""
        return self._white.estimate(picture, pose)

    def find_arm(self, picture: Picture, pose: Pose, *, may_be_light: bool) -> ArmSighting | None:
        """Return what reaches over the cards, None if nothing does.

        may_be_light: whether a picture was believed and nothing is hidden in this one: then what
        does not come in over the picture's edge is a change of illumination.
        """
        if not self._background.is_reached_over(picture, pose):
            return None
        if not self._is_comparable(picture, pose):
            return ArmSighting(True)
        sighting = self._table.find_arm(picture, pose)
        return None if may_be_light and not sighting.is_over else sighting

    def _is_comparable(self, picture: Picture, pose: Pose) -> bool:
        """Return whether *picture* is of the same camera and illuminant as the reference."""
        reference = self._reference
        if reference is None:
            return False
        if np.linalg.norm(pose.camera - reference.pose.camera) > MAX_CAMERA_SHIFT_MM:
            return False
        then = estimate_white_balance(reference.picture, reference.pose, self._mat)
        now = estimate_white_balance(picture, pose, self._mat)
        return is_same_illuminant(gains_of(now), gains_of(then))


def _points_beside(region: ArmRegion) -> Points:
    """Return points (n, 3) in mm on the table, outside the places."""
    left, top, right, bottom = region.board
    x, y = np.meshgrid(
        np.arange(left, right, SAMPLE_SPACING_MM), np.arange(top, bottom, SAMPLE_SPACING_MM)
    )
    points = np.column_stack([x.ravel(), y.ravel(), np.zeros(x.size)])
    return np.asarray(points[~contains(region.places, points[:, :2])], np.float64)
