"""Describe random tables with columns of pieces, for a path tracer to render and a network to learn.

Everything is drawn here from lines, circles and noise, so that what is trained on it may ship. One
scene is a plain JSON object; lengths are in mm of the table's frame (x right, y down, z up).
"""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

Random: TypeAlias = np.random.Generator
Scene: TypeAlias = dict[str, Any]
Print: TypeAlias = NDArray[np.uint8]
Colour: TypeAlias = tuple[float, float, float]
"""Red, green, blue from 0 to 1, as printed."""

PX_PER_MM: Final = 4
TABLE_MM: Final = 1400
TABLE_PX: Final = 700
HFOV_DEG: Final = 66.0
PICTURE_PX: Final = (1536, 864)
TALLEST: Final = 6
MARKERS: Final = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
MARKER_MM: Final = 40.0
TILE_MM: Final = 50.0
EDGE_MM: Final = 25.0
"""What of the table is rendered around the tiles' centres."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What a game's table looks like, all in mm.

    mat: the side of the square between the tiles' centres.  floor_z: where the columns stand.
    astray, stray: how far a column stands from its spot, and a piece from the one below it.
    """

    name: str
    mat: float
    first_marker: int
    board: float
    floor_z: float
    pitch_xy: float
    pitch_z: float
    height: float
    radius: float
    astray: float
    stray: float


TACTIKI: Final = Kind("tactiki", 340, 4, 296, 3.0, 60, 16.0, 22.0, 13.0, 2.0, 0.5)
TOPPLE: Final = Kind("topple", 360, 8, 208, 90.0, 36, 8.0, 8.0, 11.0, 1.2, 0.6)
KINDS: Final = {kind.name: kind for kind in (TACTIKI, TOPPLE)}


def random_hue(random: Random, saturation: tuple[float, float], value: tuple[float, float]) -> Colour:
    """Return a colour of any hue."""
    return hue_colour(random.uniform(0, 360), random.uniform(*saturation), random.uniform(*value))


def hue_colour(hue_deg: float, saturation: float, value: float) -> Colour:
    """Return the colour with this hue, saturation and value."""
    pixel = np.array([[[hue_deg % 360, saturation, value]]], np.float32)
    red, green, blue = cv2.cvtColor(pixel, cv2.COLOR_HSV2RGB)[0, 0]
    return float(red), float(green), float(blue)


def _level(colour: Colour) -> tuple[int, int, int]:
    """Return *colour* as OpenCV draws it."""
    red, green, blue = (round(255 * min(1.0, max(0.0, part))) for part in colour)
    return blue, green, red


def draw_ground(random: Random, size_px: int, colour: Colour, rough: float) -> Print:
    """Return a square of wood, cloth or stone of about this *colour*."""
    noise = np.zeros((size_px, size_px), np.float32)
    stretch = float(random.choice([1.0, 1.0, 6.0, 20.0]))
    for octave in (6, 14, 34, 80, 190):
        wide = max(2, round(octave / stretch))
        grain = random.normal(0, 1, (octave, wide)).astype(np.float32)
        noise += cv2.resize(grain, (size_px, size_px), interpolation=cv2.INTER_CUBIC) / 2.2
    if random.random() < 0.5:
        noise = noise.T
    picture = np.array(_level(colour), np.float32) * (1.0 + rough * noise[..., None])
    tint = random.normal(0, 0.25 * rough, 3).astype(np.float32)
    return np.ascontiguousarray(np.clip(picture * (1.0 + tint * noise[..., None]), 0, 255), np.uint8)


def draw_tile(number: int) -> Print:
    """Return a corner tile with marker *number*."""
    side = round(TILE_MM * PX_PER_MM)
    inner = round(MARKER_MM * PX_PER_MM)
    tile = np.full((side, side, 3), 240, np.uint8)
    edge = (side - inner) // 2
    marker = cv2.aruco.generateImageMarker(MARKERS, number, inner)
    tile[edge : edge + inner, edge : edge + inner] = np.maximum(marker, 18)[..., None]
    return tile


