"""How each cell has changed since the table was last accepted, by one network."""

from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vision.columns.change_patches import DELTAS, Marks, Pairs, are_possible
from vision.inference import load_network, softmax

MODEL: Final = Path(__file__).parents[1] / "models" / "discs-changes.onnx"
HIDDEN_CLASS: Final = len(DELTAS)
OTHER_CLASS: Final = HIDDEN_CLASS + 1
"""Something else altogether stands there."""
CLASSES: Final = len(DELTAS) + 2
SAME: Final = DELTAS.index(0)
SAME_LOG_PRIOR: Final = float(np.log(22.0 / 6.0))
"""Six of some 22 unchanged cells of a pair were learned from."""
RARE: Final = tuple(at for at, delta in enumerate(DELTAS) if abs(delta) > 1)
RARE_LOG_PRIOR: Final = float(np.log(0.2))
OTHER_LOG_PRIOR: Final = float(np.log(0.1))
"""Several pieces of one column at once, or something else altogether, are far rarer at a table than
among what was learned from."""
FLOOR: Final = 1e-3
"""No change is less likely: a network's 0 only means that it has not seen such a case."""

Changes: TypeAlias = NDArray[np.float64]
"""(cells, CLASSES): the probability of each of DELTAS, of hidden, and of anything else."""


def tell_changes(pairs: Pairs, marks: Marks, heights: NDArray[np.intp]) -> Changes:
    """Return how cells have changed whose columns had *heights* (cells,)."""
    [answer] = load_network(MODEL).run(pairs=pairs, marks=marks)
    scores = np.asarray(answer, np.float64)
    scores[:, SAME] += SAME_LOG_PRIOR
    scores[:, RARE] += RARE_LOG_PRIOR
    scores[:, OTHER_CLASS] += OTHER_LOG_PRIOR
    possible = np.ones(scores.shape, np.bool_)
    possible[:, : len(DELTAS)] = are_possible(heights)
    scores[~possible] = -np.inf
    odds = softmax(scores)
    return np.asarray((1.0 - FLOOR * CLASSES) * odds + FLOOR, np.float64)
