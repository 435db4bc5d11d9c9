"""A game without a mat, at the commands: it needs no camera, and nothing of it is shown or read."""

import json
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from companion.config import camera_of, parse_config
from companion.daemon import Daemon
from companion.film.recorder import CannotRecord, Recorder
from companion.recording import BadRecording, load_recording
from companion.table.reader_opening import open_reader
from tests.commands import assert_one_line

GAME = "score_sheet"


def test_the_demo_says_that_there_is_no_recording(capsys: pytest.CaptureFixture[str]) -> None:
    """And which games it can show."""
    assert main(["demo", GAME]) == 1
    assert_one_line(
        capsys.readouterr().err,
        "there is no recording of score_sheet",
        "tiki demo can show",
        "topple",
    )


@pytest.mark.parametrize("source", ["recording", "video", "picamera2", "none"])
def test_a_game_without_a_mat_uses_no_camera(source: str) -> None:
    """Whatever camera is named, unless it is a recording to be shown; a table of all games does."""
    found: dict[str, Any] = {"table": {"game": "score_sheet"}, "camera": {"source": source}}
    assert camera_of(parse_config(found)).source == "none"
    assert camera_of(parse_config({"camera": found["camera"]})).source == source
    named = parse_config({**found, "camera": {"source": source, "folder": "somewhere"}})
    assert (camera_of(named).source == "recording") == (source == "recording")


def parsed(tmp_path: Path, source: str) -> dict[str, Any]:
    """Return the settings of a table for this game alone."""
    return {
        "table": {"game": GAME, "players": ["Ann"]},
        "camera": {"source": source},
        "web": {"port": 0, "host": "127.0.0.1"},
        "log": {"file": str(tmp_path / "games.db")},
    }


@pytest.mark.parametrize("source", ["recording", "picamera2", "none"])
def test_a_table_for_it_alone_starts_without_a_camera(tmp_path: Path, source: str) -> None:
    """Whatever the settings say of one, and there is nothing for it to learn."""
    daemon = Daemon(parse_config(parsed(tmp_path, source)))
    try:
        assert daemon.watcher is None
        assert daemon.live_session.header.game == GAME
        assert daemon.app.state.site.table.calibrate is None
    finally:
        daemon.rig.close()
        daemon.log.close()
        daemon._listener.close()


def test_it_cannot_be_recorded(tmp_path: Path) -> None:
    """And the line does not ask for a camera."""
    recorder = Recorder(tmp_path / "new", with_secrets=False)
    with pytest.raises(CannotRecord, match="score_sheet is played without a camera"):
        Daemon(parse_config(parsed(tmp_path, "picamera2")), recorder=recorder)


def recorded(folder: Path) -> Path:
    """Return a folder that tells of an evening with it."""
    actions = ["points 0 12", "points 1 -3", "end"]
    replay = {"players": ["ann", "bob"], "actions": actions}
    (folder / "session.json").write_text(json.dumps({"game": GAME, "frames": [], "replay": replay}))
    return folder


def test_a_folder_of_it_is_replayed_and_never_read(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Its actions are entered; what reads or judges pictures names the games that have some."""
    folder = recorded(tmp_path)
    assert main(["replay", str(folder)]) == 0
    told = capsys.readouterr()
    assert told.out.splitlines()[-1] == "The game is over: Ann 12, Bob -3. Ann won!"
    assert told.err == ""
    with pytest.raises(BadRecording, match="the games that can be read are tiki_topple"):
        open_reader(load_recording(folder))
    for command in ("read", "evaluate"):
        assert main([command, str(folder)]) == 1
        assert_one_line(capsys.readouterr().err, "tiki_topple")
