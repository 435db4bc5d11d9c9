"""Learning a table while the camera is set up: tried out first, kept, nothing lost by a fault."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion import files
from companion.rules.tiki_topple import TIKIS
from companion.table import calibration_picture
from companion.table.calibration_check import CalibrationCheck
from companion.table.calibration_picture import (
    SavedCalibration,
    load_calibration,
    save_calibration_picture,
)
from companion.table.calibration_words import describe_result
from companion.table.reader_calibration import CalibrationResult
from companion.table.readers import reader_setup_of, usual_table
from companion.table.table_setup import NotFitted
from tests.set_up_tables import Table, name_place
from tests.tables import sit_down
from tests.web.setting_up import picture_of, truth_of
from vision.calibration import Separation
from vision.capture.frame import Frame, Picture
from vision.geometry.corner_fit import with_fit
from vision.geometry.layout import parse_rig
from vision.geometry.marker_tracking import MarkerTracker
from vision.geometry.table_view import TableView


def fade(picture: Picture, share: float) -> Picture:
    """Return *picture* with that *share* of its colours."""
    hsv = cv2.cvtColor(picture, cv2.COLOR_BGR2HSV).astype(np.float32)
    hsv[..., 1] *= share
    return np.asarray(cv2.cvtColor(hsv.astype(np.uint8), cv2.COLOR_HSV2BGR), np.uint8)


def corners_of(game: str, picture: Picture, off_px: float = 0.0) -> tuple[tuple[float, float], ...]:
    """Return the corners of the outline as people drag them, in shares of *picture*."""
    table = usual_table(game)
    plan, pose = (
        reader_setup_of(game).plan(table),
        MarkerTracker(parse_rig(table)).locate(TableView(picture)),
    )
    assert plan is not None
    assert pose is not None
    pixels = pose.project(np.array([(x, y, plan.outline.z_mm) for x, y in plan.outline.points]))
    off = np.array([[1, -1], [-1, -1], [1, 1], [-1, 1]]) * off_px
    shares = (pixels + off) / (picture.shape[1], picture.shape[0])
    return tuple((x, y) for x, y in shares.tolist())


def without_tiles(game: str, picture: Picture) -> Picture:
    """Return *picture* with its corner tiles painted over."""
    from tests.set_up_figures import paint_out  # noqa: PLC0415

    tracker = MarkerTracker(parse_rig(usual_table(game)))
    assert tracker.locate(TableView(picture)) is not None
    return paint_out(picture, tracker.list_detected().seen)


def test_the_line_of_the_game_teaches_as_well_as_the_usual_order(tmp_path: Path) -> None:
    """Whatever order lies there, if the log knows it; and the game stays as it was."""
    line = truth_of("tiki_topple", "001.jpg")["line"]
    live_session = sit_down(line=line)
    before = live_session.session.next_seq
    game = live_session.game
    truth = reader_setup_of(game.name).known_truth(game.shown(live_session.session.state))
    assert truth == {"line": line}
    with Table(live_session, picture_of("tiki_topple", "001.jpg"), tmp_path) as table:
        lesson = table.learn(truth)
        assert (lesson.trouble, lesson.unsaved) == ("", "")
        assert lesson.trial.closest is not None
        assert {lesson.trial.closest.one, lesson.trial.closest.other} == {"hookipa", "eepo"}
        table.show(picture_of("tiki_topple", "003.jpg"))
        assert table.reads({"line": truth_of("tiki_topple", "003.jpg")["line"]})
    assert live_session.session.next_seq == before


def test_a_wrong_position_is_refused_and_what_was_learned_before_holds(tmp_path: Path) -> None:
    """In one line; the files are the old ones."""
    with Table(sit_down(line=None), picture_of("tiki_topple"), tmp_path) as table:
        assert table.learn({"line": list(TIKIS)}).trouble == ""
        old = sorted((path.name, path.read_bytes()) for path in tmp_path.glob("*colours*"))
        table.show(picture_of("tiki_topple", "001.jpg"))
        refused = table.learn({"line": list(TIKIS)})
        assert refused.trouble.startswith("the line seems to be Nani, Hookipa")
        new = sorted((path.name, path.read_bytes()) for path in tmp_path.glob("*colours*"))
        assert old == new
        assert table.reads({"line": truth_of("tiki_topple", "001.jpg")["line"]})


def test_colours_that_cannot_be_told_apart_are_said_at_set_up(tmp_path: Path) -> None:
    """By name, with what would help; before the game, not in it."""
    truth, picture = {"line": list(TIKIS)}, picture_of("tiki_topple")
    grey = (96 + 0.5 * fade(picture, 0.0)).astype(np.uint8)
    with Table(sit_down(line=None), grey, tmp_path) as table:
        assert "look the same to the camera in this light; use whiter" in table.learn(truth).trouble
        table.show(fade(picture, 0.25))
        lesson = table.learn(truth)
        assert lesson.trouble == ""
        assert lesson.trial.closest is not None
        assert lesson.trial.closest.is_weak
    words = describe_result(lesson, reader_setup_of("tiki_topple").class_words, name_place)
    assert "look nearly alike under this lamp. Use whiter or brighter light" in words[-1]


def test_a_full_disk_is_said_and_the_lesson_holds_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the remedy; what was saved before is still there, picture and text of one another."""
    save_calibration_picture(
        tmp_path / "games.db",
        "tiki_topple",
        SavedCalibration(Frame("old", picture_of("tiki_topple"), 0.0), {"line": list(TIKIS)}, {}),
        "cam",
    )
    written: list[Path] = []

    def write(path: Path, data: bytes) -> None:
        if path.suffix == ".json":
            raise OSError(28, "No space left on device")
        written.append(path)
        files.write_whole(path, data)

    monkeypatch.setattr(calibration_picture, "write_whole", write)
    line = truth_of("tiki_topple", "001.jpg")["line"]
    with Table(sit_down(line=line), picture_of("tiki_topple", "001.jpg"), tmp_path) as table:
        lesson = table.learn({"line": line})
        assert (lesson.trouble, lesson.unsaved) == ("", "No space left on device")
        words = describe_result(lesson, str, name_place)
        assert words[1].startswith(
            "The calibration could not be saved (No space left on device). Free"
        )
        saved = table.calibration.saved("tiki_topple")
        assert saved is not None
        assert saved.truth == {"line": line}
    assert written
    kept = load_calibration(tmp_path / "games.db", "tiki_topple", "cam")
    assert kept is not None
    assert kept.truth == {"line": list(TIKIS)}
    assert np.abs(kept.frame.picture.astype(int) - picture_of("tiki_topple")).mean() < 3.0


