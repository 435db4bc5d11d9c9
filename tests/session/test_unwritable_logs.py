"""Logs on a disk that cannot be written, or in another user's folder: read whole, played on in."""

import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from companion.session.events import MoveAccepted
from companion.session.log import Log
from companion.session.log_file import LogFile
from companion.session.log_place import stand_in
from companion.session.recovery import check
from tests.backup import disks
from tests.running import ROOT
from tests.soak.house import PROGRAM, House
from tests.tables import sit_down

MOVES: Final = ("up1 lokahi", "up1 nani", "up1 akamai", "up2 kapu")
NOBODY: Final = 65534
FORMS: Final = ("closed", "wal", "wal+shm")
"""A log that was closed, and one killed before what its journal has was copied into the file."""
EACH: Final = """
import json, sys
from companion.cli import main
for words in json.loads(sys.argv[1]):
    print(main(words), flush=True)
"""
NOBODYS: Final = f"""
import contextlib, io, os, sys
from companion.cli import main
with contextlib.redirect_stdout(io.StringIO()):
    for word in ("check", "export"):
        assert main(["log", word, *["--log"][: word == "export"], sys.argv[1]]) == 0
os.chdir("/var/tmp")
os.setgroups([])
os.setgid({NOBODY})
os.setuid({NOBODY})
sys.exit(main(sys.argv[2:]))
"""
"""Python itself may lie where nobody may look."""


@pytest.fixture
def games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a log in each form of FORMS, all with the same game in it."""
    folder = tmp_path / "card"
    folder.mkdir()
    live = tmp_path / "live.db"
    with Log(live) as log:
        live_session = sit_down(log=log)
        with monkeypatch.context() as uncopied:
            uncopied.setattr(LogFile, "copy_journal", lambda _: None)
            for move in MOVES:
                live_session.referee.enter(move)
            for form in FORMS[1:]:
                shutil.copy(live, folder / f"{form}.db")
                shutil.copy(f"{live}-wal", folder / f"{form}.db-wal")
    (folder / "wal+shm.db-shm").write_bytes(bytes(32768))
    shutil.copy(live, folder / "closed.db")
    assert (folder / "wal.db-wal").stat().st_size > 0
    return folder


def on_card(games: Path, card: Path, *, read_only: bool = True) -> str:
    """Return what puts *games* on a card of their own at *card*, and lets it go read-only."""
    at = shlex.quote(str(card))
    lines = [disks.small_disk(card, 2048), f"cp -a {shlex.quote(str(games))}/. {at}/"]
    return "\n".join([*lines, *([f"mount -o remount,ro {at}"] if read_only else [])])


@pytest.mark.parametrize("form", FORMS)
def test_a_log_on_a_read_only_card_is_read_whole(games: Path, tmp_path: Path, form: str) -> None:
    """What stands in the journal alone, too; one line says that a copy is read, and it is gone."""
    card, scratch, new = tmp_path / "mnt", tmp_path / "scratch", tmp_path / "new.db"
    card.mkdir()
    scratch.mkdir()
    log = card / f"{form}.db"
    commands = [
        ["log", "check", str(log)],
        ["log", "recover", str(log), str(new)],
        ["log", "prune", "--before", "2999-01-01", "--log", str(log)],
    ]
    setup = f"{on_card(games, card)}\nexport TMPDIR={scratch}"
    done = disks.run(setup, json.dumps(commands), program=EACH)
    lines = done.stdout.splitlines()
    assert lines[0] == f"{log}: 1 game with {len(MOVES)} entries, undamaged", done
    assert [line for line in lines if line in "01"] == ["0", "0", "0"]
    assert check(new).entries == len(MOVES)
    said = done.stderr.splitlines()
    assert len(said) == 2  # recovery needs no copy
    assert said[0].startswith(f"{log} cannot be written (its disk is read-only); it is read in a")
    assert said[0].rpartition(", ")[2].startswith(f"{scratch}/tiki-log-")
    assert not list(scratch.iterdir())


@pytest.mark.parametrize("form", FORMS)
def test_a_game_on_a_read_only_card_is_exported(games: Path, tmp_path: Path, form: str) -> None:
    """The record alone is printed, so that it can go into a file."""
    card = tmp_path / "mnt"
    card.mkdir()
    done = disks.run(on_card(games, card), "log", "export", "--log", card / f"{form}.db")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, done
    assert [row["action"] for row in rows if row.get("type") == "move"] == list(MOVES)
    assert done.stderr.count("\n") == 1


def test_memory_is_room_enough_where_the_whole_card_is_read_only(games: Path) -> None:
    """With /tmp on it, and the folder where one stands: the copy is in /dev/shm."""
    at = shlex.quote(str(games))
    setup = "\n".join(
        [
            f"cd {at}; unset TMPDIR XDG_RUNTIME_DIR",
            *(f"mount --bind {each} {each}" for each in ("/tmp", "/var/tmp", at)),
            "mount -t tmpfs tiki /dev/shm",
            "for at in $(findmnt -rno TARGET | grep -v '^/proc\\|^/sys\\|^/dev'); do",
            " mount -o remount,bind,ro $at; done",
            f"cd {at}",
        ]
    )
    done = disks.run(setup, "log", "check", games / "wal.db")
    assert (done.returncode, done.stderr.count("a copy, /dev/shm/tiki-log-")) == (0, 1), done


def test_what_must_write_names_the_card(games: Path, tmp_path: Path) -> None:
    """Not a full disk, and not a folder that is missing."""
    card = tmp_path / "mnt"
    card.mkdir()
    log = card / "closed.db"
    done = disks.run(
        on_card(games, card), "log", "prune", "--before", "2999-01-01", "--delete", "--log", log
    )
    assert done.stderr == (
        f"tiki: {log} cannot be written: its disk is read-only; make that possible, or name a file"
        " on another disk with --log\n"
    )
    done = disks.run(on_card(games, card), "run", "--port", "0", "--log", card / "none.db")
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "none.db cannot be written: its disk is read-only; make" in done.stderr


@pytest.fixture
def shared() -> Iterator[Path]:
    """Return a folder of root's that everybody may look into; skip where nobody can become it."""
    if os.geteuid() != 0:
        pytest.skip("only root can be another user")
    with tempfile.TemporaryDirectory(prefix="tiki-shared-", dir="/var/tmp") as name:
        Path(name).chmod(0o755)
        yield Path(name)


