"""Alterations: the same table in other light, through another lens or by a turned camera.

An altered picture has the same truth, so readers can be tested on far more
pictures than were taken. A picture's name and a number decide how it is altered: the same two give
the same picture again.
"""

import math
import zlib
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture

Random: TypeAlias = np.random.Generator
Levels: TypeAlias = NDArray[np.float32]
"""(rows, columns, 3), blue green red, about 0 to 255."""
Alteration: TypeAlias = Callable[[Levels, Random], Levels]

HFOV_DEG: Final = 66.0
"""A camera is turned as one with this field of view would be; others' pictures bend a little."""
TWICE: Final = 0.5
"""Share of pictures that two things happen to."""
GRAIN: Final = (3.0, 14.0)
"""How strong the noise may be, as the standard deviation of a level."""


def alter(picture: Picture, name: str, number: int) -> Picture:
    """Return *picture*, named *name*, as one or two changes leave it; perhaps in fewer pixels."""
    random = np.random.default_rng([number, zlib.crc32(name.encode())])
    count = 2 if random.random() < TWICE else 1
    levels = picture.astype(np.float32)
    # In the order of the world: light, then the camera, its lens, its sensor and what packs it.
    for which in sorted(random.choice(len(ALTERATIONS), count, replace=False)):
        levels = tuple(ALTERATIONS.values())[which](levels, random)
    return as_picture(levels)


def as_picture(levels: Levels) -> Picture:
    """Return *levels* as a sensor quantises them."""
    return np.clip(np.rint(levels), 0, 255).astype(np.uint8)


def _light(levels: Levels, random: Random) -> Levels:
    """Return the same in more or less light, and in light of another colour."""
    colour = np.exp(random.normal(0.0, 0.12, 3))
    return levels * (colour * random.uniform(0.55, 1.4)).astype(np.float32)


def _tones(levels: Levels, random: Random) -> Levels:
    """Return the same by another tone curve."""
    power = math.exp(random.uniform(-0.35, 0.35))
    return np.asarray(255.0 * (np.clip(levels, 0, 255) / 255.0) ** power, np.float32)


def _shadow(levels: Levels, random: Random) -> Levels:
    """Return the same with a bluish band of shadow, as of someone in front of a lamp."""
    x, y = _from_middle(levels, random.uniform(-0.25, 0.25, 2))
    angle = random.uniform(0.0, math.pi)
    away = np.abs(x * math.cos(angle) + y * math.sin(angle))
    soft = math.exp(random.uniform(math.log(0.002), math.log(0.03)))
    shade = 1.0 / (1.0 + np.exp(np.clip((away - random.uniform(0.03, 0.12)) / soft, -50, 50)))
    light = 1.0 - random.uniform(0.15, 0.6) * shade
    return np.asarray(levels * light[..., None] ** np.array([0.95, 1.0, 1.05]), np.float32)


def _corners(levels: Levels, random: Random) -> Levels:
    """Return the same through a lens that leaves the corners dark."""
    x, y = _from_middle(levels, random.uniform(-0.1, 0.1, 2))
    return np.asarray(
        levels * (1.0 - random.uniform(0.4, 1.4) * (x**2 + y**2))[..., None], np.float32
    )


def _turn(levels: Levels, random: Random) -> Levels:
    """Return the same by a camera turned about its own centre, by a few degrees."""
    return turned_by(levels, random.uniform(-1.0, 1.0, 3) * (3.0, 3.0, 15.0))


def turned_by(levels: Levels, angles_deg: NDArray[np.float64]) -> Levels:
    """Return the same by a camera turned by *angles_deg*: up, to the side, about its own axis."""
    height, width = levels.shape[:2]
    focal_px = width / 2 / math.tan(math.radians(HFOV_DEG / 2))
    lens = np.array([[focal_px, 0, (width - 1) / 2], [0, focal_px, (height - 1) / 2], [0, 0, 1]])
    turn, _ = cv2.Rodrigues(np.radians(angles_deg))
    move = lens @ turn @ np.linalg.inv(lens)
    turned = cv2.warpPerspective(levels, move, (width, height), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(turned, np.float32)


def _blur(levels: Levels, random: Random) -> Levels:
    """Return the same out of focus."""
    sigma_px = random.uniform(0.7, 2.0) * levels.shape[1] / 1536
    return np.asarray(cv2.GaussianBlur(levels, (0, 0), sigma_px), np.float32)


def _motion(levels: Levels, random: Random) -> Levels:
    """Return the same by a camera that shakes."""
    long_px = random.uniform(2.0, 7.0) * levels.shape[1] / 1536
    angle = random.uniform(0.0, math.pi)
    side = 2 * math.ceil(long_px / 2) + 3
    path = np.zeros((side, side), np.float32)
    for share in np.linspace(-0.5, 0.5, 65):
        x = side / 2 + share * long_px * math.cos(angle)
        y = side / 2 + share * long_px * math.sin(angle)
        path[int(y), int(x)] += 1.0
    return np.asarray(cv2.filter2D(levels, -1, path / path.sum()), np.float32)


def _pixels(levels: Levels, random: Random) -> Levels:
    """Return the same by a camera of fewer pixels."""
    share = random.uniform(0.55, 0.95)
    return np.asarray(
        cv2.resize(levels, None, fx=share, fy=share, interpolation=cv2.INTER_AREA), np.float32
    )


def _noise(levels: Levels, random: Random) -> Levels:
    """Return the same by a sensor in a dark room."""
    grain = random.standard_normal(levels.shape, np.float32)
    return levels + np.float32(random.uniform(*GRAIN)) * grain


def _pack(levels: Levels, random: Random) -> Levels:
    """Return the same as JPEG with strong compression."""
    quality = [cv2.IMWRITE_JPEG_QUALITY, int(random.integers(25, 80))]
    _, packed = cv2.imencode(".jpg", as_picture(levels), quality)
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.float32)


ALTERATIONS: Final[Mapping[str, Alteration]] = {
    "light": _light,
    "shadow": _shadow,
    "corners": _corners,
    "turned": _turn,
    "blur": _blur,
    "motion": _motion,
    "fewer pixels": _pixels,
    "noise": _noise,
    "tones": _tones,
    "packed": _pack,
}
"""All that may happen, by its name, in the order in which it does."""


def _from_middle(
    levels: Levels, off: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return how far right of and below a middle that is *off* each pixel lies, in widths."""
    height, width = levels.shape[:2]
    rows, columns = np.indices((height, width), sparse=True)
    x = columns / width - 0.5 - off[0]
    y = (rows - height / 2) / width - off[1]
    return x, y
