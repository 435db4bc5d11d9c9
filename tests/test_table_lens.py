"""The lens of a table: measured where nobody told it, kept with what was learned, and told."""

import json
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.recording import load_recording
from companion.registry import recordings
from companion.table import reader_opening
from companion.table.calibration_words import describe_lens, describe_result
from companion.table.camera_lens import better_of, load_lens, save_lens
from companion.table.piece_heights import with_likely_lens
from companion.table.reader_calibration import CalibrationResult
from companion.table.reader_opening import measured, open_measuring, open_reader
from companion.table.readers import Description, Reader, ReaderSetup, reader_setup_of, usual_table
from tests.recordings import untold
from tests.set_up_tables import Table
from tests.vision.lenses import bend
from tests.web.games import open_game
from tests.web.setting_up import StandingCamera, picture_of, truth_of
from vision.capture.frame import Frame, decode, load_frame
from vision.capture.lens_prior import LensPrior
from vision.geometry.lens import UNKNOWN, Lens, NoSuchLens, parse_lens, with_lens
from vision.geometry.session_values import take_distortion
from vision.geometry.table_view import straighten
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
    read, otherwise = 0, []
    for name in told.frames[1:12]:
        true, found = (each.read(load_frame(told.path(name))) for each in readers)
        if found.status is not true.status:
            otherwise.append(name)  # one is in doubt by a hair, the other is not
            continue
        assert pieces(found) == pieces(true), name
        read += found.status is Status.OK
    assert read >= 2
    assert len(otherwise) <= 1


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
    kept = load_lens(tmp_path / "games.db", "cam")
    assert kept is not None
    assert kept.hfov_deg == pytest.approx(lesson.lens.hfov_deg, abs=0.01)


def test_a_camera_has_one_lens_for_all_games(tmp_path: Path) -> None:
    """Kept by its name; another camera's is not known, nor is one that cannot be read."""
    log = tmp_path / "games.db"
    save_lens(log, "one", Lens(60.0, 0.02, -0.05))
    assert load_lens(log, "one") == Lens(60.0, 0.02, -0.05)
    assert load_lens(log, "two") is None
    (tmp_path / "games.camera@two.lens.json").write_text("[]")
    assert load_lens(log, "two") is None


def test_the_better_known_lens_stays_until_it_is_contradicted() -> None:
    """A zoom that was turned is another lens."""
    kept = Lens(66.0, 0.01)
    assert better_of(kept, Lens(64.0, 0.05)) is kept
    assert better_of(kept, turned := Lens(47.0, 0.05)) is turned
    assert better_of(kept, better := Lens(65.5, 0.005)) is better


def test_a_told_angle_that_the_tiles_contradict_is_said() -> None:
    """In one line with both numbers; a lens that agrees is not spoken of."""
    words = partial(describe_result, class_words=str, place_words=lambda place, _: str(place))
    lesson = CalibrationResult(lens=Lens(66.0, 0.0), contradicting=Lens(47.2, 0.03))
    assert any("66 degrees wide" in each and "about 47" in each for each in words(lesson))
    assert len(words(CalibrationResult(lens=Lens(66.0, 0.0)))) == 1


@pytest.mark.parametrize(("told_deg", "is_wrong"), [(47.0, True), (66.0, False)])
def test_a_wrong_angle_is_noticed(told_deg: float, is_wrong: bool, tmp_path: Path) -> None:
    """By the tiles of a table that is learned."""
    game = "topple"
    with Table(open_game(game), picture_of(game), tmp_path, told=Lens(told_deg, 0.0)) as table:
        lesson = table.learn(truth_of(game, "000.jpg"))
    assert (lesson.contradicting is not None) is is_wrong
    if lesson.contradicting is not None:
        assert lesson.contradicting.hfov_deg == pytest.approx(TRUE_DEG, abs=3.0)


def test_a_table_that_was_never_learned_is_read_by_the_lens_in_view() -> None:
    """A starting line: by the first picture that shows all four tiles."""
    game = "tiki_topple"
    reader = open_measuring(game, usual_table(game))
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
    assert "Measure the camera" in words


BEND = -0.25
"""Of a cheap wide lens: lines at the edge of the picture are off by a twentieth of it."""


