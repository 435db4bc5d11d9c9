"""Know spots on which nothing stands by how they looked in the calibration picture.

A board's print does not change. A spot that still shows what it showed when it was known to be
empty is empty, whatever leans into its neighbourhood, and nothing covers it. Soft shadows darken it
evenly or from one side to the other, which counts for nothing; an edge or another colour does.
"""

from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.columns.cues.shadow_patches import is_covered, lean_tops
from vision.columns.grid import Grid
from vision.columns.patches import View
from vision.geometry.pose import build_grids

Looks: TypeAlias = NDArray[np.float32]
"""(spots, PLACES, 3): logarithms of levels, blue green red, in the round part that counts."""
Which: TypeAlias = NDArray[np.bool_]

SIDE_PX: Final = 24
FINER: Final = 2
"""Pictures are cut so many times finer first, so that noise is evened out."""
REACH: Final = 1.15
"""How many radii of a piece around a spot's middle have to look as they did."""
DARK: Final = 6.0
"""Levels that are added to all: noise says little of what is darker."""
ASIDE: Final = np.ones((3, 3), np.uint8)
"""A place may show what was a pixel beside it, since poses err."""
CHANGED: Final = 0.035
"""By how much, as a logarithm, places may differ on average from what they may show..."""
MUCH, FEW = 0.2, 0.02
"""...and which share of them by much..."""
TINTED: Final = 0.1
"""...and by how much the whole may have changed its colour, one against the others..."""
ALIKE: Final = 0.75
"""...and how alike, as a correlation, what is printed there must be: the back of a hand may have
the colour of the board, but not its print."""
TINY: Final = np.float32(1e-6)
WIDER: Final = 1.2
"""Columns hide what lies within so many radii of their middles, blurred as their edges are."""
LEAST: Final = 0.6
"""Share of a spot that no column may hide."""

