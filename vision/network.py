"""The small networks that ship with the readers: colours go in, odds come out."""

from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray


@cache
def load_network(model: Path) -> cv2.dnn.Net:
    """Return the network of an ONNX file, one for all that ask for it."""
    # For so small a network OpenCV 5's older engine takes 60 % of the newer one's time; OpenCV 4
    # has only the older one.
    classic = getattr(cv2.dnn, "ENGINE_CLASSIC", None)
    engine = () if classic is None else (classic,)
    network = cv2.dnn.readNetFromONNX(str(model), *engine)
    network.enableWinograd(True)
    return network


def lay_colours(patches: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return *patches* (n, rows, columns, 3) as (n, 3, rows, columns), from -1 to 1."""
    n, rows, columns, channels = patches.shape
    colours = np.empty((n, channels, rows, columns), np.float32)
    np.divide(patches.transpose(0, 3, 1, 2), 127.5, out=colours)
    colours -= 1.0
    return colours


def share_out(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return scores as probabilities along the last axis."""
    likely = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(likely / likely.sum(axis=-1, keepdims=True), np.float64)
