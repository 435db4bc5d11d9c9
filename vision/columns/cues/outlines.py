"""Estimate columns' heights from the apparent size of their tops: nearer ones look larger.

Seen from straight above, a column shows nothing but its top, and a level more makes that one or two
hundredths larger. A network localises where a top ends along rays from its centre, with a precision
for each ray, and a circle is fitted to these ends. How large the tops of each colour look is
learned from the picture of known columns.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.columns.cues.robust_statistics import Likelihoods, student_t_likelihoods
from vision.columns.grid import Column, Grid
from vision.columns.patches import Patches, View
from vision.geometry.pose import Points, Pose
from vision.inference import load_network, softmax, to_nchw

# The network was trained with all these values, and through the fit of the circle.
RAYS: Final = 48
SAMPLES_PER_RAY: Final = 64
INNER_RADII, OUTER_RADII = 0.45, 1.55
"""Where rays begin and end, in radii of a piece; limits of the circle's radius, too."""
COORDINATE_CHANNELS: Final = 3
"""Inputs besides the colours, see `build_inputs`."""
RAY_STRIDE: Final = 2
"""The network localises the end of every second ray; of the others in the mirror image."""
LEVEL_SHIFT_UNIT_MM: Final = 4.0
"""The network's input is the level shift in this unit, less 1."""
PRECISION_UNIT: Final = 100.0
"""Unit of the network's output for the precision of a ray's end: 1 / variance, in radii."""
PRECISION_RANGE: Final = (0.5, 4000.5)
GAUSS_NEWTON_ITERATIONS: Final = 4
MAX_STEP_RADII: Final = 0.4
"""Limit of one iteration's step of the circle's centre and radius."""
MIN_SQUARED_HALF_CHORD: Final = 0.01
"""Keeps the root finite for rays that miss the circle, in squared radii."""
RAY_ANGLES_RAD: Final = 2.0 * np.pi * (np.arange(RAYS) + 0.5) / RAYS
"""From the direction in which columns lean, away from the camera's nadir."""
RAY_DIRECTIONS: Final = np.column_stack([np.cos(RAY_ANGLES_RAD), np.sin(RAY_ANGLES_RAD)])
SAMPLE_RADII: Final = (
    INNER_RADII + (OUTER_RADII - INNER_RADII) * (np.arange(SAMPLES_PER_RAY) + 0.5) / SAMPLES_PER_RAY
)
"""Distance of each sample from the centre, in radii of a piece."""

# Errors of the size in levels, as usual on rendered tables (docs/experiments).
COMMON_SIGMA_LEVELS, COLOUR_SIGMA_LEVELS, PIECE_SIGMA_LEVELS = 0.7, 0.4, 0.3
"""Standard deviations of the error that all tops have in common, that those of one colour have in
common besides, and that each piece has of its own."""
SIZE_SIGMA_LEVELS: Final = 0.1
"""Standard deviation of a calibrated top's size, besides that of its circle's fit."""
FIT_SIGMA_SHARE: Final = 0.9
"""Share of the standard deviation that the fit of the circle states."""


@dataclass(frozen=True, slots=True, eq=False)
class Circles:
    """Circles fitted to the ends of rays, in radii of a piece.

    radii: (n,).  sigmas: (n,) the radii's standard deviations.  centres: (n, 2) along the direction
    in which columns lean, and across it.
    """

    radii: NDArray[np.float64]
    sigmas: NDArray[np.float64]
    centres: Points


@dataclass(frozen=True, slots=True, eq=False)
class TopOutline:
    """The outline of a *column*'s top, as measured on the plane of the assumed height.

    height_error: by how many levels the top looks higher than assumed.  sigma: its standard
    deviation by the fit.  centre_mm: (2,) of the circle on that plane.
    """

    column: Column
    height_error: float
    sigma: float
    centre_mm: Points


