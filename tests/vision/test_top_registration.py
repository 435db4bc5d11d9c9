"""Heights of columns by registering their tops to known ones of the same colour."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.grids import Shot, session_of, shots_of
from vision.columns.cues.image_registration import Alignment, SearchImage, Template, register
from vision.columns.cues.rotation_search import SEARCH_PX, TEMPLATE_HALF_RADII, TEMPLATE_PX
from vision.columns.cues.top_registration import (
    FIRST_REFERENCES,
    HeightMeasurement,
    TopRegistration,
    choose_references,
    crop_top,
    find_tops,
)
from vision.columns.grid import TALLEST, Column, StackLayout, list_columns, parse_stacks
from vision.columns.model import PAIR_ERRORS
from vision.columns.patches import View, ViewBuilder
from vision.geometry.marker_tracking import MarkerTracker
from vision.geometry.table_view import TableView

FULL = "tactiki_full"
ROUND = np.linspace(0.0, 2.0 * np.pi, 24, endpoint=False)
CIRCLE = np.column_stack([np.cos(ROUND), np.sin(ROUND), np.zeros_like(ROUND)])


def layout() -> StackLayout:
    """Return the table of the session in full size."""
    return parse_stacks(session_of(FULL))


def view_of(shot: Shot) -> View:
    """Return the board as the camera sees it."""
    board = layout()
    pose = MarkerTracker(board).locate(TableView(shot.frame.picture))
    assert pose is not None
    return ViewBuilder(board, board.floor_z).build(shot.frame.picture, pose)


def columns_of(shot: Shot) -> list[Column]:
    """Return what truly stands there."""
    return list_columns([cell for row in shot.truth["cells"] for cell in row], layout().colours)


@pytest.fixture(scope="module")
def registration() -> TopRegistration:
    """Return what was learned from the calibration picture."""
    board = layout()
    learned = TopRegistration(board, board.floor_z, PAIR_ERRORS)
    learned.learn(view_of(shots_of(FULL)[0]), columns_of(shots_of(FULL)[0]))
    return learned


def settled() -> list[Shot]:
    """Return the shots at rest, without the calibration picture."""
    return [shot for shot in shots_of(FULL)[1:] if shot.reading]


def measure_errors(registration: TopRegistration, shot: Shot, off: int) -> np.ndarray:
    """Return by how many levels each column is misjudged, its height thought to be off by so many.

    Each is told by the calibration picture and all others of its own.
    """
    columns, view, missed = columns_of(shot), view_of(shot), []
    for column in columns:
        thought = replace(column, height=min(max(column.height + off, 1), TALLEST))
        told = registration.estimate(
            view, [thought], [each for each in columns if each is not column]
        )
        missed.append(told[0].argmax() + 1 - column.height)
    return np.array(missed)


@pytest.mark.parametrize("off", [-1, 0, 1])
@pytest.mark.slow
def test_tops_tell_heights_by_themselves(registration: TopRegistration, off: int) -> None:
    """Two of three to the level, nearly all to one: whatever the columns are thought to be."""
    missed = np.concatenate([measure_errors(registration, shot, off) for shot in settled()[:3]])
    assert np.mean(missed == 0) > 0.6
    assert np.mean(np.abs(missed) <= 1) > 0.93


def test_likelihoods_sum_to_one(registration: TopRegistration) -> None:
    """One for each height, in the order that was asked for."""
    shot = settled()[0]
    columns, view = columns_of(shot), view_of(shot)
    odds = registration.estimate(view, columns[:3], columns[3:])
    assert odds.shape == (3, TALLEST)
    assert odds.sum(axis=1) == pytest.approx(np.ones(3))
    swapped = registration.estimate(view, columns[:3][::-1], columns[3:])
    # To the digits that sums in another order leave alike, with each release of numpy and OpenCV.
    assert swapped[::-1] == pytest.approx(odds, abs=0.005)
    assert swapped != pytest.approx(odds, abs=0.005)


def test_the_nearest_known_tops_are_enough_where_they_agree(
    registration: TopRegistration, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With what others think; if they contradict it, or it says nothing, more are asked."""
    shot, laid = settled()[0], []

    def count(pairs: list[tuple[Template, SearchImage]]) -> list[Alignment]:
        laid.append(len(pairs))
        return register(pairs)

    monkeypatch.setattr("vision.columns.cues.top_registration.register", count)
    columns, view = columns_of(shot), view_of(shot)
    alone = registration.estimate(view, columns[:6], columns[6:], np.ones((6, TALLEST)))
    best = alone.argmax(axis=1)
    agreed, contradicted = (np.eye(TALLEST)[at] + 0.003 for at in (best, (best + 2) % TALLEST))
    counts = []
    for thought in (agreed, contradicted):
        laid.clear()
        told = registration.estimate(view, columns[:6], columns[6:], thought)
        assert laid[0] == 6 * FIRST_REFERENCES
        counts.append(sum(laid))
    assert counts[0] < counts[1]
    assert (told.argmax(axis=1) == best).mean() > 0.6


def test_no_column_is_compared_with_itself() -> None:
    """Also when it is among those that are sure; in another picture the same spot is another."""
    board, shot, other = layout(), *settled()[:2]
    columns = columns_of(shot)
    alike = [each for each in columns if each.colour == columns[0].colour][:5]
    tops = find_tops(view_of(shot), board, board.floor_z, alike)
    elsewhere = find_tops(view_of(other), board, board.floor_z, alike[:1])
    assert len(choose_references(tops[0], tops)) == len(tops) - 1
    assert len(choose_references(tops[0], [*tops, *elsewhere])) == len(tops)


