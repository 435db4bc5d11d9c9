"""What is kept of events: each once, in order, whatever comes twice, late or not at all."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from companion.apps.hub.database import Database
from companion.apps.hub.overview import read_standings, read_tables
from companion.apps.hub.schema import EventRow, GapRow
from companion.apps.hub.store import missing
from companion.apps.mqtt.broker import Message
from tests.hub.publishing import (
    NOON,
    Table,
    games,
    keep,
    kept,
    message,
    minutes,
    open_database,
    table,
)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """Give an empty database."""
    with closing(open_database(tmp_path)) as found:
        yield found


def gaps(database: Database) -> list[tuple[str, str]]:
    """Return between which events something is missing."""
    with database.read() as session:
        return [(row.after, row.before) for row in session.scalars(select(GapRow))]


def late(database: Database) -> list[int]:
    """Return the numbers of the events that came late."""
    with database.read() as session:
        rows = session.scalars(select(EventRow).where(EventRow.is_late).order_by(EventRow.seq))
        return [row.seq for row in rows]


def test_an_event_that_comes_twice_is_kept_once(database: Database) -> None:
    """In the same batch, and in a later one."""
    bar = Table()
    events = [bar.event([1, 0]), bar.event([1, 2])]
    assert keep(database, *events, events[1]).kept == 2
    assert keep(database, *events).known == 2
    assert [seq for _, _, _, seq, _ in kept(database)] == [1, 2]
    assert [seat.score for seat in games(database)[0].seats] == [1, 2]
    assert gaps(database) == []


def test_what_is_missing_is_noticed_and_filled(database: Database) -> None:
    """By the id that each event says it comes after; what comes later is put where it belongs."""
    bar = Table()
    first, second, third = bar.event(), bar.event(), bar.event([5, 0])
    keep(database, first, third)
    assert gaps(database) == [("1.2.a", "1.3.a")]
    with database.read() as session:
        assert missing(session) == {"bar": "1.1.a"}
    keep(database, second)
    assert gaps(database) == []
    assert [seq for _, _, _, seq, _ in kept(database)] == [1, 2, 3]
    assert [seat.score for seat in games(database)[0].seats] == [5, 0]


def test_a_hub_that_comes_later_misses_nothing(database: Database) -> None:
    """What was before it is none of its business."""
    bar = Table()
    bar.event()
    keep(database, bar.event([1, 1]))
    assert gaps(database) == []


def test_an_older_standing_does_not_replace_a_newer_one(database: Database) -> None:
    """Though it comes later."""
    bar = Table()
    older, newer = bar.event([1, 0]), bar.event([2, 0])
    keep(database, newer, older)
    assert [seat.score for seat in games(database)[0].seats] == [2, 0]


def test_what_comes_long_after_is_late(database: Database) -> None:
    """By the table's clock and ours; the newest of a table says so."""
    bar = Table()
    keep(database, bar.event(at=minutes(-30)), bar.event(at=minutes(-2)), bar.event([1, 0]))
    assert late(database) == [1, 2]
    assert not table(database).newest_is_late
    keep(database, bar.event([2, 0], at=minutes(1)), now=minutes(9))
    assert late(database) == [1, 2, 4]
    assert table(database).newest_is_late
    assert table(database).newest_at == minutes(1)


def test_an_imported_game_is_late_and_in_its_order(database: Database) -> None:
    """A table that takes games from elsewhere publishes them after its own; they count."""
    bar = Table()
    keep(database, bar.event([1, 0]))
    bar.begin(("Cem", "Dia"))
    old = [bar.event(at=minutes(-5000 + n)) for n in range(3)]
    end = bar.event([7, 3], [0], at=minutes(-4990), kind="closed")
    keep(database, *reversed(old), end)
    assert late(database) == [1, 2, 3, 4]
    assert table(database).newest_at == NOON
    with database.read() as session:
        assert [(each.name, each.won) for each in read_standings(session)] == [
            ("Cem", 1),
            ("Dia", 0),
        ]
        assert read_standings(session, minutes(-60)) == ()
        assert [p.name for p in read_tables(session, {}, NOON)[0].players] == ["Ann", "Bob"]


def test_a_resumed_game_takes_the_place_of_the_earlier_one(database: Database) -> None:
    """Its old entries, with the times that they had, are no late ones; one game counts."""
    bar = Table()
    keep(database, bar.event(), bar.event([3, 1]), bar.event([3, 1], kind="closed"))
    bar.begin(resumes=1)
    keep(
        database, bar.event(), bar.event(), bar.event([9, 1], [0], at=minutes(99)), now=minutes(99)
    )
    assert late(database) == []
    assert [game.is_replaced for game in games(database)] == [True, False]
    with database.read() as session:
        lines = read_standings(session)
        shown = read_tables(session, {}, minutes(99))
    assert [(line.name, line.games, line.won) for line in lines] == [("Ann", 1, 1), ("Bob", 1, 0)]
    assert [(player.name, player.score) for player in shown[0].players] == [("Ann", 9), ("Bob", 1)]