def draw_fields(random: Random, kind: Kind) -> Print:
    """Return a printed board with 5 x 5 square fields, as TacTiki has."""
    side = round(kind.board * PX_PER_MM)
    hue = random.uniform(0, 360)
    base = hue_colour(hue, random.uniform(0, 0.6), random.uniform(0.3, 0.85))
    picture = draw_ground(random, side, base, random.uniform(0, 0.06))
    tones = [
        hue_colour(hue + random.normal(0, 15), random.uniform(0.05, 0.65), random.uniform(0.25, 0.9))
        for _ in range(2)
    ]
    ink = _level(tuple(part * random.uniform(0.3, 0.7) for part in base))  # type: ignore[arg-type]
    half = random.uniform(24, 29)
    for index in range(25):
        row, column = divmod(index, 5)
        x, y = ((kind.board / 2 + kind.pitch_xy * (at - 2)) * PX_PER_MM for at in (column, row))
        tone = _level(tones[(row + column) % 2])
        low, high = (int(x - half * PX_PER_MM), int(y - half * PX_PER_MM)), (
            int(x + half * PX_PER_MM),
            int(y + half * PX_PER_MM),
        )
        cv2.rectangle(picture, low, high, tone, cv2.FILLED)
        if random.random() < 0.9:
            cv2.rectangle(picture, low, high, ink, int(random.integers(1, 6)))
        for _ in range(int(random.integers(0, 5))):
            radius = int(random.uniform(5, 22) * PX_PER_MM)
            turn = random.uniform(0, 360)
            cv2.ellipse(
                picture, (int(x), int(y)), (radius, radius), turn, 0, random.uniform(60, 330), ink,
                int(random.integers(1, 5)), cv2.LINE_AA,
            )
    return picture


def draw_balance(random: Random, kind: Kind) -> Print:
    """Return a balance board with 5 x 5 round spots and markers in its corners, as Topple has."""
    side = round(kind.board * PX_PER_MM)
    base = random_hue(random, (0.0, 0.7), (0.15, 0.9))
    if random.random() < 0.3:
        base = hue_colour(random.uniform(20, 45), random.uniform(0.3, 0.7), random.uniform(0.4, 0.85))
    picture = draw_ground(random, side, base, random.uniform(0, 0.15))
    ink = _level(random_hue(random, (0.0, 0.5), (0.0, 1.0)))
    filled, radius = random.random() < 0.5, random.uniform(11.5, 14.5)
    fill = _level(random_hue(random, (0.0, 0.5), (0.1, 0.95)))
    for index in range(25):
        row, column = divmod(index, 5)
        x, y = (
            int((kind.board / 2 + kind.pitch_xy * (at - 2)) * PX_PER_MM) for at in (column, row)
        )
        size = int(radius * PX_PER_MM)
        if filled:
            cv2.circle(picture, (x, y), size, fill, cv2.FILLED, cv2.LINE_AA)
        cv2.circle(picture, (x, y), size, ink, int(random.integers(1, 5)), cv2.LINE_AA)
        if random.random() < 0.8:
            level = str(max(abs(row - 2), abs(column - 2)))
            cv2.putText(picture, "+" + level, (x - 20, y + 10), cv2.FONT_HERSHEY_SIMPLEX, 1, ink, 3)
    for number, (x, y) in enumerate(((0, 0), (1, 0), (1, 1), (0, 1))):
        marker = cv2.aruco.generateImageMarker(MARKERS, 40 + number, 16 * PX_PER_MM)
        paper = np.full((20 * PX_PER_MM, 20 * PX_PER_MM, 3), 240, np.uint8)
        edge = 2 * PX_PER_MM
        paper[edge:-edge, edge:-edge] = np.maximum(marker, 18)[..., None]
        left, top = (
            round((1.0 + at * (kind.board - 22.0)) * PX_PER_MM) for at in (x, y)
        )
        picture[top : top + len(paper), left : left + len(paper)] = paper
    return picture