@pytest.mark.parametrize("told", [None, Lens(TRUE_DEG, 0.0)])
def test_a_lens_that_bends_lines_is_learned_and_used(told: Lens | None, tmp_path: Path) -> None:
    """Measured with the table, kept, and taken out of every picture that is read or shown."""
    game = "tippi_toppi"
    picture = bend(picture_of(game), TRUE_DEG, BEND)
    with Table(open_game(game), picture, tmp_path, told=told) as table:
        lesson = table.learn(truth_of(game, "000.jpg"))
        assert lesson.trouble == ""
        assert lesson.lens is not None
        assert lesson.lens.k1 == pytest.approx(BEND, abs=0.08)
        look = table.setup.look(game, -1)
        assert all(look.tiles)
        straight = straighten(Frame("x", picture, 0.0), take_distortion(with_lens({}, lesson.lens)))
        shown = cv2.resize(decode(look.jpeg, "look"), (160, 90)).astype(int)
        off = [np.abs(shown - cv2.resize(each, (160, 90))) for each in (straight.picture, picture)]
        assert np.mean(off[0]) < 0.5 * np.mean(off[1])
    kept = load_lens(tmp_path / "games.db", "cam")
    assert kept is not None
    assert kept.k1 == lesson.lens.k1
    assert kept.error == (lesson.lens.error if told is None else UNKNOWN.error)


def test_a_film_through_a_lens_that_bends_lines_is_read(tmp_path: Path) -> None:
    """As one through a pinhole; with lines left bent, most of its cards are not."""
    told = load_recording(recordings()["tippi_toppi"])
    pinhole = open_reader(untold(told, tmp_path))
    bare = load_recording(tmp_path)

    def load(path: Path) -> Frame:
        frame = load_frame(path)
        return Frame(frame.name, bend(frame.picture, TRUE_DEG, BEND), 0.0)

    bent, read = open_reader(bare, load), 0
    for name in told.frames[1:20]:
        true = pinhole.read(load_frame(told.path(name)))
        if true.status is Status.OK:
            read += 1
            assert pieces(bent.read(load(told.path(name)))) == pieces(true), name
    assert read >= 5


class OpenedReaders(ReaderSetup):
    """Opens readers that see nothing, and keeps by which lenses they were opened."""

    def __init__(self) -> None:
        self.lenses: list[Lens | None] = []

    def open_reader(self, description: Description) -> Reader:
        """Return one."""
        self.lenses.append(parse_lens(description or {}))
        return SeesNothing()


class SeesNothing:
    """See `Reader`."""

    def calibrate(self, frame: Frame, truth: Mapping[str, Any]) -> None:
        """Learn nothing."""

    def read(self, frame: Frame) -> Observation:
        """Return that nothing is seen."""
        return Observation(frame.name, Status.NO_MAT)

    def set_reference(self, frame: str, table: Any) -> None:
        """Compare with nothing."""


def test_a_reader_that_was_never_calibrated_goes_by_the_cameras_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From its first picture on, however few tiles that shows; the tiles only make it better."""
    game, opened = "topple", OpenedReaders()
    monkeypatch.setattr(reader_opening, "reader_setup_of", lambda _: opened)
    camera = StandingCamera(picture_of(game))
    with Table(open_game(game), picture_of(game), tmp_path, camera) as table:
        reader = table.calibration.open_reader(game, usual_table(game))
        assert opened.lenses == [None]  # there is no camera yet
        monkeypatch.setattr(camera, "lens", LensPrior(62.0, 0.03, "a module"))
        bare = Frame("001.jpg", np.full_like(picture_of(game), 120), 0.0)
        reader.read(bare)
        reader.read(bare)
        assert opened.lenses == [None, Lens(62.0, 0.03)]
        reader.read(Frame("002.jpg", picture_of(game), 0.0))
        *_, last = opened.lenses
        assert last is not None
        assert last.error < 0.03
        assert 62.0 < last.hfov_deg < TRUE_DEG


@pytest.mark.parametrize("guessed_deg", [50.0, 66.0, 88.0])
def test_columns_tell_the_lens_where_tiles_do_not(guessed_deg: float) -> None:
    """As from straight above: how far those lean whose heights are known."""
    setup, frame = reader_setup_of("tactiki"), Frame("000.jpg", picture_of("tactiki"), 0.0)
    unsure = with_lens(usual_table("tactiki"), Lens(guessed_deg, 0.4))
    found = parse_lens(with_likely_lens(setup, unsure, frame, truth_of("tactiki", "000.jpg")))
    assert found is not None
    assert found.hfov_deg == pytest.approx(TRUE_DEG, abs=8.0)
    assert found.error < 0.6 * 0.4


@pytest.mark.parametrize(
    ("game", "lens"),
    [("tippi_toppi", Lens(80.0, 0.4)), ("tactiki", Lens(80.0, 0.1)), ("topple", Lens(80.0, 0.4))],
)
def test_what_tells_nothing_of_the_lens_leaves_it_alone(game: str, lens: Lens) -> None:
    """Cards, a lens that is known, and a picture without a board."""
    blank = np.zeros_like(picture_of(game))
    picture = blank if game == "topple" else picture_of(game)
    table = with_lens(usual_table(game), lens)
    frame, truth = Frame("000.jpg", picture, 0.0), truth_of(game, "000.jpg")
    assert with_likely_lens(reader_setup_of(game), table, frame, truth) is table
