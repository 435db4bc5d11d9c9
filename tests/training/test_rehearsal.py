"""Tables rendered to rehearse on: what differs from shot to shot, and how it is counted."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from rendering.patches import board_to_table, find_pose, find_table_pose, grid_of
from rendering.piece_kinds import KINDS, TOPPLE, Kind
from rendering.scenes import PICTURE_PX, Scene
from training.rehearsal import (
    SHOTS,
    Board,
    cells_of,
    judge_tables,
    lay_tables,
    main,
    report,
    report_slants,
    slant_deg,
)
from vision.columns.grid import TALLEST

pytestmark = pytest.mark.slow


def scenes_of(folder: Path, kind: Kind, count: int) -> list[Scene]:
    """Return what is described of *count* tables."""
    lay_tables(kind, folder, count)
    return [json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("????.json"))]


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_only_the_pieces_move_from_shot_to_shot(tmp_path: Path, kind: Kind) -> None:
    """One camera, one light, one set; every paint lies on top in the first shot, at all heights."""
    scenes = scenes_of(tmp_path, kind, 2)
    assert [scene["name"] for scene in scenes] == [f"{at:04d}" for at in range(2 * SHOTS)]
    for start in (0, SHOTS):
        first, *others = scenes[start : start + SHOTS]
        for other in others:
            assert all(other[same] == first[same] for same in ("camera", "lights", "paints"))
            assert other["columns"] != first["columns"]
        flat = [spot for row in cells_of(first) for spot in row]
        assert {len(spot) for spot in flat} == set(range(TALLEST + 1))
        tops = {spot[-1] for spot in flat if spot}
        assert tops == {str(at) for at in range(len(first["paints"]))}
    assert scenes[0]["paints"] != scenes[SHOTS]["paints"]


def test_a_tables_prints_are_there_for_each_shot(tmp_path: Path) -> None:
    """The renderer finds board and ground by the scene's name."""
    for scene in scenes_of(tmp_path, TOPPLE, 1):
        assert (tmp_path / f"{scene['name']}-board.jpg").exists()
        assert (tmp_path / f"{scene['name']}-table.jpg").exists()


def test_tiles_and_board_give_poses_of_the_same_camera(tmp_path: Path) -> None:
    """Over table and board the camera stands in one place, to a few millimetres."""
    scene = scenes_of(tmp_path, TOPPLE, 1)[1]
    table = find_table_pose(scene, 0.0, np.random.default_rng(1)).camera
    board = find_pose(scene, 0.0, np.random.default_rng(2)).camera
    across = TOPPLE.board / 2 - 11.0
    matrix = board_to_table(scene)
    seen = matrix[:3, :3] @ (board - [across, across, 0.0]) + matrix[:3, 3]
    assert np.linalg.norm(seen - table) < 0.03 * table[2]


def test_only_wholly_rendered_tables_are_judged(tmp_path: Path) -> None:
    """All shots but the first, of tables of which every shot is there."""
    scenes = scenes_of(tmp_path, TOPPLE, 2)
    noise = np.random.default_rng(3).integers(0, 255, (PICTURE_PX[1], PICTURE_PX[0], 3))
    for scene in scenes[:-1]:
        cv2.imwrite(str(tmp_path / f"{scene['name']}.png"), noise)
    (boards,) = judge_tables(tmp_path, TOPPLE)
    assert len(boards) == SHOTS - 1
    assert not any(board.right for board in boards), "nothing stands in noise"


def test_wrong_boards_are_counted_where_they_are_sure(capsys: pytest.CaptureFixture[str]) -> None:
    """A board with a hidden spot is never read, one below the limit is left open."""
    boards = [Board(0.96, False, False, 9.0), Board(0.89, False, True, 9.0)]
    report([*boards, Board(0.99, True, False, 9.0)])
    told = capsys.readouterr().out.splitlines()
    assert told[0] == "3 boards, 1 likeliest right"
    assert "at 0.90: 1 read, 1 of them wrongly" in told
    assert "at 0.88: 2 read, 1 of them wrongly" in told
    assert "at 0.97: 0 read, 0 of them wrongly" in told


def test_boards_are_counted_by_how_far_aside_the_camera_stands(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Each in its band; one that is hidden in part is in its band, but not read."""
    boards = [Board(0.96, False, False, 4.0), Board(0.97, False, True, 22.0)]
    report_slants([*boards, Board(0.99, True, False, 21.0)], 0.95)
    told = capsys.readouterr().out.splitlines()
    assert told[0] == (
        "0 to 10 degrees aside: 1 boards, 0 likeliest right, 1 read, 1 of them wrongly"
    )
    assert told[2] == (
        "20 to 25 degrees aside: 2 boards, 1 likeliest right, 1 read, 0 of them wrongly"
    )


def test_a_camera_to_one_side_is_known_as_such(tmp_path: Path) -> None:
    """What the pose says is what was described, to the tilt of the board and a degree."""
    scene = scenes_of(tmp_path, TOPPLE, 1)[0]
    pose = find_pose(scene, 0.0, np.random.default_rng(2))
    x, y, z = np.array(scene["camera"]["stands"]) - [TOPPLE.mat / 2, TOPPLE.mat / 2, TOPPLE.floor_z]
    true_deg = np.degrees(np.arctan2(np.hypot(x, y), z))
    assert slant_deg(grid_of(TOPPLE), pose) == pytest.approx(true_deg, abs=3.0)


def test_a_folder_without_rendered_tables_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Instead of counts of nothing, or a traceback."""
    monkeypatch.setattr("sys.argv", ["rehearsal", "judge", "topple", str(tmp_path)])
    with pytest.raises(SystemExit):
        main()
    assert f"no table in {tmp_path / 'topple'} is rendered" in capsys.readouterr().err
