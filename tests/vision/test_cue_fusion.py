"""What several tell of the heights of columns, weighed together."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from vision.columns.cue_fusion import (
    PIXELS_PER_LEVEL_RANGE,
    CueLikelihood,
    CueWeight,
    add_outliers,
    check_leave_one_out,
    find_certain,
    find_uncertain,
    fuse,
)
from vision.columns.grid import TALLEST
from vision.columns.heights import MIN_LEAVE_ONE_OUT
from vision.columns.model import Model


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


ODDS = st.lists(st.floats(0.01, 1.0), min_size=TALLEST, max_size=TALLEST)
RISE = st.floats(0.1, 60.0)


@given(odds=ODDS, rise=RISE)
def test_full_trust_leaves_odds_as_they_are(odds: list[float], rise: float) -> None:
    """However much a level rises."""
    tempered = CueWeight(1.0).temper(np.array([odds]), np.array([rise], np.float32))
    assert tempered[0] == pytest.approx(odds)


@given(odds=ODDS, share=st.floats(0.1, 0.9), growth=st.floats(-1.0, 1.0), rise=RISE)
def test_trust_neither_turns_odds_around_nor_forgets_them(
    odds: list[float], share: float, growth: float, rise: float
) -> None:
    """What was likelier stays likelier, and where a level rises alike, equal odds count alike."""
    heed = CueWeight(share, growth)
    first, second = heed.temper(np.array([odds, odds[::-1]]), np.full(2, rise, np.float32))
    assert first == pytest.approx(second[::-1])
    ordered = first[np.argsort(odds, kind="stable")]
    assert np.all(np.diff(ordered) >= 0.0)


def test_trust_grows_or_shrinks_with_the_rise_within_what_was_learned() -> None:
    """A column's own odds count more where it shows more, a shadow's less; never without end."""
    odds, rises = (
        np.full((4, 1), 0.25),
        np.array([0.01, *PIXELS_PER_LEVEL_RANGE, 500.0], np.float32),
    )
    column, shadow = (CueWeight(0.5, growth).temper(odds, rises).ravel() for growth in (0.2, -0.5))
    for told in (column, shadow):
        assert told[[0, 3]] == pytest.approx(told[[1, 2]])
    assert column[0] > column[3]
    assert shadow[0] < shadow[3]


def test_no_height_is_ruled_out_by_one_alone() -> None:
    """A shadow that rules out what column and outline agree on does not have its way."""
    agreed, other = np.array([[0.02, 0.98]]), np.array([[1.0, 0.0]])
    padded = [np.pad(each, ((0, 0), (0, TALLEST - 2))) for each in (agreed, agreed, other)]
    rise = np.array([4.2], np.float32)
    for floor, likeliest in ((0.0, 1), (1e-3, 2)):
        odds = odds_of([[0.5, 0.5, 0.0, 0.0, 0.0, 0.0]], 0.0, 0.0)
        shadow = CueWeight(0.5, floor=floor).temper(padded[2], rise)
        fuse(odds, np.array([0]), padded[0], padded[1], shadow)
        assert odds[0].argmax() == likeliest


TOLD = arrays(float, (3, 2, TALLEST), elements=st.floats(1e-4, 1.0))
ASKED = np.array([0, 2])


def hear(told: np.ndarray) -> tuple[np.ndarray, list[CueLikelihood]]:
    """Return the odds that three cues about two of three spots make, and these."""
    odds = odds_of([[1.0] * TALLEST] * 3, 0.1, 0.05)
    cues = [CueLikelihood(ASKED, each) for each in told]
    fuse(odds, ASKED, *told)
    return odds, cues


def without(told: np.ndarray, spot: int, height: int) -> float:
    """Return how likely a height of a spot is when whoever speaks for it most is not heard."""
    rest = [np.delete(told, at, axis=0)[:, spot].prod(axis=0) for at in range(len(told))]
    return min(float(each[height] / each.sum()) for each in rest)


@given(told=TOLD, least=st.floats(0.1, 0.5))
def test_what_one_alone_speaks_for_is_never_certain(told: np.ndarray, least: float) -> None:
    """And what holds without any one of them stays as it is, as do all other spots."""
    odds, cues = hear(told)
    before = odds.copy()
    check_leave_one_out(odds, ASKED, cues, least)
    assert odds.sum(axis=1) == pytest.approx(np.ones(3), abs=1e-5)
    assert odds[:, [0, -1]] == pytest.approx(before[:, [0, -1]])
    assert np.array_equal(odds[1], before[1])
    for at, spot in enumerate(ASKED):
        best = int(before[spot, 1:-1].argmax())
        upheld = without(told, at, best)
        if upheld > least + 1e-4:
            assert np.array_equal(odds[spot], before[spot])
        elif upheld < least - 1e-4:
            assert odds[spot, 1 + best] < before[spot, 1 + best] + 1e-6
            assert odds[spot, 1:-1].max() < Model.DISCS.min_certainty * odds[spot, 1:-1].sum()


def test_one_who_is_certain_does_not_outvote_all() -> None:
    """A column says four, beyond doubt; its shadow and its outline say three, with little doubt."""
    column = np.array([[1e-4, 1e-4, 1e-4, 0.9995, 1e-4, 1e-4]])
    other = np.array([[0.01, 0.01, 0.8, 0.16, 0.01, 0.01]])
    which, told = np.array([0]), [column, other, other]
    odds = odds_of([[1.0] * TALLEST], 0.0, 0.0)
    fuse(odds, which, *told)
    assert odds[0, 4] > Model.DISCS.min_certainty
    check_leave_one_out(
        odds, which, [CueLikelihood(which, each) for each in told], MIN_LEAVE_ONE_OUT
    )
    assert odds[0].max() < 0.6
    assert set(odds[0].argsort()[-2:]) == {3, 4}


def test_who_was_not_asked_is_not_missed() -> None:
    """Of one spot only two are heard, who agree; a third, heard elsewhere, makes no difference."""
    sure = np.array([[0.05, 0.9, 0.05, 0.0, 0.0, 0.0]])
    both, one = np.array([0, 1]), np.array([1])
    odds = odds_of([[1.0] * TALLEST] * 2, 0.0, 0.0)
    fuse(odds, both, np.tile(sure, (2, 1)), np.tile(sure, (2, 1)))
    fuse(odds, one, odds[one, 1:-1], sure)
    before = odds.copy()
    twice = [CueLikelihood(both, np.tile(sure, (2, 1)))] * 2
    check_leave_one_out(odds, both, [*twice, CueLikelihood(one, sure)], MIN_LEAVE_ONE_OUT)
    assert np.array_equal(odds, before)
