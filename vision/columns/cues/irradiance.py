"""Estimate columns' heights from the irradiance of the board around them (ambient occlusion).

Each point of a board receives light from all directions: from light sources, and less of it from
ceiling and walls. A column occludes some of these directions, so even where no shadow has an edge a
tall column dims more of the board than a low one. How much light comes from each direction is
fitted by non-negative least squares to the board's brightness in the picture of known columns. In
other pictures the irradiance is predicted for each height that a column may have, and compared with
the brightness.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vision.columns.cue_fusion import Posterior
from vision.columns.cues.board_illumination import (
    MIN_BOARD_POINTS,
    SAMPLE_STEP_MM,
    SRGB_GAMMA,
    BoardBrightness,
    build_illumination_basis,
    build_print_basis,
    build_sampling_grid,
    measure_brightness,
)
from vision.columns.cues.light_sources import to_unit_vector
from vision.columns.cues.robust_statistics import STUDENT_T_DOF, huber_divisors, robust_sigma
from vision.columns.grid import TALLEST, Grid
from vision.columns.patches import View
from vision.geometry.pose import Points, rotation_between, transform_point

MaxLitHeights: TypeAlias = NDArray[np.uint8]
"""(directions, rows, columns): the greatest height at which a column leaves each point around its
cell lit from each direction."""

AMBIENT_DIRECTIONS: Final = np.array(
    [
        to_unit_vector(azimuth_deg, elevation_deg)
        for elevation_deg in (12.0, 25.0, 40.0, 55.0, 72.0)
        for azimuth_deg in range(0, 360, 30)
    ]
)
"""Unit vectors (60, 3) to parts of the surroundings, about evenly spread over the hemisphere."""
SOURCE_OFFSETS_DEG: Final = (-6.0, -3.0, 0.0, 3.0, 6.0)
"""Directions around each light source: sources have a size, and are located to some degrees."""
SOURCE_ELEVATION_RANGE_DEG: Final = (5.0, 88.0)
"""Limits of these directions: light comes from above."""
MAX_OCCLUSION_DISTANCE_MM: Final = 92.0
"""Farther points are taken to be lit whatever the column's height: two and a half cells away."""

ROBUST_ITERATIONS: Final = 5
"""Iterations of iteratively reweighted least squares."""
RADIANCE_RIDGE: Final = 0.1
"""Ridge penalty in units of a direction's mean square: spreads light over similar directions."""
MIN_RADIANCE_SHARE: Final = 0.01
"""Directions with less than this share of the strongest's radiance are dropped, to save time."""
TEXTURE_PRIOR_SIGMA: Final = 0.2
"""Standard deviation of the log brightness of a board's rows and columns, as of wood grain."""
MIN_RESIDUAL_SIGMA: Final = 1e-3
"""Lower limit of the log brightness's standard deviation, for pictures without any noise."""
EPSILON: Final = 1e-6

# Tuned on rendered tables (docs/experiments/heights-of-columns.md).
MODEL_SIGMA: Final = 0.12
"""Standard deviation of the predicted log irradiance."""
INDEPENDENT_SHARE: Final = 0.08
"""Weight of each of several points: errors of neighbours are correlated."""
MIN_LOG_CHANGE: Final = 0.01
"""Points whose log irradiance depends less than this on the column's height are ignored."""
MIN_HEIGHT_PRIOR: Final = 1e-3
"""Heights with a lower prior get a likelihood of 0, to save time."""


@dataclass(frozen=True, slots=True, eq=False)
class IlluminationModel:
    """The light over a table, and the board's own brightness.

    directions: (n, 3) unit vectors to the light in the table's frame.  radiances: (n,) from each.
    print_log, texture_log: (points,) log brightness under even light: of the print that cells have
    in common, and of all else.
    """

    directions: Points
    radiances: NDArray[np.float32]
    print_log: NDArray[np.float64]
    texture_log: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class IrradianceResiduals:
    """How a picture differs from its prediction, all columns being as high as assumed.

    heights: (25,) as assumed.  max_lit_heights: see MaxLitHeights.  The others on the sampling grid
    with its margin.  occluders: (directions, rows, columns) how many columns occlude a direction.
    irradiance: (rows, columns) as predicted.  residual: measured minus predicted log brightness,
    NaN where the board is not visible.  sigma: its standard deviation.
    """

    heights: NDArray[np.intp]
    max_lit_heights: MaxLitHeights
    occluders: NDArray[np.uint8]
    irradiance: NDArray[np.float32]
    residual: NDArray[np.float32]
    sigma: NDArray[np.float32]


