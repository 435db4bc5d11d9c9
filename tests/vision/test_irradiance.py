"""How high columns are, by how much light they keep from a board."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.vision.test_light_sources import (
    Light,
    draw,
    heights,
    look,
)
from tests.vision.towers import layout
from vision.columns.cue_fusion import Posterior
from vision.columns.cues.irradiance import Irradiance, solve_nonnegative
from vision.columns.grid import TALLEST
from vision.geometry.pose import Points

LAMP = Light(75.0, 50.0)
SPOT = 13
"""Nothing stands there when the light is learned."""

NEAR, LIKELY = 0.8, 0.25
"""Told heights are off by less than so many levels on average, the true one being so likely."""


def odds_of(high: NDArray[np.intp], doubtful: int, thought: int) -> Posterior:
    """Return odds of columns *high* (25,), but for one that may be anything, and likeliest so."""
    odds = np.eye(TALLEST + 2, dtype=np.float32)[high]
    odds[doubtful] = [0.0, *[0.1] * TALLEST, 0.0]
    odds[doubtful, thought] = 0.5
    return odds


def place_of(lamp: Light) -> Points:
    """Return where a far *lamp* is over the drawn board."""
    middle = np.array([*layout().cell_centres.mean(axis=0), 0.0])
    return middle + 1e5 * lamp.list_ways()[0]


@cache
def learned(grain: float = 0.0) -> Irradiance:
    """Return what is known of the light that fell on a board with a *grain*."""
    irradiance = Irradiance(layout(), 0.0)
    irradiance.learn(look(draw(LAMP, grain=grain)), heights(), [place_of(LAMP)])
    return irradiance


def tell(height: int, thought: int, grain: float = 0.0) -> NDArray[np.float64]:
    """Return how likely each height (TALLEST,) of a column is that is *height* high."""
    high = heights()
    high[SPOT] = height
    view = look(draw(LAMP, grain=grain, high=high))
    (told,) = learned(grain).tell(view, odds_of(high, SPOT, thought), np.array([SPOT]))
    return np.asarray(told)


@pytest.mark.parametrize("height", [1, 2, 3, 4])
@pytest.mark.parametrize("grain", [0.0, 0.1])
@pytest.mark.slow(keep=["4"])
def test_the_dark_around_a_column_tells_how_high_it_is(height: int, grain: float) -> None:
    """On a plain board and on one with a grain that is as strong as faint shadows."""
    told = tell(height, height, grain)
    assert abs(told @ np.arange(1, TALLEST + 1) - height) < NEAR
    assert told[height - 1] > LIKELY


def test_what_was_thought_before_does_not_decide() -> None:
    """A column that is thought to be a level lower or higher is still told rightly."""
    assert tell(3, 2).argmax() + 1 == 3
    assert tell(3, 4).argmax() + 1 == 3


@pytest.mark.slow
def test_impossible_heights_stay_impossible() -> None:
    """What the odds rule out is not worked out."""
    odds = odds_of(heights(), SPOT, 2)
    odds[SPOT, 3:] = 0.0
    told = learned().tell(look(draw(LAMP)), odds, np.array([SPOT]))[0]
    assert told[2:].tolist() == [0.0] * (TALLEST - 2)
    assert told.sum() == pytest.approx(1.0)


def test_an_empty_board_in_even_light_tells_nothing_wrong() -> None:
    """Where too little is to be seen, all heights are as likely as before."""
    irradiance = Irradiance(layout(), 0.0)
    white = np.full_like(draw(LAMP), 255)
    irradiance.learn(look(white), heights(), [])
    told = irradiance.tell(look(draw(LAMP)), odds_of(heights(), SPOT, 1), np.array([SPOT]))
    assert told[0] == pytest.approx(np.full(TALLEST, 1.0 / TALLEST))
    blind = learned().tell(look(white), odds_of(heights(), SPOT, 1), np.array([SPOT]))
    assert blind[0] == pytest.approx(np.full(TALLEST, 1.0 / TALLEST))


@pytest.mark.slow
def test_a_lamp_elsewhere_would_tell_otherwise() -> None:
    """The light that was learned is what tells: in another, the same board is told wrongly."""
    high = heights()
    high[SPOT] = 3
    opposite = Irradiance(layout(), 0.0)
    other = replace(LAMP, azimuth_deg=LAMP.azimuth_deg + 180.0)
    opposite.learn(look(draw(other)), heights(), [place_of(other)])
    told = opposite.tell(look(draw(LAMP, high=high)), odds_of(high, SPOT, 3), np.array([SPOT]))[0]
    assert told[2] < tell(3, 3)[2]


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 12))
def test_no_least_square_is_smaller_without_negative_numbers(seed: int, size: int) -> None:
    """Where a number is not nothing the slope is none; elsewhere it leads further down only."""
    random = np.random.default_rng(seed)
    seen = random.normal(size=(size, size + 3))
    gram, right = seen @ seen.T + 0.1 * np.eye(size), random.normal(size=size)
    found = solve_nonnegative(gram, right)
    slope = gram @ found - right
    assert (found >= 0.0).all()
    assert np.abs(slope[found > 1e-6]).max(initial=0.0) < 1e-2
    assert slope.min() > -1e-2
