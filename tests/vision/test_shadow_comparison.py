"""How shadows are compared with known ones: what is summarised, and what that is good for."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.columns.cues.shadow_comparison import (
    CONTEXT_LEVELS,
    FEATURES,
    PLACES,
    SHADOW_COUNT_UNIT,
    SUMMARY,
    build_comparison_inputs,
    compare,
    compare_leave_one_out,
    gather_ends,
    pool_features,
    summarise,
)
from vision.columns.cues.shadow_patches import BINS
from vision.columns.grid import TALLEST
from vision.columns.model import FIGURE_COMPARISON

HEIGHTS = st.lists(st.integers(1, TALLEST), min_size=1, max_size=25)


def draw_features(count: int, seed: int = 1) -> np.ndarray:
    """Return random features of so many columns."""
    return np.random.default_rng(seed).normal(size=(count, FEATURES, TALLEST)).astype(np.float32)


def test_signs_are_read_at_the_marks() -> None:
    """What was told of a place goes to the height whose mark is there."""
    told = np.zeros((1, FEATURES, BINS), np.float32)
    told[0, :, 20] = np.arange(FEATURES)
    marks = np.zeros((1, TALLEST, BINS), np.float32)
    marks[0, 2, 20] = 1.0
    features = pool_features(told, marks)
    assert features[0, :, 2] == pytest.approx(np.arange(FEATURES))
    assert not features[0, :, [0, 1, 3, 4, 5]].any()


def test_what_lies_beyond_the_patch_says_little() -> None:
    """A mark of which hardly anything is left does not count in full."""
    told = np.ones((1, FEATURES, BINS), np.float32)
    marks = np.zeros((1, TALLEST, BINS), np.float32)
    marks[0, 5, -1] = 0.03
    assert pool_features(told, marks)[0, :, 5] == pytest.approx(np.full(FEATURES, 0.1))


def summarise_known(features: np.ndarray, heights: list[int]) -> np.ndarray:
    """Return what all these columns together show, features and counts by place."""
    ends = gather_ends(features, np.array(heights))
    return summarise(ends.sum(axis=0, keepdims=True)).reshape(FEATURES + 1, PLACES)


@given(HEIGHTS, st.randoms(use_true_random=False))
def test_the_order_of_known_columns_does_not_matter(heights: list[int], random: Random) -> None:
    """A summary is the same whichever column is looked at first."""
    features, order = draw_features(len(heights)), list(range(len(heights)))
    random.shuffle(order)
    shuffled = summarise_known(features[order], [heights[index] for index in order])
    assert shuffled == pytest.approx(summarise_known(features, heights), abs=1e-5)


@given(HEIGHTS)
def test_a_summary_counts_the_columns_that_have_a_place(heights: list[int]) -> None:
    """All have their own end; one piece has no place a level before it, six none beyond."""
    summary = summarise_known(draw_features(len(heights)), heights)
    for place, count in enumerate(summary[-1] * SHADOW_COUNT_UNIT):
        assert count == pytest.approx(
            sum(1 <= height + place - CONTEXT_LEVELS <= TALLEST for height in heights)
        )
    assert np.isfinite(summary).all()


def test_one_known_column_is_its_own_summary() -> None:
    """Around its end lie its own features, and nothing where there is no height."""
    features = draw_features(1)
    summary = summarise_known(features, [2])
    assert not summary[:, 0].any()
    assert summary[:-1, 1:] == pytest.approx(features[0, :, :4])


def test_each_column_is_shown_beside_its_own_summary() -> None:
    """The network is shown features, where heights are, and what is known for each column."""
    known = np.arange(3.0 * SUMMARY, dtype=np.float32).reshape(3, SUMMARY)
    seen = build_comparison_inputs(draw_features(3), known)
    assert seen["signs"].shape == (3, FEATURES + 1, TALLEST, 1)
    assert seen["signs"][:, -1] == pytest.approx(np.ones((3, TALLEST, 1)))
    assert seen["known"].shape == (3, SUMMARY, 1, 1)
    assert (seen["known"][:, :, 0, 0] == known).all()


def test_a_column_is_not_compared_with_itself() -> None:
    """However odd one shadow is, it is judged by the others alone."""
    features, heights = draw_features(4), np.array([1, 2, 3, 4])
    odd = features.copy()
    odd[0] += 5.0
    told, odd_told = (
        compare_leave_one_out(FIGURE_COMPARISON, each, heights) for each in (features, odd)
    )
    ends = gather_ends(odd, heights)
    by_others = compare(FIGURE_COMPARISON, odd[:1], summarise(ends[1:].sum(axis=0, keepdims=True)))
    assert odd_told[:1] == pytest.approx(by_others, abs=1e-5)
    assert np.abs(odd_told[1:] - told[1:]).max() > 1e-3
