"""The networks that ship: what they need, and that company changes nothing."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.columns.change_network import MODEL as CHANGES
from vision.columns.change_patches import BINS as CHANGE_BINS
from vision.columns.change_patches import COLUMNS, MARKS, ROWS
from vision.columns.cues.shadow_patches import BINS as SHADE_BINS
from vision.columns.cues.shadow_patches import (
    BINS_ACROSS,
    MASKS,
    SHADOW_PATCH_COLUMNS,
    SHADOW_PATCH_ROWS,
)
from vision.columns.grid import TALLEST
from vision.columns.height_axis import AXIS_ROWS, BINS, INPUT_COLUMNS
from vision.columns.heights import CLASSES
from vision.columns.model import FIGURE_SHADOWS, MODELS, Model
from vision.columns.patches import PATCH_ROWS
from vision.inference import BLOCK_PX, load_network, space_to_depth

ROOT = Path(__file__).parents[2]
LARGEST_BYTES = 5_000_000
DEEP = BLOCK_PX**2 * 3
SPOTS = {
    "patches": (PATCH_ROWS // BLOCK_PX, INPUT_COLUMNS // BLOCK_PX, DEEP),
    "height_axis": (AXIS_ROWS, BINS, 1),
}
SHADES = {
    "patches": (SHADOW_PATCH_ROWS // BLOCK_PX, SHADOW_PATCH_COLUMNS // BLOCK_PX, DEEP),
    "masks": (MASKS, SHADE_BINS, BINS_ACROSS),
    "marks": (TALLEST, SHADE_BINS, 1),
}
PAIRS = {"pairs": (2, ROWS, COLUMNS, 3), "marks": (MARKS, CHANGE_BINS)}
LEVELS = {"patches", "pairs"}
NETWORKS = [
    *((model.path, SPOTS) for model in Model),
    (FIGURE_SHADOWS, SHADES),
    (CHANGES, PAIRS),
]


Shown = dict[str, NDArray[np.float32] | NDArray[np.uint8]]


def show(shapes: Mapping[str, tuple[int, ...]], count: int) -> Shown:
    """Return noise, as a network with inputs of these *shapes* takes it; patches are levels."""
    random = np.random.default_rng(5)
    return {
        name: random.integers(0, 256, (count, *shape), np.uint8)
        if name in LEVELS
        else random.uniform(-1, 1, (count, *shape)).astype(np.float32)
        for name, shape in shapes.items()
    }


@pytest.mark.parametrize(("path", "shapes"), NETWORKS)
def test_columns_are_told_alike_alone_and_among_others(
    path: Path, shapes: Mapping[str, tuple[int, ...]]
) -> None:
    """A network takes any number of columns, and what is beside one says nothing of it."""
    network, many = load_network(path), show(shapes, 7)
    together = network.run(**many)
    for at in range(7):
        alone = network.run(**{name: seen[at : at + 1] for name, seen in many.items()})
        for part, whole in zip(alone, together, strict=True):
            np.testing.assert_allclose(part[0], whole[at], rtol=1e-4, atol=1e-4)


def test_another_column_is_told_otherwise() -> None:
    """Else the test above could not fail."""
    network, two = load_network(Model.DISCS.path), show(SPOTS, 2)
    _rows, kinds = network.run(**two)
    assert kinds.shape == (2, CLASSES)
    assert np.abs(kinds[0] - kinds[1]).max() > 0.01


def test_networks_say_what_they_take() -> None:
    """By name, and in which form: levels, or numbers around nothing."""
    for path, shapes in NETWORKS:
        network = load_network(path)
        assert network.shapes == shapes
        assert network.uint8_inputs == LEVELS & set(shapes)


def test_a_block_holds_the_pixels_beside_each_other() -> None:
    """Row by row, each with its three colours; other patches and places are other blocks."""
    patches = np.random.default_rng(6).integers(0, 256, (2, 4, 6, 3), np.uint8)
    blocks = space_to_depth(patches)
    assert blocks.shape == (2, 2, 3, DEEP)
    assert blocks[1, 1, 2].tolist() == patches[1, 2:4, 4:6].ravel().tolist()
    assert blocks[0, 1, 0].tolist() == patches[0, 2:4, 0:2].ravel().tolist()


def test_columns_count_in_eight_bits() -> None:
    """Weights of four bytes each would be three times as large."""
    for path, _ in NETWORKS:
        assert path.stat().st_size < 150_000


def test_all_networks_together_are_small() -> None:
    """They come with every installation."""
    assert sum(path.stat().st_size for path in MODELS.glob("*.onnx")) < LARGEST_BYTES


@pytest.mark.parametrize("is_told", [False, True])
def test_the_runtime_reports_to_nobody(tmp_path: Path, is_told: bool) -> None:
    """Loaded by itself it keeps a device's id for its maker: so this test can fail."""
    load = "import onnxruntime" if is_told else "import vision.inference as it; it.load_runtime()"
    model = next(iter(Model)).path
    code = f"{load}; import vision.inference as it; it.Network(it.Path({str(model)!r}))"
    home = {"HOME": str(tmp_path), "PATH": os.environ["PATH"]}
    subprocess.run([sys.executable, "-c", code], check=True, env=home, cwd=ROOT)
    kept = [path.name for path in tmp_path.rglob("*") if path.is_file()]
    assert bool(kept) is is_told
