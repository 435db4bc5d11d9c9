"""Samples to learn shadows from: patches along them, and how high is what throws them."""

import json
import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from rendering.patches import HIDDEN, find_pose, grid_of, label, photograph
from rendering.piece_kinds import TACTIKI
from rendering.prints import Random
from rendering.scenes import Scene
from training.samples import Arrays, kept_at
from vision.capture.frame import load_frame
from vision.columns.cues.cast_shadows import SOURCE_DISTANCE_MM
from vision.columns.cues.shadow_patches import ShadowPatches, build_shadow_patches
from vision.columns.grid import CELLS_PER_SIDE, TALLEST
from vision.columns.patches import Patches
from vision.geometry.pose import Points

TAKES: Final = 4
"""How often the shadows of each render are cut, each time along one lamp's."""
OFF: Final = 0.025
"""How far off a lamp's direction usually is when it was learned from shadows, in radians."""
FALSE: Final = 0.12
"""Share of takes in which a lamp is looked for where none is."""
MISTAKEN: Final = 0.07
"""Share of columns that are thought to be a level higher or lower than they are."""
SUN_MM: Final = 1e6
WINDOW_MM: Final = 800.0
"""The shadows of larger lamps are so soft that other lamps' are seen first."""
LOWEST_MM: Final = 300.0


@dataclass(frozen=True, slots=True, eq=False)
class ShadeSamples(Arrays):
    """All arrays begin with the samples.

    patches: (n, rows, columns, 3), blue green red.  masks: (n, MASKS, BINS, bins across), 0 to
    255.  marks: (n, TALLEST, BINS), as `ShadowPatches` has them.  heights: (n,) 1 to TALLEST.
    groups: (n,) samples of one scene share a number; takes: (n,) those of it in one lamp's light.
    """

    patches: Patches
    masks: NDArray[np.uint8]
    marks: NDArray[np.float16]
    heights: NDArray[np.int64]
    groups: NDArray[np.int64]
    takes: NDArray[np.int64]

    def mirrored(self, which: NDArray[np.bool_]) -> Self:
        """Return the samples, those that are chosen as a mirror across the shadow shows them."""
        chosen = which[:, None, None, None]
        return replace(
            self,
            patches=np.where(chosen, self.patches[:, :, ::-1], self.patches),
            masks=np.where(chosen, self.masks[..., ::-1], self.masks),
        )


def of_renders(folder: Path, series: int = 0) -> ShadeSamples:
    """Return the samples that the rendered scenes of *folder*/tactiki give; each is cut once.

    series: which photographs of them; each number gives others.
    """
    scenes = sorted((folder / TACTIKI.name).glob("????.json"))
    found = [_of_render(path, series) for path in scenes if path.with_suffix(".png").exists()]
    return ShadeSamples.join([part for part in found if part is not None])


def _of_render(path: Path, series: int) -> ShadeSamples | None:
    def cut() -> ShadeSamples | None:
        scene = json.loads(path.read_text("utf-8"))
        found = _cut(scene, path.with_suffix(".png"), series)
        return ShadeSamples.join(found) if found else None

    return ShadeSamples.keep(kept_at(path, "-shades", series), cut)


def _cut(scene: Scene, render: Path, series: int) -> list[ShadeSamples]:
    picture, grid = load_frame(render).picture, grid_of(TACTIKI)
    heights = label(scene)[0].astype(np.int64)
    which = np.flatnonzero((heights > 0) & (heights < HIDDEN))
    found = []
    for take in range(TAKES if len(which) else 0):
        seeds = [int(scene["name"]), take, series]
        taken, bend = photograph(picture, random := np.random.default_rng(seeds))
        pose = find_pose(scene, bend, random)
        random = np.random.default_rng([*seeds, 9])
        lamp = _place(_choose_lamp(random, scene["lights"]["lamps"]), random)
        if lamp[2] < LOWEST_MM:
            continue
        known = _mistake(random, scene)
        shades = build_shadow_patches(grid, pose, TACTIKI.above_pose, lamp, known, which)
        found.append(_sample(shades, shades.crop(taken), heights[which], int(scene["name"]), take))
    return found


def _mistake(random: Random, scene: Scene) -> NDArray[np.intp]:
    """Return how high all columns are, a few of them wrongly."""
    true = np.array([len(column["pieces"]) for column in scene["columns"]])
    wrong = random.random(CELLS_PER_SIDE**2) < MISTAKEN
    off = np.where(wrong, random.choice([-1, 1], CELLS_PER_SIDE**2), 0)
    return np.asarray(np.clip(true + off, 0, TALLEST), np.intp)


def _choose_lamp(random: Random, lamps: list[Any]) -> Any:
    """Return one of the lamps, sometimes where none is."""
    soft = [lamp["size"] > WINDOW_MM and not lamp["sun"] for lamp in lamps]
    weights = np.array([lamp["strength"] for lamp in lamps]) * np.where(soft, 0.3, 1.0)
    lamp = lamps[random.choice(len(lamps), p=weights / weights.sum())]
    if random.random() >= FALSE:
        return lamp
    turned = {"azimuth_deg": random.uniform(0, 360), "elevation_deg": random.uniform(25, 80)}
    return {**lamp, **turned}


def _place(lamp: Any, random: Random) -> Points:
    """Return about where a lamp is in the grid's frame."""
    up, around = math.radians(lamp["elevation_deg"]), math.radians(lamp["azimuth_deg"])
    # The renderer's y points the other way.
    way = [math.cos(up) * math.cos(around), -math.cos(up) * math.sin(around), math.sin(up)]
    off = np.array(way) + random.normal(0, OFF, 3)
    far = SUN_MM if lamp["sun"] else SOURCE_DISTANCE_MM * math.exp(random.normal(0, 0.15))
    middle = np.array([TACTIKI.mat / 2, TACTIKI.mat / 2, 0.0])
    return np.asarray(middle + far * off / np.linalg.norm(off))


def _sample(
    shades: ShadowPatches, patches: Patches, heights: NDArray[np.int64], group: int, take: int
) -> ShadeSamples:
    return ShadeSamples(
        patches,
        (shades.masks * 255).astype(np.uint8),
        shades.marks.astype(np.float16),
        heights,
        np.full(len(heights), group, np.int64),
        np.full(len(heights), take, np.int64),
    )
