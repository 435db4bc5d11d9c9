"""Estimate columns' heights by registering the relief of their tops with a learned template.

Pieces of one set mostly come from one mould, whatever their colour. So a template is learned from
all known tops together: the log brightness of each pixel that light on rim, dish and edge causes,
and how it changes with the view angle and, a little, with the colour. A top is registered with it
(B. Lucas and T. Kanade, An Iterative Image Registration Technique, IJCAI 1981): a level nearer, it
is a hundredth larger. How large the errors are is measured on the known tops, each registered with
a template of the others; for smooth or unlike pieces they are so large that relief says nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.columns.cues.image_registration import compute_gradients
from vision.columns.cues.outlines import TopOutline
from vision.columns.cues.robust_statistics import (
    Likelihoods,
    fit_student_t,
    student_t_likelihoods,
)
from vision.columns.cues.rotation_search import CENTRE_PX, RADIUS_PX, TEMPLATE_PX, Channels
from vision.columns.cues.top_registration import crop_tops
from vision.columns.grid import TALLEST, Grid
from vision.columns.patches import Patches, View
from vision.geometry.pose import Points

# Tuned on rendered tables 0 to 79 (docs/experiments/heights-of-columns.md).
COMPARED_RADII: Final = 1.02
"""Radius of what is compared, in radii of a piece; the outermost twentieth fades out."""
LOG_OFFSET_LEVELS: Final = 15.0
"""Added to levels before the logarithm: in darker pixels there is more noise than relief."""
VIEW_ANGLE_RIDGE, COLOUR_RIDGE = 0.2, 0.5
"""Ridge penalties of the template's change with the view angle, in squared tangents, and with the
colour, in tops: few tops show no more than their mean."""
VARIANCE_OFFSET: Final = 0.3
"""Pixels whose variance between known tops exceeds this share of the relief's count less."""
OUTLIER_RESIDUALS: Final = 4.0
"""Pixels with more than so many times the mean residual have less than half the weight."""
REGISTRATION_ITERATIONS, TRANSLATION_ITERATIONS = 4, 3
"""With the scale free, and with the known one."""
TEMPLATE_ITERATIONS, MEAN_TEMPLATE_ITERATIONS = 4, 2
"""How often known tops are registered with the template of all; the first times with their mean."""
MAX_SCALE_STEP, MAX_TRANSLATION_STEP_PX = 0.04, 2.0
"""Limits of one iteration."""
MIN_KNOWN_TOPS: Final = 4
"""With fewer known tops nothing is estimated."""
EPSILON: Final = 1e-6

_OFFSETS: Final = np.indices((TEMPLATE_PX,) * 2).astype(np.float32) - np.float32(CENTRE_PX)
_RADII: Final = np.hypot(*_OFFSETS) / RADIUS_PX
_COMPARED: Final = _RADII < COMPARED_RADII
_Y, _X = _OFFSETS[:, _COMPARED]
"""The n compared pixels, from the centre of the template."""
_FADE: Final = np.clip((COMPARED_RADII - _RADII[_COMPARED]) / 0.05, 0.0, 1.0).astype(np.float32)
_INNER: Final = cv2.erode(_COMPARED.astype(np.uint8), np.ones((3, 3), np.uint8))[_COMPARED] > 0
"""Pixels whose neighbours are compared, too, so that they have a gradient."""
_CHECKERBOARD: Final = np.flatnonzero(
    (np.indices((TEMPLATE_PX,) * 2).sum(axis=0) % 2 == 0)[_COMPARED]
)
"""Every other pixel: for registration, the rest add hardly any information."""
_SHADING: Final = np.stack(
    [np.ones_like(_X), *(part / np.float32(RADIUS_PX) for part in (_X, _Y))]
    + [part / np.float32(RADIUS_PX**2) for part in (_X * _X, _X * _Y, _Y * _Y)]
)
"""(6, n): quadratic basis of smooth shading by light sources, which is no relief."""


@dataclass(frozen=True, slots=True)
class ReliefErrorModel:
    """The distribution of errors in levels; fitted by `training.fit_relief`.

    bias_share: share of the known tops' mean error that is subtracted.  scatter_share: factor of
    their standard deviation.  sigma_factor: of the standard deviation by the registration's
    residuals.  dof: degrees of freedom of Student's t.
    """

    bias_share: float
    scatter_share: float
    sigma_factor: float
    dof: float

    def likelihoods(self, heights: Points, sigmas: Points, known_errors: Points) -> Likelihoods:
        """Return the likelihood of each height of columns measured as *heights* (n,), in levels.

        sigmas: (n,) by the registration's residuals.  known_errors: (m,) of known tops, in levels.
        """
        bias, scatter = fit_student_t(known_errors)
        scales = np.hypot(self.scatter_share * scatter, self.sigma_factor * sigmas)
        return student_t_likelihoods(heights - self.bias_share * bias, scales, self.dof)


