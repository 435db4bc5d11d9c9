"""What has come over a board since it was learned: arms, but neither shifts nor moved shadows."""

from typing import Final

import cv2
import numpy as np
import pytest

from vision.capture.frame import Picture
from vision.occlusion.board_background import ArmMasks, BoardBackground, Ring, build_ring
from vision.photometry.chromaticity import IDENTITY_CORRECTION

ROWS, COLUMNS = 160, 64
PIECES: Final = (slice(14, 146), slice(16, 48))
"""Where pieces stand, in coarse pixels of 2 mm."""
SKIN: Final = (110, 140, 200)


def board(shift: int = 0) -> Picture:
    """Return a printed board, moved down by *shift* coarse pixels."""
    random = np.random.default_rng(3)
    print_ = random.integers(60, 200, (ROWS // 4 + 4, COLUMNS // 4 + 4, 3)).astype(np.uint8)
    large = cv2.resize(print_, None, fx=4, fy=4, interpolation=cv2.INTER_CUBIC)
    return np.ascontiguousarray(large[8 - shift : 8 - shift + ROWS, 8 : 8 + COLUMNS])


def ring() -> Ring:
    """Return the board around the pieces, all of it in view."""
    hidden = np.zeros((ROWS, COLUMNS), bool)
    hidden[PIECES] = True
    return build_ring(hidden, np.ones_like(hidden))


def find(then: Picture, now: Picture, may_have_shifted: bool) -> ArmMasks:
    """Return what has come over the board *then*."""
    around = ring()
    return BoardBackground(then, around.watched).find_arms(
        now, IDENTITY_CORRECTION, around, may_have_shifted
    )


def reach_in(picture: Picture) -> Picture:
    """Return *picture* with an arm from the right edge to the pieces."""
    reached = picture.copy()
    cv2.line(reached, (COLUMNS, 70), (40, 74), SKIN, 9)
    return reached


def test_an_arm_is_found_in_light_that_brings_all_levels_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Seen in such a light, a brown sleeve on a brown table has changed by less than it did."""
    table = np.full((ROWS, COLUMNS, 3), (80, 100, 110), np.uint8)
    reached = table.copy()
    cv2.line(reached, (COLUMNS, 70), (40, 74), (80, 100, 121), 9)
    squeezed = 0.7 * np.log(np.arange(256.0)[:, None] + 8.0) + 0.3 * np.log(table[0, 0] + 8.0)
    light, around = (np.exp(squeezed) - 8.0).astype(np.float32), ring()
    reference = BoardBackground(table, around.watched)
    assert not reference.find_arms(reached, light, around).is_empty
    monkeypatch.setattr("vision.occlusion.board_background.measure_contrast", lambda _: 1.0)
    assert reference.find_arms(reached, light, around).is_empty


@pytest.mark.parametrize("may_have_shifted", [False, True])
def test_an_arm_is_found(may_have_shifted: bool) -> None:
    """Also where the board may have moved."""
    assert not find(board(), reach_in(board()), may_have_shifted).is_empty
    assert find(board(), board(), may_have_shifted).is_empty


def test_a_shifted_board_is_no_arm() -> None:
    """All of its print has moved by 2 mm; it is still not forgiven to an arm."""
    assert not find(board(), board(1), may_have_shifted=False).is_empty
    assert find(board(), board(1), may_have_shifted=True).is_empty
    assert not find(board(), reach_in(board(1)), may_have_shifted=True).is_empty


def shaded(picture: Picture, low: int, high: int) -> Picture:
    """Return *picture* with a black shadow beside the pieces in some rows."""
    dark = picture.copy()
    dark[low:high, 48:56] //= 12
    return dark


def test_a_black_shadow_that_has_gone_leaves_no_arm() -> None:
    """Nobody could know which colour the board has there; what is lighter may be the light."""
    arms = find(shaded(board(), 60, 90), board(), may_have_shifted=False)
    assert not arms.certain.any()


def test_a_black_shadow_that_moved_a_little_is_no_arm() -> None:
    """Pieces never lie quite alike, nor do their shadows."""
    assert find(shaded(board(), 60, 90), shaded(board(), 61, 91), may_have_shifted=True).is_empty


def test_a_new_black_shadow_is_not_explained() -> None:
    """It may be a sleeve."""
    assert not find(board(), shaded(board(), 60, 90), may_have_shifted=True).is_empty


def test_a_dark_board_is_no_shadow() -> None:
    """In a dark room an arm is found all the same, though there the whole board is dim."""
    dark = board() // 5
    arm = dark.copy()
    cv2.line(arm, (COLUMNS, 70), (40, 74), (60, 70, 100), 9)
    assert dark.max(axis=2).mean() < 45
    assert not find(dark, arm, may_have_shifted=True).is_empty