def test_calibrations_are_kept_by_game_and_camera(tmp_path: Path) -> None:
    """Another camera's are not used; one of another version is left alone."""
    log = tmp_path / "games.db"
    frame = Frame("x", picture_of("tiki_topple"), 0.0)
    for rig, first in (("one", "nani"), ("two", "nui")):
        known = SavedCalibration(frame, {"line": [first]}, {})
        save_calibration_picture(log, "tiki_topple", known, rig)
    for rig, first in (("one", "nani"), ("two", "nui")):
        found = load_calibration(log, "tiki_topple", rig)
        assert found is not None
        assert found.truth == {"line": [first]}
    assert load_calibration(log, "topple", "one") is None
    (text,) = tmp_path.glob("*@one.colours.json")
    text.write_text(json.dumps({**json.loads(text.read_text()), "format": 99}))
    assert load_calibration(log, "tiki_topple", "one") is None


def test_dragged_corners_are_learned_and_kept(tmp_path: Path) -> None:
    """Without tiles, two pixels off: the same line is read as by tiles, also after a restart."""
    bare = without_tiles("tiki_topple", picture_of("tiki_topple"))
    next_one = without_tiles("tiki_topple", picture_of("tiki_topple", "001.jpg"))
    expected = {"line": truth_of("tiki_topple", "001.jpg")["line"]}
    with Table(sit_down(line=None), bare, tmp_path) as table:
        table.setup.look(table.game, 0)
        assert not table.setup.look(table.game, 0).is_ready
        fit = table.setup.fit(
            table.game, corners_of(table.game, picture_of("tiki_topple"), off_px=2.0)
        )
        assert table.learn({"line": list(TIKIS)}, fit=fit).trouble == ""
        assert table.setup.is_fitted(table.game)
        table.show(next_one)
        assert table.reads(expected)
        found = table.setup.look(table.game, 0)
        assert [each.kind for each in found.drawn].count("place") == 9
    with Table(sit_down(line=None), next_one, tmp_path) as again:
        assert again.setup.is_fitted(again.game)
        reader = reader_setup_of(again.game).open_reader(again.calibration.table_of(again.game))
        again.calibration.prepare(again.game)(reader)
        assert reader.read(Frame("001.jpg", next_one, 0.0)).reading == expected


def test_corners_of_something_else_are_refused(tmp_path: Path) -> None:
    """They cannot be those of the board: nothing is fitted."""
    with Table(sit_down(line=None), picture_of("tiki_topple"), tmp_path) as table:
        table.setup.look(table.game, 0)
        right = corners_of(table.game, picture_of("tiki_topple"))
        with pytest.raises(NotFitted, match="of the printed board, seen from above"):
            table.setup.fit(table.game, (right[0], right[2], right[1], right[3]))
        with pytest.raises(
            NotFitted, match="go the wrong way round: seen from the near side, number 2 belongs"
        ):
            table.setup.fit(table.game, (right[1], right[0], right[3], right[2]))


@pytest.mark.parametrize("share", [2.0, 0.7, 0.2])
def test_what_is_weak_is_said(share: float) -> None:
    """Well apart, nearly alike, and alike."""
    closest = Separation("nani", "kapu", share)
    assert (closest.is_weak, closest.is_hopeless) == (share < 1.0, share < 0.4)
    said = describe_result(
        CalibrationResult(trial=CalibrationCheck(closest=closest)), str, name_place
    )[-1]
    assert ("can tell them apart" in said) is (share >= 1.0)


def test_a_table_by_its_tiles_has_no_fit() -> None:
    """What is described stays as it was."""
    table = usual_table("tiki_topple")
    assert with_fit(table, None) is table
    assert parse_rig(table).mat.fit is None
