"""Log-chromaticity: colours that hardly depend on the illumination, and corrections for it.

A picture becomes three logarithmic channels per pixel, luminance, red - green and blue - green, so
that a stronger or weaker lamp only adds a constant to the first.
"""

from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

Chroma: TypeAlias = NDArray[np.float32]
"""(rows, columns, 3): log luminance, red - green, blue - green; 0.1 is just visible."""

ColourCorrection: TypeAlias = NDArray[np.float32]
"""(256, 3): for each level of blue, green and red, the level under the reference illumination."""

IDENTITY_CORRECTION: Final[ColourCorrection] = np.tile(np.arange(256, dtype=np.float32)[:, None], 3)

LOG_OFFSET_LEVELS: Final = 40.0
"""Added to levels before the logarithm; darker ones are more noise than colour."""
LUMINANCE_WEIGHT: Final = 0.5
"""Of log luminance beside the two chromaticities: it depends on lamps and shadows, too."""
TO_CHROMA: Final = np.array(
    [[LUMINANCE_WEIGHT / 3] * 3, [0.0, -1.0, 1.0], [1.0, -1.0, 0.0]], dtype=np.float32
)
FIT_OFFSET_LEVELS: Final = 8.0
"""The same in fits of gain and contrast, which need the dark levels."""
CONTRAST_PRIOR: Final = 0.3
"""Pseudo-observation, in log levels, that shrinks a fitted contrast towards 1."""
CONTRAST_RANGE: Final = (0.7, 1.4)
GAIN_RANGE: Final = (0.2, 5.0)
"""Contrasts and gains between one exposure of a table and another; beyond, a fit has failed."""
QUANTILES: Final = 24
"""Nodes of a fitted tone curve, each the median of as many pixels."""
MID_TONES: Final = (30, 90)
"""Levels between which contrast is measured: hardly ever saturated, nor black."""


def to_chroma(
    picture: NDArray[np.uint8], correction: ColourCorrection = IDENTITY_CORRECTION
) -> Chroma:
    """Return the log-chromaticities of *picture* (blue, green, red) after *correction*."""
    table = np.log(np.minimum(correction, 255.0) + LOG_OFFSET_LEVELS).astype(np.float32)
    logs = cv2.LUT(picture, table.reshape(1, 256, 3))
    return np.asarray(cv2.transform(logs, TO_CHROMA), np.float32)


def apply_gain(chroma: NDArray[np.float64], gain: float) -> NDArray[np.float64]:
    """Return the *chroma* (3,) of a surface under *gain* times the light.

    >>> grey = to_chroma(np.full((1, 1, 3), 60, np.uint8))[0, 0]
    >>> bright = to_chroma(np.full((1, 1, 3), 120, np.uint8))[0, 0]
    >>> bool(np.allclose(apply_gain(grey, 2.0), bright, atol=1e-5))
    True
    """
    logs = np.linalg.solve(TO_CHROMA.astype(np.float64), chroma)
    levels = np.maximum(np.exp(logs) - LOG_OFFSET_LEVELS, 0.0)
    return np.asarray(TO_CHROMA @ np.log(gain * levels + LOG_OFFSET_LEVELS), np.float64)


def to_lut(correction: ColourCorrection) -> NDArray[np.uint8]:
    """Return the correction as a table (1, 256, 3) of whole levels for cv2.LUT."""
    return np.clip(correction, 0, 255).astype(np.uint8).reshape(1, 256, 3)


def fit_correction(
    now: NDArray[np.uint8],
    then: NDArray[np.uint8],
    shaded_share: float = 0.5,
    fits_contrast: bool = False,
) -> ColourCorrection:
    """Return the correction that turns pixels (n, 3) of *now* into the same pixels of *then*.

    Each channel is fitted by medians, so that a minority of pixels may show something else.
    shaded_share: share of the pixels that lie in a shadow which was not there then.
    fits_contrast: whether the contrast may have changed too, as by an automatic exposure.
    """
    x, y = np.log(now + FIT_OFFSET_LEVELS), np.log(then + FIT_OFFSET_LEVELS)
    slope = _fit_contrast(x, y) if fits_contrast else np.ones(3)
    residuals = y - slope * x
    offset = _quantile(residuals, 0.5)
    if shaded_share > 0.5:
        luminance = (residuals - offset).mean(axis=1)
        offset = offset + min(0.0, float(_quantile(luminance, 1.0 - shaded_share)))
    levels = np.arange(256.0)[:, None]
    fitted = np.exp(slope * np.log(levels + FIT_OFFSET_LEVELS) + offset) - FIT_OFFSET_LEVELS
    return np.asarray(np.clip(fitted, GAIN_RANGE[0] * levels, GAIN_RANGE[1] * levels), np.float32)