def test_known_tops_of_another_paint_say_nothing() -> None:
    """A sun is no measure for a raindrop."""
    board, shot = layout(), settled()[0]
    bare = TopRegistration(board, board.floor_z, PAIR_ERRORS)
    columns = columns_of(shot)
    column, others = columns[0], [each for each in columns if each.colour != columns[0].colour]
    assert len(others) > 1
    told = bare.estimate(view_of(shot), [column], others)
    assert told == pytest.approx(np.full((1, TALLEST), 1.0 / TALLEST))


def test_plain_tops_say_nothing() -> None:
    """Their outlines alone are left, and a piece below makes those larger; faces tell as ever."""
    board, (first, shot) = layout(), (shots_of(FULL)[0], settled()[0])
    view, columns = view_of(first), columns_of(first)
    view = replace(view, picture=view.picture.copy())
    plain = columns[0].colour
    for top in find_tops(view, board, board.floor_z, columns):
        if top.column.colour == plain:
            rim = top.centre_mm + 0.75 * top.radius_mm * CIRCLE
            outline = view.pose.project(rim).round().astype(np.int32)
            x, y = outline[0]
            cv2.fillConvexPoly(view.picture, outline, view.picture[y, x].tolist())
    learned = TopRegistration(board, board.floor_z, PAIR_ERRORS)
    learned.learn(view, columns)
    told = learned.estimate(view_of(shot), columns_of(shot), [])
    are_plain = np.array([each.colour == plain for each in columns_of(shot)])
    assert told[are_plain] == pytest.approx(1.0 / TALLEST)
    assert told[~are_plain].max(axis=1).min() > 2.0 / TALLEST


def test_a_single_known_top_says_nothing() -> None:
    """What one pair says may be due to that pair alone."""
    board, shot = layout(), settled()[0]
    columns = columns_of(shot)
    alike = [each for each in columns[1:] if each.colour == columns[0].colour]
    bare = TopRegistration(board, board.floor_z, PAIR_ERRORS)
    one, two = (bare.estimate(view_of(shot), columns[:1], alike[:count])[0] for count in (1, 2))
    assert one == pytest.approx(np.full(TALLEST, 1.0 / TALLEST))
    assert two.max() > 0.2


@given(
    doubt=st.floats(0.0, 5.0),
    more=st.floats(0.01, 1.0),
    aside=st.floats(0.0, 1.0),
)
def test_doubt_and_distance_take_trust_away(doubt: float, more: float, aside: float) -> None:
    """The more doubtful a pair, or the further apart, the further it may be off."""
    usual = PAIR_ERRORS.predict_sigma(HeightMeasurement(3.0, doubt, aside))
    assert usual > 0.0
    assert PAIR_ERRORS.predict_sigma(HeightMeasurement(3.0, doubt + more, aside)) > usual
    assert PAIR_ERRORS.predict_sigma(HeightMeasurement(3.0, doubt, aside + more)) > usual


@given(st.lists(st.floats(-40.0, 40.0), min_size=1, max_size=12), st.floats(1e-3, 1e6))
def test_whatever_pairs_say_heights_have_odds(seen: list[float], usual: float) -> None:
    """Far off, contradictory, sure or in doubt."""
    odds = PAIR_ERRORS.likelihood(np.array(seen), np.full(len(seen), usual))
    assert odds.shape == (TALLEST,)
    assert np.isfinite(odds).all()
    assert odds.sum() == pytest.approx(1.0)


def test_pairs_that_agree_are_trusted_more() -> None:
    """The same mean, as doubtful each: those that scatter say less."""
    agreed = PAIR_ERRORS.likelihood(np.full(8, 3.0), np.full(8, 0.7))
    scattered = PAIR_ERRORS.likelihood(3.0 + np.tile([-0.9, 0.9], 4), np.full(8, 0.7))
    assert agreed.argmax() == scattered.argmax() == 2
    assert agreed[2] > scattered[2] + 0.05


def test_one_stray_pair_does_not_decide() -> None:
    """Seven say three, one says six for certain."""
    odds = PAIR_ERRORS.likelihood(np.array([3.0] * 7 + [6.0]), np.full(8, 0.4))
    assert odds.argmax() == 2


@pytest.mark.parametrize("side_px", [TEMPLATE_PX, SEARCH_PX])
def test_tops_are_cut_where_they_lie(side_px: int) -> None:
    """The middle of the cut is the middle of the top; the scale is as documented."""
    board, view = layout(), view_of(settled()[0])
    radius, top_mm = board.figure.radius, board.floor_z + board.figure.top_mm
    rows, columns = np.indices(view.picture.shape[:2])
    places = np.stack([columns / 6.1, rows / 3.5, np.zeros(rows.shape)], axis=2)
    painted = replace(view, picture=places.round().astype(np.uint8))
    middle = np.array([*board.cell_centres[12], top_mm])
    cut = crop_top(painted, middle, radius, side_px).astype(float)
    assert cut.shape == (side_px, side_px, 3)
    step = 2.0 * TEMPLATE_HALF_RADII * radius / TEMPLATE_PX
    for row, column in ((side_px // 2, side_px // 2), (10, side_px - 14), (side_px - 34, 20)):
        away = np.array([column + 0.5 - side_px / 2, row + 0.5 - side_px / 2]) * step
        place = np.array([[*(board.cell_centres[12] + away), top_mm]])
        pixel = view.pose.project(place)[0]
        assert cut[row, column, :2] == pytest.approx(pixel / (6.1, 3.5), abs=1.0)