def random_camera(random: Random, kind: Kind) -> Scene:
    """Return where a camera stands that has the whole mat in view."""
    while True:
        tilt, side = math.radians(random.uniform(3, 34)), random.uniform(0, 360)
        distance = random.uniform(590, 720)
        middle = kind.mat / 2
        aim = np.array([middle, middle, 20.0]) + [*random.normal(0, 12, 2), 0.0]
        away = math.sin(tilt) * distance
        stands = aim + [
            away * math.cos(math.radians(side)),
            away * math.sin(math.radians(side)),
            math.cos(tilt) * distance,
        ]
        # The picture's bottom edge is towards the camera's foot, or any other way, as mounted.
        camera = {
            "stands": [float(at) for at in stands],
            "aim": [float(at) for at in aim],
            "roll_deg": float(random.choice([0, 0, 0, 90, 180, 270]) + random.normal(0, 2)),
        }
        if _all_in_view(camera, kind):
            return camera


def projection(camera: Scene) -> NDArray[np.float64]:
    """Return the 3 x 4 matrix from the table (mm, z up) to pixels of a rendered picture."""
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
    focal = width / 2 / math.tan(math.radians(HFOV_DEG / 2))
    inner = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1.0]])
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
    """Return lamps and a sky: windows, soft boxes, the sun, or a few bulbs."""
    lamps = []
    mode = random.choice(["window", "softbox", "sun", "bulbs"])
    ambient = random.uniform(0.1, 0.8)
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
    paints = []
    for hue in hues:
        own = hue + turn + random.normal(0, 7)
        paints.append(
            {
                "body": hue_colour(own, random.uniform(0.55, 0.98), random.uniform(0.45, 0.98)),
                "band": hue_colour(own - random.uniform(0, 25), random.uniform(0.5, 0.98), random.uniform(0.5, 1)),
                "head": hue_colour(own, random.uniform(0.3, 0.95), random.uniform(0.5, 1.0)),
                "roughness": float(random.uniform(0.25, 0.8)),
                "lobes": int(random.choice([0, 6, 8, 12, 14, 16])),
                "bulge": float(random.uniform(0.0, 0.09)),
                "dotted": bool(random.random() < 0.4),
                "waist": float(random.uniform(-0.06, 0.06)),
                "brim": float(random.uniform(0.0, 0.08)),
                "dome": float(random.uniform(0.55, 0.8)),
                "rim": float(random.uniform(0.6, 0.9)),
                "groove": float(random.choice([0.0, random.uniform(-0.8, 0.8)])),
                "bevel": float(random.uniform(0.3, 1.3)),
            }
        )
    return paints


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
        "limbs": _hand_limbs(random, tip),
        "holds": _held_piece(random, tip) if random.random() < 0.7 else None,
    }


def _held_piece(random: Random, tip: NDArray[np.float64]) -> Scene:
    """Return a piece between the fingers."""
    return {
        "paint": int(random.integers(2)),
        "at": [float(at) for at in tip - [0.0, 0.0, 8.0]],
        "lean_deg": [float(angle) for angle in random.normal(0, 20, 2)],
    }


def _hand_limbs(random: Random, tip: NDArray[np.float64]) -> list[Scene]:
    """Return an arm, palm and fingers as tapering limbs with round ends."""
    angle, size = random.uniform(0, 2 * math.pi), random.uniform(0.75, 1.15)
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
            "turn_deg": float(random.normal(0, 2)) if kind is TOPPLE else float(random.normal(0, 0.3)),
            "tilt_deg": float(random.uniform(0, 4.5)) if kind is TOPPLE else 0.0,
            "towards_deg": float(random.uniform(0, 360)),
            "dx": float(random.normal(0, 1.5 if kind is TOPPLE else 0.5)),
            "dy": float(random.normal(0, 1.5 if kind is TOPPLE else 0.5)),
            "shine": float(random.uniform(0.3, 0.9)),
        },
    }
