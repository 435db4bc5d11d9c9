"""Tables whose camera or board is bumped: what is described, and what is said of each bump."""

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from rendering.bumped import (
    BUMPS,
    GAMES,
    MIN_TILES,
    PLAYED,
    count_tiles,
    lay_table,
    lay_tables,
    main,
    push_board,
    push_camera,
    random_bump,
)
from rendering.patches import board_to_table
from rendering.piece_kinds import KINDS
from rendering.scenes import Scene, project, projection
from vision.geometry.layout import Mat

pytestmark = pytest.mark.slow

FIRST = 1 + PLAYED
"""The number of the first picture after a bump."""
SIDE_MM = 300.0
MAT = Mat(SIDE_MM, SIDE_MM, (0, 1, 2, 3), 40.0)
BARE: Scene = {
    "camera": {"stands": [150.0, 150.0, 700.0], "aim": [150.0, 150.0, 0.0], "roll_deg": 0.0},
    "tiles": [
        {"number": number, "x": x, "y": y, "turn_deg": 0.0}
        for number, (x, y) in enumerate(MAT.centres)
    ],
    "things": [
        {"at": [150.0, 100.0, 0.4], "turn_deg": 10.0},
        {"at": [-90.0, 150.0, 0.0], "turn_deg": 0.0},
    ],
}
"""A camera right above a mat, with a thing on it and one beside."""
by_game = pytest.mark.parametrize("game", GAMES)


def shots_of(folder: Path) -> list[dict[str, object]]:
    """Return what is said of a table's pictures."""
    shots: list[dict[str, object]] = json.loads((folder / "table.json").read_text("utf-8"))["shots"]
    return shots


def middles(scene: Scene) -> NDArray[np.float64]:
    """Return where the tiles of a scene lie (4, 2)."""
    return np.array([[tile["x"], tile["y"]] for tile in scene["tiles"]])


@by_game
def test_only_what_was_bumped_moves(tmp_path: Path, game: str) -> None:
    """A camera leaves all as it lies; a board takes its tiles along, not the table or a light."""
    scenes = lay_table(game, tmp_path, 3)
    before, bumped = scenes[0], scenes[FIRST:]
    assert len(bumped) == BUMPS
    for scene, shot in zip(bumped, shots_of(tmp_path)[FIRST:], strict=True):
        changed = {part for part in scene if scene[part] != before[part]} - {"name"}
        if shot["mover"] == "camera":
            assert changed == {"camera"}
            continue
        assert {"tiles"} <= changed <= {"tiles", "things", "board"}
        assert changed & {"things", "board"}
        apart = [
            np.linalg.norm(at[:, None] - at[None], axis=2) for at in map(middles, (before, scene))
        ]
        assert apart[0] == pytest.approx(apart[1])


@by_game
def test_moves_are_played_before_one_camera(tmp_path: Path, game: str) -> None:
    """Only what lies on the table differs, and something does."""
    before, *played = lay_table(game, tmp_path, 3)[:FIRST]
    for scene in played:
        changed = {part for part in scene if scene[part] != before[part]} - {"name"}
        assert changed
        assert changed <= {"things", "columns", "board"}


@by_game
def test_all_prints_are_drawn_and_tiles_stay_in_view(tmp_path: Path, game: str) -> None:
    """The renderer finds each print by its name, and a watch has tiles enough."""
    for scene in lay_table(game, tmp_path, 4):
        prints = [thing["print"] for thing in scene["things"] if "print" in thing]
        prints += [scene["ground"], *([scene["print"]] if "print" in scene else [])]
        prints += [f"tile-{tile['number']}.png" for tile in scene["tiles"]]
        assert all((tmp_path / name).is_file() for name in prints)
        assert count_tiles(scene) >= MIN_TILES


@pytest.mark.parametrize("game", KINDS)
def test_columns_stay_on_their_board(tmp_path: Path, game: str) -> None:
    """A board, level or tilted, lies among its tiles after a bump as it did before."""
    before, *others = lay_table(game, tmp_path, 5)
    corner = [*middles(before)[0], 0.0]
    here = np.linalg.inv(board_to_table(before)) @ [*corner, 1.0]
    for scene, shot in zip(others[PLAYED:], shots_of(tmp_path)[FIRST:], strict=True):
        if shot["mover"] == "board":
            there = np.linalg.inv(board_to_table(scene)) @ [*middles(scene)[0], 0.0, 1.0]
            assert there == pytest.approx(here, abs=1e-6)


