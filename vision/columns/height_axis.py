"""What the network of columns sees: patches half as wide, and beside them a ruler.

The ruler marks in which rows tops of columns of all heights should appear (`patches.py`), so
that the network need not know where the camera stands.
"""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.columns.grid import TALLEST
from vision.columns.patches import LONG_PX, WIDE_PX, Patches
from vision.inference import space_to_depth

SEEN_PX: Final = WIDE_PX // 2
"""How wide the patches are that the network sees."""
RISE: Final = 8.0
"""The network is told rises in units of so many pixels."""
BIN_PX: Final = 2
BINS: Final = LONG_PX // BIN_PX
"""Into how many places along a patch the network puts feet and tops."""
RULER: Final = TALLEST + 3
"""Lines of the ruler: one for each height, the rise, and which pieces they are."""
MARK_PX: Final = 2.0
"""How wide the ruler's marks are."""


def lay_inputs(
    patches: Patches, tops: NDArray[np.float32], rise: NDArray[np.float32], pieces: float
) -> dict[str, NDArray[np.float32] | NDArray[np.uint8]]:
    """Return what the network sees: patches half as wide, in blocks, and a ruler.

    tops: (spots, TALLEST + 1) and rise (spots,): as `Spots` has them.  pieces: which they are, as
    the network is told.
    """
    ruler = lay_ruler(tops, rise, np.full(len(rise), pieces, np.float32))
    return {"patches": space_to_depth(narrow(patches)), "ruler": ruler}


def lay_ruler(
    tops: NDArray[np.float32], rise: NDArray[np.float32], pieces: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Return (spots, RULER, BINS, 1): a mark where the top of each height is to be expected.

    After the marks, the rise in units of RISE pixels, and which pieces they are.
    """
    ruler = np.empty((len(tops), RULER, BINS, 1), np.float32)
    away = (BIN_PX * np.arange(BINS, dtype=np.float32) + 0.5 - tops[..., None]) / MARK_PX
    ruler[:, :-2, :, 0] = np.exp(-0.5 * away**2)
    ruler[:, -2] = (rise / RISE - 0.5)[:, None, None]
    ruler[:, -1] = pieces[:, None, None]
    return ruler


def narrow(patches: Patches) -> Patches:
    """Return patches half as wide: what tells heights lies along them, not across."""
    flat = patches.reshape(-1, WIDE_PX, 3)
    size = (SEEN_PX, len(flat))
    seen = cv2.resize(flat, size, interpolation=cv2.INTER_AREA)
    return np.asarray(seen.reshape(-1, LONG_PX, SEEN_PX, 3), np.uint8)
