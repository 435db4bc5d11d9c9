"""Tiles printed at the wrong size, as a camera sees them on the table."""

from dataclasses import replace
from functools import cache

import pytest

from companion.apps.printing.tiles import tile_sizes
from companion.recording import load_recording
from companion.registry import recordings
from companion.table.readers import reader_setup_of
from companion.table.tile_check import MAX_DEVIATION, MAX_LOOKS, TILES, TileCheck, size_trouble
from companion.table.watcher import Watcher
from tests.printing.tables import lay_table, see_table
from tests.test_watcher import ScriptedCamera
from vision.capture.frame import Frame, load_frame
from vision.capture.glance import glance_at
from vision.capture.motion_gate import MotionGate
from vision.geometry.table_view import TableView
from vision.geometry.tile_scale import measure_tile_scale
from vision.observation import Observation, Status

VIEWS = ((0.0, 0.0, 0.0), (25.0, 8.0, 0.0), (30.0, 185.0, 0.02), (15.0, 352.0, -0.03))
"""Tilt and turn in degrees, and how much the lens bends."""
EXACT = 0.006


@cache
def frame(game: str, scale: float, apart: float = 1.0, view: int = 1) -> Frame:
    """Return a picture of a table."""
    return Frame("table", see_table(lay_table(game, scale, apart), *VIEWS[view]), 0.0)


@pytest.mark.parametrize(("scale", "view"), [(0.97, 0), (0.94, 1), (1, 2), (1.03, 3)])
def test_the_scale_of_a_print_is_measured(scale: float, view: int) -> None:
    """From straight above and from the side, and through a lens that bends lines."""
    mat, _ = tile_sizes("tiki_topple")
    found = measure_tile_scale(TableView(frame("tiki_topple", scale, view=view).picture), mat)
    assert found == pytest.approx(scale, abs=EXACT)


@pytest.mark.parametrize("game", ["tiki_topple", "topple"])
def test_a_print_at_97_percent_is_told_in_one_line(game: str) -> None:
    """With what is right; a true print is not spoken of."""
    told: list[tuple[str, str]] = []
    check = TileCheck(lambda device, trouble: told.append((device, trouble)))
    check.look(game, frame(game, 1.0))
    assert told == []
    check = TileCheck(lambda device, trouble: told.append((device, trouble)))
    check.look(game, frame(game, 0.97))
    ((device, trouble),) = told
    mat, _ = tile_sizes(game)
    assert device == TILES
    assert trouble == (
        "they look 97 % as large as they should. Measure a black square: if it is not 40 mm, print"
        " the tiles again at 100 %; if it is, lay them closer together,"
        f" {mat.width:g} × {mat.height:g} mm from middle to middle"
    )


def test_it_is_told_until_the_tiles_are_right_and_never_twice() -> None:
    """Then all is well, and nothing is measured any more."""
    told: list[str] = []
    check = TileCheck(lambda _, trouble: told.append(trouble))
    wrong, right = frame("topple", 1.03), frame("topple", 1.0)
    for each in (wrong, wrong, right, wrong):
        check.look("topple", each)
    first, last = told
    assert "103 % as large" in first
    assert "further apart" in first
    assert last == ""


def test_the_watcher_reports_it_with_the_first_table_at_rest() -> None:
    """And goes on reading that."""
    told: list[tuple[str, str]] = []
    seen: list[Observation] = []
    small = frame("tiki_topple", 0.97)
    shots = [glance_at(replace(small, taken_s=at * 0.4)) for at in range(6)]
    watcher = Watcher(
        ScriptedCamera(shots),
        MotionGate(0.5),
        seen.append,
        report_tiles=lambda device, trouble: told.append((device, trouble)),
    )
    watcher.watch("tiki_topple", reader_setup_of("tiki_topple").open_reader(None))
    watcher.start()
    watcher._thread.join()
    assert [device for device, _ in told] == [TILES]
    assert "97 % as large" in told[0][1]
    assert seen[-1].status is not Status.NO_MAT


def test_another_game_is_measured_anew() -> None:
    """What was wrong with the tiles before is not said of these."""
    told: list[str] = []
    check = TileCheck(lambda _, trouble: told.append(trouble))
    check.look("topple", frame("topple", 0.97))
    check.look("tactiki", frame("tactiki", 1.0))
    check.look("topple", frame("topple", 0.97))
    assert [bool(trouble) for trouble in told] == [True, False, True]


def test_tiles_laid_a_few_millimetres_wrong_are_not_spoken_of() -> None:
    """As people lay them: 4 mm in 300."""
    told: list[str] = []
    for apart in (1 - 4 / 300, 1 + 4 / 300):
        TileCheck(lambda _, trouble: told.append(trouble)).look(
            "tiki_topple", frame("tiki_topple", 1.0, apart)
        )
    assert told == []


def test_without_all_four_tiles_nothing_is_said() -> None:
    """A hand over one of them, or no table at all."""
    mat, _ = tile_sizes("topple")
    picture = frame("topple", 0.97).picture.copy()
    assert measure_tile_scale(TableView(picture), mat) is not None
    picture[:, : picture.shape[1] // 2] = 90
    assert measure_tile_scale(TableView(picture), mat) is None
    assert measure_tile_scale(TableView(picture[:20, :20]), mat) is None


def test_tiles_that_stay_hidden_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """To search every picture of an evening for them would be a waste."""
    looks: list[None] = []

    def find_nothing(*_: object) -> None:
        looks.append(None)

    monkeypatch.setattr("companion.table.tile_check.measure_tile_scale", find_nothing)
    check, seen = TileCheck(lambda *_: None), frame("topple", 1.0)
    for _ in range(MAX_LOOKS + 5):
        check.look("topple", seen)
    assert len(looks) == MAX_LOOKS
    check.look("tactiki", seen)
    assert len(looks) == MAX_LOOKS + 1


@pytest.mark.parametrize("scale", [0.5, 1.3])
def test_a_print_too_wrong_to_be_read_is_told_too(scale: float) -> None:
    """As when two pages are printed on one sheet of paper."""
    told: list[str] = []
    watcher = Watcher(
        ScriptedCamera(
            [glance_at(replace(frame("topple", scale), taken_s=at * 0.4)) for at in range(6)]
        ),
        MotionGate(0.5),
        lambda _: None,
        report_tiles=lambda _, trouble: told.append(trouble),
    )
    watcher.watch("topple", reader_setup_of("topple").open_reader(None))
    watcher.start()
    watcher._thread.join()
    assert f"{scale:.0%}".replace("%", " % as large") in told[0]


def test_a_game_without_tiles_is_never_measured() -> None:
    """Nor is one of which no table is known."""
    told: list[str] = []
    TileCheck(lambda _, trouble: told.append(trouble)).look("score_sheet", frame("topple", 0.9))
    assert told == []


def test_what_counts_as_wrong() -> None:
    """The limit, from both sides."""
    mat, _ = tile_sizes("topple")
    assert size_trouble(1 - MAX_DEVIATION + 0.001, mat) is None
    assert size_trouble(1 - MAX_DEVIATION - 0.001, mat) is not None
    assert size_trouble(1 + MAX_DEVIATION + 0.001, mat) is not None


@pytest.mark.parametrize("game", recordings())
def test_true_tiles_of_rendered_tables_are_measured_as_true(game: str) -> None:
    """Pictures that were made without a thought of this, by another program."""
    recording = load_recording(recordings()[game])
    mat, _ = tile_sizes(game)
    first = recording.frames[0]
    found = measure_tile_scale(TableView(load_frame(recording.path(first)).picture), mat)
    assert found == pytest.approx(1, abs=EXACT)
