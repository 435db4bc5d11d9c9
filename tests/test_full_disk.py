"""A log that cannot be written: the game stops for all to see, and goes on by itself."""

import json
import re
import resource
import shutil
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest

from companion.cli import main
from companion.scenes.calls import call_of
from companion.scenes.scene import scene_of
from companion.scoreboard import read_scoreboard
from companion.session.events import MoveUndone
from companion.session.log import Log, LogError
from companion.web.app import create_app
from companion.web.http.keys import Keys
from companion.web.running_table import RunningTable
from companion.web.site import Site
from hardware.output_devices import OutputDevices
from tests.commands import TIKI
from tests.full_disks import LINES, PLAYED, limit_files, log, read_only, waiting
from tests.tables import moves, see, sit_down, told
from tests.web.lines import CARD
from tests.web.visitors import Pub, Visitor, alert, open_pub

__all__ = ["log"]

READ_ONLY: Final = "attempt to write a readonly database; is the folder there, writable, and the"


def test_the_table_that_could_not_be_logged_is_judged_again(log: Log) -> None:
    """No hand has to cross the board: the same picture, seen again, is the same move."""
    live_session = sit_down(log=log)
    with read_only(log), pytest.raises(LogError):
        live_session.observe(see("1", LINES[0]))
    assert log.retry()
    live_session.observe(see("1", LINES[0]))
    assert moves(live_session) == PLAYED[:1]
    assert live_session.referee.question is None


def test_pages_display_and_voice_say_so_until_it_is_over(log: Log) -> None:
    """And what people may do about it; the game that is on is still shown."""
    live_session = sit_down(log=log)
    page = open_pub(live_session).host()
    with read_only(log):
        with pytest.raises(LogError):
            live_session.observe(see("1", LINES[0]))
        board = read_scoreboard(live_session)
        assert (board.waiting, board.waiting_for) == ("not_saved", "The game cannot be saved")
        assert board.warnings[-1] == (
            f"the log: {log.path}: {READ_ONLY} disk not full?; then the game goes on by itself"
        )
        assert scene_of(board).kind == "not_saved"
        assert call_of(board).words == "The game cannot be saved. Please look at the page."
        assert 'data-reason="not_saved"' in page.get("/").text
        assert "Everything on this page is saved" in page.get("/").text
        assert told(live_session, "waiting")[-1]["reason"] == "not_saved"
        assert not log.retry()
        assert len(told(live_session, "waiting")) == 1
    assert log.retry()
    board = read_scoreboard(live_session)
    assert (board.waiting, live_session.troubles) == ("", ())
    assert scene_of(board).kind == "turn"
    assert "not_saved" not in page.get("/").text


@contextmanager
def unwritable(log: Log, *, known: bool) -> Iterator[None]:
    """Let *log* refuse to be written; *known*: it has been tried already."""
    with read_only(log):
        if known:
            with pytest.raises(LogError):
                log.open_session({})
        yield


WRITES: Final[dict[str, dict[str, Any]]] = {
    "/enter": {"action": "up1 nani", "mark": 2},
    "/instead": {"action": "up2 nani", "mark": 2},
    "/undo": {"seq": 1},
    "/correct": {"seq": 1, "action": "up2 nani", "mark": 2},
    "/new": {"step": "start", "game": "topple", "players": 2},
    "/api/tell": {"action": "up1 nani"},
}


@pytest.mark.parametrize("known", [False, True])
@pytest.mark.parametrize("path", WRITES)
def test_every_form_that_writes_is_refused_with_503(log: Log, path: str, known: bool) -> None:
    """In one sentence, with nothing changed; and it works as soon as the log can be written."""
    pub = open_pub(sit_down(log=log))
    host = pub.host()
    pub.live_session.referee.enter("up1 lokahi")
    before = (pub.live_session.session.number, list(pub.live_session.session.entries))
    with unwritable(log, known=known):
        answer = host.post(path, **WRITES[path])
        assert answer.status_code == 503
        said = answer.json()["error"] if path == "/api/tell" else alert(answer)
        assert said == f"That could not be saved: {log.path}: {READ_ONLY} disk not full?."
        assert waiting(pub.live_session)[0] == "not_saved"
        session = pub.live_session.session
        assert (session.number, list(session.entries)) == before
        assert not any(pub.keys.is_taken(seat) for seat in range(3))
    assert log.retry()
    assert host.post(path, **WRITES[path]).status_code < 400


