"""Load the small networks that ship with the readers, and make odds of their scores."""

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


def share_out(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return scores as probabilities along the last axis."""
    likely = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(likely / likely.sum(axis=-1, keepdims=True), np.float64)
