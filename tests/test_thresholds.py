"""Thresholds are judged by whole games: the table has every one of them, and moves it alone."""

from dataclasses import fields

import pytest

from companion.referee.evidence import LIMITS, Limits
from tests.thresholds import RANGES, try_limits, vary


def test_every_threshold_has_a_range_around_what_it_is() -> None:
    """So that its neighbours on both sides are seen."""
    assert RANGES.keys() == {field.name for field in fields(Limits)}
    for name, values in RANGES.items():
        assert min(values) < getattr(LIMITS, name) < max(values), name


def test_one_threshold_is_moved_at_a_time() -> None:
    """The first line is of the limits as they are."""
    (_, _, first), *others = vary()
    assert first == LIMITS
    for name, value, limits in others:
        changed = [each for each in RANGES if getattr(limits, each) != getattr(LIMITS, each)]
        assert (changed, getattr(limits, name)) == ([name], value)


@pytest.mark.slow
def test_thresholds_that_ask_too_much_lose_moves() -> None:
    """The limits that are tried are those that the referee goes by."""
    strict = Limits(odds=1e12)
    assert try_limits(strict, films=range(1, 2), games=("topple",)).right == 0
