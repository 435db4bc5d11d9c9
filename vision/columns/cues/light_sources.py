"""Find the light sources over a board by where its columns leave it dark.

Where a column occludes a light source, the board lacks its light. The board beside known columns is
rectified, and for 396 directions and three sizes of source it is computed which points lie in
shadow. The source whose shadows reduce the residual of the board's brightness most is taken and
refined, then the next (orthogonal matching pursuit: Pati, Rezaiifar and Krishnaprasad, 1993).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vision.columns.cues.board_illumination import (
    MIN_BOARD_POINTS,
    BoardBrightness,
    build_illumination_basis,
    build_print_basis,
    find_occluded,
    measure_brightness,
)
from vision.columns.grid import Grid
from vision.columns.patches import View
from vision.geometry.pose import Points

Heights: TypeAlias = NDArray[np.intp]
ShadowShares: TypeAlias = NDArray[np.float64]
"""(..., points): which share of a light source the columns occlude from each point."""

AZIMUTHS_DEG: Final = range(0, 360, 10)
ELEVATIONS_DEG: Final = (22, 27, 32, 37, 42, 48, 54, 60, 66, 72, 78)
"""The directions that are searched; shadows change less with elevation the higher a source is."""
MIN_ELEVATION_DEG, MAX_ELEVATION_DEG = 18.0, 85.0
"""Limits of refinement: shadows are about as long as the board, or shorter than a piece is wide."""
SOURCE_DISTANCE_MM: Final = 2500.0
"""Distance assumed of all sources: it hardly changes shadows of a few centimetres."""
SOURCE_SIZES: Final = (0, 1, 2)
"""Half the extent of a source, in steps of the searched azimuths and of the next constant."""
SIZE_ELEVATION_STEP_DEG: Final = 6.0
"""About the step of the searched elevations."""
REFINEMENT_STEPS_DEG: Final = (5.0, 2.5)
MAX_MOVES_PER_STEP: Final = 8
"""A source is moved by each step for as long as the residual falls, so often at most."""
MAX_LIGHT_SOURCES, MAX_PURSUIT_STEPS = 3, 5
"""A pursuit step that finds a known source again adds its shadow only."""
MIN_RESIDUAL_REDUCTION: Final = 84.0
"""In variances of the residual; wood grain and creases reach 73, the faintest lamps of rendered
tables 107."""
MIN_TRIED_REDUCTION: Final = 56.0
"""From here on one is tried: it counts if it reduces the residual by more once all are refined, as
where the first was put between two lamps."""
MIN_SHADOW_POINTS: Final = 1.7
"""Smaller shadows are within the noise."""
MIN_ANGLE_BETWEEN_SOURCES_DEG: Final = 25.0
"""Sources closer together are one."""
HUBER_THRESHOLD_SIGMAS: Final = 2.5
"""Larger residuals count less than their square (Huber, 1964)."""
MIN_SIGMA: Final = 1e-9
SHADOWS_AT_ONCE: Final = 128
"""So many take 8 MB with 7576 points each; all 1188 take as much as the whole daemon."""


@dataclass(frozen=True, slots=True)
class LightDirection:
    """The direction of a light source from the board's middle; *size*: see SOURCE_SIZES."""

    azimuth_deg: float
    elevation_deg: float
    size: int = 0

    @property
    def vector(self) -> Points:
        """The unit vector (3,) to the source; z is up."""
        return to_unit_vector(self.azimuth_deg, self.elevation_deg)

    def list_points(self) -> list["LightDirection"]:
        """Return the point sources of which an extended one consists."""
        steps = range(-self.size, self.size + 1)
        # As round as a grid can be: a cross, or a square.
        return [
            LightDirection(
                self.azimuth_deg + AZIMUTHS_DEG.step * across,
                _limit(self.elevation_deg + SIZE_ELEVATION_STEP_DEG * up),
            )
            for across in steps
            for up in steps
            if self.size != 1 or not (across and up)
        ]

    def list_neighbours(self, step_deg: float) -> list["LightDirection"]:
        """Return the direction itself, those of its size around it, and those of other sizes."""
        around = [
            replace(
                self,
                azimuth_deg=self.azimuth_deg + across * step_deg,
                elevation_deg=_limit(self.elevation_deg + up * step_deg),
            )
            for across in (0, -1, 1)
            for up in (0, -1, 1)
        ]
        return around + [replace(self, size=size) for size in SOURCE_SIZES if size != self.size]

    def is_apart(self, others: Sequence["LightDirection"]) -> bool:
        """Return whether it differs from all *others* by MIN_ANGLE_BETWEEN_SOURCES_DEG."""
        max_cosine = math.cos(math.radians(MIN_ANGLE_BETWEEN_SOURCES_DEG))
        return all(self.vector @ other.vector < max_cosine for other in others)


