"""What the database knows around some events that have come, read at once.

A database may be a network away: asked for each event alone, a hundred tables would wait for it.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import func, insert, literal, select, tuple_
from sqlalchemy.orm import Session

from companion.apps.hub.published import Entry, Event
from companion.apps.hub.schema import EventRow, GameRow, GapRow, MatchRow, TableRow


class Arrival(NamedTuple):
    """An event that has come, and what it says."""

    table: TableRow
    event: Event
    entry: Entry


class Known:
    """What is known around *arrivals*, kept up to date while they are taken one by one.

    places: by table, session and number, the ids that stand there, by log.
    logs: by table and id, the log that an event is of.  newest_logs: by table.
    games: by table, log and session.  played_at: tables at which matches are played.
    """

    def __init__(self, session: Session, arrivals: Sequence[Arrival]) -> None:
        self.session = session
        tables = {each.table.id for each in arrivals}
        self.places: dict[tuple[int, int, int], dict[int, str]] = defaultdict(dict)
        self.logs: dict[tuple[int, str], int] = {}
        self._pending: list[dict[str, Any]] = []
        self._read_events(arrivals)
        logs = select(GameRow.table_id, func.max(GameRow.log)).group_by(GameRow.table_id)
        rows = session.execute(logs.where(GameRow.table_id.in_(tables)))
        self.newest_logs: dict[int, int] = {row[0]: row[1] for row in rows}
        self.games = self._read_games(arrivals)
        self._gaps: dict[tuple[int, str], list[GapRow]] = defaultdict(list)
        for gap in session.scalars(select(GapRow).where(GapRow.table_id.in_(tables))):
            self._gaps[gap.table_id, gap.after].append(gap)
        self.played_at = set(
            session.scalars(select(MatchRow.table_id).where(MatchRow.table_id.in_(tables)))
        )

    def _read_events(self, arrivals: Sequence[Arrival]) -> None:
        row = (EventRow.table_id, EventRow.session, EventRow.seq, EventRow.log, EventRow.event_id)
        places = {(each.table.id, each.event.session, each.event.seq) for each in arrivals}
        at_place = tuple_(EventRow.table_id, EventRow.session, EventRow.seq).in_([*places])
        for table, number, seq, log, event_id in self.session.execute(select(*row).where(at_place)):
            self.places[table, number, seq][log] = event_id
            self.logs[table, event_id] = log
        ids = {(each.table.id, each.event.after) for each in arrivals if each.event.after}
        with_id = tuple_(EventRow.table_id, EventRow.event_id).in_([*ids])
        for table, _, _, log, event_id in self.session.execute(select(*row).where(with_id)):
            self.logs[table, event_id] = log

    def _read_games(self, arrivals: Sequence[Arrival]) -> dict[tuple[int, int, int], GameRow]:
        wanted = {
            (each.table.id, number)
            for each in arrivals
            for number in (each.event.session, each.event.resumes)
        }
        which = tuple_(GameRow.table_id, GameRow.session).in_([*wanted])
        rows = self.session.scalars(select(GameRow).where(which))
        return {(row.table_id, row.log, row.session): row for row in rows}

    def add(self, **row: Any) -> None:
        """Keep an event, once `write` is called."""
        self._pending.append(row)
        table, log = row["table_id"], row["log"]
        self.places[table, row["session"], row["seq"]][log] = row["event_id"]
        self.logs[table, row["event_id"]] = log
        self.newest_logs[table] = max(log, self.newest_logs.get(table, 0))

    def begin(self, game: GameRow) -> None:
        """Keep a game that is new."""
        self.session.add(game)
        self.games[game.table_id, game.log, game.session] = game

    def note_gap(self, gap: GapRow) -> None:
        """Keep that something is missing."""
        self.session.add(gap)
        self._gaps[gap.table_id, gap.after].append(gap)

    def fill_gap(self, table: int, event_id: str) -> None:
        """Forget that what comes just before *event_id*, and itself, was missing."""
        gaps = self._gaps.pop((table, event_id), ())
        if gaps:
            self.session.flush()
        for gap in gaps:
            self.session.delete(gap)

    def newest_before(self, table: int, log: int, event: Event) -> str | None:
        """Return the id of the newest event before *event* in its log, None if there is none."""
        self.write()
        place = tuple_(EventRow.session, EventRow.seq)
        return self.session.scalar(
            select(EventRow.event_id)
            .where(EventRow.table_id == table, EventRow.log == log)
            .where(place < tuple_(literal(event.session), literal(event.seq)))
            .order_by(EventRow.session.desc(), EventRow.seq.desc())
            .limit(1)
        )

    def write(self) -> None:
        """Write what was added."""
        self.session.flush()
        if self._pending:
            self.session.execute(insert(EventRow), self._pending)
            self._pending = []
