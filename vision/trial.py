"""Ask every network what others were asked before: whether it counts here as it does elsewhere.

`python -m vision.trial` says so in one line. A runtime that was built for another processor may
crash, or count otherwise without a word; eight bits are the same on all that do neither.
"""

import sys
import time
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.grid import SIDE
from vision.model import MODELS
from vision.network import Network

ANSWERS: Final = {
    "discs": (-2.199, 0.126),
    "discs-comparison": (0.825,),
    "discs-outlines": (0.834,),
    "discs-shadows": (-0.638,),
    "figures": (0.063, -0.388),
    "figures-comparison": (0.211,),
    "figures-shadows": (-0.061,),
    "symbols": (-0.376,),
}
"""What `weigh_answer` makes of every answer of each network, on any processor."""
TOLERANCE: Final = 0.01
COUNT: Final = SIDE**2
"""How many columns, shadows or symbols each is asked about at once: a board full."""


def ask(path: Path) -> tuple[float, ...]:
    """Return what is made of a network's answers to the question of everybody's trial."""
    network = Network(path)
    waves = {name: _draw((COUNT, *shape)) for name, shape in network.shapes.items()}
    seen = {
        name: (127.5 * (wave + 1.0)).astype(np.uint8) if name in network.in_levels else wave
        for name, wave in waves.items()
    }
    return tuple(weigh_answer(part) for part in network.ask(**seen))


def weigh_answer(answer: NDArray[np.float32]) -> float:
    """Return one number in which each part of an *answer* has a weight of its own.

    >>> weigh_answer(np.array([1.0, 0.0, 0.0, 0.0], np.float32))
    0.5
    """
    weights = np.cos(np.arange(answer.size)).reshape(answer.shape)
    return float(np.sum(answer * weights) / np.sqrt(answer.size))


def _draw(shape: tuple[int, ...]) -> NDArray[np.float32]:
    """Return waves from -1 to 1 of a *shape*, alike everywhere."""
    waves = np.sin(0.11 * np.arange(np.prod(shape)) ** 1.1)
    return np.asarray(waves.reshape(shape), np.float32)


def find_odd(answers: dict[str, tuple[float, ...]]) -> list[str]:
    """Return which networks of *answers* answer otherwise than they should."""
    return [
        name
        for name, found in answers.items()
        if name not in ANSWERS
        or len(found) != len(ANSWERS[name])
        or not np.allclose(found, ANSWERS[name], rtol=0.0, atol=TOLERANCE)
    ]


def main() -> int:
    """Ask all networks, say in one line what came of it, and return 1 if one counts otherwise."""
    began = time.monotonic()
    answers = {path.stem: ask(path) for path in sorted(MODELS.glob("*.onnx"))}
    spent_s = time.monotonic() - began
    if odd := find_odd(answers):
        print(f"{', '.join(odd)} count otherwise than on other computers")
        return 1
    print(f"{len(answers)} networks, asked about a board full in {spent_s:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
