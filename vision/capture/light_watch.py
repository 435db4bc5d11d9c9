"""Whether there is as much light on the table as when it was last looked at.

A lamp that is switched moves nothing, and dusk comes too slowly to be seen from one picture to the
next; so pictures are compared with the one of the last look.
"""

from typing import Final

from vision.capture.preview_frame import Luma

MIN_CHANGE: Final = 1.25
"""Between two means of grey levels; less is an arm, its shadow, or a camera that adapts."""


class LightWatch:
    """Compares how bright pictures are, by the mean of their grey levels."""

    def __init__(self) -> None:
        self._mean: float | None = None

    def note(self, luma: Luma) -> None:
        """Take the light in *luma* for the usual one from now on."""
        self._mean = _mean(luma)

    def has_changed(self, luma: Luma) -> bool:
        """Return whether *luma* shows more or less light than what was noted last, if anything was.

        >>> import numpy as np
        >>> watch, lit = LightWatch(), np.full((4, 4), 100, np.uint8)
        >>> watch.note(lit)
        >>> watch.has_changed(lit // 2), watch.has_changed(lit - 10), watch.has_changed(lit * 2)
        (True, False, True)
        """
        if self._mean is None:
            return False
        darker, brighter = sorted((self._mean, _mean(luma)))
        return brighter > MIN_CHANGE * darker


def _mean(luma: Luma) -> float:
    return max(1.0, float(luma.mean()))
