"""What the pages hold of a large club: the best of its players, and its newest tournaments."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.apps.hub import overview, tournaments
from companion.apps.hub.database import Database
from companion.apps.hub.overview import read_standings, read_tournaments
from tests.hub.publishing import Table, keep, minutes, open_database


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """Return a database of two tables at which six people have won, lost and shared."""
    found = open_database(tmp_path)
    keep(found, Table(players=("Ann", "Bob", "Cem", "Dia")).event([1, 2, 3, 3], [2, 3]))
    keep(found, Table("pub", players=("bob", "Eli", "Flo")).event([4, 1, 0], [0]))
    yield found
    found.close()


def test_only_the_best_are_read(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the ranks and in the order that they have among all."""
    with database.read() as session:
        everybody = read_standings(session)
        assert len(everybody) == 6
        for most in (1, 3, 6, 7):
            monkeypatch.setattr(overview, "MAX_STANDINGS", most)
            assert read_standings(session) == everybody[:most]


def test_only_the_newest_tournaments_are_read(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The newest first."""
    with database.write() as session:
        for name in ("First", "Second", "Third"):
            tournaments.begin(session, name, "league", ("Ann", "Bob"), minutes(0))
    monkeypatch.setattr(overview, "MAX_TOURNAMENTS", 2)
    with database.read() as session:
        assert [each.name for each in read_tournaments(session)] == ["Third", "Second"]
