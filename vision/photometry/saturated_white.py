"""White beyond saturation: how bright the tiles' paper would be, by the table around it."""

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.geometry.layout import Mat
from vision.geometry.pose import Points, Pose
from vision.photometry.white_reference import SATURATED_LEVEL, measure_paper_white

Levels: TypeAlias = NDArray[np.float64]
"""(points, 3): blue, green and red at points of the table."""

UNSATURATED_LEVELS: Final = (25, 230)
"""Levels whose ratio shows how much brighter the light is: neither noise nor saturated."""
MIN_SAMPLES: Final = 40
"""Points of the table that must have such levels in both pictures."""


class SaturatedWhite:
    """Extrapolates the level of paper from a reference picture in which it was known."""

    def __init__(self, mat: Mat, points: Points) -> None:
        """*points*: (n, 3) in mm on the table, where nothing is played."""
        self._mat, self._points = mat, points
        self._reference: tuple[Picture, Pose, NDArray[np.float64] | None] | None = None
        self._reference_levels: Levels | None = None

    def learn(self, picture: Picture, pose: Pose, white: NDArray[np.float64] | None) -> None:
        """Use *picture*, in which paper had the level *white* (3,), as reference from now on."""
        self._reference, self._reference_levels = (picture, pose, white), None

    def estimate(self, picture: Picture, pose: Pose) -> NDArray[np.float64] | None:
        """Return the level (3,) of paper, beyond 255 where it is saturated; None if unknown."""
        paper = measure_paper_white(picture, pose, self._mat)
        if paper is None or paper.max() < SATURATED_LEVEL:
            return paper
        if self._reference is None or self._reference[2] is None:
            return None
        if self._reference_levels is None:
            self._reference_levels = _sample(*self._reference[:2], self._points)
        gains = _median_gains(self._reference_levels, _sample(picture, pose, self._points))
        if gains is None:
            return None
        extrapolated = np.maximum(self._reference[2] * gains, paper)
        return np.asarray(np.where(paper >= SATURATED_LEVEL, extrapolated, paper), np.float64)


def measure_overexposure(white: NDArray[np.float64] | None) -> NDArray[np.float64] | None:
    """Return how many times brighter than the sensor's limit *white* paper is (3,), at least 1."""
    return None if white is None else np.maximum(white / 255.0, 1.0)


def _sample(picture: Picture, pose: Pose, points: Points) -> Levels:
    """Return the levels (n, 3) at *points*; 0 out of frame."""
    pixels = np.round(pose.project(points)).astype(np.intp)
    inside = np.all((pixels >= 0) & (pixels < picture.shape[1::-1]), axis=1)
    levels = np.zeros((len(points), 3))
    levels[inside] = picture[pixels[inside, 1], pixels[inside, 0]]
    return levels


def _median_gains(before: Levels, after: Levels) -> NDArray[np.float64] | None:
    """Return by how much each channel (3,) got brighter at the same points, None if unknown."""
    low, high = UNSATURATED_LEVELS
    usable = (np.minimum(before, after) >= low) & (np.maximum(before, after) <= high)
    if usable.sum(axis=0).min() < MIN_SAMPLES:
        return None
    channels = enumerate(usable.T)
    return np.array([np.median(after[each, at] / before[each, at]) for at, each in channels])
