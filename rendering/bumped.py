"""Lay tables whose camera or board is bumped, to be rendered, and say what a watch should report.

`python -m rendering.bumped FOLDER COUNT` describes so many tables in folders of their
own, game after game: how each is before, after moves, and after bumps. Once `render.py` has
rendered these folders, `python -m tests.vision.rendered_bumps FOLDER` photographs them and counts
what is noticed. Unlike a picture that is moved as its table's plane, what stands up shows other
sides to a camera that was moved or tilted, and shadows stay where the lamps throw them.
"""

import argparse
import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from rendering.films import PLOTS, SETS
from rendering.plots import Faults
from rendering.prints import Random, draw_ground, random_hue, write_tiles
from rendering.room import TILE_MM, Spot, random_camera, random_tiles, scatter
from rendering.scenes import PICTURE_PX, TABLE_PX, Scene, project, projection, random_lights
from rendering.sessions import describe
from vision.geometry.layout import Mat

SEED: Final = 808
"""Apart from the seeds of all that is trained on, and of all other rehearsals."""
GAMES: Final = tuple(PLOTS)
SMALL_PX: Final = (768, 432)
"""Pictures that a small camera takes, rendered in a quarter of the time."""
MOVES: Final = 14
PLAYED: Final = 1
BUMPS: Final = 10
"""Of each table: so many pictures after a move each, and so many after a bump each."""
MOVED_MM: Final = (2.0, 40.0)
TURNED_DEG: Final = (1.0, 10.0)
UPRIGHT: Final = 0.5
"""How far a camera goes up or down, as a share of how far it goes aside."""
MIN_TILES: Final = 3
"""As many tiles are in view after each bump; fewer say nothing of the view."""
TRIES: Final = 60
"""Ways that are drawn for a bump before another size is."""
Moved = Literal["camera", "board"]


@dataclass(frozen=True, slots=True)
class Bump:
    """A bump, and what it does to the view.

    moved_mm, turned_deg: how far camera or board were moved and turned themselves: a board
        clockwise as seen from above, a camera about any axis.
    dx_mm, dy_mm: how far the board moved on the table, or what the camera sees, as a `ViewChange`
        has it.  shift_mm: the same of that corner of the mat that moves most.
    """

    mover: Moved
    moved_mm: float
    turned_deg: float
    dx_mm: float
    dy_mm: float
    shift_mm: float