def test_a_pushed_board_takes_along_what_lies_on_it() -> None:
    """A quarter turn clockwise about the middle; what lies beside stays."""
    pushed = push_board(BARE, MAT, (7.0, -2.0), 90.0)
    on_it, beside = pushed["things"]
    assert on_it["at"] == pytest.approx([207.0, 148.0, 0.4])
    assert on_it["turn_deg"] == pytest.approx(100.0)
    assert beside == BARE["things"][1]
    assert middles(pushed)[0] == pytest.approx([307.0, -2.0])


def test_a_camera_is_turned_by_as_much_as_is_said() -> None:
    """About its line of sight the picture's middle stays; about any other it goes off to a side."""
    middle = np.array([[150.0, 150.0, 0.0]])
    centre = project(projection(BARE["camera"]), middle)
    rolled = push_camera(BARE, np.zeros(3), np.array([0.0, 0.0, 5.0]))
    assert project(projection(rolled["camera"]), middle) == pytest.approx(centre)
    for axis in ([6.0, 0.0, 0.0], [0.0, 6.0, 0.0], [3.6, 4.8, 0.0]):
        tilted = push_camera(BARE, np.zeros(3), np.array(axis))["camera"]
        sight = np.array(tilted["aim"]) - tilted["stands"]
        aside_deg = np.degrees(np.arctan2(np.hypot(*sight[:2]), -sight[2]))
        assert aside_deg == pytest.approx(6.0)


@pytest.mark.parametrize("mover", ["camera", "board"])
def test_a_bump_that_only_moves_is_told_as_what_the_watch_sees(mover: str) -> None:
    """A camera right above sees another place of the table by as much as it went aside."""
    random = np.random.default_rng(2)
    for _ in range(8):
        scene, bump = random_bump(random, BARE, MAT, "camera" if mover == "camera" else "board", 0)
        way = np.array(scene["camera"]["stands"]) - BARE["camera"]["stands"]
        if mover == "board":
            way[:2] = middles(scene)[0] - middles(BARE)[0]
        assert np.linalg.norm(way) == pytest.approx(bump.moved_mm)
        assert 2.0 <= bump.moved_mm <= 40.0
        assert [bump.dx_mm, bump.dy_mm] == pytest.approx(way[:2])
        assert bump.turned_deg == 0.0


def test_a_seen_place_is_where_the_bumped_camera_sees_it() -> None:
    """The largest move of a corner is that between what either camera has at its pixel."""
    random = np.random.default_rng(5)
    scene, bump = random_bump(random, BARE, MAT, "camera", 2)
    corners = np.column_stack([MAT.centres, np.zeros(4)])
    pixels = project(projection(BARE["camera"]), corners)
    plane = np.linalg.inv(projection(scene["camera"])[:, [0, 1, 3]])
    there = np.column_stack([pixels, np.ones(4)]) @ plane.T
    off = np.linalg.norm(there[:, :2] / there[:, 2:] - corners[:, :2], axis=1)
    assert bump.shift_mm == pytest.approx(off.max())


def test_a_number_names_a_table(tmp_path: Path) -> None:
    """The games come in turn, and the second of two is the only one with its number."""
    both = list(lay_tables(tmp_path / "two", 2))
    assert [table.name for table in both] == [f"{at:03d}-{GAMES[at]}" for at in range(2)]
    (again,) = lay_tables(tmp_path / "one", 1, first=1)
    for path in sorted(again.glob("*.json")):
        assert path.read_text("utf-8") == (both[1] / path.name).read_text("utf-8")


def test_the_command_names_its_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each is a folder to render."""
    monkeypatch.setattr("sys.argv", ["bumped", str(tmp_path), "1", "--first", "4"])
    main()
    assert capsys.readouterr().out.split() == [str(tmp_path / f"004-{GAMES[4]}")]
    assert len(list(tmp_path.glob("*/????.json"))) == FIRST + BUMPS
