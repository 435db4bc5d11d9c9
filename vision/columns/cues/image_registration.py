"""Register small images with templates: scale, rotation and translation, and their uncertainty.

All show a disc in their middle. The rotation and place that correlate best (`rotation_search.py`)
are refined by the template's gradients (S. Baker and I. Matthews, Lucas-Kanade 20 Years On, IJCV
56, 2004). Scale, rotation and translation are then fitted together by the gradients of both images
(efficient second-order minimisation: S. Benhimane and E. Malis, Real-time image-based tracking of
planes, IROS 2004). By the gradients of one image alone, whose noise is in the residual too, the
other seems too large.

What is compared is fine detail of luminance and of two channels of chromaticity: the sides of a
piece are lit differently, and that does not rotate with it. Pixels with large residuals, such as
glints, count less, and so does a channel with large residuals all over. Many pairs are fitted at
once, since calling numpy for such short sums costs more than the sums.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.columns.cues.rotation_search import (
    CANDIDATES,
    CENTRE_PX,
    DOWNSAMPLING,
    EPSILON,
    RADIUS_PX,
    SEARCH_PX,
    TEMPLATE_PX,
    Channels,
    crop_windows,
    find_rotations,
    list_places,
    rotate_core,
)
from vision.geometry.pose import Points

# Chosen for the best likelihood of heights on rendered tables (docs/experiments).
COMPARED_RADII: Final = 1.25
"""Radius of what is compared, in radii of the disc; the outermost tenth counts less and less."""
NOISE_LEVELS: Final = 30.0
"""Added to the sum of a pixel's channels: below this there is more noise than chromaticity."""
COARSE_DOWNSAMPLING: Final = 4
"""Rotations are refined in images so many times smaller."""
COARSE_HIGH_PASS_PX, FINE_HIGH_PASS_PX = 9, 11
"""The mean of so many pixels square is subtracted, at the resolution of each stage."""
COARSE_ITERATIONS, FINE_ITERATIONS = 4, 6
"""With fewer, scales stay near one, which confirms whatever height was assumed."""
MAX_STEP: Final = np.array((0.05, 0.12, 3.5, 3.5))
"""Of one iteration: scale, rotation in radians, translation in pixels."""
SHARED_GRADIENT_EXPONENT: Final = 1.5
"""Noise makes gradients steeper and steps too short: these are divided by the share of gradients
that both images have in common, to this power."""
MIN_SHARED_GRADIENT: Final = 0.3
"""Lower limit of that share."""
OUTLIER_RESIDUALS: Final = 0.7
"""Pixels with more than so many times the mean residual have less than half the weight."""
MIN_CHANNEL_RESIDUAL: Final = 0.05
"""Assumed of every channel, in standard deviations of its pixels."""
INNER_RADII: Final = 0.6
"""Radius of the middle of a disc, in its radii: what is seen there is on its face, not its rim."""
FINE_PIXEL_STEP: Final = 3
"""Every third pixel of every third row is compared; more add hardly any information."""


