"""The motion gate: whether the table is at rest, so that a picture of it is worth reading.

It compares small grey pictures, and has no clock of its own: glances say when they were taken.
"""

from enum import StrEnum
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.preview_frame import PreviewFrame

NOISE_FACTOR: Final = 6.0
CHANGE_RANGE_LEVELS: Final = (7.0, 20.0)
"""A pixel has changed if, after smoothing, it differs by this many times the median difference of
all, within this range: less is a camera's noise indoors, more everywhere is another view."""
QUIET_LEVELS: Final = 2.0
"""Half of all pixels of a table at rest differ by less, in any light but the dimmest."""
MAX_STILL_SHARE: Final = 0.004
MAX_SETTLING_SHARE: Final = 0.002
"""Share of changed pixels up to which a still table stays still, and a moving one settles. A finger
is 0.004 of the picture; two thresholds keep the gate from flickering."""
MIN_LAMP_SHARE: Final = 0.8
"""If more pixels have changed, and correlate with what they were, a lamp was switched."""
MIN_CORRELATION: Final = 0.8
ADAPTATION_PER_S: Final = 0.5
"""Share of the difference to the reference that it follows per second, for slow daylight."""


class Motion(StrEnum):
    """Whether the table moves."""

    MOVING = "moving"
    STILL = "still"


class MotionGate:
    """Detects whether the table has been at rest for *settle_s* seconds.

    Each picture is compared with the first one since the last motion, so that a slowly creeping
    hand counts as motion too. A hand at rest does not: what it covers is the reader's matter.
    """

    def __init__(self, settle_s: float = 0.7) -> None:
        if not settle_s > 0.0:
            raise ValueError(f"settle_s is {settle_s:g}; it must be more than 0 seconds")
        self.settle_s = settle_s
        self._reference: NDArray[np.float32] | None = None
        self._still_since_s = 0.0
        self._last_s = 0.0
        self._state = Motion.MOVING

    def feed(self, glance: PreviewFrame) -> Motion:
        """Take the next glance, of any size, and return whether the table is at rest."""
        luminance = np.asarray(cv2.blur(glance.luma, (3, 3)), np.float32)
        elapsed_s = glance.taken_s - self._last_s
        self._last_s = glance.taken_s
        if self._reference is None or self._reference.shape != luminance.shape or elapsed_s < 0.0:
            return self._restart(luminance)
        difference = luminance - self._reference
        changed = np.count_nonzero(np.abs(difference) > CHANGE_RANGE_LEVELS[0])
        if changed > MIN_LAMP_SHARE * difference.size and _correlate(luminance, self._reference):
            self._reference = luminance
            return self._state
        max_share = MAX_STILL_SHARE if self._state is Motion.STILL else MAX_SETTLING_SHARE
        if _changed_share(difference, max_share) > max_share:
            return self._restart(luminance)
        self._reference += np.float32(min(1.0, ADAPTATION_PER_S * elapsed_s)) * difference
        if glance.taken_s - self._still_since_s >= self.settle_s:
            self._state = Motion.STILL
        return self._state

    def _restart(self, luminance: NDArray[np.float32]) -> Motion:
        self._reference = luminance
        self._still_since_s = self._last_s
        self._state = Motion.MOVING
        return self._state


def _correlate(one: NDArray[np.float32], other: NDArray[np.float32]) -> bool:
    """Return whether both pictures show the same things, in whatever light."""
    a, b = one - one.mean(), other - other.mean()
    energy = float(np.sqrt((a * a).mean() * (b * b).mean()))
    return float((a * b).mean()) > MIN_CORRELATION * energy


def _changed_share(difference: NDArray[np.float32], up_to: float) -> float:
    """Return the share of pixels that changed beyond noise and beyond what all pixels did.

    A smaller share than *up_to* need not be exact: the medians are left out if they cannot matter.
    """
    apart = np.abs(difference)
    if np.count_nonzero(apart > QUIET_LEVELS) <= 0.5 * apart.size:  # so the median is not beyond
        most = np.count_nonzero(apart > CHANGE_RANGE_LEVELS[0] - QUIET_LEVELS) / apart.size
        if most <= up_to:
            return most
    apart = np.abs(difference - np.median(difference))
    threshold = np.clip(NOISE_FACTOR * np.median(apart), *CHANGE_RANGE_LEVELS)
    return int(np.count_nonzero(apart > threshold)) / int(apart.size)
