"""Resume: the process is killed at every event of a game, and the game is found again."""

import json
import re
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from companion.recording import load_recording, replay_header
from companion.registry import game_of
from companion.session.events import MoveAccepted
from companion.session.log import Log
from companion.session.session import Session
from tests.recordings import SHIPPED, true_moves, truth

TIKI = Path(sys.executable).with_name("tiki")

# Plays the recording's true lines into a log and kills itself right after entry number argv[2] is
# on the disk with all that belongs to it, before anything else is done with it.
PLAYER = """
import os, signal, sys
from pathlib import Path
from companion.recording import remaining_frames, load_recording, replay_header
from companion.referee.live_session import LiveSession
from companion.session.log import Log
from companion.session.log_file import LogFile
from tests.recordings import SHIPPED, truth
from tests.tables import see, see_hand

path, fatal = sys.argv[1], int(sys.argv[2])
write, commit, written = Log.append, LogFile.commit, []

def append(self, session, seq, event):
    written.append(seq)
    return write(self, session, seq, event)

def commit_and_die(self):
    commit(self)
    if written and written[-1] >= fatal:
        os.kill(os.getpid(), signal.SIGKILL)

Log.append, LogFile.commit = append, commit_and_die
recording = load_recording(SHIPPED)
live_session = LiveSession(Log(path), *replay_header(recording))
shown = {row["frame"]: row["truth"] for row in truth()}
for name in remaining_frames(recording, live_session.session.entries):
    line = shown[name].get("line")
    live_session.observe(see(name, line) if line else see_hand(name))
"""


def play(log: Path, fatal: int) -> int:
    """Play on in a process of its own, killed at entry *fatal*; return its exit status."""
    command = [sys.executable, "-c", PLAYER, str(log), str(fatal)]
    return subprocess.run(command, check=False, timeout=60).returncode


def moves_in(log: Path) -> tuple[list[tuple[int, str]], tuple[int, ...], int]:
    """Return the moves, the scores and the number of entries in *log*."""
    with Log(log) as opened:
        session = _session(opened)
        events = [entry.event for entry in session.entries]
        found = [
            (event.seat, _true_form(event)) for event in events if isinstance(event, MoveAccepted)
        ]
        return found, session.state.scores, len(events)


def _session(log: Log) -> "Session[Any, Any]":
    return Session(log, 1, game_of(load_recording(SHIPPED).game))


def _true_form(event: MoveAccepted) -> str:
    """Return the form of *event* that is a true move, else its own."""
    true = {action for _, action in true_moves()}
    return next((form for form in (event.action, *event.also) if form in true), event.action)


@pytest.mark.slow
def test_a_game_killed_at_every_event_is_found_again_each_time(tmp_path: Path) -> None:
    """One log, killed after each of its entries in turn: none lost, none twice, true scores."""
    log = tmp_path / "game.db"
    fatal = 1
    while play(log, fatal) == -signal.SIGKILL:
        _, _, entries = moves_in(log)
        assert entries >= fatal
        fatal = entries + 1
    assert fatal > len(true_moves())
    moves, scores, _ = moves_in(log)
    assert moves == true_moves()
    description = json.loads((SHIPPED / "session.json").read_text())
    assert list(scores) == description["replay"]["final_scores"]


def test_the_player_that_is_killed_can_also_fail(tmp_path: Path) -> None:
    """The killing is real: at entry 6 the log holds six entries, and the status says SIGKILL."""
    log = tmp_path / "game.db"
    assert play(log, 6) == -signal.SIGKILL
    assert moves_in(log)[2] == 6
    assert play(tmp_path / "none" / "game.db", 6) not in (0, -signal.SIGKILL)


@pytest.mark.slow
def test_the_daemon_killed_in_mid_game_plays_on_to_the_true_scores(tmp_path: Path) -> None:
    """`tiki run --replay`, killed with -9 several times, ends as if it never had been."""
    config = tmp_path / "tiki.toml"
    config.write_text("[camera]\nsettle_s = 0.1\nrate_hz = 30\n")
    log = tmp_path / "game.db"
    command = [
        *(str(TIKI), "run", "--config", str(config), "--replay", str(SHIPPED)),
        *("--port", "0", "--log", str(log), "--frame-s", "0.3"),
    ]
    for stop_at in ('"seq": 8', '"seq": 15', '"seq": 27', '"closed"'):
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as daemon:
            try:
                assert daemon.stdout
                found = re.search(r":(\d+)", daemon.stdout.readline())
                assert found
                _wait_for(int(found.group(1)), stop_at)
            finally:
                daemon.kill()
    moves, scores, _ = moves_in(log)
    assert moves == true_moves()
    _, secrets = replay_header(load_recording(SHIPPED))
    assert all(secrets)
    description = json.loads((SHIPPED / "session.json").read_text())
    assert list(scores) == description["replay"]["final_scores"]
    assert truth()[-1]["truth"]["line"] == description["replay"]["final_line"]


@pytest.mark.slow
def test_a_daemon_that_was_told_to_stop_goes_on_where_it_was(tmp_path: Path) -> None:
    """An orderly stop in mid-game closes nothing: the next start takes the game up again."""
    log = tmp_path / "game.db"
    command = [
        *(str(TIKI), "run", "--replay", str(SHIPPED)),
        *("--port", "0", "--log", str(log), "--frame-s", "1"),
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as daemon:
        try:
            assert daemon.stdout
            found = re.search(r":(\d+)", daemon.stdout.readline())
            assert found
            _wait_for(int(found.group(1)), '"seq": 5')
            daemon.terminate()
            daemon.wait(timeout=60)
        finally:
            daemon.kill()
    with Log(log) as opened:
        assert opened.unfinished() == 1


def _wait_for(port: int, words: str) -> None:
    """Follow the event stream until it says *words*."""
    deadline = time.monotonic() + 60
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/events", timeout=60) as stream:
        for line in stream:
            if words in line.decode():
                return
            if time.monotonic() > deadline:
                break
    pytest.fail(f"the event stream never said {words}")
