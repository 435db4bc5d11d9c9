"""Pictures in light that flickers: each with its bands in other rows."""

from collections.abc import Iterator

import numpy as np

from tests.web.setting_up import picture_of
from vision.capture.frame import Picture

LOOKS = 14
CYCLES = 3.2
"""Bands in a picture: at 100 Hz, of a sensor that takes 32 ms over its rows."""


def small(game: str) -> Picture:
    """Return the table of *game*, no larger than shows what flickers."""
    return np.ascontiguousarray(picture_of(game)[::2, ::2])


def noisy(picture: np.ndarray, random: np.random.Generator) -> Picture:
    """Return *picture* as a sensor sees it once more."""
    return np.asarray(np.clip(picture + random.normal(0, 2, picture.shape), 0, 255), np.uint8)


def banded(depth: float, game: str = "tiki_topple") -> Iterator[Picture]:
    """Yield pictures with bands of that *depth*, each time in other rows."""
    random, picture = np.random.default_rng(1), small(game)
    rows = np.linspace(0, 1, len(picture))[:, None, None]
    for _ in range(LOOKS):
        wave = np.sin(2 * np.pi * (CYCLES * rows + random.random()))
        yield noisy(picture * (1 + depth * wave), random)
