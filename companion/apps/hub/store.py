"""Keeping what tables publish: each event exactly once, in the order of its table's log."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import Final

from sqlalchemy import and_, select, tuple_
from sqlalchemy.orm import Session

from companion.apps.hub.known import Arrival, Known
from companion.apps.hub.published import Event, Unreadable, read, read_entry, table_of
from companion.apps.hub.schema import EventRow, GameRow, GapRow, SeatRow, TableRow
from companion.apps.hub.tournaments import settle
from companion.apps.mqtt.broker import Message

LATE: Final = timedelta(seconds=60)
"""What happened longer ago is said to have come late; clocks that the network sets differ less."""
CLOSED: Final = "closed"
FROM_THE_START: Final = "0"
"""Asks a table for all of the game in play; see docs/mqtt.md."""
MAX_REFUSED_CHARS: Final = 200


@dataclass(slots=True)
class Taken:
    """What came of some messages.

    kept: how many events are new.  known: how many were there already.
    refused: by topic, why one could not be read.
    gaps: whether something is missing.  standings: whether a game has ended, or has not after all.
    """

    kept: int = 0
    known: int = 0
    refused: dict[str, str] = field(default_factory=dict)
    gaps: bool = False
    standings: bool = False


def take(session: Session, messages: Iterable[Message], now: datetime | None = None) -> Taken:
    """Keep the events in *messages*, and what follows from them for games and matches.

    now: when they came.
    """
    now, taken = now or datetime.now(UTC), Taken()
    named: list[tuple[str, Message]] = []
    for message in messages:
        try:
            named.append((table_of(message.topic), message))
        except Unreadable as error:
            taken.refused[message.topic[:MAX_REFUSED_CHARS]] = str(error)
    tables = find_tables(session, {name for name, _ in named}, now)
    arrivals: list[Arrival] = []
    for name, message in named:
        table = tables[name]
        try:
            event = read(Event, message.payload)
            arrivals.append(Arrival(table, event, read_entry(event)))
        except Unreadable as error:
            taken.refused[message.topic] = table.refused = str(error)[:MAX_REFUSED_CHARS]
    if arrivals:
        known = Known(session, arrivals)
        for arrival in arrivals:
            _take_event(known, arrival, now, taken)
        known.write()
    return taken


def find_tables(session: Session, names: Collection[str], now: datetime) -> dict[str, TableRow]:
    """Return the tables of these *names*, new if they were not known."""
    rows = session.scalars(select(TableRow).where(TableRow.name.in_(names)))
    found = {row.name: row for row in rows}
    for name in names:
        if name not in found:
            found[name] = TableRow(name=name, since=now, log=1, is_online=False)
            session.add(found[name])
    session.flush()
    return found


def _take_event(known: Known, arrival: Arrival, now: datetime, taken: Taken) -> None:
    table, event, entry = arrival
    log = _log_of(known, arrival, now, taken)
    if log is None:
        taken.known += 1
        return
    if log < table.log:  # its log came back: two tables have one name
        table.twin_at = now
    table.log = log
    game = _game_of(known, arrival, log, taken)
    is_late = now - entry.at > LATE and not _is_repeated(known, game, event, entry.at)
    known.add(
        table_id=table.id,
        log=log,
        session=event.session,
        seq=event.seq,
        event_id=event.id,
        type=entry.type,
        at=entry.at,
        received_at=now,
        is_late=is_late,
        body=bytes(event.event).decode(),
    )
    if table.newest_at is None or entry.at >= table.newest_at:
        table.newest_at, table.newest_is_late = entry.at, is_late
    known.fill_gap(table.id, event.id)
    game.newest_seq = max(game.newest_seq, event.seq)
    game.newest_at = max(game.newest_at, entry.at)
    game.is_closed = game.is_closed or entry.type == CLOSED
    taken.kept += 1
    if event.standing is not None and event.seq >= game.standing_seq:
        taken.standings |= _stand(game, event)
        if table.id in known.played_at:
            known.session.flush()
            settle(known.session, game)


def _log_of(known: Known, arrival: Arrival, now: datetime, taken: Taken) -> int | None:
    """Return the number of the log that *arrival* is of, None if it is known already.

    A log is known by its events' ids, each of which names the one before; so the log of a second
    table of the same name, or one that was begun anew, is told from the table's own.
    """
    table, event, _ = arrival
    here = known.places.get((table.id, event.session, event.seq), {})
    if event.id in here.values():
        return None
    before = known.logs.get((table.id, event.after))
    if before is not None and before not in here:
        return before
    newest = known.newest_logs.get(table.id)
    if newest is None:  # whatever was before, this hub was not there
        return 1
    if newest in here:
        return newest + 1
    if event.after and (last := known.newest_before(table.id, newest, event)):
        taken.gaps = True
        known.note_gap(
            GapRow(table_id=table.id, known=last, after=event.after, before=event.id, found_at=now)
        )
    return newest


def missing(session: Session, newest: Mapping[str, str] = MappingProxyType({})) -> dict[str, str]:
    """Return by table after which event something is missing, the first of each.

    newest: by table, the id of the newest entry that there is.  FROM_THE_START: nothing is known
    of a table.
    """
    entries = session.execute(
        select(TableRow.name, EventRow.event_id)
        .join(EventRow, EventRow.table_id == TableRow.id)
        .where(tuple_(TableRow.name, EventRow.event_id).in_([*newest.items()]))
    )
    known = {row[0] for row in entries}
    found = {name: _newest_of(session, name) for name in newest if name not in known}
    rows = session.execute(
        select(TableRow.name, GapRow.known)
        .join(GapRow, GapRow.table_id == TableRow.id)
        .order_by(GapRow.id.desc())
    )
    return {**found, **{row[0]: row[1] for row in rows}}


def _newest_of(session: Session, table: str) -> str:
    """Return the id of the newest event of *table* that is kept."""
    return (
        session.scalar(
            select(EventRow.event_id)
            .join(TableRow, and_(TableRow.id == EventRow.table_id, TableRow.log == EventRow.log))
            .where(TableRow.name == table)
            .order_by(EventRow.session.desc(), EventRow.seq.desc())
            .limit(1)
        )
        or FROM_THE_START
    )


def _game_of(known: Known, arrival: Arrival, log: int, taken: Taken) -> GameRow:
    """Return the game that *arrival* is of, begun if it is new."""
    table, event, entry = arrival
    found = known.games.get((table.id, log, event.session))
    if found is None:
        found = GameRow(
            table_id=table.id,
            log=log,
            session=event.session,
            name=event.game,
            resumes=event.resumes,
            newest_seq=0,
            standing_seq=0,
            began_at=entry.at,
            newest_at=entry.at,
            is_over=False,
            is_closed=False,
            is_replaced=False,
        )
        found.seats = [
            SeatRow(seat=seat, name=name, folded=name.casefold(), score=0, is_winner=False)
            for seat, name in enumerate(event.players)
        ]
        earlier = known.games.get((table.id, log, event.resumes)) if event.resumes else None
        if earlier is not None:
            earlier.is_replaced = True
            taken.standings |= earlier.is_over
        known.begin(found)
    return found


def _is_repeated(known: Known, game: GameRow, event: Event, at: datetime) -> bool:
    """Return whether *event* is one that a resumed game has again, with the time that it had."""
    if not game.resumes:
        return False
    known.write()
    earlier = known.session.get(EventRow, (game.table_id, game.log, game.resumes, event.seq))
    return earlier is not None and earlier.at == at


def _stand(game: GameRow, event: Event) -> bool:
    """Let *game* stand as *event* says; return whether that matters to standings of people."""
    assert event.standing is not None
    standing = event.standing
    before = [(seat.score, seat.is_winner) for seat in game.seats]
    was_over, game.is_over, game.standing_seq = game.is_over, standing.is_over, event.seq
    for seat, score in zip(game.seats, standing.scores, strict=False):
        seat.score = score
    for seat in game.seats:
        seat.is_winner = seat.seat in standing.winners
    after = [(seat.score, seat.is_winner) for seat in game.seats]
    return was_over != game.is_over or (game.is_over and before != after)


def tables(session: Session) -> Sequence[TableRow]:
    """Return all tables, by name."""
    return session.scalars(select(TableRow).order_by(TableRow.name)).all()