ERROR_MODEL: Final = ReliefErrorModel(bias_share=0.7, scatter_share=0.56, sigma_factor=5.2, dof=7.1)


@dataclass(frozen=True, slots=True, eq=False)
class Alignments:
    """How tops are aligned with their templates.

    scales: (tops,) how many times larger tops are.  sigmas: (tops,) the scales' standard
    deviations.  translations_px: (tops, 2) across and down.
    """

    scales: Points
    sigmas: Points
    translations_px: Points


@dataclass(frozen=True, eq=False)
class TopPatches:
    """Patches of tops, rectified onto the planes of their assumed heights.

    patches: (tops, TEMPLATE_PX, TEMPLATE_PX, 3) uint8, blue green red.  heights: (tops,) as
    assumed.  levels_to_camera: (tops,) the distance below the camera in levels.  features: (tops,
    k) the two tangents of the view angle, and the colour, one-hot.
    """

    patches: Patches
    heights: NDArray[np.intp]
    levels_to_camera: Points
    features: Points

    def __len__(self) -> int:
        return len(self.heights)

    def select(self, which: slice) -> "TopPatches":
        """Return some of the tops."""
        levels, features = self.levels_to_camera[which], self.features[which]
        return TopPatches(self.patches[which], self.heights[which], levels, features)

    @cached_property
    def log_brightness(self) -> Channels:
        """The log brightness (tops * TEMPLATE_PX, TEMPLATE_PX), each top below the last."""
        colours = self.patches.reshape(-1, TEMPLATE_PX, 3).astype(np.float32)
        # Blue counts less: it is the noisiest channel.
        mixed = np.asarray(cv2.transform(colours, np.array([[0.2, 0.4, 0.4]])), np.float32)
        return np.asarray(np.log(mixed + LOG_OFFSET_LEVELS), np.float32)

    def warp(
        self, scales: Points, translations_px: Points, which: NDArray[np.intp] | slice = slice(None)
    ) -> Channels:
        """Return the log brightness (tops, n) of the compared pixels, warped onto the template.

        which: of these pixels.
        """
        x, y = (
            np.clip(
                part[which] * scales[:, None].astype(np.float32)
                + (CENTRE_PX + offset)[:, None].astype(np.float32),
                0.0,
                TEMPLATE_PX - 1,
            )
            for part, offset in zip((_X, _Y), translations_px.T, strict=True)
        )
        y += TEMPLATE_PX * np.arange(len(self), dtype=np.float32)[:, None]
        return np.asarray(cv2.remap(self.log_brightness, x, y, cv2.INTER_LINEAR), np.float32)


class ReliefTemplate:
    """The relief of aligned tops as a linear function of their features, and its weights."""

    def __init__(self, reliefs: Channels, features: Points) -> None:
        """*reliefs*: (tops, n) as `normalise` returns them.  features: (tops, k) of these tops."""
        self._reliefs, self._features = reliefs, features
        design = np.column_stack([np.ones(len(features)), features])
        colours = features.shape[1] - 2
        ridge = np.diag([EPSILON, *[VIEW_ANGLE_RIDGE] * 2, *[COLOUR_RIDGE] * colours])
        self._coefficients = np.linalg.solve(design.T @ design + ridge, design.T @ reliefs)
        residuals = reliefs - design @ self._coefficients
        degrees_of_freedom = max(len(reliefs) - 2, 1)
        variance = np.zeros(_COMPARED.shape, np.float32)
        variance[_COMPARED] = (residuals**2).sum(axis=0) / degrees_of_freedom
        smooth = cv2.GaussianBlur(variance, (0, 0), 1.0)[_COMPARED]
        weights = _FADE / (smooth + np.float32(VARIANCE_OFFSET))
        self.weights: Channels = np.asarray(weights / weights.mean(), np.float32)

    def predict(self, features: Points) -> Channels:
        """Return the relief (tops, n) of tops with these *features* (tops, k)."""
        design = np.column_stack([np.ones(len(features)), features])
        return normalise((design @ self._coefficients).astype(np.float32), self.weights)

    def leave_out(self, index: int) -> "ReliefTemplate":
        """Return the template of all tops but one."""
        reliefs = np.delete(self._reliefs, index, axis=0)
        return ReliefTemplate(reliefs, np.delete(self._features, index, axis=0))

    def extend(self, tops: TopPatches, alignments: Alignments) -> "ReliefTemplate":
        """Return the template of these and further *tops*, registered with this one."""
        warped = tops.warp(np.ones(len(tops)), alignments.translations_px)
        reliefs = np.vstack([self._reliefs, normalise(warped, self.weights)])
        return ReliefTemplate(reliefs, np.vstack([self._features, tops.features]))

    def register(self, tops: TopPatches) -> Alignments:
        """Return how *tops* are aligned with their predicted reliefs."""
        return register(self.predict(tops.features), tops, self.weights)


