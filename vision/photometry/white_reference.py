"""White balance by the corner tiles' paper: the illumination before anything was calibrated."""

from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.geometry.layout import Mat
from vision.geometry.pose import Pose
from vision.photometry.chromaticity import IDENTITY_CORRECTION, ColourCorrection
from vision.photometry.rim_white import measure_rim_white

PAPER_OFFSET_MM: Final = 2.6
"""Distance of the samples from the marker's black square: the middle of 5 mm of white paper."""
SIDE_SAMPLES: Final = (-0.4, -0.2, 0.0, 0.2, 0.4)
"""Where along each side paper is sampled, as shares of its length."""
WHITE_RANGE_LEVELS: Final = (40.0, 240.0)
"""Levels of paper that are corrected, to the upper one: white in a well exposed picture."""
SATURATED_LEVEL: Final = 250.0
"""Paper as bright as this may be brighter than the sensor can show."""
MIN_SATURATED_CAST: Final = 1.25
"""Gain of another channel from which on paper that is saturated in one has lost its hue."""
MAX_ILLUMINANT_DIFFERENCE: Final = 0.06
"""Relative difference of each channel's gain between two pictures under the same lamp."""


def estimate_white_balance(picture: Picture, pose: Pose, mat: Mat) -> ColourCorrection:
    """Return the correction that makes the tiles' paper white and well exposed."""
    white = measure_paper_white(picture, pose, mat)
    if white is None:
        return IDENTITY_CORRECTION
    target = WHITE_RANGE_LEVELS[1]
    return np.asarray(
        IDENTITY_CORRECTION * (target / np.clip(white, *WHITE_RANGE_LEVELS)), np.float32
    )


def gains_of(correction: ColourCorrection) -> NDArray[np.float32]:
    """Return the gains (3,) of blue, green and red by which *correction* raises a mid tone."""
    return np.asarray(correction[128] / 128.0, np.float32)


def measure_paper_white(picture: Picture, pose: Pose, mat: Mat) -> NDArray[np.float64] | None:
    """Return the levels (3,) of the tiles' paper, or None if none of it is in view.

    Of a table that was fitted by corners, what its rim says about it.
    """
    if mat.fit is not None:
        return measure_rim_white(picture, pose, mat.fit)
    pixels, inside = _paper_pixels(pose, mat, picture.shape[:2])
    seen = picture[pixels[..., 1], pixels[..., 0]]  # tiles, samples, 3
    whites = [_median(tile[there]) for tile, there in zip(seen, inside, strict=True) if there.any()]
    return _median(np.array(whites)) if whites else None  # a hand may lie on one tile


def _median(values: NDArray[Any]) -> NDArray[np.float64]:
    """Return the median along the first axis; numpy's own takes twenty times as long for so few."""
    ordered = np.sort(values, axis=0).astype(np.float64)
    return np.asarray((ordered[(len(values) - 1) // 2] + ordered[len(values) // 2]) / 2)


def is_overexposed(correction: ColourCorrection, known: ColourCorrection | None = None) -> bool:
    """Return whether paper is saturated in one channel and dim in another.

    Then bright surfaces lose their hue.  known: the white balance of the calibration: colours
    learned under the same illuminant are recognised all the same.
    """
    gains = gains_of(correction)
    if not (gains.min() <= 1.0 and gains.max() > MIN_SATURATED_CAST):
        return False
    return known is None or not is_same_illuminant(gains, gains_of(known))


def is_same_illuminant(gains: NDArray[np.floating], known: NDArray[np.floating]) -> bool:
    """Return whether white balances with such *gains* (3,) are of the same illuminant."""
    return bool(np.abs(gains / known - 1.0).max() <= MAX_ILLUMINANT_DIFFERENCE)


@lru_cache(maxsize=4)
def _paper_pixels(
    pose: Pose, mat: Mat, shape: tuple[int, int]
) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """Return the pixels (tiles, samples, 2) of paper, and which of them are in view."""
    away = mat.marker_mm / 2 + PAPER_OFFSET_MM
    edge = [(along * mat.marker_mm, side * away) for side in (-1, 1) for along in SIDE_SAMPLES]
    around = np.array(edge + [(y, x) for x, y in edge])
    points = (np.array(mat.centres)[:, None] + around).reshape(-1, 2)
    pixels = np.round(pose.project(np.column_stack([points, np.zeros(len(points))])))
    limit = np.array(shape[::-1]) - 1
    inside = np.all((pixels >= 0) & (pixels <= limit), axis=1).reshape(-1, len(around))
    within = np.clip(pixels, 0, limit).astype(np.intp)
    return within.reshape(-1, len(around), 2), inside
