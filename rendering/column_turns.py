"""Tables of Topple to learn changes from: one camera and set, discs that come and go in turn.

`python -m rendering.column_turns FOLDER FIRST COUNT` describes tables, one folder each, which
`blender -b -P rendering/blender/render.py -- FOLDER/NNNN` renders. Picture 0000 shows any position,
each further one what the one before did with discs added, taken or shifted a little, at times
under a hand.
"""

import argparse
import copy
import json
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from rendering.film_columns import ColumnSet
from rendering.household_traits import Table, furnish
from rendering.piece_kinds import TOPPLE
from rendering.plot_columns import COLOURS, SPOTS, Cells, empty_cells
from rendering.prints import Random, draw_ground, random_hue, write_tiles
from rendering.room import random_camera, random_skin, random_tiles, reach_over
from rendering.scenes import HFOV_DEG, LENSES_DEG, TABLE_PX, TALLEST, Scene, random_lights

SEED: Final = 90125
"""Apart from the seeds of all films."""
PICTURES: Final = 8
USUAL_LENS: Final = 0.5
"""How often the camera has the usual lens, not any of LENSES_DEG."""
TRAITS: Final = {"flash": 0.06, "curtains": 0.08, "gloss": 0.15, "worn": 0.15, "low": 0.05}
"""How often a home has what `household_traits` gives."""
CLIPPING: Final = 0.3
"""How often a lamp at home clips on white print."""
CLOUDS: Final = 0.2
"""How often clouds pass before the window."""
HANDS: Final = 0.22
SLIPS: Final = 0.3
SLIP_MM: Final = (0.8, 3.0)
TAKEN: Final = 0.16
ADDED: Final = {0: 0.1, 1: 0.55, 2: 0.2, 3: 0.15}
"""How often so many discs are added between two pictures."""
ONTO_ONE: Final = 0.3
"""How often several of them go onto the same column."""
TALL: Final = 0.35
"""How often a table is of those who build high."""


def add_disc(random: Random, cells: Cells, spot: tuple[int, int] | None, tall: bool) -> Any:
    """Put a disc onto *spot*, or onto any column or empty spot; return where."""
    standing = [s for s in SPOTS if 0 < len(cells[s[0]][s[1]]) < TALLEST]
    empty = [s for s in SPOTS if not cells[s[0]][s[1]]]
    onto = standing if standing and random.random() < (0.85 if tall else 0.5) else empty or standing
    if spot is None or len(cells[spot[0]][spot[1]]) >= TALLEST:
        if not onto:
            return None
        spot = onto[int(random.integers(len(onto)))]
    cell = cells[spot[0]][spot[1]]
    same = cell and random.random() < 0.4
    cell.append(cell[-1] if same else COLOURS[int(random.integers(4))])
    return spot


def change(random: Random, cells: Cells, tall: bool) -> None:
    """Let a move be made, several, one taken back, or none."""
    standing = [s for s in SPOTS if cells[s[0]][s[1]]]
    if standing and random.random() < TAKEN:
        r, c = standing[int(random.integers(len(standing)))]
        cells[r][c].pop()
    spot = None
    for _ in range(int(random.choice(list(ADDED), p=list(ADDED.values())))):
        spot = add_disc(random, cells, spot if random.random() < ONTO_ONE else None, tall)


def slip(random: Random, filmed: ColumnSet) -> None:
    """Shift the top of a column by a sleeve's touch."""
    columns = [lying for place in SPOTS if (lying := filmed.lying(place))]
    if columns and random.random() < SLIPS:
        on = columns[int(random.integers(len(columns)))]
        angle, far = random.uniform(0, 2 * np.pi), random.uniform(*SLIP_MM)
        low = int(random.integers(len(on)))
        for _, piece in on[low:]:
            piece["x"] += float(far * np.cos(angle))
            piece["y"] += float(far * np.sin(angle))


def lay(folder: Path, seed: int) -> None:
    """Write the scenes of one table."""
    random = np.random.default_rng([SEED, seed])
    folder.mkdir(parents=True, exist_ok=True)
    filmed = ColumnSet(random, TOPPLE)
    write_tiles(folder, filmed.mat.marker_ids)
    hue, rough = random_hue(random, (0.0, 0.6), (0.15, 0.95)), random.uniform(0, 0.15)
    cv2.imwrite(str(folder / "ground.jpg"), draw_ground(random, TABLE_PX, hue, rough))
    hfov_deg = HFOV_DEG if random.random() < USUAL_LENS else float(random.uniform(*LENSES_DEG))
    shared = {
        "game": "topple",
        "ground": "ground.jpg",
        "camera": random_camera(random, filmed.mat, hfov_deg),
        "lights": _light(random),
        "tiles": random_tiles(random, filmed.mat),
        **filmed.dress(folder),
    }
    traits = {name for name, share in TRAITS.items() if random.random() < share}
    furnish(Table(random, filmed.mat, filmed.kept, folder, "set-", shared), traits)
    flicker = 0.25 if random.random() < CLOUDS else 0.02
    tall, cells = bool(random.random() < TALL), empty_cells()
    for _ in range(int(random.integers(0, 19))):
        add_disc(random, cells, None, tall)
    for index in range(PICTURES):
        if index:
            change(random, cells, tall)
            slip(random, filmed)
        scene = {"name": f"{index:04d}", **shared, "cells": copy.deepcopy(cells), "hand": None}
        scene |= copy.deepcopy(filmed.arrange({"cells": cells}, None))
        scene["lights"] = copy.deepcopy(shared["lights"])
        for lamp in scene["lights"]["lamps"]:
            lamp["strength"] *= float(np.exp(random.normal(0, flicker)))
        if index and random.random() < HANDS:
            scene["hand"] = _reach(random, scene, filmed)
        (folder / f"{index:04d}.json").write_text(json.dumps(scene), "utf-8")


def _light(random: Random) -> Scene:
    """Return the light of a room; at times a lamp that is mirrored and clips."""
    lights = random_lights(random)
    if random.random() < CLIPPING:
        lamp = lights["lamps"][0] | {"sun": False, "size": float(random.uniform(30, 140))}
        lights["lamps"][0] = lamp
        lights["exposure"] = float(random.normal(0.6, 0.3))
    return lights


def _reach(random: Random, scene: Scene, filmed: ColumnSet) -> Scene:
    """Return a hand over the board, with a disc in it or without."""
    spots = list(filmed.spots().values())
    arm, tip = reach_over(random, scene["camera"], spots, random_skin(random))
    if random.random() < 0.5:
        held = filmed.hold(COLOURS[int(random.integers(4))], (tip[0], tip[1], tip[2]))
        arm |= {"holds": held["holds"]}
    return arm


def main() -> None:
    """Describe tables in a folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("first", type=int, help="the same number gives the same table")
    parser.add_argument("count", type=int)
    given = parser.parse_args()
    for seed in range(given.first, given.first + given.count):
        lay(given.folder / f"{seed:04d}", seed)


if __name__ == "__main__":
    main()
