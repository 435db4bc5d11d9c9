"""Learn where a table's lamps are, and tell by their shadows how high columns are.

The lamps over a table do not move during a game. So they are looked for once, in the picture of
known columns: by where these leave the board dark (`light_sources.py`), then more exactly by
how well shadows agree with heights. A network reads patches that are cut along the shadows
(`shadow_patches.py`), another compares what it finds with the shadows of the known columns
(`shadow_comparison.py`); like that of `heights.py` both were trained on rendered tables of
our own making.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vision.columns.cues.light_sources import STEEPEST_DEG, Heights, find_lamps, point_to
from vision.columns.cues.shadow_comparison import (
    Ends,
    Signs,
    compare,
    compare_each,
    read_signs,
    show_ends,
    summarise,
)
from vision.columns.cues.shadow_patches import lay_shades
from vision.columns.grid import TALLEST, Grid
from vision.columns.patches import View
from vision.geometry.pose import Points, Pose, transform_point
from vision.inference import load_network, softmax, space_to_depth

Odds: TypeAlias = NDArray[np.float64]
Way: TypeAlias = tuple[float, float, float]
"""Azimuth and elevation in degrees, distance in mm, from the middle of a board."""

FAR_MM: Final = 1400.0
"""How far lamps usually are from the middle of a board."""
DISTANCES_MM: Final = (FAR_MM, 1e5)
AZIMUTHS_DEG: Final = range(0, 360, 20)
ELEVATIONS_DEG: Final = (30, 42, 54, 68)
FINER_DEG: Final = (8.0, 4.0, 2.0)
NEARER_DEG: Final = FINER_DEG[1:]
"""How finely lamps are looked for around where one may be, and where one is."""
STARTS: Final = 3
"""Around so many of the likeliest places the lamp is looked for more finely."""
APART: Final = math.cos(math.radians(15.0))
"""The ways to these have a smaller cosine between them."""
FLOOR: Final = 0.01
"""No height is so unlikely that one column outweighs all others."""
TOLD: Final = 1.0
"""How much likelier than by chance, as a logarithm, true heights must be by their shadows.

Shadows that are not there reach 0.85, since the best of many lamps is taken.
"""
TOLD_THERE: Final = 0.9
"""The same where the board's dark places say that a lamp is."""
TOGETHER: Final = -0.25
"""What several lamps tell counts as much as this power of their number, for each: what deceives one
of their shadows deceives others too."""


@dataclass(frozen=True, slots=True, eq=False)
class Lamp:
    """A lamp that was learned.

    place: x, y, z (3,) in mm in the table's frame.  ends: (SIGNS + 1, PLACES) how shadows of known
    columns end there, added up; see `vision.columns.cues.shadow_comparison.Ends`.
    """

    place: Points
    ends: Ends