def test_a_log_that_begins_anew_is_another_log(database: Database) -> None:
    """Its first events have the same places and other ids; nothing of either is lost."""
    old, new = Table(mark="a"), Table(mark="b", players=("Cem", "Dia"))
    keep(database, old.event(), old.event([1, 0], [0]))
    keep(database, new.event(), new.event([0, 7], [1]))
    assert [(log, seq) for _, log, _, seq, _ in kept(database)] == [(1, 1), (1, 2), (2, 1), (2, 2)]
    assert gaps(database) == []
    assert table(database).twin_at is None
    with database.read() as session:
        assert {line.name for line in read_standings(session) if line.won} == {"Ann", "Dia"}
        assert [p.name for p in read_tables(session, {}, NOON)[0].players] == ["Cem", "Dia"]


def test_two_tables_of_one_name_are_noticed(database: Database) -> None:
    """Their logs take turns; each is kept for itself."""
    one, other = Table(mark="a"), Table(mark="b")
    keep(database, one.event(), other.event())
    assert table(database).twin_at is None
    keep(database, one.event(), other.event(), now=minutes(1))
    assert table(database).twin_at == minutes(1)
    assert len(kept(database)) == 4
    with database.read() as session:
        assert read_tables(session, {}, minutes(2))[0].twin
        assert not read_tables(session, {}, minutes(20))[0].twin


def test_a_log_restored_from_a_backup_is_told_from_the_lost_one(database: Database) -> None:
    """It goes on after an event that is known, otherwise than before."""
    lost = Table()
    keep(database, lost.event(), lost.event(), lost.event([1, 0]))
    restored = Table(mark="b", seq=1, newest="1.1.a")
    keep(database, restored.event([0, 1]), restored.event([0, 2]))
    assert [row[4] for row in kept(database)] == ["1.1.a", "1.2.a", "1.3.a", "1.2.b", "1.3.b"]
    assert gaps(database) == []


def test_a_game_that_is_not_over_after_all_does_not_count(database: Database) -> None:
    """The last move was taken back."""
    bar = Table()
    assert keep(database, bar.event([5, 0], [0])).standings
    with database.read() as session:
        assert len(read_standings(session)) == 2
    assert keep(database, bar.event([4, 0], kind="undo")).standings
    with database.read() as session:
        assert read_standings(session) == ()


def test_standings_count_wins_and_share_ranks(database: Database) -> None:
    """Who has won more often is better, and with as many wins who has needed fewer games."""
    bar, pub = Table(players=("Ann", "Bob", "Cem")), Table("pub", players=("ANN", "Dia"))
    keep(database, bar.event([1, 2, 3], [2]), pub.event([4, 1], [0], at=minutes(60)))
    bar.begin()
    keep(database, bar.event([9, 9, 0], [0, 1]))
    with database.read() as session:
        lines = read_standings(session)
        tonight = read_standings(session, minutes(30))
    assert [(each.rank, each.name, each.games, each.won) for each in lines] == [
        (1, "Ann", 3, 2), (2, "Bob", 2, 1), (2, "Cem", 2, 1), (4, "Dia", 1, 0),
    ]  # fmt: skip
    assert [each.name for each in tonight] == ["ANN", "Dia"]


BROKEN = [
    b"", b"null", b"[]", b"{", b"\xff", b'{"schema": 1}', b"[" * 100_000,
    b'{"schema": 2, "id": "x"}', b"x" * 300_000,
]  # fmt: skip


@pytest.mark.parametrize("payload", BROKEN, ids=lambda each: repr(each[:12]))
def test_what_is_no_event_is_refused_and_named(database: Database, payload: bytes) -> None:
    """It is dropped, else the broker would send it for ever; the table says so."""
    taken = keep(database, Message("tiki/bar/events", payload), Table().event())
    assert (taken.kept, list(taken.refused)) == (1, ["tiki/bar/events"])
    assert table(database).refused


@pytest.mark.parametrize(
    "more",
    [
        {"session": 0}, {"seq": -1}, {"seq": 2**40}, {"id": ""}, {"id": "x" * 65}, {"players": 3},
        {"players": ["x" * 101]}, {"players": ["x"] * 33}, {"event": 3}, {"event": {"type": "x"}},
        {"event": {"type": "x", "at": "now"}},
        {"event": {"type": "x", "at": "2026-01-01T00:00:00"}},
        {"standing": {"scores": [10**12], "is_over": True, "winners": []}},
        {"standing": {"scores": ["1"], "is_over": 1, "winners": []}},
    ],
    ids=repr,
)  # fmt: skip
def test_a_field_that_is_none_is_refused(database: Database, more: dict[str, Any]) -> None:
    """Whatever its place."""
    assert keep(database, Table().event(**more)).kept == 0
    assert kept(database) == []


def test_strange_names_harm_nothing(database: Database) -> None:
    """Control characters, more winners than seats, tables without a name."""
    bar = Table(players=("A\0nn\n", "<b>"))
    taken = keep(
        database,
        bar.event([1, 2, 3, 4], [7, -1]),
        Message("tiki/two words/events", bar.event().payload),
        Message("events", b"{}"),
        message("bar", {}),
    )
    assert (taken.kept, len(taken.refused)) == (1, 3)
    assert [seat.name for seat in games(database)[0].seats] == ["A nn ", "<b>"]
