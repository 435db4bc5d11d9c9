"""Disks that are full, read-only or gone: no backup, one line with the remedy, nothing lost."""

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from companion.apps.backup import making
from companion.apps.backup.archive import write_archive
from tests.backup import disks
from tests.backup.tables import contents, lay_out, tiki


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Return the log of a table with everything."""
    return lay_out(tmp_path / "table")


@pytest.fixture
def stick(tmp_path: Path) -> Path:
    """Return where another disk is mounted."""
    folder = tmp_path / "stick"
    folder.mkdir()
    return folder


def test_a_full_disk(log: Path, stick: Path, tmp_path: Path) -> None:
    """The draft of the backup does not stay there either."""
    listing = tmp_path / "listing"
    words = ("backup", stick / "b.zip", "--log", log)
    done = disks.run(disks.small_disk(stick, 4), *words, then=f"ls -A {stick} > {listing}")
    assert done.returncode == 1
    assert done.stderr == (
        f"tiki: no backup was made: the disk of {stick / 'b.zip'} is full; free some space on it,"
        " or name another folder\n"
    )
    assert listing.read_text() == ""


def test_a_full_folder_for_what_is_temporary(log: Path, stick: Path, tmp_path: Path) -> None:
    """It is named, for it is another disk."""
    setup = f"{disks.small_disk(stick, 4)}\nexport TMPDIR={stick}"
    done = disks.run(setup, "backup", tmp_path / "b.zip", "--log", log)
    assert done.returncode == 1
    assert done.stderr == (
        f"tiki: {stick}, for temporary files, is full; free some space, or let the variable TMPDIR"
        " name another folder\n"
    )
    assert not list(tmp_path.glob("b.zip*"))


def test_a_read_only_disk(log: Path, stick: Path) -> None:
    """As a stick with its switch set, or a card that wears out."""
    done = disks.run(disks.read_only(stick), "backup", stick / "b.zip", "--log", log)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert f"the disk of {stick / 'b.zip'} is read-only; name another folder" in done.stderr


def test_a_full_disk_restores_nothing(log: Path, stick: Path, tmp_path: Path) -> None:
    """What was unpacked so far is removed, and what is there stays."""
    file = tmp_path / "b.zip"
    assert tiki("backup", file, "--log", log) == 0
    before = contents(log.parent)
    setup = f"{disks.small_disk(stick, 24)}\nexport TMPDIR=/dev/shm"
    done = disks.run(setup, "restore", file, "--log", stick / "games.db")
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert done.stderr.startswith("tiki: nothing was restored: the disk of ")
    assert "is full" in done.stderr
    assert contents(log.parent) == before


def test_a_read_only_table_restores_nothing(log: Path, tmp_path: Path) -> None:
    """The games there are not the backup's to lose."""
    file = tmp_path / "b.zip"
    assert tiki("backup", file, "--log", log) == 0
    done = disks.run(disks.read_only(log.parent), "restore", file, "--log", log)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "read-only" in done.stderr


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.EIO, "is gone or broken (Input/output error); plug it in again"),
        (errno.ENODEV, "is gone or broken"),
        (errno.ENOENT, "is gone or broken"),
        (errno.EDQUOT, "is full; free some space"),
        (errno.EROFS, "is read-only; name another folder"),
        (errno.EACCES, "run this as its owner"),
        (errno.EINVAL, "Invalid argument; name another folder"),
    ],
)
def test_what_a_disk_answers_has_a_remedy(
    log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, words: str
) -> None:
    """As a stick that is pulled out while it is written; no draft is left where one can be."""

    def fail(target: Path, *_: object) -> None:
        target.touch()
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("companion.apps.backup.making.write_archive", fail)
    with pytest.raises(making.CannotBackUp) as refusal:
        making.make_backup(log, None, tmp_path / "b.zip", frames=False)
    assert str(refusal.value).startswith("no backup was made: ")
    assert words in str(refusal.value)
    assert not list(tmp_path.glob("b.zip*"))


def test_one_that_reads_back_otherwise_is_not_kept(
    log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worn-out stick takes everything and gives something else back."""
    write = write_archive

    def wear_out(target: Path, *given: Any) -> object:
        made = write(target, *given)
        data = bytearray(target.read_bytes())
        data[len(data) // 2] ^= 1
        target.write_bytes(data)
        return made

    monkeypatch.setattr("companion.apps.backup.making.write_archive", wear_out)
    assert tiki("backup", tmp_path / "b.zip", "--log", log) == 1
    assert not list(tmp_path.glob("b.zip*"))


def test_a_renaming_that_fails_is_taken_back(
    log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever it is: the table is as it was before the restore."""
    file = tmp_path / "b.zip"
    assert tiki("backup", file, "--log", log) == 0
    before = contents(log.parent)
    rename, left = Path.rename, [0]

    def fail(path: Path, target: Path) -> Path:
        left[0] -= 1
        if left[0] == 0:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", fail)
    for failing in range(1, 12):
        left[0] = failing
        assert tiki("restore", file, "--log", log) == 1
        assert contents(log.parent) == before
    left[0] = 0
    assert tiki("restore", file, "--log", log) == 0
