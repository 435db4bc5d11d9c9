"""A glance at the table: enough to see whether anything moves; the whole picture only on demand."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Frame, Picture

WIDTH_PX: Final = 192
"""Wider pictures are averaged down to this; a finger still covers some 20 pixels."""
ROWS_PER_PX: Final = 4
"""So many rows of the picture are averaged into one; all of 8 took twice as long."""

Luma: TypeAlias = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class PreviewFrame:
    """A small grey picture of the table, and the way to the whole one that was taken with it.

    luma: (height, width) uint8, at most `WIDTH_PX` wide, 0 dark to 255 bright.
    taken_s: seconds on the camera's own monotonic clock.
    fetch: returns the frame; only until the camera is asked for the next glance, and in the thread
        that asks it.  Raises CameraLost.
    is_remote: whether the whole picture has to be sent by another device first, which takes long.
    """

    name: str
    luma: Luma
    taken_s: float
    fetch: Callable[[], Frame]
    is_remote: bool = False


def glance_at(frame: Frame) -> PreviewFrame:
    """Return the glance that belongs to a *frame* which is here already."""
    return PreviewFrame(frame.name, luma_of(frame.picture), frame.taken_s, lambda: frame)


def luma_of(picture: Picture) -> Luma:
    """Return the grey levels of a picture in colour or grey, at most `WIDTH_PX` wide."""
    height, width = picture.shape[:2]
    rows = picture[:: max(1, width // (ROWS_PER_PX * WIDTH_PX))]
    if picture.ndim == 3 and picture.shape[2] == 3:
        rows = np.asarray(cv2.cvtColor(rows, cv2.COLOR_BGR2GRAY), np.uint8)
    grey = rows.reshape(rows.shape[:2])
    if width > WIDTH_PX:
        size_px = (WIDTH_PX, max(1, round(height * WIDTH_PX / width)))
        grey = np.asarray(cv2.resize(grey, size_px, interpolation=cv2.INTER_AREA), np.uint8)
    return np.ascontiguousarray(grey)