def fit_tone_curves(then: NDArray[np.uint8], now: NDArray[np.uint8]) -> ColourCorrection:
    """Return for each level of *then* the level it has *now*, from the same pixels (n, 3) of both.

    Monotone in each channel, and free otherwise: it follows any change of illumination, tone curve
    and saturation. A minority of the pixels of a level may show something else.
    """
    levels = np.arange(256.0)
    curves = np.empty((256, 3), np.float32)
    for channel in range(3):
        old, new = then[:, channel], now[:, channel]
        order = np.argsort(old, kind="stable")
        nodes = _part_medians(old[order])
        values = np.maximum.accumulate(_part_medians(new[order]))
        curve = np.interp(levels, nodes, values)
        for outside, end in ((levels < nodes[0], 0), (levels > nodes[-1], -1)):
            scaled = values[end] * (levels[outside] + FIT_OFFSET_LEVELS)
            curve[outside] = scaled / (nodes[end] + FIT_OFFSET_LEVELS)
        curves[:, channel] = np.minimum(curve, 255.0)
    return curves


def _part_medians(values: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Return the median of each of QUANTILES parts of *values* (n,), in their order.

    >>> _part_medians(np.array([1, 1, 7, 9], np.uint8))[:4].tolist()
    [1.0, 1.0, 7.0, 9.0]
    """
    size, more = divmod(len(values), QUANTILES)
    end = more * (size + 1)
    medians = [np.median(values[:end].reshape(more, size + 1), axis=1)]
    if size:
        medians.append(np.median(values[end:].reshape(-1, size), axis=1))
    return np.concatenate(medians)


def measure_contrast(correction: ColourCorrection) -> float:
    """Return how much of the contrast *correction* leaves in the mid tones, at most 1.

    >>> dimmed = (np.arange(256.0)[:, None].repeat(3, axis=1) + FIT_OFFSET_LEVELS) ** 0.7
    >>> round(measure_contrast((4.0 * dimmed - FIT_OFFSET_LEVELS).astype(np.float32)), 2)
    0.7
    """
    low, high = (np.log(correction[level] + FIT_OFFSET_LEVELS) for level in MID_TONES)
    uncorrected = np.log((MID_TONES[1] + FIT_OFFSET_LEVELS) / (MID_TONES[0] + FIT_OFFSET_LEVELS))
    return float(min(1.0, np.mean(high - low) / uncorrected))


def _fit_contrast(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return by channel (3,) the distance of bright and dark pixels in *y* over that in *x*."""
    total = y.sum(axis=1)
    bright = total > _quantile(total, 0.5)
    if not bright.any():
        return np.ones(3)
    rise_x, rise_y = (_quantile(v[bright], 0.5) - _quantile(v[~bright], 0.5) for v in (x, y))
    slope = (rise_y + CONTRAST_PRIOR) / np.maximum(rise_x + CONTRAST_PRIOR, 0.1)
    return np.asarray(np.clip(slope, *CONTRAST_RANGE), np.float64)


def _quantile(values: NDArray[np.float64], share: float) -> NDArray[np.float64]:
    """Return the nearest-rank quantile along the first axis; numpy's own takes several times it."""
    rank = round(share * (len(values) - 1))
    return np.asarray(np.partition(values, rank, axis=0)[rank], np.float64)


def remove_mean_luminance(chroma: Chroma) -> Chroma:
    """Return *chroma* (..., pixels, 3) without the mean luminance of each set of pixels."""
    levelled = chroma.copy()
    levelled[..., 0] -= chroma[..., 0].mean(axis=-1, keepdims=True)
    return levelled


def min_channel(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the least of each pixel's three levels, which is high for white only."""
    blue, green, red = cv2.split(picture)
    return np.asarray(cv2.min(cv2.min(blue, green), red), np.uint8)


def max_channel(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the greatest of each pixel's three levels.

    >>> max_channel(np.array([[[10, 200, 30]]], np.uint8)).tolist()
    [[200]]
    """
    blue, green, red = cv2.split(picture)
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.uint8)
