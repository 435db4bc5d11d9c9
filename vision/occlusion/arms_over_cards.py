"""Whether somebody reaches over cards, and from which side, by how the table looked before."""

from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.geometry.layout import Mat
from vision.geometry.pose import Points, Pose
from vision.occlusion.arm_direction import ArmSighting, Ground, TableSnapshot
from vision.occlusion.background import BackgroundModel
from vision.photometry.chromaticity import Light
from vision.photometry.white_reference import (
    OVEREXPOSED,
    estimate_light,
    is_same_illuminant,
    measure_paper_white,
)

BEYOND_MM: Final = 20.0
"""How far around the corner tiles' middles an arm is looked for."""
BRIGHTEST: Final = 255.0
APART_MM: Final = 20.0
"""How far apart the places are by which the table's brightness is told."""
TOLD: Final = (25, 230)
"""Levels that tell how strong the light is: neither dark nor overexposed."""
FEWEST: Final = 40
"""So many of these places must tell."""
MOVED_MM: Final = 4.0
"""A camera that stands still is found again within this."""

Levels: TypeAlias = NDArray[np.float64]
"""(places, 3): blue, green and red at places on the table."""


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """A picture, named, and where its camera was.

    white: how blue, green and red (3,) paper would be, however bright; None if nobody knows.
    """

    frame: str
    picture: Picture
    pose: Pose
    white: NDArray[np.float64] | None


class ArmDetector:
    """Tells arms over cards, by the table around them, and the side from which an arm comes.

    Pictures are compared for the side only once something comes over the table: most show no arm,
    and cost nothing. In another light, or from elsewhere, no side is told: what an arm has changed
    cannot be parted from what else has.
    """

    def __init__(
        self, mat: Mat, played: tuple[float, float, float, float], background: BackgroundModel
    ) -> None:
        """*played*: left, top, right and bottom edge in mm of where cards and pieces change.

        background: the table around them.
        """
        low, right, bottom = -BEYOND_MM, mat.width + BEYOND_MM, mat.height + BEYOND_MM
        self._mat = mat
        self._ground = Ground((low, low, right, bottom), played)
        self._background = background
        self._newest: Look | None = None
        self._beside = _places_beside(self._ground)
        self._clear: Look | None = None
        self._table: TableSnapshot | None = None
        self._bare: Levels | None = None

    @property
    def is_learned(self) -> bool:
        """Whether anything is known of the table around the cards."""
        return self._background.is_learned

    def learn(self, frame: str, picture: Picture, pose: Pose) -> None:
        """Take *picture*, over which nobody reaches, for how the table looks."""
        self._background.learn(picture, pose)
        # What is learned in overexposed light is learned by the paper as it seems to be.
        paper = measure_paper_white(picture, pose, self._mat)
        self._take(Look(frame, picture, pose, paper))

    def keep(
        self, frame: str, picture: Picture, pose: Pose, white: NDArray[np.float64] | None
    ) -> None:
        """Remember a *picture* over which nobody seems to reach, until it is believed.

        white: see `Look`.
        """
        self._newest = Look(frame, picture, pose, white)

    def believe(self, frame: str) -> None:
        """Take the picture *frame*, if it is remembered, for how the table looks.

        Who was never shown the bare table takes the first such picture for it.
        """
        newest = self._newest
        if newest is None or newest.frame != frame:
            return
        if not self.is_learned:
            self._background.learn(newest.picture, newest.pose)
        self._take(newest)

    def _take(self, look: Look) -> None:
        """Compare with *look* from now on."""
        self._clear, self._table, self._bare = look, None, None

    def measure_white(self, picture: Picture, pose: Pose) -> NDArray[np.float64] | None:
        """Return how blue, green and red (3,) paper would be if no camera overexposed it.

        Where it is overexposed, by how much the table around it has become brighter since it was
        not. None if that cannot be told.
        """
        paper = measure_paper_white(picture, pose, self._mat)
        if paper is None or paper.max() < OVEREXPOSED:
            return paper
        if self._clear is None or self._clear.white is None:
            return None
        if self._bare is None:
            self._bare = _sample(self._clear.picture, self._clear.pose, self._beside)
        gains = _compare_levels(self._bare, _sample(picture, pose, self._beside))
        if gains is None:
            return None
        bright = np.maximum(self._clear.white * gains, paper)
        return np.asarray(np.where(paper >= OVEREXPOSED, bright, paper), np.float64)

    def find_arm(self, picture: Picture, pose: Pose, *, may_be_light: bool) -> ArmSighting | None:
        """Return what reaches over the cards, None if nothing does.

        may_be_light: whether a picture was believed and nothing is hidden in this one: then what
        nobody has put there is no arm, and the light has changed.
        """
        if not self._background.is_reached_over(picture, pose):
            return None
        reach = self._compare(picture, pose)
        if reach is None:
            return ArmSighting(True)
        return None if may_be_light and not reach.is_over else reach

    def _compare(self, picture: Picture, pose: Pose) -> ArmSighting | None:
        """Return what comes in over the picture's edge, None if that cannot be told."""
        if self._clear is None or not self._is_seen_alike(picture, pose):
            return None
        if self._table is None:
            self._table = TableSnapshot(self._ground, self._clear.picture, self._clear.pose)
        return self._table.find_arm(TableSnapshot(self._ground, picture, pose))

    def _is_seen_alike(self, picture: Picture, pose: Pose) -> bool:
        assert self._clear is not None
        if np.linalg.norm(pose.camera - self._clear.pose.camera) > MOVED_MM:
            return False
        then = estimate_light(self._clear.picture, self._clear.pose, self._mat)
        now = estimate_light(picture, pose, self._mat)
        return is_same_illuminant(_white(now), _white(then))


