"""Whether pictures show anything: a camera may deliver black, or one picture for ever."""

from typing import Final

import numpy as np

from vision.capture.picture_fault import PictureFault
from vision.capture.preview_frame import Luma

LIMIT_S: Final = 4.0
"""How long a picture may be black or repeated; the first pictures of a webcam often are."""
BLACK_LEVEL: Final = 16
"""Sensors give up to this for no light at all."""
MAX_LIT_SHARE: Final = 0.001
"""Of a black picture: a broken pixel stays bright."""


class PictureCheck:
    """Compares each picture with the one before.

    is_sensor: whether the pictures have noise, so that none can be the same as another.  What is
    black is not repeated: without any light even a sensor may give the same.
    """

    def __init__(self, *, is_sensor: bool) -> None:
        self._is_sensor = is_sensor
        self._last: Luma | None = None
        self._lit_s: float | None = None
        self._changed_s = float("-inf")

    def reopen(self) -> None:
        """Be patient with black pictures once more; one that was repeated is still remembered."""
        self._lit_s = None

    def find_fault(self, luma: Luma, taken_s: float) -> PictureFault | None:
        """Return what has been wrong for `LIMIT_S` up to this picture, None if nothing has.

        luma: of the picture, as a `PreviewFrame` has it.
        """
        last, self._last = self._last, luma
        if self._lit_s is None or np.count_nonzero(luma > BLACK_LEVEL) > MAX_LIT_SHARE * luma.size:
            self._lit_s = taken_s
        if not self._is_sensor or last is None or not np.array_equal(luma, last):
            self._changed_s = taken_s
        if taken_s - self._lit_s >= LIMIT_S:
            return PictureFault.BLACK
        if taken_s - self._changed_s >= LIMIT_S and self._lit_s == taken_s:
            return PictureFault.REPEATED
        return None
