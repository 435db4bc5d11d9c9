"""The lens of a table: measured where nobody told it, kept with what was learned, and told."""

import json
from pathlib import Path
from typing import Any

import pytest

from companion.recording import load_recording
from companion.registry import recordings
from companion.table.calibration_picture import load_lens, save_calibration_picture
from companion.table.calibration_words import describe_lens
from companion.table.reader_opening import measured, open_measuring, open_reader
from companion.table.readers import reader_setup_of, usual_table
from tests.recordings import untold
from tests.set_up_tables import Table
from tests.web.games import open_game
from tests.web.setting_up import picture_of, truth_of
from vision.capture.frame import Frame, load_frame
from vision.geometry.lens import Lens, NoSuchLens, parse_lens, with_lens
from vision.observation import Observation, Status

TRUE_DEG = 66.0
GAMES = tuple(recordings())


def pieces(found: Observation) -> dict[str, Any]:
    """Return what was read, but for the idol's angle, which is measured to a degree."""
    reading = found.reading or {}
    return {key: reading[key] for key in reading if key != "idol_deg"}


@pytest.mark.parametrize("game", GAMES)
def test_a_recording_need_not_tell_its_angle(game: str, tmp_path: Path) -> None:
    """What lies there is read as by the true angle."""
    told = load_recording(recordings()[game])
    bare = untold(told, tmp_path)
    readers = [open_reader(each) for each in (told, bare)]
    read = 0
    for name in told.frames[1:12]:
        true, found = (each.read(load_frame(told.path(name))) for each in readers)
        assert found.status is true.status, name
        assert pieces(found) == pieces(true), name
        read += found.status is Status.OK
    assert read >= 2


@pytest.mark.parametrize("game", GAMES)
def test_a_learned_table_keeps_its_lens(game: str, tmp_path: Path) -> None:
    """Measured within the error that is told, and used from then on, after a restart too."""
    truth = truth_of(game, "000.jpg")
    with Table(open_game(game), picture_of(game), tmp_path) as table:
        assert parse_lens(table.calibration.table_of(game)) is None
        lesson = table.learn(truth)
        assert lesson.trouble == ""
        assert lesson.lens is not None
        assert abs(lesson.lens.hfov_deg - TRUE_DEG) < 3.0
        assert parse_lens(table.calibration.table_of(game)) == lesson.lens
    kept = load_lens(tmp_path / "games.db", game, "cam")
    assert kept is not None
    assert kept.hfov_deg == pytest.approx(lesson.lens.hfov_deg, abs=0.01)


def test_one_game_tells_another_what_the_camera_is(tmp_path: Path) -> None:
    """The best known lens of the same camera; none of another's."""
    log, frame = tmp_path / "games.db", Frame("x", picture_of("tiki_topple"), 0.0)
    for game, error in (("tiki_topple", 0.02), ("uno_tiki", 0.1)):
        lens = Lens(60.0 + error, error)
        save_calibration_picture(log, game, frame, {}, {}, rig="one", lens=lens)
    best = load_lens(log, "topple", "one")
    assert best is not None
    assert best.error == 0.02
    assert load_lens(log, "topple", "two") is None


def test_a_table_that_was_never_learned_is_read_by_the_lens_in_view() -> None:
    """A starting line: by the first picture that shows all four tiles."""
    setup, game = reader_setup_of("tiki_topple"), "tiki_topple"
    reader = open_measuring(setup, game, usual_table(game))
    found = reader.read(Frame("000.jpg", picture_of(game), 0.0))
    assert found.status is Status.OK


def test_a_told_lens_is_never_measured() -> None:
    """Whoever says how wide the camera looks is believed."""
    told = with_lens(usual_table("topple"), Lens(50.0, 0.0))
    assert measured(told, Frame("x", picture_of("topple"), 0.0)) is told


def test_tiles_that_cannot_lie_so_are_refused(tmp_path: Path) -> None:
    """In one line, at a recording's start."""
    told = load_recording(recordings()["topple"])
    bare = untold(told, tmp_path)
    wrong = {**bare.description, "mat": {**bare.description["mat"], "width": 720}}
    (tmp_path / "session.json").write_text(json.dumps(wrong))
    with pytest.raises((NoSuchLens, ValueError)) as refused:
        open_reader(load_recording(tmp_path))
    assert "lay all of them flat" in str(refused.value)
    assert "\n" not in str(refused.value)


def test_what_is_not_known_well_is_said() -> None:
    """With what would help; nothing where the angle is known."""
    assert describe_lens(Lens(66.0, 0.05)) == []
    (words,) = describe_lens(Lens(71.4, 0.3))
    assert "about 71 degrees" in words
    assert "Tilt the camera" in words
