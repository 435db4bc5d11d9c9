"""A corner tile in the hand: drawn by a known pinhole camera into a picture of a table."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np

from tests.vision.lenses import TILE_MM, square
from vision.capture.frame import Picture
from vision.geometry.pose import Points, camera_matrix, to_opencv_points

CELL_PX = 24
"""Of a marker as it is drawn flat; 6 cells and a white one on each side."""
PAPER, INK = 225.0, 50.0
GRAIN = 3.0
GAMMA = 1.9
"""Another than is reckoned with: no camera's curve is known."""
MARGIN_PX = 20
FINER = 3
"""The tile is drawn so many times finer than the picture, as a sensor's pixels gather light."""


@dataclass(frozen=True)
class HeldTile:
    """Tile *number* with its middle at *middle_mm* before the camera, tilted by *tilt_deg*.

    towards_deg: which way it is tilted.  turn_deg: by how much in its own plane.
    """

    number: int
    middle_mm: tuple[float, float, float]
    tilt_deg: float
    towards_deg: float = 0.0
    turn_deg: float = 0.0

    def corners(self, hfov_deg: float, shape: tuple[int, ...], side_mm: float = TILE_MM) -> Points:
        """Return the pixels (4, 2) at which a square of *side_mm* around its middle is seen."""
        towards, tilt = math.radians(self.towards_deg), math.radians(self.tilt_deg)
        axis = np.array([math.cos(towards), math.sin(towards), 0.0]) * tilt
        turn = cv2.Rodrigues(np.array([0.0, 0.0, math.radians(self.turn_deg)]))[0]
        rotation = np.asarray(cv2.Rodrigues(axis)[0]) @ turn @ np.diag([1.0, -1.0, -1.0])
        points = to_opencv_points(square(0.0, 0.0, side_mm)) @ rotation.T + self.middle_mm
        pixels = points @ camera_matrix(hfov_deg, shape).T
        return np.asarray(pixels[:, :2] / pixels[:, 2:], np.float64)

    def draw(
        self,
        picture: Picture,
        hfov_deg: float,
        *,
        blur_px: float = 0.7,
        moved_px: tuple[float, float] = (0.0, 0.0),
        seed: int = 0,
    ) -> Picture:
        """Return *picture* with the tile in it.

        blur_px: standard deviation of the lens's blur.  moved_px: how far it moves while the
        picture is taken; its middle is where it is at half time.
        """
        tile = _draw_flat(self.number)
        side = len(tile)
        flat = np.array([[0, 0], [side, 0], [side, side], [0, side]]) - 0.5
        seen = self.corners(hfov_deg, picture.shape, TILE_MM * 8 / 6)
        low = np.maximum(np.floor(seen.min(axis=0)).astype(int) - MARGIN_PX, 0)
        high = np.minimum(np.ceil(seen.max(axis=0)).astype(int) + MARGIN_PX, picture.shape[1::-1])
        (left, top), (right, bottom) = low, high
        width, height = high - low
        finer = (seen - low + 0.5) * FINER - 0.5
        plane = cv2.getPerspectiveTransform(flat.astype(np.float32), finer.astype(np.float32))
        size = width * FINER, height * FINER
        light = np.asarray(cv2.warpPerspective(tile, plane, size), np.float32)
        cover = np.asarray(cv2.warpPerspective(np.ones_like(tile), plane, size), np.float32)
        drawn, covered = (
            cv2.resize(_smear(layer, blur_px, moved_px), (width, height), interpolation=3)[
                ..., None
            ]
            for layer in (light, cover)
        )
        # Light adds up, levels do not.
        behind = (picture[top:bottom, left:right] / 255.0) ** GAMMA * (1.0 - covered)
        mixed = 255.0 * np.clip(behind + drawn, 0.0, 1.0) ** (1.0 / GAMMA)
        mixed += np.random.default_rng(seed).normal(0.0, GRAIN, mixed.shape) * (covered > 0.0)
        whole = picture.copy()
        whole[top:bottom, left:right] = np.clip(np.rint(mixed), 0, 255).astype(np.uint8)
        return whole


def wave(number: int, seed: int, count: int, near: float = 0.26) -> Iterator[HeldTile]:
    """Yield how tile *number* is held: it rests for two pictures, then is tilted otherwise.

    near: its distance, in metres.
    """
    random = np.random.default_rng(seed)
    for _ in range(count):
        away = 1000.0 * near * random.uniform(0.9, 1.1)
        middle = random.uniform(-0.25, 0.25) * away, random.uniform(-0.12, 0.12) * away, away
        tilt = random.uniform(20.0, 45.0), random.uniform(0.0, 360.0), random.uniform(0.0, 360.0)
        held = HeldTile(number, middle, *tilt)
        yield held
        yield replace(held, tilt_deg=held.tilt_deg + random.uniform(-1.0, 1.0))


def _draw_flat(number: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    marker = cv2.aruco.generateImageMarker(dictionary, number, 6 * CELL_PX)
    framed = np.pad(marker, CELL_PX, constant_values=255)
    levels = INK + (PAPER - INK) / 255.0 * framed
    return np.asarray((levels / 255.0) ** GAMMA, np.float32)


def _smear(
    layer: np.ndarray[tuple[int, ...], np.dtype[np.float32]],
    blur_px: float,
    moved_px: tuple[float, float],
) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    blurred = cv2.GaussianBlur(layer, (0, 0), blur_px * FINER)
    way = np.array(moved_px) * FINER
    steps = math.ceil(float(np.abs(way).max()))
    if steps < 1:
        return np.asarray(blurred, np.float32)
    size = 2 * steps + 1
    kernel = np.zeros((size, size), np.float32)
    for share in np.linspace(-0.5, 0.5, 4 * steps + 1):
        kernel[round(steps + share * way[1]), round(steps + share * way[0])] += 1.0
    return np.asarray(cv2.filter2D(blurred, -1, kernel / kernel.sum()), np.float32)
