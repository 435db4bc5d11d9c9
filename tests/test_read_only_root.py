"""A card whose system is read-only: the companion writes in its state folder, and nowhere else."""

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from tests.backup import disks
from tests.backup.tables import contents, lay_out
from tests.running import ROOT
from tests.soak.evening import Evening
from tests.soak.house import PROGRAM, House
from tests.soak.tally import Tally

COMMANDS = (
    "log check LOG",
    "log export 1 --log LOG",
    "log prune --before 2999-01-01 --log LOG --delete",
    "backup LOG.zip --log LOG",
    "rules topple",
    "demo",
)
EACH = """
import json, sys
from companion.cli import main
sys.exit(next((words for words in json.loads(sys.argv[1]) if main(words)), 0))
"""
"""Runs several commands, one after the other, and names the first that fails."""


class ReadOnlyHouse(House):
    """A daemon that can write in the folder of its log alone."""

    def _command(self, *words: str) -> list[str]:
        return disks.command(disks.all_but(self.log.parent), *words)


@pytest.mark.timeout(300)
def test_a_game_is_played_where_only_the_state_folder_can_be_written(tmp_path: Path) -> None:
    """From the set-up to the end, with no folder for temporary files; nothing is troubled."""
    house, tally = ReadOnlyHouse(tmp_path), Tally()
    try:
        Evening(house, "score_sheet", random.Random(5), tally, ordeal_share=0.0).play()
        assert house.stop() == 0
    finally:
        house.kill()
    assert (tally.is_clean, tally.ended) == (True, 1), tally.notes
    assert house.said.read_text() == ""


def test_a_disk_can_be_read_only_here(tmp_path: Path) -> None:
    """What the test above is built on: outside the folder nothing can be written, inside it can."""
    program = disks.command(disks.all_but(tmp_path), "none")
    script = program[-1].rpartition("\nexec ")[0]
    outside = tmp_path.with_name("outside")
    for folder in (outside.parent, Path("/var/tmp"), Path("/dev/shm"), ROOT):
        touch = [*program[:-1], f"{script}\ntouch {folder}/tiki-was-here"]
        done = subprocess.run(touch, check=False, capture_output=True, text=True)
        assert (done.returncode, "Read-only" in done.stderr) == (1, True), (folder, done)
    done = subprocess.run(
        [*program[:-1], f"{script}\ntouch {tmp_path}/here"], check=False, text=True
    )
    assert (done.returncode, (tmp_path / "here").exists()) == (0, True)


def test_every_command_runs_so(tmp_path: Path) -> None:
    """Where it needs a folder for temporary files, the variable TMPDIR names one that there is."""
    log = lay_out(tmp_path / "table")
    setup = f"{disks.all_but(log.parent)}\nexport TMPDIR={log.parent}"
    words = [[word.replace("LOG", str(log)) for word in line.split()] for line in COMMANDS]
    done = disks.run(setup, json.dumps(words), program=EACH)
    assert (done.returncode, done.stderr) == (0, "")


def test_no_room_for_temporary_files_is_named(tmp_path: Path) -> None:
    """In one line, and the table is as it was."""
    log = lay_out(tmp_path / "table")
    before = contents(log.parent)
    setup = f"{disks.all_but(log.parent)}\ncd /"
    done = disks.run(setup, "backup", log.with_name("b.zip"), "--log", log)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1), done.stderr
    assert "TMPDIR" in done.stderr
    assert contents(log.parent) == before


@pytest.mark.timeout(120)
def test_nothing_is_left_anywhere_else(tmp_path: Path) -> None:
    """Not at home, in the working folder, or for temporary files: no cache, no lock, no picture."""
    places = [tmp_path / name for name in ("home", "work", "scratch", "state")]
    for place in places:
        place.mkdir()
    process = subprocess.Popen(
        [
            *(sys.executable, "-B", "-c", PROGRAM, "run", "--port", "0", "--frame-s", "0.2"),
            *("--replay", str(ROOT / "companion" / "recordings" / "tiki_topple")),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path / "work",
        env={
            **{k: v for k, v in os.environ.items() if not k.startswith("XDG_")},
            "HOME": str(tmp_path / "home"),
            "TMPDIR": str(tmp_path / "scratch"),
            "STATE_DIRECTORY": str(tmp_path / "state"),
            "PYTHONPATH": str(ROOT),
        },
    )
    try:
        assert process.stdout is not None
        assert "Scoreboard" in process.stdout.readline()
        process.terminate()
        _, said = process.communicate(timeout=60)
    finally:
        process.kill()
    assert (process.returncode, said) == (0, "")
    assert [sorted(contents(place)) for place in places[:3]] == [[], [], []]
    assert "recordings.db" in contents(tmp_path / "state")
