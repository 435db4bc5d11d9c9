"""Assignment of names to places when each name may be used once."""

import numpy as np
from numpy.typing import NDArray


def min_assignment_costs(costs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return, for each place and name, the least total cost of an assignment with that name there.

    costs: (places, names), no more places than names, and at most a dozen names: the dynamic
    programme goes through all sets of names. The least entry of each row is the same: the total of
    the best assignment.

    >>> min_assignment_costs(np.array([[0.0, 1.0], [0.0, 5.0]]))
    array([[5., 1.],
           [1., 5.]])
    """
    places, names = costs.shape
    sets = np.arange(1 << names)
    without = [sets[(sets >> name) & 1 == 0] for name in range(names)]
    before = [np.where(sets == 0, 0.0, np.inf)]  # by the set of names used so far
    for place in range(places):
        total = np.full(len(sets), np.inf)
        for name, free in enumerate(without):
            used = free | (1 << name)
            total[used] = np.minimum(total[used], before[place][free] + costs[place, name])
        before.append(total)
    after = np.zeros(len(sets))
    least = np.empty_like(costs)
    for place in reversed(range(places)):
        total = np.full(len(sets), np.inf)
        for name, free in enumerate(without):
            rest = costs[place, name] + after[free | (1 << name)]
            least[place, name] = float((before[place][free] + rest).min())
            total[free] = np.minimum(total[free], rest)
        after = total
    return least
