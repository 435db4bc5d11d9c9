"""Strange tables of the flat games: what is described, and what becomes of it once rendered."""

import json
import os
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.recording import load_recording
from rendering.patches import arm_mask
from rendering.room import Spot, reach_over, rest_beside
from rendering.scenes import PICTURE_PX, Scene, project, projection
from rendering.sessions import KINDS, TABLES, FlatTable, develop_sessions, lay_sessions
from vision.capture.frame import load_frame
from vision.geometry.layout import TIKI_TOPPLE
from vision.geometry.marker_tracking import MarkerTracker
from vision.geometry.table_view import TableView

pytestmark = pytest.mark.slow

SHOTS = 1 + len(KINDS)
SKIN = {"skin": (0.8, 0.6, 0.5), "sleeve": (0.2, 0.2, 0.6)}
by_game = pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)


def scenes_of(folder: Path, table: FlatTable, count: int = 1, first: int = 0) -> list[Scene]:
    """Return what is described of *count* tables."""
    lay_sessions(table, folder, count, first)
    return [json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("????.json"))]


@by_game
def test_a_session_is_one_table_in_several_moments(tmp_path: Path, table: FlatTable) -> None:
    """One camera, one light, one set; the first teaches, and each other kind is there."""
    scenes = scenes_of(tmp_path, table, 2)
    assert len(scenes) == 2 * SHOTS
    first, *others = scenes[:SHOTS]
    assert first["kind"] == "calibration"
    assert first["truth"] == {"settled": True, **table.tell(table.known())}
    for other in others:
        assert all(other[same] == first[same] for same in ("camera", "lights", "tiles", "ground"))
        assert other["things"] != first["things"]
    assert {scene["kind"] for scene in others} == {"settled", "occluded", "moving"}
    assert scenes[SHOTS]["camera"] != first["camera"]


@by_game
def test_only_what_is_at_rest_has_a_truth(tmp_path: Path, table: FlatTable) -> None:
    """Under a hand there is nothing to read, and a hand there is."""
    for scene in scenes_of(tmp_path, table):
        busy = scene["kind"] in ("occluded", "moving")
        assert scene["truth"]["settled"] is not busy
        assert (len(scene["truth"]) == 1) is busy
        assert scene["hand"] if busy else True


@by_game
def test_all_prints_are_drawn(tmp_path: Path, table: FlatTable) -> None:
    """The renderer finds each print by its name."""
    for scene in scenes_of(tmp_path, table):
        assert (tmp_path / scene["ground"]).exists()
        for thing in scene["things"]:
            assert "print" not in thing or (tmp_path / thing["print"]).exists()


@by_game
def test_a_number_names_a_table(tmp_path: Path, table: FlatTable) -> None:
    """The third of three is the same as the only one with its number."""
    third = scenes_of(tmp_path / "three", table, 3)[2 * SHOTS :]
    assert third == scenes_of(tmp_path / "one", table, 1, first=2)


@by_game
def test_it_is_the_same_table_on_every_machine(tmp_path: Path, table: FlatTable) -> None:
    """Nothing hangs on the order of a set, which is another in each process."""
    laid = []
    for seed in ("1", "2"):
        words = ["-m", "rendering.sessions", "lay", table.name, str(tmp_path / seed), "1"]
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        subprocess.run([sys.executable, *words], env=environment, check=True, timeout=120)
        paths = sorted((tmp_path / seed / table.name).glob("????.json"))
        laid.append([path.read_text("utf-8") for path in paths])
    assert laid[0] == laid[1]


def test_the_renderers_camera_sees_all_tiles(tmp_path: Path) -> None:
    """With room for what a bent lens moves."""
    for table in TABLES.values():
        for scene in scenes_of(tmp_path / table.name, table, 3)[::SHOTS]:
            ends = np.array([(tile["x"], tile["y"], 0.0) for tile in scene["tiles"]])
            pixels = project(projection(scene["camera"]), ends)
            assert np.all((pixels > 40) & (pixels < np.array(PICTURE_PX) - 40))


def hidden_px(scene: Scene, arm: Scene, spots: tuple[Spot, ...]) -> int:
    """Return how many pixels of *spots* an arm hides from the camera of *scene*."""
    matrix = projection(scene["camera"])
    mask = arm_mask({**scene, "hand": arm}, matrix)
    inside = np.zeros_like(mask)
    for spot in spots:
        cv2.fillConvexPoly(inside, project(matrix, spot.corners()).round().astype(np.int32), 1)
    return int((mask & inside).sum())


def test_an_arm_is_over_the_game_or_beside_it(tmp_path: Path) -> None:
    """One that covers a place hides some of it, one that rests beside hides none."""
    table, random = TABLES["tippi_toppi"], np.random.default_rng(4)
    scene = scenes_of(tmp_path, table)[0]
    arm, tip = reach_over(random, scene["camera"], table.spots, SKIN)
    assert any(spot.is_near(tip[0], tip[1], 1.0) for spot in table.spots)
    assert hidden_px(scene, arm, table.spots) > 0
    beside = rest_beside(random, scene["camera"], table.mat, table.spots, SKIN)
    assert beside is not None
    assert hidden_px(scene, beside, table.spots) == 0


def pretend_to_render(folder: Path, scenes: list[Scene]) -> None:
    """Put flat pictures with the tiles where they should be in place of what Blender makes."""
    for scene in scenes:
        picture = np.full((PICTURE_PX[1], PICTURE_PX[0], 3), 120, np.uint8)
        matrix = projection(scene["camera"])
        for tile in scene["tiles"]:
            print_ = cv2.imread(str(folder / f"tile-{tile['number']}.png"))
            assert print_ is not None
            half, turn = 25.0, np.exp(1j * np.radians(tile["turn_deg"]))
            ends = half * turn * np.array([-1 - 1j, 1 - 1j, 1 + 1j, -1 + 1j])
            places = np.array([(tile["x"] + e.real, tile["y"] + e.imag, 0.0) for e in ends])
            side = print_.shape[0]
            corners = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32)
            seen = project(matrix, places).astype(np.float32)
            move = cv2.getPerspectiveTransform(corners, seen)
            laid = cv2.warpPerspective(print_, move, PICTURE_PX)
            mask = cv2.warpPerspective(np.full_like(print_, 255), move, PICTURE_PX) > 127
            picture[mask] = laid[mask]
        cv2.imwrite(str(folder / f"{scene['name']}.png"), picture)


def test_a_rendered_session_becomes_a_recording(tmp_path: Path) -> None:
    """Its pictures can be decoded, its tiles found, and no two have the same noise."""
    table, out = TABLES["tiki_topple"], tmp_path / "out"
    scenes = scenes_of(tmp_path, table, 1, first=3)
    assert develop_sessions(table, tmp_path, out) == 0
    pretend_to_render(tmp_path, scenes)
    assert develop_sessions(table, tmp_path, out) == 1
    recording = load_recording(out / "tiki_topple" / "s003")
    assert recording.game == "tiki_topple"
    assert recording.calibration == ("000.jpg", scenes[0]["truth"])
    assert len(recording.frames) == len(KINDS)
    pictures = [load_frame(recording.path(name)).picture for name in recording.frames]
    assert not np.array_equal(pictures[0], pictures[1])
    pose = MarkerTracker(TIKI_TOPPLE).locate(TableView(pictures[0]))
    assert pose is not None
    camera = np.array(scenes[0]["camera"]["stands"])
    assert np.linalg.norm(pose.camera - camera) < 0.05 * camera[2]
