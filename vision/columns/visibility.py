"""What keeps a camera from telling how high columns are: a mirrored lamp, or other columns."""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.columns.cue_fusion import Odds
from vision.columns.patches import PATCH_COLUMNS, PATCH_ROWS, PatchGeometry, View

EDGE_PX: Final = 6
PALE: Final = 245
BLEACHED: Final = 0.02
"""Share of a column's pixels that may be as bright as PALE in all three colours."""
PRINTED: Final = 0.2
"""The same for an empty spot, whose ring and number may be printed in white."""
SHOWN_AT_ALL: Final = 0.1
"""Of a top that shows less than this share of its middle nobody can say whose it is."""


def are_saturated(view: View, odds: Odds) -> NDArray[np.bool_]:
    """Return at which spots (spots,) a mirrored lamp hides too much of what is likeliest to stand.

    White paper is as pale, but lies beside the columns, and white print only where none stands.
    """
    flat = view.patches.reshape(-1, PATCH_COLUMNS, 3)
    white = np.asarray(cv2.inRange(flat, (PALE,) * 3, (255,) * 3)).reshape(
        -1, PATCH_ROWS, PATCH_COLUMNS
    )
    pale = white[:, :, EDGE_PX:-EDGE_PX].mean(axis=2) / 255.0
    last = view.geometry.top_rows[np.arange(len(odds)), odds[:, :-1].argmax(axis=1)] + EDGE_PX
    shown = np.arange(PATCH_ROWS) < np.maximum(last, 2.0 * view.geometry.foot_row)[:, None]
    most = np.where(odds[:, 0] > 0.5, PRINTED, BLEACHED)
    return np.asarray((pale * shown).sum(axis=1) > most * shown.sum(axis=1), np.bool_)


def are_occluded(spots: PatchGeometry, odds: Odds) -> NDArray[np.bool_]:
    """Return at which spots (spots,) other columns hide the top of what is likeliest to stand.

    What is taken for such a top is one of theirs.
    """
    heights = odds[:, :-1].argmax(axis=1)
    covered = np.zeros(len(odds), np.bool_)
    tops = [(spot, height) for spot, height in enumerate(heights.tolist()) if height]
    if tops:
        shown = spots.find_visible_top_pixels(tops, heights).mean(axis=(1, 2))
        covered[heights > 0] = shown < SHOWN_AT_ALL
    return covered
