"""Rehearse whole readings on rendered tables that training has not seen.

`python -m training.rehearsal lay GAME FOLDER COUNT` describes so many tables, each in
several shots; once `render.py` has rendered them, `rehearsal judge GAME FOLDER` teaches the game's
own reader each table by its first shot, as a host would, and prints how many of the others it reads
rightly. It finds the tiles in the pictures like any other.
"""

import argparse
import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np

from rendering.patches import find_pose, grid_of, photograph
from rendering.piece_kinds import KINDS, TOPPLE, Kind
from rendering.prints import BOARD_MARKER_MM, BOARD_MARKERS, MARKER_MM, Random
from rendering.scenes import Scene, prepare_folder, random_columns, random_scene
from training.samples import MODELS
from vision.capture.frame import Frame, Picture, load_frame
from vision.columns.board_reader import measure_confidence
from vision.columns.grid import CELLS_PER_SIDE, TALLEST, Grid, StackLayout, TowerLayout
from vision.columns.heights import name_class
from vision.columns.stack_reader import StackReader
from vision.columns.tower_reader import TowerReader
from vision.geometry.layout import Mat
from vision.geometry.pose import Pose
from vision.line.reader import BadCalibration
from vision.observation import EMPTY, HIDDEN, Observation

SEED: Final = 77
"""Apart from the seeds of the tables that are trained on."""
SHOTS: Final = 5
"""Of each table; the first teaches."""
LIMITS: Final = (0.7, 0.8, 0.85, 0.88, 0.9, 0.92, 0.93, 0.94, 0.95, 0.96, 0.97, 0.98)
SLANTS_DEG: Final = (0, 10, 20, 25, 30, 45)
PRINTS: Final = ("table", "board")


@dataclass(frozen=True, slots=True)
class Board:
    """How one board was read: how sure of its least certain spot; any hidden, or all right.

    slant_deg: how far the camera stands from straight above the board's middle.
    """

    least: float
    hidden: bool
    right: bool
    slant_deg: float


def lay_tables(kind: Kind, folder: Path, count: int) -> None:
    """Describe *count* tables in *folder*, in SHOTS scenes each, numbered through."""
    prepare_folder(folder, kind)
    for table in range(count):
        random = np.random.default_rng([SEED, table, len(kind.name)])
        first = random_scene(random, kind, folder, f"{table * SHOTS:04d}")
        for shot in range(SHOTS):
            scene = _vary(random, kind, first, shot)
            for part in PRINTS if shot else ():
                source = folder / f"{first['name']}-{part}.jpg"
                shutil.copyfile(source, folder / f"{scene['name']}-{part}.jpg")
            (folder / f"{scene['name']}.json").write_text(json.dumps(scene), "utf-8")


def _vary(random: Random, kind: Kind, first: Scene, shot: int) -> Scene:
    """Return another moment at the table of *first*; a balance board tilts otherwise each time."""
    paints = len(first["paints"])
    columns = random_columns(random, kind, paints)
    board = {**first["board"]}
    if kind is TOPPLE:
        board["tilt_deg"] = float(random.uniform(0, 4.5)) if shot else 0.0
        board["towards_deg"] = float(random.uniform(0, 360))
    if not shot:
        columns = _known_columns(random, kind, paints)
    name = f"{int(first['name']) + shot:04d}"
    seen = {"hand": None, "tiled": True}
    return {**first, **seen, "name": name, "columns": columns, "board": board}


def _known_columns(random: Random, kind: Kind, paints: int) -> list[Scene]:
    """Return columns to learn from: one piece of each paint, then columns of all heights."""
    columns = []
    for spot in range(CELLS_PER_SIDE**2):
        row, column = divmod(spot, CELLS_PER_SIDE)
        height = {0: 1, 2: column + 1, 4: TALLEST - column}.get(row, 0)
        pieces = [
            {
                "paint": (column + level) % paints,
                "x": float(kind.pitch_xy * (column - 2) + random.normal(0, kind.astray)),
                "y": float(kind.pitch_xy * (row - 2) + random.normal(0, kind.astray)),
                "z": float(level * kind.pitch_z),
                "turn_deg": float(random.uniform(0, 360)),
                "lean_deg": [0.0, 0.0],
            }
            for level in range(height)
        ]
        columns.append({"spot": spot, "pieces": pieces})
    return columns


def find_tables(folder: Path) -> Iterator[list[Scene]]:
    """Yield the shots of each table of *folder* that is wholly rendered."""
    scenes = [json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("????.json"))]
    for start in range(0, len(scenes), SHOTS):
        shots = scenes[start : start + SHOTS]
        if all((folder / f"{scene['name']}.png").exists() for scene in shots):
            yield shots


def judge_tables(folder: Path, kind: Kind) -> Iterator[list[Board]]:
    """Yield how the boards of each table of *folder* that is wholly rendered were read."""
    for shots in find_tables(folder):
        yield _judge_table(folder, kind, shots)


