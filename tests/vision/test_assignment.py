"""Assignments against going through all of them."""

from itertools import permutations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from vision.line.assignment import min_assignment_costs

COSTS = st.tuples(st.integers(1, 4), st.integers(4, 5)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=st.floats(0.0, 9.0))
)


@given(COSTS)
def test_costs_are_those_of_the_best_assignment(costs: NDArray[np.float64]) -> None:
    """Every entry is the least total among all assignments with that name in that place."""
    places, names = costs.shape
    least = np.full(costs.shape, np.inf)
    for chosen in permutations(range(names), places):
        total = sum(costs[place, name] for place, name in enumerate(chosen))
        for place, name in enumerate(chosen):
            least[place, name] = min(least[place, name], total)
    assert np.allclose(min_assignment_costs(costs), least)