def as_nobody(warm: Path, *words: object) -> "subprocess.CompletedProcess[str]":
    """Run `tiki` as the user nobody; *warm*: a log by which root imports all that is needed."""
    return subprocess.run(
        [sys.executable, "-B", "-c", NOBODYS, str(warm), *map(str, words)],
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "HOME": "/nonexistent"},
    )


@pytest.mark.parametrize("form", FORMS)
def test_a_log_in_another_users_folder_is_read_whole(games: Path, shared: Path, form: str) -> None:
    """It stays as it was; and what may not even be read is said with what to do."""
    shutil.copytree(games, shared, dirs_exist_ok=True)
    shared.chmod(0o755)
    for file in shared.iterdir():
        file.chmod(0o644)
    log = shared / f"{form}.db"
    before = {file.name: file.read_bytes() for file in shared.iterdir()}
    done = as_nobody(games.parent / "live.db", "log", "check", log)
    assert done.stdout == f"{log}: 1 game with {len(MOVES)} entries, undamaged\n", done
    assert f"{log} cannot be written (this user may not write in {shared}); it" in done.stderr
    assert {file.name: file.read_bytes() for file in shared.iterdir()} == before
    log.chmod(0o600)
    for words in (("check", log), ("export", "--log", log), ("recover", log, "/tmp/none.db")):
        done = as_nobody(games.parent / "live.db", "log", *words)
        assert done.stderr == (
            f"tiki: {log} cannot be read: Permission denied; run this as the user whose file it is,"
            " or with sudo\n"
        )
    shared.chmod(0o700)
    done = as_nobody(games.parent / "live.db", "log", "check", log)
    assert done.stderr.startswith(f"tiki: {log} cannot be read: Permission denied; run this as")


