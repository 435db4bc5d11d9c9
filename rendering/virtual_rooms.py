"""The rooms in which a browser draws whole games: what the homes of people who play are like."""

import math
from typing import Any, Final, TypeAlias

import msgspec
import numpy as np

from companion.apps.virtual.room import Room as Settings
from companion.table.readers import reader_setup_of
from rendering.prints import Random
from rendering.room import all_in_view
from rendering.scenes import HFOV_DEG, Scene
from vision.geometry.layout import Mat

Room: TypeAlias = dict[str, Any]
"""The settings of a room, as the virtual table's page has them."""

LENSES_DEG: Final = (52.0, 80.0)
DISTANCE_MM: Final = (480.0, 700.0)
"""Of a camera whose lens has the usual angle; others stand nearer or further away."""
GROUNDS: Final = ("wood", "cloth", "white", "dark")
SIZES_PX: Final = ((960, 540), (1280, 720), (1536, 864))
SLEEVED: Final = 0.15
"""How many homes have their cards in sleeves."""


def usual_room(game: str) -> Room:
    """Return the room that nobody has changed, but for a camera that stands where *game* wants it.

    Nothing else differs from the page's.
    """
    room: Room = msgspec.to_builtins(Settings())
    slants = reader_setup_of(game).slants
    if room["camera_tilt"] < slants.least:
        room["camera_tilt"] = float(sum(slants.best) / 2)
    return room


def random_room(random: Random, game: str, mat: Mat) -> Room:
    """Return an ordinary home, its camera where the instructions of *game* want it."""
    return {
        "light": round(math.exp(random.uniform(math.log(0.6), math.log(1.4))), 2),
        "kelvin": round(float(random.uniform(2700, 6500))),
        "lamp_side": round(float(random.uniform(0, 360))),
        "lamp_height": round(float(random.uniform(30, 75))),
        "shadow": round(float(random.uniform(0.0, 1.0)), 2),
        "blur": round(float(random.uniform(0.3, 1.0)), 2),
        "noise": round(float(random.uniform(1.0, 4.0)), 1),
        "quality": int(random.integers(80, 93)),
        "cups": int(random.integers(0, 4)),
        "sleeves": bool(random.random() < SLEEVED),
        "ground": str(random.choice(np.array(GROUNDS))),
        **_random_camera(random, game, mat),
    }


def _random_camera(random: Random, game: str, mat: Mat) -> Room:
    """Return a camera that has all tiles in view, from as far aside as the game is read best.

    Its picture is the smallest that set-up accepts.
    """
    hfov = round(float(random.uniform(*LENSES_DEG)), 1)
    nearer = math.tan(math.radians(HFOV_DEG / 2)) / math.tan(math.radians(hfov / 2))
    setup = reader_setup_of(game)
    low, high = setup.slants.best
    while True:
        tilt = float(random.uniform(max(low, 2), high - 2))
        side = float(random.choice([0, 180, 180, 180]) + random.normal(0, 12))
        room = {
            "hfov": hfov,
            "camera_height": round(float(random.uniform(*DISTANCE_MM) * nearer)),
            "camera_tilt": round(tilt, 1),
            "camera_side": round(side % 360, 1),
            "roll": round(float(random.normal(0, 3)), 1),
        }
        distance = room["camera_height"] / math.cos(math.radians(tilt))
        wide = 2 * math.tan(math.radians(hfov / 2)) * distance * setup.px_per_mm
        fine = [size for size in SIZES_PX if size[0] >= wide]
        if fine and all_in_view(camera_of(room, mat), mat):
            width, height = fine[0]
            return {**room, "width": width, "height": height}


def camera_of(room: Room, mat: Mat) -> Scene:
    """Return the camera of *room* as `rendering.scenes.projection` takes it.

    It stands `camera_height` mm above the mat's middle and looks there, its picture upright for
    whoever stands where it does.
    """
    side = math.radians(room["camera_side"])
    height = float(room["camera_height"])
    away = height * math.tan(math.radians(room["camera_tilt"]))
    x, y = mat.width / 2, mat.height / 2
    return {
        "stands": [x + away * math.sin(side), y - away * math.cos(side), height],
        "aim": [x, y, 0.0],
        "roll_deg": 180.0 - math.degrees(side) - float(room["roll"]),
        "hfov_deg": float(room["hfov"]),
    }
