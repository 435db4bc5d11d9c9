"""Light that flickers: bands that run through pictures, or pictures dark and bright in turn.

Lamps on the mains flicker a hundred times a second, and a rolling shutter exposes one row after the
other; so each picture has dark and bright bands, in other rows than the one before.
"""

from typing import Final

import numpy as np

from vision.capture.picture_fault import PictureFault
from vision.capture.preview_frame import Luma

OFFSET_LEVELS: Final = 8.0
"""Added to levels before their logarithm, so that dark ones do not count."""
MIN_BANDS: Final = 0.02
"""Standard deviation of rows, in log levels, from which bands are seen: 3 % up and down."""
MIN_TURNS: Final = 2
"""How often rows change between darker and brighter than before: an arm's shadow does so once."""
MAX_REST: Final = 0.5
"""What rows do not explain, as a share of what they do: a camera that moves changes all."""
MIN_PUMPING: Final = 0.12
"""Difference of two pictures in a row, in log levels, from which the light goes up or down."""


class FlickerWatch:
    """Compares each picture with the one before.

    needed: how many more have to flicker than not until it is believed; as many end it.
    """

    def __init__(self, needed: int = 5) -> None:
        self._needed = needed
        self.restart()

    def restart(self) -> None:
        """Forget what was seen: nothing flickers."""
        self._last: Luma | None = None
        self._counts = dict.fromkeys((PictureFault.BANDS, PictureFault.PUMPING), 0)
        self._rises: bool | None = None
        self.found: PictureFault | None = None

    def look(self, luma: Luma) -> PictureFault | None:
        """Take the next picture, as a `PreviewFrame` has it, and return what flickers now."""
        last, self._last = self._last, luma
        if last is None or last.shape != luma.shape:
            return self.found
        change = np.log(luma + OFFSET_LEVELS) - np.log(last + OFFSET_LEVELS)
        self._count(PictureFault.BANDS, counts=_has_bands(change))
        level = float(np.median(change))
        # A lamp that is switched on changes the light once; only what comes and goes flickers.
        turns = abs(level) >= MIN_PUMPING and self._rises is not (level > 0)
        if abs(level) >= MIN_PUMPING:
            self._rises = level > 0
        self._count(PictureFault.PUMPING, counts=turns)
        return self.found

    def _count(self, flicker: PictureFault, *, counts: bool) -> None:
        count = self._counts[flicker] + (1 if counts else -1)
        self._counts[flicker] = min(max(count, 0), self._needed)
        if self._counts[flicker] == self._needed:
            self.found = flicker
        elif self._counts[flicker] == 0 and self.found is flicker:
            self.found = None


def _has_bands(change: np.ndarray) -> bool:
    """Return whether whole rows have become darker and brighter, and nothing else has changed."""
    rows = np.median(change, axis=1)
    rows = rows - np.median(rows)
    strength = float(rows.std())
    if strength < MIN_BANDS:
        return False
    signs = np.sign(rows)[np.abs(rows) > 0.5 * strength]
    if np.count_nonzero(np.diff(signs)) < MIN_TURNS:
        return False
    rest = change - np.median(change, axis=1, keepdims=True)
    return float(np.median(np.abs(rest))) < MAX_REST * strength
