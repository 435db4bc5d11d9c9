"""A log's file that is deleted or replaced while it is open: nothing that was played is lost."""

import logging
import shutil
from pathlib import Path

import pytest

from companion.session.events import Entry, MoveAccepted
from companion.session.log import Log, LogError
from companion.session.recovery import check
from companion.session.schema import Extent
from tests.tables import moves, sit_down

MOVE = MoveAccepted(0, "up1 nani")
AWAY = "was deleted or moved away while the companion ran"


def two_games(log: Log) -> list[Entry]:
    """Write a game that is over and one that is not; return the entries of the second."""
    for _ in range(2):
        number = log.open_session({"game": "tiki_topple"})
        entries = [log.append(number, seq, MOVE) for seq in (1, 2)]
    return entries


def remove(path: Path) -> None:
    """Delete a log with its journal, as people would who clean up."""
    for file in path.parent.glob(f"{path.name}*"):
        file.unlink()


def test_a_deleted_log_is_written_again_whole(tmp_path: Path) -> None:
    """All games, not only the one in play; and readable by nobody else."""
    path = tmp_path / "games.db"
    said: list[str] = []
    with Log(path) as log:
        log.on_moved = said.append
        entries = two_games(log)
        remove(path)
        entries.append(log.append(2, 3, MOVE))
        assert log.entries(2) == entries
        assert log.append(2, 4, MOVE).seq == 4
    assert said == [
        f"{path} {AWAY}; all games in it were written again",
    ]
    assert path.stat().st_mode & 0o777 == 0o600
    assert check(path) == Extent(2, 6)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["games.db"]


def test_a_log_that_was_moved_away_is_whole_in_both_places(tmp_path: Path) -> None:
    """What had been written by then is in the old file, all of it in the new one."""
    path, old = tmp_path / "games.db", tmp_path / "old.db"
    with Log(path) as log:
        two_games(log)
        path.rename(old)
        log.append(2, 3, MOVE)
    assert check(old) == Extent(2, 4)
    assert check(path) == Extent(2, 5)


def test_a_log_that_was_replaced_leaves_the_other_file_alone(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """It goes on beside it, under a name that is free, and says which."""
    path, other = tmp_path / "games.db", tmp_path / "backup.db"
    said: list[str] = []
    (tmp_path / "games-2.db").write_text("taken")
    with Log(other) as log:
        log.open_session({"game": "topple"})
    backup = other.read_bytes()
    with Log(path) as log, caplog.at_level(logging.WARNING):
        log.on_moved = said.append
        entries = two_games(log)
        other.replace(path)
        entries.append(log.append(2, 3, MOVE))
        assert log.path == str(tmp_path / "games-3.db")
        assert log.entries(2) == entries
        entries.append(log.append(2, 4, MOVE))
    assert path.read_bytes() == backup
    assert check(path) == Extent(1, 0)
    assert check(tmp_path / "games-3.db") == Extent(2, 6)
    (line,) = said
    assert line.endswith(
        f"all games are in {tmp_path / 'games-3.db'} now, and this one continues there"
    )
    assert line in caplog.text


def test_the_journal_of_the_other_file_is_left_alone_too(tmp_path: Path) -> None:
    """Whoever copies a log with its journal over ours keeps both."""
    path, other = tmp_path / "games.db", tmp_path / "backup.db"
    with Log(path) as log:
        two_games(log)
        with Log(other) as another:
            another.open_session({"game": "topple"})
            for suffix in ("", "-wal"):
                shutil.copy(tmp_path / f"backup.db{suffix}", tmp_path / f"copy{suffix}")
                (tmp_path / f"copy{suffix}").replace(tmp_path / f"games.db{suffix}")
        journal = (tmp_path / "games.db-wal").read_bytes()
        log.append(2, 3, MOVE)
        assert (tmp_path / "games.db-wal").read_bytes() == journal
    assert check(path) == Extent(1, 0)
    assert check(tmp_path / "games-2.db") == Extent(2, 5)


def test_it_is_noticed_at_the_end_at_the_latest(tmp_path: Path) -> None:
    """A game that is over when its file is deleted is there at the next start."""
    path = tmp_path / "games.db"
    with Log(path) as log:
        two_games(log)
        remove(path)
    assert check(path) == Extent(2, 4)


def test_a_folder_that_is_gone_stops_the_game_until_it_is_back(tmp_path: Path) -> None:
    """Such as a stick that was pulled out; the line says what to do, and what not to."""
    folder = tmp_path / "stick"
    folder.mkdir()
    path = folder / "games.db"
    with Log(path) as log:
        live_session = sit_down(log=log)
        live_session.referee.enter("up1 lokahi")
        shutil.rmtree(folder)
        with pytest.raises(LogError) as caught:
            live_session.referee.enter("up1 nani")
        assert str(caught.value) == (
            f"{path} {AWAY}, and {path} cannot be written"
            " (No such file or directory); put the folder back or free some space, and do not stop"
            " the companion before"
        )
        assert moves(live_session) == [(0, "up1 lokahi")]
        assert live_session.troubles == (
            f"the log: {caught.value}; then the game goes on by itself",
        )
        assert not log.retry()
        folder.mkdir()
        assert log.retry()
        assert live_session.troubles == (
            f"the log's file: {path} {AWAY}; all games in it were written again",
        )
        live_session.referee.enter("up1 nani")
    with Log(path) as log:
        assert [entry.seq for entry in log.entries(1)] == [1, 2]
