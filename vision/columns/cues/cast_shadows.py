"""Learn where a table's light sources are, and estimate heights of figures from cast shadows.

The light sources over a table do not move during a game. They are searched for once, in the picture
of known columns: by where these leave the board dark (`light_sources.py`), then more exactly by how
well shadows agree with heights. One network reads the patches along shadows (`shadow_patches.py`),
another compares its features with those of known columns' shadows (`shadow_comparison.py`). Both
were trained on rendered tables.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vision.columns.cues.light_sources import (
    MAX_ELEVATION_DEG,
    Heights,
    find_light_sources,
    to_unit_vector,
)
from vision.columns.cues.shadow_comparison import (
    Ends,
    Features,
    compare,
    compare_leave_one_out,
    gather_ends,
    pool_features,
    summarise,
)
from vision.columns.cues.shadow_patches import build_shadow_patches
from vision.columns.grid import TALLEST, Grid
from vision.columns.patches import View
from vision.geometry.pose import Points
from vision.inference import load_network, softmax, space_to_depth

Likelihoods: TypeAlias = NDArray[np.float64]
"""(n, TALLEST): of each height of n columns."""
Position: TypeAlias = tuple[float, float, float]
"""Azimuth and elevation in degrees, distance in mm, from the middle of a board."""

SOURCE_DISTANCE_MM: Final = 1400.0
"""Distance of a lamp over a table; the networks were trained with such lamps."""
DISTANCES_MM: Final = (SOURCE_DISTANCE_MM, 1e5)
"""The second is in effect the sun's."""
REFINEMENT_STEPS_DEG: Final = (8.0, 4.0, 2.0)
"""The first is for the full search alone."""
MAX_SEARCH_STARTS: Final = 3
"""So many of the best directions of the full search are refined..."""
MIN_ANGLE_BETWEEN_STARTS_DEG: Final = 15.0
"""...if they differ by this angle."""
OUTLIER_LIKELIHOOD: Final = 0.01
"""Added to likelihoods, so that one column does not outweigh all others."""
MIN_LOG_LIKELIHOOD_GAIN: Final = 1.0
"""Mean log-likelihood of true heights over chance, from which a source is accepted.

Without any shadow the best of many directions reaches 0.85.
"""
MIN_LOG_LIKELIHOOD_GAIN_IF_DARK: Final = 0.9
"""The same where the board's dark places say that there is a source."""
SOURCE_COUNT_EXPONENT: Final = -0.25
"""The likelihoods of n sources count to the power of n to this: their errors are correlated."""


@dataclass(frozen=True, slots=True, eq=False)
class LightSource:
    """A light source that was found.

    position: x, y, z (3,) in mm in the frame of the views' poses.  ends: (FEATURES + 1, PLACES) the
    features around the ends of known columns' shadows, summed up; see `shadow_comparison.Ends`.
    """

    position: Points
    ends: Ends


