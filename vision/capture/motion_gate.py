"""Is the table at rest? The gate that keeps a camera's pictures from the reader until it is.

It sees small grey pictures only, and has no clock of its own: the frames say when they were taken.
"""

from enum import StrEnum
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Frame, Picture

WIDTH_PX: Final = 192
"""Wider pictures are averaged down to this; a finger still covers some 20 pixels."""
LEAST_CHANGE: Final = 7.0
"""Levels by which a pixel must differ at least, after smoothing, to count as changed."""
NOISE_FACTOR: Final = 6.0
MOST_NOISE: Final = 20.0
"""What differs more than this everywhere is another view, not noise."""
STARTS: Final = 0.004
"""Changed share of the picture above which a still table moves..."""
STOPS: Final = 0.002
"""...and below which a moving one comes to rest: between the two nothing changes."""
LIGHTNING: Final = 0.8
"""A greater changed share is the lamp, not a hand: the gate adapts and keeps its answer."""
ALIKE: Final = 0.8
"""Correlation above which two pictures show the same table."""
ADAPT_PER_S: Final = 0.5
"""How fast a quiet gate follows the daylight: share of the difference per second."""


class Motion(StrEnum):
    """What the gate says about the table."""

    MOVING = "moving"
    STILL = "still"


class MotionGate:
    """Says whether the table has been at rest for *settle_s* seconds.

    Each picture is compared with the one that opened the quiet spell, so that a slowly creeping
    hand counts as moving too. A hand that rests is still: what it covers is the reader's matter.
    """

    def __init__(self, settle_s: float = 0.7) -> None:
        if not settle_s > 0.0:
            raise ValueError(f"settle_s is {settle_s:g}: more than 0 seconds would be right")
        self.settle_s = settle_s
        self._anchor: NDArray[np.float32] | None = None
        self._quiet_since_s = 0.0
        self._last_s = 0.0
        self._state = Motion.MOVING

    def feed(self, frame: Frame) -> Motion:
        """Take the next picture, of any size, and return whether the table is at rest."""
        luma = _luma(frame.picture)
        elapsed_s = frame.taken_s - self._last_s
        self._last_s = frame.taken_s
        if self._anchor is None or self._anchor.shape != luma.shape or elapsed_s < 0.0:
            return self._restart(luma)
        raw = luma - self._anchor
        if np.count_nonzero(np.abs(raw) > LEAST_CHANGE) > LIGHTNING * raw.size and _alike(
            luma, self._anchor
        ):
            self._anchor = luma
            return self._state
        if _changed(raw) > (STARTS if self._state is Motion.STILL else STOPS):
            return self._restart(luma)
        self._anchor += np.float32(min(1.0, ADAPT_PER_S * elapsed_s)) * raw
        if frame.taken_s - self._quiet_since_s >= self.settle_s:
            self._state = Motion.STILL
        return self._state

    def _restart(self, luma: NDArray[np.float32]) -> Motion:
        self._anchor = luma
        self._quiet_since_s = self._last_s
        self._state = Motion.MOVING
        return self._state


def _alike(luma: NDArray[np.float32], anchor: NDArray[np.float32]) -> bool:
    """Return whether both show the same things, in whatever light."""
    a, b = luma - luma.mean(), anchor - anchor.mean()
    energy = float(np.sqrt((a * a).mean() * (b * b).mean()))
    return float((a * b).mean()) > ALIKE * energy


def _luma(picture: Picture) -> NDArray[np.float32]:
    """Return the picture small, grey (also when it came as luma alone) and smoothed."""
    if picture.shape[1] > WIDTH_PX:
        height = max(1, round(picture.shape[0] * WIDTH_PX / picture.shape[1]))
        picture = np.asarray(
            cv2.resize(picture, (WIDTH_PX, height), interpolation=cv2.INTER_AREA), np.uint8
        )
    if picture.ndim == 3 and picture.shape[2] == 3:
        picture = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    grey = picture.reshape(picture.shape[:2])
    return np.asarray(cv2.blur(grey, (3, 3)), np.float32)


def _changed(raw: NDArray[np.float32]) -> float:
    """Return the share of pixels that changed, beyond noise and beyond what all pixels did."""
    apart = np.abs(raw - np.median(raw))
    limit = np.clip(NOISE_FACTOR * np.median(apart), LEAST_CHANGE, MOST_NOISE)
    return int(np.count_nonzero(apart > limit)) / int(apart.size)