class _PixelGrid:
    """The pixels of a template that are compared.

    across, down: (n,) from its centre, in pixels of the template.  weights: (n,).
    """

    def __init__(self, downsampling: int, step: int) -> None:
        """*downsampling*: of the images.  step: every how many pixels and rows one is taken."""
        side = TEMPLATE_PX // downsampling
        axis = downsampling * np.arange(side, dtype=np.float32) + (downsampling - 1) / 2
        down, across = np.meshgrid(axis - CENTRE_PX, axis - CENTRE_PX, indexing="ij")
        radii = np.hypot(across, down) / RADIUS_PX
        self._compared = np.zeros(radii.shape, np.bool_)
        self._compared[::step, ::step] = radii[::step, ::step] < COMPARED_RADII
        self._downsampling = downsampling
        self.across, self.down = across[self._compared], down[self._compared]
        fade = (COMPARED_RADII - radii[self._compared]) / 0.1
        self.weights = np.clip(fade, 0.0, 1.0).astype(np.float32)
        self._homogeneous = np.stack([self.across, self.down, np.ones_like(self.down)])

    def select(self, images: Sequence[Channels]) -> Channels:
        """Return the channels (images, channels, n) of these pixels of a template."""
        return np.stack([image[self._compared].T for image in images])

    def sample(self, images: Sequence[Channels], warps: "_Warps") -> Channels:
        """Return the channels (fits, images, channels, n) of warped search images.

        images: (count * side, side, channels) each, one search image below the other.
        """
        centres = warps.translations + (SEARCH_PX - 1) / 2
        matrices = np.concatenate([warps.matrices, centres[..., None]], axis=2)
        matrices[..., 2] += 0.5
        matrices /= self._downsampling
        matrices[..., 2] -= 0.5
        last = images[0].shape[1] - 1
        pixels = np.clip(matrices.astype(np.float32) @ self._homogeneous, 0.0, last)
        x, y = pixels.transpose(1, 0, 2)
        y += (last + 1) * warps.images[:, None]
        found = np.empty((len(x), len(images), images[0].shape[2], x.shape[1]), np.float32)
        for index, image in enumerate(images):
            seen = cv2.remap(image, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
            found[:, index] = seen.transpose(0, 2, 1)
        return found

    def build_jacobian(self, gradients: Channels, levels: Channels) -> Channels:
        """Return the derivatives (..., channels, 6, n) of levels by each parameter.

        The parameters are scale, rotation, translation across and down, and an exposure's offset
        and gain.  gradients: (..., 2, channels, n) of *levels* (..., channels, n), across and down.
        """
        right, down = gradients[..., 0, :, :], gradients[..., 1, :, :]
        jacobian = np.empty((*levels.shape[:-1], 6, levels.shape[-1]), np.float32)
        jacobian[..., 0, :] = right * self.across + down * self.down
        jacobian[..., 1, :] = down * self.across - right * self.down
        jacobian[..., 2, :], jacobian[..., 3, :] = right, down
        jacobian[..., 4, :], jacobian[..., 5, :] = 1.0, levels
        return jacobian


_COARSE: Final = _PixelGrid(COARSE_DOWNSAMPLING, 1)
_FINE: Final = _PixelGrid(1, FINE_PIXEL_STEP)


@dataclass(frozen=True, slots=True)
class Alignment:
    """How many times larger than in the template the disc is, and the scale's standard deviation.

    sigma: as far as residuals and gradients show it.
    """

    scale: float
    sigma: float


class Template:
    """What search images are registered with."""

    def __init__(self, picture: Picture) -> None:
        """*picture*: (TEMPLATE_PX, TEMPLATE_PX, 3) uint8, blue green red."""
        self.rotated_core = rotate_core(picture)
        coarse, fine = _filter(picture)
        self.fine = _FINE.select([fine, *_compute_gradients(fine)])
        levels, *gradients = _COARSE.select([coarse, *_compute_gradients(coarse)])
        self.coarse, norm = _normalise(levels, _COARSE.weights)
        scaled = np.stack(gradients) / (np.float32(COARSE_DOWNSAMPLING) * norm)
        jacobian = _COARSE.build_jacobian(scaled, self.coarse)
        solver = _build_solver(jacobian[:, 1:], _COARSE.weights)
        inverse = (solver.inverse @ solver.weighted).swapaxes(0, 1)
        self.coarse_inverse = inverse.reshape(len(inverse), -1).astype(np.float32)
        """(3, channels * n): rotation and translation by which each pixel's residual vanishes."""

    @property
    def inner_share(self) -> float:
        """What share of all that tells the disc's scale lies in its middle."""
        levels, right, down = self.fine
        _, norms = _normalise(levels, _FINE.weights)
        growth = ((right * _FINE.across + down * _FINE.down) / norms) ** 2 * _FINE.weights
        inside = np.hypot(_FINE.across, _FINE.down) < INNER_RADII * RADIUS_PX
        return float(growth[:, inside].sum() / (growth.sum() + EPSILON))


class SearchImage:
    """An image that shows the template's disc, larger, rotated and shifted."""

    def __init__(self, picture: Picture, search_axis_px: tuple[float, float] = (0.0, 0.0)) -> None:
        """*picture*: (SEARCH_PX, SEARCH_PX, 3) uint8, blue green red.

        search_axis_px: the disc may be off by up to this across and down, or the opposite.
        """
        self.places = list_places(search_axis_px)
        self.windows = crop_windows(picture, self.places)
        self.coarse, fine = _filter(picture)
        self.fine = [fine, *_compute_gradients(fine)]


@dataclass(frozen=True, slots=True, eq=False)
class _Warps:
    """The warps from templates to search images, of several fits at once.

    images: (fits,) indices of search images.  matrices: (fits, 2, 2), applied to pixels from the
    centre.  translations: (fits, 2) in pixels.
    """

    images: NDArray[np.intp]
    matrices: Points
    translations: Points

    def select(self, which: NDArray[np.intp]) -> "_Warps":
        """Return the warps of some fits."""
        return _Warps(self.images[which], self.matrices[which], self.translations[which])

    def update(self, steps: Points) -> "_Warps":
        """Return the warps after *steps* (fits, 4) of scale, rotation and translation."""
        scale, rotation, *shift = np.clip(steps, -MAX_STEP, MAX_STEP).T
        back = np.array([[1.0 + scale, rotation], [-rotation, 1.0 + scale]]).transpose(2, 0, 1)
        matrices = self.matrices @ (back / ((1.0 + scale) ** 2 + rotation**2)[:, None, None])
        translations = self.translations - (matrices @ np.array(shift).T[..., None])[..., 0]
        return _Warps(self.images, matrices, translations)


def register(pairs: Sequence[tuple[Template, SearchImage]]) -> list[Alignment]:
    """Return the alignment of each of *pairs*."""
    if not pairs:
        return []
    images = dict.fromkeys(image for _, image in pairs)
    indices = {image: index for index, image in enumerate(images)}
    warps = _align_coarsely(pairs, indices)
    templates = np.stack([template.fine for template, _ in pairs])
    stacked = [np.concatenate(part) for part in zip(*(each.fine for each in indices), strict=True)]
    # Copied, since numpy takes three times as long for sums over what is merely broadcast.
    weights = np.broadcast_to(_FINE.weights, templates[:, 0].shape).copy()
    for _ in range(FINE_ITERATIONS):
        warped = _rotate_gradients(_FINE.sample(stacked, warps), warps)
        expected, seen = (_normalise(parts[:, 0], weights) for parts in (templates, warped))
        residual = seen[0] - expected[0]
        weights = _weight_pixels(residual)
        template_gradients, gradients = (
            parts[:, 1:] / norm[:, None]
            for parts, (_, norm) in ((templates, expected), (warped, seen))
        )
        mean_gradients = np.float32(0.5) * (template_gradients + gradients)
        mean_levels = np.float32(0.5) * (expected[0] + seen[0])
        solver = _build_solver(_FINE.build_jacobian(mean_gradients, mean_levels), weights)
        shared = _measure_shared_gradient(template_gradients, gradients, mean_gradients, weights)
        steps = solver.solve(residual) / shared[:, None] ** SHARED_GRADIENT_EXPONENT
        warps = warps.update(steps)
    residuals = np.sqrt(np.average(residual**2, axis=(1, 2), weights=weights))
    sigmas = residuals * np.sqrt(solver.covariance[:, 0, 0]) / shared**0.5
    scales = np.sqrt(np.maximum(np.linalg.det(warps.matrices), EPSILON))
    return [Alignment(*each) for each in zip(scales.tolist(), sigmas.tolist(), strict=True)]


def _align_coarsely(
    pairs: Sequence[tuple[Template, SearchImage]], indices: Mapping[SearchImage, int]
) -> _Warps:
    """Return the rotation and translation of each pair: of the candidates, the one that fits best.

    indices: of all search images.
    """
    warps = _list_candidates(pairs, indices)
    templates, inverses = (
        np.repeat(np.stack(parts), CANDIDATES, axis=0)
        for parts in zip(*((each.coarse, each.coarse_inverse) for each, _ in pairs), strict=True)
    )
    stacked = [np.concatenate([image.coarse for image in indices])]
    for _ in range(COARSE_ITERATIONS):
        seen, _ = _normalise(_COARSE.sample(stacked, warps)[:, 0], _COARSE.weights)
        steps = inverses @ (seen - templates).reshape(len(templates), -1, 1)
        warps = warps.update(np.pad(steps[..., 0], ((0, 0), (1, 0))))
    seen, _ = _normalise(_COARSE.sample(stacked, warps)[:, 0], _COARSE.weights)
    correlation = (_COARSE.weights * seen * templates).sum(axis=(1, 2))
    best = correlation.reshape(len(pairs), CANDIDATES).argmax(axis=1)
    return warps.select(best + CANDIDATES * np.arange(len(pairs)))


def _list_candidates(
    pairs: Sequence[tuple[Template, SearchImage]], indices: Mapping[SearchImage, int]
) -> _Warps:
    """Return CANDIDATES warps of each pair: its best rotations, each at its best place."""
    images, matrices, translations = [], [], []
    for template, image in pairs:
        for angle, place in find_rotations(template.rotated_core, image.windows):
            images.append(indices[image])
            matrices.append([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
            translations.append(image.places[place] * DOWNSAMPLING)
    return _Warps(np.array(images), np.array(matrices), np.array(translations))


def _rotate_gradients(warped: Channels, warps: _Warps) -> Channels:
    """Return *warped* (fits, 3, channels, n) with its gradients along the template's axes."""
    flat = warped.reshape(len(warped), 3, -1)
    flat[:, 1:] = warps.matrices.swapaxes(1, 2).astype(np.float32) @ flat[:, 1:]
    return warped


@dataclass(frozen=True, slots=True, eq=False)
class _Solver:
    """The weighted least squares of several fits, or of one alone, for k parameters.

    weighted: (fits, channels, k + 2, n) and inverse: (fits, channels, k, k + 2), whose product
    takes residuals to parameters.  covariance: (fits, k, k) if all residuals are one.
    """

    weighted: Channels
    inverse: Points
    covariance: Points

    def solve(self, residual: Channels) -> Points:
        """Return the steps (fits, k) by which *residual* (fits, channels, n) vanishes."""
        steps = self.inverse @ (self.weighted @ residual[..., None])
        return np.asarray(steps.sum(axis=-3)[..., 0])


def _build_solver(jacobian: Channels, weights: Channels) -> _Solver:
    """Return the solver for k parameters, with an exposure of each channel's own eliminated.

    jacobian: (..., channels, k + 2, n), see `build_jacobian`.  weights: (..., channels, n) or (n,).
    """
    k = jacobian.shape[-2] - 2
    weighted = jacobian * weights[..., None, :]
    normal = (weighted @ jacobian.swapaxes(-1, -2)).astype(np.float64)
    exposure = np.linalg.inv(normal[..., k:, k:] + EPSILON * np.eye(2))
    eliminated = normal[..., :k, k:] @ exposure
    information = (normal[..., :k, :k] - eliminated @ normal[..., k:, :k]).sum(axis=-3)
    covariance = np.linalg.inv(information + EPSILON * np.eye(k))
    identity = np.broadcast_to(np.eye(k), (*eliminated.shape[:-1], k))
    inverse = covariance[..., None, :, :] @ np.concatenate([identity, -eliminated], axis=-1)
    return _Solver(weighted, inverse, covariance)


def _measure_shared_gradient(
    one: Channels, other: Channels, mean: Channels, weights: Channels
) -> Points:
    """Return the share of gradients (fits,) that two images have in common; the rest is noise.

    one, other, mean: (fits, 2, channels, n) of each, and their mean.  weights: (fits, channels, n).
    """
    common, total = (
        np.einsum("fcn,fcn->f", weights, (first * second).sum(axis=1))
        for first, second in ((one, other), (mean, mean))
    )
    return np.asarray(np.clip(common / (total + EPSILON), MIN_SHARED_GRADIENT, 1.0), np.float64)


def _weight_pixels(residual: Channels) -> Channels:
    """Return the weights (fits, channels, n) of pixels with that *residual* (Cauchy)."""
    mean = (np.abs(residual) @ _FINE.weights / _FINE.weights.sum())[..., None]
    ratios = residual / (OUTLIER_RESIDUALS * mean + np.float32(EPSILON))
    channels = (mean + np.float32(MIN_CHANNEL_RESIDUAL)) ** -2
    channels /= channels.mean(axis=1, keepdims=True)
    return np.asarray(channels * _FINE.weights / (np.float32(1.0) + ratios**2), np.float32)


def _normalise(levels: Channels, weights: Channels) -> tuple[Channels, Channels]:
    """Return *levels* (..., n) at mean 0 and norm 1, and the norm that they had (..., 1).

    weights: the same, or (n,).
    """
    total = weights.sum(axis=-1, keepdims=True)
    centred = levels - _sum_products(weights, levels) / total
    norm = np.sqrt(_sum_products(weights * centred, centred) / total) + np.float32(EPSILON)
    return np.asarray(centred / norm, np.float32), np.asarray(norm, np.float32)


def _sum_products(one: Channels, other: Channels) -> Channels:
    """Return (..., channels, 1): each channel's scalar product."""
    return np.asarray(np.einsum("...n,...n->...", one, other)[..., None], np.float32)


def _filter(picture: Picture) -> tuple[Channels, Channels]:
    """Return the high-pass filtered channels of *picture*, downsampled and at full resolution.

    They are luminance, red against blue, and green against both, the last two relative to the sum.
    """
    blue, green, red = cv2.split(picture.astype(np.float32))
    total = blue + green + red + np.float32(NOISE_LEVELS)
    grey = np.float32(0.2) * blue + np.float32(0.4) * (green + red)
    full = cv2.merge([grey, (red - blue) / total, (2 * green - red - blue) / total])
    side = len(picture) // COARSE_DOWNSAMPLING
    small = cv2.resize(full, (side, side), interpolation=cv2.INTER_AREA)
    coarse, fine = (
        np.asarray(part - cv2.blur(part, (window, window)), np.float32)
        for part, window in ((small, COARSE_HIGH_PASS_PX), (full, FINE_HIGH_PASS_PX))
    )
    return coarse, fine


def _compute_gradients(image: Channels) -> list[Channels]:
    """Return the derivatives of *image* across and down, by central differences."""
    derivatives = (cv2.Sobel(image, -1, *axis, ksize=1, scale=0.5) for axis in ((1, 0), (0, 1)))
    return [np.asarray(derivative, np.float32) for derivative in derivatives]
