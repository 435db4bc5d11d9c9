"""Know again what looks as it did in the last picture that was believed.

Nearly all of a board is as it was a move ago. What looks the same needs no name: it is what it was
believed to be, and costs nothing. Two pictures of one place are compared in the same rectified
patch, whatever the camera was pushed by, after what the light has changed everywhere is made up
for. How much they differ by chance is told by the picture itself: most places have not changed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame_cache import FrameCache
from vision.columns.grid import height_of
from vision.columns.patches import LONG_PX, WIDE_PX, Patches, Spots
from vision.observation import Table

STEP: Final = 2
"""Pixels are averaged two by two and smoothed, so that noise is evened out."""
ASIDE: Final = np.ones((3, 3), np.uint8)
"""A place may show what was a pixel beside it, since poses err and pieces are nudged."""
EDGE: Final = 4
"""Columns of compared pixels at either side that a neighbour shows in sooner than the piece."""
ABOVE_PX: Final = 10
"""A patch is compared up to so far beyond where the next piece's top would appear."""
DARK: Final = 6
"""Levels that are added to all: noise says little of what is darker."""
SPARSE: Final = 3
"""Of so many rows and columns of places one tells by how much the light has changed."""
LEAST: Final = 0.25
"""Mean difference in levels that places come to by chance at least."""
USUAL, STRANGE = 1.8, 4.5
"""Places that differ by no more than so many times what is usual in the picture look the same; and
from so many times on, otherwise."""
CALM, STIRRED = 1.4, 2.5
"""Where places differ by more than CALM as a rule, the picture is another: that one looks the same
tells less then, and from STIRRED on nothing."""
SAME, OTHER = 0.98, 0.04
"""How surely a place is as it was then, at the most and at the least: shadows change looks too."""
KNOWN: Final = 0.95
"""What looks as it did as surely as this is not looked at any closer."""
LIKELY, RATHER = 0.9, 0.85
"""What looks as it did as surely as LIKELY is named by its own look alone. Of what does not, but
rather does than not, witnesses are asked only if that leaves it less certain than RATHER."""
UNTOLD: Final = 0.5
PLAIN_PX: Final = 7.0
"""Where a level rises by more, a piece on one of its colour is plain to see without more ado."""
HALF_PX, ASTRAY_PX, ASIDE_PX = 16, 9, 4
"""Half the side of what is looked for of a column's top, and how far outwards and aside."""
STILL_PX, LAID_PX = 0.4, 1.2
"""How far a top that stayed seems to have moved, and how far from its place a new one is laid."""

Soft: TypeAlias = NDArray[np.uint8]
"""(places, rows, columns, 3): one picture of all places, softened."""


@dataclass(frozen=True, slots=True, eq=False)
class _Look:
    """One picture of all places.  soft: averaged.  grey: (places, LONG_PX, WIDE_PX) uint8."""

    soft: Soft
    grey: NDArray[np.uint8]


class Looks:
    """How the places of one board looked in the last pictures, and in the one that was believed.

    since: the name of that picture, "" as long as none was.  table: what lay there.
    """

    def __init__(self) -> None:
        self.since = ""
        self.table: Table = ()
        self._then: _Look | None = None
        self._read = FrameCache[_Look]()

    def forget(self) -> None:
        """Know nothing any more."""
        self.since, self.table, self._then = "", (), None
        self._read.forget()

    def believe(self, frame: str, table: Table) -> None:
        """Take *table* for what lies in the picture *frame*; forgotten ones change nothing."""
        if frame == self.since:
            self.table = table
        elif frame in self._read:
            self.since, self.table, self._then = frame, table, self._read[frame]

    def compare(self, frame: str, patches: Patches, spots: Spots) -> tuple[float, ...]:
        """Return for each place how surely it looks as it did; () if nothing was believed.

        patches: of the picture *frame*, which is remembered.
        """
        look, then = _Look(_soften(patches), _grey(patches)), self._then
        self._read.keep(frame, look)
        if then is None:
            return ()
        heights = [height_of(content) or 0 for content in self.table]
        off = _measure(then.soft, look.soft, _rows(spots, heights))
        usual = max(float(np.median(off)), LEAST)
        surest = float(np.interp(usual, [CALM, STIRRED], [SAME, UNTOLD]))
        alike = np.interp(off / usual, [USUAL, STRANGE], [surest, OTHER])
        subtle = (np.array(heights) > 0) & (spots.rise < PLAIN_PX)
        for at in np.flatnonzero(subtle & (alike > UNTOLD)):
            row = float(spots.tops[at, heights[at]])
            moved_px = _find_top(then.grey[at], look.grey[at], row)
            alike[at] = min(alike[at], _weigh_move(moved_px, float(spots.rise[at])))
        return tuple(alike.tolist())


def recall(table: Table, unchanged: Sequence[float]) -> Table:
    """Return what lies where a place looks so much as it did that it need not be asked; else None.

    >>> recall(("tac 2", "empty"), (0.98, 0.8))
    ('tac 2', None)
    """
    if not unchanged:
        return (None,) * len(table)
    pairs = zip(table, unchanged, strict=True)
    return tuple(content if same >= KNOWN else None for content, same in pairs)


