"""What is around a game that is laid out on corner tiles: a camera, things lying about, hands."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rendering.art import draw_note, draw_playing_card
from rendering.patches import arm_mask
from rendering.prints import Random, hue_colour, random_hue
from rendering.props import (
    PLAYING_CARD_MM,
    Thing,
    coin,
    cup,
    die,
    pencil,
    phone,
    slab,
)
from rendering.scenes import HFOV_DEG, PICTURE_PX, Scene, hand_limbs, project, projection
from vision.geometry.layout import Mat

EDGE_PX: Final = 30
"""A bent lens moves the picture's corners by so much at most."""
TILE_MM: Final = 27.0
AROUND_MM: Final = 200.0
"""How far beyond the tiles things lie about."""
NOTE_MM: Final = (76.0, 76.0)
TRIES: Final = 80
COVERED: Final = 0.15
"""An arm is over a place if it hides this share of it."""
BESIDE_MM: Final = 22.0
"""So far from anything that counts an arm that rests on the table is beside the game."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A rectangle that counts: its middle, half its sides and its height, in mm."""

    x: float
    y: float
    half_w: float
    half_h: float
    z: float

    def corners(self, beyond: float = 0.0) -> NDArray[np.float64]:
        """Return its corners (4, 3), all *beyond* further out."""
        w, h = self.half_w + beyond, self.half_h + beyond
        ends = ((-w, -h), (w, -h), (w, h), (-w, h))
        return np.array([(self.x + dx, self.y + dy, self.z) for dx, dy in ends])

    def is_near(self, x: float, y: float, room: float) -> bool:
        """Return whether something of a radius of *room* mm at x, y would reach into it."""
        return abs(x - self.x) < self.half_w + room and abs(y - self.y) < self.half_h + room


def random_camera(random: Random, mat: Mat, hfov_deg: float = HFOV_DEG) -> Scene:
    """Return where a camera of *hfov_deg* stands, at any side, that has all tiles in view."""
    nearer = math.tan(math.radians(HFOV_DEG / 2)) / math.tan(math.radians(hfov_deg / 2))
    while True:
        tilt, side = math.radians(random.uniform(2, 26)), random.uniform(0, 2 * math.pi)
        distance = random.uniform(480, 700) * nearer
        x, y = np.array([mat.width, mat.height]) / 2 + random.normal(0, 14, 2)
        away = math.sin(tilt) * distance
        camera = {
            "stands": [
                float(x + away * math.cos(side)),
                float(y + away * math.sin(side)),
                float(15.0 + math.cos(tilt) * distance),
            ],
            "aim": [float(x), float(y), 15.0],
            "roll_deg": float(random.choice([0, 0, 90, 180, 180, 270]) + random.normal(0, 4)),
            "hfov_deg": hfov_deg,
        }
        if all_in_view(camera, mat):
            return camera


def all_in_view(camera: Scene, mat: Mat) -> bool:
    """Return whether *camera* has all tiles of *mat* in view."""
    ends = [
        (x + dx, y + dy, 0.0)
        for x, y in mat.centres
        for dx in (-TILE_MM, TILE_MM)
        for dy in (-TILE_MM, TILE_MM)
    ]
    pixels = project(projection(camera), np.array(ends))
    return bool(np.all((pixels > EDGE_PX) & (pixels < np.array(PICTURE_PX) - EDGE_PX)))


def random_tiles(random: Random, mat: Mat) -> list[Scene]:
    """Return the corner tiles, each up to a millimetre and two degrees off."""
    return [
        {
            "number": number,
            "x": float(x + np.clip(random.normal(0, 0.5), -1, 1)),
            "y": float(y + np.clip(random.normal(0, 0.5), -1, 1)),
            "turn_deg": float(np.clip(random.normal(0, 1), -2, 2)),
        }
        for number, (x, y) in zip(mat.marker_ids, mat.centres, strict=True)
    ]


def find_room(
    random: Random, mat: Mat, spots: Sequence[Spot], room: float
) -> tuple[float, float] | None:
    """Return a place beside the game and its tiles for a thing of a radius of *room* mm."""
    for _ in range(TRIES):
        x = float(random.uniform(-AROUND_MM, mat.width + AROUND_MM))
        y = float(random.uniform(-AROUND_MM, mat.height + AROUND_MM))
        near_tile = any(math.hypot(x - tx, y - ty) < 1.5 * TILE_MM + room for tx, ty in mat.centres)
        if not near_tile and not any(spot.is_near(x, y, room) for spot in spots):
            return x, y
    return None


