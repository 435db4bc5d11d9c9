"""Debouncing and chatter, on a clock that only the test moves."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.debounce import Chatter, ChatterFigures, Debouncer

QUICK = ChatterFigures(rate_hz=20, for_s=2.0, calm_s=0.5)


def test_a_level_is_believed_once_it_has_lasted() -> None:
    """The bounces of one press are one change, dated by the first of them."""
    wire = Debouncer(False, settle_s=0.02)
    for active, at_s in ((True, 1.0), (False, 1.004), (True, 1.006)):
        wire.edge(active, at_s)
        assert not wire.due(at_s)
    assert wire.next_due_s == pytest.approx(1.026)
    assert not wire.due(1.025)
    assert wire.due(1.026)
    assert (wire.level, wire.since_s) == (True, 1.0)
    assert not wire.due(9.0)
    assert wire.next_due_s is None


def test_a_spike_is_no_change() -> None:
    """What is gone before it has lasted was never there, and does not date the next change."""
    wire = Debouncer(False, settle_s=0.02)
    wire.edge(True, 1.0)
    wire.edge(False, 1.001)
    assert not wire.due(1.1)
    wire.edge(True, 2.0)
    assert wire.due(2.1)
    assert wire.since_s == 2.0


def test_a_repeated_level_does_not_wait_anew() -> None:
    """The same level twice, as after a lost edge, is no edge."""
    wire = Debouncer(False, settle_s=0.02)
    wire.edge(True, 1.0)
    wire.edge(True, 1.019)
    assert wire.due(1.02)


@given(st.lists(st.floats(0.0001, 0.019), max_size=40), st.booleans())
def test_whatever_bounces_is_one_change_at_most(gaps_s: list[float], level: bool) -> None:
    """However it bounces, the level changes once if it ends elsewhere, and not if it does not."""
    wire = Debouncer(level, settle_s=0.02)
    at_s, raw, changes = 1.0, level, 0
    for gap_s in gaps_s:
        at_s, raw = at_s + gap_s, not raw
        wire.edge(raw, at_s)
        changes += wire.due(at_s)
    changes += wire.due(at_s + 0.05)
    assert (wire.level, changes) == (raw, int(raw != level))


def rattle(chatter: Chatter, start_s: float, for_s: float, rate_hz: float) -> list[float]:
    """Let a wire rattle, and return when it was said to begin or to cease to chatter."""
    said = []
    for number in range(int(for_s * rate_hz)):
        at_s = start_s + number / rate_hz
        chatter.edge(at_s)
        if chatter.due(at_s):
            said.append(at_s)
    return said


def test_endless_chatter_is_said_once_and_taken_back() -> None:
    """After two seconds of too many edges it is said, and once it is calm for long enough again."""
    chatter = Chatter(QUICK)
    said = rattle(chatter, 1.0, for_s=6.0, rate_hz=50)
    assert said == [pytest.approx(3.0, abs=0.1)]
    assert chatter.next_due_s == pytest.approx(7.5, abs=0.1)
    standing = [chatter.chattering]
    for now_s in (7.3, 7.6):
        chatter.due(now_s)
        standing.append(chatter.chattering)
    assert standing == [True, True, False]
    assert chatter.next_due_s is None


@pytest.mark.parametrize(("for_s", "rate_hz"), [(1.8, 500), (60.0, 18)])
def test_short_or_slow_is_no_chatter(for_s: float, rate_hz: float) -> None:
    """A burst passes, and so does what a hand can do for ever."""
    assert rattle(Chatter(QUICK), 1.0, for_s, rate_hz) == []


def test_bursts_do_not_add_up() -> None:
    """Each second of rattle is followed by a pause: nothing goes on without end."""
    chatter = Chatter(QUICK)
    for start_s in range(0, 60, 4):
        assert rattle(chatter, start_s, for_s=1.5, rate_hz=200) == []
