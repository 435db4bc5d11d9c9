"""`tiki log export` and `tiki log import`: games leave one log and enter another."""

import json
from pathlib import Path

import pytest

from companion.cli import main
from companion.session.log import Log
from tests.referee.played import play


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """Return a log with a finished game of Tiki Topple and one of Topple that is on."""
    path = tmp_path / "games.db"
    with Log(path) as log:
        live_session = play("tiki_topple", 1, log=log)
        assert live_session.game.rules.outcome(live_session.session.state)
        play_header = live_session.header
        live_session.renew(play_header, "the host began a new game")
    return path


def run(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    """Return the exit status of a command, and what it said and complained."""
    status = main(list(map(str, words)))
    out, err = capsys.readouterr()
    return status, out, err


def test_a_game_goes_from_one_log_to_another(
    saved: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is printed can be read in again; there it is one more past game."""
    status, out, err = run(capsys, "log", "export", 1, "--log", saved)
    assert (status, err) == (0, "")
    lines = [json.loads(line) for line in out.splitlines()]
    assert (lines[0]["type"], lines[0]["game"], lines[-1]["type"]) == (
        "game",
        "tiki_topple",
        "result",
    )
    record, other = tmp_path / "game.jsonl", tmp_path / "new folder" / "other.db"
    record.write_text(out)
    status, out, err = run(capsys, "log", "import", record, "--log", other)
    assert (status, err) == (0, "")
    assert out == f"{other}: game 1 was added: tiki_topple, Ann, Bob, Cem\n"
    assert run(capsys, "log", "export", "--log", other)[1] == record.read_text()
    assert run(capsys, "log", "check", other)[0] == 0


def test_the_newest_game_is_exported_if_none_is_named(
    saved: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It may be the one that is on."""
    _, out, _ = run(capsys, "log", "export", "--log", saved)
    assert len(out.splitlines()) == 2  # header and result: nobody has moved yet


def test_only_a_finished_game_is_told_in_full(
    saved: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """While it is on, its secrets stay where they are."""
    status, out, err = run(capsys, "log", "export", "--full", "--log", saved)
    assert (status, out) == (1, "")
    assert err == "tiki: game 2 is not finished; leave --full out\n"
    _, out, _ = run(capsys, "log", "export", 1, "--full", "--log", saved)
    assert '"type": "secret"' in out
    assert '"type": "secret"' not in run(capsys, "log", "export", 1, "--log", saved)[1]


def test_what_cannot_be_exported_is_said_in_one_line(
    saved: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No such game, no such log: which, and what there is."""
    nowhere = tmp_path / "none.db"
    for words, said in (
        (
            (9, "--log", saved),
            f"tiki: there is no game 9 in {saved}; it has 2 games, numbered from 1\n",
        ),
        (
            (0, "--log", saved),
            f"tiki: there is no game 0 in {saved}; it has 2 games, numbered from 1\n",
        ),
        (
            ("--log", nowhere),
            f"tiki: there is no {nowhere}, so no game has been saved there; name it with --log\n",
        ),
    ):
        assert run(capsys, "log", "export", *words) == (1, "", said)
    assert not nowhere.exists()
    Log(nowhere).close()
    said = f"tiki: no game has been saved in {nowhere} yet\n"
    assert run(capsys, "log", "export", "--log", nowhere) == (1, "", said)


def test_a_bad_record_leaves_the_log_as_it_is(
    saved: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line says which file, which line and why."""
    record = tmp_path / "game.jsonl"
    whole = run(capsys, "log", "export", 1, "--log", saved)[1].splitlines(keepends=True)
    record.write_text("".join([*whole[:5], *whole[6:]]))
    status, out, err = run(capsys, "log", "import", record, "--log", saved)
    assert (status, out) == (1, "")
    assert err == (
        f"tiki: {record}, line 6: its seq is 6, not 5:"
        " a line is missing, or there is one too many\n"
    )
    for gone in (tmp_path / "none.jsonl", tmp_path):
        status, _, err = run(capsys, "log", "import", gone, "--log", saved)
        assert status == 1
        assert err.startswith(f"tiki: {gone} cannot be read: ")
    with Log(saved) as log:
        assert len(log.opened()) == 2


def test_an_import_needs_the_log_for_itself(
    saved: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """While the companion runs, it is said that it does."""
    monkeypatch.setattr("companion.session.log_file.BUSY_TIMEOUT_S", 0.01)
    record = tmp_path / "game.jsonl"
    record.write_text(run(capsys, "log", "export", 1, "--log", saved)[1])
    with Log(saved):
        for words in (("import", record), ("export",)):
            status, _, err = run(capsys, "log", *words, "--log", saved)
            assert status == 1
            assert "is in use by another tiki; stop that one" in err
