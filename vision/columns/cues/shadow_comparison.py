"""Compare how a column's shadow looks with how those of known columns looked in the same light.

Shadows of one table are alike: as hard or soft, as dark, as coloured. Where a shadow ends is found
better by one who has seen how others of the same lamps end, so the network of `cast_shadows.py`
tells not only how likely a shadow ends in a place, but also some traits of that place. What they
are around the ends of known columns' shadows is summarised; a second network compares.
"""

from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vision.columns.grid import TALLEST
from vision.inference import load_network, softmax

Signs: TypeAlias = NDArray[np.float32]
"""(n, SIGNS, TALLEST): the score of each height's place, and its traits."""

Ends: TypeAlias = NDArray[np.float32]
"""(n, SIGNS + 1, PLACES): the signs from REACH levels before to as many beyond a shadow's end.

After them whether there is such a height; all is nought where there is none.
"""

TRAITS: Final = 8
SIGNS: Final = 1 + TRAITS
REACH: Final = 2
"""Known shadows are summarised so many levels before and beyond their ends."""
PLACES: Final = 2 * REACH + 1
SUMMARY: Final = PLACES * (SIGNS + 1)
"""For each place the mean of its signs, and how many shadows had it."""
MANY: Final = 8.0
"""Counts of shadows are told in units of this."""
LEAST_MARK: Final = 0.3
"""A height whose place lies mostly beyond the patch has this weight at least."""


def read_signs(told: NDArray[np.float32], marks: NDArray[np.float32]) -> Signs:
    """Return the signs of each height's place.

    told: (n, SIGNS, BINS) along shadows.  marks: (n, TALLEST, BINS), as `Shades` has them.
    """
    weights = np.maximum(marks.sum(axis=2), LEAST_MARK)
    return np.asarray(np.einsum("nsb,nhb->nsh", told, marks) / weights[:, None], np.float32)


def show_ends(signs: Signs, heights: NDArray[np.intp]) -> Ends:
    """Return the signs around the ends of shadows of columns that are *heights* (n,) high."""
    places = heights[:, None] - 1 + np.arange(PLACES) - REACH
    inside = (places >= 0) & (places < TALLEST)
    at = np.repeat(places.clip(0, TALLEST - 1)[:, None], SIGNS, axis=1)
    around = np.take_along_axis(signs, at, axis=2) * inside[:, None]
    return np.asarray(np.concatenate([around, inside[:, None]], axis=1), np.float32)


def summarise(ends: Ends) -> NDArray[np.float32]:
    """Return the summaries (n, SUMMARY) of shadows whose *ends* are added up (n, ..., ...)."""
    counts = ends[:, -1:]
    means = ends[:, :-1] / np.maximum(counts, 1.0)
    both = np.concatenate([means, counts / MANY], axis=1)
    return np.asarray(both.reshape(len(ends), SUMMARY), np.float32)


def build_comparison_inputs(
    signs: Signs, known: NDArray[np.float32]
) -> dict[str, NDArray[np.float32]]:
    """Return what the comparing network sees of shadows.

    known: (n, SUMMARY) of the shadows that each is compared with.
    To signs (n, SIGNS + 1, TALLEST, 1), the last being one wherever there is a height, and known
    (n, SUMMARY, 1, 1).
    """
    ones = np.ones((len(signs), 1, TALLEST), np.float32)
    seen = np.concatenate([signs, ones], axis=1)[..., None]
    return {"signs": seen, "known": known[..., None, None]}


def compare(weights: Path, signs: Signs, known: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return how likely each height is (n, TALLEST) by a shadow that is compared with *known*.

    weights: of a network that has learned to compare shadows.
    """
    (told,) = load_network(weights).run(**build_comparison_inputs(signs, known))
    return softmax(told.astype(np.float64).reshape(len(signs), TALLEST))


def compare_each(weights: Path, signs: Signs, heights: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return how likely each height is (n, TALLEST) by shadows that are compared with the others.

    heights: (n,) of the columns that throw them.
    """
    ends = show_ends(signs, heights)
    return compare(weights, signs, summarise(ends.sum(axis=0) - ends))
