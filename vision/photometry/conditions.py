"""Simulate other light and other lenses on a picture, to test a calibration."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Final

import cv2
import numpy as np

from vision.capture.frame import Picture
from vision.photometry.meters import measure_noise

LESS_LIGHT: Final = 0.7
"""Gain of dimmer light: somebody stands before the lamp, or evening comes."""
MORE_LIGHT: Final = 1.25
"""Gain of brighter light."""
WARMER_BGR: Final = (0.8, 0.96, 1.04)
"""Gains of blue, green and red: a lamp of 5000 kelvin becomes one of 3700 (Planck's law)."""
NOISE_LEVELS: Final = 7.0
"""Standard deviation of the noise of a small sensor in a living room at night. A picture with more
noise of its own gets as much again."""
BLUR_SHARE: Final = 1.2 / 1536
"""Standard deviation of the blur over the picture's width: a lens focused half a metre off."""


class Condition(StrEnum):
    """How the conditions of a picture change; its content stays."""

    AS_IT_IS = "as it is"
    LESS_LIGHT = "less light"
    MORE_LIGHT = "more light"
    WARMER_LIGHT = "warmer light"
    NOISE = "noise"
    BLUR = "blur"


def simulate_condition(picture: Picture, condition: Condition) -> Picture:
    """Return *picture*, (rows, columns, 3) uint8, as it would be under *condition*."""
    change = CHANGES.get(condition)
    return picture if change is None else change(picture)


def _scale(picture: Picture, gains: tuple[float, float, float]) -> Picture:
    """Return *picture* with its channels multiplied, and cut off where a sensor is full."""
    levels = np.arange(256)[:, None] * np.array(gains)
    table = np.clip(np.rint(levels), 0, 255).astype(np.uint8)
    return np.asarray(cv2.LUT(picture, table[None]), np.uint8)


def _add_noise(picture: Picture) -> Picture:
    """Return *picture* with a sensor's noise, always the same."""
    sigma = max(NOISE_LEVELS, measure_noise(picture))
    random = np.random.default_rng(0)
    # One row of noise, begun elsewhere in each row of the picture, takes a tenth of the time.
    grain = np.rint(random.normal(0.0, sigma, 2 * picture[0].size)).astype(np.int16)
    starts = random.integers(0, picture[0].size, len(picture))
    windows = np.lib.stride_tricks.sliding_window_view(grain, picture[0].size)
    rough = picture.astype(np.int16) + windows[starts].reshape(picture.shape)
    return np.asarray(np.clip(rough, 0, 255), np.uint8)


def _blur(picture: Picture) -> Picture:
    sigma_px = BLUR_SHARE * picture.shape[1]
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma_px), np.uint8)


CHANGES: Final[Mapping[Condition, Callable[[Picture], Picture]]] = {
    Condition.LESS_LIGHT: lambda picture: _scale(picture, (LESS_LIGHT,) * 3),
    Condition.MORE_LIGHT: lambda picture: _scale(picture, (MORE_LIGHT,) * 3),
    Condition.WARMER_LIGHT: lambda picture: _scale(picture, WARMER_BGR),
    Condition.NOISE: _add_noise,
    Condition.BLUR: _blur,
}
"""The function that simulates each condition."""
