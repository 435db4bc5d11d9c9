"""The small networks that ship with the readers: colours go in, odds come out."""

from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
import onnxruntime
from numpy.typing import NDArray

LEVELS: Final = "tensor(uint8)"
"""What the runtime calls an input that takes levels as a camera has them."""
BLOCK: Final = 2
"""So many pixels across and down are one block."""
ERRORS: Final = 3
"""From this severity on the runtime may speak; it warns of processors that it does not know."""


class Network:
    """A network of an ONNX file."""

    def __init__(self, model: Path) -> None:
        options = onnxruntime.SessionOptions()
        # For so small a network a second thread costs more than it brings.
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = ERRORS
        self._session = onnxruntime.InferenceSession(
            str(model), options, providers=["CPUExecutionProvider"]
        )

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """What each input has to be like, by name, but for how many there are at once."""
        return {each.name: tuple(each.shape[1:]) for each in self._session.get_inputs()}

    @property
    def in_levels(self) -> frozenset[str]:
        """The names of inputs that are levels from 0 to 255, uint8."""
        return frozenset(e.name for e in self._session.get_inputs() if e.type == LEVELS)

    def run(self, **seen: NDArray[np.float32] | NDArray[np.uint8]) -> list[NDArray[np.float32]]:
        """Return what the network answers to what it is shown, by the names of its inputs."""
        return [np.asarray(part, np.float32) for part in self._session.run(None, seen)]


@cache
def load_network(model: Path) -> Network:
    """Return the network of an ONNX file, one for all that ask for it."""
    return Network(model)


def to_channels(patches: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return *patches* (n, rows, columns, 3) as (n, 3, rows, columns), from -1 to 1."""
    n, rows, columns, channels = patches.shape
    colours = np.empty((n, channels, rows, columns), np.float32)
    np.divide(patches.transpose(0, 3, 1, 2), 127.5, out=colours)
    colours -= 1.0
    return colours


def to_blocks(patches: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return *patches* (n, rows, columns, 3) in blocks, (n, rows / 2, columns / 2, 12).

    Few pixels of many channels take a network's first layer less time than many of few.
    """
    n, rows, columns, channels = patches.shape
    parts = patches.reshape(n, rows // BLOCK, BLOCK, columns // BLOCK, BLOCK, channels)
    blocks = parts.transpose(0, 1, 3, 2, 4, 5)
    return blocks.reshape(n, rows // BLOCK, columns // BLOCK, BLOCK**2 * channels)


def softmax(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return scores as probabilities along the last axis."""
    likely = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(likely / likely.sum(axis=-1, keepdims=True), np.float64)
