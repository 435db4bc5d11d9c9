"""Which corner tiles still lie as they did, after something was moved.

A camera that moves, and a mat that is pushed with its tiles, take all tiles along; so a pose that
explains where all are seen, if need be through a lens that bends lines, is believed before any tile
is said to have slid.  Where none does, most tiles are believed, and of the others those that look
like a tile: a hand over an edge, a shadow's edge or coarse pixels make one that does not.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np

from vision.geometry.pose import Markers, Points, Pose, fit_pose, unproject
from vision.geometry.session_values import TILES_PER_MAT

MIN_SHIFT_MM: Final = 1.5
"""What moved by less has not moved."""
MIN_SLID_MM: Final = 3.0
"""A tile that slid by less does no harm: two thirds of what makes a reading fail."""
MAX_RESIDUAL_MM: Final = 1.0
"""Of a pose over tiles that lie where they were, and of a tile's corners that are measured well."""
BENDS: Final = np.linspace(-0.3, 0.3, 13)
"""How a lens may bend lines: how much nearer to the middle it shows what is as far from it as the
focal length, as a share."""
MIN_AGREEING: Final = 2
"""So many tiles are a pose, of eight corners, and no camera can move and leave so many in place."""


@dataclass(frozen=True, slots=True, eq=False)
class Agreement:
    """What most tiles agree on.

    pose: the camera's now, in the frame of the one that it had.
    tiles: those that lie as they did.
    slid: how far each of those has slid that do not, though measured well: (2,) in mm.
    """

    pose: Pose
    tiles: frozenset[int]
    slid: Mapping[int, Points]


@dataclass(frozen=True, slots=True, eq=False)
class _Tiles:
    """Tiles seen in two pictures: corners (4, 2) in pixels now, and in mm of the table before."""

    matrix: Points
    seen: Mapping[int, Points]
    known: Mapping[int, Points]

    def fit(self, tiles: Collection[int], max_residual_mm: float = MAX_RESIDUAL_MM) -> Pose | None:
        """Return the pose by which *tiles* lie as they did, None if they do not."""
        seen, known = ({tile: of[tile] for tile in tiles} for of in (self.seen, self.known))
        pose = fit_pose(self.matrix, Markers(seen, known))
        return None if pose is None or pose.residual_mm > max_residual_mm else pose

    def shift(self, tile: int, pose: Pose) -> Points:
        """Return how far the middle of *tile* is from where it was, (2,) in mm, seen by *pose*."""
        apart = unproject(pose, self.seen[tile]) - self.known[tile]
        return np.asarray(apart.mean(axis=0), np.float64)

    def list_slid(self, tiles: Collection[int], pose: Pose) -> Mapping[int, Points]:
        """Return how far those of *tiles* have slid that look like a tile, (2,) in mm."""
        shifts = {
            tile: self.shift(tile, pose)
            for tile in tiles
            if _distortion(unproject(pose, self.seen[tile]), self.known[tile]) <= MAX_RESIDUAL_MM
        }
        return {tile: way for tile, way in shifts.items() if np.linalg.norm(way) >= MIN_SLID_MM}

    def list_agreeing(self) -> Iterator[tuple[Pose, frozenset[int]]]:
        """Yield each pose by which the most tiles lie as they did, but not all, and these tiles."""
        for count in range(len(self.known) - 1, MIN_AGREEING - 1, -1):
            poses = [(self.fit(each), frozenset(each)) for each in combinations(self.known, count)]
            found = [(pose, tiles) for pose, tiles in poses if pose is not None]
            yield from found
            if found:
                return


def find_agreement(
    matrix: Points, pose: Pose, old: Mapping[int, Points], new: Mapping[int, Points]
) -> Agreement | None:
    """Return what the tiles agree on that two pictures show, None if on nothing.

    matrix: the camera's intrinsic matrix (3, 3).  pose: the camera's in the old picture.
    old, new: corners (4, 2) in pixels by marker id.
    """
    known = {tile: unproject(pose, corners) for tile, corners in old.items() if tile in new}
    if len(known) < MIN_AGREEING:
        return None
    tiles = _Tiles(matrix, new, known)
    shifts = {tile: float(np.linalg.norm(tiles.shift(tile, pose))) for tile in known}
    in_place = frozenset(tile for tile, mm in shifts.items() if mm < MIN_SHIFT_MM)
    moved = known.keys() - in_place
    # Four places leave a pose little to disagree with: it may explain one tile that slid alone.
    is_alone = len(in_place) >= MIN_AGREEING and len(moved) == 1
    if not (is_alone and shifts[min(moved)] >= MIN_SLID_MM):
        everywhere = tiles.fit(known)
        if everywhere is None and len(known) == TILES_PER_MAT and _agree_through_lens(tiles, old):
            everywhere = tiles.fit(known, np.inf)
        if everywhere is not None:
            return Agreement(everywhere, frozenset(known), {})
    if len(in_place) >= MIN_AGREEING:
        return Agreement(pose, in_place, tiles.list_slid(moved, pose))
    found = min(tiles.list_agreeing(), key=lambda each: each[0].residual_mm, default=None)
    if found is None:
        return None
    there, agreeing = found
    # About two tiles the others may be anywhere.
    is_known = len(agreeing) > MIN_AGREEING
    slid = tiles.list_slid(known.keys() - agreeing, there) if is_known else {}
    return Agreement(there, agreeing, slid)


def _agree_through_lens(tiles: _Tiles, old: Mapping[int, Points]) -> bool:
    """Return whether all *tiles* lie as they did, seen through some lens that bends lines.

    old: corners (4, 2) in pixels before.
    """
    for bend in BENDS:
        before, seen = (_unbend(tiles.matrix, corners, bend) for corners in (old, tiles.seen))
        pose = fit_pose(tiles.matrix, Markers(before, tiles.known))
        if pose is not None:
            known = {tile: unproject(pose, before[tile]) for tile in tiles.known}
            if _Tiles(tiles.matrix, seen, known).fit(known) is not None:
                return True
    return False


def _unbend(matrix: Points, corners: Mapping[int, Points], bend: float) -> dict[int, Points]:
    """Return *corners* (4, 2) in pixels as a lens would show them that bends no line."""
    off = {tile: each - matrix[:2, 2] for tile, each in corners.items()}
    return {
        tile: matrix[:2, 2]
        + each * (1.0 + bend * (each**2).sum(axis=1, keepdims=True) / matrix[0, 0] ** 2)
        for tile, each in off.items()
    }


def _distortion(seen: Points, known: Points) -> float:
    """Return how far corners (4, 2) in mm are from *known* ones that were shifted and turned.

    >>> square = np.array([[0.0, 0.0], [40.0, 0.0], [40.0, 40.0], [0.0, 40.0]])
    >>> turned = square @ [[0.6, 0.8], [-0.8, 0.6]] + [7.0, -3.0]
    >>> cut = square - [[0.0, 0.0], [8.0, 0.0], [8.0, 0.0], [0.0, 0.0]]
    >>> [round(_distortion(corners, square), 1) for corners in (square, turned, cut)]
    [0.0, 0.0, 4.0]
    """
    one, other = ((corners - corners.mean(axis=0)) @ [1, 1j] for corners in (seen, known))
    turn = np.vdot(other, one)
    turn /= max(float(np.abs(turn)), 1e-9)
    return float(np.sqrt((np.abs(one - turn * other) ** 2).mean()))
