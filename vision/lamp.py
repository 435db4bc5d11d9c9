"""Learn where a table's lamp is, and tell by their shadows how high columns are.

The lamps over a table do not move during a game. So the lamp is looked for once, in the picture of
known columns: it is where their shadows agree best with their heights. A network reads patches that
are cut along the shadows (`vision/shadows.py`); like that of `vision/heights.py` it was trained on
rendered tables of our own making.
"""

import math
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vision.grid import TALLEST, Grid
from vision.network import lay_colours, load_network, share_out
from vision.pose import Points, Pose, carry
from vision.shadows import lay_shades
from vision.spots import View

Heights: TypeAlias = NDArray[np.intp]
Odds: TypeAlias = NDArray[np.float64]
Way: TypeAlias = tuple[float, float, float]
"""Azimuth and elevation in degrees, distance in mm, from the middle of a board."""

FAR_MM: Final = 1400.0
"""How far lamps usually are from the middle of a board."""
DISTANCES_MM: Final = (FAR_MM, 1e5)
AZIMUTHS_DEG: Final = range(0, 360, 20)
ELEVATIONS_DEG: Final = (30, 42, 54, 68)
FINER_DEG: Final = (8.0, 4.0, 2.0)
STEEPEST_DEG: Final = 85.0
FLOOR: Final = 0.01
"""No height is so unlikely that one column outweighs all others."""
TOLD: Final = 1.0
"""How much likelier than by chance, as a logarithm, true heights must be by their shadows.

Shadows that are not there reach 0.85, since the best of many lamps is taken.
"""
LEAST_MARK: Final = 0.3


class Shadows:
    """Tells how high the columns on one grid are; must have learned where the lamp is."""

    def __init__(self, grid: Grid, floor_z: float, weights: Path) -> None:
        """*floor_z*: how many mm above the plane of its poses the columns stand.

        weights: of a network that has learned the shadows of these pieces.
        """
        self._grid, self._floor_z, self._weights = grid, floor_z, weights
        self._lamp: Points | None = None

    @property
    def lamp(self) -> Points | None:
        """Where the lamp is, x, y, z (3,) in mm in the table's frame, if it is known."""
        return self._lamp

    def learn(self, view: View, heights: Heights) -> None:
        """Find the lamp by the shadows of columns that are *heights* (25,) high.

        Where no lamp explains the shadows much better than chance, none is learned.
        """
        which = np.flatnonzero(heights)
        kinds = np.unique(heights[which])

        @cache
        def weigh(way: Way) -> float:
            told = self._ask(view, self._place(*way), heights, which)
            right = np.log(told[np.arange(len(which)), heights[which] - 1] + FLOOR)
            # However many columns are equally high, they count as one.
            return float(np.mean([right[heights[which] == kind].mean() for kind in kinds]))

        tried = set().union(*(_search(weigh, far) for far in DISTANCES_MM))
        best = max(tried, key=weigh)
        self._lamp = None
        if weigh(best) > TOLD - math.log(TALLEST):
            self._lamp = self._carry(self._place(*best), view, view.pose, view.table)

    def tell(self, view: View, heights: Heights, which: Heights) -> Odds:
        """Return how likely each height of the columns *which* (n,) is by its shadow (n, TALLEST).

        heights: (25,) of all columns as far as known: their shadows may fall on these.
        """
        if self._lamp is None:
            return np.full((len(which), TALLEST), 1.0 / TALLEST)
        lamp = self._carry(self._lamp, view, view.table, view.pose)
        return self._ask(view, lamp, heights, which)

    def _carry(self, lamp: Points, view: View, one: Pose, other: Pose) -> Points:
        """Return where *lamp* of one pose's frame is in another's: boards tilt, lamps do not."""
        if one is other:
            return lamp
        return carry(lamp, one, other, self._grid.hfov_deg, view.picture.shape)

    def _place(self, azimuth_deg: float, elevation_deg: float, far_mm: float) -> Points:
        azimuth, elevation = math.radians(azimuth_deg), math.radians(elevation_deg)
        way = [
            math.cos(elevation) * math.cos(azimuth),
            math.cos(elevation) * math.sin(azimuth),
            math.sin(elevation),
        ]
        return np.array([*self._grid.middles.mean(axis=0), self._floor_z]) + far_mm * np.array(way)

    def _ask(self, view: View, lamp: Points, heights: Heights, which: Heights) -> Odds:
        """Return what the shadows of a lamp in the board's frame tell (n, TALLEST)."""
        shades = lay_shades(self._grid, view.pose, self._floor_z, lamp, heights, which)
        network = load_network(self._weights)
        network.setInput(lay_colours(shades.cut(view.picture)), "patches")
        network.setInput(shades.masks, "masks")
        network.setInput(shades.marks[..., None], "marks")
        ends = np.asarray(network.forward(), np.float64).reshape(len(which), -1)
        weights = np.maximum(shades.marks.sum(axis=2), LEAST_MARK)
        return share_out(np.einsum("nb,nhb->nh", ends, shades.marks) / weights)


def _search(weigh: Callable[[Way], float], far_mm: float) -> set[Way]:
    """Return the ways on which a lamp at this distance was looked for, ever nearer to the best."""
    ways = {(float(a), float(e), far_mm) for a in AZIMUTHS_DEG for e in ELEVATIONS_DEG}
    for step in FINER_DEG:
        azimuth, elevation, _ = max(ways, key=weigh)
        ways |= {
            (azimuth + aside * step, min(elevation + up * step, STEEPEST_DEG), far_mm)
            for aside in (-1, 0, 1)
            for up in (-1, 0, 1)
        }
    return ways