def measure_beyond(white: NDArray[np.float64] | None) -> NDArray[np.float64] | None:
    """Return how much brighter than a camera tells paper is (3,), at least 1, if it is *white*.

    None if nobody knows.
    """
    return None if white is None else np.maximum(white / BRIGHTEST, 1.0)


def _places_beside(ground: Ground) -> Points:
    """Return places (n, 3) in mm on the table, where nothing is played."""
    left, top, right, bottom = ground.board
    x, y = np.meshgrid(np.arange(left, right, APART_MM), np.arange(top, bottom, APART_MM))
    places = np.column_stack([x.ravel(), y.ravel(), np.zeros(x.size)])
    low, high = np.reshape(ground.played, (2, 2))
    is_played = np.all((places[:, :2] >= low) & (places[:, :2] <= high), axis=1)
    return np.asarray(places[~is_played], np.float64)


def _sample(picture: Picture, pose: Pose, places: Points) -> Levels:
    """Return the levels (n, 3) at *places*; 0 where they are out of view."""
    pixels = np.round(pose.project(places)).astype(np.intp)
    inside = np.all((pixels >= 0) & (pixels < picture.shape[1::-1]), axis=1)
    levels = np.zeros((len(places), 3))
    levels[inside] = picture[pixels[inside, 1], pixels[inside, 0]]
    return levels


def _compare_levels(before: Levels, after: Levels) -> NDArray[np.float64] | None:
    """Return by how much blue, green and red (3,) have become stronger at the same places.

    None if hardly any of them is neither dark nor overexposed in both.
    """
    told = (np.minimum(before, after) >= TOLD[0]) & (np.maximum(before, after) <= TOLD[1])
    if told.sum(axis=0).min() < FEWEST:
        return None
    pairs = enumerate(told.T)
    return np.array([np.median(after[each, at] / before[each, at]) for at, each in pairs])


def _white(light: Light) -> Light:
    """Return by how much white paper's three colours are raised."""
    return np.asarray(light[128] / 128.0, np.float32)
