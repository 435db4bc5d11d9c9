"""Logs that are not as they were written: named in one line, never another game, and recovered."""

import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from companion.cli import main
from companion.recording import load_recording, replay_header
from companion.referee.live_session import LiveSession
from companion.session.events import Entry, MoveAccepted
from companion.session.log import Log, LogError
from companion.session.recovery import check, recover
from companion.session.salvage import salvage
from tests.log_files import rows_of
from tests.recordings import SHIPPED, truth
from tests.tables import see, see_hand

NOISE_BYTES: Final = 512
DAMAGES: Final = 12


def noise(data: bytearray, rng: random.Random) -> None:
    """Write noise over some of *data*."""
    at = rng.randrange(len(data) - NOISE_BYTES)
    data[at : at + NOISE_BYTES] = rng.randbytes(NOISE_BYTES)


def flip(data: bytearray, rng: random.Random) -> None:
    """Flip one bit of *data*."""
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)


def blank(data: bytearray, rng: random.Random) -> None:
    """Blank one page of *data*."""
    at = rng.randrange(len(data)) // 4096 * 4096
    data[at : at + 4096] = bytes(4096)


def cut(data: bytearray, rng: random.Random) -> None:
    """Cut *data* off."""
    del data[rng.randrange(1, len(data)) :]


WAYS: Final[tuple[Callable[[bytearray, random.Random], None], ...]] = (noise, flip, blank, cut)


