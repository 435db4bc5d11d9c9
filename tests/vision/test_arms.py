"""Arms over the table, in pictures of whole games and in painted ones."""

from typing import Final

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.shipped import (
    GAMES,
    START,
    Onlooker,
    Shot,
    description_of,
    ground_of,
    shot_of,
    shots_of,
)
from vision.capture.frame import Picture
from vision.capture.frame_cache import MAX_FRAMES
from vision.occlusion.arm_direction import ArmSighting
from vision.occlusion.arm_tracking import MAX_STILL_PICTURES, ArmTracker

SIDES: Final = {"tactiki": ("near", "far"), "topple": ("near", "left", "right")}
"""Where the players of the recordings sit."""
SKIN: Final = (96, 130, 190)
BESIDE: Final = (240, 300)
"""Beside the board, in pictures of both games; OVER and ELSEWHERE are on it."""
OVER: Final = (475, 300)
ELSEWHERE: Final = (555, 150)
HAND_PX: Final = 60


class Guard:
    """ChangeDetector for arms in one picture after the other of a game."""

    def __init__(self, game: str) -> None:
        self.arms = ArmTracker(ground_of(game))
        self._eye = Onlooker(game)

    def look(self, name: str, picture: Picture) -> ArmSighting:
        """Return what reaches over the table."""
        return self.arms.find_arm(name, picture, self._eye.locate(picture))

    def begin(self, picture: Picture) -> None:
        """Know nothing but that nobody reaches over the table in *picture*."""
        self.arms.begin(picture, self._eye.locate(picture))

    def set_reference(self, name: str, picture: Picture) -> ArmSighting:
        """Return the same, and take the picture for how the table looks."""
        reach = self.look(name, picture)
        self.arms.set_reference(name)
        return reach


def is_nobody(reach: ArmSighting) -> bool:
    """Tell whether nothing at all comes in over the picture's edge."""
    return not (reach.is_over or reach.is_in_view or reach.sides)


def picture_of(game: str) -> Picture:
    """Return the picture of the table before the first move."""
    return shot_of(game, START).frame.picture


def watching(game: str) -> Guard:
    """Return who has seen that picture, and believes it."""
    guard = Guard(game)
    guard.set_reference(START, picture_of(game))
    return guard


def put_arm(picture: Picture, tip: tuple[int, int]) -> Picture:
    """Return the picture with an arm that comes in over its left edge as far as *tip*."""
    reached = picture.copy()
    cv2.line(reached, (-100, tip[1] + 20), tip, SKIN, HAND_PX, cv2.LINE_AA)
    return reached


