"""Files of games that cannot be read: one line that says what to do."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from companion.cli import main
from companion.registry import GAMES
from tests.log_files import rows_of, write_raw
from tests.logged_games import TOLD, TOLD_ENTRIES

LOST: Final = "use the version that wrote it, or choose another file for the log"


def write_log(path: Path, header: Mapping[str, Any] | str, body: str) -> None:
    """Write a log of one session: *header*, an entry that is right, and *body* unless it is ""."""
    text = header if isinstance(header, str) else json.dumps(header)
    write_raw(path, text, [json.dumps(TOLD_ENTRIES[0]), *([body] if body else [])])


@pytest.mark.parametrize("words", [("replay",), ("replay", "--entered"), ("read",), ("run",)])
def test_a_recording_of_a_game_that_nobody_knows_is_refused(
    settings: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    """By every command that takes one: one line with the games that are known."""
    folder = tmp_path / "chess"
    folder.mkdir()
    replay = {"players": ["ann", "bob"], "actions": ["e4"]}
    described = {"game": "chess", "frames": [{"frame": "000.jpg"}], "replay": replay}
    (folder / "session.json").write_text(json.dumps(described))
    more = ["--config", str(settings), "--replay"] if words == ("run",) else []
    assert main([*words, *more, str(folder)]) == 1
    captured = capsys.readouterr()
    (line,) = captured.err.splitlines()
    assert "is for chess; " in line
    assert all(game in line for game, listed in GAMES.items() if listed.is_watched)
    assert captured.out == ""


@pytest.mark.parametrize(
    ("header", "body", "words"),
    [
        (TOLD, '{"type": "jump"}', "no event has the type 'jump'"),
        (TOLD, '{"type": "observed", "action": "roll 1", "luck": 3}', "unknown field 'luck'"),
        (TOLD, '{"type": "obs', "Unterminated string"),
        (TOLD, "[1]", "an event is a JSON object"),
        ('{"game": "top', "", "its header is not JSON"),
        ("[1]", "", "its header is not a JSON object"),
        ({}, "", "a header that cannot be read (game is missing)"),
        ({**TOLD, "players": None}, "", "(players is null; it must be a list of texts)"),
        ({**TOLD, "version": 2}, "", "(format 2, this version reads 1)"),
        ({**TOLD, "zzz": "red"}, "", "(unknown field 'zzz'; known: game, players, options"),
    ],
)
def test_a_log_that_cannot_be_understood_is_refused_with_what_to_do(
    settings: Path,
    capsys: pytest.CaptureFixture[str],
    header: Mapping[str, Any] | str,
    body: str,
    words: str,
) -> None:
    """Of the present format, and by `tiki run`: one line, and the file stays as it is."""
    path = settings.with_name("games.db")
    write_log(path, header, body)
    before = rows_of(path)
    assert main(["run", "--config", str(settings)]) == 1
    captured = capsys.readouterr()
    (line,) = captured.err.splitlines()
    assert line.startswith("tiki: ")
    assert words in line
    assert line.endswith(LOST)
    assert captured.out == ""
    assert rows_of(path) == before
