"""Networks in eight bits: a fifth of the time, and hardly another answer.

Needs onnx, which the product does not. What a network counts with is scaled to whole numbers: each
channel's weights by themselves, what flows between layers by the range that it has in samples.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np
import onnx
from numpy.typing import NDArray
from onnxruntime.quantization import (
    CalibrationDataReader,
    CalibrationMethod,
    QuantFormat,
    QuantType,
    quantize_static,
)
from onnxruntime.quantization.shape_inference import quant_pre_process

from vision.inference import BLOCK_PX

Seen = Mapping[str, NDArray[np.float32]]
"""What a network is shown, by the names of its inputs."""
DEQUANTISE: Final = "DequantizeLinear"
POOLING: Final = "MaxPool"
COMMON: Final = 99.999
"""How many of a hundred values are within the range that is told apart."""
BLOCKWISE: Final = {"kernel_shape": (3, 3), "strides": (1, 1), "pads": (1, 1, 1, 1)}
"""How a layer looks at blocks that took every second of 5 x 5 pixels."""
WEIGHED: Final = ("Conv", "Gemm")
"""Layers with weights; what they weigh comes first."""
SUFFIXES: Final = ("_quantized", "_DequantizeLinear_Output")
"""What the quantiser adds to the names of weights."""


class _Shown(CalibrationDataReader):  # type: ignore[misc]  # it has no types here
    def __init__(self, samples: Sequence[Seen]) -> None:
        self._left: Iterator[Seen] = iter(samples)

    def get_next(self) -> Seen | None:
        return next(self._left, None)


def quantise(path: Path, samples: Sequence[Seen]) -> None:
    """Write the network of an ONNX file in eight bits, in its place.

    samples: several lots of what it is usually shown.
    """
    quant_pre_process(str(path), str(path), skip_optimization=True, skip_symbolic_shape=True)
    graph = onnx.load(path).graph
    told = {each.name for each in graph.output}
    quantize_static(
        str(path),
        str(path),
        _Shown(samples),
        quant_format=QuantFormat.QDQ,
        per_channel=True,
        # Seven bits of each weight: products of two pairs overflow in x86 processors that have no
        # instruction for networks.
        reduce_range=True,
        activation_type=QuantType.QUInt8,
        weight_type=QuantType.QInt8,
        # What is told is worth more than eight bits; its layers are small.
        nodes_to_exclude=[node.name for node in graph.node if told & set(node.output)]
        + _list_before_pooling(graph),
        calibrate_method=CalibrationMethod.Percentile,
        extra_options={"CalibPercentile": COMMON},
    )


def _list_before_pooling(graph: onnx.GraphProto) -> list[str]:
    """Return the first nodes to the first pooling, or none if nothing is pooled.

    They see all pixels, but one channel of them, for which eight bits take three times as long.
    """
    names = [node.name for node in graph.node]
    pooled = (at for at, node in enumerate(graph.node) if node.op_type == POOLING)
    return names[: next(pooled, -1) + 1]


def take_blocks(path: Path, name: str) -> None:
    """Let a network in eight bits take pictures as they are, written in its place.

    Colours from -1 to 1 that it was shown as *name*, (n, 3, rows, columns), become levels in
    blocks, (n, rows / 2, columns / 2, 12), as `vision.inference.space_to_depth` makes them.  Its
    first layer takes every second of 5 x 5 pixels; it takes 3 x 3 blocks instead, which is the
    same.
    """
    model = onnx.load(path)
    graph = model.graph
    quantised = _find(graph, lambda node: node.input[0] == name)
    scaled = _find(graph, lambda node: node.input[0] == quantised.output[0])
    first = _find(graph, lambda node: node.input[0] == scaled.output[0])
    weights = _find(graph, lambda node: node.output[0] == first.input[1]).input[0]
    stored = next(each for each in graph.initializer if each.name == weights)
    pixels = onnx.numpy_helper.to_array(stored)
    stored.CopyFrom(onnx.numpy_helper.from_array(_to_blocks(pixels), weights))
    for each in first.attribute:
        if each.name in BLOCKWISE:
            each.ints[:] = BLOCKWISE[each.name]
    shown = next(each for each in graph.input if each.name == name)
    n, channels, rows, columns = shown.type.tensor_type.shape.dim
    shape = [n.dim_param, rows.dim_value // BLOCK_PX, columns.dim_value // BLOCK_PX]
    shape.append(BLOCK_PX**2 * channels.dim_value)
    kind = onnx.TensorProto.UINT8
    shown.CopyFrom(onnx.helper.make_tensor_value_info(name, kind, shape))
    turned = onnx.helper.make_node("Transpose", [name], [quantised.output[0]], perm=[0, 3, 1, 2])
    graph.node.insert(list(graph.node).index(quantised), turned)
    graph.node.remove(quantised)
    del graph.value_info[:]  # the shapes of what flows between have changed
    onnx.checker.check_model(model)
    onnx.save(model, path)


def _find(graph: onnx.GraphProto, wanted: Callable[[onnx.NodeProto], bool]) -> onnx.NodeProto:
    return next(node for node in graph.node if node.input and wanted(node))


def _to_blocks(weights: NDArray[np.int8]) -> NDArray[np.int8]:
    """Return weights (out, channels, 5, 5) of pixels as (out, 4 * channels, 3, 3) of blocks."""
    count, channels, side, _ = weights.shape
    across = side // BLOCK_PX + 1
    whole = np.pad(weights, ((0, 0), (0, 0), (0, 1), (0, 1)))
    parts = whole.reshape(count, channels, across, BLOCK_PX, across, BLOCK_PX)
    return parts.transpose(0, 3, 5, 1, 2, 4).reshape(count, -1, across, across)


def _to_pixels(weights: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return what `_to_blocks` was given."""
    count, deep, across, _ = weights.shape
    parts = weights.reshape(count, BLOCK_PX, BLOCK_PX, deep // BLOCK_PX**2, across, across)
    whole = parts.transpose(0, 3, 4, 1, 5, 2).reshape(
        count, -1, BLOCK_PX * across, BLOCK_PX * across
    )
    return whole[..., :-1, :-1]


def read_weights(path: Path) -> dict[str, NDArray[np.float32]]:
    """Return the weights of an ONNX file by name, in the order in which the network uses them.

    Those in eight bits are scaled back, those of blocks are those of pixels again.
    """
    graph = onnx.load(path).graph
    stored = {each.name: onnx.numpy_helper.to_array(each) for each in graph.initializer}
    scaled = {
        node.output[0]: _scale_back(node, stored)
        for node in graph.node
        if node.op_type == DEQUANTISE and node.input[0] in stored
    }
    used = [name for node in graph.node if node.op_type in WEIGHED for name in node.input[1:]]
    levels = onnx.TensorProto.UINT8
    if any(each.type.tensor_type.elem_type == levels for each in graph.input):
        scaled[used[0]] = _to_pixels(scaled[used[0]])
    return {_own_name(name): scaled[name] if name in scaled else stored[name] for name in used}


def _scale_back(
    node: onnx.NodeProto, stored: Mapping[str, NDArray[np.generic]]
) -> NDArray[np.float32]:
    """Return the weights that a node scales back; per channel, if it has several scales."""
    whole, scale, zero = (np.asarray(stored[name], np.float32) for name in node.input)
    if scale.ndim:
        axis = next((each.i for each in node.attribute if each.name == "axis"), 1)
        shape = [-1 if at == axis else 1 for at in range(whole.ndim)]
        scale, zero = scale.reshape(shape), zero.reshape(shape)
    return (whole - zero) * scale


def _own_name(name: str) -> str:
    for suffix in SUFFIXES:
        name = name.removesuffix(suffix)
    return name
