"""Places of indices: how a card lies is told by the way to its middle."""

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.cards.index_finder import (
    BLOCK_PX,
    CROP_MM,
    CROP_PX,
    INDEX_MM,
    LONG_PX,
    MIDDLE_MM,
    IndexPlace,
    crop_index,
    shrink_to_input,
)

PX_PER_MM = 3.0


@given(angle=st.floats(-3.2, 3.2), px_per_mm=st.floats(0.5, 20.0))
def test_the_axes_lead_from_an_index_to_the_middle(angle: float, px_per_mm: float) -> None:
    """Across and down the card, in pixels of a mm, at right angles."""
    cos, sin = px_per_mm * np.cos(angle), px_per_mm * np.sin(angle)
    turn = np.array([[cos, -sin], [sin, cos]])
    place = IndexPlace(np.zeros(2), turn @ MIDDLE_MM, 1.0)
    assert np.allclose(place.axes, turn)


@given(turn_deg=st.integers(-180, 180), grow=st.floats(0.5, 2.0))
def test_a_crop_shows_the_corner_upright(turn_deg: int, grow: float) -> None:
    """A mark right of an index is right of the middle of its crop, however the card lies."""
    picture = np.zeros((600, 600, 3), np.uint8)
    at, size = np.array([300.0, 300.0]), grow * PX_PER_MM
    angle = np.radians(turn_deg)
    axes = size * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    mark_mm = np.array([6.0, -2.0])
    x, y = np.round(at + axes @ mark_mm).astype(int).tolist()
    cv2.circle(picture, (x, y), max(1, round(1.5 * size)), (255, 255, 255), cv2.FILLED)
    crop = crop_index(picture, IndexPlace(at, axes @ MIDDLE_MM, 1.0))
    rows, columns = np.nonzero(crop[:, :, 0] > 100)
    middle = (CROP_PX - 1) / 2 + mark_mm * CROP_PX / CROP_MM
    assert np.abs(np.array([columns.mean(), rows.mean()]) - middle).max() < 1.5


def test_a_crop_beyond_the_picture_is_grey() -> None:
    """A card may lie half out of the picture."""
    picture = np.zeros((100, 100, 3), np.uint8)
    crop = crop_index(picture, IndexPlace(np.array([400.0, 400.0]), 3 * MIDDLE_MM, 1.0))
    assert crop.shape == (CROP_PX, CROP_PX, 3)
    assert (crop == 114).all()
    assert INDEX_MM.min() > 0


@given(rows=st.integers(2, 900), columns=st.integers(2, 900))
def test_the_input_is_as_long_and_in_whole_blocks(rows: int, columns: int) -> None:
    """Whatever the photograph's shape."""
    canvas, scale = shrink_to_input(np.zeros((rows, columns, 3), np.uint8))
    assert max(canvas.shape[:2]) == LONG_PX
    assert not any(side % BLOCK_PX for side in canvas.shape[:2])
    assert scale * max(rows, columns) == pytest.approx(LONG_PX)
