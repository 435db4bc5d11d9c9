"""Recordings as a camera: learning late, and what was said, in its order and once."""

import argparse
import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.cli import build_parser, main
from companion.cli.failure import Failure
from companion.cli.run import _overridden
from companion.cli.signals import StopRequest
from companion.config import Config, TableConfig, parse_config
from companion.film.playback import shown_folder
from companion.film.prompting import Prompter
from companion.recording import EnteredAction, load_recording, load_script, replay_header
from companion.referee.live_session import LiveSession
from companion.registry import recordings
from companion.table.reader_opening import open_lazy_reader, open_reader
from companion.table.readers import NotCalibrated, usual_table
from tests.commands import assert_one_line
from tests.recordings import SHIPPED, retell
from tests.tables import open_log, see, see_hand
from vision.capture.frame import load_frame
from vision.observation import Status

START = ["nani", "hookipa", "lokahi", "eepo", "kapu", "nui", "wikiwiki", "huhu", "akamai"]
FIRST = ["nani", "kapu", "hookipa", "lokahi", "eepo", "nui", "wikiwiki", "huhu", "akamai"]
SECOND = ["hookipa", "nani", "kapu", "lokahi", "eepo", "nui", "wikiwiki", "huhu", "akamai"]


def sit() -> LiveSession:
    """Return the shipped round before anybody has moved."""
    header, secrets = replay_header(load_recording(SHIPPED))
    return LiveSession(open_log(), header, secrets)


def forms_of(live_session: LiveSession) -> list[str]:
    """Return the likeliest text of each act."""
    return [act.forms[0] for act in live_session.session.history.acts]


def test_a_late_reader_reads_like_one_that_was_taught() -> None:
    """And complains of nothing."""
    recording, complaints = load_recording(SHIPPED), list[str]()
    frame = load_frame(SHIPPED / "001.jpg")
    late = open_lazy_reader(recording, complaints.append).read(frame)
    assert late.reading == open_reader(recording).read(frame).reading
    assert late.status is Status.OK
    assert complaints == []


def test_what_cannot_be_learned_is_complained_of_once_and_the_rest_is_read(tmp_path: Path) -> None:
    """The picture that teaches shows no table; one that is not there is refused at once."""
    folder, complaints = retell(tmp_path, ["001.jpg"]), list[str]()
    (folder / "truth.jsonl").write_text((SHIPPED / "truth.jsonl").read_text().splitlines()[0])
    cv2.imwrite(str(folder / "000.jpg"), np.full((720, 1280, 3), 90, np.uint8))
    reader = open_lazy_reader(load_recording(folder), complaints.append)
    frame = load_frame(folder / "001.jpg")
    assert [reader.read(frame).status for _ in range(2)] == [Status.OK, Status.OK]
    (complaint,) = complaints
    assert complaint.startswith("the calibration frame: 000.jpg: too few corner tiles")
    (folder / "000.jpg").unlink()
    with pytest.raises(NotCalibrated):
        open_lazy_reader(load_recording(folder), complaints.append)


@pytest.mark.parametrize("game", recordings())
def test_a_recording_may_leave_out_how_the_usual_table_is_laid_out(
    tmp_path: Path, game: str
) -> None:
    """Then it is that of the instructions."""
    source = recordings()[game]
    described = json.loads((source / "session.json").read_text())
    assert usual_table(game)["mat"] == described["mat"]
    for key in ("mat", "image", "layout", "calibration_frame"):
        del described[key]
    (tmp_path / "session.json").write_text(json.dumps(described))
    open_reader(load_recording(tmp_path))


def test_the_recording_shown_is_that_of_the_game() -> None:
    """Of the first where none is named, and one that is named before all."""
    assert shown_folder(Config()) == next(iter(recordings().values()))
    for game, folder in recordings().items():
        assert shown_folder(Config(table=TableConfig(game=game))) == folder
    named = parse_config({"camera": {"folder": "/mine"}})
    assert shown_folder(named) == Path("/mine")


