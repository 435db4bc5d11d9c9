"""Load the small networks that ship with the readers."""

from functools import cache
from pathlib import Path

import cv2


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
