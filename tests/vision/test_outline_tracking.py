"""A sheet under cards, found by its outline: pushed, partly covered, and on a table like itself."""

from collections.abc import Sequence
from functools import cache
from typing import Final

import cv2
import numpy as np
import pytest

from companion.recording import load_recording
from companion.registry import recordings
from tests.vision.pushed_sheets import Sheet
from vision.capture.frame import Picture
from vision.geometry.outline_tracking import Outline
from vision.geometry.pose import Points
from vision.geometry.table_view import TableView
from vision.geometry.view_watch import Mover

PLANE: Final = np.array([[0.9, 0.05, 150.0], [-0.03, 0.85, 120.0], [0.0, 1e-4, 1.0]])
CORNERS: Final = np.array([[0.0, 0.0], [420.0, 0.0], [420.0, 297.0], [0.0, 297.0]])
CARDS: Final = ((40, 60, 100, 150), (200, 100, 260, 190), (330, -30, 390, 60))
"""The last of them over the sheet's edge."""
PAPER: Final = 215


def photograph(
    push: tuple[float, float, float], table: int = 90, covers: Sequence[Sequence[float]] = CARDS
) -> Picture:
    """Return a picture of the sheet after a push, in mm and degrees; what lies on it stays."""
    picture = np.full((540, 720, 3), table, np.uint8)
    middle = complex(*CORNERS.mean(axis=0))
    turn = np.exp(1j * np.radians(push[2]))
    there = (CORNERS @ [1, 1j] - middle) * turn + middle + complex(*push[:2])
    _fill(picture, np.column_stack([there.real, there.imag]), PAPER)
    for x0, y0, x1, y1 in covers:
        _fill(picture, np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float64), 150)
    noise = np.random.default_rng(1).normal(0.0, 3.0, picture.shape)
    soft = cv2.GaussianBlur(picture.astype(np.float64), (0, 0), 1.0)
    return np.clip(soft + noise, 0, 255).astype(np.uint8)


def _fill(picture: Picture, corners: Points, level: int) -> None:
    seen = np.column_stack([corners, np.ones(len(corners))]) @ PLANE.T
    pixels = np.round(seen[:, :2] / seen[:, 2:] * 16).astype(np.int32)
    cv2.fillConvexPoly(picture, pixels, (level,) * 3, cv2.LINE_AA, shift=4)


def learned() -> Outline:
    """Return the outline of the sheet, whose corners were dragged 2 mm beside it."""
    return Outline(photograph((0, 0, 0)), PLANE, CORNERS + np.array([2.0, -1.5]))


def moved(outline: Outline, picture: Picture) -> tuple[Points, float]:
    """Return how far the sheet's middle has gone in mm, and by how many degrees it was turned."""
    move = outline.find_move(picture)
    assert move is not None
    middle = np.append(CORNERS.mean(axis=0), 1.0)
    return (move @ middle - middle)[:2], float(np.degrees(np.arctan2(move[1, 0], move[0, 0])))


@pytest.mark.parametrize("push", [(3, -2, 0), (-20, 30, 0), (-38, 0, -6)])
def test_a_pushed_sheet_is_found(push: tuple[float, float, float]) -> None:
    """Also along its longer sides, beside which two of its edges look as they did."""
    way, turn_deg = moved(learned(), photograph(push))
    assert way == pytest.approx(push[:2], abs=1.5)
    assert turn_deg == pytest.approx(push[2], abs=0.3)


@pytest.mark.parametrize("push", [(0, 0, 0), (25, -14, 3)])
def test_an_arm_over_the_sheet_does_not_hide_where_it_lies(
    push: tuple[float, float, float],
) -> None:
    """A third of its outline is covered."""
    arm = (-200.0, 90.0, 260.0, 210.0)
    way, _ = moved(learned(), photograph(push, covers=[*CARDS, arm, (250, 200, 350, 400)]))
    assert way == pytest.approx(push[:2], abs=1.5)


def test_a_sheet_that_is_covered_is_not_said_to_have_gone_anywhere() -> None:
    """A newspaper lies on most of it; once that is taken away, it is where it was."""
    outline = learned()
    assert outline.find_move(photograph((0, 0, 0), covers=[(-100, -100, 330, 400)])) is None
    way, _ = moved(outline, photograph((0, 0, 0)))
    assert way == pytest.approx((0.0, 0.0), abs=0.5)


def test_white_paper_on_a_white_table_has_no_outline() -> None:
    """It is said at once."""
    assert learned().is_seen
    assert not Outline(photograph((0, 0, 0), table=PAPER), PLANE, CORNERS).is_seen


def test_light_that_changes_moves_no_sheet() -> None:
    """Half of it, and from one side."""
    shade = np.linspace(0.35, 0.7, 720)[None, :, None]
    way, _ = moved(learned(), (photograph((0, 0, 0)) * shade).astype(np.uint8))
    assert way == pytest.approx((0.0, 0.0), abs=0.6)


@cache
def sheet_under_piles() -> Sheet:
    """Return a sheet under the cards of the shipped Tippi Toppi."""
    return Sheet(load_recording(recordings()["tippi_toppi"]), np.random.default_rng(2))


def test_a_sheet_that_is_pushed_under_cards_is_noticed() -> None:
    """And not another time; what lies on it is played, and an arm may be above."""
    sheet = sheet_under_piles()
    watch, names = sheet.watch(), sheet.names
    for name in names[4:20:5]:
        assert watch.look(TableView(sheet.lay(name, sheet.corners))) is None
    pushed = sheet.push(names[10], 14.0, -9.0, 2.0)
    change = watch.look(TableView(pushed)) or watch.look(TableView(pushed))
    assert change is not None
    assert change.mover in (Mover.BOARD, Mover.EITHER)
    assert (change.dx_mm, change.dy_mm) == pytest.approx((14.0, -9.0), abs=2.0)
    assert watch.look(TableView(pushed)) is None


def test_a_bumped_camera_above_a_sheet_is_noticed() -> None:
    """By the table around it."""
    change = sheet_under_piles().watch().look(TableView(sheet_under_piles().bump(9.0, 12.0, -4.0)))
    assert change is not None
    assert change.mover in (Mover.CAMERA, Mover.EITHER)