class Outlines:
    """Estimates the heights of the columns on one grid from the size of their tops."""

    def __init__(self, grid: Grid, floor_z: float, weights: Path) -> None:
        """*floor_z*: how many mm above the plane of its poses the columns stand.

        weights: of a network trained on the outlines of these pieces.
        """
        self._grid, self._floor_z, self._weights = grid, floor_z, weights
        self._colour_errors = np.zeros(len(grid.colours))

    def measure(self, view: View, columns: Sequence[Column]) -> list[TopOutline]:
        """Return the outlines of the tops of *columns* in *view*, at their assumed heights."""
        if not columns:
            return []
        figure, pose = self._grid.figure, view.pose
        tops_mm = np.array([self._floor_z + figure.rise_mm(each.height) for each in columns])
        centres = self._grid.cell_centres[[column.cell for column in columns]]
        patches = crop_polar_patches(view.picture, pose, centres, tops_mm, figure.radius)
        below_mm = pose.camera[2] - tops_mm
        level_shifts_mm = np.hypot(*(centres - pose.camera[:2]).T) * figure.pitch / below_mm
        circles = fit_circles(self._localise_ends(patches, level_shifts_mm))
        levels_to_camera = below_mm / figure.pitch
        out, across = _list_lean_directions(pose, centres)
        offsets = circles.centres[:, :1] * out + circles.centres[:, 1:] * across
        each = zip(
            columns,
            ((1.0 - 1.0 / circles.radii) * levels_to_camera).tolist(),
            (circles.sigmas * levels_to_camera).tolist(),
            centres + figure.radius * offsets,
            strict=True,
        )
        return [TopOutline(*one) for one in each]

    def _localise_ends(self, patches: Patches, level_shifts_mm: Points) -> NDArray[np.float64]:
        """Return the network's outputs for all rays: every other one in the mirror image."""
        both = np.concatenate([patches, patches[:, ::-1]])
        inputs = build_inputs(both, np.tile(level_shifts_mm, 2))
        (outputs,) = load_network(self._weights).run(strips=inputs)
        merged = np.empty((len(patches), 2, RAYS, SAMPLES_PER_RAY))
        merged[:, :, ::RAY_STRIDE], merged[:, :, ::-1][:, :, ::RAY_STRIDE] = np.split(outputs, 2)
        return merged

    def learn(self, outlines: Sequence[TopOutline]) -> None:
        """Learn by how much tops of each colour look too high from *outlines* of known columns."""
        errors, sigmas, colours = _to_arrays(outlines)
        # Ridge regression: an error of all tops, and each colour's own besides.
        design = np.column_stack([np.ones(len(colours)), np.eye(len(self._grid.colours))[colours]])
        priors = [COMMON_SIGMA_LEVELS**-2.0] + [COLOUR_SIGMA_LEVELS**-2.0] * len(self._grid.colours)
        weighted = (design * (1.0 / (PIECE_SIGMA_LEVELS**2 + sigmas**2))[:, None]).T
        coefficients = np.linalg.solve(weighted @ design + np.diag(priors), weighted @ errors)
        self._colour_errors = coefficients[0] + coefficients[1:]

    def estimate(self, outlines: Sequence[TopOutline]) -> Likelihoods:
        """Return the likelihood of each height of the columns with these *outlines*."""
        errors, sigmas, colours = _to_arrays(outlines)
        assumed = [outline.column.height for outline in outlines]
        heights = np.asarray(assumed + errors - self._colour_errors[colours])
        return student_t_likelihoods(heights, np.hypot(SIZE_SIGMA_LEVELS, FIT_SIGMA_SHARE * sigmas))


def _to_arrays(outlines: Sequence[TopOutline]) -> tuple[Points, Points, NDArray[np.intp]]:
    """Return height errors, sigmas and colours (n,) of *outlines*."""
    errors = np.array([outline.height_error for outline in outlines])
    sigmas = np.array([outline.sigma for outline in outlines])
    return errors, sigmas, np.array([outline.column.colour for outline in outlines], np.intp)


def _list_lean_directions(pose: Pose, centres: Points) -> tuple[Points, Points]:
    """Return unit vectors (n, 2) in which columns at *centres* (n, 2) lean, and across."""
    out = centres - pose.camera[:2]
    out = out / np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-6)
    return out, np.column_stack([-out[:, 1], out[:, 0]])


