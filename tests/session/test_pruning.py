"""`tiki log prune`: old games leave the log at their owner's word, and nothing else does."""

import resource
import subprocess
import sys
from datetime import date, timedelta
from pathlib import Path

import pytest

from companion.cli import main
from companion.session.events import SessionClosed
from companion.session.log import Log
from companion.session.log_errors import LogError
from companion.session.pruning import find_old, prune
from companion.session.recovery import check
from tests.log_files import rows_of
from tests.referee.played import play

TODAY = date.today().isoformat()  # noqa: DTZ011 - only far from midnight does it matter
TOMORROW = (date.fromisoformat(TODAY) + timedelta(days=2)).isoformat()
OLD = "2020-02-03T20:00:00.000+00:00"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a log with two old games, one of them closed, one of today, and one that is on."""
    path = tmp_path / "games.db"
    with Log(path) as log:
        for at in (OLD, "2021-01-01T00:00:00.000+00:00"):
            log.append(log.open_session({"game": "topple"}, at), 1, SessionClosed("ended"), at)
        live_session = play("tiki_topple", 1, log=log)
        live_session.renew(live_session.header, "the host began a new game")
    frames = tmp_path / "games.frames"
    frames.mkdir()
    for name in ("1-4.jpg", "2-1.jpg", "3-1.jpg", "11-1.jpg"):
        (frames / name).write_bytes(b"picture")
    return path


def test_it_only_says_so_at_first(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What would go, out of how many; the file stays to the byte."""
    before = path.read_bytes()
    assert main(["log", "prune", "--before", "2025-01-01", "--log", str(path)]) == 0
    out = capsys.readouterr().out
    assert out.startswith(
        f"{path}: 2 games of 4, begun from 2020-02-03 to 2021-01-01, can be removed: add --delete\n"
    )
    assert path.read_bytes() == before


def test_old_games_go_with_their_pictures(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The others keep numbers, times and words, and every checksum holds."""
    sessions, entries = rows_of(path)
    size = path.stat().st_size
    words = ["log", "prune", "--before", "2020-12-31", "--log", str(path), "--delete"]
    assert main(words) == 0
    assert capsys.readouterr().out == (
        f"{path}: 1 game of 4, begun from 2020-02-03 to 2020-02-03, and 1 kept pictures removed\n"
    )
    assert rows_of(path) == [sessions[1:], [row for row in entries if row[0] != 1]]
    assert check(path).sessions == 3
    assert path.stat().st_size <= size
    assert path.stat().st_mode & 0o777 == 0o600
    assert sorted(each.name for each in path.parent.iterdir()) == ["games.db", "games.frames"]
    names = sorted(each.name for each in path.with_suffix(".frames").iterdir())
    assert names == ["11-1.jpg", "2-1.jpg", "3-1.jpg"]


def test_the_game_that_is_on_stays(path: Path) -> None:
    """Whenever it began; so the companion goes on with it, and numbers are never given twice."""
    assert prune(path, TOMORROW).numbers == (1, 2, 3)
    with Log(path) as log:
        assert log.unfinished() == 4
        assert log.open_session({}) == 5
    assert find_old(path, TOMORROW).numbers == (4,)


def test_nothing_old_is_no_error(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And the file is not written anew."""
    inode = path.stat().st_ino
    assert main(["log", "prune", "--before", "2019-01-01", "--log", str(path), "--delete"]) == 0
    assert "no game that can be removed" in capsys.readouterr().out
    assert path.stat().st_ino == inode


@pytest.mark.parametrize("day", ["yesterday", "2026-02-30", "", "1.1.2026"])
def test_no_day_is_refused(day: str, capsys: pytest.CaptureFixture[str]) -> None:
    """With what would be one."""
    with pytest.raises(SystemExit):
        main(["log", "prune", "--before", day])
    assert "write it like 2026-01-31" in capsys.readouterr().err


def test_what_is_in_use_or_not_there_is_named(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The companion has to be stopped."""
    monkeypatch.setattr("companion.session.log_file.BUSY_TIMEOUT_S", 0.01)
    with Log(path), pytest.raises(LogError, match="in use by another tiki"):
        prune(path, TOMORROW)
    with pytest.raises(LogError, match="there is no"):
        prune(tmp_path / "none.db", TOMORROW)


def test_a_full_disk_leaves_all_as_it_was(path: Path) -> None:
    """The new file did not fit; the old one is there, and no draft."""
    before = path.read_bytes()
    program = (
        "import resource, sys; from companion.cli import main;"
        f" resource.setrlimit(resource.RLIMIT_FSIZE, (8192, {resource.RLIM_INFINITY}));"
        " sys.exit(main(sys.argv[1:]))"
    )
    words = ["log", "prune", "--before", TOMORROW, "--log", str(path), "--delete"]
    done = subprocess.run(
        [sys.executable, "-c", program, *words], check=False, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr.count("\n")) == (1, 1), done.stderr
    assert path.read_bytes() == before
    assert sorted(each.name for each in path.parent.iterdir()) == ["games.db", "games.frames"]
