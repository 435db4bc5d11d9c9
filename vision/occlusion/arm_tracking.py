"""Arms over a board from picture to picture, compared with the last accepted picture without one.

A change that extends from the picture's edge to the places is an arm until it has gone. Only if the
same picture returns after another one, or stays for long, is it none: then the illumination or the
table has changed.
"""

from collections import deque
from typing import Final

from vision.capture.frame import Picture
from vision.capture.frame_cache import FrameCache
from vision.geometry.pose import Pose
from vision.occlusion.arm_direction import ArmRegion, ArmSighting, TableSnapshot

MAX_STILL_PICTURES: Final = 3
"""Equal pictures in a row that may show an arm; the next is not one: nobody holds it so still."""


class ArmTracker:
    """Finds arms by comparison with the last accepted picture of the table."""

    def __init__(self, region: ArmRegion) -> None:
        self._region = region
        self._reference: TableSnapshot | None = None
        self._cache = FrameCache[tuple[TableSnapshot, ArmSighting]]()
        self._alarms: deque[TableSnapshot] = deque(maxlen=8)
        self._accepted_beside_arm = 0
        self._is_accepted = True

    def begin(self, picture: Picture, pose: Pose) -> None:
        """Know of the table only that nobody reached over it in *picture*.

        That may have been in another light, and much has been put up since: an arm counts then only
        if it plainly comes from one side.
        """
        self._reference, self._is_accepted = TableSnapshot(self._region, picture, pose), False
        self._cache.forget()
        self._alarms.clear()

    def set_reference(self, frame: str) -> None:
        """Accept the picture *frame* as the table's reference.

        Not one with a hand at rest beside the board, which would be missed as soon as it goes,
        unless several in a row have it: then it belongs to the table.
        """
        if frame not in self._cache:
            return
        self._is_accepted = True
        snapshot, sighting = self._cache[frame]
        self._alarms.clear()
        self._accepted_beside_arm = self._accepted_beside_arm + 1 if sighting.is_in_view else 0
        if self._accepted_beside_arm in (0, MAX_STILL_PICTURES):
            self._reference, self._accepted_beside_arm = snapshot, 0

    def find_arm(self, frame: str, picture: Picture, pose: Pose) -> ArmSighting:
        """Return what reaches over the table in the *picture* of that name."""
        nobody = ArmSighting(False)
        now = TableSnapshot(self._region, picture, pose)
        sighting = nobody if self._reference is None else self._reference.find_arm(now)
        if not self._is_accepted and not sighting.sides:
            sighting = nobody
        self._cache.keep(frame, (now, sighting))
        if not sighting.is_over:
            self._alarms.clear()
            return sighting
        is_alike = [not alarm.find_arm(now).is_over for alarm in self._alarms]
        self._alarms.append(now)
        has_returned = any(was and not all(is_alike[at:]) for at, was in enumerate(is_alike))
        has_stayed = len(is_alike) >= MAX_STILL_PICTURES and all(is_alike[-MAX_STILL_PICTURES:])
        if has_returned or has_stayed:
            self._reference = now
            self._alarms.clear()
            return nobody
        return sighting
