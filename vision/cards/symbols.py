"""Symbols on cards, classified by a small network from patches of a card's centre and corners.

The network was trained on drawn cards only (`training/train_symbols.py`). It sees one
channel, scaled so that the panel is 0 and white paper is 1: neither the panel's colour nor the
light source counts.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vision.inference import load_network, softmax

SIX: Final = "six"
"""A 6, or a 9 upside down, that lacks the line below it."""
NINE: Final = "nine"
"""A 9, or a 6 upside down, that lacks the line below it."""
OTHER: Final = "other"
"""Any other print, a symbol that is partly covered, or none."""
SYMBOLS: Final = (*"0123456789", "skip", "reverse", SIX, NINE, OTHER)
"""The network's classes in its order; "6" and "9" have their line and may be upside down."""
PATCH_PX: Final = 40
"""The side of the network's input."""
MIN_INPUT, MAX_INPUT = -0.25, 1.25
"""The input is clipped to this range, in training too: glare and deep shadow carry no shape."""
MODEL: Final = Path(__file__).parents[1] / "models" / "symbols.onnx"

SymbolPatch: TypeAlias = NDArray[np.float32]
"""(PATCH_PX, PATCH_PX) float32: 0 for the panel, 1 for white paper."""


def normalise_patch(
    minima: NDArray[np.uint8], panel_level: float, paper_level: float
) -> SymbolPatch:
    """Return *minima* with the panel's level as 0 and the paper's as 1, clipped."""
    span = max(paper_level - panel_level, 1.0)
    scaled = (minima.astype(np.float32) - panel_level) / span
    return np.asarray(np.clip(scaled, MIN_INPUT, MAX_INPUT), np.float32)


def classify_symbols(patches: Sequence[SymbolPatch]) -> NDArray[np.float64]:
    """Return the probabilities (patches, classes) of SYMBOLS."""
    if not patches:
        return np.zeros((0, len(SYMBOLS)))
    (scores,) = load_network(MODEL).run(patch=np.stack(patches)[:, None])
    return softmax(scores.astype(np.float64))
