"""Colours as the reader compares them: free of the lamp's strength, nearly free of its colour.

A picture becomes three numbers per pixel: lightness, red against green, blue against green, all
logarithmic, so that a stronger or weaker lamp only adds a constant to the first of them.
"""

from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

Chroma: TypeAlias = NDArray[np.float32]
"""(height, width, 3) float32: lightness, red - green, blue - green; 0.1 is just visible."""

DARK: Final = 40.0
"""Added before the logarithm: what is darker than this holds more noise than colour."""
LIGHTNESS_WEIGHT: Final = 0.5
"""Lightness depends on lamps and shadows, so that it counts half in any comparison."""
MIX: Final = np.array(
    [[LIGHTNESS_WEIGHT / 3] * 3, [0.0, -1.0, 1.0], [1.0, -1.0, 0.0]], dtype=np.float32
)
SOFT: Final = 8.0
"""Added to levels before two are compared: the darkest ones say little about the lamp."""
SLOPE_PRIOR: Final = 0.3
"""How much contrast must be seen before another contrast is believed, as a logarithm."""
SLOPES: Final = (0.7, 1.4)
GAINS: Final = (0.2, 5.0)
LEVEL_PARTS: Final = 24
"""Pixels are compared in so many parts, from the darkest to the brightest of a channel."""
SPAN: Final = (30, 90)
"""Levels between which a light's contrast is told: hardly ever overexposed, nor black."""

Light: TypeAlias = NDArray[np.float32]
"""(256, 3): for each level and channel, what it would be in the light that was learned from."""

NEUTRAL_LIGHT: Final[Light] = np.tile(np.arange(256, dtype=np.float32)[:, None], 3)


def to_chroma(picture: NDArray[np.uint8], light: Light = NEUTRAL_LIGHT) -> Chroma:
    """Return the tones of *picture* (blue, green, red) as they would be in the learned light."""
    table = np.log(np.minimum(light, 255.0) + DARK).astype(np.float32)
    logs = cv2.LUT(picture, table.reshape(1, 256, 3))
    return np.asarray(cv2.transform(logs, MIX), np.float32)


def brighten(tone: NDArray[np.float64], times: float) -> NDArray[np.float64]:
    """Return the *tone* (3,) of something as it looks with so many *times* the light on it.

    >>> grey = to_chroma(np.full((1, 1, 3), 60, np.uint8))[0, 0]
    >>> bright = to_chroma(np.full((1, 1, 3), 120, np.uint8))[0, 0]
    >>> bool(np.allclose(brighten(grey, 2.0), bright, atol=1e-5))
    True
    """
    levels = np.exp(np.linalg.solve(MIX.astype(np.float64), tone)) - DARK
    return np.asarray(MIX @ np.log(times * np.maximum(levels, 0.0) + DARK), np.float64)


def to_levels(light: Light) -> NDArray[np.uint8]:
    """Return the light as a table (1, 256, 3) of whole levels, for pictures that stay pictures."""
    return np.clip(light, 0, 255).astype(np.uint8).reshape(1, 256, 3)


def fit_light(
    now: NDArray[np.uint8], then: NDArray[np.uint8], shaded: float = 0.5, contrast: bool = False
) -> Light:
    """Return the light that turns pixels (n, 3) seen *now* into the same pixels as *then*.

    Each channel is fitted by medians: a minority of pixels may show something else.
    shaded: the share of the pixels that lie in a shadow which was not there then.
    contrast: whether the contrast may have changed too, as an automatic exposure does it.
    """
    x, y = np.log(now + SOFT), np.log(then + SOFT)
    slope = _contrast(x, y) if contrast else np.ones(3)
    rest = y - slope * x
    offset = _part(rest, 0.5)
    if shaded > 0.5:
        offset = offset + min(0.0, float(_part((rest - offset).mean(axis=1), 1.0 - shaded)))
    levels = np.arange(256.0)[:, None]
    fitted = np.exp(slope * np.log(levels + SOFT) + offset) - SOFT
    return np.asarray(np.clip(fitted, GAINS[0] * levels, GAINS[1] * levels), np.float32)


def match_levels(then: NDArray[np.uint8], now: NDArray[np.uint8]) -> Light:
    """Return the level at which each of *then*'s is seen *now*, both pixels (n, 3) of one table.

    Whatever became of the light and of the camera's tone curve, each level of a channel has become
    one other, no darker than what was darker. A minority of the pixels of a level may show
    something else.
    """
    levels = np.arange(256.0)
    curves = np.empty((256, 3), np.float32)
    for channel in range(3):
        old, new = then[:, channel], now[:, channel]
        order = np.argsort(old, kind="stable")
        parts = [each for each in np.array_split(order, LEVEL_PARTS) if len(each)]
        middles = [float(np.median(old[part])) for part in parts]
        seen = np.maximum.accumulate([float(np.median(new[part])) for part in parts])
        inside = np.interp(levels, middles, seen)
        below, above = levels < middles[0], levels > middles[-1]
        inside[below] = seen[0] * (levels[below] + SOFT) / (middles[0] + SOFT)
        inside[above] = seen[-1] * (levels[above] + SOFT) / (middles[-1] + SOFT)
        curves[:, channel] = np.minimum(inside, 255.0)
    return curves


def measure_squeeze(light: Light) -> float:
    """Return what share of every change *light* (256, 3) leaves, if it brings all levels together.

    At most 1: light that sets them further apart lets nothing be told that was not to be seen.

    >>> dimmed = (np.arange(256.0)[:, None].repeat(3, axis=1) + SOFT) ** 0.7
    >>> round(measure_squeeze((4.0 * dimmed - SOFT).astype(np.float32)), 2)
    0.7
    """
    low, high = (np.log(light[level] + SOFT) for level in SPAN)
    contrast = np.mean(high - low) / np.log((SPAN[1] + SOFT) / (SPAN[0] + SOFT))
    return float(min(1.0, contrast))


def _contrast(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how much further apart bright and dark pixels are in *y* than in *x*, by channel."""
    total = y.sum(axis=1)
    bright = total > _part(total, 0.5)
    if not bright.any():
        return np.ones(3)
    rise_x, rise_y = (_part(v[bright], 0.5) - _part(v[~bright], 0.5) for v in (x, y))
    slope = (rise_y + SLOPE_PRIOR) / np.maximum(rise_x + SLOPE_PRIOR, 0.1)
    return np.asarray(np.clip(slope, *SLOPES), np.float64)


def _part(values: NDArray[np.float64], share: float) -> NDArray[np.float64]:
    """Return what *share* of the values lies below, along the first axis."""
    rank = round(share * (len(values) - 1))
    return np.asarray(np.partition(values, rank, axis=0)[rank], np.float64)


def level(tones: Chroma) -> Chroma:
    """Return tones (..., pixels, 3) with their mean lightness taken out: lamp and shadow gone."""
    levelled = tones.copy()
    levelled[..., 0] -= tones[..., 0].mean(axis=-1, keepdims=True)
    return levelled


def measure_paleness(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the least of each pixel's three levels: high for white paper only."""
    blue, green, red = cv2.split(picture)
    return np.asarray(cv2.min(cv2.min(blue, green), red), np.uint8)


def measure_brightness(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the greatest of each pixel's three levels.

    >>> measure_brightness(np.array([[[10, 200, 30]]], np.uint8)).tolist()
    [[200]]
    """
    blue, green, red = cv2.split(picture)
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.uint8)
