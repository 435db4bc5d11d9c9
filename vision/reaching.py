"""Whether somebody reaches over cards, and from which side, by how the table looked before."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.frame import Picture
from vision.layout import Mat
from vision.palette import Light
from vision.paper import OVEREXPOSED, is_same_lamp, read_paper, read_paper_light
from vision.play_area import PlayArea
from vision.pose import Pose
from vision.reach import Ground, Reach, Surroundings

BEYOND_MM: Final = 20.0
"""How far around the corner tiles' middles an arm is looked for."""
BRIGHTEST: Final = 255.0
MOVED_MM: Final = 4.0
"""A camera that stands still is found again within this."""


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """A picture, named, and where its camera was.

    white: how blue, green and red (3,) paper would be, however bright; None if nobody knows.
    """

    frame: str
    picture: Picture
    pose: Pose
    white: NDArray[np.float64] | None


class Reaching:
    """Tells arms over cards, by the table around them, and the side from which an arm comes.

    Pictures are compared for the side only once something comes over the table: most show no arm,
    and cost nothing. In another light, or from elsewhere, no side is told: what an arm has changed
    cannot be parted from what else has.
    """

    def __init__(
        self, mat: Mat, played: tuple[float, float, float, float], play_area: PlayArea
    ) -> None:
        """*played*: left, top, right and bottom edge in mm of where cards and pieces change.

        play_area: the table around them.
        """
        low, right, bottom = -BEYOND_MM, mat.width + BEYOND_MM, mat.height + BEYOND_MM
        self._mat = mat
        self._ground = Ground((low, low, right, bottom), played)
        self._play_area = play_area
        self._newest: Look | None = None
        self._clear: Look | None = None
        self._table: Surroundings | None = None

    @property
    def is_learned(self) -> bool:
        """Whether anything is known of the table around the cards."""
        return self._play_area.is_learned

    def learn(self, frame: str, picture: Picture, pose: Pose) -> None:
        """Take *picture*, over which nobody reaches, for how the table looks."""
        self._play_area.learn(picture, pose)
        # What is learned in overexposed light is learned by the paper as it seems to be.
        paper = read_paper(picture, pose, self._mat)
        self._clear, self._table = Look(frame, picture, pose, paper), None

    def keep(self, frame: str, picture: Picture, pose: Pose) -> None:
        """Remember a *picture* over which nobody seems to reach, until it is believed."""
        self._newest = Look(frame, picture, pose, self.measure_white(picture, pose))

    def believe(self, frame: str) -> None:
        """Take the picture *frame*, if it is remembered, for how the table looks.

        Who was never shown the bare table takes the first such picture for it.
        """
        newest = self._newest
        if newest is None or newest.frame != frame:
            return
        if not self.is_learned:
            self._play_area.learn(newest.picture, newest.pose)
        self._clear, self._table = newest, None

    def measure_white(self, picture: Picture, pose: Pose) -> NDArray[np.float64] | None:
        """Return how blue, green and red (3,) paper would be if no camera overexposed it.

        Where it is overexposed, by how much the table around it has become brighter since it was
        not. None if that cannot be told.
        """
        paper = read_paper(picture, pose, self._mat)
        if paper is None or paper.max() < OVEREXPOSED:
            return paper
        if self._clear is None or self._clear.white is None:
            return None
        if self._table is None:
            self._table = Surroundings(self._ground, self._clear.picture, self._clear.pose)
        gains = self._table.measure_gains(Surroundings(self._ground, picture, pose))
        if gains is None:
            return None
        bright = np.maximum(self._clear.white * gains, paper)
        return np.asarray(np.where(paper >= OVEREXPOSED, bright, paper), np.float64)

    def measure_beyond(self, picture: Picture, pose: Pose) -> NDArray[np.float64] | None:
        """Return how much brighter blue, green and red (3,) of paper are than a camera tells.

        At least 1; None if that cannot be told.
        """
        white = self.measure_white(picture, pose)
        return None if white is None else np.maximum(white / BRIGHTEST, 1.0)

    def find_reach(self, picture: Picture, pose: Pose, *, may_be_light: bool) -> Reach | None:
        """Return what reaches over the cards, None if nothing does.

        may_be_light: whether a picture was believed and nothing is hidden in this one: then what
        nobody has put there is no arm, and the light has changed.
        """
        if not self._play_area.is_reached_over(picture, pose):
            return None
        reach = self._compare(picture, pose)
        if reach is None:
            return Reach(True)
        return None if may_be_light and not reach.is_over else reach

    def _compare(self, picture: Picture, pose: Pose) -> Reach | None:
        """Return what comes in over the picture's edge, None if that cannot be told."""
        if self._clear is None or not self._is_seen_alike(picture, pose):
            return None
        if self._table is None:
            self._table = Surroundings(self._ground, self._clear.picture, self._clear.pose)
        return self._table.find_reach(Surroundings(self._ground, picture, pose))

    def _is_seen_alike(self, picture: Picture, pose: Pose) -> bool:
        assert self._clear is not None
        if np.linalg.norm(pose.camera - self._clear.pose.camera) > MOVED_MM:
            return False
        then = read_paper_light(self._clear.picture, self._clear.pose, self._mat)
        now = read_paper_light(picture, pose, self._mat)
        return is_same_lamp(_white(now), _white(then))


def _white(light: Light) -> Light:
    """Return by how much white paper's three colours are raised."""
    return np.asarray(light[128] / 128.0, np.float32)
