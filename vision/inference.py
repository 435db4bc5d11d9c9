"""Inference with the small ONNX networks that ship with the readers."""

import os
import sys
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Final

import numpy as np
from numpy.typing import NDArray

BLOCK_PX: Final = 2
"""Side of the square of pixels that `space_to_depth` stacks into channels."""


TELEMETRY_OFF: Final = ("ORT_DISABLE_TELEMETRY", "ORT_TELEMETRY_DISABLED")
"""Environment variables; one that is 1 when ONNX Runtime is loaded keeps it from collecting and
sending usage data, which it does on Linux from 1.32 on (its pull requests 27379 and 29843)."""


def load_runtime() -> ModuleType:
    """Return ONNX Runtime with its telemetry off; loading it takes 50 ms and 20 MB."""
    os.environ.update(dict.fromkeys(TELEMETRY_OFF, "1"))
    import onnxruntime  # noqa: PLC0415

    return onnxruntime  # type: ignore[no-any-return]


def is_loaded() -> bool:
    """Return whether a reader has loaded ONNX Runtime; a line of tikis is read without it."""
    return "onnxruntime" in sys.modules


class Network:
    """A network of an ONNX file."""

    def __init__(self, model: Path) -> None:
        onnxruntime = load_runtime()
        options = onnxruntime.SessionOptions()
        # For so small a network a second thread costs more than it gains.
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3  # errors alone: it warns of processors that it does not know
        self._session = onnxruntime.InferenceSession(
            str(model), options, providers=["CPUExecutionProvider"]
        )

    @property
    def shapes(self) -> dict[str, tuple[int | str, ...]]:
        """The shape of each input by name, without the batch dimension; a free side has a name."""
        return {each.name: tuple(each.shape[1:]) for each in self._session.get_inputs()}

    @property
    def uint8_inputs(self) -> frozenset[str]:
        """The names of the inputs that take a camera's levels, uint8; the others take float32."""
        inputs = self._session.get_inputs()
        return frozenset(each.name for each in inputs if each.type == "tensor(uint8)")

    def run(self, **inputs: NDArray[np.float32] | NDArray[np.uint8]) -> list[NDArray[np.float32]]:
        """Return the network's outputs for a batch of *inputs*, by name."""
        return [np.asarray(output, np.float32) for output in self._session.run(None, inputs)]


@cache
def load_network(model: Path) -> Network:
    """Return the network of an ONNX file, loaded once."""
    return Network(model)


def space_to_depth(patches: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return *patches* (n, rows, columns, 3) as (n, rows / 2, columns / 2, 12).

    A network's first layer is faster on few pixels of many channels than on many of few.
    """
    n, rows, columns, channels = patches.shape
    parts = patches.reshape(n, rows // BLOCK_PX, BLOCK_PX, columns // BLOCK_PX, BLOCK_PX, channels)
    blocks = parts.transpose(0, 1, 3, 2, 4, 5)
    return blocks.reshape(n, rows // BLOCK_PX, columns // BLOCK_PX, BLOCK_PX**2 * channels)


def softmax(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the softmax of *scores* along the last axis."""
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=-1, keepdims=True), np.float64)
