"""How far from the table a camera has to be: far enough for all tiles, near enough for its pieces.

A picture shows what its lens does, bent lines or not, although it was straightened since.
"""

import math
from collections.abc import Callable
from typing import Final

import cv2
import numpy as np

from vision.geometry.distortion import Distortion
from vision.geometry.layout import Mat
from vision.geometry.pose import Points, Pose, camera_matrix, extrinsics_of

AROUND_TILE: Final = 0.75
"""How far around a tile's middle has to be in view, in its black squares: it, its white rim, and
what people lay it wrong."""
MARGIN: Final = 0.02
"""What stays free at each edge of the picture, in its shorter sides: no mount stands still."""
RANGE_MM: Final = (50.0, 20_000.0)
STEPS: Final = 24
"""Of halving that range: to some micrometres."""
STRAIGHT_DOWN: Final = np.diag([1.0, 1.0, -1.0])
"""From the table's directions to the camera's, if the picture's right is the table's."""


def find_least_distance(
    mat: Mat, lens: Distortion, shape: tuple[int, ...], slant_deg: float
) -> float:
    """Return from which distance in mm, camera to middle of *mat*, a picture shows all tiles.

    The camera stands at the near or far side, its picture of *shape* upright.
    slant_deg: from straight above.
    """
    slant = math.radians(slant_deg)
    away = np.array([0.0, math.sin(slant), math.cos(slant)])
    return _find_least(
        lambda mm: _shows_all(STRAIGHT_DOWN, _middle(mat) + mm * away, mat, lens, shape)
    )


def find_most_distance(lens: Distortion, shape: tuple[int, ...], px_per_mm: float) -> float:
    """Return up to which distance in mm a mm that faces the camera has *px_per_mm* pixels."""
    return float(camera_matrix(lens.straight_hfov_deg, shape)[0, 0]) / px_per_mm


def find_least_height(pose: Pose, mat: Mat, lens: Distortion, shape: tuple[int, ...]) -> float:
    """Return from which height in mm above the table the camera of *pose* would show all tiles.

    It goes straight up or down from where it is, and is pointed at the middle of *mat*.
    """
    rotation, _ = extrinsics_of(pose, camera_matrix(lens.straight_hfov_deg, shape))
    x, y, _ = pose.camera
    return _find_least(lambda mm: _shows_all(rotation, np.array([x, y, mm]), mat, lens, shape))


def find_most_height(
    pose: Pose, mat: Mat, lens: Distortion, shape: tuple[int, ...], px_per_mm: float
) -> float:
    """Return up to which height in mm the same camera would show the middle well enough.

    px_per_mm: pixels of a mm that faces it.
    """
    distance_mm = find_most_distance(lens, shape, px_per_mm)
    aside = (pose.camera - _middle(mat))[:2]
    return math.sqrt(max(0.0, distance_mm**2 - float(aside @ aside)))


def find_cut_off(pose: Pose, mat: Mat, lens: Distortion, shape: tuple[int, ...]) -> list[int]:
    """Return which corners of *mat*, from the top left clockwise, have a tile that is cut off."""
    matrix = camera_matrix(lens.straight_hfov_deg, shape)
    rays = [
        (pose.project(square) - matrix[:2, 2]) / matrix[0, 0]
        for square in _squares(mat, mat.marker_mm / 2.0)
    ]
    return [at for at, each in enumerate(rays) if not _are_inside(each, lens, shape)]


def _middle(mat: Mat) -> Points:
    return np.array([mat.width / 2.0, mat.height / 2.0, 0.0])


def _squares(mat: Mat, half_mm: float) -> Points:
    """Return the corners (4, 4, 3) of a square around each tile's middle."""
    square = half_mm * np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]])
    middles = np.column_stack([np.array(mat.centres), np.zeros(len(mat.centres))])
    return np.asarray(middles[:, None] + square, np.float64)


def _shows_all(
    rotation: Points, camera: Points, mat: Mat, lens: Distortion, shape: tuple[int, ...]
) -> bool:
    """Return whether all tiles are in the picture once *camera* points at their middle.

    rotation: (3, 3) of its directions before; it is turned as little as may be.
    """
    view = rotation @ (_middle(mat) - camera)
    view /= np.linalg.norm(view)
    axis = np.cross(view, [0.0, 0.0, 1.0])
    sine = float(np.linalg.norm(axis))
    angle = math.atan2(sine, float(view[2]))
    turn = np.asarray(cv2.Rodrigues(axis / max(sine, 1e-12) * angle)[0], np.float64)
    points = _squares(mat, AROUND_TILE * mat.marker_mm).reshape(-1, 3)
    seen = (points - camera) @ (turn @ rotation).T
    if float(seen[:, 2].min()) <= 0.0:
        return False
    return _are_inside(seen[:, :2] / seen[:, 2:], lens, shape, MARGIN)


def _are_inside(
    rays: Points, lens: Distortion, shape: tuple[int, ...], margin: float = 0.0
) -> bool:
    """Return whether all *rays* (n, 2), x and y at a depth of 1, are in the picture.

    margin: what stays free at its edges, in its shorter sides.
    """
    sides = np.array([shape[1], shape[0]]) / max(shape[:2])
    half = math.tan(math.radians(lens.hfov_deg) / 2.0)
    edges = half * (sides - 2.0 * margin * sides.min())
    return bool(np.all(np.abs(lens.bend(rays)) <= edges))


def _find_least(shows_all: Callable[[float], bool]) -> float:
    """Return the least length in mm from which on a camera *shows_all*."""
    low, high = RANGE_MM
    for _ in range(STEPS):
        middle = (low + high) / 2.0
        low, high = (low, middle) if shows_all(middle) else (middle, high)
    return high
