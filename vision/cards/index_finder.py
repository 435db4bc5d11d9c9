"""Indices in the corners of cards in any photograph, located by a small network.

In a fan hardly more than this corner of a card is seen. The network was trained on rendered hands
only (`training/train_hands.py`). It says where an index is, covered in part or not, where the
middle of its card is from there, which tells how the card lies and how large it is, and which
pixels show a card of the game.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.cards.card_corners import find_peaks
from vision.cards.card_rectification import CARD
from vision.geometry.pose import Points
from vision.inference import load_network

MODEL: Final = Path(__file__).parents[1] / "models" / "card-indices.onnx"
LONG_PX: Final = 640
"""The longer side of the network's input."""
STRIDE_PX: Final = 4
"""Side of the square of the input that one cell of the output stands for."""
BLOCK_PX: Final = 32
"""The input's sides are multiples of this."""
REACH_PX: Final = 64.0
"""What a way of 1 in the output is."""
MIN_HEAT: Final = 0.3
"""From which probability on an index may be somewhere."""
NEAR: Final = 0.14
"""Two are one if they are nearer than this share of the way to the middle of their card."""
MIN_WAY_PX: Final = 12.0
"""Least way to the middle of a card in the input; a smaller card cannot be read."""
MAX_INDICES: Final = 80
INDEX_MM: Final = np.array([9.0, 10.5])
"""Where the place of an index is on its card, which networks are taught; prints differ by a mm."""
MIDDLE_MM: Final = np.array([CARD.w, CARD.h]) / 2 - INDEX_MM
"""The way from there to the card's middle."""
CROP_PX, CROP_MM = 48, 25.0
"""Side of the square around an index that is classified, in pixels and on the card."""


@dataclass(frozen=True, slots=True, eq=False)
class IndexPlace:
    """Where an index may be.

    at: (2,) pixels.  to_middle: (2,) the way from there to the middle of its card.  score: 0 to 1.
    """

    at: Points
    to_middle: Points
    score: float

    @property
    def axes(self) -> Points:
        """(2, 2): in its columns the pixels of a mm across and down the upright card."""
        (x, y), (a, b) = self.to_middle, MIDDLE_MM
        turn = np.array([[a * x + b * y, b * x - a * y], [a * y - b * x, a * x + b * y]])
        return np.asarray(turn / (a * a + b * b))


def shrink_to_input(picture: Picture) -> tuple[Picture, float]:
    """Return *picture* as the network sees it, grey beyond its edges, and by how much smaller."""
    rows, columns = picture.shape[:2]
    scale = LONG_PX / max(rows, columns)
    size = (max(1, round(columns * scale)), max(1, round(rows * scale)))
    how = cv2.INTER_AREA if scale < 1.0 else cv2.INTER_LINEAR
    small = cv2.resize(picture, size, interpolation=how)
    below, right = (-each % BLOCK_PX for each in small.shape[:2])
    grey = (114, 114, 114)
    padded = cv2.copyMakeBorder(small, 0, below, 0, right, cv2.BORDER_CONSTANT, value=grey)
    return np.asarray(padded, np.uint8), scale


def find_indices(picture: Picture) -> tuple[list[IndexPlace], NDArray[np.float32], float]:
    """Return where in *picture* (rows, columns, 3) uint8 indices may be, likeliest first.

    And the probability (rows, columns) float32 that a cell shows a card, and the pixels of a cell.
    """
    canvas, scale = shrink_to_input(picture)
    levels = np.ascontiguousarray(canvas.transpose(2, 0, 1)[None])
    (maps,) = load_network(MODEL).run(levels=levels)
    heat, card = 1.0 / (1.0 + np.exp(-maps[0, [0, 3]]))
    across, down = maps[0, 1:3]
    found: list[IndexPlace] = []
    peaks = find_peaks(heat, MIN_HEAT, MAX_INDICES)
    for score, cell in zip(peaks.heats.tolist(), peaks.places, strict=True):
        column, row = np.clip(np.round(cell).astype(int), 0, np.array(heat.shape[::-1]) - 1)
        way = np.array([across[row, column], down[row, column]], np.float64) * REACH_PX
        at = (cell + 0.5) * STRIDE_PX / scale - 0.5
        place = IndexPlace(at, way / scale, score)
        if np.hypot(*way) > MIN_WAY_PX and all(_are_apart(place, other) for other in found):
            found.append(place)
    return found, card, STRIDE_PX / scale


def crop_index(picture: Picture, place: IndexPlace, grow: float = 1.0) -> Picture:
    """Return the square (CROP_PX, CROP_PX, 3) uint8 around *place* with its card upright.

    grow: how much larger the part of the card is that it shows.
    """
    axes = place.axes * grow * CROP_MM / CROP_PX
    step = float(np.hypot(*axes[:, 0]))
    reach = 0.75 * step * CROP_PX + 2
    low = np.maximum(np.floor(place.at - reach), 0).astype(int)
    high = np.ceil(place.at + reach).astype(int)
    part, at = picture[low[1] : high[1], low[0] : high[0]], place.at - low
    if step > 1.5 and part.size:  # so that no pixel is skipped
        size = (
            max(1, round(part.shape[1] * 1.5 / step)),
            max(1, round(part.shape[0] * 1.5 / step)),
        )
        scale = np.array(size) / np.array(part.shape[1::-1])
        part = np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA), np.uint8)
        at, axes = (at + 0.5) * scale - 0.5, scale[:, None] * axes
    if not part.size:
        return np.full((CROP_PX, CROP_PX, 3), 114, np.uint8)
    warp = np.column_stack([axes, at - axes @ np.full(2, (CROP_PX - 1) / 2)])
    crop = cv2.warpAffine(
        part, warp, (CROP_PX, CROP_PX), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderValue=(114, 114, 114),
    )  # fmt: skip
    return np.asarray(crop, np.uint8)


def _are_apart(one: IndexPlace, other: IndexPlace) -> bool:
    return float(np.hypot(*(one.at - other.at))) > NEAR * float(np.hypot(*other.to_middle))
