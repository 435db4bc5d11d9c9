"""Tables that publish by hand, for tests of the hub: each event names the one before it."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import select

from companion.apps.hub.database import Database, parse_url
from companion.apps.hub.schema import EventRow, GameRow, TableRow
from companion.apps.hub.store import Taken, take
from companion.apps.mqtt.broker import Message

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def minutes(count: float) -> datetime:
    """Return the moment so many minutes after noon."""
    return NOON + timedelta(minutes=count)


def open_database(folder: Path, name: str = "hub.db") -> Database:
    """Return a database of its own, which the caller closes."""
    return Database(parse_url(f"sqlite:///{folder / name}"))


def keep(database: Database, *messages: Message, now: datetime | None = None) -> Taken:
    """Keep *messages*, by default as if they had come at noon."""
    with database.write() as session:
        return take(session, messages, now or NOON)


@dataclass
class Table:
    """A table that publishes.  mark: differs between two logs, as the times in their ids do."""

    name: str = "bar"
    players: Sequence[str] = ("Ann", "Bob")
    game: str = "topple"
    mark: str = "a"
    session: int = 1
    seq: int = 0
    newest: str = ""
    resumes: int = 0

    def event(
        self,
        scores: Sequence[int] | None = None,
        winners: Sequence[int] = (),
        *,
        over: bool | None = None,
        kind: str = "move",
        at: datetime = NOON,
        **more: Any,
    ) -> Message:
        """Return the next event; with *scores* it tells how the game stands."""
        self.seq += 1
        before, self.newest = self.newest, f"{self.session}.{self.seq}.{self.mark}"
        thing: dict[str, Any] = {
            "schema": 1, "table": self.name, "id": self.newest, "after": before,
            "session": self.session, "seq": self.seq, "game": self.game,
            "players": list(self.players), "resumes": self.resumes,
            "event": {"type": kind, "seq": self.seq, "action": "roll 3", "at": at.isoformat()},
        }  # fmt: skip
        if scores is not None:
            is_over = bool(winners) if over is None else over
            thing["standing"] = {
                "scores": list(scores), "is_over": is_over, "winners": list(winners),
            }  # fmt: skip
        return message(self.name, {**thing, **more})

    def begin(self, players: Sequence[str] | None = None, resumes: int = 0) -> None:
        """Go on with another session."""
        self.session, self.seq, self.resumes = self.session + 1, 0, resumes
        self.players = players or self.players


def message(table: str, thing: dict[str, Any], name: str = "events") -> Message:
    """Return what *table* publishes."""
    return Message(f"tiki/{table}/{name}", json.dumps(thing).encode())


def kept(database: Database) -> list[tuple[str, int, int, int, str]]:
    """Return table, log, session, seq and id of every event that is kept, in order."""
    with database.read() as session:
        rows = session.execute(
            select(TableRow.name, EventRow.log, EventRow.session, EventRow.seq, EventRow.event_id)
            .join(TableRow, TableRow.id == EventRow.table_id)
            .order_by(TableRow.name, EventRow.log, EventRow.session, EventRow.seq)
        )
        return [(row[0], row[1], row[2], row[3], row[4]) for row in rows]


def games(database: Database) -> list[GameRow]:
    """Return all games, with their seats."""
    with database.read() as session:
        return list(session.scalars(select(GameRow).order_by(GameRow.id)))


def table(database: Database, name: str = "bar") -> TableRow:
    """Return what is known of a table."""
    with database.read() as session:
        found = session.scalar(select(TableRow).where(TableRow.name == name))
        assert found is not None
        return found