def entries_of(path: Path) -> list[Entry] | None:
    """Return what the log at *path* would play on with, None if that is nothing."""
    with Log(path) as log:
        number = log.unfinished()
        return log.entries(number) if number is not None else None


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a log of a finished game and one that is nearly finished."""
    path = tmp_path_factory.mktemp("good") / "games.db"
    header, secrets = replay_header(load_recording(SHIPPED))
    with Log(path) as log:
        live_session = LiveSession(log, header, secrets)
        for last in (False, True):
            for row in truth():
                line = row["truth"].get("line")
                live_session.observe(see(row["frame"], line) if line else see_hand(row["frame"]))
            if not last:
                live_session.renew(header, "once more", secrets)
    return path


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_a_damaged_log_is_the_same_game_or_one_line(
    good: Path, tmp_path: Path, way: Callable[[bytearray, random.Random], None]
) -> None:
    """Never a shorter game, never a traceback; and what can be saved makes a log of its own."""
    whole = entries_of(good)
    assert whole
    assert any(isinstance(entry.event, MoveAccepted) for entry in whole)
    refused = 0
    for seed in range(DAMAGES):
        path, new = tmp_path / f"{seed}.db", tmp_path / f"{seed}-new.db"
        data = bytearray(good.read_bytes())
        way(data, random.Random(seed))
        path.write_bytes(data)
        try:
            assert entries_of(path) == whole
        except LogError as error:
            refused += 1
            line = str(error)
            assert line.isprintable()
            assert line.startswith(f"{path} is ")
            found = salvage(path)
            if found.sessions:
                assert line.endswith(f"tiki log recover {path} NEW.db")
                assert f"; {found.extent} can be saved" in line
                assert recover(path, new) == found
                assert check(new) == found.extent
                last = entries_of(new) or []
                assert found.sessions[-1].number != 2 or last == whole[: len(last)]
    assert refused > DAMAGES // 4


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("DELETE FROM entry WHERE session = 1 AND seq = 4", "entry 4 of session 1 is missing"),
        ("DELETE FROM entry WHERE session = 2", "session 2 does not end where it should"),
        ("DELETE FROM tail WHERE session = 1", "session 1 does not end where it should"),
        ("DELETE FROM session WHERE id = 1", "the header of session 2 does not match"),
        ("DELETE FROM session WHERE id = 2", "the header of session 2 is missing"),
        (
            "DELETE FROM session WHERE id = 2; DELETE FROM entry WHERE session = 2",
            "session 2 is missing",
        ),
        (
            "UPDATE session SET header = replace(header, 'Red', 'Eve') WHERE id = 1",
            "the header of session 1 does not match its checksum",
        ),
        (
            "UPDATE entry SET at = '2020' WHERE session = 2 AND seq = 7",
            "entry 7 of session 2 does not match its checksum",
        ),
        (
            "UPDATE entry SET type = 'closed' WHERE session = 2 AND seq = 7",
            "entry 7 of session 2 does not match its checksum",
        ),
        (
            "UPDATE entry SET body = replace(body, '\"seat\": 0', '\"seat\": 1') WHERE seq = 9",
            "entry 9 of session 1 does not match its checksum",
        ),
        ("UPDATE tail SET header = '{}' WHERE session = 2", "session 2 does not end where it"),
        ("DROP TABLE tail", "no such table: tail"),
    ],
)
def test_what_was_changed_is_named(good: Path, tmp_path: Path, change: str, words: str) -> None:
    """Each number, text and time counts; whoever changed them."""
    path = tmp_path / "games.db"
    shutil.copy(good, path)
    with closing(sqlite3.connect(path)) as db:
        for trigger in ("entry_stays", "entry_keeps", "session_stays", "session_keeps"):
            db.execute(f"DROP TRIGGER {trigger}")
        before = rows_of(path)
        db.executescript(change)
        db.commit()
        assert rows_of(path) != before or "tail" in change
    with pytest.raises(LogError, match=words):
        Log(path)


@pytest.mark.parametrize("suffix", ["-wal", "-shm", "-spare"])
@pytest.mark.parametrize("content", [b"", b"\0" * 5000, random.Random(1).randbytes(9000), None])
def test_a_damaged_journal_loses_nothing(
    good: Path, tmp_path: Path, suffix: str, content: bytes | None
) -> None:
    """All is there twice, in the journal and in the spare: either may be gone or spoilt."""
    path, live = tmp_path / "copy.db", tmp_path / "games.db"
    shutil.copy(good, live)
    whole = entries_of(live)
    assert whole is not None
    with Log(live) as log:  # not closed yet: as a kill would leave it
        more = log.append(2, len(whole) + 1, MoveAccepted(0, "up1 nani"))
        for each in ("", "-wal", "-spare"):
            shutil.copy(f"{live}{each}", f"{path}{each}")
        journal = live.with_name("games.db-wal")
        assert journal.stat().st_size > 0
        left = journal.read_bytes() if content is None else content
        path.with_name(f"copy.db{suffix}").write_bytes(left)
    assert entries_of(path) == [*whole, more]


@pytest.mark.parametrize("count", [1, 5, 10, 13])
def test_noise_anywhere_in_the_journal_is_the_same_game_or_one_line(
    good: Path, tmp_path: Path, count: int
) -> None:
    """Also in one that was copied into the file: SQLite alone would go back to what was before."""
    live, path, new = tmp_path / "games.db", tmp_path / "copy.db", tmp_path / "new.db"
    shutil.copy(good, live)
    entries = entries_of(live)
    assert entries is not None
    whole, parts, by_sqlite, refused = [*entries], ("", "-wal", "-spare"), 0, 0
    with Log(live) as log:
        for _ in range(count):
            whole.append(log.append(2, len(whole) + 1, MoveAccepted(0, "up1 nani")))
        files = {part: Path(f"{live}{part}").read_bytes() for part in parts}
    for at in range(0, len(files["-wal"]) - NOISE_BYTES, 2 * NOISE_BYTES):
        journal = bytearray(files["-wal"])
        journal[at : at + NOISE_BYTES] = random.Random(at).randbytes(NOISE_BYTES)
        for part, data in files.items():
            Path(f"{path}{part}").write_bytes(journal if part == "-wal" else data)
        by_sqlite += sqlite_entries(path, tmp_path) < len(whole)
        try:
            found, said = entries_of(path), ""
        except LogError as error:
            refused, said = refused + 1, str(error)
            recover(path, new)
            found = entries_of(new)
            new.unlink()
        assert found == whole
        assert not said or f"tiki log recover {path}" in said
    assert by_sqlite > 0
    assert refused <= by_sqlite


def sqlite_entries(path: Path, folder: Path) -> int:
    """Return how many entries SQLite alone sees of the game in play; -1 if it makes no sense."""
    bare = folder / "bare.db"
    for part in ("", "-wal"):
        shutil.copy(f"{path}{part}", f"{bare}{part}")
    with closing(sqlite3.connect(bare)) as db:
        try:
            return int(db.execute("SELECT count(*) FROM entry WHERE session = 2").fetchone()[0])
        except sqlite3.DatabaseError:
            return -1


def test_a_spare_that_belongs_to_another_log_adds_nothing(good: Path, tmp_path: Path) -> None:
    """Nor one of an older version of this log, or one that is noise from some line on."""
    path, live = tmp_path / "copy.db", tmp_path / "games.db"
    shutil.copy(good, live)
    whole = entries_of(live)
    assert whole is not None
    with Log(live) as log:
        for each in range(3):
            log.append(2, len(whole) + 1 + each, MoveAccepted(0, "up1 nani"))
        lines = Path(f"{live}-spare").read_bytes().splitlines(keepends=True)
    assert len(lines) == 3
    for spare, more in (
        (lines[1:], 0),
        ([lines[0].replace(b"nani", b"eepo"), *lines[1:]], 0),
        ([lines[0], b"\0\xff[1, 2", *lines[1:]], 1),
        ([lines[0], b'[2, "one", [], 3]\n', *lines[1:]], 1),
        ([*lines, *lines], 3),
    ):
        shutil.copy(good, path)
        Path(f"{path}-spare").write_bytes(b"".join(spare))
        assert len(entries_of(path) or []) == len(whole) + more


@pytest.mark.parametrize(
    ("was", "now"),
    [
        (b"CREATE TABLE tail (", b"CREATE TABLE tail \xd5"),  # SQLite quotes it in its error
        (b"CREATE TABLE entry (", b"CREATE TABLE entry `"),  # and that over several lines
        (b"tiki", b"milk"),  # the mark of our files
    ],
)
def test_whatever_sqlite_says_of_it_is_one_line(
    good: Path, tmp_path: Path, was: bytes, now: bytes
) -> None:
    """Also where its error quotes what is no text; and all can be saved."""
    path = tmp_path / "games.db"
    path.write_bytes(good.read_bytes().replace(was, now, 1))
    with pytest.raises(LogError, match="is damaged") as caught:
        Log(path)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 400
    recover(path, tmp_path / "new.db")
    assert entries_of(tmp_path / "new.db") == entries_of(good)


def test_a_damaged_file_is_the_same_after_it_was_refused(good: Path, tmp_path: Path) -> None:
    """Its journal too: what SQLite does not understand may still be read."""
    path, journal = tmp_path / "games.db", tmp_path / "games.db-wal"
    data = bytearray(good.read_bytes())
    data[4096 * 2 : 4096 * 3] = bytes(4096)
    path.write_bytes(data)
    journal.write_bytes(b"spoilt")
    with pytest.raises(LogError, match="damaged"):
        Log(path)
    assert path.read_bytes() == data
    assert journal.read_bytes() == b"spoilt"
    recover(path, tmp_path / "new.db")
    assert path.read_bytes() == data
    assert journal.read_bytes() == b"spoilt"


def test_tiki_run_ends_in_one_line(
    good: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the command that saves what is left, and that command works."""
    path, new = tmp_path / "my games.db", tmp_path / "new.db"
    data = bytearray(good.read_bytes())
    data[4096 * 2 : 4096 * 3] = bytes(4096)
    path.write_bytes(data)
    config = tmp_path / "tiki.toml"
    config.write_text("[camera]\nsource = 'none'\n[web]\nhost = '127.0.0.1'\nport = 0\n")
    for command in (["run", "--config", str(config), "--log"], ["log", "check"]):
        assert main([*command, str(path)]) == 1
        captured = capsys.readouterr()
        (line,) = captured.err.splitlines()
        assert captured.out == ""
        assert line.startswith(f"tiki: {path} is damaged (")
        assert line.endswith(f": tiki log recover '{path}' NEW.db")
    assert main(["log", "recover", str(path), str(new)]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0] == f"{new}: {salvage(path).extent} saved"
    assert said[-1] == f"{path} is as it was. To play on: tiki run --log {new}"
    assert main(["log", "check", str(new)]) == 0
    assert capsys.readouterr().out == f"{new}: {salvage(path).extent}, undamaged\n"


