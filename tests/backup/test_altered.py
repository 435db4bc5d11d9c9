"""A backup that was altered anywhere is never taken for a good one."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.apps.backup import archive
from companion.apps.backup.archive import BadBackup
from companion.apps.backup.making import check_backup, make_backup
from companion.session.log import Log
from tests.backup.tables import contents, lay_out, tiki

QUICK = settings(
    deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return a good backup."""
    folder = tmp_path_factory.mktemp("good")
    log = lay_out(folder / "table")
    make_backup(log, log.parent / "tiki.toml", folder / "b.zip", frames=True)
    return (folder / "b.zip").read_bytes()


def refused(data: bytes, folder: Path) -> bool:
    """Return whether *data* is refused in one line."""
    file = folder / "b.zip"
    file.write_bytes(data)
    try:
        check_backup(file, folder)
    except BadBackup as error:
        return "\n" not in str(error)
    return False


def test_a_good_one_is_accepted(data: bytes, tmp_path: Path) -> None:
    """So that what follows is not true of every file."""
    assert not refused(data, tmp_path)


@QUICK
@given(at=st.integers(0), mask=st.integers(1, 255))
def test_no_byte_can_change(data: bytes, tmp_path: Path, at: int, mask: int) -> None:
    """Any byte, in any way: of games, of the zip's own tables, of the seal."""
    altered = bytearray(data)
    altered[at % len(data)] ^= mask
    assert refused(bytes(altered), tmp_path)


def test_no_byte_at_the_end_can_change(data: bytes, tmp_path: Path) -> None:
    """Where the zip's directory and the seal are, each byte in turn."""
    for at in range(len(data) - 300, len(data)):
        altered = bytearray(data)
        altered[at] ^= 0x20  # what makes another letter of a digit in the seal
        assert refused(bytes(altered), tmp_path)


@QUICK
@given(cut=st.integers(1), words=st.binary(min_size=1, max_size=40))
def test_none_can_be_shorter_or_longer(data: bytes, tmp_path: Path, cut: int, words: bytes) -> None:
    """Cut short, with something behind it or before it, or with a piece out of its middle."""
    at = cut % len(data)
    for altered in (data[:at], data + words, words + data, data[:at] + words + data[at:]):
        assert refused(altered, tmp_path)


def test_a_sealed_file_is_judged_by_what_is_in_it(tmp_path: Path) -> None:
    """Whoever seals a zip of another kind, by error or design, gets nothing out of its folder."""
    log = lay_out(tmp_path / "table")
    made = make_backup(log, None, tmp_path / "ok.zip", frames=False)
    for name in ("../games.db", "games.keys.json/x", "games.db-wal", "/etc/passwd", "evil.sh"):
        target = tmp_path / "sealed.zip"
        archive.write_archive(target, {"games.db": log, name: log}, made)
        with pytest.raises(BadBackup):
            check_backup(target, tmp_path)
    archive.write_archive(target, {"games.keys.json": log}, made)
    assert refused(target.read_bytes(), tmp_path)
    # Games other than the manifest says, with sums that fit.
    with Log(tmp_path / "other.db") as other:
        other.open_session({})
    archive.write_archive(target, {"games.db": tmp_path / "other.db"}, made)
    assert refused(target.read_bytes(), tmp_path)


def test_an_altered_one_changes_nothing(data: bytes, tmp_path: Path) -> None:
    """`tiki restore` refuses before it touches anything."""
    log = lay_out(tmp_path / "table")
    before = contents(tmp_path / "table")
    file = tmp_path / "b.zip"
    file.write_bytes(data[:1000] + bytes([data[1000] ^ 1]) + data[1001:])
    assert tiki("restore", file, "--log", log, "--replace") == 1
    assert contents(tmp_path / "table") == before
