"""Heights of columns by the light that they occlude from a board."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.vision.lit_boards import Light, draw, heights, look
from tests.vision.towers import layout
from vision.columns.cue_fusion import Posterior
from vision.columns.cues.irradiance import Irradiance, solve_nonnegative_least_squares
from vision.columns.grid import TALLEST
from vision.geometry.pose import Points

SOURCE = Light(75.0, 50.0)
CELL = 13
"""This cell is empty when the light is fitted."""

MAX_MEAN_ERROR_LEVELS, MIN_TRUE_LIKELIHOOD = 0.8, 0.25


def posterior_of(high: NDArray[np.intp], uncertain: int, assumed: int) -> Posterior:
    """Return the posterior of columns *high* (25,); one is uncertain, most likely *assumed*."""
    posterior = np.eye(TALLEST + 2, dtype=np.float32)[high]
    posterior[uncertain] = [0.0, *[0.1] * TALLEST, 0.0]
    posterior[uncertain, assumed] = 0.5
    return posterior


def position_of(source: Light) -> Points:
    """Return where a far *source* is over the drawn board."""
    middle = np.array([*layout().cell_centres.mean(axis=0), 0.0])
    return middle + 1e5 * source.list_ways()[0]


@cache
def learned(grain: float = 0.0) -> Irradiance:
    """Return the cue after a picture of a board with a *grain*."""
    irradiance = Irradiance(layout(), 0.0)
    irradiance.learn(look(draw(SOURCE, grain=grain)), heights(), [position_of(SOURCE)])
    return irradiance


def estimate(height: int, assumed: int, grain: float = 0.0) -> NDArray[np.float64]:
    """Return the likelihoods (TALLEST,) of a column that is *height* high."""
    high = heights()
    high[CELL] = height
    view = look(draw(SOURCE, grain=grain, high=high))
    (likely,) = learned(grain).estimate(view, posterior_of(high, CELL, assumed), np.array([CELL]))
    return np.asarray(likely)


@pytest.mark.parametrize("height", [1, 2, 3, 4])
@pytest.mark.parametrize("grain", [0.0, 0.1])
@pytest.mark.slow(keep=["0.1-4"])
def test_dimming_around_a_column_gives_its_height(height: int, grain: float) -> None:
    """On a plain board and on one with a grain that is as strong as faint shadows."""
    likely = estimate(height, height, grain)
    assert abs(likely @ np.arange(1, TALLEST + 1) - height) < MAX_MEAN_ERROR_LEVELS
    assert likely[height - 1] > MIN_TRUE_LIKELIHOOD


def test_the_assumed_height_does_not_decide() -> None:
    """A column that is assumed to be a level lower or higher is still estimated rightly."""
    assert estimate(3, 2).argmax() + 1 == 3
    assert estimate(3, 4).argmax() + 1 == 3


@pytest.mark.slow
def test_impossible_heights_stay_impossible() -> None:
    """What the prior rules out is not computed."""
    posterior = posterior_of(heights(), CELL, 2)
    posterior[CELL, 3:] = 0.0
    likely = learned().estimate(look(draw(SOURCE)), posterior, np.array([CELL]))[0]
    assert likely[2:].tolist() == [0.0] * (TALLEST - 2)
    assert likely.sum() == pytest.approx(1.0)


def test_a_saturated_picture_gives_even_likelihoods() -> None:
    """Whether it is the one to learn from or the one to estimate from."""
    irradiance = Irradiance(layout(), 0.0)
    white = np.full_like(draw(SOURCE), 255)
    irradiance.learn(look(white), heights(), [])
    likely = irradiance.estimate(
        look(draw(SOURCE)), posterior_of(heights(), CELL, 1), np.array([CELL])
    )
    assert likely[0] == pytest.approx(np.full(TALLEST, 1.0 / TALLEST))
    blind = learned().estimate(look(white), posterior_of(heights(), CELL, 1), np.array([CELL]))
    assert blind[0] == pytest.approx(np.full(TALLEST, 1.0 / TALLEST))


@pytest.mark.slow
def test_another_illumination_makes_the_true_height_less_likely() -> None:
    """The cue depends on the light that was fitted."""
    high = heights()
    high[CELL] = 3
    opposite = Irradiance(layout(), 0.0)
    other = replace(SOURCE, azimuth_deg=SOURCE.azimuth_deg + 180.0)
    opposite.learn(look(draw(other)), heights(), [position_of(other)])
    likely = opposite.estimate(
        look(draw(SOURCE, high=high)), posterior_of(high, CELL, 3), np.array([CELL])
    )[0]
    assert likely[2] < estimate(3, 3)[2]


@settings(max_examples=25)
@given(st.integers(0, 2**32 - 1), st.integers(1, 12))
def test_nonnegative_least_squares_are_optimal(seed: int, size: int) -> None:
    """The gradient is 0 where the solution is positive, and not negative elsewhere (KKT)."""
    random = np.random.default_rng(seed)
    seen = random.normal(size=(size, size + 3))
    gram, right = seen @ seen.T + 0.1 * np.eye(size), random.normal(size=size)
    found = solve_nonnegative_least_squares(gram, right)
    gradient = gram @ found - right
    assert (found >= 0.0).all()
    assert np.abs(gradient[found > 1e-6]).max(initial=0.0) < 1e-2
    assert gradient.min() > -1e-2
