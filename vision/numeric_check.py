"""Check that numpy, OpenCV and every network give here the answers they give elsewhere.

A library that was built for another processor may crash, or compute wrongly without a word: then
tables would be blamed for what the numbers made of them. `python -m vision.numeric_check` says in
one line whether all is well. The networks are in eight bits, which are the same everywhere.
"""

import platform
import re
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.inference import Network

MODELS: Final = Path(__file__).parent / "models"
QUICK: Final = ("figures-comparison",)
"""The network that takes least time to load and run: 3 ms."""
PRODUCT_SIDES: Final = (3, 8, 64)
"""Rows and columns of the products: libraries have routines of their own for small ones."""
HOMOGRAPHY: Final = np.array([[0.9, -0.1, 40.0], [0.2, 1.1, -25.0], [1e-4, -2e-4, 1.0]])
MAX_ERROR_PX: Final = 0.01
FAULTY: Final = 2
"""Exit status where numpy or OpenCV computes wrongly, so that nothing at all can be read."""
ANSWERS: Final = {
    "card-corners": (0.001,),
    "card-indices": (-0.2,),
    "card-symbols": (0.183, -0.186),
    "discs": (-2.199, 0.126),
    "discs-changes": (0.221,),
    "figures": (0.063, -0.388),
    "figures-comparison": (0.211,),
    "figures-shadows": (-0.061,),
    "index-names": (-0.403, -0.244),
    "symbols": (-0.376,),
}
"""The checksum of every answer of each network, on any processor."""
TOLERANCE: Final = 0.01
COUNT: Final = 25
"""Batch size: a board full of columns, shadows or symbols."""
FREE_SIDE: Final = 64
"""Side of the picture for a network that takes pictures of any size."""


def run_network(path: Path) -> tuple[float, ...]:
    """Return the checksums of a network's answers to fixed inputs."""
    network = Network(path)
    waves = {
        name: _draw((COUNT, *(side if isinstance(side, int) else FREE_SIDE for side in shape)))
        for name, shape in network.shapes.items()
    }
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


def find_odd_networks(names: Iterable[str] = tuple(ANSWERS)) -> list[str]:
    """Return which of the networks of these *names* give other answers than elsewhere."""
    return find_odd({name: run_network(MODELS / f"{name}.onnx") for name in names})


def find_faulty_libraries() -> list[str]:
    """Return which of numpy and OpenCV compute wrongly here; takes 2 ms."""
    return [name for name, is_right in LIBRARIES.items() if not _holds(is_right)]


def _holds(is_right: Callable[[], bool]) -> bool:
    """Return whether the check passes; what raises in a library is wrong, too."""
    try:
        with np.errstate(all="ignore"):  # the result is judged, not how it came about
            return is_right()
    except (ArithmeticError, ValueError, cv2.error):
        return False


def _check_products() -> bool:
    """Return whether products of whole numbers are right as such, and as numpy's floats."""
    for side in PRODUCT_SIDES:
        rows, columns = np.indices((side, side))
        one, other = (3 * rows + 5 * columns) % 17 - 8, (7 * rows + 2 * columns) % 13 - 6
        exact = (one[:, :, None] * other).sum(axis=1)
        for kind in (np.float64, np.float32):
            if not np.array_equal(one.astype(kind) @ other.astype(kind), exact):
                return False
    return bool(np.allclose(np.linalg.inv(HOMOGRAPHY) @ HOMOGRAPHY, np.eye(3), rtol=0, atol=1e-9))


def _check_homography() -> bool:
    """Return whether OpenCV finds a known homography, and takes points and a picture by it."""
    x, y = (
        each.ravel() for each in np.meshgrid(np.arange(0.0, 601, 150), np.arange(0.0, 401, 100))
    )
    across, down, depth = (row[0] * x + row[1] * y + row[2] for row in HOMOGRAPHY)
    flat, seen = np.stack([x, y], axis=-1), np.stack([across / depth, down / depth], axis=-1)
    found, _ = cv2.findHomography(flat, seen)
    errors_px = cv2.perspectiveTransform(flat[None], found)[0] - seen
    picture = (np.add.outer(3 * np.arange(48), 5 * np.arange(64)) % 251).astype(np.uint8)
    shift = np.array([[1.0, 0.0, 3.0], [0.0, 1.0, 2.0], [0.0, 0.0, 1.0]])
    shifted = cv2.warpPerspective(picture, shift, (64, 48))
    is_moved = np.array_equal(shifted[2:, 3:], picture[:-2, :-3])
    return bool(np.abs(errors_px).max() < MAX_ERROR_PX) and is_moved


LIBRARIES: Final[Mapping[str, Callable[[], bool]]] = {
    "numpy": _check_products,
    "OpenCV": _check_homography,
}
"""What tells of each library whether it computes rightly."""


def name_processor() -> str:
    """Return the processor as it calls itself, on Arm by its maker's and its own number.

    >>> bool(name_processor())
    True
    """
    try:
        text = Path("/proc/cpuinfo").read_text(errors="replace")
    except OSError:
        text = ""
    if named := re.search(r"^model name\s*: *(\S.*)$", text, re.MULTILINE):
        return named[1]
    numbers = re.findall(r"^CPU (implementer|part)\s*: *(\w+)$", text, re.MULTILINE)
    told = " ".join(f"{what} {number}" for what, number in dict(numbers).items())
    return f"{platform.machine()} {told}".strip()


def main() -> int:
    """Check libraries and all networks and print one line; return 0 if all is well.

    Else 1 if a network gives other answers, FAULTY if numpy or OpenCV computes wrongly.
    """
    if faulty := find_faulty_libraries():
        print(f"wrong results from {' and '.join(faulty)} on this processor: {name_processor()}")
        return FAULTY
    began = time.monotonic()
    odd = find_odd_networks()
    spent_s = time.monotonic() - began
    if odd:
        names = ", ".join(odd)
        print(f"wrong results from networks ({names}) on this processor: {name_processor()}")
        return 1
    print(f"{len(ANSWERS)} networks, a board full each in {spent_s:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
