"""Whether anybody reaches over the table, by how it looked when it was last believed.

What comes in over the picture's edge and reaches the places is an arm, at rest or not, until it has
gone. Only what comes back to the very same look after something else was seen, or stays for long,
is no arm: then the light or the table has changed.
"""

from collections import deque
from typing import Final

from vision.capture.frame import Picture
from vision.capture.pending import Pending
from vision.geometry.pose import Pose
from vision.occlusion.arm_direction import ArmSighting, Ground, TableSnapshot

ALARMS: Final = 8
"""So many alarms are remembered."""
PATIENCE: Final = 3
"""After so many alarms in a row the next that looks alike is none: nobody holds an arm so still."""
NOBODY: Final = ArmSighting(False)


class Arms:
    """Tells arms from whatever else has changed since the table was last believed."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._then: TableSnapshot | None = None
        self._seen = Pending[tuple[TableSnapshot, bool]]()
        self._alarms: deque[TableSnapshot] = deque(maxlen=ALARMS)
        self._beside = 0

    def forget(self) -> None:
        """Know nothing of the table until a picture is believed."""
        self._then = None
        self._seen.forget()
        self._alarms.clear()

    def believe(self, frame: str) -> None:
        """Take the picture *frame*, which was looked at, for how the table looks.

        Not with a hand that rests beside the board, which would be missed as soon as it goes.
        """
        if frame not in self._seen:
            return
        seen, is_beside = self._seen[frame]
        self._alarms.clear()
        self._beside = self._beside + 1 if is_beside else 0
        if self._beside in (0, PATIENCE):
            self._then, self._beside = seen, 0

    def look(self, frame: str, picture: Picture, pose: Pose) -> ArmSighting:
        """Return what reaches over the table in the *picture* of that name."""
        now = TableSnapshot(self._ground, picture, pose)
        reach = NOBODY if self._then is None else self._then.find_arm(now)
        self._seen.keep(frame, (now, reach.is_in_view))
        if not reach.is_over:
            self._alarms.clear()
            return reach
        alike = [not alarm.find_arm(now).is_over for alarm in self._alarms]
        self._alarms.append(now)
        has_returned = any(was and not all(alike[at:]) for at, was in enumerate(alike))
        has_stayed = len(alike) >= PATIENCE and all(alike[-PATIENCE:])
        if has_returned or has_stayed:
            self._then = now
            self._alarms.clear()
            return NOBODY
        return reach
