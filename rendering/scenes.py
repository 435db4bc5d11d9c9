"""Describe random tables with columns of pieces, for a path tracer to render.

`python -m rendering.scenes GAME FOLDER COUNT` writes so many; then `render.py` renders them.

Everything is drawn here from lines, circles and noise, so that what is trained on it may ship. One
scene is a plain JSON object; lengths are in mm of the table's frame (x right, y down, z up).
"""

import argparse
import json
import math
from pathlib import Path
from typing import Any, Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from rendering.piece_kinds import KINDS, TACTIKI, TOPPLE, Kind
from rendering.prints import (
    Colour,
    Random,
    draw_balance,
    draw_fields,
    draw_ground,
    hue_colour,
    random_hue,
    write_tiles,
)
from vision.geometry.session_values import TILES_PER_MAT

Scene: TypeAlias = dict[str, Any]

TABLE_PX: Final = 700
HFOV_DEG: Final = 66.0
LENSES_DEG: Final = (47.0, 102.0)
"""Between which angles across the lenses of other cameras lie."""
PICTURE_PX: Final = (1536, 864)
TALLEST: Final = 6
EDGE_MM: Final = 25.0
"""What must be in view around the tiles' centres."""


def random_camera(random: Random, kind: Kind) -> Scene:
    """Return where a camera stands that has the whole mat in view."""
    while True:
        tilt, side = math.radians(random.uniform(2, 32)), random.uniform(0, 360)
        distance = random.uniform(590, 720)
        middle = kind.mat / 2
        x, y = random.normal(middle, 12, 2)
        aim = np.array([x, y, 20.0])
        away = math.sin(tilt) * distance
        out = [math.cos(math.radians(side)), math.sin(math.radians(side))]
        stands = aim + np.array([away * out[0], away * out[1], math.cos(tilt) * distance])
        # The picture's bottom edge is towards the camera's foot, or any other way, as mounted.
        camera = {
            "stands": [float(at) for at in stands],
            "aim": [float(at) for at in aim],
            "roll_deg": float(random.choice([0, 0, 0, 90, 180, 270]) + random.normal(0, 2)),
        }
        if _all_in_view(camera, kind):
            return camera


def focal_px(camera: Scene) -> float:
    """Return the focal length by which *camera* shows a rendered picture, in pixels."""
    hfov_deg = camera.get("hfov_deg", HFOV_DEG)
    return PICTURE_PX[0] / 2 / math.tan(math.radians(hfov_deg / 2))


def projection(camera: Scene) -> NDArray[np.float64]:
    """Return the 3 x 4 matrix from the table (mm, z up) to pixels of a rendered picture.

    A pixel's middle has whole coordinates, as OpenCV counts and `pose.camera_matrix` does.
    """
    stands, aim = np.array(camera["stands"]), np.array(camera["aim"])
    # x right and y down make z point into the table, so heights are negative along it.
    forward = (aim - stands) * [1, 1, -1]
    forward /= np.linalg.norm(forward)
    down = np.array([0.0, 1.0, 0.0]) - forward * forward[1]
    down /= np.linalg.norm(down)
    right = np.cross(down, forward)
    angle = math.radians(camera["roll_deg"])
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    right, down = turn @ np.stack([right, down])
    rotation = np.stack([right, down, forward])
    width, height = PICTURE_PX
    focal = focal_px(camera)
    inner = np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1.0]])
    outer = np.column_stack([rotation, -rotation @ (stands * [1, 1, -1])])
    return np.asarray(inner @ outer @ np.diag([1.0, 1.0, -1.0, 1.0]))


