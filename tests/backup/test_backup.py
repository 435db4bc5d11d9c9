"""`tiki backup` and `tiki restore` on a table that rests: what is saved, and what is refused."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.apps.backup import archive, making, table_files
from companion.session.log import Log
from companion.web.http.keys import Keys
from tests.backup.tables import SETTINGS, contents, lay_out, start, tiki
from tests.log_files import rows_of
from tests.referee.played import play

Said = Callable[[], str]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Return the log of a table with everything."""
    return lay_out(tmp_path / "table")


@pytest.fixture
def backup(log: Path, tmp_path: Path) -> Path:
    """Return a backup of that table."""
    file = tmp_path / "backup.zip"
    assert tiki("backup", file, "--log", log, "--config", log.parent / "tiki.toml") == 0
    return file


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Said:
    """Return a function that returns the one line which a command has refused with."""

    def read() -> str:
        lines = capsys.readouterr().err.splitlines()
        assert len(lines) == 1, lines
        return lines[0]

    return read


def test_a_card_has_died_and_all_is_as_it_was(
    log: Path, backup: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Games, keys, calibrations and settings are there again; pictures were not asked for."""
    before = contents(log.parent)
    shutil.rmtree(log.parent)
    new = tmp_path / "new" / "games.db"
    new.parent.mkdir()
    capsys.readouterr()
    assert tiki("restore", backup, "--log", new, "--config", new.parent / "tiki.toml") == 0
    out, err = capsys.readouterr()
    assert (err, out.count("\n")) == ("", 1)
    assert "2 games with " in out
    assert "settings, keys, calibrations; restored" in out
    after = contents(new.parent)
    before.pop("games.frames/1-4.jpg")
    assert after.keys() == before.keys()
    assert {name for name in after if after[name] != before[name]} <= {"games.db"}
    assert (new.parent / "tiki.toml").read_text() == SETTINGS
    with Log(new) as opened:
        assert opened.unfinished() == 2
    assert all(path.stat().st_mode & 0o077 == 0 for path in new.parent.iterdir())


def test_a_backup_is_for_its_owner_alone(backup: Path) -> None:
    """The host's key and hidden cards are in it."""
    assert backup.stat().st_mode & 0o777 == 0o600
    assert not list(backup.parent.glob("*.part"))


def test_kept_pictures_are_in_it_on_request(log: Path, tmp_path: Path) -> None:
    """They show the room; so they are asked for, and come back to the same folder."""
    file, new = tmp_path / "all.zip", tmp_path / "new" / "games.db"
    assert tiki("backup", file, "--log", log, "--frames") == 0
    assert tiki("restore", file, "--log", new) == 0
    assert (new.parent / "games.frames" / "1-4.jpg").read_bytes() == b"a kept picture"
    assert new.parent.joinpath("games.frames").stat().st_mode & 0o077 == 0


def test_photographed_cards_of_an_older_backup_are_left_out(
    log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A line says so, and all else is restored; a file of such cards that lies there stays."""
    ending = archive.PHOTOGRAPHED_CARDS.removeprefix("games.")
    old = log.with_suffix(f".{ending}")
    old.write_text("an owner's cards")
    file, new = tmp_path / "old.zip", tmp_path / "new" / "games.db"
    with monkeypatch.context() as patch:  # as an earlier companion did
        patch.setattr(table_files, "ENDINGS", (*archive.ENDINGS, ending))
        assert tiki("backup", file, "--log", log) == 0
    assert archive.read_manifest(file).member(archive.PHOTOGRAPHED_CARDS)
    capsys.readouterr()
    for target in (new, log):
        assert tiki("restore", file, "--log", target) == 0
        assert "photographed cards in it were left out" in capsys.readouterr().out
    assert new.with_suffix(".keys.json").exists()
    assert not new.with_suffix(f".{ending}").exists()
    assert old.read_text() == "an owner's cards"


def test_photographed_cards_are_in_no_backup(log: Path, tmp_path: Path) -> None:
    """Nothing reads them."""
    log.with_name(archive.PHOTOGRAPHED_CARDS).write_text("an owner's cards")
    assert tiki("backup", tmp_path / "new.zip", "--log", log) == 0
    manifest = archive.read_manifest(tmp_path / "new.zip")
    assert manifest.member(archive.PHOTOGRAPHED_CARDS) is None


def test_the_log_may_have_another_name(log: Path, backup: Path, tmp_path: Path) -> None:
    """What belongs to it is named after it."""
    new = tmp_path / "new" / "café.db"
    assert tiki("restore", backup, "--log", new) == 0
    assert (
        Keys(None, new.with_suffix(".keys.json")).host
        == Keys(None, log.with_suffix(".keys.json")).host
    )
    assert new.with_suffix(".topple.colours.jpg").read_bytes() == b"picture"


def test_a_journal_that_was_left_is_in_it(log: Path, tmp_path: Path) -> None:
    """A process that was killed may have left moves in the journal alone."""
    killed = start(
        *("backup", tmp_path / "none"),
        first=f"""
import os
from pathlib import Path
from companion.session.log import Log
from companion.session.log_file import LogFile
LogFile.copy_journal = lambda self: None
log = Log(Path({str(log)!r}))
log.open_session({{"kind": "in the journal alone"}})
os._exit(0)
""",
    )
    killed.communicate(timeout=120)
    assert log.with_name("games.db-wal").stat().st_size > 0
    before = contents(log.parent)
    file, new = tmp_path / "backup.zip", tmp_path / "new.db"
    assert tiki("backup", file, "--log", log) == 0
    assert contents(log.parent) == before
    assert tiki("restore", file, "--log", new) == 0
    assert "in the journal alone" in rows_of(new)[0][-1][2]


def test_a_check_says_what_is_in_it(backup: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And when it was made, by what."""
    capsys.readouterr()
    assert tiki("backup", "--check", backup) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"{backup}: 2 games with ")
    assert "undamaged" in out
    assert "by tiki " in out


def test_a_folder_gets_one_of_a_name_with_its_time(log: Path, tmp_path: Path) -> None:
    """Of those in it, the newest few are kept; other files there are nobody's business."""
    folder = tmp_path / "stick"
    folder.mkdir()
    for name in ("tiki-20200101-000000.zip", "tiki-20210101-000000.zip", "tiki-notes.zip"):
        (folder / name).write_bytes(b"")
    assert tiki("backup", folder, "--log", log, "--keep", 2) == 0
    names = [path.name for path in sorted(folder.iterdir())]
    assert names[0] == "tiki-20210101-000000.zip"
    assert (len(names), names[-1]) == (3, "tiki-notes.zip")


def test_games_that_the_backup_lacks_are_not_replaced_unasked(
    log: Path, backup: Path, said: Said, capsys: pytest.CaptureFixture[str]
) -> None:
    """One more game was played: it stays, and with --replace it is kept under another name."""
    with Log(log) as opened:
        play("tiki_topple", 2, log=opened)
    capsys.readouterr()
    before = contents(log.parent)
    assert tiki("restore", backup, "--log", log) == 1
    words = said()
    assert "that the backup lacks" in words
    assert "--replace" in words
    assert contents(log.parent) == before
    assert tiki("restore", backup, "--log", log, "--replace") == 0
    aside = list(log.parent.glob("games-before-*.db"))
    assert len(aside) == 1
    assert aside[0].read_bytes() == before["games.db"]
    assert aside[0].with_suffix(".keys.json").read_bytes() == before["games.keys.json"]
    assert aside[0].with_suffix(".frames").joinpath("1-4.jpg").exists()
    assert not log.with_suffix(".frames").exists()
    assert str(aside[0]) in capsys.readouterr().out


def test_a_table_that_has_nothing_more_is_replaced_and_keeps_its_pictures(
    log: Path, backup: Path
) -> None:
    """The same games, perhaps damaged calibrations: nothing to ask."""
    log.with_suffix(".lessons.json").write_text("spoilt")
    assert tiki("restore", backup, "--log", log) == 0
    assert tiki("restore", backup, "--log", log) == 0
    assert b"7.0" in log.with_suffix(".lessons.json").read_bytes()
    assert log.with_suffix(".frames").joinpath("1-4.jpg").exists()
    kept = sorted(path.name for path in log.parent.glob("games-before-*.lessons.json"))
    assert len(kept) == 2
    assert (log.parent / kept[0]).read_text() != (log.parent / kept[1]).read_text()


def test_a_damaged_log_is_replaced_with_consent(log: Path, backup: Path, said: Said) -> None:
    """What can be saved of it is not known, so it is kept."""
    data = log.read_bytes()
    log.write_bytes(data[: len(data) // 2])
    assert tiki("restore", backup, "--log", log) == 1
    assert "--replace" in said()
    assert tiki("restore", backup, "--log", log, "--replace") == 0
    assert [path.stat().st_size for path in log.parent.glob("games-before-*.db")] == [
        len(data) // 2
    ]


def test_settings_that_differ_are_not_replaced_unasked(
    backup: Path, tmp_path: Path, said: Said
) -> None:
    """They are kept under another name as well; without --config they are left out."""
    mine, new = tmp_path / "mine.toml", tmp_path / "new.db"
    mine.write_text("[web]\nport = 8000\n")
    assert tiki("restore", backup, "--log", new, "--config", mine) == 1
    assert "other settings" in said()
    assert not list(tmp_path.glob("new*"))
    assert not list(tmp_path.glob("*.part"))
    assert tiki("restore", backup, "--log", new, "--config", mine, "--replace") == 0
    assert mine.read_text() == SETTINGS
    assert [path.read_text() for path in tmp_path.glob("mine-before-*.toml")] == [
        "[web]\nport = 8000\n"
    ]


def test_settings_of_a_newer_version_are_named(log: Path, tmp_path: Path, said: Said) -> None:
    """Nothing is restored, and the rest can be had without them."""
    settings, file = tmp_path / "new.toml", tmp_path / "b.zip"
    settings.write_text(SETTINGS)
    archive_of = making.make_backup(log, settings, tmp_path / "ok.zip", frames=False)
    settings.write_text("[hologram]\nkind = 'big'\n")
    archive.write_archive(
        file,
        {"games.db": _unpacked(tmp_path, archive_of), "settings.toml": settings},
        archive_of,
    )
    assert tiki("restore", file, "--config", tmp_path / "there.toml", "--log", log) == 0
    assert tiki("restore", file, "--config", tmp_path / "other.toml") == 1
    words = said()
    assert "hologram" in words
    assert "update the companion" in words
    assert not (tmp_path / "other.toml").exists()


def _unpacked(folder: Path, manifest: archive.Manifest) -> Path:
    target = folder / "unpacked.db"
    archive.extract(folder / "ok.zip", manifest.members[0], target)
    return target


@pytest.mark.parametrize(("field", "value"), [("format", 2), ("schema", 99)])
def test_a_backup_of_a_newer_version_is_named(
    log: Path, tmp_path: Path, said: Said, field: str, value: int
) -> None:
    """Of the backup itself, or of the games in it."""
    made = making.make_backup(log, None, tmp_path / "ok.zip", frames=False)
    newer = replace(made, version="9.0", **{field: value})
    archive.write_archive(tmp_path / "b.zip", {"games.db": _unpacked(tmp_path, made)}, newer)
    before = contents(log.parent)
    assert tiki("restore", tmp_path / "b.zip", "--log", log) == 1
    words = said()
    assert "tiki 9.0" in words
    assert words.endswith("update the companion")
    assert contents(log.parent) == before


def test_nothing_is_written_over(log: Path, backup: Path, said: Said) -> None:
    """A file that is there stays, whatever it is."""
    before = backup.read_bytes()
    assert tiki("backup", backup, "--log", log) == 1
    assert said() == f"tiki: {backup} exists already; name a new file, or a folder"
    assert backup.read_bytes() == before


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["backup", "{}/gone/b.zip", "--log", "{}/games.db"], "there is no folder {}/gone; "),
        (["backup", "{}/b.zip", "--log", "{}/none.db"], "there is no {}/none.db; name the"),
        (["backup", "{}/b.zip", "--log", "{}/tiki.toml"], "is not a game log; "),
        (["backup", "{}/b.zip", "--keep", "0"], "--keep is 0; it must be 1 or more"),
        (["backup", "{}/games.db", "--keep", "3", "--log", "{}/games.db"], "{}/games.db is no"),
        (
            ["backup", "{}/gone", "--keep", "3", "--log", "{}/games.db"],
            "there is no folder {}/gone",
        ),
        (["backup", "{}/gone", "--log", "{}/games.db"], "there is no folder {}/gone; make it"),
        (["backup", "--config", "{}/away.toml", "--log", "{}/games.db"], "no folder {}/away;"),
        (["backup", "--check"], "--check verifies a backup; name its file"),
        (["backup", "--check", "{}/none.zip"], "there is no {}/none.zip; name a file that"),
        (["backup", "--check", "{}/tiki.toml"], "{}/tiki.toml is not a backup, or its end is"),
        (["backup", "--check", "{}"], "{} is a folder; name one"),
        (["restore", "{}/none.zip"], "there is no {}/none.zip; name a file that"),
        (["restore", "{}/games.db", "--log", "{}/x.db"], "{}/games.db is not a backup, or its"),
    ],
)
def test_what_cannot_be_is_one_line(log: Path, said: Said, words: list[str], told: str) -> None:
    """It says what was given and what to do, and no file is there that was not."""
    away = f'[backup]\nfolder = "{log.parent}/away"\n'
    (log.parent / "away.toml").write_text(away)
    before = contents(log.parent)
    assert tiki(*(word.replace("{}", str(log.parent)) for word in words)) == 1
    assert told.replace("{}", str(log.parent)) in said()
    assert contents(log.parent) == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_of_somebody_else_is_named(log: Path, tmp_path: Path, said: Said) -> None:
    """Whoever may not write there is told so."""
    folder = tmp_path / "theirs"
    folder.mkdir(mode=0o500)
    assert tiki("backup", folder / "b.zip", "--log", log) == 1
    assert "this user may not use" in said()


