"""docs/hub.md: its commands are understood, its tables complete, its question has an answer."""

import re
import shlex
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from starlette.routing import Route

from companion.apps.hub import bracket
from companion.apps.hub.database import Database, parse_url
from companion.apps.hub.hub import KEPT_S
from companion.apps.hub.overview import EVENING
from companion.apps.hub.pages import FEW, create_app
from companion.apps.hub.schema import Base
from companion.apps.hub.store import LATE
from companion.cli import build_parser
from companion.web.pages.installing import ROUTES as INSTALLING
from tests.hub.postgres import Postgres
from tests.hub.postgres import missing as no_postgres
from tests.hub.publishing import Table, keep, open_database
from tests.hub.visiting import open_house

PAGE = (Path(__file__).parents[2] / "docs" / "hub.md").read_text()


def blocks(kind: str) -> list[str]:
    """Return the examples of a kind."""
    return re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)


def test_the_commands_are_understood() -> None:
    """As they stand; so are the addresses of databases."""
    lines = [line for block in blocks("sh") for line in block.splitlines()]
    commands = [shlex.split(line)[1:] for line in lines if line.startswith("./run ")]
    assert commands
    for words in commands:
        build_parser("hub").parse_args(words)
    for address in re.findall(r"`((?:sqlite|postgresql)://[^`]+)`", PAGE):
        assert parse_url(address).database


def test_the_table_of_the_database_is_complete() -> None:
    """Every table has its row, and columns that are named exist."""
    rows = dict(re.findall(r"^\| ((?:`\w+`(?:, )?)+) \| (.*) \|$", PAGE, re.MULTILINE))
    named = {name for names in rows for name in re.findall(r"`(\w+)`", names)}
    tables = Base.metadata.tables
    assert named == set(tables)
    for names, words in rows.items():
        columns = {c.name for name in re.findall(r"`(\w+)`", names) for c in tables[name].columns}
        assert set(re.findall(r"`(\w+)`", words)) <= columns, names


def test_the_table_of_pages_is_complete(tmp_path: Path) -> None:
    """Whatever may be looked at; each answers as the page says."""
    named = re.findall(r"^\| `(/[^`]*)` \|", PAGE, re.MULTILINE)
    with open_house(tmp_path) as house:
        keep(house.database, Table().event())
        house.refresh()
        for path in named:
            assert house.stranger().get(path).status_code == 200, path
        routes = {
            route.path
            for route in create_app(house.site).routes
            if isinstance(route, Route) and "GET" in (route.methods or ())
        }
    known = {re.sub(r"bar", "{name}", path.partition("?")[0]) for path in named}
    hidden = {"/live", "/api/state", "/static/games.css"}
    hidden |= {route.path for route in INSTALLING}
    assert routes - hidden == known


def test_the_numbers_of_the_page_are_the_code_s() -> None:
    """How many players, hours, days and seconds."""
    for words in (
        f"2 to {bracket.MAX_ENTRANTS['knockout']} players",
        f"2 to {bracket.MAX_ENTRANTS['league']} players",
        f"in the last {EVENING.total_seconds() / 3600:.0f} hours",
        f"for {KEPT_S / 86400:.0f} days",
    ):
        assert words in PAGE
    assert "up to twelve tables" in PAGE
    assert FEW == 12
    assert "more than a minute" in PAGE
    assert LATE.total_seconds() == 60


def answers(database: Database) -> list[tuple[object, ...]]:
    """Return what the page's question brings of two games."""
    bar = Table(players=("Ann", "Bob"))
    keep(database, bar.event([1, 3], [1]))
    bar.begin(("ann", "Cem"))
    keep(database, bar.event([5, 3], [0]))
    (question,) = blocks("sql")
    with database.read() as session:
        found = session.connection().exec_driver_sql(question)
        return [tuple(row) for row in found]


def test_the_question_is_answered_by_sqlite(tmp_path: Path) -> None:
    """As it stands."""
    with closing(open_database(tmp_path)) as database:
        wins = [(name.casefold(), games, won) for name, games, won in answers(database)]  # type: ignore[attr-defined]
    assert wins == [("bob", 1, 1), ("ann", 2, 1), ("cem", 1, 0)]
    (question,) = blocks("sql")
    with closing(sqlite3.connect(tmp_path / "hub.db")) as raw:
        assert len(raw.execute(question).fetchall()) == 3


@pytest.mark.skipif(bool(no_postgres()), reason=no_postgres())
def test_the_question_is_answered_by_postgresql() -> None:
    """As it stands; what a hub keeps there is the same."""
    with Postgres() as server, closing(Database(parse_url(server.url()))) as database:
        assert [row[1:] for row in answers(database)] == [(1, 1), (2, 1), (1, 0)]