class Irradiance:
    """Estimates the heights of the columns on one grid from irradiance, after `learn`."""

    def __init__(self, grid: Grid, floor_z: float) -> None:
        """*floor_z*: how many mm above the plane of its poses the columns stand."""
        self._grid, self._floor_z = grid, floor_z
        self._sampling = build_sampling_grid(grid)
        self._margin = int(MAX_OCCLUSION_DISTANCE_MM / SAMPLE_STEP_MM)
        side = 2 * self._margin + 1
        self._windows = [
            (slice(row, row + side), slice(column, column + side))
            for row, column in self._sampling.nearest(grid.cell_centres).tolist()
        ]
        """The surroundings of each cell on the sampling grid with its margin."""
        points = self._sampling.points.reshape(-1, 2)
        self._illumination_basis = build_illumination_basis(grid, points)
        self._print_basis = build_print_basis(grid, points)
        self._model: IlluminationModel | None = None

    def learn(self, view: View, heights: NDArray[np.intp], light_sources: Sequence[Points]) -> None:
        """Fit the illumination to *view*, on which columns *heights* (25,) high stand.

        light_sources: their positions (3,) in mm in the table's frame.  If too little of the board
        is visible, nothing is estimated from now on.
        """
        self._model = None
        board = self._measure_brightness(view, heights)
        if len(board.points) < MIN_BOARD_POINTS:
            return
        shape, hfov_deg = view.picture.shape, self._grid.hfov_deg
        middle = np.array([*self._grid.cell_centres.mean(axis=0), self._floor_z])
        groups = [AMBIENT_DIRECTIONS]
        for source in light_sources:
            position = transform_point(source, view.table, view.pose, hfov_deg, shape)
            groups.append(_list_directions_around(position - middle))
        directions = np.concatenate(groups)
        occluders = self._count_occluders(self._find_max_lit_heights(directions), heights)
        lit = self._remove_margin(occluders == 0)[:, board.indices].astype(np.float64)
        rows, columns = self._sampling.shape
        row, column = np.divmod(board.indices, columns)
        lines = np.column_stack([np.eye(rows)[row], np.eye(columns)[column]])
        bases = [self._illumination_basis, self._print_basis]
        basis = np.hstack([each[board.indices] for each in bases])
        radiances, coefficients, residual = fit_radiances(board, lit, basis, lines)
        sizes = [each.shape[1] for each in bases]
        _, print_profile, row_logs, column_logs = np.split(coefficients, np.cumsum([*sizes, rows]))
        texture_log = (row_logs[:, None] + column_logs).ravel()
        texture_log[board.indices] += residual
        used = radiances > MIN_RADIANCE_SHARE * radiances.max()
        self._model = IlluminationModel(
            directions[used] @ self._rotation_from_table(view),
            radiances[used].astype(np.float32),
            self._print_basis @ print_profile,
            texture_log,
        )

    def estimate(
        self, view: View, posterior: Posterior, which: NDArray[np.intp]
    ) -> NDArray[np.float64]:
        """Return the likelihood of each height (n, TALLEST) of the columns *which* (n,).

        posterior: of all cells so far; their likeliest columns occlude light, too.
        """
        heights = posterior[:, :-1].argmax(axis=1)
        board = self._measure_brightness(view, heights)
        likelihoods = np.ones((len(which), TALLEST))
        if self._model is not None and len(board.points) >= MIN_BOARD_POINTS:
            residuals = self._compare(view, self._model, board, heights)
            radiances = self._model.radiances
            possible = posterior[which, 1:-1] > MIN_HEIGHT_PRIOR
            for index, cell in enumerate(which.tolist()):
                candidates = np.flatnonzero(possible[index]) + 1
                likelihoods[index] = 0.0
                scores = self._score_heights(radiances, residuals, cell, candidates)
                likelihoods[index, candidates - 1] = scores
        return np.asarray(likelihoods / likelihoods.sum(axis=1, keepdims=True))

    def _measure_brightness(self, view: View, heights: NDArray[np.intp]) -> BoardBrightness:
        return measure_brightness(self._grid, self._sampling, view, self._floor_z, heights)

    def _rotation_from_table(self, view: View) -> Points:
        """Return the matrix (3, 3) from directions in the table's frame to the board's."""
        if view.table is view.pose:
            return np.eye(3)
        return rotation_between(view.table, view.pose, self._grid.hfov_deg, view.picture.shape)

    def _find_max_lit_heights(self, directions: Points) -> MaxLitHeights:
        """Return up to which height a column leaves points around it lit from *directions*."""
        figure, steps = self._grid.figure, np.arange(-self._margin, self._margin + 1)
        offsets_mm = (steps * SAMPLE_STEP_MM).astype(np.float32)
        flat = np.maximum(np.hypot(directions[:, 0], directions[:, 1]), EPSILON)
        # Shadows point away from the light.
        shadow = (-directions[:, :2] / flat[:, None]).astype(np.float32)[..., None, None]
        # Directions that a tilted board sees at or below its horizon are taken to be just above.
        rise = np.maximum(directions[:, 2], 0.05)
        length_per_mm = (flat / rise).astype(np.float32)[:, None, None]
        along = shadow[:, 0] * offsets_mm + shadow[:, 1] * offsets_mm[:, None]
        across = shadow[:, 1] * offsets_mm - shadow[:, 0] * offsets_mm[:, None]
        # Beyond its centre a top occludes as far as its circle reaches at that distance across.
        half = np.sqrt(np.maximum(np.float32(figure.radius**2) - across * across, 0.0))
        top_mm = (along - half) / np.maximum(length_per_mm, EPSILON)
        levels = (top_mm - figure.top_mm) / figure.pitch
        max_lit = np.clip(np.floor(levels) + 1.0, 0.0, TALLEST)
        max_lit[(half <= 0.0) | (along <= -half)] = TALLEST
        return np.asarray(max_lit, np.uint8)

    def _count_occluders(
        self, max_lit_heights: MaxLitHeights, heights: NDArray[np.intp]
    ) -> NDArray[np.uint8]:
        """Return how many columns *heights* (25,) high occlude each direction at each point."""
        rows, columns = (side + 2 * self._margin for side in self._sampling.shape)
        occluders = np.zeros((len(max_lit_heights), rows, columns), np.uint8)
        for cell in np.flatnonzero(heights).tolist():
            occluders[:, *self._windows[cell]] += max_lit_heights < heights[cell]
        return occluders

    def _remove_margin(self, values: NDArray[np.generic]) -> NDArray[Any]:
        """Return *values* (n, rows, columns) of the sampling grid's points alone (n, points)."""
        inner = slice(self._margin, -self._margin)
        return values[:, inner, inner].reshape(len(values), -1)

    def _add_margin(self, indices: NDArray[np.intp], values: Points) -> NDArray[np.float32]:
        """Return *values* (n,) of some points on the sampling grid with its margin, else NaN."""
        points = np.full(self._sampling.shape, np.nan, np.float32)
        points.flat[indices] = values
        return np.pad(points, self._margin, constant_values=np.nan)

    def _compare(
        self,
        view: View,
        model: IlluminationModel,
        board: BoardBrightness,
        heights: NDArray[np.intp],
    ) -> IrradianceResiduals:
        """Return how *view* differs from its prediction with columns *heights* (25,) high."""
        max_lit = self._find_max_lit_heights(model.directions @ self._rotation_from_table(view).T)
        occluders = self._count_occluders(max_lit, heights)
        irradiance = np.tensordot(model.radiances, (occluders == 0).astype(np.float32), 1)
        irradiance = np.maximum(irradiance, EPSILON)
        indices = board.indices
        unexplained = (
            board.log_brightness
            - model.print_log[indices]
            - np.log(self._remove_margin(irradiance[None])[0, indices])
        )
        basis = np.column_stack([self._illumination_basis[indices], model.texture_log[indices]])
        residual, fit_sigma = fit_robustly(unexplained, basis)
        sigma = np.sqrt(MODEL_SIGMA**2 + fit_sigma**2 + _noise_variance(board.log_brightness))
        return IrradianceResiduals(
            heights,
            max_lit,
            occluders,
            irradiance,
            self._add_margin(indices, residual),
            self._add_margin(indices, sigma),
        )

    def _score_heights(
        self,
        radiances: NDArray[np.float32],
        residuals: IrradianceResiduals,
        cell: int,
        candidates: NDArray[np.intp],
    ) -> Points:
        """Return the likelihood (n,) of each of the *candidates* (n,) for the height in *cell*."""
        window = self._windows[cell]
        visible = np.isfinite(residuals.residual[window])
        max_lit = residuals.max_lit_heights[:, visible]
        is_own = max_lit < int(residuals.heights[cell])
        others = residuals.occluders[:, *window][:, visible] - is_own
        lit = [((max_lit >= each) & (others == 0)).astype(np.float32) for each in candidates]
        irradiances = np.maximum([radiances @ each for each in lit], EPSILON)
        changes = np.log(irradiances / residuals.irradiance[window][visible])
        informative = np.ptp(changes, axis=0) > MIN_LOG_CHANGE
        residual, sigma = residuals.residual[window][visible], residuals.sigma[window][visible]
        errors = ((residual - changes) / sigma)[:, informative]
        exponent = INDEPENDENT_SHARE * (STUDENT_T_DOF + 1.0) / 2.0
        logs = -exponent * np.log1p(errors**2 / STUDENT_T_DOF).sum(axis=1)
        return np.asarray(np.exp(logs - logs.max()), np.float64)


