"""Samples to learn columns from: patches, what stands there, and in which rows it appears."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from vision.frame import load_frame
from vision.grid import SIDE, TALLEST, StackLayout, parse_stacks, parse_tower
from vision.heights import Model, narrow
from vision.spots import Patches, Spots, lay_spots
from vision.tiles import Pose, TileTracker
from vision.tower import board_rig
from vision.training.kinds import KINDS
from vision.training.patches import HIDDEN, UNSAID, find_pose, find_rows, grid_of, label, photograph

MODELS: Final = {"tactiki": Model.FIGURES, "topple": Model.DISCS}
TAKES: Final = 3
"""How often each render is photographed."""


@dataclass(frozen=True, slots=True, eq=False)
class Samples:
    """All arrays begin with the samples.

    patches: (n, rows, columns, 3), blue green red.  rises: (n,) pixels.  models: (n,) Model.
    heights: (n,) 0 to TALLEST, HIDDEN or UNSAID.  rows: (n, TALLEST + 1) the foot's and each top's,
    NaN where unknown or none.  groups: (n,) samples of one scene or session share a number.
    """

    patches: Patches
    rises: NDArray[np.float32]
    models: NDArray[np.float32]
    heights: NDArray[np.int64]
    rows: NDArray[np.float32]
    groups: NDArray[np.int64]

    @classmethod
    def join(cls, parts: "Iterable[Samples]") -> Self:
        """Return all *parts* as one."""
        listed = list(parts)
        names = [field.name for field in fields(cls)]
        return cls(*(np.concatenate([getattr(part, name) for part in listed]) for name in names))

    def those(self, which: NDArray[np.bool_] | NDArray[np.intp]) -> "Samples":
        """Return the samples that are chosen."""
        return Samples(*(getattr(self, field.name)[which] for field in fields(self)))


def of_renders(folder: Path, game: str) -> Samples:
    """Return the samples that the rendered scenes of *folder*/*game* give; each is cut once."""
    paths = sorted((folder / game).glob("????.json"))
    return Samples.join(_of_render(path, game) for path in paths if _render(path).exists())


def _render(scene: Path) -> Path:
    return scene.with_suffix(".png")


def _of_render(path: Path, game: str) -> Samples:
    kept = path.with_suffix(".npz")
    if not kept.exists():
        scene, kind = json.loads(path.read_text("utf-8")), KINDS[game]
        picture = load_frame(_render(path)).picture
        heights = label(scene)[0].astype(np.int64)
        found = []
        for take in range(TAKES):
            random = np.random.default_rng([int(scene["name"]), take])
            taken, bend = photograph(picture, random)
            pose = find_pose(scene, bend, random)
            floor_z = kind.floor_z if game == "tactiki" else 0.0
            spots = lay_spots(grid_of(kind), pose, floor_z, taken.shape)
            rows = find_rows(scene, bend, pose)
            found.append(_sample(spots, taken, game, heights, rows, int(scene["name"])))
        np.savez(kept, **asdict(Samples.join(found)))
    with np.load(kept) as arrays:
        return Samples(**{field.name: arrays[field.name] for field in fields(Samples)})


def of_sessions(folder: Path, game: str, left_out: str = "") -> Samples:
    """Return the samples that recorded sessions below *folder*/*game* give; their rows unknown.

    left_out: a session that is not learned from, to be tried on.
    """
    found = []
    for group, path in enumerate(sorted((folder / game).glob("*/session.json"))):
        if path.parent.name == left_out:
            continue
        session = json.loads(path.read_text("utf-8"))
        grid = parse_stacks(session) if game == "tactiki" else parse_tower(session)
        floor_z = grid.floor_z if isinstance(grid, StackLayout) else 0.0
        tracker = TileTracker(grid if isinstance(grid, StackLayout) else board_rig(grid))
        for line in (path.parent / "truth.jsonl").read_text("utf-8").splitlines():
            record = json.loads(line)
            if record["truth"].get("toppled"):
                continue
            picture = load_frame(path.parent / record["frame"]).picture
            pose: Pose | None = tracker.locate(picture)
            if pose is None:
                continue
            spots = lay_spots(grid, pose, floor_z, picture.shape)
            heights = _heights(record["truth"])
            rows = np.full((SIDE**2, TALLEST + 1), np.nan, np.float32)
            found.append(_sample(spots, picture, game, heights, rows, group))
    return Samples.join(found)


def _heights(truth: Mapping[str, Any]) -> NDArray[np.int64]:
    """Return (25,) what a truth line says of each spot."""
    cells = truth.get("cells") or [[None] * SIDE] * SIDE
    flat = [UNSAID if cell is None else len(cell) for row in cells for cell in row]
    heights = np.array(flat, np.int64)
    for row, column in truth.get("covered_slots", ()):
        heights[row * SIDE + column] = HIDDEN
    return heights


def _sample(
    spots: Spots,
    picture: NDArray[np.uint8],
    game: str,
    heights: NDArray[np.int64],
    rows: NDArray[np.float32],
    group: int,
) -> Samples:
    return Samples(
        patches=narrow(spots.cut(picture)),
        rises=spots.rise,
        models=np.full(SIDE**2, MODELS[game], np.float32),
        heights=heights,
        rows=rows,
        groups=np.full(SIDE**2, group, np.int64),
    )
