"""The lens measured with a tile in the hand: each slanted, sharp picture of it tells a little.

A tile is a square of whatever size, and each of its pictures has a pose of its own: so any printed
tile will do, and it matters neither which is held nor whether the same one lies on the table too.
"""

from enum import Enum
from typing import Final

import cv2
import numpy as np

from vision.geometry.lens import UNKNOWN, Lens, NoSuchLens, measure_lens
from vision.geometry.pose import Markers, Points, begin_pose, camera_matrix
from vision.geometry.table_view import TableView
from vision.geometry.tile_looks import look_at_tile

ENOUGH_ERROR: Final = 0.01
"""A focal length known so well needs no more pictures."""
CORNER_SIGMA_PX: Final = 0.2
"""Standard error of the corners of a tile in the hand.

Drawn, under a blur of 1.2 px and 3 px of motion, by a curve of levels that is not quite the one
reckoned with, they are off by 0.15 px; a sensor that is read row by row comes to that.  See
docs/accuracy.md#lenses.
"""
MIN_SIDE_PX: Final = 60.0
"""A smaller tile's perspective is lost in the noise."""
MIN_STEEPNESS: Final = 0.14
"""Of a tile's edges, see `Meters`: less is a blur of more than three pixels."""
SLANTS_DEG: Final = (15.0, 65.0)
"""Between a held tile and the picture's plane: less tells nothing, more is badly seen."""
MAX_MOVED: Final = 0.2
"""Between two pictures a tile that is held still moves by less than this share of its side: a
sensor is read row by row, so that one that moves fast is seen askew."""
MIN_NEWS: Final = 0.1
"""A corner must have moved by this share of the side for a picture to tell something new."""
MAX_REFUSED: Final = 3
"""So many pictures in a row that no lens shows beside the others: then those are wrong."""
UNIT: Final = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * 40.0


class Sight(Enum):
    """What a tile in a picture is good for."""

    NO_TILE = "no tile"
    SMALL = "small"
    FLAT = "flat"
    BLURRED = "blurred"
    MOVING = "moving"
    KNOWN = "known"
    TAKEN = "taken"


class HeldTile:
    """Measures a lens from pictures of a tile in the hand, all of one shape.

    prior: what is known of the lens without it.  lens: what is known by now.
    taken: how many looks at a tile have counted.
    """

    def __init__(self, prior: Lens = UNKNOWN) -> None:
        self._prior = prior
        self.lens = prior
        self._taken: list[Markers] = []
        self._before: list[Points] = []
        self._refused = 0

    @property
    def taken(self) -> int:
        """How many looks at a tile have counted."""
        return len(self._taken)

    @property
    def is_enough(self) -> bool:
        """Whether the lens is known as well as it need be."""
        return self.taken > 0 and self.lens.error <= ENOUGH_ERROR

    def look(self, view: TableView) -> Sight:
        """Take what *view* shows, and return what its nearest tile is good for."""
        tiles = sorted(view.find_each_marker(), key=_side_px)
        before, self._before = self._before, tiles
        sights = [self._judge(view, tile, before) for tile in tiles]
        counted = [
            self._take(tile, view.shape)
            for tile, sight in zip(tiles, sights, strict=True)
            if sight is Sight.TAKEN
        ]
        if any(counted):
            return Sight.TAKEN
        last = sights[-1] if sights else Sight.NO_TILE
        return Sight.MOVING if last is Sight.TAKEN else last

    def _judge(self, view: TableView, tile: Points, before: list[Points]) -> Sight:
        faults = {
            Sight.SMALL: _side_px(tile) < MIN_SIDE_PX,
            Sight.FLAT: not self._is_slanted(tile, view.shape),
            Sight.BLURRED: not _is_sharp(view, tile),
            Sight.MOVING: not _is_among(tile, before, MAX_MOVED),
            Sight.KNOWN: _is_among(tile, [each.seen[0] for each in self._taken], MIN_NEWS),
        }
        return next((why for why, holds in faults.items() if holds), Sight.TAKEN)

    def _is_slanted(self, tile: Points, shape: tuple[int, ...]) -> bool:
        matrix = camera_matrix(self.lens.hfov_deg, shape)
        begun = begin_pose(matrix, Markers({0: tile}, {0: UNIT}))
        if begun is None:
            return False
        upright = abs(float(np.asarray(cv2.Rodrigues(begun[:3])[0])[2, 2]))
        slant_deg = float(np.degrees(np.arccos(np.clip(upright, 0.0, 1.0))))
        return SLANTS_DEG[0] <= slant_deg <= SLANTS_DEG[1]

    def _take(self, tile: Points, shape: tuple[int, ...]) -> bool:
        """Count *tile*; return whether it agrees with the others."""
        views = [*self._taken, Markers({0: tile}, {0: UNIT})]
        try:
            self.lens = measure_lens(views, shape, self._prior, CORNER_SIGMA_PX)
        except NoSuchLens:
            self._refused += 1
            if self._refused >= MAX_REFUSED:
                self._taken, self._refused, self.lens = [], 0, self._prior
            return False
        self._taken, self._refused = views, 0
        return True


def _side_px(tile: Points) -> float:
    return float(np.linalg.norm(tile - np.roll(tile, 1, axis=0), axis=1).min())


def _is_sharp(view: TableView, tile: Points) -> bool:
    look = look_at_tile(view.picture, tile)
    return look is not None and look.steepness >= MIN_STEEPNESS


def _is_among(tile: Points, others: list[Points], share: float) -> bool:
    """Return whether one of *others* has each corner within that *share* of the side."""
    near_px = share * _side_px(tile)
    return any(float(np.abs(tile - other).max()) < near_px for other in others)
