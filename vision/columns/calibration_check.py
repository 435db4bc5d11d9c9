"""Doubt what people mean to teach: colours learned under other names make every reading wrong."""

from collections.abc import Sequence
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.columns.grid import CELLS_PER_SIDE, DEFAULT_COLOURS_BGR, Grid, list_columns
from vision.columns.heights import Cells, predict_heights
from vision.columns.model import Model
from vision.columns.patches import View
from vision.photometry.chromaticity import to_chroma

SEEN: Final = 0.7
"""A spot that the network takes for bare, or for not bare, with this probability is so."""


def check_calibration(grid: Grid, model: Model, view: View, cells: Cells) -> str | None:
    """Return why *view* cannot show exactly *cells*, None if it may.

    The network knows shapes in whatever colour; of colours only which is which is asked.
    """
    flat = [spot for row in cells for spot in row]
    kinds = predict_heights(model, view.patches, view.geometry).kinds
    for spot, pieces in enumerate(flat):
        bare, standing = float(kinds[spot, 0]), float(kinds[spot, 1:-1].sum())
        if pieces and bare > SEEN:
            return f"nothing stands in {_place_of(spot)}"
        if not pieces and standing > SEEN:
            return f"something stands in {_place_of(spot)}, which should be empty"
        if kinds[spot, -1] > SEEN or (not pieces and bare < 1.0 - SEEN):
            return f"{_place_of(spot)} is hidden; take your hands away"
    return _find_swapped_colours(grid, view, flat)


def _find_swapped_colours(grid: Grid, view: View, flat: Sequence[Sequence[str]]) -> str | None:
    """Return which two paints have changed places, by how they usually look; None if none have."""
    columns = list_columns(flat, grid.colours)
    if not columns:
        return None
    tops = view.crop_tops([(each.cell, each.height) for each in columns])
    tones = np.median(to_chroma(tops.reshape(len(columns), -1, 3)), axis=1)
    paints = np.array([each.colour for each in columns])
    usual = to_chroma(np.array([[DEFAULT_COLOURS_BGR[paint] for paint in grid.colours]], np.uint8))[
        0
    ]
    seen = {paint: np.median(tones[paints == paint], axis=0) for paint in set(paints.tolist())}
    for (one, first), (other, second) in combinations(sorted(seen.items()), 2):
        as_told = first - usual[one], second - usual[other]
        crossed = first - usual[other], second - usual[one]
        if _size(crossed) < _size(as_told):
            return f"{grid.colours[one]} and {grid.colours[other]} have changed places"
    return None


def _size(apart: Sequence[NDArray[np.float32]]) -> float:
    return float(sum(np.linalg.norm(each) for each in apart))


def _place_of(spot: int) -> str:
    """Return what people call a spot: a letter for the column, a number for the row.

    >>> _place_of(20)
    'A5'
    """
    row, column = divmod(spot, CELLS_PER_SIDE)
    return f"{'ABCDE'[column]}{row + 1}"
