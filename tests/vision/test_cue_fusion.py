"""What several tell of the heights of columns, weighed together."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from vision.columns.cue_fusion import (
    add_outliers,
    find_certain,
    find_uncertain,
    fuse,
)
from vision.columns.grid import TALLEST


def odds_of(standing: list[list[float]], empty: float, hidden: float) -> np.ndarray:
    """Return the odds of spots where columns stand with these shares, or none, or unseen."""
    rows = np.array(standing)
    rows = rows / rows.sum(axis=1, keepdims=True) * (1.0 - empty - hidden)
    first, last = (np.full((len(rows), 1), end) for end in (empty, hidden))
    return np.concatenate([first, rows, last], axis=1).astype(np.float32)


def test_only_doubtful_columns_are_asked_about() -> None:
    """Not where nothing stands, nor where the height is plain."""
    plain, torn = [0.0, 0.0, 1.0, 0.0, 0.0, 0.0], [0.0, 0.5, 0.5, 0.0, 0.0, 0.0]
    odds = np.concatenate([odds_of([plain, torn], 0.0, 0.05), odds_of([torn], 0.96, 0.0)])
    assert find_uncertain(odds, 0.97).tolist() == [1]


@given(
    standing=arrays(float, (3, TALLEST), elements=st.floats(0.01, 1.0)),
    told=arrays(float, (1, TALLEST), elements=st.floats(0.002, 1.0)),
    empty=st.floats(0.0, 0.4),
    hidden=st.floats(0.0, 0.4),
)
def test_what_else_is_told_moves_heights_alone(
    standing: np.ndarray, told: np.ndarray, empty: float, hidden: float
) -> None:
    """Of the columns asked about; whether anything stands there or is hidden stays as it was."""
    odds = odds_of(standing.tolist(), empty, hidden)
    before = odds.copy()
    fuse(odds, np.array([1]), odds[[1], 1:-1], told)
    assert odds[[0, 2]] == pytest.approx(before[[0, 2]])
    assert odds[:, [0, -1]] == pytest.approx(before[:, [0, -1]])
    assert odds.sum(axis=1) == pytest.approx(np.ones(3), abs=1e-5)
    share = odds[1, 1:-1] / before[1, 1:-1]
    assert share / share.max() == pytest.approx(told[0] / told[0].max(), rel=1e-3)


def test_only_columns_are_sure() -> None:
    """Not a spot that is surely empty, nor one that may be hidden."""
    odds = odds_of([[1.0, 0.0, 0.0, 0.0, 0.0, 0.0]] * 3, 0.0, 0.0)
    odds[1], odds[2] = np.eye(TALLEST + 2)[0], [0.0, 0.7, 0, 0, 0, 0, 0, 0.3]
    assert find_certain(odds, 0.9).tolist() == [0]


def test_who_comes_last_can_contradict_all_before() -> None:
    """Column and shadow say three for certain, the top fourteen to one that it is four."""
    before = odds_of([[0.0, 0.0001, 0.9989, 0.001, 0.0, 0.0]], 0.0, 0.02)
    top = np.array([[0.0001, 0.0016, 0.0617, 0.8905, 0.0448, 0.0013]])
    which, least = np.array([0]), []
    for share in (0.0, 0.003):
        odds = before.copy()
        fuse(odds, which, add_outliers(odds, which, share), top)
        assert odds.sum() == pytest.approx(1.0, abs=1e-5)
        least.append(float(odds[0, 3] / odds[0, :-1].sum()))
    assert least[0] > 0.98
    assert least[1] < 0.96


def test_who_comes_last_and_agrees_makes_it_surer() -> None:
    """What may be a mistake is hardly one if the top says the same."""
    odds = odds_of([[0.0, 0.03, 0.95, 0.02, 0.0, 0.0]], 0.0, 0.0)
    top = np.array([[0.0001, 0.05, 0.9, 0.05, 0.0, 0.0]])
    which = np.array([0])
    fuse(odds, which, add_outliers(odds, which, 0.003), top)
    assert odds[0, 3] > 0.99