class Relief:
    """Estimates the heights of the columns on one grid from the relief of their tops."""

    def __init__(self, grid: Grid, floor_z: float) -> None:
        """*floor_z*: how many mm above the plane of its poses the columns stand."""
        self._grid, self._floor_z = grid, floor_z
        self._template: ReliefTemplate | None = None
        self._known_errors = np.zeros(0)

    def learn(self, view: View, outlines: Sequence[TopOutline]) -> None:
        """Learn the template, and its errors, from *outlines* of known columns in *view*."""
        if len(outlines) < MIN_KNOWN_TOPS:
            return
        tops = self._crop(view, outlines)
        self._template = template = build_template(tops)
        each = [tops.select(slice(index, index + 1)) for index in range(len(tops))]
        errors = [
            measure_height_errors(template.leave_out(index).register(top), top)
            for index, top in enumerate(each)
        ]
        self._known_errors = np.concatenate(errors)

    def estimate(
        self, view: View, uncertain: Sequence[TopOutline], certain: Sequence[TopOutline]
    ) -> Likelihoods:
        """Return the likelihood of each height of the *uncertain* columns (n, TALLEST).

        certain: outlines of other columns in *view* whose heights are beyond doubt; they extend the
        template for this picture.
        """
        if self._template is None:
            return np.full((len(uncertain), TALLEST), 1.0 / TALLEST)
        return ERROR_MODEL.likelihoods(*self.measure(view, uncertain, certain))

    def measure(
        self, view: View, uncertain: Sequence[TopOutline], certain: Sequence[TopOutline]
    ) -> tuple[Points, Points, Points]:
        """Return heights (n,) and sigmas (n,) of *uncertain* columns, and errors of known ones.

        All in levels, see `ReliefErrorModel.likelihoods`.
        """
        assert self._template is not None
        template, known_errors = self._template, self._known_errors
        if certain:
            known = self._crop(view, certain)
            alignments = template.register(known)
            errors = measure_height_errors(alignments, known)
            known_errors = np.concatenate([known_errors, errors])
            template = template.extend(known, alignments)
        tops = self._crop(view, uncertain)
        alignments = template.register(tops)
        heights = tops.heights + measure_height_errors(alignments, tops)
        return heights, alignments.sigmas * tops.levels_to_camera, known_errors

    def _crop(self, view: View, outlines: Sequence[TopOutline]) -> TopPatches:
        """Return the patches of the tops with these *outlines*."""
        figure, camera = self._grid.figure, view.pose.camera
        heights = np.array([outline.column.height for outline in outlines])
        tops_mm = np.array([self._floor_z + figure.rise_mm(height) for height in heights.tolist()])
        centres = np.column_stack([[outline.centre_mm for outline in outlines], tops_mm])
        below_mm = camera[2] - tops_mm
        view_tangents = (centres[:, :2] - camera[:2]) / below_mm[:, None]
        colours = np.eye(len(self._grid.colours))[[outline.column.colour for outline in outlines]]
        return TopPatches(
            crop_tops(view, centres, figure.radius, TEMPLATE_PX),
            heights,
            below_mm / figure.pitch,
            np.column_stack([view_tangents, colours]),
        )


def measure_height_errors(alignments: Alignments, tops: TopPatches) -> Points:
    """Return by how many levels (tops,) each top is higher than assumed, by its scale.

    At most TALLEST, as where no top is to be seen.
    """
    errors = (1.0 - 1.0 / alignments.scales) * tops.levels_to_camera
    return np.asarray(np.clip(errors, -TALLEST, TALLEST))


def build_template(tops: TopPatches) -> ReliefTemplate:
    """Return the template of *tops* with known heights, registered with each other."""
    scales, translations = np.ones(len(tops)), np.zeros((len(tops), 2))
    weights = _FADE
    reliefs = normalise(tops.warp(scales, translations), weights)
    for iteration in range(TEMPLATE_ITERATIONS):
        if iteration < MEAN_TEMPLATE_ITERATIONS:
            mean = normalise(reliefs.mean(axis=0)[None], weights)
            expected = np.tile(mean, (len(tops), 1))
        else:
            template = ReliefTemplate(reliefs, tops.features)
            weights = template.weights
            expected = template.predict(tops.features)
        alignments = register(expected, tops, weights, translations, fixed_scale=True)
        translations = alignments.translations_px
        reliefs = normalise(tops.warp(scales, translations), weights)
    return ReliefTemplate(reliefs, tops.features)


