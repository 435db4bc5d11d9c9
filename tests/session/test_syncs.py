"""How often a log waits for the disk: an entry costs a card as much."""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from companion.session.events import MoveAccepted
from companion.session.log import Log
from tests.running import ROOT

ENTRIES: Final = 60
SYNCS: Final = 78
"""One for each entry's journal; three for each tenth, when it is copied into the log."""
PROGRAM: Final = """
import os, sys
from companion.session.events import MoveAccepted
from companion.session.log import Log
log = Log(sys.argv[1])
number = log.open_session({})
log._file.copy_journal()
for seq in range(1, int(sys.argv[2]) + 1):
    log.append(number, seq, MoveAccepted(0, "up1 nani"))
os._exit(0)
"""


def syncs(log: Path, entries: int) -> int:
    """Return how often a process asked the disk to write, for a new log with *entries*."""
    seen = log.with_suffix(".strace")
    subprocess.run(
        [
            *("strace", "-f", "-e", "trace=fsync,fdatasync", "-o", str(seen)),
            *(sys.executable, "-c", PROGRAM, str(log), str(entries)),
        ],
        check=True,
        cwd=ROOT,
        timeout=120,
    )
    return sum("sync(" in line for line in seen.read_text().splitlines())


def test_what_sixty_entries_wait_for_the_disk(tmp_path: Path) -> None:
    """Counted where the kernel is asked; the old rollback journal took 240."""
    if shutil.which("strace") is None:
        pytest.skip("strace counts them, and is not installed")
    before = syncs(tmp_path / "none.db", 0)
    assert syncs(tmp_path / "games.db", ENTRIES) - before == SYNCS


def test_each_tenth_entry_is_copied_with_those_before_it(tmp_path: Path) -> None:
    """The others are in journal and spare."""
    path = tmp_path / "games.db"
    statements: list[str] = []
    with Log(path) as log:
        number = log.open_session({})
        log._file.copy_journal()
        log._file.db.set_trace_callback(statements.append)
        for seq in range(1, ENTRIES + 1):
            log.append(number, seq, MoveAccepted(0, "up1 nani"))
            lines = Path(f"{path}-spare").read_text().splitlines()
            assert len(lines) == (seq - 1) % 10 + 1
    assert sum(each == "COMMIT" for each in statements) == ENTRIES
    assert sum("wal_checkpoint" in each for each in statements) == ENTRIES // 10
    assert [each.name for each in tmp_path.iterdir()] == ["games.db"]