def lay_table(game: str, folder: Path, number: int) -> list[Scene]:
    """Describe the pictures of one table in *folder*; return them.

    number: the same number gives the same table.
    """
    folder.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng([SEED, number, GAMES.index(game)])
    mat, layout, shared, moments = _lay_moments(random, game, folder)
    scenes = [{**shared, **parts} for parts in moments]
    told: list[dict[str, Any]] = [{"what": "play" if at else "before"} for at in range(len(scenes))]
    for at in range(BUMPS):
        scene, bump = random_bump(random, scenes[0], mat, "camera" if at % 2 else "board", at // 2)
        scenes.append(scene)
        told.append({"what": "bump", **asdict(bump)})
    for at, scene in enumerate(scenes):
        scene["name"] = f"{at:04d}"
        (folder / f"{scene['name']}.json").write_text(json.dumps(scene), "utf-8")
    rows = [{"frame": f"{scene['name']}.png", "kind": "settled"} for scene in scenes]
    shots = [{**row, **each} for row, each in zip(rows, told, strict=True)]
    session = describe(game, mat, layout, rows)
    session["image"] |= {"width": SMALL_PX[0], "height": SMALL_PX[1]}
    table = {"number": number, "session": session, "shots": shots}
    (folder / "table.json").write_text(json.dumps(table), "utf-8")
    return scenes


def _lay_moments(
    random: Random, game: str, folder: Path
) -> tuple[Mat, Mapping[str, Any], Scene, list[Scene]]:
    """Return mat and layout, what all scenes have in common, and a table as it is before a bump.

    After that, the same table once moves have been played. Prints are drawn into *folder*.
    """
    filmed = SETS[game](random)
    mat = filmed.mat
    dress = filmed.dress(folder)
    beats = PLOTS[game](random, MOVES, Faults(random, MOVES, 0.0)).beats
    first = int(random.integers(1, len(beats) - PLAYED))
    parts = [filmed.arrange(b.table, b.seat) for b in beats[first : first + 1 + PLAYED]]
    write_tiles(folder, mat.marker_ids)
    rough = random.uniform(0, 0.15)
    ground = draw_ground(random, TABLE_PX, random_hue(random, (0.0, 0.6), (0.15, 0.95)), rough)
    cv2.imwrite(str(folder / "ground.jpg"), ground)
    about = scatter(random, mat, filmed.kept, folder, "about")
    shared = {
        "game": game,
        "picture_px": SMALL_PX,
        "ground": "ground.jpg",
        "middle": [mat.width / 2, mat.height / 2, 0.0],
        "camera": random_camera(random, mat),
        "lights": random_lights(random),
        "tiles": random_tiles(random, mat),
        "hand": None,
        **dress,
    }
    moments = [
        {
            **{name: value for name, value in part.items() if name != "cards"},
            "things": [*about, *part.get("cards", ())],
        }
        for part in parts
    ]
    return mat, filmed.layout, shared, moments


def random_bump(
    random: Random, scene: Scene, mat: Mat, mover: Moved, kind: int
) -> tuple[Scene, Bump]:
    """Return *scene* after a bump, and the bump; enough tiles stay in view.

    kind: 0 moves, 1 turns and all others do both.
    """
    while True:
        moved_mm = float(random.uniform(*MOVED_MM)) if kind != 1 else 0.0
        turned_deg = float(random.uniform(*TURNED_DEG)) if kind else 0.0
        for _ in range(TRIES):
            if mover == "board":
                way = moved_mm * np.exp(2j * math.pi * random.random())
                turned_deg *= float(random.choice([-1, 1]))
                bumped = push_board(scene, mat, (way.real, way.imag), turned_deg)
            else:
                way_mm = random.normal(0, 1, 3) * [1.0, 1.0, UPRIGHT]
                way_mm *= moved_mm / np.linalg.norm(way_mm)
                axis = random.normal(0, 1, 3)
                axis *= turned_deg / np.linalg.norm(axis)
                bumped = push_camera(scene, way_mm, axis)
            if count_tiles(bumped) >= MIN_TILES:
                return bumped, _bump(scene, bumped, mat, mover, moved_mm, turned_deg)


def push_board(scene: Scene, mat: Mat, way_mm: tuple[float, float], turn_deg: float) -> Scene:
    """Return *scene* after its board slid on the table and turned clockwise about its middle.

    Tiles and all that lies between them go along; what lies around them stays.
    """
    middle = complex(mat.width / 2, mat.height / 2)
    turn, way = np.exp(1j * math.radians(turn_deg)), complex(*way_mm)
    between = Spot(middle.real, middle.imag, middle.real + TILE_MM, middle.imag + TILE_MM, 0.0)

    def go(x: float, y: float) -> tuple[float, float]:
        there = (complex(x, y) - middle) * turn + middle + way
        return float(there.real), float(there.imag)

    def carry(thing: Scene) -> Scene:
        x, y, z = thing["at"]
        if not between.is_near(x, y, 0.0):
            return thing
        return {**thing, "at": [*go(x, y), z], "turn_deg": thing["turn_deg"] + turn_deg}

    tiles = []
    for tile in scene["tiles"]:
        x, y = go(tile["x"], tile["y"])
        tiles.append({**tile, "x": x, "y": y, "turn_deg": tile["turn_deg"] + turn_deg})
    moved = {**scene, "tiles": tiles, "things": [carry(thing) for thing in scene["things"]]}
    if "board" in scene:
        board = scene["board"]
        off = complex(board["dx"], board["dy"]) * turn + way
        moved["board"] = {
            **board,
            "dx": float(off.real),
            "dy": float(off.imag),
            "turn_deg": board["turn_deg"] + turn_deg,
            "towards_deg": board["towards_deg"] + turn_deg,
        }
    return moved


def push_camera(scene: Scene, way_mm: NDArray[np.float64], axis_deg: NDArray[np.float64]) -> Scene:
    """Return *scene* seen by a camera that was moved and turned.

    way_mm: (3,) in the table's frame.  axis_deg: (3,) the axis it is turned about, in a frame with
    the camera's line of sight as its third axis, as long as the turn.
    """
    camera = scene["camera"]
    stands, aim = np.array(camera["stands"]), np.array(camera["aim"])
    sight = aim - stands
    along = sight / np.linalg.norm(sight)
    across = np.cross(along, [0.0, 1.0, 0.0])
    across /= np.linalg.norm(across)
    tilt = across * axis_deg[0] + np.cross(across, along) * axis_deg[1]
    turn, _ = cv2.Rodrigues(np.radians(tilt))
    moved = stands + way_mm
    turned = {
        "stands": [float(at) for at in moved],
        "aim": [float(at) for at in moved + turn @ sight],
        "roll_deg": camera["roll_deg"] + float(axis_deg[2]),
    }
    return {**scene, "camera": turned}


def count_tiles(scene: Scene) -> int:
    """Return how many tiles of a scene are wholly in view."""
    ends = [(-TILE_MM, -TILE_MM), (TILE_MM, -TILE_MM), (TILE_MM, TILE_MM), (-TILE_MM, TILE_MM)]
    whole = 0
    for tile in scene["tiles"]:
        corners = np.array([(tile["x"] + dx, tile["y"] + dy, 0.0) for dx, dy in ends])
        pixels = project(projection(scene["camera"]), corners)
        whole += bool(np.all((pixels > 0) & (pixels < PICTURE_PX)))
    return whole


def _bump(
    old: Scene, new: Scene, mat: Mat, mover: Moved, moved_mm: float, turned_deg: float
) -> Bump:
    """Return the bump that made *new* of *old*."""
    # The table's plane in either picture; what was seen where is seen there now.
    first, then = (projection(each["camera"])[:, [0, 1, 3]] for each in (old, new))
    corners = np.column_stack([np.array(mat.centres), np.ones(len(mat.centres))])
    seen = corners @ np.linalg.solve(then, first).T
    off = seen[:, :2] / seen[:, 2:] - np.array(mat.centres)
    if mover == "board":
        ends = [np.array([[tile["x"], tile["y"]] for tile in each["tiles"]]) for each in (old, new)]
        off = ends[1] - ends[0]
    dx, dy = off.mean(axis=0)
    most = float(np.linalg.norm(off, axis=1).max())
    return Bump(mover, moved_mm, turned_deg, float(dx), float(dy), most)


def lay_tables(folder: Path, count: int, first: int = 0) -> Iterator[Path]:
    """Describe *count* tables in folders of their own, the games in turn; yield these folders."""
    for number in range(first, first + count):
        game = GAMES[number % len(GAMES)]
        table = folder / f"{number:03d}-{game}"
        lay_table(game, table, number)
        yield table


def main() -> None:
    """Describe tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("count", type=int)
    parser.add_argument("--first", type=int, default=0, help="the number of the first to lay")
    given = parser.parse_args()
    for table in lay_tables(given.folder, given.count, given.first):
        print(table)


if __name__ == "__main__":
    main()