def fit_radiances(
    board: BoardBrightness,
    lit: NDArray[np.float64],
    basis: NDArray[np.float64],
    lines: NDArray[np.float64],
) -> tuple[Points, Points, Points]:
    """Return radiances (directions,), coefficients (k + m,), and residuals (n,) less their noise.

    The brightness is modelled as the sum of the radiances that reach a point, times the board's own
    brightness, whose logarithm is linear in *basis* (n, k) and in *lines* (n, m), the sampling
    grid's rows and columns, with a prior near 0.  lit: (directions, n) whether light from each
    direction reaches each point.  The two factors are fitted in turn.
    """
    logs, basis_and_lines = board.log_brightness, np.hstack([basis, lines])
    noise = _noise_variance(logs)
    weights, sigma, own_log = np.ones(len(logs)), TEXTURE_PRIOR_SIGMA, np.zeros(len(logs))
    for _ in range(ROBUST_ITERATIONS):
        roots = np.sqrt(weights)
        # Irradiance times the board's own brightness, over the measured brightness, should be 1.
        design = lit * (np.exp(own_log - logs) * roots)
        gram = design @ design.T
        gram += RADIANCE_RIDGE * np.trace(gram) / len(gram) * np.eye(len(gram))
        radiances = solve_nonnegative_least_squares(gram, design @ roots)
        target = logs - np.log(np.maximum(radiances @ lit, EPSILON))
        weighted = basis_and_lines * roots[:, None]
        ridge = np.repeat(
            [EPSILON, (sigma / TEXTURE_PRIOR_SIGMA) ** 2], [basis.shape[1], lines.shape[1]]
        )
        coefficients = np.linalg.solve(
            weighted.T @ weighted + np.diag(ridge), weighted.T @ (roots * target)
        )
        own_log = basis_and_lines @ coefficients
        residual = target - own_log
        sigma = robust_sigma(residual, MIN_RESIDUAL_SIGMA)
        variance = sigma**2 + noise
        weights = sigma**2 / variance / huber_divisors(residual, np.sqrt(variance))
    return radiances, np.asarray(coefficients, np.float64), residual * sigma**2 / variance


