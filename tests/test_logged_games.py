"""Games in a log: they are taken up wherever they broke off, or refused with what to do."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from companion.referee.live_session import LiveSession
from companion.rules.tiki_topple import TIKIS
from companion.session.events import RoundScored
from companion.session.log import Log, LogError
from companion.session.session import Header
from tests.log_files import write_games
from tests.logged_games import AFTER, ENTRIES, LINE, TOLD, TOLD_ENTRIES, Body
from tests.tables import moves, open_log, see, told

MOVES = [
    (0, "topple eepo"),
    (1, "up1 nani"),
    (0, "up1 nani"),
    (1, "topple hookipa"),
    (0, "toast hookipa"),
    (1, "toast eepo"),
]


def write(path: Path, header: Mapping[str, Any], entries: Sequence[Body]) -> Path:
    """Write a log of one session."""
    return write_games(path, (header, entries))


def resume(path: Path) -> LiveSession:
    """Return the session that takes up the log at *path*."""
    other = Header("topple", ("Nobody", "Else"), {}, {})  # what would be opened, if there were none
    return LiveSession(open_log(path), other)


def test_a_whole_game_is_found_as_it_was(tmp_path: Path) -> None:
    """Every move, the line, the scores; and nothing is added to the log."""
    live_session = resume(write(tmp_path / "games.db", LINE, ENTRIES))
    assert live_session.resumed
    assert live_session.header == Header.from_json(LINE)
    assert len(live_session.session.entries) == len(ENTRIES)
    assert moves(live_session) == MOVES
    assert live_session.session.state.line == tuple(AFTER[11].split())
    result = live_session.referee.result()
    assert (result.scores, result.winners, result.moves) == ((0, 5), (1,), 6)


@pytest.mark.parametrize("kept", range(len(ENTRIES) + 1))
def test_a_game_that_broke_off_anywhere_is_taken_up(tmp_path: Path, kept: int) -> None:
    """What was undone stays undone, and what follows by itself is entered, once."""
    live_session = resume(write(tmp_path / "games.db", LINE, ENTRIES[:kept]))
    assert live_session.resumed
    state = live_session.session.state
    shown = [seq for seq in AFTER if seq <= kept and (seq != 4 or kept == 4)]
    assert state.line == (tuple(AFTER[shown[-1]].split()) if shown else TIKIS)
    if kept >= 11:  # the cards were entered: they are shown, and the round is scored
        assert state.scores == (0, 5)
        events = [entry.event for entry in live_session.session.entries]
        assert len(events) == len(ENTRIES)
        scored = RoundScored(1, tuple(AFTER[11].split()), (0, 5), (0, 5), "TT-10")
        assert [event for event in events if isinstance(event, RoundScored)] == [scored]


def test_play_goes_on_where_it_was_left(tmp_path: Path) -> None:
    """By camera and by hand, to the same scores; what was there can be taken back and corrected."""
    path = write(tmp_path / "games.db", LINE, ENTRIES[:8])
    live_session = resume(path)
    live_session.observe(see("020.jpg", AFTER[7].split()))  # nothing has changed meanwhile
    assert told(live_session, "illegal", "ask", "move") == []
    live_session.observe(see("021.jpg", AFTER[9].split()))
    live_session.referee.enter("toast hookipa")
    live_session.observe(see("022.jpg", AFTER[11].split()))
    assert moves(live_session) == MOVES
    assert live_session.session.state.scores == (0, 5)
    live_session.log.close()
    again = resume(path)
    assert moves(again) == MOVES
    again.referee.undo()
    again.referee.undo()
    assert moves(again) == MOVES[:4]
    again.referee.correct(7, "up1 lokahi")
    assert moves(again)[2] == (0, "up1 lokahi")


def test_an_open_move_can_still_turn_out_to_be_either(tmp_path: Path) -> None:
    """Its other form was kept, and later play decides."""
    live_session = resume(write(tmp_path / "games.db", LINE, ENTRIES[:6]))
    assert live_session.session.history.forms(3) == {"topple eepo", "up1 nui"}
    live_session.referee.enter("topple wikiwiki")
    assert live_session.session.history.forms(3) == {"up1 nui"}


def test_a_game_that_was_told_is_taken_up_too(tmp_path: Path) -> None:
    """Its moves have no table, and its rounds an empty one."""
    live_session = resume(write(tmp_path / "games.db", TOLD, TOLD_ENTRIES))
    assert live_session.resumed
    assert len(live_session.session.entries) == len(TOLD_ENTRIES)
    assert live_session.session.state.total == (3, -10, 0)
    live_session.referee.enter("roll 4")
    assert live_session.session.history.acts[-1].forms == ("roll 4",)


ILLEGAL = {**ENTRIES[2], "action": "toast nui", "also": []}
ELSEWHERE = {**ENTRIES[2], "table": list(TIKIS)}
NO_ACTION = {"type": "secret", "seat": 0, "round": 1, "action": "fly me"}


@pytest.mark.parametrize(
    ("header", "entries", "words"),
    [
        (
            {**LINE, "game": "chess"},
            (),
            "holds a game of chess, which this version does not support; choose another file",
        ),
        (LINE, (ILLEGAL,), "session 1 does not replay: entry 1: toast nui is not legal here"),
        (LINE, (*ENTRIES[:2], ELSEWHERE), "does not replay: entry 3: topple eepo is not legal"),
        (LINE, ({**ENTRIES[4], "undone": 9},), "does not replay: entry 9 is not a move that still"),
        (LINE, (NO_ACTION,), "does not replay: 'fly me' is not an action"),
        ({**LINE, "options": {"rounds": 0}}, (), "does not replay: rounds"),
        ({**LINE, "setup": {"line": ["nani"]}}, (), "does not replay: "),
        ({**LINE, "players": ["Ann"]}, (), "does not replay: "),
    ],
)
def test_a_log_that_cannot_be_followed_is_refused_with_what_to_do(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    header: Mapping[str, Any],
    entries: Sequence[Body],
    words: str,
) -> None:
    """In one line by `tiki run` too; and the file stays as it is."""
    path = write(tmp_path / "games.db", header, entries)
    with Log(path) as log:
        with pytest.raises(LogError) as caught:
            LiveSession(log, Header.from_json(LINE))
        assert log.unfinished() == 1
        assert len(log.entries(1)) == len(entries)
    assert words in str(caught.value)
    config = tmp_path / "tiki.toml"
    config.write_text("[camera]\nsource = 'none'\n[web]\nhost = '127.0.0.1'\nport = 0\n")
    assert main(["run", "--config", str(config), "--log", str(path)]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"tiki: {path}")
    assert words in line
    assert line.endswith("choose another file for the log")