class CastShadows:
    """Estimates the heights of the columns on one grid from their shadows, after `learn`."""

    def __init__(self, grid: Grid, floor_z: float, weights: Path, comparison: Path) -> None:
        """*floor_z*: how many mm above the plane of its poses the columns stand.

        weights, comparison: of the networks that read and compare shadows.
        """
        self._grid, self._floor_z = grid, floor_z
        self._weights, self._comparison = weights, comparison
        self._light_sources: tuple[LightSource, ...] = ()

    @property
    def light_sources(self) -> tuple[LightSource, ...]:
        """The light sources that were found, that of the clearest shadows first."""
        return self._light_sources

    def learn(self, view: View, heights: Heights) -> None:
        """Find the light sources by the shadows of columns that are *heights* (25,) high.

        Directions that explain dark places of the board are refined by how well shadows agree with
        the heights. If none agrees clearly better than chance, all directions are searched; if none
        does then, there is no light source.
        """
        which = np.flatnonzero(heights)
        true = heights[which]

        @cache
        def read(at: Position) -> Features:
            return self._read(view, self._locate(*at), heights, which)

        def score(at: Position) -> float:
            return _log_likelihood(softmax(read(at)[:, 0].astype(np.float64)), true)

        def score_compared(at: Position) -> float:
            compared = compare_leave_one_out(self._comparison, read(at), true)
            return score(at) + _log_likelihood(compared, true)

        def accept_best(positions: list[Position], min_gain: float) -> list[Position]:
            best = max(positions, key=score_compared)
            return [best] if score(best) > min_gain - math.log(TALLEST) else []

        found = []
        for each in find_light_sources(self._grid, view, self._floor_z, heights):
            start = each.azimuth_deg, each.elevation_deg
            near = _refine(score_compared, *start, REFINEMENT_STEPS_DEG[1:])
            found += accept_best(near, MIN_LOG_LIKELIHOOD_GAIN_IF_DARK)
        found = found or accept_best(_search(score), MIN_LOG_LIKELIHOOD_GAIN)
        self._light_sources = tuple(
            LightSource(self._locate(*at), gather_ends(read(at), true).sum(axis=0))
            for at in sorted(found, key=score_compared, reverse=True)
        )

    def estimate(
        self, view: View, heights: Heights, which: Heights, certain: Heights
    ) -> Likelihoods:
        """Return the likelihood of each height (n, TALLEST) of the columns *which* (n,).

        heights: (25,) of all columns as far as known: their shadows may fall on these.  certain:
        (m,) columns whose heights are beyond doubt: shadows are compared with theirs, too.
        """
        likelihoods = np.ones((len(which), TALLEST))
        cells = np.union1d(which, certain)
        is_certain, asked = np.isin(cells, certain), np.searchsorted(cells, which)
        for source in self._light_sources:
            features = self._read(view, source.position, heights, cells)
            ends = gather_ends(features, heights[cells]) * is_certain[:, None, None]
            known = summarise(source.ends + ends.sum(axis=0) - ends)
            likely = compare(self._comparison, features[asked], known[asked])
            likelihoods *= likely ** len(self._light_sources) ** SOURCE_COUNT_EXPONENT
        return np.asarray(likelihoods / likelihoods.sum(axis=1, keepdims=True))

    def _locate(self, azimuth_deg: float, elevation_deg: float, distance_mm: float) -> Points:
        """Return (3,) in mm in the board's frame."""
        middle = np.array([*self._grid.cell_centres.mean(axis=0), self._floor_z])
        return middle + distance_mm * to_unit_vector(azimuth_deg, elevation_deg)

    def _read(self, view: View, position: Points, heights: Heights, which: Heights) -> Features:
        """Return the features of the shadows that a source in the board's frame would cast."""
        patches = build_shadow_patches(
            self._grid, view.pose, self._floor_z, position, heights, which
        )
        (outputs,) = load_network(self._weights).run(
            patches=space_to_depth(patches.crop(view.picture)),
            masks=patches.masks,
            marks=patches.marks[..., None],
        )
        return pool_features(outputs.reshape(*outputs.shape[:2], -1), patches.marks)


def _log_likelihood(likelihoods: Likelihoods, true: Heights) -> float:
    """Return the mean log-likelihood of the *true* heights (n,), each height counting as one."""
    logs = np.log(likelihoods[np.arange(len(true)), true - 1] + OUTLIER_LIKELIHOOD)
    return float(np.mean([logs[true == height].mean() for height in np.unique(true)]))


def _search(score: Callable[[Position], float]) -> list[Position]:
    """Return the refined positions of the best directions, no two of them nearly the same."""
    coarse = [
        (float(azimuth), float(elevation), distance_mm)
        for distance_mm in DISTANCES_MM
        for azimuth in range(0, 360, 20)
        for elevation in (30, 42, 54, 68)
    ]
    max_cosine = math.cos(math.radians(MIN_ANGLE_BETWEEN_STARTS_DEG))
    starts: list[Position] = []
    for at in sorted(coarse, key=score, reverse=True):
        vector = to_unit_vector(*at[:2])
        if all(vector @ to_unit_vector(*other[:2]) < max_cosine for other in starts):
            starts.append(at)
        if len(starts) == MAX_SEARCH_STARTS:
            break
    return [near for at in starts for near in _refine(score, *at[:2], REFINEMENT_STEPS_DEG)]


def _refine(
    score: Callable[[Position], float],
    azimuth_deg: float,
    elevation_deg: float,
    steps_deg: tuple[float, ...],
) -> list[Position]:
    """Return the best position near a direction, at each distance, in ever smaller steps."""
    refined = []
    for distance_mm in DISTANCES_MM:
        best = (azimuth_deg, elevation_deg, distance_mm)
        for step_deg in steps_deg:
            azimuth, elevation, _ = best
            near = [
                (
                    azimuth + across * step_deg,
                    min(elevation + up * step_deg, MAX_ELEVATION_DEG),
                    distance_mm,
                )
                for across in (-1, 0, 1)
                for up in (-1, 0, 1)
            ]
            best = max(near, key=score)
        refined.append(best)
    return refined
