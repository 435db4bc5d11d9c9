"""The strip's budget: dimmed evenly before it would be too much, refused as the last guard."""

from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.fakes import FakeStrip
from hardware.lights import DARK, OverBudget, Strip, current_ma, within_budget

levels = st.integers(0, 255)
strips = st.lists(st.tuples(levels, levels, levels), min_size=1, max_size=60).map(tuple)
budgets = st.floats(0, 4000)
shares = st.floats(0, 1)


@given(strips, budgets, shares)
def test_a_dimmed_strip_keeps_to_the_budget(strip: Strip, spare_ma: float, share: float) -> None:
    """Whatever the colours, the supply is never asked for more than it gives."""
    budget_ma = len(strip) + spare_ma  # dark lights draw 1 mA each, which nothing can change
    dimmed = within_budget(strip, budget_ma, share)
    assert current_ma(dimmed, share) <= budget_ma + 1e-9
    with FakeStrip(len(strip), budget_ma + 1e-9, share) as device:
        device.value = dimmed


@given(strips, budgets)
def test_dimming_is_even(strip: Strip, budget_ma: float) -> None:
    """All levels shrink by one share to less than a step, so hues and patterns stay."""
    dimmed = within_budget(strip, budget_ma)
    pairs = list(zip(chain(*strip), chain(*dimmed), strict=True))
    lit = [(before, after) for before, after in pairs if before]
    assert all(after <= before for before, after in pairs)
    least = max((after / before for before, after in lit), default=0.0)
    most = min(((after + 1) / before for before, after in lit), default=1.0)
    assert least <= most + 1e-9  # so one share, between the two, explains every level


@given(strips)
def test_what_the_supply_can_give_is_left_alone(strip: Strip) -> None:
    """Within the budget nothing is dimmed."""
    assert within_budget(strip, current_ma(strip)) == strip


def test_a_strip_keeps_to_its_budget() -> None:
    """What would draw too much is refused, with both figures; just enough is shown."""
    with FakeStrip(lights=2, budget_ma=64.0) as strip:
        strip.value = ((255, 255, 255), (25, 0, 0))
        assert strip.current_ma == pytest.approx(62.0 + 2.0, abs=0.1)
        with pytest.raises(OverBudget, match="82 mA, more than the 64 mA") as caught:
            strip.value = ((255, 255, 255), (255, 0, 0))
        assert (round(caught.value.needed_ma), caught.value.budget_ma) == (82, 64.0)


def test_brightness_counts() -> None:
    """At half brightness twice the colour is allowed, and the strip says what it draws."""
    with FakeStrip(lights=1, budget_ma=31.0, brightness=0.5) as strip:
        strip.value = ((255, 255, 255),)
        assert strip.current_ma == pytest.approx(31.0)


def test_a_budget_below_the_dark_gives_the_dark() -> None:
    """Dimming never ends in an error, even where it cannot help."""
    assert within_budget(((255, 0, 0), (1, 1, 1)), 0.5) == (DARK, DARK)
