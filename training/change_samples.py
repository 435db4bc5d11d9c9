"""Samples to learn changes from: a cell in two pictures of a table, and what happened in between.

`python -m training.change_samples RENDERS OUT` cuts them from the tables of
`rendering.column_turns`, one file a table; those that are there already stay.
"""

import argparse
import json
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rendering.patches import HIDDEN, find_pose, find_rendered, grid_of, label, photograph_part
from rendering.piece_kinds import TOPPLE
from rendering.prints import Random
from rendering.scenes import HFOV_DEG
from training.samples import Arrays
from vision.capture.frame import Picture, load_frame
from vision.columns.change_network import HIDDEN_CLASS, OTHER_CLASS, SAME
from vision.columns.change_patches import DELTAS, ChangePatches, measure_gain
from vision.columns.patches import View, project_patches
from vision.photometry.chromaticity import IDENTITY_CORRECTION

PAIRS: Final = 16
"""How many pairs of one table's pictures are cut besides those that follow each other."""
NEAR_SAME, FAR_SAME = 3, 3
"""How many unchanged cells of a pair are kept, next to changed ones and others."""
FEW: Final = 4
"""How many cells of a pair are kept that are hidden, or hold something else altogether."""
COVERS: Final = 0.15
VEILS: Final = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Changes(Arrays):
    """All arrays begin with the samples; pairs and marks: see `vision.columns.change_patches`.

    classes: (n,) of `vision.columns.change_network`.  tables: (n,).
    """

    pairs: NDArray[np.uint8]
    marks: NDArray[np.float32]
    classes: NDArray[np.int64]
    tables: NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Taken:
    """A photograph of a scene; shown: (25,) heights, HIDDEN or UNSAID."""

    view: View
    shown: NDArray[np.int8]
    columns: list[list[str]]
    is_covered: bool


def take_shot(scene: dict[str, Any], render: Picture, seed: int) -> Taken:
    """Return what one camera takes: its settings stay, noise and light do not quite."""
    camera = np.random.default_rng([seed, 0])
    own = np.random.default_rng([seed, 0, int(scene["name"])])
    box, cover = find_rendered(render), np.zeros(render.shape[:2], np.uint8)
    if int(scene["name"]) and own.random() < COVERS:
        render = _cover(own, render, cover, box)
    if own.random() < VEILS:  # exposure creeps, somebody stands by
        render = _veil(own, render)
    hfov_deg = scene["camera"].get("hfov_deg", HFOV_DEG)
    whole, bend = photograph_part(render, box, camera, own, hfov_deg)
    pose, grid = find_pose(scene, bend, own), grid_of(TOPPLE)
    geometry = project_patches(grid, pose, 0.0, whole.shape)
    view = View(whole, pose, pose, geometry, IDENTITY_CORRECTION)
    columns = [cell for row in scene["cells"] for cell in row]
    is_covered = bool(cover.any()) or scene["hand"] is not None
    return Taken(view, label(scene, cover)[0], columns, is_covered)


def _veil(random: Random, render: Picture) -> Picture:
    x, y = np.meshgrid(*(np.linspace(-1, 1, side) for side in render.shape[1::-1]))
    slope = random.normal(0, 0.12, 2)
    veil = np.exp(random.normal(0, 0.06) + slope[0] * x + slope[1] * y)[..., None]
    lit = render * veil * np.exp(random.normal(0, 0.02, 3))
    return np.asarray(np.clip(lit, 0, 255), np.uint8)