def project(matrix: NDArray[np.float64], points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the pixels (n, 2) at which *points* (n, 3) of the table appear."""
    flat = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    return np.asarray(flat[:, :2] / flat[:, 2:])


def _corners(kind: Kind) -> NDArray[np.float64]:
    low, high = -EDGE_MM, kind.mat + EDGE_MM
    return np.array([(x, y, 0.0) for x in (low, high) for y in (low, high)])


def _all_in_view(camera: Scene, kind: Kind) -> bool:
    pixels = project(projection(camera), _corners(kind))
    return bool(np.all((pixels > 6) & (pixels < np.array(PICTURE_PX) - 6)))


def random_lights(random: Random) -> Scene:
    """Return lamps and a sky: windows, soft boxes, the sun, or a few bulbs.

    In a room with dark walls shadows are black, and as easily taken for a column as they are long.
    """
    lamps = []
    mode = random.choice(["window", "softbox", "sun", "bulbs"])
    ambient = math.exp(random.uniform(math.log(0.02), math.log(0.8)))
    count = {"window": 2, "softbox": 1, "sun": 1, "bulbs": int(random.integers(1, 4))}[str(mode)]
    for index in range(count):
        elevation = random.uniform(25, 80)
        size = {"window": 950.0 if index == 0 else 250.0, "softbox": random.uniform(300, 700)}.get(
            str(mode), random.uniform(40, 200)
        )
        lamps.append(
            {
                "sun": bool(mode == "sun"),
                "size": float(size),
                "spread_deg": float(random.uniform(0.5, 3)),
                "elevation_deg": float(elevation),
                "azimuth_deg": float(random.uniform(0, 360)),
                "kelvin": float(random.uniform(2800, 7000)),
                "strength": float(random.uniform(0.3, 1.0) if index else 1.0),
            }
        )
    return {"lamps": lamps, "ambient": float(ambient), "exposure": float(random.normal(0, 0.25))}


def random_paints(random: Random, kind: Kind) -> list[Scene]:
    """Return the looks of each player's pieces: plain paints far enough apart to be played with."""
    hues = (45, 215) if kind is TACTIKI else (335, 48, 215, 140)
    turn = random.uniform(0, 360) if random.random() < 0.5 else 0.0
    # The pieces of half of all sets are as smooth as pegs: nothing parts one from the next.
    seam = random.uniform(0, 1) if random.random() < 0.5 else random.uniform(0, 0.15)
    paints = []
    for hue in hues:
        own = hue + turn + random.normal(0, 7)
        body = hue_colour(own, random.uniform(0.55, 0.98), random.uniform(0.45, 0.98))
        paints.append(
            {
                "body": body,
                "dim": float(random.uniform(0.75, 1.0)),
                "band": body if random.random() < 0.5 else _like(random, own),
                "head": body if random.random() < 0.4 else _like(random, own),
                "ink": random_hue(random, (0.0, 1.0), (0.0, 1.0)),
                "roughness": float(random.uniform(0.25, 0.8)),
                "seam": float(seam),
                "lobes": int(random.choice([0, 6, 8, 12, 14, 16])),
                "bulge": float(random.uniform(0.0, 0.12)),
                "fluted": bool(random.random() < 0.5),
                "dots": _random_dots(random),
                "rays": _random_rays(random),
                "face": _random_face(random),
                "waist": float(random.uniform(-0.06, 0.06)),
                "brim": float(random.uniform(0.0, 0.08)),
                "dome": float(random.uniform(0.55, 0.8)),
                "broad": float(random.uniform(0.85, 1.0)),
                "rim": float(random.uniform(0.6, 0.9)),
                "groove": float(random.choice([0.0, random.uniform(-0.8, 0.8)])),
                "bevel": float(random.uniform(0.3, 1.8)),
            }
        )
    return paints


def _like(random: Random, hue_deg: float) -> Colour:
    """Return a colour that goes with a hue."""
    own = hue_deg - random.uniform(0, 25)
    return hue_colour(own, random.uniform(0.3, 0.98), random.uniform(0.5, 1.0))


def _random_dots(random: Random) -> Scene | None:
    """Return how many dots stand around a figure and how large they are, or None."""
    if random.random() > 0.4:
        return None
    return {"around": int(random.integers(5, 13)), "radius": float(random.uniform(0.8, 2.4))}


def _random_rays(random: Random) -> Scene | None:
    """Return how many rays a figure's top has and from which share of its radius, or None."""
    if random.random() > 0.35:
        return None
    return {"around": int(random.integers(7, 17)), "from": float(random.uniform(0.4, 0.8))}


def _random_face(random: Random) -> Scene:
    """Return how large a face is, and whether its eyes have whites and it has a mouth."""
    return {
        "size": float(random.uniform(0.7, 1.8)),
        "whites": bool(random.random() < 0.75),
        "mouth": bool(random.random() < 0.7),
    }


def random_columns(random: Random, kind: Kind, paints: int) -> list[Scene]:
    """Return the columns on the 25 spots: where each piece stands, from the bottom up."""
    columns = []
    share = random.uniform(0.45, 0.95)
    for index in range(25):
        row, column = divmod(index, 5)
        x, y = (kind.pitch_xy * (at - 2) for at in (column, row))
        height = int(random.integers(1, TALLEST + 1)) if random.random() < share else 0
        if height > 4 and random.random() < 0.5:
            height = int(random.integers(1, 4))
        at = np.array([x, y]) + np.clip(random.normal(0, kind.astray, 2), -5, 5)
        same = random.random() < 0.35
        paint = int(random.integers(paints))
        pieces = []
        for level in range(height):
            if level:
                at = at + np.clip(random.normal(0, kind.stray, 2), -1.6, 1.6)
            if not same:
                paint = int(random.integers(paints))
            pieces.append(
                {
                    "paint": paint,
                    "x": float(at[0]),
                    "y": float(at[1]),
                    "z": float(level * kind.pitch_z),
                    "turn_deg": float(random.uniform(0, 360)),
                    "lean_deg": [float(angle) for angle in random.normal(0, 0.5, 2)],
                }
            )
        columns.append({"spot": index, "pieces": pieces})
    return columns


def random_hand(random: Random, kind: Kind) -> Scene | None:
    """Return an arm that reaches over the board, or over its edge, or None."""
    if random.random() > 0.3:
        return None
    middle = kind.mat / 2
    tip = np.array(
        [
            *(middle + random.uniform(-1, 1, 2) * kind.board * 0.6),
            kind.floor_z + random.uniform(25, 130),
        ]
    )
    skin = hue_colour(random.uniform(8, 30), random.uniform(0.25, 0.65), random.uniform(0.25, 0.95))
    return {
        "skin": skin,
        "sleeve": random_hue(random, (0.0, 0.9), (0.05, 0.95)),
        "limbs": hand_limbs(random, tip),
        "holds": _held_piece(random, tip) if random.random() < 0.7 else None,
    }


def _held_piece(random: Random, tip: NDArray[np.float64]) -> Scene:
    """Return a piece between the fingers."""
    return {
        "paint": int(random.integers(2)),
        "at": [float(at) for at in tip - [0.0, 0.0, 8.0]],
        "lean_deg": [float(angle) for angle in random.normal(0, 20, 2)],
    }


def hand_limbs(random: Random, tip: NDArray[np.float64], angle: float | None = None) -> list[Scene]:
    """Return an arm, palm and fingers as tapering limbs with round ends.

    angle: the way from the fingers to the elbow, from the table's x towards its y; any if None.
    """
    angle = random.uniform(0, 2 * math.pi) if angle is None else angle
    size = random.uniform(0.75, 1.15)
    along = np.array([math.cos(angle), math.sin(angle), 0.0])
    across, up = np.array([-along[1], along[0], 0.0]), np.array([0.0, 0.0, 1.0])
    palm = tip + size * (85 * along + 22 * up)
    limbs = []

    def stretch(start: Any, end: Any, thick: float, thin: float, sleeve: bool = False) -> None:
        limbs.append(
            {
                "start": [float(at) for at in start],
                "end": [float(at) for at in end],
                "thick": thick * size,
                "thin": thin * size,
                "sleeve": sleeve,
            }
        )

    for side in (-1.2, 0.0, 1.2):
        root = palm + size * (side * 16 * across)
        stretch(root - size * 34 * along, root + size * (34 * along - side * 6 * across), 15, 16)
    spread = random.uniform(0.2, 1.0)
    for finger in range(5):
        root = palm + size * (-38 * along + 16 * (finger - 2) * across)
        if finger == 0:
            root = palm - size * (10 * along + 38 * across)
        end = tip + size * (15 * spread * (finger - 2) * across + 7 * abs(finger - 2) * along)
        middle = (root + end) / 2 + size * 14 * up
        stretch(root, middle, 9.5, 8.5)
        stretch(middle, end, 8.5, 7.0)
    wrist = palm + size * (45 * along + 8 * up)
    cuff = wrist + size * random.uniform(18, 66) * along
    stretch(wrist, cuff, 26, 27)
    stretch(cuff, cuff + size * (420 * along + 90 * up), 36, 48, sleeve=True)
    return limbs


def random_scene(random: Random, kind: Kind, folder: Path, name: str) -> Scene:
    """Return a scene, its prints drawn into *folder*."""
    prints = {
        "table": draw_ground(
            random, TABLE_PX, random_hue(random, (0.0, 0.6), (0.15, 0.95)), random.uniform(0, 0.15)
        ),
        "board": (draw_fields if kind is TACTIKI else draw_balance)(random, kind),
    }
    for part, picture in prints.items():
        cv2.imwrite(str(folder / f"{name}-{part}.jpg"), picture)
    paints = random_paints(random, kind)
    return {
        "name": name,
        "game": kind.name,
        "camera": random_camera(random, kind),
        "lights": random_lights(random),
        "paints": paints,
        "columns": random_columns(random, kind, len(paints)),
        "hand": random_hand(random, kind),
        "tiles": [
            {
                "number": kind.first_marker + index,
                "x": float(x * kind.mat + np.clip(random.normal(0, 0.5), -1, 1)),
                "y": float(y * kind.mat + np.clip(random.normal(0, 0.5), -1, 1)),
                "turn_deg": float(np.clip(random.normal(0, 1), -2, 2)),
            }
            for index, (x, y) in enumerate(((0, 0), (1, 0), (1, 1), (0, 1)))
        ],
        "board": {
            "turn_deg": float(random.normal(0, 2))
            if kind is TOPPLE
            else float(random.normal(0, 0.3)),
            "tilt_deg": float(random.uniform(0, 4.5)) if kind is TOPPLE else 0.0,
            "towards_deg": float(random.uniform(0, 360)),
            "dx": float(random.normal(0, 1.5 if kind is TOPPLE else 0.5)),
            "dy": float(random.normal(0, 1.5 if kind is TOPPLE else 0.5)),
            "shine": float(random.uniform(0.3, 0.9)),
        },
    }


def prepare_folder(folder: Path, kind: Kind) -> None:
    """Make *folder*, with pictures of the corner tiles that all its scenes share."""
    folder.mkdir(parents=True, exist_ok=True)
    write_tiles(folder, range(kind.first_marker, kind.first_marker + TILES_PER_MAT))


def main() -> None:
    """Write scenes and their prints into a folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=KINDS)
    parser.add_argument("folder", type=Path)
    parser.add_argument("count", type=int)
    parser.add_argument("--first", type=int, default=0, help="the same number draws the same scene")
    given = parser.parse_args()
    kind, folder = KINDS[given.game], given.folder / given.game
    prepare_folder(folder, kind)
    for index in range(given.first, given.first + given.count):
        random = np.random.default_rng([index, len(kind.name)])
        scene = random_scene(random, kind, folder, f"{index:04d}")
        (folder / f"{scene['name']}.json").write_text(json.dumps(scene), "utf-8")


if __name__ == "__main__":
    main()
