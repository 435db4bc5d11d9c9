"""Columns that hide others: what cannot be seen is not guessed."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.bare_scenes import bare_scene, project_scene
from tests.vision.shipped import START, view_of
from vision.columns.grid import CELLS_PER_SIDE, TALLEST
from vision.columns.heights import CLASSES
from vision.columns.patches import PatchGeometry
from vision.columns.visibility import (
    MIN_VISIBLE_TOP_SHARE,
    are_occluded,
    are_saturated,
    find_saturated,
)

SEEDS = (4, 10, 41)
"""Of cameras that stand well aside."""


def find_occluded_pairs(geometry: PatchGeometry, low: int) -> list[tuple[int, int]]:
    """Return cells where a column *low* pieces high is hidden by a tall one, and where that is."""
    found = []
    for cell in range(CELLS_PER_SIDE**2):
        for other in range(CELLS_PER_SIDE**2):
            heights = np.zeros(CELLS_PER_SIDE**2, np.intp)
            heights[other], heights[cell] = TALLEST, low
            if (
                cell != other
                and geometry.find_visible_top_pixels([(cell, low)], heights).mean()
                < MIN_VISIBLE_TOP_SHARE
            ):
                found.append((cell, other))
    return found


@pytest.mark.parametrize("kind", ["tactiki", "topple"])
def test_what_a_tall_column_hides_is_not_told(kind: str) -> None:
    """Its own top is taken for that of a lower one behind it, where perhaps nothing stands."""
    tried = 0
    for seed in SEEDS:
        _, geometry = project_scene(bare_scene(kind, seed, 1))
        for cell, other in find_occluded_pairs(geometry, 1):
            heights = [0] * CELLS_PER_SIDE**2
            heights[cell], heights[other] = 1, TALLEST
            assert np.flatnonzero(are_occluded(geometry, np.array(heights))).tolist() == [cell]
            heights[other] = 1
            assert not are_occluded(geometry, np.array(heights)).any()
            tried += 1
    assert tried


def test_columns_higher_than_any_that_are_told_hide_more() -> None:
    """Ten discs stand before a column of three, whose top then seems to be theirs."""
    hidden = []
    for before in (TALLEST, 10):
        heights = np.full(CELLS_PER_SIDE**2, 3)
        heights[12] = before
        geometry = [project_scene(bare_scene("topple", seed, 1))[1] for seed in SEEDS]
        hidden.append([np.flatnonzero(are_occluded(each, heights)).tolist() for each in geometry])
    assert hidden[0] != hidden[1]
    assert all(set(low) <= set(high) for low, high in zip(*hidden, strict=True))


def test_an_empty_board_hides_nothing() -> None:
    """Neither does a board on which all stand equally high."""
    _, geometry = project_scene(bare_scene("topple", 3, 1))
    assert not are_occluded(geometry, np.zeros(CELLS_PER_SIDE**2, np.intp)).any()
    assert not are_occluded(geometry, np.full(CELLS_PER_SIDE**2, 4)).any()


def test_a_reflection_hides_a_column_but_not_what_was_white_before() -> None:
    """Such as the ring of a cell that is broader than its disc, in the light of a lamp."""
    cell, view = 12, view_of("topple", START)
    patches = view.patches.copy()
    foot_row = int(view.geometry.foot_row)
    patches[cell, foot_row - 4 : foot_row + 8] = 255
    shining = replace(view)
    vars(shining)["patches"] = patches  # as if they had been cut
    odds = np.eye(CLASSES, dtype=np.float32)[[1] * CELLS_PER_SIDE**2]
    assert are_saturated(shining, odds)[cell]
    assert not are_saturated(shining, odds, find_saturated(shining))[cell]
    assert are_saturated(shining, odds, find_saturated(view))[cell]
