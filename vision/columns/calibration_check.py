"""Check whether a picture can show the table that people want to calibrate with.

Colours learned under the wrong names would make every reading wrong.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from vision.columns.grid import CELLS_PER_SIDE, DEFAULT_COLOURS_BGR, Grid, list_columns
from vision.columns.heights import Cells, SpanFit, estimate_heights, predict_heights
from vision.columns.model import Model
from vision.columns.patches import View
from vision.photometry.chromaticity import to_chroma

MIN_CONTRADICTING_PROBABILITY: Final = 0.7
"""From this probability on, what the network sees in a cell contradicts what should be there."""
MIN_PROBABILITY: Final = 1e-3
"""Of a true height: nothing that the network sees there says more against an angle of the lens."""
MAX_USUAL_DISTANCE: Final = 0.45
"""In chromaticity, between a colour and the default one of its name: 0.04 to 0.36 on recorded
tables.  A set in quite other colours, 0.8 and more away, has no usual names to be swapped."""


def check_calibration(grid: Grid, model: Model, view: View, cells: Cells) -> str | None:
    """Return why *view* cannot show exactly *cells*, None if it may.

    The network recognises shapes in any colour; of colours only swapped names are detected.
    """
    flat = [cell for row in cells for cell in row]
    probabilities = predict_heights(model, view.patches, view.geometry).classes
    for cell, pieces in enumerate(flat):
        empty, hidden = probabilities[cell, [0, -1]].tolist()
        standing = float(probabilities[cell, 1:-1].sum())
        if pieces and empty > MIN_CONTRADICTING_PROBABILITY:
            return f"nothing stands in {_name_cell(cell, grid.rows)}"
        if not pieces and standing > MIN_CONTRADICTING_PROBABILITY:
            return f"something stands in {_name_cell(cell, grid.rows)}, which should be empty"
        is_unlikely_empty = not pieces and empty < 1.0 - MIN_CONTRADICTING_PROBABILITY
        if hidden > MIN_CONTRADICTING_PROBABILITY or is_unlikely_empty:
            return f"{_name_cell(cell, grid.rows)} is hidden; take your hands away"
    return _find_swapped_colours(grid, view, flat)


def _find_swapped_colours(grid: Grid, view: View, flat: Sequence[Sequence[str]]) -> str | None:
    """Return which two colours would fit the default colours better if swapped, None if none do."""
    columns = list_columns(flat, grid.colours)
    if not columns:
        return None
    tops = view.crop_tops([(each.cell, each.height) for each in columns])
    chroma = np.median(to_chroma(tops.reshape(len(columns), -1, 3)), axis=1)
    colours = np.array([each.colour for each in columns])
    names = grid.colours
    defaults = to_chroma(np.array([[DEFAULT_COLOURS_BGR[name] for name in names]], np.uint8))[0]
    seen = {
        colour: np.median(chroma[colours == colour], axis=0) for colour in set(colours.tolist())
    }

    def distance(colour: int, default: int) -> np.floating[Any]:
        return np.linalg.norm(seen[colour] - defaults[default])

    for one, other in combinations(sorted(seen), 2):
        swapped = distance(one, other), distance(other, one)
        as_named = distance(one, one) + distance(other, other)
        if max(swapped) <= MAX_USUAL_DISTANCE and sum(swapped) < as_named:
            return f"{names[one]} and {names[other]} have changed places"
    return None


def _name_cell(cell: int, rows: int) -> str:
    """Return what people call a cell: a letter for the column, a number for the row.

    >>> _name_cell(20, rows=5), _name_cell(2, rows=1)
    ('A5', 'place 3')
    """
    if rows == 1:
        return f"place {cell + 1}"
    row, column = divmod(cell, CELLS_PER_SIDE)
    return f"{'ABCDE'[column]}{row + 1}"


def weigh_heights(model: Model, view: View, heights: NDArray[np.intp]) -> float:
    """Return the log likelihood of *heights* (cells,), one at least above 0, by the network."""
    prediction = predict_heights(model, view.patches, view.geometry)
    stands = np.flatnonzero(heights)
    posterior = estimate_heights(prediction, view.geometry, SpanFit())[stands, heights[stands]]
    return float(np.log(np.maximum(posterior, MIN_PROBABILITY)).sum())