def crop_polar_patches(
    picture: Picture, pose: Pose, centres: Points, tops_mm: Points, radius: float
) -> Patches:
    """Return (n, RAYS, SAMPLES_PER_RAY, 3): *picture* in polar coordinates around tops.

    centres: (n, 2) and tops_mm: (n,) x, y and z of the tops in mm in the pose's frame.  radius: of
    a piece, in mm.
    """
    out, across = _list_lean_directions(pose, centres)
    rays = radius * (RAY_DIRECTIONS[:, :1] * out[:, None] + RAY_DIRECTIONS[:, 1:] * across[:, None])
    origins = np.column_stack([centres, tops_mm]) @ pose.projection[:, :3].T + pose.projection[:, 3]
    # Projection is linear before the division by depth, so a sum for each sample is enough.
    steps = (rays @ pose.projection[:, :2].T).transpose(2, 0, 1).astype(np.float32)
    begin = origins.T[:, :, None, None].astype(np.float32)
    x, y, depth = begin + steps[..., None] * SAMPLE_RADII.astype(np.float32)
    x, y = (part.reshape(-1, SAMPLES_PER_RAY) for part in (x / depth, y / depth))
    patches = cv2.remap(picture, x, y, cv2.INTER_LINEAR)
    return np.asarray(patches.reshape(-1, RAYS, SAMPLES_PER_RAY, 3), np.uint8)


def build_inputs(patches: Patches, level_shifts_mm: Points) -> NDArray[np.float32]:
    """Return the network's inputs (n, 3 + COORDINATE_CHANNELS, RAYS, SAMPLES_PER_RAY).

    Colours from -1 to 1, then each ray's cosine, the sample's radius from -1 to 1, and by how much
    a level shifts the top on the table.
    """
    inputs = np.empty((len(patches), 3 + COORDINATE_CHANNELS, RAYS, SAMPLES_PER_RAY), np.float32)
    inputs[:, :3] = to_nchw(patches)
    inputs[:, 3] = RAY_DIRECTIONS[:, :1]
    inputs[:, 4] = np.linspace(-1.0, 1.0, SAMPLES_PER_RAY)
    inputs[:, 5] = (level_shifts_mm / LEVEL_SHIFT_UNIT_MM - 1.0)[:, None, None]
    return inputs


def fit_circles(outputs: NDArray[np.float64]) -> Circles:
    """Return circles fitted to the ends of rays by weighted least squares (Gauss-Newton).

    outputs: (n, 2, rays, SAMPLES_PER_RAY) the network's scores of where each ray ends, and its
    precision if it ends there; of all rays, or of every second one, which then counts twice.
    """
    stride = RAYS // outputs.shape[2]
    jacobian = np.column_stack([RAY_DIRECTIONS, np.ones(RAYS)])[::stride]
    posterior = softmax(outputs[:, 0])
    ends = posterior @ SAMPLE_RADII
    precisions = np.logaddexp(0.0, (posterior * outputs[:, 1]).sum(axis=2)) * PRECISION_UNIT
    precisions = np.minimum(precisions + PRECISION_RANGE[0], PRECISION_RANGE[1])
    precisions = precisions * stride / RAY_STRIDE
    # Damped by one inverse squared radius, so that it is regular whatever the precisions.
    covariances = np.linalg.inv(
        np.einsum("nr,ri,rj->nij", precisions, jacobian, jacobian) + np.eye(3)
    )
    centres, radii = np.zeros((len(outputs), 2)), np.ones(len(outputs))
    for _ in range(GAUSS_NEWTON_ITERATIONS):
        along = centres @ jacobian[:, :2].T
        squared = radii[:, None] ** 2 - (centres**2).sum(axis=1)[:, None] + along**2
        residuals = ends - along - np.sqrt(np.maximum(squared, MIN_SQUARED_HALF_CHORD))
        steps = np.einsum("nij,nj->ni", covariances, (precisions * residuals) @ jacobian)
        steps = steps.clip(-MAX_STEP_RADII, MAX_STEP_RADII)
        centres += steps[:, :2]
        radii = (radii + steps[:, 2]).clip(INNER_RADII, OUTER_RADII)
    return Circles(radii, np.sqrt(covariances[:, 2, 2]), centres)
