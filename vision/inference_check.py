"""Check that every network gives here the answers it gives elsewhere.

`python -m vision.inference_check` says so in one line. A runtime that was built for another
processor may crash, or give other answers silently; in eight bits they are the same everywhere.
"""

import sys
import time
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.columns.grid import CELLS_PER_SIDE
from vision.columns.model import MODELS
from vision.inference import Network

ANSWERS: Final = {
    "card-corners": (0.001,),
    "card-symbols": (0.183, -0.186),
    "discs": (-2.199, 0.126),
    "discs-comparison": (0.825,),
    "discs-outlines": (0.834,),
    "discs-shadows": (-0.638,),
    "figures": (0.063, -0.388),
    "figures-comparison": (0.211,),
    "figures-shadows": (-0.061,),
    "symbols": (-0.376,),
}
"""The checksum of every answer of each network, on any processor."""
TOLERANCE: Final = 0.01
COUNT: Final = CELLS_PER_SIDE**2
"""Batch size: a board full of columns, shadows or symbols."""


def run_network(path: Path) -> tuple[float, ...]:
    """Return the checksums of a network's answers to fixed inputs."""
    network = Network(path)
    waves = {name: _draw((COUNT, *shape)) for name, shape in network.shapes.items()}
    seen = {
        name: (127.5 * (wave + 1.0)).astype(np.uint8) if name in network.uint8_inputs else wave
        for name, wave in waves.items()
    }
    return tuple(checksum(part) for part in network.run(**seen))


def checksum(answer: NDArray[np.float32]) -> float:
    """Return one number to which each element of an *answer* adds with a weight of its own.

    >>> checksum(np.array([1.0, 0.0, 0.0, 0.0], np.float32))
    0.5
    """
    weights = np.cos(np.arange(answer.size)).reshape(answer.shape)
    return float(np.sum(answer * weights) / np.sqrt(answer.size))


def _draw(shape: tuple[int, ...]) -> NDArray[np.float32]:
    """Return waves from -1 to 1 of a *shape*, the same on every computer."""
    waves = np.sin(0.11 * np.arange(np.prod(shape)) ** 1.1)
    return np.asarray(waves.reshape(shape), np.float32)


def find_odd(answers: dict[str, tuple[float, ...]]) -> list[str]:
    """Return the names of networks whose *answers* are not the known ones."""
    return [
        name
        for name, found in answers.items()
        if name not in ANSWERS
        or len(found) != len(ANSWERS[name])
        or not np.allclose(found, ANSWERS[name], rtol=0.0, atol=TOLERANCE)
    ]


def main() -> int:
    """Check all networks, print one line, and return 1 if one gives other answers."""
    began = time.monotonic()
    answers = {path.stem: run_network(path) for path in sorted(MODELS.glob("*.onnx"))}
    spent_s = time.monotonic() - began
    if odd := find_odd(answers):
        print(f"{', '.join(odd)} give different results from other computers")
        return 1
    print(f"{len(answers)} networks, a board full each in {spent_s:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