def to_unit_vector(azimuth_deg: float, elevation_deg: float) -> Points:
    """Return the unit vector (3,) with this azimuth, from x towards y, and elevation."""
    azimuth, elevation = math.radians(azimuth_deg), math.radians(elevation_deg)
    flat = math.cos(elevation)
    return np.array([flat * math.cos(azimuth), flat * math.sin(azimuth), math.sin(elevation)])


def find_light_sources(
    grid: Grid, view: View, floor_z: float, heights: Heights
) -> list[LightDirection]:
    """Return the light sources in *view* by the shadows of columns *heights* (25,), best first.

    floor_z: how many mm above the plane of the view's pose the columns stand.
    """
    board = measure_brightness(grid, view, floor_z, heights)
    if len(board.points) < MIN_BOARD_POINTS or not heights.any():
        return []
    candidates = [
        LightDirection(azimuth, elevation, size)
        for size in SOURCE_SIZES
        for azimuth, elevation in _list_directions()
    ]
    candidate_shadows = _shade_by_all(grid, board, heights)
    # What varies over a board without shadows: smooth illumination, and what all cells print.
    unshaded = np.hstack(
        [build_illumination_basis(grid, board.points), build_print_basis(grid, board.points)]
    )
    found, shadows = list[LightDirection](), list[ShadowShares]()
    for _ in range(MAX_PURSUIT_STEPS):
        if len(found) == MAX_LIGHT_SOURCES:
            break
        fit = RobustFit(board.log_brightness, np.column_stack([unshaded, *shadows]))
        reductions = fit.measure_reductions(candidate_shadows)
        best = int(reductions.argmax())
        is_plain = reductions[best] >= MIN_RESIDUAL_REDUCTION
        is_apart = candidates[best].is_apart(found)
        if not is_plain and (reductions[best] < MIN_TRIED_REDUCTION or not is_apart):
            break
        if not is_apart:
            shadows.append(candidate_shadows[best])
            continue
        before = found.copy()
        found.append(candidates[best])
        shadows.insert(len(found) - 1, candidate_shadows[best])
        _refine(grid, board, heights, unshaded, found, shadows)
        if not is_plain:
            now = RobustFit(board.log_brightness, np.column_stack([unshaded, *shadows]))
            if fit.misfit - now.misfit < MIN_RESIDUAL_REDUCTION * now.sigma**2:
                return before
        if not found[-1].is_apart(found[:-1]):
            found.pop()
    return found


MIN_EIGENVALUE: Final = 1e-10
"""Relative to the largest: what the columns of a fit have less of, they have in common."""


class RobustFit:
    """Residual of *brightness* (n,) fitted by *explained* (n, k); outliers get Huber weights.

    sigma: its standard deviation, as outliers leave it.
    """

    def __init__(self, brightness: NDArray[np.float64], explained: NDArray[np.float64]) -> None:
        weights = np.ones(len(brightness))
        for _ in range(4):  # Huber weights, which have converged by then
            roots = np.sqrt(weights)
            weighted = explained * roots[:, None]
            # Of so tall a matrix the small product's eigenvectors are found sooner than an SVD.
            squares, ways = np.linalg.eigh(weighted.T @ weighted)
            kept = squares > MIN_EIGENVALUE * squares[-1]
            self._basis = weighted @ (ways[:, kept] / np.sqrt(squares[kept]))
            fitted = self._basis @ (self._basis.T @ (roots * brightness))
            self._residual = brightness - fitted / roots
            # The median absolute deviation of normal noise is 1 / 1.4826 standard deviations.
            self.sigma = max(1.4826 * float(np.median(np.abs(self._residual))), MIN_SIGMA)
            large = np.abs(self._residual) / (HUBER_THRESHOLD_SIGMAS * self.sigma)
            weights = 1.0 / np.maximum(1.0, large)
        self._roots = np.sqrt(weights)

    @property
    def misfit(self) -> float:
        """The sum of the weighted squares of the residual."""
        return float(((self._roots * self._residual) ** 2).sum())

    def measure_reductions(self, shadows: ShadowShares) -> NDArray[np.float64]:
        """Return by how much each of *shadows* (m, n) reduces the residual (m,).

        Squared, in variances of the residual; 0 for what would be brighter in the shadow.
        """
        products, sizes = np.empty(len(shadows)), np.empty(len(shadows))
        for start in range(0, len(shadows), SHADOWS_AT_ONCE):
            part = slice(start, start + SHADOWS_AT_ONCE)
            new = shadows[part] * self._roots
            new -= (new @ self._basis) @ self._basis.T
            products[part] = new @ (self._roots * self._residual)
            sizes[part] = (new**2).sum(axis=1)
        is_darker = (products < 0.0) & (sizes > MIN_SHADOW_POINTS)
        return np.where(is_darker, products**2 / np.maximum(sizes, 1e-9), 0.0) / self.sigma**2