def test_what_was_lost_is_said(
    good: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An entry in the middle, and what comes after it."""
    path = tmp_path / "games.db"
    shutil.copy(good, path)
    with closing(sqlite3.connect(path)) as db:
        db.execute("DROP TRIGGER entry_stays")
        db.execute("PRAGMA secure_delete=1")
        db.execute("DELETE FROM entry WHERE session = 2 AND seq = 4")
        db.commit()
    count = len(entries_of(good) or [])
    assert main(["log", "recover", str(path), str(tmp_path / "new.db")]) == 0
    assert (
        f"Game 2: entry 4 is lost; of those after it, {count - 4} can be read, but not played on"
        in capsys.readouterr().out
    )
    assert entries_of(tmp_path / "new.db") == (entries_of(good) or [])[:3]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["check", "nowhere.db"], "there is no nowhere.db; name the log that is to be checked"),
        (["recover", "nowhere.db", "new.db"], "nowhere.db cannot be read: No such file"),
        (["recover", "text", "new.db"], "no game can be read in text; is it a game log?"),
        (["recover", "text", "text"], "text exists already; name a new file"),
        (["recover", "games.db", "none/new.db"], "none/new.db: unable to open database file"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    good: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    said: str,
) -> None:
    """And nothing is left behind."""
    monkeypatch.chdir(tmp_path)
    Path("text").write_text("buy milk")
    shutil.copy(good, "games.db")
    assert main(["log", *words]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"tiki: {said}")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["games.db", "text"]


def test_the_configured_log_is_checked(
    good: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a name it is the one that `tiki run` would use."""
    path, config = tmp_path / "kept.db", tmp_path / "tiki.toml"
    shutil.copy(good, path)
    config.write_text(f"[log]\nfile = '{path}'\n")
    assert main(["log", "check", "--config", str(config)]) == 0
    assert capsys.readouterr().out.startswith(f"{path}: 2 games with ")