def test_a_log_that_another_companion_writes_is_not_copied(games: Path, shared: Path) -> None:
    """Half of a transaction would be in the copy."""
    shutil.copytree(games, shared, dirs_exist_ok=True)
    shared.chmod(0o755)
    log = shared / "closed.db"
    with Log(log):
        for file in shared.iterdir():
            file.chmod(0o644)
        done = as_nobody(games.parent / "live.db", "log", "check", log)
    assert "closed.db is in use by another tiki; stop that one" in done.stderr, done


class StrandedHouse(House):
    """A daemon whose log is on a card that has gone read-only."""

    def __init__(self, folder: Path, games: Path, state: Path) -> None:
        super().__init__(folder)
        self.card, self._games, self._state = folder / "mnt", games, state
        self.card.mkdir()
        self.log = self.card / "wal.db"

    def _command(self, *words: str) -> list[str]:
        setup = f"{on_card(self._games, self.card)}\nexport STATE_DIRECTORY={self._state}"
        return disks.command(setup, *words)

    def ask(self, path: str) -> str:
        """Return the page at *path*."""
        with urllib.request.urlopen(f"{self.url}{path}", timeout=20) as answer:
            return str(answer.read().decode())


@pytest.mark.timeout(180)
def test_the_companion_plays_on_in_a_copy_and_says_so(games: Path, tmp_path: Path) -> None:
    """The game is there, with what stood in the journal; killed, it goes on in the same copy."""
    state = tmp_path / "state"
    house = StrandedHouse(tmp_path, games, state)
    try:
        house.start()
        assert "its disk is read-only. The games go on in a copy" in house.ask("/")
        (copy,) = state.glob("tiki-*/wal.db")
        tell(house, "up2 eepo")
        house.kill()
        house.start()
        assert [*state.glob("tiki-*/wal.db")] == [copy]
        tell(house, "up2 huhu")
        assert house.stop() == 0
    finally:
        house.kill()
    with Log(copy) as log:
        moves = [each.event for each in log.entries(1) if isinstance(each.event, MoveAccepted)]
    assert [move.action for move in moves] == [*MOVES, "up2 eepo", "up2 huhu"]
    said = house.said.read_text().splitlines()
    assert [str(copy) in line for line in said] == [True, True]


def tell(house: StrandedHouse, action: str) -> None:
    """Enter *action* as the host."""
    done = subprocess.run(
        [
            *(sys.executable, "-c", PROGRAM, "tell", action),
            *("--config", str(house._config), "--port", str(house.port)),
        ],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 0, done


def test_a_copy_is_taken_up_only_if_it_goes_on_from_the_log(games: Path, tmp_path: Path) -> None:
    """Else both are kept: after an evening in the copy, one was played on the card again."""
    log, lasting = games / "closed.db", tmp_path / "lasting"
    (games / "closed.keys.json").write_text("{}")
    first = stand_in(log, [lasting])
    assert check(first) == check(log)
    assert (first.parent / "closed.keys.json").read_text() == "{}"
    with Log(first) as copy:
        copy.append(1, len(MOVES) + 1, MoveAccepted(0, "up2 eepo"))
    assert stand_in(log, [lasting]) == first
    with Log(log) as old:
        old.append(1, len(MOVES) + 1, MoveAccepted(0, "up2 huhu"))
    second = stand_in(log, [lasting])
    assert second != first
    assert check(first).entries == check(second).entries == len(MOVES) + 1
    assert stand_in(log, [lasting]) == second
    shutil.rmtree(second.parent)
    second.parent.symlink_to(tmp_path)
    assert stand_in(log, [lasting]) not in (first, second)
