"""The database's address and state: every refusal is one line, and none shows a password."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DataError, OperationalError

from companion.apps.hub.database import Database, DatabaseTrouble, parse_url
from companion.apps.hub.database import trouble_of as explained
from companion.apps.hub.schema import HubRow
from companion.files import PRIVATE
from tests.hub.publishing import Table, keep, kept, open_database

SECRET = "tangaroa-7"


def trouble_of(url: str) -> str:
    """Return what is said of a database that cannot be used."""
    with pytest.raises(DatabaseTrouble) as caught:
        Database(parse_url(url)).close()
    said = str(caught.value)
    assert "\n" not in said
    assert SECRET not in said
    return said


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("", "that is not the address of a database; write it like sqlite:////var/lib/tiki/hub.db"),
        (f"tiki:{SECRET}@db.local/tiki", "that is not the address of a database"),
        (f"postgresql://tiki:{SECRET}@db.local:port/tiki", "that is not the address of a database"),
        (f"mysql://tiki:{SECRET}@db.local/tiki", "the hub knows no database mysql; it takes"),
        ("sqlite+aiosqlite:///hub.db", "the hub knows no database sqlite+aiosqlite"),
        ("sqlite://", "that database keeps nothing; name a file"),
        ("sqlite:///:memory:", "that database keeps nothing"),
        ("sqlite:////no/such/folder/hub.db", "No such file or directory; make its folder"),
        (
            f"postgresql://tiki:{SECRET}@127.0.0.1:1/tiki",
            "the database postgresql://tiki:***@127.0.0.1:1/tiki cannot be used: ",
        ),
    ],
)
def test_an_address_that_leads_nowhere_is_named_with_the_remedy(url: str, words: str) -> None:
    """What is wrong, and what would be right."""
    assert words in trouble_of(url)


def test_what_is_no_database_is_left_alone(tmp_path: Path) -> None:
    """A text file, and a folder."""
    (tmp_path / "notes.txt").write_text("Buy milk. " * 100)
    said = trouble_of(f"sqlite:///{tmp_path}/notes.txt")
    assert said.endswith("file is not a database; name another file; this one is something else")
    assert (tmp_path / "notes.txt").read_text().startswith("Buy milk.")
    assert "unable to open database file" in trouble_of(f"sqlite:///{tmp_path}")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_database_that_may_not_be_written_is_named(tmp_path: Path) -> None:
    """With what to do."""
    open_database(tmp_path).close()
    (tmp_path / "hub.db").chmod(0o400)
    assert "let the user that runs the hub" in trouble_of(f"sqlite:///{tmp_path}/hub.db")


def test_a_newer_hubs_database_is_refused_and_left(tmp_path: Path) -> None:
    """Nothing in it changes."""
    with closing(open_database(tmp_path)) as database:
        keep(database, Table().event())
        with database.write() as session:
            row = session.get(HubRow, 1)
            assert row is not None
            row.schema = 2
    said = trouble_of(f"sqlite:///{tmp_path}/hub.db")
    assert "is of a newer version (schema 2; this one knows 1); update the companion" in said
    with closing(sqlite3.connect(tmp_path / "hub.db")) as raw:
        assert raw.execute("SELECT schema FROM hub").fetchall() == [(2,)]


def client_id_of(folder: Path, name: str) -> str:
    """Return by what the broker knows the hub of that database."""
    with closing(open_database(folder, name)) as database:
        return database.client_id


def test_a_database_keeps_who_it_is(tmp_path: Path) -> None:
    """The broker knows the hub by it; another database is another hub; only its owner reads it."""
    names = "hub.db", "hub.db", "other.db"
    first, again, other = (client_id_of(tmp_path, name) for name in names)
    assert first == again != other
    assert (tmp_path / "hub.db").stat().st_mode & 0o777 == PRIVATE


def test_what_is_kept_survives_a_power_cut(tmp_path: Path) -> None:
    """SQLite waits for the disk at each commit; only then the broker is told."""
    with closing(open_database(tmp_path)) as database, database.read() as session:
        assert session.scalar(text("PRAGMA synchronous")) == 2
        assert session.scalar(text("PRAGMA journal_mode")) == "wal"


def test_a_full_disk_keeps_all_or_nothing_and_is_named(tmp_path: Path) -> None:
    """Once there is room, all is well."""
    bar = Table(players=[f"{'x' * 90}{n}" for n in range(30)])
    events = [bar.event() for _ in range(50)]
    with closing(open_database(tmp_path)) as database:
        with database.write() as session:
            pages = session.scalar(text("PRAGMA page_count"))
            session.execute(text(f"PRAGMA max_page_count = {pages}"))
        with pytest.raises(DatabaseTrouble, match="is full; free some space on its disk") as caught:
            keep(database, *events)
        assert not caught.value.is_ours
        assert kept(database) == []
        with database.write() as session:
            session.execute(text("PRAGMA max_page_count = 100000"))
        assert keep(database, *events).kept == 50


def test_what_still_reads_when_it_is_closed_lets_go_afterwards(tmp_path: Path) -> None:
    """SQLite removes its journal with the last connection; one that was begun later counts too."""
    with closing(open_database(tmp_path)) as database:
        for _ in range(2):
            with database.read() as session:
                session.scalar(text("SELECT 1 FROM hub"))
                database.close()
                assert (tmp_path / "hub.db-wal").exists()
            assert not (tmp_path / "hub.db-wal").exists()


class Unwritable(Exception):
    """What Psycopg raises, as far as it is read.  sqlstate: PostgreSQL's code."""

    sqlstate = "53100"


def test_a_full_disk_of_postgresql_is_known_by_its_code() -> None:
    """In whatever language it says so; what was to be written is not at fault."""
    cause = Unwritable("Auf dem Gerät ist kein Speicherplatz mehr verfügbar\nHINT: Prüfen Sie")
    said = explained(OperationalError("INSERT", {}, cause), "postgresql://db.local/tiki")
    assert str(said) == (
        "the database postgresql://db.local/tiki cannot be used: Auf dem Gerät ist kein"
        " Speicherplatz mehr verfügbar; free some space on its disk"
    )
    assert not said.is_ours
    assert explained(DataError("INSERT", {}, cause), "hub.db").is_ours
