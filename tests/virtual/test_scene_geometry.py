"""The virtual camera's pictures are those of the camera that was asked for, to parts of a pixel."""

import math
from collections.abc import Iterator
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.apps.virtual.laying import snapshot_of
from companion.apps.virtual.room import USUAL, changed
from companion.table.readers import usual_table
from rendering.virtual_browser import STATIC
from tests.virtual.drawing import draw_frame, drawing_page
from tests.virtual.random_tables import TEACHING

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

MOST_PX: Final = 0.3
REACH_PX: Final = 3.0
PAPER_MM: Final = 0.05
GAMMA: Final = 1.5
"""Between grey levels, by whose middle people find edges, and light, which a lens blurs."""
GAME: Final = "uno_tiki"
"""Its tiles lie flat on the table, and nothing near them."""


@pytest.fixture
def page(browser: "Browser") -> "Iterator[Page]":
    """Return a page that can draw."""
    with drawing_page(browser) as found:
        yield found


def stand(room: dict[str, Any], mat: dict[str, Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the rotation (3, 3) and the place of the camera, as `room` asks for it.

    In the table's frame with z downwards, which is right-handed, as OpenCV wants it.
    """
    side, tilt = math.radians(room["camera_side"]), math.radians(room["camera_tilt"])
    towards = np.array([math.sin(side), -math.cos(side), 0.0])
    aim = np.array([mat["width"] / 2, mat["height"] / 2, 0.0])
    height = room["camera_height"]
    place = aim + towards * height * math.tan(tilt) + [0, 0, -height]
    ahead = (aim - place) / np.linalg.norm(aim - place)
    down = towards - ahead * (towards @ ahead)
    down /= np.linalg.norm(down)
    axes = np.stack([np.cross(down, ahead), down, ahead])
    roll = math.radians(room["roll"])
    turn = np.array([[math.cos(roll), math.sin(roll)], [-math.sin(roll), math.cos(roll)]])
    axes[:2] = turn @ axes[:2]
    dx, dy, turned = room["bump"]
    angle = math.radians(turned)
    about = np.array(
        [[math.cos(angle), -math.sin(angle), 0], [math.sin(angle), math.cos(angle), 0], [0, 0, 1]]
    )
    return axes @ about.T, place + np.array([dx, dy, 0.0])


CAMERAS: Final[dict[str, dict[str, Any]]] = {
    "usual": {},
    "barrel": {"k1": -0.1},
    "from the right": {"k1": 0.08, "camera_side": 70.0, "camera_height": 760.0},
    "wide and rolled": {"hfov": 80.0, "k1": -0.1, "camera_tilt": 5.0, "roll": 12.0},
    "bumped": {"bump": (9.0, -6.0, 3.0), "tile_scale": 0.97},
}


def test_tiles_are_seen_where_opencv_projects_them(page: "Page") -> None:
    """Places, lens and pixel centres are OpenCV's, wherever the camera stands."""
    for name, changes in CAMERAS.items():
        off_px = measure_px(page, changes)
        assert off_px < MOST_PX, (name, off_px)


def measure_px(page: "Page", changes: dict[str, Any]) -> float:
    """Return by how many pixels any side of a tile is off, at most."""
    room = changed(USUAL, {"noise": 1.0, "quality": 95, **changes})
    snapshot = snapshot_of(GAME, TEACHING[GAME], room)
    picture = draw_frame(page, snapshot).picture
    assert picture.shape == (room.height, room.width, 3)
    mat = dict(usual_table(GAME)["mat"])
    axes, place = stand(snapshot["room"], mat)
    focal = room.width / 2 / math.tan(math.radians(room.hfov) / 2)
    inner = np.array(
        [[focal, 0, (room.width - 1) / 2], [0, focal, (room.height - 1) / 2], [0, 0, 1.0]]
    )
    rotation, _ = cv2.Rodrigues(axes)
    light = ((cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY) / 255.0) ** GAMMA).astype(np.float32)
    found = []
    for points in tile_sides(mat, room.tile_scale):
        pixels, _ = cv2.projectPoints(
            points, rotation, -axes @ place, inner, np.array([room.k1, 0.0, 0.0, 0.0])
        )
        found.append(abs(off_edge(light, pixels[:, 0])))
    assert len(found) == 4 * len(mat["marker_ids"])
    return max(found)


def off_edge(light: NDArray[np.float32], line: NDArray[Any]) -> float:
    """Return by how many pixels the edge along *line* (n, 2) is off to its side, in the mean.

    Where the light is half way from the dark side's to the bright one's.
    """
    assert ((line > REACH_PX) & (line < np.array(light.shape[::-1]) - REACH_PX)).all()
    along = line[-1] - line[0]
    out = np.array([along[1], -along[0]]) / np.linalg.norm(along)
    steps = np.linspace(-REACH_PX, REACH_PX, 61)
    places = (line[:, None] + steps[:, None] * out).astype(np.float32)
    across, down = places[..., 0], places[..., 1]
    profile = np.asarray(cv2.remap(light, across, down, cv2.INTER_LINEAR)).mean(axis=0)
    share = (profile - profile[0]) / (profile[-1] - profile[0])
    assert profile[-1] > profile[0] + 0.3, "the tile is bright outside and dark inside"
    return float(np.interp(0.5, share, steps))


def tile_sides(mat: dict[str, Any], scale: float) -> Iterator[NDArray[Any]]:
    """Yield points (n, 3) along each side of each tile's marker, clockwise, without its ends."""
    half = mat["marker_mm"] * scale / 2
    ends = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
    shares = np.linspace(0.2, 0.8, 25)[:, None]
    for place in ((0, 0), (mat["width"], 0), (mat["width"], mat["height"]), (0, mat["height"])):
        for start, end in zip(ends, np.roll(ends, -1, axis=0), strict=True):
            flat = place + start + shares * (end - start)
            yield np.column_stack([flat, np.full(len(flat), -PAPER_MM)])


def test_markers_are_those_of_opencv(page: "Page") -> None:
    """All 50 markers have the cells that OpenCV draws."""
    found = page.evaluate(
        """async () => {
          const { DICT_4X4_50, isWhite } = await import("/markers.js");
          const cells = [0, 1, 2, 3, 4, 5];
          return DICT_4X4_50.map((_, number) => cells.map(
            (row) => cells.map((column) => isWhite(number, row, column))));
        }"""
    )
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    assert len(found) == len(dictionary.bytesList)
    for number, cells in enumerate(found):
        wanted = cv2.aruco.generateImageMarker(dictionary, number, 6) > 127
        assert (np.array(cells) == wanted).all(), number


def test_usual_room_is_the_same_in_both_languages(page: "Page") -> None:
    """A page begins with the room that the companion begins with."""
    room = page.evaluate('async () => (await import("/room.js")).ROOM')
    usual = {name: getattr(USUAL, name) for name in USUAL.__struct_fields__}
    assert room == {**usual, "bump": list(USUAL.bump)}


def test_three_is_as_npm_has_it() -> None:
    """What ships of three.js is what was published, with its licence."""
    folder = STATIC / "three"
    told, *hashes = (folder / "VERSION").read_text("utf-8").splitlines()
    assert told.startswith("three 0.187.0 from npm, unmodified")
    listed = {name: told for told, name in (line.split("  ") for line in hashes)}
    assert set(listed) == {each.name for each in folder.iterdir()} - {"VERSION"}
    for name, wanted in listed.items():
        assert sha256((folder / name).read_bytes()).hexdigest() == wanted, name
