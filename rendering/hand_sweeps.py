"""Render what a phone sees that is moved across a hand of cards: it shakes, turns and blurs.

The hand lies still in one light; each picture shows a part of it or all. Nothing is photographed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rendering.card_grounds import Levels
from rendering.hand_printers import Printer
from rendering.hand_scenes import LaidCard, draw_hand, expose, light
from rendering.prints import Print, Random

PICTURES: Final = 15
HAND_PX: Final = 2400
"""The longer side of what the pictures are taken of."""
LONG_PX: Final = 1280
"""The longer side of a picture, as the page sends it."""
SHOWN: Final = (0.62, 1.0)
"""How much of the longer side a picture shows, from nearest to farthest."""
EXPOSURE_S: Final = (1 / 120, 1 / 24)
SHAKE_PX_PER_S: Final = 120.0
"""Standard deviation of the speed of a hand that shakes, in each direction."""


@dataclass(frozen=True, slots=True, eq=False)
class SweepScene:
    """The pictures of one hand, in order.  cards: from the lowest to the one on top of all."""

    pictures: tuple[Print, ...]
    kind: str
    cards: tuple[LaidCard, ...]


def render_sweep(
    random: Random, printer: Printer, grounds: Sequence[Print], count: int, kind: str = ""
) -> SweepScene:
    """Return what a phone sees in some seconds that is moved across a hand of *count* cards."""
    hand, kind, cards = draw_hand(random, printer, grounds, kind, count, HAND_PX)
    lit = light(random, hand)
    exposure_s = random.uniform(*EXPOSURE_S)
    wide = lit.shape[1] > lit.shape[0]
    size = (LONG_PX, round(LONG_PX * 0.75))[:: 1 if wide else -1]
    pictures = []
    for aim in _move(random, (lit.shape[1], lit.shape[0])):
        seen = cv2.warpPerspective(lit, aim, size, borderMode=cv2.BORDER_REPLICATE)
        way_px = random.normal(0, SHAKE_PX_PER_S, 2) * exposure_s
        blurred = _smear(np.asarray(seen, np.float32), way_px)
        pictures.append(expose(random, blurred * np.float32(np.exp(random.normal(0, 0.06)))))
    return SweepScene(tuple(pictures), kind, cards)


def _move(random: Random, size: tuple[int, int]) -> Iterator[NDArray[np.float64]]:
    """Yield the homography (3, 3) from the hand, *size* pixels large, to each picture."""
    along = random.permutation([1.0, 0.35]) * random.choice([-1.0, 1.0], 2)
    near, yaw = random.uniform(*SHOWN), random.normal(0, 6.0)
    tilt = random.normal(0, 0.1, 2)
    for step in np.linspace(-1, 1, PICTURES):
        near = float(np.clip(near + random.normal(0, 0.03), *SHOWN))
        yaw, tilt = yaw + random.normal(0, 1.5), 0.9 * tilt + random.normal(0, 0.04, 2)
        free = (1 - near) / 2 + 0.03
        middle = np.array(size) * (0.5 + free * step * along + random.normal(0, 0.012, 2))
        scale = LONG_PX / (near * max(size))
        cos, sin = scale * np.cos(np.radians(yaw)), scale * np.sin(np.radians(yaw))
        turn = np.array([[cos, -sin], [sin, cos]])
        wide = np.array(size) * LONG_PX / max(size) / 2
        flat = np.eye(3)
        flat[:2, :2], flat[:2, 2] = turn, -turn @ middle
        tilted = np.array([[1, 0, 0], [0, 1, 0], [*(tilt / LONG_PX * 2), 1]])
        centred = np.array([[1, 0, wide[0]], [0, 1, wide[1]], [0, 0, 1]])
        yield centred @ tilted @ flat


def _smear(picture: Levels, way_px: NDArray[np.float64]) -> Levels:
    """Return *picture* as a sensor takes it that moves by *way_px* meanwhile."""
    reach = int(np.ceil(np.abs(way_px).max())) + 1
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    for share in np.linspace(-0.5, 0.5, 8 * reach):
        x, y = np.round(reach + share * way_px).astype(int)
        kernel[y, x] += 1
    return np.asarray(cv2.filter2D(picture, -1, kernel / kernel.sum()), np.float32)
