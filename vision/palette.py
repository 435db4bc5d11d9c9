"""Colours as the reader compares them: free of the lamp's strength, nearly free of its colour.

A picture becomes three numbers per pixel: lightness, red against green, blue against green, all
logarithmic, so that a stronger or weaker lamp only adds a constant to the first of them.
"""

from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

Tones: TypeAlias = NDArray[np.float32]
"""(height, width, 3) float32: lightness, red - green, blue - green; 0.1 is just visible."""

DARK: Final = 40.0
"""Added before the logarithm: what is darker than this holds more noise than colour."""
LIGHTNESS_WEIGHT: Final = 0.5
"""Lightness depends on lamps and shadows, so that it counts half in any comparison."""
MIX: Final = np.array(
    [[LIGHTNESS_WEIGHT / 3] * 3, [0.0, -1.0, 1.0], [1.0, -1.0, 0.0]], dtype=np.float32
)
EVEN: Final = np.ones(3)


def read_tones(picture: NDArray[np.uint8], gains: NDArray[np.float64] = EVEN) -> Tones:
    """Return the tones of *picture*, each channel (blue, green, red) first times its gain."""
    levels = np.arange(256.0)[:, None] * gains
    table = np.log(levels + DARK).astype(np.float32)
    logs = cv2.LUT(picture, table.reshape(1, 256, 3))
    return np.asarray(cv2.transform(logs, MIX), np.float32)


def level(tones: Tones) -> Tones:
    """Return tones (..., pixels, 3) with their mean lightness taken out: lamp and shadow gone."""
    levelled = tones.copy()
    levelled[..., 0] -= tones[..., 0].mean(axis=-1, keepdims=True)
    return levelled
