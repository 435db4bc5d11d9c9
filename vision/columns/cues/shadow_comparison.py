"""Compare a column's cast shadow with those of known columns under the same light sources.

Shadows of one table are alike: as hard or soft, as dark, as coloured. So the network of
`cast_shadows.py` returns for each place along a shadow not only how likely it ends there, but also
features of that place. The features around the ends of known columns' shadows are averaged, and a
second network compares.
"""

from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vision.columns.grid import TALLEST
from vision.inference import load_network, softmax

Features: TypeAlias = NDArray[np.float32]
"""(n, FEATURES, TALLEST): at the place of each height, the score of ending there, and 8 others."""

Ends: TypeAlias = NDArray[np.float32]
"""(n, FEATURES + 1, PLACES): the features around a shadow's end, level by level.

Last comes 1 where there is such a height; all is 0 where there is none.
"""

# The networks were trained with all these values.
FEATURES: Final = 1 + 8
"""The score of a shadow's ending in a place, and 8 others."""
CONTEXT_LEVELS: Final = 2
"""Features are taken so many levels before a shadow's end and beyond."""
PLACES: Final = 2 * CONTEXT_LEVELS + 1
SUMMARY: Final = PLACES * (FEATURES + 1)
"""For each place the mean of its features, and how many shadows had it."""
SHADOW_COUNT_UNIT: Final = 8.0
"""The network receives numbers of shadows in this unit."""
MIN_MARK_WEIGHT: Final = 0.3
"""A height whose mark lies mostly beyond the patch has this weight at least."""


def pool_features(outputs: NDArray[np.float32], marks: NDArray[np.float32]) -> Features:
    """Return the features of each height: the network's *outputs* averaged over its mark.

    outputs: (n, FEATURES, BINS) along shadows.  marks: (n, TALLEST, BINS), see `ShadowPatches`.
    """
    weights = np.maximum(marks.sum(axis=2), MIN_MARK_WEIGHT)
    return np.asarray(np.einsum("nsb,nhb->nsh", outputs, marks) / weights[:, None], np.float32)


def gather_ends(features: Features, heights: NDArray[np.intp]) -> Ends:
    """Return the features around the ends of shadows of columns that are *heights* (n,) high."""
    places = heights[:, None] - 1 + np.arange(PLACES) - CONTEXT_LEVELS
    exists = (places >= 0) & (places < TALLEST)
    at = np.repeat(places.clip(0, TALLEST - 1)[:, None], FEATURES, axis=1)
    around = np.take_along_axis(features, at, axis=2) * exists[:, None]
    return np.asarray(np.concatenate([around, exists[:, None]], axis=1), np.float32)


def summarise(ends: Ends) -> NDArray[np.float32]:
    """Return (n, SUMMARY) means and counts of n groups of shadows, whose *ends* are summed up."""
    counts = ends[:, -1:]
    means = ends[:, :-1] / np.maximum(counts, 1.0)
    both = np.concatenate([means, counts / SHADOW_COUNT_UNIT], axis=1)
    return np.asarray(both.reshape(len(ends), SUMMARY), np.float32)


def build_comparison_inputs(
    features: Features, known: NDArray[np.float32]
) -> dict[str, NDArray[np.float32]]:
    """Return the comparing network's inputs by name.

    signs: (n, FEATURES + 1, TALLEST, 1), the last of which is 1 wherever there is a height.  known:
    (n, SUMMARY, 1, 1) of the shadows with which each is compared.
    """
    ones = np.ones((len(features), 1, TALLEST), np.float32)
    padded = np.concatenate([features, ones], axis=1)[..., None]
    return {"signs": padded, "known": known[..., None, None]}


def compare(weights: Path, features: Features, known: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return the likelihood of each height (n, TALLEST) by a shadow's comparison with *known*.

    weights: of the comparing network.  known: (n, SUMMARY).
    """
    (scores,) = load_network(weights).run(**build_comparison_inputs(features, known))
    return softmax(scores.astype(np.float64).reshape(len(features), TALLEST))


def compare_leave_one_out(
    weights: Path, features: Features, heights: NDArray[np.intp]
) -> NDArray[np.float64]:
    """Return the likelihood of each height (n, TALLEST) by comparing each shadow with the others.

    heights: (n,) of the columns that cast them.
    """
    ends = gather_ends(features, heights)
    return compare(weights, features, summarise(ends.sum(axis=0) - ends))
