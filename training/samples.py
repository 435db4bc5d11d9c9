"""Samples to learn columns from: patches, what stands there, and in which rows it appears."""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from rendering.patches import find_pose, find_rows, grid_of, label, photograph, repack
from rendering.piece_kinds import KINDS
from vision.capture.frame import load_frame
from vision.columns.grid import CELLS_PER_SIDE
from vision.columns.height_axis import halve_width
from vision.columns.model import Model
from vision.columns.patches import Patches, PatchGeometry, project_patches

MODELS: Final = {"tactiki": Model.FIGURES, "topple": Model.DISCS}
TAKES: Final = 3
"""How often each render is photographed."""


@dataclass(frozen=True, slots=True, eq=False)
class Arrays:
    """Arrays that all begin with the samples."""

    @classmethod
    def join(cls, parts: Sequence[Self]) -> Self:
        """Return all *parts* as one."""
        names = [field.name for field in fields(cls)]
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))

    @classmethod
    def keep(cls, kept: Path, cut: Callable[[], Self | None]) -> Self | None:
        """Return what *cut* gives, None for nothing; it is cut once and kept in a file."""
        if not kept.exists():
            found = cut()
            np.savez(kept, **({} if found is None else asdict(found)))
        with np.load(kept) as arrays:
            if not arrays.files:
                return None
            return cls(*(arrays[field.name] for field in fields(cls)))

    def those(self, which: NDArray[np.bool_] | NDArray[np.intp]) -> Self:
        """Return the samples that are chosen."""
        return type(self)(*(getattr(self, field.name)[which] for field in fields(self)))


@dataclass(frozen=True, slots=True, eq=False)
class Samples(Arrays):
    """All arrays begin with the samples.

    patches: (n, rows, columns, 3), blue green red.  rises: (n,) and tops (n, TALLEST + 1): pixels,
    as `PatchGeometry` has them.  steps_mm: (n,) what a row is of the board.  models: (n,) Model.
    heights: (n,) 0 to TALLEST, HIDDEN or UNSAID.  rows: (n, TALLEST + 1) the foot's and each top's,
    NaN where unknown or none.  groups: (n,) samples of one scene share a number.
    """

    patches: Patches
    rises: NDArray[np.float32]
    tops: NDArray[np.float32]
    steps_mm: NDArray[np.float32]
    models: NDArray[np.float32]
    heights: NDArray[np.int64]
    rows: NDArray[np.float32]
    groups: NDArray[np.int64]


def of_renders(folder: Path, game: str, series: int = 0) -> Samples:
    """Return the samples that the rendered scenes of *folder*/*game* give; each is cut once.

    series: which photographs of them; each number gives others.
    """
    paths = sorted((folder / game).glob("????.json"))
    found = [_of_render(path, game, series) for path in paths if path.with_suffix(".png").exists()]
    return Samples.join([part for part in found if part is not None])


def kept_at(scene: Path, what: str, series: int) -> Path:
    """Return where the samples of a scene's photographs are kept; *what* is in the file's name."""
    return scene.with_name(f"{scene.stem}{what}{f'-{series}' if series else ''}.npz")


def _of_render(path: Path, game: str, series: int) -> Samples | None:
    def cut() -> Samples:
        scene, kind = json.loads(path.read_text("utf-8")), KINDS[game]
        picture = load_frame(path.with_suffix(".png")).picture
        heights = label(scene)[0].astype(np.int64)
        found = []
        for take in range(TAKES):
            random = np.random.default_rng([int(scene["name"]), take, series])
            taken, bend = photograph(picture, random)
            pose = find_pose(scene, bend, random)
            taken = repack(taken, random)
            spots = project_patches(grid_of(kind), pose, kind.above_pose, taken.shape)
            rows = find_rows(scene, bend, pose)
            found.append(_sample(spots, taken, game, heights, rows, int(scene["name"])))
        return Samples.join(found)

    return Samples.keep(kept_at(path, "", series), cut)


def _sample(
    spots: PatchGeometry,
    picture: NDArray[np.uint8],
    game: str,
    heights: NDArray[np.int64],
    rows: NDArray[np.float32],
    group: int,
) -> Samples:
    return Samples(
        patches=halve_width(spots.crop(picture)),
        rises=spots.pixels_per_level,
        tops=spots.top_rows,
        steps_mm=np.full(len(spots.top_rows), spots.mm_per_row, np.float32),
        models=np.full(CELLS_PER_SIDE**2, MODELS[game], np.float32),
        heights=heights,
        rows=rows,
        groups=np.full(CELLS_PER_SIDE**2, group, np.int64),
    )
