"""Corner tiles as a lens shows them, for tests: drawn as points, with the errors of people."""

import math
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.geometry.pose import Markers, camera_matrix, to_opencv_points

Points = NDArray[np.float64]
SHAPE: Final = (864, 1536, 3)
TILE_MM: Final = 40.0
NOISE_PX: Final = 0.2
ASIDE_MM: Final = 0.7
ASKEW: Final = math.radians(0.7)


def square(x: float, y: float, side_mm: float = TILE_MM) -> Points:
    """Return the corners (4, 2) of a tile whose middle is at *x*, *y* in mm."""
    half = side_mm / 2
    corners = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
    return np.asarray(corners + np.array([x, y]), np.float64)


@dataclass(frozen=True)
class DrawnLens:
    """A lens of *hfov_deg*, with radial distortion *k1* and its centre *beside* the middle."""

    hfov_deg: float
    k1: float = 0.0
    beside: tuple[float, float] = (0.0, 0.0)

    @property
    def focal_px(self) -> float:
        """The focal length."""
        return SHAPE[1] / 2 / math.tan(math.radians(self.hfov_deg) / 2)

    def show(self, flat: Points, rotation: Points, translation: Points) -> Points:
        """Return the pixels (n, 2) at which points (n, 2) of a plane are seen."""
        middle = (SHAPE[1] - 1) / 2 + self.beside[0], (SHAPE[0] - 1) / 2 + self.beside[1]
        matrix = np.array([[self.focal_px, 0, middle[0]], [0, self.focal_px, middle[1]], [0, 0, 1]])
        pixels, _ = cv2.projectPoints(
            to_opencv_points(flat), rotation, translation, matrix, np.array([self.k1, 0.0, 0.0, 0])
        )
        return np.asarray(pixels, np.float64).reshape(-1, 2)

    def look(self, slant_deg: float, seed: int) -> Markers:
        """Return four tiles on a table, seen from *slant_deg* beside straight above.

        The mat fills the picture as far as it may.
        """
        random = np.random.default_rng(seed)
        known = {
            tile: square(x, y)
            for tile, (x, y) in enumerate([(0, 0), (400, 0), (400, 300), (0, 300)])
        }
        slant, towards = math.radians(slant_deg), random.uniform(0.0, 2.0 * math.pi)
        away_mm = 640.0 * self.focal_px / SHAPE[1] * (1.0 + 0.6 * math.sin(slant))
        axis = np.array([math.cos(towards), math.sin(towards), 0.0]) * slant
        rotation = np.asarray(cv2.Rodrigues(axis)[0]) @ np.diag([1.0, -1.0, -1.0])
        middle = to_opencv_points(np.array([[200.0, 150.0]]))[0]
        translation = np.array([0.0, 0.0, away_mm]) - rotation @ middle
        seen = {}
        for tile, corners in known.items():
            x, y = corners.mean(axis=0) + random.normal(0.0, ASIDE_MM, 2)
            turn = random.normal(0.0, ASKEW)
            turned = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
            laid = square(0.0, 0.0) @ turned.T + (x, y)
            pixels = self.show(laid, np.asarray(cv2.Rodrigues(rotation)[0]), translation)
            seen[tile] = pixels + random.normal(0.0, NOISE_PX, pixels.shape)
        return Markers(seen, known)

    def hold(self, side_mm: float, away_mm: float, seed: int) -> Markers:
        """Return one tile that is held before the lens, tilted by 20 to 45 degrees."""
        random = np.random.default_rng(seed)
        tilt, towards = math.radians(random.uniform(20.0, 45.0)), random.uniform(0.0, 2.0 * math.pi)
        axis = np.array([math.cos(towards), math.sin(towards), 0.0]) * tilt
        rotation = np.asarray(cv2.Rodrigues(axis)[0]) @ np.diag([1.0, -1.0, -1.0])
        translation = (
            np.array([random.uniform(-0.2, 0.2), random.uniform(-0.1, 0.1), 1.0]) * away_mm
        )
        flat = square(0.0, 0.0, side_mm)
        pixels = self.show(flat, np.asarray(cv2.Rodrigues(rotation)[0]), translation)
        return Markers({9: pixels + random.normal(0.0, NOISE_PX, pixels.shape)}, {9: flat})


class Fisheye(DrawnLens):
    """One that shows angles as lengths, as lenses of more than 120 degrees have to."""

    @property
    def focal_px(self) -> float:
        """How many pixels a radian has."""
        return SHAPE[1] / 2 / math.radians(self.hfov_deg / 2)

    def show(self, flat: Points, rotation: Points, translation: Points) -> Points:
        """Return the pixels (n, 2) at which points (n, 2) of a plane are seen."""
        middle = (SHAPE[1] - 1) / 2, (SHAPE[0] - 1) / 2
        matrix = np.array([[self.focal_px, 0, middle[0]], [0, self.focal_px, middle[1]], [0, 0, 1]])
        points = to_opencv_points(flat)[:, None]
        pixels, _ = cv2.fisheye.projectPoints(points, rotation, translation, matrix, np.zeros(4))
        return np.asarray(pixels, np.float64).reshape(-1, 2)


def bend(picture: Picture, hfov_deg: float, k1: float, pinhole_deg: float | None = None) -> Picture:
    """Return *picture*, taken by a pinhole, as a lens with radial distortion shows it.

    What the pinhole did not show is filled with what lies at its edge.
    pinhole_deg: its field of view, if it is another than that of the lens.
    """
    matrix = camera_matrix(hfov_deg, picture.shape)
    rows, columns = np.indices(picture.shape[:2], np.float64)
    seen = np.stack([columns.ravel(), rows.ravel()], axis=1)
    focal_px, middle = matrix[0, 0], matrix[:2, 2]
    seen_r = np.linalg.norm(seen - middle, axis=1) / focal_px
    true_r = np.linspace(0.0, 1.5 * seen_r.max(), 4000)
    shown_r = np.maximum.accumulate(true_r * (1.0 + k1 * true_r**2))
    outwards = np.interp(seen_r, shown_r, true_r) / np.maximum(seen_r, 1e-9)
    nearer = camera_matrix(pinhole_deg or hfov_deg, picture.shape)[0, 0] / focal_px
    source = (middle + (seen - middle) * outwards[:, None] * nearer).astype(np.float32)
    map_x, map_y = (source[:, axis].reshape(picture.shape[:2]) for axis in (0, 1))
    bent = cv2.remap(picture, map_x, map_y, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(bent, np.uint8)