class Shadows:
    """Tells how high the columns on one grid are; must have learned where the lamp is."""

    def __init__(self, grid: Grid, floor_z: float, weights: Path, comparison: Path) -> None:
        """*floor_z*: how many mm above the plane of its poses the columns stand.

        weights, comparison: of networks that have learned the shadows of these pieces, and to
        compare them.
        """
        self._grid, self._floor_z = grid, floor_z
        self._weights, self._comparison = weights, comparison
        self._lamps: tuple[Lamp, ...] = ()

    @property
    def lamps(self) -> tuple[Lamp, ...]:
        """The lamps that were learned, the one that tells most first; none if none was found."""
        return self._lamps

    def learn(self, view: View, heights: Heights) -> None:
        """Find the lamps by the shadows of columns that are *heights* (25,) high; know these then.

        Where the board is dark behind columns, a lamp is looked for from which shadows look as they
        should. Where no such lamp explains them much better than chance, all places are looked
        through; if none does either, no lamp is learned.
        """
        which = np.flatnonzero(heights)
        true = heights[which]

        @cache
        def read(way: Way) -> Signs:
            return self._read(view, self._place(*way), heights, which)

        def weigh(way: Way) -> float:
            return _agree(softmax(read(way)[:, 0].astype(np.float64)), true)

        def weigh_all(way: Way) -> float:
            return weigh(way) + _agree(compare_each(self._comparison, read(way), true), true)

        def choose(ways: list[Way], told: float) -> list[Way]:
            best = max(ways, key=weigh_all)
            return [best] if weigh(best) > told - math.log(TALLEST) else []

        beams = find_lamps(self._grid, view, self._floor_z, heights)
        near = [
            _approach(weigh_all, beam.azimuth_deg, beam.elevation_deg, NEARER_DEG) for beam in beams
        ]
        best = [way for ways in near for way in choose(ways, TOLD_THERE)]
        best = best or choose(_search(weigh), TOLD)
        self._lamps = tuple(
            Lamp(
                self._carry(self._place(*way), view, view.pose, view.table),
                show_ends(read(way), true).sum(axis=0),
            )
            for way in sorted(best, key=weigh_all, reverse=True)
        )

    def tell(self, view: View, heights: Heights, which: Heights, sure: Heights) -> Odds:
        """Return how likely each height of the columns *which* (n,) is by its shadows (n, TALLEST).

        heights: (25,) of all columns as far as known: their shadows may fall on these.  sure: (m,)
        columns whose heights are beyond doubt: others are compared with theirs, too.
        """
        told = np.ones((len(which), TALLEST))
        for lamp in self._lamps:
            likely = self._tell_of(lamp, view, heights, which, sure)
            told *= likely ** len(self._lamps) ** TOGETHER
        return np.asarray(told / told.sum(axis=1, keepdims=True))

    def _tell_of(
        self, lamp: Lamp, view: View, heights: Heights, which: Heights, sure: Heights
    ) -> Odds:
        """Return how likely each height is by the shadow that one *lamp* throws; see `tell`."""
        place = self._carry(lamp.place, view, view.table, view.pose)
        spots = np.union1d(which, sure)
        signs = self._read(view, place, heights, spots)
        ends = show_ends(signs, heights[spots]) * np.isin(spots, sure)[:, None, None]
        known = summarise(lamp.ends + ends.sum(axis=0) - ends)
        asked = np.searchsorted(spots, which)
        return compare(self._comparison, signs[asked], known[asked])

    def _carry(self, lamp: Points, view: View, one: Pose, other: Pose) -> Points:
        """Return where *lamp* of one pose's frame is in another's: boards tilt, lamps do not."""
        if one is other:
            return lamp
        return transform_point(lamp, one, other, self._grid.hfov_deg, view.picture.shape)

    def _place(self, azimuth_deg: float, elevation_deg: float, far_mm: float) -> Points:
        middle = np.array([*self._grid.middles.mean(axis=0), self._floor_z])
        return middle + far_mm * point_to(azimuth_deg, elevation_deg)

    def _read(self, view: View, lamp: Points, heights: Heights, which: Heights) -> Signs:
        """Return the signs of the shadows that a lamp in the board's frame would throw."""
        shades = lay_shades(self._grid, view.pose, self._floor_z, lamp, heights, which)
        (told,) = load_network(self._weights).run(
            patches=space_to_depth(shades.cut(view.picture)),
            masks=shades.masks,
            marks=shades.marks[..., None],
        )
        return read_signs(told.reshape(*told.shape[:2], -1), shades.marks)


def _agree(told: Odds, true: Heights) -> float:
    """Return how likely, as a logarithm, the *true* heights are by what is told (n, TALLEST)."""
    right = np.log(told[np.arange(len(true)), true - 1] + FLOOR)
    # However many columns are equally high, they count as one.
    return float(np.mean([right[true == height].mean() for height in np.unique(true)]))


def _search(weigh: Callable[[Way], float]) -> list[Way]:
    """Return the likeliest ways to a lamp, each the best of its surroundings."""
    coarse = [
        (float(azimuth), float(elevation), far)
        for far in DISTANCES_MM
        for azimuth in AZIMUTHS_DEG
        for elevation in ELEVATIONS_DEG
    ]
    found: list[Way] = []
    for way in sorted(coarse, key=weigh, reverse=True):
        if all(point_to(*way[:2]) @ point_to(*other[:2]) < APART for other in found):
            found.append(way)
        if len(found) == STARTS:
            break
    return [near for way in found for near in _approach(weigh, *way[:2], FINER_DEG)]


def _approach(
    weigh: Callable[[Way], float],
    azimuth_deg: float,
    elevation_deg: float,
    steps_deg: tuple[float, ...],
) -> list[Way]:
    """Return the likeliest way near one, for a lamp in each distance."""
    return [_climb(weigh, (azimuth_deg, elevation_deg, far), steps_deg) for far in DISTANCES_MM]


def _climb(weigh: Callable[[Way], float], best: Way, steps_deg: tuple[float, ...]) -> Way:
    """Return the likeliest way near one, ever more finely."""
    for step in steps_deg:
        azimuth, elevation, far = best
        near = [
            (azimuth + aside * step, min(elevation + up * step, STEEPEST_DEG), far)
            for aside in (-1, 0, 1)
            for up in (-1, 0, 1)
        ]
        best = max(near, key=weigh)
    return best
