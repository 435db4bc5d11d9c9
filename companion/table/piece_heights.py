"""The angle of a lens by columns whose heights are known, where the tiles do not tell it.

From nearly straight above four tiles look the same through any lens. But the same column leans
further the nearer the camera stands, and how high the columns are that are learned is known.
"""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import numpy as np

from companion.table.readers import ReaderSetup
from vision.capture.frame import Frame
from vision.geometry.lens import UNSURE_ERROR, Lens, parse_lens, with_focal_factor, with_lens
from vision.geometry.session_values import HFOV_RANGE_DEG, take_distortion
from vision.geometry.table_view import straighten

STEP: Final = 0.125
STEPS: Final = np.arange(-2.0, 2.0 + STEP, STEP)
"""The angles that are tried, in standard errors of the focal length by the tiles."""


def with_likely_lens(
    setup: ReaderSetup, table: Mapping[str, Any], frame: Frame, truth: Mapping[str, Any]
) -> Mapping[str, Any]:
    """Return *table* with the lens by which the columns of *truth* are seen in *frame*.

    Unchanged if its lens is known well enough, or if nothing there tells it.
    """
    lens = parse_lens(table)
    if lens is None or lens.error <= UNSURE_ERROR:
        return table
    distortion = take_distortion(table)
    straight, seen = straighten(frame, distortion), Lens(distortion.straight_hfov_deg)
    steps, weights = [], []
    for step in STEPS.tolist():
        tried = with_focal_factor(seen, math.exp(step * lens.error))
        if not HFOV_RANGE_DEG[0] < tried.hfov_deg < HFOV_RANGE_DEG[1]:
            continue
        weight = setup.weigh(straight, truth, with_lens(table, tried))
        if weight is not None:
            steps.append(step)
            weights.append(weight - step**2 / 2.0)
    if not steps:
        return table
    odds = np.exp(np.array(weights) - max(weights))
    odds /= odds.sum()
    mean = float(odds @ steps)
    spread = math.sqrt(float(odds @ (np.array(steps) - mean) ** 2) + STEP**2 / 12.0)
    likely = with_focal_factor(lens, math.exp(mean * lens.error))
    return with_lens(table, replace(likely, error=min(1.0, spread) * lens.error))
