"""Tiles printed at the wrong size, as a camera sees them on the table."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from companion.apps.printing.tiles import tile_sizes
from companion.recording import load_recording
from companion.referee.game import Table
from companion.registry import recordings
from companion.table.picture_faults import CORNER_TILES, MAX_DEVIATION, size_trouble
from companion.table.readers import Reader, reader_setup_of, usual_table
from companion.table.view_reader import MAX_UNMEASURED, ViewReader
from companion.table.watcher import Watcher
from tests.printing.tables import lay_table, see_table
from tests.scripted_cameras import ScriptedCamera
from vision.capture.frame import Frame, load_frame
from vision.capture.motion_gate import MotionGate
from vision.capture.preview_frame import glance_at
from vision.geometry.layout import parse_rig
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


class Idle:
    """A reader that reads nothing."""

    def calibrate(self, frame: Frame, truth: Mapping[str, Any]) -> None:
        """Learn nothing."""

    def read(self, frame: Frame) -> Observation:
        """Read nothing."""
        return Observation(frame.name, Status.UNSETTLED)

    def set_reference(self, frame: str, table: Table) -> None:
        """Believe nothing."""


def look(game: str, *frames: Frame, reader: Reader | None = None) -> list[str]:
    """Return what is told of the tiles while the table of *game* shows *frames*."""
    told: list[str] = []
    watched = watch_view(game, told, reader)
    for each in frames:
        watched.read(each)
    return told


def watch_view(game: str, told: list[str], reader: Reader | None = None) -> ViewReader:
    """Return what watches the view of *game*; *told* gets what it says of the tiles."""

    def report(device: str, trouble: str) -> None:
        if device == CORNER_TILES:
            told.append(trouble)

    return ViewReader(reader or Idle(), parse_rig(usual_table(game)), lambda _: None, report)


@pytest.mark.parametrize(("scale", "view"), [(0.97, 0), (0.94, 1), (1, 2), (1.03, 3)])
def test_the_scale_of_a_print_is_measured(scale: float, view: int) -> None:
    """From straight above and from the side, and through a lens that bends lines."""
    mat, _ = tile_sizes("tiki_topple")
    found = measure_tile_scale(TableView(frame("tiki_topple", scale, view=view).picture), mat)
    assert found == pytest.approx(scale, abs=EXACT)


@pytest.mark.parametrize("game", ["tiki_topple", "topple"])
def test_a_print_at_97_percent_is_told_in_one_line(game: str) -> None:
    """With what is right; a true print is not spoken of."""
    assert not any(look(game, frame(game, 1.0)))
    (trouble,) = look(game, frame(game, 0.97))
    mat, _ = tile_sizes(game)
    assert trouble == (
        "they appear at 97 % of their proper size. Measure a black square: if it is not 40 mm wide,"
        " print the tiles again at 100 %; if it is, lay them closer together,"
        f" {mat.width:g} × {mat.height:g} mm from middle to middle"
    )


def test_it_is_told_until_the_tiles_are_right_and_never_twice() -> None:
    """Then all is well, and nothing is measured any more."""
    wrong, right = frame("topple", 1.03), frame("topple", 1.0)
    first, last = look("topple", wrong, wrong, right, wrong)
    assert "appear at 103 %" in first
    assert "further apart" in first
    assert last == ""


@pytest.mark.parametrize(
    ("game", "scale"), [("tiki_topple", 0.97), ("topple", 0.5), ("topple", 1.3)]
)
def test_the_first_table_at_rest_is_measured(game: str, scale: float) -> None:
    """Even if it cannot be read, as when two pages are printed on one sheet of paper."""
    told: list[str] = []
    seen: list[Observation] = []
    shots = [glance_at(replace(frame(game, scale), taken_s=at * 0.4)) for at in range(6)]
    watcher = Watcher(ScriptedCamera(shots), MotionGate(0.5), seen.append)
    watcher.watch(game, watch_view(game, told, reader_setup_of(game).open_reader(None)))
    watcher.start()
    watcher._thread.join()
    assert f"{scale:.0%}".replace("%", " % of their") in told[0]
    assert seen


def test_tiles_laid_a_few_millimetres_wrong_are_not_spoken_of() -> None:
    """As people lay them: 4 mm in 300."""
    for apart in (1 - 4 / 300, 1 + 4 / 300):
        assert look("tiki_topple", frame("tiki_topple", 1.0, apart)) == []


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

    monkeypatch.setattr("companion.table.view_reader.measure_tile_scale", find_nothing)
    look("topple", *[frame("topple", 1.0)] * (MAX_UNMEASURED + 5))
    assert len(looks) == MAX_UNMEASURED


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