def turn(picture: Picture, deg: float) -> Picture:
    """Return what a camera sees that was turned and pushed a little."""
    height, width = picture.shape[:2]
    move = cv2.getRotationMatrix2D((width / 2.0, height / 2.0), deg, 1.0)
    move[:, 2] += np.array([4.0, 3.0])
    turned = cv2.warpAffine(picture, move, (width, height), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(turned, np.uint8)


def mover_after(game: str, at: int) -> int:
    """Return who makes the next move that a picture after number *at* shows."""
    rows = [shot.row for shot in shots_of(game)[at + 1 :]]
    row = next(row for row in rows if "move" in row or "moves" in row)
    return int((row["moves"][0] if "moves" in row else row["move"])["player"])


@pytest.mark.parametrize("game", GAMES)
def test_every_hand_is_told_and_no_settled_picture_is(game: str) -> None:
    """In a whole game; the side that is told is the mover's, and some are told."""
    guard, told = Guard(game), 0
    assert all(side in description_of(game)["replay"]["seats"] for side in SIDES[game])
    for at, shot in enumerate(shots_of(game)):
        reach = guard.look(shot.frame.name, shot.frame.picture)
        assert reach.is_over != shot.is_settled, shot.frame.name
        if shot.is_settled:
            guard.arms.set_reference(shot.frame.name)
            assert is_nobody(reach)
        else:
            told += bool(reach.sides)
            assert reach.sides <= {SIDES[game][mover_after(game, at)]}
    assert told >= 3


@pytest.mark.parametrize("game", GAMES)
def test_nobody_is_told_before_a_picture_was_believed(game: str) -> None:
    """Nor in the picture that nobody reached over, with which it begins anew."""
    guard, reached = Guard(game), put_arm(picture_of(game), OVER)
    assert is_nobody(guard.look("1", reached))
    guard.set_reference("2", picture_of(game))
    assert guard.look("3", reached).is_over
    guard.begin(reached)
    assert is_nobody(guard.look("4", reached))


def before(game: str, shot: Shot) -> Shot:
    """Return the last settled shot before *shot*."""
    return [one for one in shots_of(game) if one.is_settled and one.frame.name < shot.frame.name][
        -1
    ]


@pytest.mark.parametrize("deg", [1.0, 4.0])
@pytest.mark.parametrize("game", GAMES)
def test_a_camera_that_was_turned_a_little_tells_arms_still(game: str, deg: float) -> None:
    """Compared with what it saw before it was turned."""
    for shot in shots_of(game)[1::4]:
        guard = Guard(game)
        guard.set_reference("then", before(game, shot).frame.picture)
        reach = guard.look("now", turn(shot.frame.picture, deg))
        assert reach.is_over != shot.is_settled, shot.frame.name


@pytest.mark.parametrize("middle", [(160, 300), (20, 300)], ids=["in view", "cut off"])
@pytest.mark.parametrize("game", GAMES)
def test_what_is_put_down_beside_the_board_is_no_arm(game: str, middle: tuple[int, int]) -> None:
    """However large, and though the picture's edge cuts it off."""
    guard, picture = watching(game), picture_of(game).copy()
    cv2.circle(picture, middle, 45, (60, 30, 200), cv2.FILLED, cv2.LINE_AA)
    reach = guard.look("now", picture)
    assert not reach.is_over
    assert reach.is_in_view == (middle[0] < 45)


@pytest.mark.parametrize("game", GAMES)
def test_a_hand_at_rest_beside_the_board_is_no_arm_nor_is_its_absence(game: str) -> None:
    """What was believed with it there is not what later pictures are compared with."""
    guard, picture = watching(game), picture_of(game)
    reach = guard.set_reference("beside", put_arm(picture, BESIDE))
    assert (reach.is_over, reach.is_in_view) == (False, True)
    assert is_nobody(guard.look("gone", picture))
    assert guard.look("over", put_arm(picture, OVER)).is_over


@pytest.mark.parametrize("game", GAMES)
def test_what_lies_beside_the_board_for_long_belongs_to_the_table(game: str) -> None:
    """After some pictures that were believed with it, it is no hand any more."""
    guard, reached = watching(game), put_arm(picture_of(game), BESIDE)
    seen = [
        guard.set_reference(str(at), reached).is_in_view for at in range(MAX_STILL_PICTURES + 1)
    ]
    assert seen == [True] * MAX_STILL_PICTURES + [False]


@pytest.mark.parametrize("game", GAMES)
def test_what_stays_for_long_is_no_arm(game: str) -> None:
    """Nobody holds an arm still through so many looks; and no look at a bare table between."""
    guard, picture = watching(game), picture_of(game)
    reached = put_arm(picture, OVER)
    seen = [guard.look(str(at), reached).is_over for at in range(MAX_STILL_PICTURES + 2)]
    assert seen == [True] * MAX_STILL_PICTURES + [False] * 2
    guard = watching(game)
    pictures = [
        *[reached] * (MAX_STILL_PICTURES - 1),
        picture,
        *[reached] * (MAX_STILL_PICTURES - 1),
    ]
    seen = [guard.look(str(at), each).is_over for at, each in enumerate(pictures)]
    assert seen == [each is reached for each in pictures]


@pytest.mark.parametrize("game", GAMES)
def test_what_comes_back_to_the_same_look_is_no_arm(game: str) -> None:
    """A sheet that lies there before and after somebody reached in elsewhere is part of it."""
    guard, picture = watching(game), picture_of(game)
    sheet = put_arm(picture, OVER)
    pictures = [sheet, put_arm(sheet, ELSEWHERE), sheet, sheet, put_arm(sheet, ELSEWHERE)]
    seen = [guard.look(str(at), each).is_over for at, each in enumerate(pictures)]
    assert seen == [True, True, False, False, True]


def test_a_picture_from_long_ago_is_not_believed() -> None:
    """Only the last few are remembered."""
    guard, picture = watching("topple"), picture_of("topple")
    reached = put_arm(picture, OVER)
    guard.look("long ago", reached)
    for at in range(MAX_FRAMES):
        guard.look(str(at), picture)
    guard.arms.set_reference("long ago")
    assert guard.look("now", reached).is_over


def bend(picture: Picture, levels: NDArray[np.float64]) -> Picture:
    """Return the picture with each level as *levels* (256,) have it, as far as 255."""
    return np.asarray(cv2.LUT(picture, np.minimum(levels, 255.0).astype(np.uint8)), np.uint8)


def by_power(power: float) -> NDArray[np.float64]:
    """Return another tone curve."""
    return np.asarray(255.0 * (np.arange(256) / 255.0) ** power, np.float64)


@pytest.mark.parametrize("game", GAMES)
def test_another_tone_curve_is_no_arm(game: str) -> None:
    """Nor is a lamp that overexposes the board: what is bright changes more than what is dark."""
    guard, picture = watching(game), picture_of(game)
    assert is_nobody(guard.look("2", bend(picture, by_power(0.6))))
    assert is_nobody(guard.look("3", bend(picture, 1.7 * np.arange(256.0))))


@pytest.mark.parametrize("game", GAMES)
def test_an_arm_is_told_under_another_tone_curve(game: str) -> None:
    """The light explains what changed everywhere, not what came over the edge."""
    guard = watching(game)
    reached = put_arm(picture_of(game), OVER)
    assert guard.look("2", bend(reached, by_power(0.7))).is_over