def _refine(
    grid: Grid,
    board: BoardBrightness,
    heights: Heights,
    unshaded: NDArray[np.float64],
    found: list[LightDirection],
    shadows: list[ShadowShares],
) -> None:
    """Move each light source in *found*, and its shadow, for as long as the residual falls.

    The others stay where they are meanwhile.  unshaded: (n, k) what is fitted to the brightness
    without any source.  shadows: of the sources, and after theirs what else was taken for one.
    """
    for step_deg in REFINEMENT_STEPS_DEG:
        for at in range(len(found)):
            explained = np.column_stack([unshaded, *shadows[:at], *shadows[at + 1 :]])
            fit = RobustFit(board.log_brightness, explained)
            for _ in range(MAX_MOVES_PER_STEP):
                near = found[at].list_neighbours(step_deg)
                moved = np.stack([_shade(grid, board, heights, each) for each in near])
                best = int(fit.measure_reductions(moved).argmax())
                found[at], shadows[at] = near[best], moved[best]
                if best == 0:
                    break


def _list_directions() -> list[tuple[float, float]]:
    return [(float(azimuth), float(up)) for azimuth in AZIMUTHS_DEG for up in ELEVATIONS_DEG]


def _shade_by_all(grid: Grid, board: BoardBrightness, heights: Heights) -> ShadowShares:
    """Return the shadows of sources in all directions, one size after the other."""
    size = (len(AZIMUTHS_DEG), len(ELEVATIONS_DEG))
    # Point sources are seen or not, so bytes count them: the sums are up to 25.
    each = [
        _shade(grid, board, heights, LightDirection(*way)).astype(np.uint8)
        for way in _list_directions()
    ]
    sharp = np.stack(each).reshape(*size, -1)
    # Larger sources consist of their neighbours, as in `LightDirection.list_points`.
    high = np.clip(np.arange(size[1]) + np.arange(-2, 3)[:, None], 0, size[1] - 1)
    around = {across: np.roll(sharp, -across, axis=0) for across in range(-2, 3)}
    cross = sharp + around[-1] + around[1] + sharp[:, high[1]] + sharp[:, high[3]]
    square = np.zeros_like(sharp)
    for part in around.values():
        for rows in high:
            square += part[:, rows]
    every = np.empty((3, *sharp.shape))
    every[0] = sharp
    np.divide(cross, 5.0, out=every[1])
    np.divide(square, 25.0, out=every[2])
    return every.reshape(-1, sharp.shape[-1])


def _shade(
    grid: Grid, board: BoardBrightness, heights: Heights, source: LightDirection
) -> ShadowShares:
    """Return (points,): which share of *source* the columns occlude from each point."""
    middle = np.array([*grid.cell_centres.mean(axis=0), 0.0])
    parts = [middle + SOURCE_DISTANCE_MM * point.vector for point in source.list_points()]
    occluded = [find_occluded(grid, board.points, part, heights) for part in parts]
    return np.asarray(np.mean(occluded, axis=0), np.float64)


def _limit(elevation_deg: float) -> float:
    return min(max(elevation_deg, MIN_ELEVATION_DEG), MAX_ELEVATION_DEG)