def fit_robustly(values: Points, basis: NDArray[np.float64]) -> tuple[Points, float]:
    """Return the residuals (n,) of *values* (n,) fitted by *basis* (n, k), and their sigma."""
    weights = np.ones(len(values))
    for _ in range(ROBUST_ITERATIONS):
        weighted = basis * weights[:, None]
        gram = weighted.T @ basis + EPSILON * np.eye(basis.shape[1])
        residual = values - basis @ np.linalg.solve(gram, weighted.T @ values)
        sigma = robust_sigma(residual, MIN_RESIDUAL_SIGMA)
        weights = 1.0 / huber_divisors(residual, sigma)
    return residual, sigma


def solve_nonnegative_least_squares(gram: Points, right: Points) -> Points:
    """Return the least squares solution x >= 0 of gram x = right.

    By an accelerated projected gradient (Nesterov, 1983; with restarts as by O'Donoghue and Candes,
    2015).

    >>> solve_nonnegative_least_squares(np.eye(2), np.array([3.0, -1.0])).round(6).tolist()
    [3.0, 0.0]
    """
    step = 1.0 / max(float(np.linalg.eigvalsh(gram)[-1]), EPSILON)
    solution, extrapolated, momentum = np.zeros(len(right)), np.zeros(len(right)), 1.0
    for _ in range(400):
        improved = np.maximum(extrapolated - step * (gram @ extrapolated - right), 0.0)
        if (extrapolated - improved) @ (improved - solution) > 0.0:
            momentum = 1.0
        next_momentum = (1.0 + np.sqrt(1.0 + 4.0 * momentum**2)) / 2.0
        extrapolated = improved + (momentum - 1.0) / next_momentum * (improved - solution)
        solution, momentum = improved, next_momentum
    return solution


def _noise_variance(log_brightness: Points) -> Points:
    """Return the variance of *log_brightness* (n,) by camera noise of one level of 255."""
    return np.asarray((SRGB_GAMMA / 255.0) ** 2 * np.exp(-2.0 * log_brightness / SRGB_GAMMA))


def _list_directions_around(vector: Points) -> Points:
    """Return unit vectors (25, 3) within SOURCE_OFFSETS_DEG of *vector* (3,) to a light source."""
    azimuth = float(np.degrees(np.arctan2(vector[1], vector[0])))
    elevation = float(np.degrees(np.arcsin(vector[2] / np.linalg.norm(vector))))
    # A degree of azimuth is a smaller angle the higher the source; limited near the zenith.
    azimuth_scale = 1.0 / max(float(np.cos(np.radians(elevation))), 0.3)
    lowest, highest = SOURCE_ELEVATION_RANGE_DEG
    return np.array(
        [
            to_unit_vector(
                azimuth + across * azimuth_scale, min(max(elevation + up, lowest), highest)
            )
            for across in SOURCE_OFFSETS_DEG
            for up in SOURCE_OFFSETS_DEG
        ]
    )
