"""Find cells whose height the camera cannot show: saturated by a reflection, or occluded."""

from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.columns.cue_fusion import Posterior
from vision.columns.grid import TALLEST
from vision.columns.patches import PATCH_COLUMNS, PATCH_ROWS, PatchGeometry, View

Saturated: TypeAlias = NDArray[np.uint8]
"""(cells, PATCH_ROWS, PATCH_COLUMNS): 255 where a patch is saturated, 0 elsewhere."""
MARGIN_PX: Final = 6
"""Columns at either side of a patch that do not count, and rows beyond a top that do."""
MIN_SATURATED_LEVEL: Final = 245
"""A pixel whose three channels all reach this is saturated."""
MAX_SATURATED_SHARE: Final = 0.02
"""Share of a column's pixels that may be saturated."""
MAX_SATURATED_SHARE_IF_EMPTY: Final = 0.2
"""The same of an empty cell, whose ring and number may be printed in white."""
MIN_VISIBLE_TOP_SHARE: Final = 0.1
"""Where less of a top's middle is visible, what seems to be it is a taller column's (decision
0213)."""


def find_saturated(view: View) -> Saturated:
    """Return which pixels of the cells' patches are saturated."""
    flat = view.patches.reshape(-1, PATCH_COLUMNS, 3)
    white = np.asarray(cv2.inRange(flat, (MIN_SATURATED_LEVEL,) * 3, (255,) * 3))
    return np.asarray(white.reshape(-1, PATCH_ROWS, PATCH_COLUMNS), np.uint8)


def are_saturated(
    view: View, odds: Posterior, before: Saturated | None = None
) -> NDArray[np.bool_]:
    """Return in which cells (cells,) too much of the likeliest column is saturated.

    White paper is saturated too, but lies beside the columns, and white print shows in empty cells
    only, but for a ring that is broader than a disc.
    before: what was saturated in the last accepted picture already hides nothing.
    """
    white = find_saturated(view)
    if before is not None:
        white &= ~before
    row_shares = white[:, :, MARGIN_PX:-MARGIN_PX].mean(axis=2) / 255.0
    top_rows = view.geometry.top_rows[np.arange(len(odds)), odds[:, :-1].argmax(axis=1)]
    end_rows = np.maximum(top_rows + MARGIN_PX, 2.0 * view.geometry.foot_row)
    counted = np.arange(PATCH_ROWS) < end_rows[:, None]
    limits = np.where(odds[:, 0] > 0.5, MAX_SATURATED_SHARE_IF_EMPTY, MAX_SATURATED_SHARE)
    saturated = (row_shares * counted).sum(axis=1)
    return np.asarray(saturated > limits * counted.sum(axis=1), np.bool_)


def are_occluded(geometry: PatchGeometry, heights: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Return in which cells (cells,) other columns occlude the top of the likeliest column.

    What seems to be that top is one of theirs.  heights: (cells,) of the likeliest, up to HIGHEST.
    """
    occluded = np.zeros(len(heights), np.bool_)
    tops = [(cell, min(height, TALLEST)) for cell, height in enumerate(heights.tolist()) if height]
    if tops:
        visible = geometry.find_visible_top_pixels(tops, heights).mean(axis=(1, 2))
        occluded[heights > 0] = visible < MIN_VISIBLE_TOP_SHARE
    return occluded
