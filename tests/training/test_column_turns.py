"""Tables to learn changes from: what is laid, and what its cells are said to have done."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rendering.column_turns import PICTURES, lay
from rendering.patches import HIDDEN
from rendering.plot_columns import TALLEST
from rendering.scenes import TALLEST as HIGHEST
from training.change_samples import FAR_SAME, FEW, NEAR_SAME, Taken, choose, classify
from vision.columns.change_network import HIDDEN_CLASS, OTHER_CLASS, SAME
from vision.columns.change_patches import DELTAS


@pytest.fixture(scope="module")
def scenes(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """Return the scenes of one table."""
    folder = tmp_path_factory.mktemp("table")
    lay(folder, 4)
    return [json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("????.json"))]


def test_a_table_stays_and_discs_come_and_go(scenes: list[dict[str, Any]]) -> None:
    """One camera and set for all pictures; few discs change, and none is built too high."""
    assert len(scenes) == PICTURES
    assert len({json.dumps(scene["camera"]) for scene in scenes}) == 1
    assert scenes[0]["hand"] is None
    counts = [sum(len(cell) for row in scene["cells"] for cell in row) for scene in scenes]
    assert max(abs(np.diff(counts))) <= 3
    assert len(set(counts)) > 1
    assert max(len(cell) for s in scenes for row in s["cells"] for cell in row) <= HIGHEST
    assert TALLEST < HIGHEST


def test_the_same_number_gives_the_same_table(scenes: list[dict[str, Any]], tmp_path: Path) -> None:
    """And another gives another."""
    lay(tmp_path / "a", 4)
    again = json.loads((tmp_path / "a" / "0003.json").read_text("utf-8"))
    assert again == scenes[3]
    lay(tmp_path / "b", 5)
    assert json.loads((tmp_path / "b" / "0003.json").read_text("utf-8")) != scenes[3]


def taken(columns: dict[int, str], hidden: tuple[int, ...] = ()) -> Taken:
    """Return a photograph of *columns*, each a string of colours, of which some are hidden."""
    cells = [list(columns.get(at, "")) for at in range(25)]
    shown = np.array([len(cell) for cell in cells], np.int8)
    shown[list(hidden)] = HIDDEN
    return Taken(None, shown, cells, is_covered=bool(hidden))  # type: ignore[arg-type]


def test_changes_are_named_by_discs_gained_and_lost() -> None:
    """What is hidden now is hidden; another disc below, or far more of them, is something else."""
    old = taken({0: "pb", 1: "p", 2: "gg", 3: "y", 5: "pbgy"})
    new = taken({0: "pby", 1: "g", 3: "yyyy", 4: "p", 6: "b"}, hidden=(6,))
    classes = classify(old, new)
    assert classes[0] == DELTAS.index(1)
    assert classes[1] == OTHER_CLASS
    assert classes[2] == DELTAS.index(-2)
    assert classes[3] == DELTAS.index(3)
    assert classes[4] == DELTAS.index(1)
    assert classes[5] == OTHER_CLASS
    assert classes[6] == HIDDEN_CLASS
    assert (classes[7:] == SAME).all()


def test_all_changes_are_kept_and_a_few_other_cells() -> None:
    """Unchanged cells are kept beside changed ones and elsewhere, hidden ones a few."""
    classes = np.full(25, SAME)
    classes[12] = DELTAS.index(1)
    classes[:7] = HIDDEN_CLASS
    kept = choose(np.random.default_rng(1), classes)
    assert 12 in kept
    assert sum(classes[kept] == SAME) == NEAR_SAME + FAR_SAME
    assert sum(classes[kept] == HIDDEN_CLASS) == FEW
    rows, columns = np.divmod(kept[classes[kept] == SAME], 5)
    assert sum(np.maximum(abs(rows - 2), abs(columns - 2)) == 1) == NEAR_SAME