def register(
    expected: Channels,
    tops: TopPatches,
    weights: Channels,
    start_px: Points | None = None,
    fixed_scale: bool = False,
) -> Alignments:
    """Return how *tops* are aligned with the *expected* reliefs (tops, n), by Gauss-Newton.

    weights: (n,) of pixels.  start_px: (tops, 2) initial translations.  fixed_scale: whether the
    scale is known to be 1.
    """
    jacobian = _build_jacobian(expected, fixed_scale)
    gain = 2 if fixed_scale else 3  # the index of the relief's strength, after its motions
    weights = weights[_CHECKERBOARD]
    scales = np.ones(len(tops))
    translations = np.zeros((len(tops), 2)) if start_px is None else start_px
    robust = np.tile(weights, (len(tops), 1))
    for _ in range(TRANSLATION_ITERATIONS if fixed_scale else REGISTRATION_ITERATIONS):
        warped = tops.warp(scales, translations, _CHECKERBOARD)
        coefficients = _solve_weighted(jacobian, warped, robust)
        gains = np.maximum(coefficients[:, gain, None], EPSILON)
        steps = coefficients[:, :gain] / gains
        fitted = (coefficients[:, None].astype(np.float32) @ jacobian)[:, 0]
        residuals = (warped - fitted) / gains.astype(np.float32)
        totals = robust.sum(axis=1, keepdims=True)
        means = (robust * np.abs(residuals)).sum(axis=1, keepdims=True) / totals
        ratios = residuals / (np.float32(OUTLIER_RESIDUALS) * means + EPSILON)
        robust = weights / (np.float32(1.0) + ratios**2)
        if not fixed_scale:
            scales = scales / (1.0 + np.clip(steps[:, 2], -MAX_SCALE_STEP, MAX_SCALE_STEP))
        translation_steps = np.clip(steps[:, :2], -MAX_TRANSLATION_STEP_PX, MAX_TRANSLATION_STEP_PX)
        translations = translations - scales[:, None] * translation_steps
    if fixed_scale:
        return Alignments(scales, np.zeros(len(tops)), translations)
    noise = np.sqrt((robust * residuals**2).sum(axis=1) / robust.sum(axis=1))
    covariances = np.linalg.inv(_gram(jacobian * robust[:, None], jacobian))
    return Alignments(scales, noise * np.sqrt(covariances[:, 2, 2]), translations)


def _build_jacobian(expected: Channels, fixed_scale: bool) -> Channels:
    """Return the derivatives (tops, k, n) of *expected* reliefs (tops, n) by each parameter.

    The parameters are translation across and down, scale unless it is fixed, the relief's strength,
    and shading.
    """
    gradients = [_inner_gradients(each) for each in expected]
    right, down = (np.stack(each)[:, _CHECKERBOARD] for each in zip(*gradients, strict=True))
    motions = [right, down]
    if not fixed_scale:
        motions.append(right * _X[_CHECKERBOARD] + down * _Y[_CHECKERBOARD])
    relief = np.stack([*motions, expected[:, _CHECKERBOARD]], axis=1)
    shading = _SHADING[:, _CHECKERBOARD]
    shading = np.broadcast_to(shading, (len(expected), *shading.shape))
    return np.concatenate([relief, shading], axis=1)


def normalise(log_brightness: Channels, weights: Channels) -> Channels:
    """Return the relief (tops, n): *log_brightness* less shading, scaled to unit variance."""
    weighted = _SHADING * weights
    right = (weighted @ log_brightness.T).astype(np.float64)
    coefficients = np.linalg.solve(_gram(weighted, _SHADING), right)
    relief = log_brightness - coefficients.T.astype(np.float32) @ _SHADING
    sigmas = np.sqrt((relief**2 @ weights) / weights.sum()) + np.float32(EPSILON)
    return np.asarray(relief / sigmas[:, None], np.float32)


def _solve_weighted(basis: Channels, values: Channels, weights: Channels) -> Points:
    """Return the weighted least squares coefficients (tops, k) of *basis* in *values* (tops, n).

    basis: (tops, k, n).  weights: (tops, n).
    """
    weighted = basis * weights[:, None]
    right = (weighted @ values[..., None]).astype(np.float64)
    return np.asarray(np.linalg.solve(_gram(weighted, basis), right)[..., 0])


def _gram(weighted: Channels, basis: Channels) -> Points:
    """Return the regularised Gram matrix (..., k, k) of a *basis* (..., k, n)."""
    products = (weighted @ np.swapaxes(basis, -1, -2)).astype(np.float64)
    return np.asarray(products + EPSILON * np.eye(basis.shape[-2]))


def _inner_gradients(relief: Channels) -> tuple[Channels, Channels]:
    """Return the gradients (n,) of a *relief* (n,) across and down; 0 at the edge."""
    image = np.zeros(_COMPARED.shape, np.float32)
    image[_COMPARED] = relief
    right, down = (
        np.where(_INNER, gradient[_COMPARED], np.float32(0.0))
        for gradient in compute_gradients(image)
    )
    return right, down
