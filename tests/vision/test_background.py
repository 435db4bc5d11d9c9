"""Whether somebody reaches over what is played with on a bare table."""

from typing import Any, Final

import numpy as np
import pytest

from vision.capture.frame import Picture
from vision.geometry.pose import Pose
from vision.occlusion.background import BackgroundModel, ObjectBox
from vision.occlusion.board_background import ArmMasks, BoardBackground

SIDE_PX: Final = 480
HIGH_MM: Final = 700.0
PX_PER_MM: Final = 2.0
CLOTH: Final = (68, 166, 96)
SHADOW: Final = (46, 101, 51)
"""A bright green cloth, and what a warm lamp's shadow leaves of it."""
HAND: Final = (80, 110, 170)
SHADED_HAND: Final = (40, 55, 85)


def above() -> Pose:
    """Return the pose of a camera straight above the middle of the table."""
    f, middle = PX_PER_MM * HIGH_MM, SIDE_PX / 2
    rows = [[f, 0, -middle, 0], [0, f, -middle, 0], [0, 0, -1, HIGH_MM]]
    return Pose(np.array(rows, np.float64), 0.0)


def cloth() -> Picture:
    """Return the cloth, woven a little unevenly."""
    weave = np.random.default_rng(8).normal(0.0, 2.0, (SIDE_PX, SIDE_PX, 1))
    return np.clip(np.array(CLOTH) + weave, 0, 255).astype(np.uint8)


def covered(with_what: tuple[int, int, int]) -> Picture:
    """Return the cloth with something across it, up to what is played with."""
    picture = cloth()
    picture[220:260, 40:440] = with_what
    return picture


def is_reached_over(picture: Picture) -> bool:
    """Return what an area around one thing says of *picture*, learned from the bare cloth."""
    pose = above()
    area = BackgroundModel([ObjectBox(100.0, 100.0, 30.0, 30.0, 20.0)])
    area.learn(cloth(), pose)
    return area.is_reached_over(picture, pose)


def test_a_hand_reaches_over_the_cloth() -> None:
    """It is of another colour; and the bare cloth is no hand."""
    assert is_reached_over(covered(HAND))
    assert not is_reached_over(cloth())


def test_a_shadow_takes_colour_from_bright_cloth(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is darker and less colourful there; that is no hand, though the colour has changed."""
    assert not is_reached_over(covered(SHADOW))
    monkeypatch.setattr("vision.occlusion.background._render_shadows", lambda then, *_: then)
    assert is_reached_over(covered(SHADOW))


def test_a_hand_in_shadow_is_a_hand() -> None:
    """What is darker than the cloth is not for that a shadow of it."""
    assert is_reached_over(covered(SHADED_HAND))


def test_a_table_whose_edge_is_the_same_is_not_compared_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Cards may change beside it; in other light, from elsewhere or with a hand it is."""
    pose = above()
    area = BackgroundModel([ObjectBox(100.0, 100.0, 30.0, 30.0, 20.0)])
    area.learn(cloth(), pose)
    asked, find = [], BoardBackground.find_arms

    def count(reference: BoardBackground, *seen: Any) -> ArmMasks:
        asked.append(reference)
        return find(reference, *seen)

    monkeypatch.setattr(BoardBackground, "find_arms", count)
    assert not area.is_reached_over(cloth(), pose)
    assert len(asked) == 1
    played = cloth()
    played[150:250, 150:250] = HAND
    assert not area.is_reached_over(played, pose)
    assert len(asked) == 1
    assert area.is_reached_over(covered(HAND), pose)
    assert not area.is_reached_over((0.8 * cloth()).astype(np.uint8), pose)
    now = len(asked)
    assert not area.is_reached_over(cloth(), above())
    assert len(asked) == now + 1
