"""Files with secrets, and pictures of people's homes: for nobody else on the machine to read."""

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from companion.config import parse_config
from companion.daemon import Daemon
from companion.files import make_private, private_patterns, write_whole
from companion.session.log import Log, LogError
from companion.table.calibration_picture import SavedCalibration, save_calibration_picture
from companion.web.http.keys import Keys
from vision.capture.frame import Frame

LOOSE = ("keys.json", "lessons.json", "colours.jpg", "topple.colours.jpg", "topple.colours.json")


@pytest.fixture(autouse=True)
def open_umask() -> Iterator[None]:
    """Let files be for everybody wherever the companion does not see to it itself."""
    before = os.umask(0)
    yield
    os.umask(before)


def modes(*paths: Path) -> set[int]:
    """Return what may be done with *paths*."""
    return {path.stat().st_mode & 0o777 for path in paths}


def test_what_is_written_is_private(tmp_path: Path) -> None:
    """Log and journal, keys, a calibration's picture and what it shows."""
    log = tmp_path / "games.db"
    with Log(log) as opened:
        opened.open_session({})
        Keys(None, log.with_suffix(".keys.json"))
        picture = np.zeros((8, 8, 3), np.uint8)
        save_calibration_picture(
            log, "topple", SavedCalibration(Frame("001.jpg", picture, 0.0), {}, {})
        )
        files = list(tmp_path.iterdir())
        assert len(files) >= 5
        assert modes(*files) == {0o600}
        matched = {path for pattern in private_patterns(log) for path in tmp_path.glob(pattern)}
        assert matched == set(files)


def test_an_old_file_is_replaced_by_a_private_one(tmp_path: Path) -> None:
    """Also where a crash has left a draft behind."""
    path = tmp_path / "games.keys.json"
    for file in (path, tmp_path / "games.keys.json.part"):
        file.touch(0o666)
    write_whole(path, b"{}")
    assert modes(path) == {0o600}
    assert list(tmp_path.iterdir()) == [path]


def test_what_was_open_to_everybody_is_closed(tmp_path: Path) -> None:
    """The log with the journal of a killed process, and all that is kept beside it; no more."""
    path = tmp_path / "old.db"
    with Log(path) as log:
        log.open_session({})
        copied = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    assert "old.db-wal" in copied
    copied |= dict.fromkeys((f"old.{name}" for name in LOOSE), b"")
    for name, data in copied.items():
        (tmp_path / name).write_bytes(data)
        (tmp_path / name).chmod(0o666)
    other = tmp_path / "older.txt"
    other.touch()
    files = [tmp_path / name for name in copied]
    assert modes(*files, other) == {0o666}
    with Log(path) as log:
        assert log.unfinished() == 1
        log.open_session({})
        assert modes(*files) == {0o600}
    assert modes(other) == {0o666}


def test_what_its_owner_has_closed_stays_closed(tmp_path: Path) -> None:
    """Nothing is added to what the owner may do."""
    path = tmp_path / "games.keys.json"
    for before, after in ((0o400, 0o400), (0o640, 0o600), (0o777, 0o700)):
        path.touch()
        path.chmod(before)
        make_private(path)
        assert modes(path) == {after}
    make_private(tmp_path / "missing")


def test_a_file_that_is_no_log_is_left_as_it_is(tmp_path: Path) -> None:
    """It was named by mistake, and is somebody's."""
    foreign = tmp_path / "letter.txt"
    foreign.write_text("no database at all, but long enough to be taken for one " * 20)
    with pytest.raises(LogError):
        Log(foreign)
    assert modes(foreign) == {0o666}


def test_the_folder_of_the_games_is_private(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The companion makes it for one user."""
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "tiki"))
    web = {"host": "127.0.0.1", "port": 0}
    daemon = Daemon(parse_config({"camera": {"source": "none"}, "web": web}))
    daemon.log.close()
    daemon.rig.close()
    daemon._listener.close()
    assert modes(tmp_path / "tiki") == {0o700}
    assert modes(*(tmp_path / "tiki").iterdir()) == {0o600}