def _judge_table(folder: Path, kind: Kind, shots: list[Scene]) -> list[Board]:
    """Return how all shots but the first are read; none is if that teaches nothing."""
    reader, tiles = reader_of(kind, shots[0]), np.random.default_rng(SEED)
    found = []
    for scene, picture, bend in take_shots(folder, shots):
        frame, cells = Frame(scene["name"], picture, 0.0), cells_of(scene)
        if scene is shots[0]:
            try:
                reader.calibrate(frame, {"cells": cells})
            except BadCalibration as error:
                print(error)
                return [Board(0.0, hidden=True, right=False, slant_deg=0.0)] * (len(shots) - 1)
            continue
        slant = slant_deg(grid_of(kind), find_pose(scene, bend, tiles))
        found.append(judge(reader.read(frame), cells, slant, MODELS[kind.name].max_hidden))
    return found


def reader_of(kind: Kind, first: Scene) -> StackReader | TowerReader:
    """Return the reader of the table whose first shot is *first*; it has learned nothing yet."""
    grid = grid_of_table(kind, first)
    tile = kind.first_marker
    mat = Mat(kind.mat, kind.mat, (tile, tile + 1, tile + 2, tile + 3), MARKER_MM)
    known = (mat, grid.hfov_deg, grid.cells, grid.edges, grid.figure, grid.colours)
    if kind is TOPPLE:
        board = Mat(grid.mat.width, grid.mat.height, BOARD_MARKERS, BOARD_MARKER_MM)
        return TowerReader(TowerLayout(*known, board=board, top_z=kind.floor_z))
    return StackReader(StackLayout(*known, floor_z=kind.floor_z))


def take_shots(folder: Path, shots: list[Scene]) -> Iterator[tuple[Scene, Picture, float]]:
    """Yield each of a table's *shots*, its picture as a camera takes it, and how its lens bends."""
    for scene in shots:
        # One camera takes all pictures, so that they are drawn alike.
        random = np.random.default_rng([SEED, int(shots[0]["name"])])
        picture = load_frame(folder / f"{scene['name']}.png").picture
        yield scene, *photograph(picture, random)


def grid_of_table(kind: Kind, first: Scene) -> Grid:
    """Return the grid of the table whose first shot is *first*, with its paints."""
    paints = tuple(str(index) for index in range(len(first["paints"])))
    return replace(grid_of(kind), colours=paints)


def slant_deg(grid: Grid, pose: Pose) -> float:
    """Return how far from straight above the board's middle the camera stands."""
    away = pose.camera - [*grid.cell_centres.mean(axis=0), 0.0]
    return float(np.degrees(np.arctan2(np.hypot(*away[:2]), away[2])))


def cells_of(scene: Scene) -> list[list[list[str]]]:
    """Return what stands on a scene's spots, as a reader's truth has it."""
    columns = [[str(piece["paint"]) for piece in at["pieces"]] for at in scene["columns"]]
    return [
        columns[row * CELLS_PER_SIDE : (row + 1) * CELLS_PER_SIDE] for row in range(CELLS_PER_SIDE)
    ]


def judge(
    observation: Observation, cells: list[list[list[str]]], slant: float, covered: float
) -> Board:
    """Return how a board on which *cells* stand was read.

    slant: from where it was seen.  covered: how likely a spot may be hidden.
    """
    flat = [spot for row in cells for spot in row]
    true = [name_class(spot[-1], len(spot)) if spot else EMPTY for spot in flat]
    if not observation.places:
        return Board(0.0, hidden=observation.reading is None, right=False, slant_deg=slant)
    named = [spot.best for spot in observation.places]
    measured = [measure_confidence(evidence) for evidence in observation.places]
    least, hidden = min(each for each, _ in measured), max(each for _, each in measured)
    return Board(least, HIDDEN in named or hidden > covered, named == true, slant)


def report(boards: list[Board]) -> None:
    """Print how many *boards* are read at each limit, and how many of these wrongly."""
    least = np.array([0.0 if board.hidden else board.least for board in boards])
    right = np.array([board.right for board in boards])
    print(f"{len(boards)} boards, {right.sum()} likeliest right")
    for limit in LIMITS:
        read = least >= limit
        print(f"at {limit:.2f}: {read.sum()} read, {(read & ~right).sum()} of them wrongly")


def report_slants(boards: list[Board], sure: float) -> None:
    """Print how many are read, by how far the camera stands from straight above."""
    slants = np.array([board.slant_deg for board in boards])
    read = np.array([board.least >= sure and not board.hidden for board in boards])
    right = np.array([board.right for board in boards])
    for low, high in pairwise(SLANTS_DEG):
        here = (slants >= low) & (slants < high)
        print(
            f"{low} to {high} degrees aside: {here.sum()} boards, {(here & right).sum()} likeliest "
            f"right, {(here & read).sum()} read, {(here & read & ~right).sum()} of them wrongly"
        )


def main() -> None:
    """Describe tables, or judge what is read of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("lay", "judge"))
    parser.add_argument("game", choices=KINDS)
    parser.add_argument("folder", type=Path)
    parser.add_argument("count", type=int, nargs="?", default=100)
    given = parser.parse_args()
    kind, folder = KINDS[given.game], given.folder / given.game
    if given.what == "lay":
        lay_tables(kind, folder, given.count)
    else:
        boards = [board for table in judge_tables(folder, kind) for board in table]
        if not boards:
            parser.error(f"no table in {folder} is rendered whole; see rendering/blender/render.py")
        report(boards)
        report_slants(boards, MODELS[kind.name].min_certainty)


if __name__ == "__main__":
    main()
