"""Games that are entered at a table, and their events as the hub has kept them."""

import random
from collections.abc import Iterator, Mapping
from contextlib import closing

from sqlalchemy import func, select

from companion.apps.hub.database import Database, DatabaseTrouble, parse_url
from companion.apps.hub.schema import EventRow, TableRow
from companion.referee.feed import Position, entry_id
from companion.referee.live_session import LiveSession
from companion.rules.tiki_topple import TIKIS
from companion.session.log import Log
from tests.tables import random_round

GAMES = 2


def script(seed: int) -> Iterator[str]:
    """Yield the moves of some games of Tiki Topple of one round, with the cards at the end."""
    rng = random.Random(seed)
    for _ in range(GAMES):
        yield from (action for _, action, _ in random_round(rng, 3, TIKIS))
        for seat in range(3):
            yield f"card {seat} {' '.join(rng.sample(TIKIS, 3))}"
        yield "renew"


def enter(live_session: LiveSession, action: str) -> None:
    """Make a move, or begin the next game."""
    if action == "renew":
        live_session.renew(live_session.header, "another game")
    else:
        live_session.referee.enter(action)
    live_session.changed()


def has_all(url: str, wanted: Mapping[str, list[str]]) -> bool:
    """Return whether the database has all that is wanted; one that is away has not."""
    try:
        with closing(Database(parse_url(url))) as database, database.read() as session:
            count = session.scalar(select(func.count()).select_from(EventRow))
    except DatabaseTrouble:
        return False
    return count == sum(map(len, wanted.values()))


def kept(database: Database) -> dict[str, list[str]]:
    """Return the ids of all events by table, as the database has them in order."""
    found: dict[str, list[str]] = {}
    with database.read() as session:
        rows = session.execute(
            select(TableRow.name, EventRow.event_id)
            .join(TableRow, TableRow.id == EventRow.table_id)
            .order_by(TableRow.name, EventRow.log, EventRow.session, EventRow.seq)
        )
        for row in rows:
            found.setdefault(row[0], []).append(row[1])
    return found


def logged(log: Log) -> list[str]:
    """Return the ids of all entries of a table's log, in order."""
    return [
        entry_id(Position(number, entry.seq), entry.at)
        for number in sorted(log.opened())
        for entry in log.entries(number)
    ]