def test_a_game_named_on_the_command_line_takes_its_own_options() -> None:
    """Those that the settings have for it, and of another game none."""
    words: Any = {"port": None, "log": None, "replay": None, "frame_s": None}

    def options(settings: dict[str, Any], game: str) -> dict[str, Any]:
        given = argparse.Namespace(**words, game=game)
        table = _overridden(parse_config(settings), given).table
        assert table.game == game
        return table.options_of(game)

    both = {"options": {"topple": {"target": 5}, "uno_tiki": {"target": 50}}}
    assert options({"table": both}, "topple") == {"target": 5}
    one = {"game": "topple", "players": ["a", "b"], "options": {"target": 5}}
    assert options({"table": one}, "topple") == {"target": 5}
    assert options({"table": one}, "uno_tiki") == {}


def test_what_a_picture_has_shown_meanwhile_is_not_entered_again() -> None:
    """The move was told before its turn had come; when it has, the table shows it."""
    live_session = sit()
    prompter = Prompter(live_session, [EnteredAction("1.jpg", "up2 hookipa", "hand")])
    live_session.observe(see("1.jpg", START))
    prompter.pass_frame("1.jpg")
    assert forms_of(live_session) == []
    live_session.observe(see("2.jpg", FIRST))
    live_session.observe(see_hand("3.jpg", "right"))
    live_session.observe(see("3.jpg", SECOND))
    prompter.pass_frame("3.jpg")
    assert len(forms_of(live_session)) == 2
    assert list(prompter.not_entered()) == []


def test_what_was_said_comes_in_the_order_of_its_numbers(tmp_path: Path) -> None:
    """A hand before a sensor, where both spoke after one picture."""
    told = [{"after_frame": "001.jpg", "told": "first", "number": 0}]
    sensors = [{"after_frame": "001.jpg", "fact": "second", "number": 1}]
    folder = retell(tmp_path, ["001.jpg"], told=told, sensors=sensors)
    assert [each.action for each in load_script(load_recording(folder))] == ["first", "second"]
    for each in (*told, *sensors):
        del each["number"]
    folder = retell(tmp_path, ["001.jpg"], told=told, sensors=sensors)
    assert [each.action for each in load_script(load_recording(folder))] == ["second", "first"]


@pytest.mark.parametrize(
    ("action", "why"),
    [
        ("undo", "there is nothing to take back"),
        ("correct 7 up1 nani", "there is no act 7"),
        ("correct x up1 nani", "is not an action"),
        ("correct 0", "there is no act 0"),
    ],
)
def test_what_cannot_be_taken_back_or_corrected_is_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, action: str, why: str
) -> None:
    """One line, and no traceback."""
    told = [{"after_frame": "000.jpg", "told": action}]
    assert main(["replay", str(retell(tmp_path, [], told=told)), "--json"]) == 1
    assert_one_line(capsys.readouterr().err, why)


@pytest.mark.parametrize("wrong", [{"seat": "near"}, {"number": "first"}, {"seat": [0]}])
def test_a_seat_or_a_number_that_is_none_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, wrong: dict[str, Any]
) -> None:
    """With what is wanted."""
    told = [{"after_frame": "000.jpg", "told": "undo", **wrong}]
    assert main(["replay", str(retell(tmp_path, [], told=told)), "--json"]) == 1
    assert_one_line(capsys.readouterr().err, "told is a list of objects")


def test_a_game_that_ships_no_recording_is_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Where the settings ask for the recording of a game that has none."""
    monkeypatch.setattr("companion.film.playback.recordings", dict)
    settings = tmp_path / "tiki.toml"
    settings.write_text("[camera]\nsource = 'recording'\n[table]\ngame = 'topple'\n")
    with pytest.raises(Failure, match="no recording of Topple is included"):
        main_failure("run", "--config", str(settings), "--port", "0", "--log", ":memory:")


def main_failure(*words: str) -> None:
    """Run a command whose failure is to be seen as it is raised."""
    with StopRequest() as stop:
        given = build_parser().parse_args(words, argparse.Namespace(stop=stop))
        given.run(given)
