"""A zoom or focus ring that was turned: all tiles move outwards from the picture's middle, or in.

A camera that comes nearer to a table shows it larger too, but from a slant its near side grows by
more than its far side. Only what no move of the camera explains is a turned ring; one over a camera
that looks straight down cannot be told from a move.
"""

from collections.abc import Mapping
from typing import Final

import numpy as np

from vision.geometry.pose import Markers, Points, Pose, fit_pose, unproject

MIN_ZOOM: Final = 0.02
"""A smaller change of the picture's scale is not looked for: breathing of an autofocus."""
MAX_MISS_PX: Final = 0.6
"""Root mean square by which corners may miss where the ring would take them."""
CLEARLY: Final = 3.0
"""A move of the camera misses the corners by so many times more."""
MAX_ASIDE: Final = 0.05
"""How far from the middle the point may lie from which all move: a share of the longer side."""


def find_zoom(
    matrix: Points, before: Pose, old: Mapping[int, Points], new: Mapping[int, Points]
) -> float | None:
    """Return by what factor a ring changed the picture's scale, None unless that is certain.

    matrix: the camera's, before.  before: its pose then.  old, new: the corners (4, 2) of the tiles
    then and now, in pixels by marker id.
    """
    tiles = [tile for tile in old if tile in new]
    if len(tiles) < 3:
        return None
    then = np.concatenate([old[tile] for tile in tiles])
    now = np.concatenate([new[tile] for tile in tiles])
    middle, at = then.mean(axis=0), now.mean(axis=0)
    factor = float(((then - middle) * (now - at)).sum() / ((then - middle) ** 2).sum())
    if abs(factor - 1.0) < MIN_ZOOM:
        return None
    still = (at - factor * middle) / (1.0 - factor)
    if float(np.abs(still - matrix[:2, 2]).max()) > MAX_ASIDE * 2.0 * float(matrix[:2, 2].max()):
        return None
    missed = _rms(at + factor * (then - middle) - now)
    known = {tile: unproject(before, old[tile]) for tile in tiles}
    moved = fit_pose(matrix, Markers({tile: new[tile] for tile in tiles}, known))
    if missed > MAX_MISS_PX or moved is None:
        return None
    flat = np.concatenate([known[tile] for tile in tiles])
    by_move = _rms(moved.project(np.column_stack([flat, np.zeros(len(flat))])) - now)
    return factor if by_move > CLEARLY * max(missed, MAX_MISS_PX / CLEARLY) else None


def _rms(apart: Points) -> float:
    return float(np.sqrt((apart**2).sum(axis=1).mean()))
