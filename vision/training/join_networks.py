"""Join networks of symbols into one, whose scores are the mean of theirs.

`python -m vision.training.join_networks OUT ONE OTHER...`; needs onnx, as training does.
"""

import argparse
from pathlib import Path
from typing import Any, Final

import onnx
from onnx import TensorProto, compose, helper

from vision.symbols import INPUT_PX, SYMBOLS

ASKED, ANSWERED = "patch", "scores"
OPSET: Final = 13


def join_networks(paths: list[Path]) -> Any:
    """Return a network that asks those in *paths* the same, and answers with their mean."""
    parts = [compose.add_prefix(onnx.load(path), f"{number}/") for number, path in enumerate(paths)]
    nodes, weights = [], []
    for number, part in enumerate(parts):
        for node in part.graph.node:
            node.input[:] = [ASKED if name == f"{number}/{ASKED}" else name for name in node.input]
            nodes.append(node)
        weights += list(part.graph.initializer)
    answers = [f"{number}/{ANSWERED}" for number in range(len(parts))]
    nodes.append(helper.make_node("Mean", answers, [ANSWERED]))
    asked = helper.make_tensor_value_info(ASKED, TensorProto.FLOAT, ["n", 1, INPUT_PX, INPUT_PX])
    answered = helper.make_tensor_value_info(ANSWERED, TensorProto.FLOAT, ["n", len(SYMBOLS)])
    graph = helper.make_graph(nodes, "symbols", [asked], [answered], weights)
    joined = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)])
    joined.ir_version = parts[0].ir_version
    onnx.checker.check_model(joined)
    return joined


def main() -> None:
    """Join the networks of the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("networks", type=Path, nargs="+")
    given = parser.parse_args()
    onnx.save(join_networks(given.networks), given.out)


if __name__ == "__main__":
    main()