def test_a_log_that_fails_anywhere_else_is_answered_in_a_sentence_too(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page that could not even be made says why."""
    host = open_pub(sit_down(log=log)).host()

    def fail(_: object) -> None:
        raise LogError("the disk is full")

    monkeypatch.setattr(Site, "board", fail)
    answer = host.get("/api/state")
    assert answer.status_code == 503
    assert answer.json() == {"error": "That could not be saved: the disk is full."}


def answer_question(pub: Pub, host: Visitor) -> int:
    """Return the status of an answer to the question that stands."""
    question = read_scoreboard(pub.live_session).question
    assert question is not None
    return host.post("/choose", mark=question.mark, choice=0).status_code


def test_an_answer_that_cannot_be_written_can_be_given_again(log: Log) -> None:
    """The question stands until it can."""
    pub = open_pub(sit_down(log=log))
    host = pub.host()
    pub.live_session.observe(see("1", LINES[1]))
    with read_only(log):
        assert answer_question(pub, host) == 503
    assert log.retry()
    assert answer_question(pub, host) == 303
    assert moves(pub.live_session) == PLAYED[:2]


def test_a_secret_that_cannot_be_written_is_not_kept(log: Log) -> None:
    """Nor given away by the refusal."""
    pub = open_pub(sit_down(log=log, rounds=1))
    player = pub.player(0)
    with read_only(log):
        answer = player.post("/seat", **CARD, round=1)
        assert answer.status_code == 503
        assert not any(tiki in alert(answer) for tiki in CARD.values())
    assert pub.live_session.session.history.secrets == {}
    assert log.retry()
    assert player.post("/seat", **CARD, round=1).status_code == 303


def test_a_new_game_counts_though_the_keys_cannot_be_written(tmp_path: Path, log: Log) -> None:
    """Its links work, and the page says what is wrong; only a restart would make others."""
    folder = tmp_path / "keys"
    folder.mkdir()
    live_session, keys = sit_down(log=log), Keys("host", folder / "keys.json")
    app = create_app(RunningTable(live_session, keys, OutputDevices()))
    (folder / "keys.json").unlink()
    folder.rmdir()
    live_session.renew(live_session.header, "once more")
    assert live_session.session.number == 2
    (trouble,) = live_session.troubles
    assert "cannot be saved (No such file or directory)" in trouble
    assert Visitor(app).get(f"/join/{keys.invitation(0)}").status_code == 200
    folder.mkdir()
    live_session.renew(live_session.header, "once more")
    assert live_session.troubles == ()
    assert Keys(file=folder / "keys.json").invitation(0) == keys.invitation(0)


def test_a_journal_that_cannot_be_copied_stops_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The entry is kept, but not twice; nothing follows it until it is, and then all goes on."""
    path, alone = tmp_path / "game.db", tmp_path / "alone.db"
    monkeypatch.setattr("companion.session.log_file.COPIED_TOGETHER", 1)
    with Log(path) as log:
        number = log.open_session({"game": "topple"})
        entered = 0
        limit_files(0, Path(f"{path}-wal").stat().st_size)  # it need not grow, but the file must
        try:
            while not log.trouble:
                entered += 1
                log.append(number, entered, MoveUndone(entered, "place 22 pink" * 20))
            assert "the disk" in log.trouble
            with pytest.raises(LogError):
                log.append(number, entered + 1, MoveUndone(1, "roll 3"))
            assert not log.retry()
        finally:
            limit_files(0, resource.RLIM_INFINITY)
        assert len(log.entries(number)) == entered
        assert log.retry()
        shutil.copy(path, alone)
    with Log(alone) as log:
        assert len(log.entries(number)) == entered


def state(port: int) -> dict[str, Any]:
    """Return the scoreboard of a companion."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/state", timeout=60) as answer:
        found: dict[str, Any] = json.load(answer)
        return found


@pytest.mark.timeout(120)
def test_a_companion_on_a_full_disk_goes_on_when_there_is_room(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A process of its own whose files may not grow, until they may: nothing is lost."""
    config, log = tmp_path / "tiki.toml", tmp_path / "games.db"
    config.write_text(
        f"[camera]\nsource = 'none'\n[table]\ngame = 'topple'\nplayers = ['Ann', 'Bob']\n"
        f"[web]\nhost = '127.0.0.1'\nport = 0\n[log]\nfile = '{log}'\n"
    )
    with subprocess.Popen(
        [str(TIKI), "run", "--config", str(config)], stdout=subprocess.PIPE, text=True
    ) as daemon:
        try:
            assert daemon.stdout
            found = re.search(r":(\d+)", daemon.stdout.readline())
            assert found
            port = int(found[1])
            state(port)
            limit_files(daemon.pid, max(each.stat().st_size for each in tmp_path.glob("games.db*")))
            tell = ["tell", "--port", str(port), "--config", str(config)]
            entered = 0
            while main([*tell, ("roll 3", "undo")[entered % 2]]) == 0:
                entered += 1
                assert entered < 2000
            (line,) = capsys.readouterr().err.splitlines()
            assert line.startswith(f"tiki: That could not be saved: {log}: disk I/O error; is the")
            assert state(port)["waiting"] == "not_saved"
            limit_files(daemon.pid, resource.RLIM_INFINITY)
            deadline = time.monotonic() + 60
            while state(port)["waiting"] == "not_saved":
                assert time.monotonic() < deadline
                time.sleep(0.1)
            assert main([*tell, ("roll 3", "undo")[entered % 2]]) == 0
        finally:
            daemon.kill()
    with Log(log) as opened:
        assert len(opened.entries(1)) == entered + 1
