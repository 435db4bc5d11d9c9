"""Name the symbol in a small picture of a card's middle or corner.

A small network, trained on drawn cards only (`vision/training`), sees how pale each pixel is: white
paper is 1, the panel's colour is 0, whatever that colour and the lamp are.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.inference import load_network, softmax

SIX: Final = "six"
NINE: Final = "nine"
"""A 6 or an upside-down 9 without the line that would tell; and the other way round."""
OTHER: Final = "other"
"""Nothing that is known, or a symbol that is partly covered."""
SYMBOLS: Final = (*"0123456789", "skip", "reverse", SIX, NINE, OTHER)
"""The network's classes in its order; "6" and "9" have their line and may be upside down."""
INPUT_PX: Final = 40
PALEST: Final = 1.25
DARKEST: Final = -0.25
MODEL: Final = Path(__file__).parents[1] / "models" / "symbols.onnx"

Patch = NDArray[np.float32]
"""(40, 40) float32 paleness."""


def scale_paleness(pale: NDArray[np.uint8], panel: float, white: float) -> NDArray[np.float32]:
    """Return paleness levels with *panel* as 0 and *white* as 1, within bounds."""
    scaled = (pale.astype(np.float32) - panel) / max(white - panel, 1.0)
    return np.asarray(np.clip(scaled, DARKEST, PALEST), np.float32)


def name_symbols(patches: Sequence[Patch]) -> NDArray[np.float64]:
    """Return the probabilities (patches, classes) of SYMBOLS for each patch."""
    if not patches:
        return np.zeros((0, len(SYMBOLS)))
    (scores,) = load_network(MODEL).run(patch=np.stack(patches)[:, None])
    return softmax(scores.astype(np.float64))
