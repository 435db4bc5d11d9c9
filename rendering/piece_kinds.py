"""The tables with columns of pieces that are rendered to learn from."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Kind:
    """What a game's table looks like, all in mm.

    mat: the side of the square between the tiles' centres.  floor_z: where the columns stand.
    astray, stray: how far a column stands from its spot, and a piece from the one below it.
    """

    name: str
    mat: float
    first_marker: int
    board: float
    floor_z: float
    pitch_xy: float
    pitch_z: float
    height: float
    radius: float
    astray: float
    stray: float

    @property
    def above_pose(self) -> float:
        """How high the columns stand above the plane of the markers that give the pose."""
        return self.floor_z if self.name == "tactiki" else 0.0


TACTIKI: Final = Kind("tactiki", 340, 4, 296, 3.0, 60, 16.0, 22.0, 13.0, 2.0, 0.5)
TOPPLE: Final = Kind("topple", 360, 8, 208, 90.0, 36, 8.0, 8.0, 11.0, 1.2, 0.6)
KINDS: Final = {kind.name: kind for kind in (TACTIKI, TOPPLE)}
