"""Build the inputs of the height network: patches of half the width, and projected height axes.

The height axis marks the row in which the top of a column of each height appears (`patches.py`), so
the network need not know where the camera stands.
"""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.columns.grid import TALLEST
from vision.columns.patches import PATCH_COLUMNS, PATCH_ROWS, Patches
from vision.inference import space_to_depth

# The networks were trained with all these values.
INPUT_COLUMNS: Final = PATCH_COLUMNS // 2
"""Width of the network's patches in pixels."""
BIN_PX: Final = 2
BINS: Final = PATCH_ROWS // BIN_PX
"""The network localises feet and tops in bins of BIN_PX rows."""
AXIS_ROWS: Final = TALLEST + 3
"""Rows of the height axis: a mark for each height from 0, pixels per level, kind of pieces."""


def build_inputs(
    patches: Patches,
    top_rows: NDArray[np.float32],
    pixels_per_level: NDArray[np.float32],
    pieces: float,
) -> dict[str, NDArray[np.float32] | NDArray[np.uint8]]:
    """Return the network's inputs by name.

    top_rows: (cells, TALLEST + 1) and pixels_per_level (cells,): see `PatchGeometry`.  pieces: the
    value that names the kind of pieces to the network.
    """
    kinds = np.full(len(pixels_per_level), pieces, np.float32)
    axis = build_height_axis(top_rows, pixels_per_level, kinds)
    return {"patches": space_to_depth(halve_width(patches)), "height_axis": axis}


def build_height_axis(
    top_rows: NDArray[np.float32],
    pixels_per_level: NDArray[np.float32],
    pieces: NDArray[np.float32],
) -> NDArray[np.float32]:
    """Return (cells, AXIS_ROWS, BINS, 1): a Gaussian mark where the top of each height appears.

    Its standard deviation is 2 pixels.  After the marks follow pixels per level, divided by 8, and
    the kind of *pieces* (cells,), the same in all bins.
    """
    axis = np.empty((len(top_rows), AXIS_ROWS, BINS, 1), np.float32)
    offset = BIN_PX * np.arange(BINS, dtype=np.float32) + 0.5 - top_rows[..., None]
    axis[:, :-2, :, 0] = np.exp(-0.5 * (offset / 2.0) ** 2)
    axis[:, -2] = (pixels_per_level / 8.0 - 0.5)[:, None, None]
    axis[:, -1] = pieces[:, None, None]
    return axis


def halve_width(patches: Patches) -> Patches:
    """Return patches (cells, PATCH_ROWS, INPUT_COLUMNS, 3): heights show along rows only."""
    flat = patches.reshape(-1, PATCH_COLUMNS, 3)
    narrow = cv2.resize(flat, (INPUT_COLUMNS, len(flat)), interpolation=cv2.INTER_AREA)
    return np.asarray(narrow.reshape(-1, PATCH_ROWS, INPUT_COLUMNS, 3), np.uint8)
