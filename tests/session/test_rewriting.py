"""A log written anew with other names: nothing else changes, and the old names are nowhere."""

import resource
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from companion.referee.live_session import LiveSession
from companion.session.log import Log
from companion.session.log_errors import LogError
from companion.session.recovery import check
from tests.referee.played import play
from tests.tables import open_log


def without_ann(names: Sequence[str]) -> list[str]:
    """Return *names* with Ann's taken out."""
    return ["Somebody" if name == "Ann" else name for name in names]


def two_games(log: Log) -> LiveSession:
    """Return a game that is on, after one that was played to its end."""
    live_session = play("score_sheet", 1, log=log)
    live_session.renew(live_session.header, "the host began a new game")
    live_session.referee.enter("points 0 3")
    return live_session


def test_names_are_gone_from_the_file_and_all_else_stays(tmp_path: Path) -> None:
    """Entries, times and numbers are as they were; the game that is on goes on."""
    path = tmp_path / "games.db"
    with Log(path) as log:
        live_session = two_games(log)
        before = [log.entries(number) for number in (1, 2)]
        opened, state = log.opened(), live_session.session.state
        live_session.rename_players(without_ann)
        assert live_session.header.players[0] == "Somebody"
        assert live_session.session.state == state
        live_session.referee.enter("points 1 4")
        assert [log.entries(1), log.entries(2)[:-1]] == before
        assert log.opened() == opened
    assert b"Ann" not in b"".join(each.read_bytes() for each in tmp_path.iterdir())
    assert [each.name for each in tmp_path.iterdir()] == ["games.db"]
    assert path.stat().st_mode & 0o077 == 0
    assert check(path).sessions == 2
    with Log(path) as log:
        assert {log.header(number)["players"][0] for number in (1, 2)} == {"Somebody"}
        assert log.unfinished() == 2


def test_a_log_that_keeps_nothing_is_renamed_too() -> None:
    """A header that is none stays as it is."""
    live_session = two_games(open_log())
    live_session.log.open_session({"game": "chess"})
    live_session.rename_players(without_ann)
    assert live_session.log.header(1)["players"][0] == "Somebody"
    assert live_session.log.header(3) == {"game": "chess"}


def test_questions_name_players_as_they_are_called_now() -> None:
    """The referee asks nobody by a name that is gone."""
    live_session = two_games(open_log())
    live_session.rename_players(without_ann)
    assert "Ann" not in repr(vars(live_session.referee._clerk.words))


def test_notices_that_name_players_are_forgotten() -> None:
    """Who comes back to the stream is told that some are missing, and all entries."""
    live_session = two_games(open_log())
    live_session.feed.publish({"type": "seat", "seat": 0, "message": "Ann has joined"})
    before = live_session.feed.since(0)
    live_session.rename_players(without_ann)
    after = live_session.feed.since(0)
    assert [(item.number, item.id) for item in after] == [(item.number, item.id) for item in before]
    assert [item for item in after if item.is_entry] == [item for item in before if item.is_entry]
    assert {item.body["type"] for item in after if not item.is_entry} == {"gap"}
    assert "Ann" not in repr(after)


def test_what_is_waited_for_is_said_anew() -> None:
    """By the name that the player has now, to followers too."""
    live_session = play("topple", 1, 0)
    assert live_session.waiting is not None
    assert live_session.waiting.message == "Ann rolls the die"
    live_session.rename_players(without_ann)
    assert live_session.waiting.message == "Somebody rolls the die"
    assert live_session.feed.since(0)[-1].body["message"] == "Somebody rolls the die"


def test_a_log_that_cannot_be_written_keeps_its_names(tmp_path: Path) -> None:
    """Nothing has changed, and there is no draft."""
    path = tmp_path / "games.db"
    with Log(path) as log:
        two_games(log)
    before = path.read_bytes()
    program = (
        "import resource, sys; from companion.session.log import Log; log = Log(sys.argv[1]);"
        f" resource.setrlimit(resource.RLIMIT_FSIZE, (8192, {resource.RLIM_INFINITY}));"
        " log.rewrite_headers(lambda text: text.replace('Ann', 'Nobody'))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(path)], check=False, capture_output=True, text=True
    )
    assert done.returncode == 1
    assert "LogError" in done.stderr
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["games.db"]


def test_a_log_in_trouble_is_not_written_anew(tmp_path: Path) -> None:
    """What is said is why."""
    with Log(tmp_path / "games.db") as log:
        live_session = two_games(log)
        log.trouble = "the disk is full"
        with pytest.raises(LogError, match="the disk is full"):
            live_session.rename_players(without_ann)
        assert live_session.header.players[0] == "Ann"
