"""The white paper of the corner tiles: what the light is like before anything has been learned."""

from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.geometry.layout import Mat
from vision.geometry.pose import Pose
from vision.photometry.chromaticity import NEUTRAL_LIGHT, Light

MARGIN_MM: Final = 2.6
"""How far outside the black square the paper is looked at; it reaches 5 mm."""
ALONG: Final = (-0.4, -0.2, 0.0, 0.2, 0.4)
"""Where along each side, as shares of its length."""
WHITE: Final = 240.0
"""The level of white paper in a well exposed picture; brighter paper is taken as it is."""
DARKEST: Final = 40.0
OVEREXPOSED: Final = 250.0
"""Paper as bright as this may be brighter than the camera tells."""
ONE_SIDED: Final = 1.25
"""How much dimmer than overexposed paper looks in another colour, in what is no ordinary light."""
SAME_LAMP: Final = 0.06
"""By how much each of a lamp's three colours may differ from when something was learned in it."""


def estimate_light(picture: Picture, pose: Pose, mat: Mat) -> Light:
    """Return how to see *picture* as if its tiles' paper were white and well exposed."""
    white = measure_paper_white(picture, pose, mat)
    if white is None:
        return NEUTRAL_LIGHT
    return np.asarray(NEUTRAL_LIGHT * (WHITE / np.clip(white, DARKEST, WHITE)), np.float32)


def measure_paper_white(picture: Picture, pose: Pose, mat: Mat) -> NDArray[np.float64] | None:
    """Return how blue, green and red (3,) the tiles' paper is, None if none of it is in view."""
    pixels, inside = _paper_pixels(pose, mat, picture.shape[:2])
    seen = picture[pixels[..., 1], pixels[..., 0]]  # tiles, places, 3
    whites = [_median(tile[there]) for tile, there in zip(seen, inside, strict=True) if there.any()]
    return _median(np.array(whites)) if whites else None  # a hand may lie on one tile


def _median(values: NDArray[Any]) -> NDArray[np.float64]:
    """Return the median along the first axis; numpy's own takes twenty times as long for so few."""
    ordered = np.sort(values, axis=0).astype(np.float64)
    return np.asarray((ordered[(len(values) - 1) // 2] + ordered[len(values) // 2]) / 2)


def is_overexposed(light: Light, known: Light | None = None) -> bool:
    """Return whether the lamp overexposes paper in one colour and leaves another dim.

    Then that colour is lost wherever it is bright: what is seen has other hues than it has.  Who
    has learned in the very same light (*known*) has learned these hues.
    """
    gains = light[128] / 128.0
    if not (gains.min() <= 1.0 and gains.max() > ONE_SIDED):
        return False
    return known is None or not is_same_illuminant(light[128], known[128])


def is_same_illuminant(gains: NDArray[np.floating], known: NDArray[np.floating]) -> bool:
    """Return whether a lamp with such *gains* (3,) of blue, green and red is the *known* one."""
    return bool(np.abs(gains / known - 1.0).max() <= SAME_LAMP)


@lru_cache(maxsize=4)
def _paper_pixels(
    pose: Pose, mat: Mat, shape: tuple[int, int]
) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """Return where (tiles, places, 2) paper is seen, and which of the places are in view."""
    away = mat.marker_mm / 2 + MARGIN_MM
    edge = [(along * mat.marker_mm, side * away) for side in (-1, 1) for along in ALONG]
    around = np.array(edge + [(y, x) for x, y in edge])
    places = (np.array(mat.centres)[:, None] + around).reshape(-1, 2)
    pixels = np.round(pose.project(np.column_stack([places, np.zeros(len(places))])))
    limit = np.array(shape[::-1]) - 1
    inside = np.all((pixels >= 0) & (pixels <= limit), axis=1).reshape(-1, len(around))
    within = np.clip(pixels, 0, limit).astype(np.intp)
    return within.reshape(-1, len(around), 2), inside