_AT: Final = (np.arange(SIDE_PX, dtype=np.float32) + 0.5) / SIDE_PX * 2.0 - 1.0
_ACROSS, _DOWN = np.meshgrid(_AT, _AT)
_INSIDE: Final = np.hypot(_ACROSS, _DOWN) <= 1.0
_WAYS: Final = np.stack([_ACROSS[_INSIDE], _DOWN[_INSIDE], np.ones(_INSIDE.sum(), np.float32)], 1)
"""(PLACES, 3): where each place lies, from -1 to 1, and one."""
_STEADY: Final = np.float32(1e-3) * np.eye(3, dtype=np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Changes:
    """How otherwise spots (n,) look than they did, where they are to be seen.

    changed: by how much on average.  much: which share of places by MUCH.  alike: how alike the
    prints are, 1 if they are the same.  shown: which share of places is to be seen.
    """

    changed: NDArray[np.float32]
    much: NDArray[np.float32]
    alike: NDArray[np.float32]
    shown: NDArray[np.float32]

    @property
    def are_none(self) -> Which:
        """Whether spots look as they did."""
        same = (self.changed < CHANGED) & (self.much < FEW) & (self.alike > ALIKE)
        return np.asarray(same & (self.shown >= LEAST), np.bool_)


class Bare:
    """Knows the spots of one board that look as they did when they were empty."""

    def __init__(self, grid: Grid, floor_z: float) -> None:
        """*floor_z*: how many mm above the plane of its poses the columns stand."""
        self._grid, self._floor_z = grid, floor_z
        spots = len(grid.spots)
        self._known = np.zeros(spots, np.bool_)
        self._looks, self._lowest, self._highest = np.zeros((3, spots, len(_WAYS), 3), np.float32)

    def learn(self, view: View, empty: Which) -> None:
        """Remember how the *empty* (spots,) look in *view*; nothing else counts from now on."""
        known = self._known = empty & view.spots.in_view
        if not known.any():
            return
        squares = self._cut(view, known)
        self._looks[known] = squares[:, _INSIDE]
        for limits, find in ((self._lowest, cv2.erode), (self._highest, cv2.dilate)):
            limits[known] = np.stack([find(square, ASIDE) for square in squares])[:, _INSIDE]

    def find(
        self, view: View, asked: Which | None = None, heights: NDArray[np.intp] | None = None
    ) -> Which:
        """Return which spots (spots,) look as they did when they were known to be empty.

        asked: the others are not looked at.  heights: (spots,) of the columns, as far as known:
        what these hide of a spot does not count.
        """
        found = self._known & view.spots.in_view
        if asked is not None:
            found &= asked
        if not found.any():
            return found
        spots = np.flatnonzero(found)
        seen, shown = self._cut(view, found)[:, _INSIDE], self._show(view, found, heights)
        # Of what stands there most has another colour, which is soonest told.
        likely = _measure_tints(seen - self._looks[spots], shown) < TINTED
        found[spots] = likely
        found[found] = self._compare(spots[likely], seen[likely], shown[likely]).are_none
        return found

    def _compare(self, spots: NDArray[np.intp], seen: Looks, shown: NDArray[np.float32]) -> Changes:
        """Return how otherwise *spots* (n,) look now.

        seen: as they are now.  shown: (n, PLACES) one for places that nothing hides, else nought.
        """
        known = self._looks[spots]
        lights = np.stack([_sum(part) / np.float32(3.0) for part in (seen, known)], axis=2)
        weighed = (shown[..., None] * _WAYS).transpose(0, 2, 1)
        even = _WAYS @ np.linalg.solve(weighed @ _WAYS + _STEADY, weighed @ lights)
        prints = (lights - even) * shown[..., None]
        alike = (prints[..., 0] * prints[..., 1]).sum(axis=1)
        sizes = np.sqrt((prints**2).sum(axis=1).prod(axis=1))
        evened = seen - (even[..., :1] - even[..., 1:])
        beyond = np.maximum(evened - self._highest[spots], self._lowest[spots] - evened)
        changed = np.maximum(beyond, 0.0) * shown[..., None]
        places = np.maximum(shown.sum(axis=1), 1.0)
        return Changes(
            _sum(changed).sum(axis=1) / (3.0 * places),
            np.count_nonzero(_sum(changed > MUCH), axis=1) / places,
            alike / np.maximum(sizes, TINY),
            shown.mean(axis=1),
        )

    def _cut(self, view: View, which: Which) -> NDArray[np.float32]:
        """Return the logarithms (n, SIDE_PX, SIDE_PX, 3) of the spots, straight from above."""
        middles = self._grid.middles[which]
        side, count = 2.0 * REACH * self._grid.figure.radius, SIDE_PX * FINER
        right, down = np.tile(side / count * np.eye(2)[:, None], (1, len(middles), 1))
        first = middles - side / 2.0 * (1.0 - 1.0 / count)
        plane = view.pose.homography(self._floor_z)
        x, y = build_grids(plane, first, down, right, (count, count)).reshape(2, -1, count)
        seen = cv2.remap(view.picture, x, y, cv2.INTER_LINEAR)
        size = (SIDE_PX, len(middles) * SIDE_PX)
        soft = np.asarray(cv2.resize(seen, size, interpolation=cv2.INTER_AREA), np.float32)
        levels = soft.reshape(len(middles), SIDE_PX, SIDE_PX, 3)
        return np.asarray(np.log(levels + np.float32(DARK)), np.float32)

    def _show(
        self, view: View, which: Which, heights: NDArray[np.intp] | None
    ) -> NDArray[np.float32]:
        """Return one for the places (n, PLACES) of the spots that no column hides, else nought."""
        spots = np.flatnonzero(which)
        hidden = np.zeros((len(spots), len(_WAYS)), np.bool_)
        if heights is not None:
            radius = self._grid.figure.radius
            places = self._grid.middles[spots][:, None] + REACH * radius * _WAYS[:, :2]
            leans = lean_tops(self._grid, view.pose.camera - [0.0, 0.0, self._floor_z])
            for other in np.flatnonzero(heights):
                foot, lean = self._grid.middles[other], leans[other, heights[other]]
                over = is_covered(places, foot, lean, WIDER * radius)
                hidden |= over & (spots != other)[:, None]
        return np.asarray(~hidden, np.float32)


def _sum(parts: NDArray[Any]) -> NDArray[Any]:
    """Return the sums along the last axis of three, in a tenth of numpy's time.

    Of what is true or not, whether any is.
    """
    one, two, three = (parts[..., at] for at in range(3))
    return np.asarray(one + two + three)


def _measure_tints(changes: Looks, shown: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return by how much one colour changed against the others (n,), where spots are *shown*."""
    places = np.maximum(shown.sum(axis=1), 1.0)[:, None]
    means = np.einsum("npc,np->nc", changes, shown) / places
    return np.asarray(np.abs(means - means.mean(axis=1, keepdims=True)).max(axis=1), np.float32)