def test_a_log_that_is_damaged_makes_no_backup(log: Path, tmp_path: Path, said: Said) -> None:
    """A backup of it would take the place of a good one; what helps is said by its own name."""
    data = bytearray(log.read_bytes())
    data[-2000:-1500] = bytes(500)
    log.write_bytes(data)
    assert tiki("backup", tmp_path / "b.zip", "--log", log) == 1
    words = said()
    assert f"tiki log recover {log}" in words
    assert "tiki-backup-" not in words
    assert not list(tmp_path.glob("b.zip*"))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_what_root_restores_belongs_to_the_service(backup: Path, tmp_path: Path) -> None:
    """Games go to whose folder it is; settings too, or keep the owner and mode that they had."""
    state, there = tmp_path / "state", tmp_path / "there.toml"
    state.mkdir()
    os.chown(state, 1234, 1235)
    there.write_text("# another\n")
    there.chmod(0o640)
    os.chown(there, 0, 1235)
    for settings in (tmp_path / "new.toml", there):
        words = ("--log", state / "games.db", "--config", settings, "--replace")
        assert tiki("restore", backup, *words) == 0
    owners = {(path.stat().st_uid, path.stat().st_gid) for path in state.iterdir()}
    assert owners == {(1234, 1235)}
    assert (tmp_path / "new.toml").stat().st_uid == 1234
    assert (there.stat().st_gid, there.stat().st_mode & 0o777) == (1235, 0o640)
