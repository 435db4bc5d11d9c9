"""Samples to learn outlines from: polar patches around discs, and where each ray should end."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rendering.patches import (
    HIDDEN,
    bent,
    board_to_table,
    find_pose,
    grid_of,
    label,
    photograph,
    place,
)
from rendering.piece_kinds import TOPPLE
from rendering.pieces import Traits, shape_disc
from rendering.prints import Random
from rendering.scenes import Scene, project, projection
from training.samples import Arrays
from vision.capture.frame import Picture, load_frame
from vision.columns.cues.outlines import (
    INNER_RADII,
    OUTER_RADII,
    RAY_ANGLES_RAD,
    crop_polar_patches,
)
from vision.columns.grid import CELLS_PER_SIDE, TALLEST
from vision.columns.patches import Patches
from vision.geometry.pose import Points, Pose

TAKES: Final = 2
"""How often each render is photographed."""
SEED: Final = 5
AROUND: Final = np.linspace(0.0, 2.0 * np.pi, 96, endpoint=False)
ASIDE_MM: Final = 1.0
MOST_ASIDE_MM: Final = 2.0
"""How far rays usually, and at most, begin beside a column's spot."""
GROWN: Final = 0.08
"""By which share strips are larger or smaller than they should be, so that size must be measured:
what is known otherwise of a column's height says nothing."""
MISTAKES: Final = (-2, -1, -1, 0, 0, 0, 0, 1, 1, 2)
"""By how many levels a column is taken to be higher than it is."""
WIDEST_MM: Final = 0.02
SHORTEST, LONGEST = INNER_RADII + 0.03, OUTER_RADII - 0.03


@dataclass(frozen=True, slots=True, eq=False)
class Rings(Arrays):
    """All arrays begin with the samples.

    strips: (n, RAYS, SAMPLES_PER_RAY, 3), blue green red.  ends: (n, RAYS) where rays end and
    radii: (n,) of the circle through these ends, both in radii of a piece as the patch was cropped.
    rises_mm: (n,) the level shifts, see `outlines.build_inputs`.  levels: (n,) from the top to
    the camera.  groups: (n,) samples of one scene share a number.
    """

    strips: Patches
    ends: NDArray[np.float32]
    radii: NDArray[np.float32]
    rises_mm: NDArray[np.float32]
    levels: NDArray[np.float32]
    groups: NDArray[np.int64]


def of_renders(folder: Path) -> Rings:
    """Return the samples that the rendered towers of *folder* give; each scene is cut once."""
    scenes = sorted((folder / TOPPLE.name).glob("????.json"))
    found = [_of_render(path) for path in scenes if path.with_suffix(".png").exists()]
    return Rings.join([part for part in found if part is not None])


def _of_render(path: Path) -> Rings | None:
    def cut() -> Rings | None:
        return cut_rings(json.loads(path.read_text("utf-8")), path.with_suffix(".png"))

    return Rings.keep(path.with_name(f"{path.stem}-rings.npz"), cut)


def cut_rings(scene: Scene, render: Path) -> Rings | None:
    """Return samples of the columns whose tops *render*, a picture of *scene*, shows."""
    picture, heights = load_frame(render).picture, label(scene)[0]
    which = [spot for spot in range(CELLS_PER_SIDE**2) if 0 < heights[spot] < HIDDEN]
    found = []
    for take in range(TAKES):
        random = np.random.default_rng([int(scene["name"]), take, SEED])
        taken, bend = photograph(picture, random)
        pose = find_pose(scene, bend, random)
        found += [_cut(random, scene, taken, bend, pose, spot) for spot in which]
    # Rays that are too short to reach the end, or begin beyond it, teach nothing.
    met = [ring for ring in found if np.all((ring.ends > SHORTEST) & (ring.ends < LONGEST))]
    return Rings.join(met) if met else None


def _cut(random: Random, scene: Scene, taken: Picture, bend: float, pose: Pose, spot: int) -> Rings:
    grid, true = grid_of(TOPPLE), len(scene["columns"][spot]["pieces"])
    figure, foot = grid.figure, pose.camera
    thought = true + int(random.choice(MISTAKES))
    thought = thought if 1 <= thought <= TALLEST else true
    top_mm = figure.rise_mm(thought)
    below_mm = float(foot[2]) - top_mm
    aside = np.clip(random.normal(0, ASIDE_MM, 2), -MOST_ASIDE_MM, MOST_ASIDE_MM)
    middle = grid.cell_centres[spot] + aside
    grown = figure.radius * (1.0 + random.uniform(-1, 1) * GROWN)
    ring, widest, ring_mm = _find_ring(scene, bend, spot)
    far = float(np.hypot(*(grid.cell_centres[spot] - foot[:2])))
    larger = below_mm / (below_mm - (ring_mm - top_mm))
    return Rings(
        strips=crop_polar_patches(taken, pose, middle[None], np.array([top_mm]), grown),
        ends=_find_ends(ring, pose, middle, top_mm)[None] / grown,
        radii=np.array([widest * larger / grown], np.float32),
        rises_mm=np.array([far * figure.pitch / below_mm], np.float32),
        levels=np.array([below_mm / figure.pitch], np.float32),
        groups=np.array([int(scene["name"])]),
    )


def _find_ring(scene: Scene, bend: float, spot: int) -> tuple[Points, float, float]:
    """Return the pixels (n, 2) at which the widest ring of a column's top appears in a bent lens.

    And its radius and how high above the board it is, both in mm.
    """
    piece = scene["columns"][spot]["pieces"][-1]
    radius, lift = find_widest(scene["paints"][piece["paint"]])
    x, y = piece["x"] + radius * np.cos(AROUND), piece["y"] + radius * np.sin(AROUND)
    ring = np.column_stack([x, y, np.full(len(AROUND), piece["z"] + lift)])
    pixels = project(projection(scene["camera"]), place(board_to_table(scene), ring))
    return bent(pixels, bend), radius, piece["z"] + lift


def find_widest(looks: Traits) -> tuple[float, float]:
    """Return the radius of a disc's widest ring and how high that is, both in mm."""
    rings = [(radius, z) for radius, z, *_ in shape_disc(looks)]
    widest = max(radius for radius, _ in rings)
    return widest, max(z for radius, z in rings if radius > widest - WIDEST_MM)


def _find_ends(ring: Points, pose: Pose, middle: Points, top_mm: float) -> NDArray[np.float32]:
    """Return how far from *middle* (RAYS,) each ray meets a ring of pixels, in mm."""
    flat = np.column_stack([ring, np.ones(len(ring))]) @ np.linalg.inv(pose.homography(top_mm)).T
    beyond = flat[:, :2] / flat[:, 2:] - middle
    out = middle - pose.camera[:2]
    along, across = beyond @ out, beyond @ [-out[1], out[0]]
    angles = np.arctan2(across, along)
    order = np.argsort(angles)
    far = np.hypot(*beyond.T)[order]
    ends = np.interp(RAY_ANGLES_RAD, angles[order], far, period=2.0 * np.pi)
    return np.asarray(ends, np.float32)