def trust_looks(unchanged: Sequence[float]) -> NDArray[np.float64] | None:
    """Return how certain each place must be for no witness to be asked, None if nobody compared.

    >>> trust_looks((0.98, 0.2, 0.8)).tolist()
    [0.0, 1.0, 0.85]
    """
    if not unchanged:
        return None
    alike = np.array(unchanged)
    return np.select([alike >= LIKELY, alike > UNTOLD], [0.0, RATHER], 1.0)


def _soften(patches: Patches) -> Soft:
    size = (WIDE_PX // STEP, len(patches) * LONG_PX // STEP)
    small = cv2.resize(patches.reshape(-1, WIDE_PX, 3), size, interpolation=cv2.INTER_AREA)
    soft = cv2.blur(small, (3, 3)).reshape(-1, LONG_PX // STEP, WIDE_PX // STEP, 3)
    return np.asarray(soft, np.uint8)


def _grey(patches: Patches) -> NDArray[np.uint8]:
    grey = cv2.cvtColor(patches.reshape(-1, WIDE_PX, 3), cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.blur(grey, (3, 3)), np.uint8).reshape(-1, LONG_PX, WIDE_PX)


def _find_top(then: NDArray[np.uint8], now: NDArray[np.uint8], row: float) -> float:
    """Return by how many pixels a top has moved outwards in its patch; it was in that *row*."""
    first = min(max(round(row) - HALF_PX, 0), LONG_PX - 2 * HALF_PX)
    left, right = WIDE_PX // 2 - HALF_PX, WIDE_PX // 2 + HALF_PX
    low, high = max(first - ASTRAY_PX, 0), min(first + 2 * HALF_PX + ASTRAY_PX, LONG_PX)
    top = then[first : first + 2 * HALF_PX, left:right]
    likeness = cv2.matchTemplate(
        now[low:high, left - ASIDE_PX : right + ASIDE_PX], top, cv2.TM_CCOEFF_NORMED
    )
    at, column = np.unravel_index(int(likeness.argmax()), likeness.shape)
    return float(low + at + _peak(likeness[:, column].tolist(), int(at)) - first)


def _peak(likeness: Sequence[float], at: int) -> float:
    """Return how far beside place *at* the peak of a parabola through it and its neighbours is."""
    if not 0 < at < len(likeness) - 1:
        return 0.0
    before, here, after = likeness[at - 1 : at + 2]
    bend = before - 2.0 * here + after
    return 0.5 * (before - after) / bend if bend < 0.0 else 0.0


def _weigh_move(moved_px: float, rise_px: float) -> float:
    """Return how surely a top that seems to have moved so far is the one that lay there.

    rise_px: by how many pixels a level rises.  A piece on one of its own colour, or one that was
    taken off one, looks as if the top had moved by that.

    >>> [round(_weigh_move(moved, 3.5), 2) for moved in (0.0, 1.2, 3.5)]
    [0.98, 0.17, 0.04]
    >>> round(_weigh_move(0.0, 1.0), 2)
    0.81
    """
    stayed = np.exp(-0.5 * (moved_px / STILL_PX) ** 2) / STILL_PX
    other = np.exp(-0.5 * ((abs(moved_px) - rise_px) / LAID_PX) ** 2) / LAID_PX
    return float(np.clip(stayed / max(stayed + other, 1e-12), OTHER, SAME))


def _rows(spots: Spots, heights: Sequence[int]) -> NDArray[np.bool_]:
    """Return which rows (places, rows) of softened patches show columns and one piece more."""
    more = np.minimum(np.array(heights) + 1, spots.tops.shape[1] - 1)
    last = spots.tops[np.arange(len(heights)), more] + ABOVE_PX
    at = STEP * np.arange(LONG_PX // STEP)
    return np.asarray((at >= STEP * STEP) & (at < last[:, None]), np.bool_)


def _measure(then: Soft, now: Soft, rows: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return by how many levels places differ on average, (places,), in *rows*."""
    few = (slice(None), slice(None, None, SPARSE), slice(None, None, SPARSE))
    seen = (part[few].reshape(-1, 3) + np.float32(DARK) for part in (now, then))
    gains = np.median(np.divide(*seen), axis=0)
    levels = np.clip((np.arange(256.0)[:, None] + DARK) * gains - DARK, 0, 255).astype(np.uint8)
    lit = cv2.LUT(then.reshape(-1, then.shape[2], 3), levels.reshape(1, 256, 3))
    flat = now.reshape(lit.shape)
    beyond = cv2.subtract(cv2.erode(lit, ASIDE), flat)  # what falls below 0 becomes 0
    beyond = cv2.add(beyond, cv2.subtract(flat, cv2.dilate(lit, ASIDE)))
    by_row = beyond.reshape(then.shape)[:, :, EDGE:-EDGE].mean(axis=(2, 3))
    return np.asarray((by_row * rows).sum(axis=1) / np.maximum(rows.sum(axis=1), 1), np.float64)