def scatter(
    random: Random, mat: Mat, spots: Sequence[Spot], folder: Path, stem: str
) -> list[Thing]:
    """Return what lies about; prints are drawn into *folder*, their names beginning with *stem*."""
    cv2.imwrite(str(folder / f"{stem}-card.png"), draw_playing_card(random, PLAYING_CARD_MM))
    cv2.imwrite(str(folder / f"{stem}-note.png"), draw_note(random, NOTE_MM))

    def card(random: Random, at: tuple[float, float]) -> Thing:
        return slab(f"{stem}-card.png", PLAYING_CARD_MM, (*at, 0.0), random.uniform(0, 360))

    def note(random: Random, at: tuple[float, float]) -> Thing:
        turn = random.uniform(0, 360)
        return slab(f"{stem}-note.png", NOTE_MM, (*at, 0.0), turn, corner=0.5, shine=0.9)

    kinds: list[tuple[Callable[[Random, tuple[float, float]], Thing], float]] = [
        (coin, 14.0), (coin, 14.0), (die, 14.0), (cup, 75.0), (card, 56.0), (card, 56.0),
        (note, 56.0), (phone, 88.0), (pencil, 92.0),
    ]  # fmt: skip
    found: list[Thing] = []
    taken = list(spots)
    for at in random.permutation(len(kinds))[: int(random.integers(0, 7))]:
        make, room = kinds[int(at)]
        place = find_room(random, mat, taken, room)
        if place is not None:
            found.append(make(random, place))
            taken.append(Spot(*place, room, room, 0.0))
    return found


def reach_over(
    random: Random, camera: Scene, spots: Sequence[Spot], skin: dict[str, Any]
) -> tuple[Scene, NDArray[np.float64]]:
    """Return an arm that hides a part of one of *spots*, and where its fingers are (3,)."""
    while True:
        spot = spots[int(random.integers(len(spots)))]
        wander = random.uniform(-1, 1, 2) * [spot.half_w, spot.half_h]
        tip = np.array([spot.x, spot.y, spot.z + random.uniform(20, 90)])
        tip[:2] += wander
        arm = {**skin, "limbs": hand_limbs(random, tip), "holds": None}
        if max(hidden_shares(camera, arm, [each.corners() for each in spots])) > COVERED:
            return arm, tip


def rest_beside(
    random: Random,
    camera: Scene,
    mat: Mat,
    spots: Sequence[Spot],
    skin: dict[str, Any],
    elbow: float | None = None,
) -> Scene | None:
    """Return an arm that rests on the table and hides nothing of *spots*, or None.

    elbow: where it comes from, as `hand_limbs` takes it; from anywhere if None.
    """
    for _ in range(TRIES):
        x = float(random.uniform(-AROUND_MM / 2, mat.width + AROUND_MM / 2))
        y = float(random.uniform(-AROUND_MM / 2, mat.height + AROUND_MM / 2))
        tip = [x, y, 12.0]
        limbs = hand_limbs(random, np.array(tip), elbow)
        arm = {**skin, "limbs": limbs, "holds": None, "tip": tip}
        tiles = [Spot(*at, TILE_MM, TILE_MM, 0.0).corners() for at in mat.centres]
        around = [spot.corners(BESIDE_MM) for spot in spots]
        hidden = hidden_shares(camera, arm, [*around, *tiles])
        if max(hidden[: len(around)]) == 0.0 and sum(share > 0 for share in hidden) <= 1:
            return arm
    return None


def random_skin(random: Random) -> dict[str, Any]:
    """Return the colours of somebody's hand and sleeve."""
    skin = hue_colour(random.uniform(8, 30), random.uniform(0.25, 0.65), random.uniform(0.25, 0.95))
    return {"skin": skin, "sleeve": random_hue(random, (0.0, 0.9), (0.05, 0.95))}


def hidden_shares(camera: Scene, arm: Scene, places: Sequence[NDArray[np.float64]]) -> list[float]:
    """Return which share of each of *places* (corners, 3) an arm hides."""
    matrix = projection(camera)
    mask = arm_mask({"camera": camera, "hand": arm}, matrix)
    shares = []
    for corners in places:
        inside = np.zeros_like(mask)
        outline = np.clip(project(matrix, corners), -9000, 9000).round().astype(np.int32)
        cv2.fillConvexPoly(inside, outline, 1)
        shares.append(float((mask & inside).sum() / max(1, int(inside.sum()))))
    return shares
