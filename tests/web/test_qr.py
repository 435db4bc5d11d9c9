"""QR codes: read back by OpenCV, which knows nothing of how they were made."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.web.qr import QUIET, Modules, TooLong, encode, to_path

ADDRESS = "http://192.168.178.20:8000/join/1YDjjcDXw6tt9P69RphMIw"


def picture_of(modules: Modules, px: int = 8) -> NDArray[np.uint8]:
    """Return the code as it is on a screen: black on white, *px* pixels a module."""
    dark = np.pad(np.array(modules), QUIET)
    return np.where(np.kron(dark, np.ones((px, px))) > 0, 0, 255).astype(np.uint8)


def read(modules: Modules) -> str:
    """Return what a camera reads, "" if nothing."""
    text, _, _ = cv2.QRCodeDetector().detectAndDecode(picture_of(modules))
    return text


@pytest.mark.parametrize("text", ["a", ADDRESS, *("Tiki " * 25)[:106:20].split(), "x" * 106])
def test_a_code_reads_back(text: str) -> None:
    """What was put in comes out, in every size."""
    assert read(encode(text)) == text


@pytest.mark.parametrize("length", [17, 18, 32, 33, 53, 54, 78, 79, 106])
def test_every_size_is_used_to_its_limit(length: int) -> None:
    """The fullest code of each size, and the emptiest of the next, read back."""
    text = (ADDRESS * 2)[:length]
    assert read(encode(text)) == text


def test_a_spoilt_code_still_reads_and_a_ruined_one_does_not() -> None:
    """The error correction is real: a few wrong modules are mended, many are not."""
    modules = [list(row) for row in encode(ADDRESS)]
    modules[20][20] ^= True
    modules[25][12] ^= True
    assert read(tuple(map(tuple, modules))) == ADDRESS
    for row in range(10, 24):
        modules[row][9:24] = [True] * 15
    assert read(tuple(map(tuple, modules))) != ADDRESS


def test_what_does_not_fit_is_refused() -> None:
    """A longer text raises, and says how much a code holds."""
    with pytest.raises(TooLong, match="106 at most"):
        encode("x" * 107)


def test_the_path_covers_the_dark_modules_only() -> None:
    """Drawn as SVG, the code has as much dark as the modules, inside its margin."""
    modules = encode(ADDRESS)
    path, size = to_path(modules)
    runs = [step.partition("h")[2].partition("v")[0] for step in path.split("M")[1:]]
    assert sum(map(int, runs)) == sum(map(sum, modules))
    assert size == len(modules) + 8