def _cover(
    random: Random, render: Picture, cover: NDArray[np.uint8], box: tuple[int, int, int, int]
) -> Picture:
    """Return *render* with a cloth, a cup or a sheet over a part of it, which *cover* gets."""
    left, top, wide, high = box
    middle = np.array([left, top]) + random.uniform(0, 1, 2) * [wide, high]
    size = float(np.exp(random.uniform(np.log(0.06), np.log(0.35)))) * min(wide, high)
    angles = np.sort(random.uniform(0, 2 * np.pi, int(random.choice([5, 9, 40]))))
    rough = random.uniform(0.0, 0.4)
    far = size * (1.0 + rough * random.normal(0, 1, len(angles)).clip(-1.5, 1.5))
    outline = middle + far[:, None] * np.column_stack([np.cos(angles), np.sin(angles)])
    cv2.fillPoly(cover, [outline.round().astype(np.int32)], 1)
    colour = random.uniform(10, 245, 3)
    folds = random.normal(0, random.uniform(0, 25), (24, 24, 1)) + colour
    cloth = cv2.resize(folds.astype(np.float32), render.shape[1::-1], interpolation=cv2.INTER_CUBIC)
    moved = np.roll(cover, random.integers(-14, 15, 2).tolist(), (0, 1)).astype(np.float32)
    shadow = cv2.GaussianBlur(moved, (0, 0), random.uniform(1, 8))[..., None]
    dark = render * (1.0 - random.uniform(0.1, 0.6) * shadow)
    is_rendered = render.max(axis=2) > 0
    cover[~is_rendered] = 0
    seen = np.where(cover[..., None] > 0, cloth, dark)
    return np.asarray(np.clip(seen * is_rendered[..., None], 0, 255), np.uint8)


def classify(old: Taken, new: Taken) -> NDArray[np.int64]:
    """Return the class (25,) of each cell's change; -1 where it teaches nothing."""
    classes = np.full(len(old.columns), -1)
    for cell, (was, now) in enumerate(zip(old.columns, new.columns, strict=True)):
        low, delta = min(len(was), len(now)), len(now) - len(was)
        if new.shown[cell] == HIDDEN:
            classes[cell] = HIDDEN_CLASS
        elif new.shown[cell] == len(now):
            is_told = was[:low] == now[:low] and delta in DELTAS
            classes[cell] = DELTAS.index(delta) if is_told else OTHER_CLASS
    return classes


def choose(random: Random, classes: NDArray[np.int64]) -> NDArray[np.intp]:
    """Return which cells of a pair to keep: all that changed, a few others."""
    same = random.permutation(np.flatnonzero(classes == SAME))
    changed = np.flatnonzero((classes >= 0) & (classes < HIDDEN_CLASS) & (classes != SAME))
    rows, columns = np.divmod(np.arange(len(classes)), 5)
    away = np.full(len(classes), 9)
    for cell in changed:
        far = np.maximum(abs(rows - rows[cell]), abs(columns - columns[cell]))
        away = np.minimum(away, far)
    near, far_off = same[away[same] <= 1], same[away[same] > 1]
    others = [
        random.permutation(np.flatnonzero(classes == each))[:FEW]
        for each in (HIDDEN_CLASS, OTHER_CLASS)
    ]
    return np.concatenate([changed, near[:NEAR_SAME], far_off[:FAR_SAME], *others])


def cut(folder: Path, seed: int) -> Changes | None:
    """Return the samples of one rendered table, None if there are none."""
    random = np.random.default_rng([seed, 77])
    scenes = [json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("????.json"))]
    taken = [
        take_shot(scene, load_frame(folder / f"{scene['name']}.png").picture, seed)
        for scene in scenes
    ]
    count, patches = len(taken), ChangePatches(grid_of(TOPPLE), 0.0)
    flat = [patches.flatten(each.view) for each in taken]
    boards = [patches.cut_out(each.view) for each in taken]
    pairs = [(at - 1, at) for at in range(1, count)]
    pairs += [tuple(random.choice(count, 2, replace=False)) for _ in range(PAIRS)]
    parts = []
    for old, new in pairs:
        one, two = taken[old], taken[new]
        if one.is_covered:
            continue
        heights = np.array([len(cell) for cell in one.columns])
        classes = classify(one, two)
        classes[~two.view.geometry.in_view] = -1
        cells = choose(random, classes)
        if not len(cells):
            continue
        gain = measure_gain(flat[new], flat[old])
        seen, marks = patches.cut(two.view, boards[old], heights, gain, cells)
        parts.append(Changes(seen, marks, classes[cells], np.full(len(cells), seed)))
    return Changes.join(parts) if parts else None


def main() -> None:
    """Cut all tables that are rendered whole."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("renders", type=Path)
    parser.add_argument("out", type=Path)
    given = parser.parse_args()
    given.out.mkdir(exist_ok=True)
    for table in sorted(given.renders.glob("????")):
        scenes = len(list(table.glob("????.json")))
        if len(list(table.glob("????.png"))) == scenes:
            Changes.keep(given.out / f"{table.name}.npz", partial(cut, table, int(table.name)))


if __name__ == "__main__":
    main()
