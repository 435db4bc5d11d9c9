"""Keeping what tables publish: each event exactly once, in the order of its table's log."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import Final

from sqlalchemy import and_, delete, func, literal, select, tuple_
from sqlalchemy.orm import Session

from companion.hub.published import Event, Unreadable, read, read_entry, table_of
from companion.hub.schema import EventRow, GameRow, GapRow, SeatRow, TableRow
from companion.hub.tournaments import settle
from companion.mqtt.broker import Message

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
    for message in messages:
        try:
            name = table_of(message.topic)
        except Unreadable as error:
            taken.refused[message.topic[:MAX_REFUSED_CHARS]] = str(error)
            continue
        table = find_table(session, name, now)
        try:
            event = read(Event, message.payload)
            entry = read_entry(event)
        except Unreadable as error:
            taken.refused[message.topic] = table.refused = str(error)[:MAX_REFUSED_CHARS]
            continue
        _take_event(session, table, event, (entry.type, entry.at), now, taken)
    return taken


def find_table(session: Session, name: str, now: datetime) -> TableRow:
    """Return the table called *name*, new if it was not known."""
    found = session.scalar(select(TableRow).where(TableRow.name == name))
    if found is None:
        found = TableRow(name=name, since=now)
        session.add(found)
        session.flush()
    return found


def _take_event(
    session: Session,
    table: TableRow,
    event: Event,
    entry: tuple[str, datetime],
    now: datetime,
    taken: Taken,
) -> None:
    log = _log_of(session, table, event, now, taken)
    if log is None:
        taken.known += 1
        return
    if log < table.log:  # its log came back: two tables have one name
        table.twin_at = now
    table.log = log
    kind, at = entry
    game = _game_of(session, table, log, event, at)
    is_late = now - at > LATE and not _is_repeated(session, game, event, at)
    session.add(
        EventRow(
            table_id=table.id,
            log=log,
            session=event.session,
            seq=event.seq,
            event_id=event.id,
            type=kind,
            at=at,
            received_at=now,
            is_late=is_late,
            body=bytes(event.event).decode(),
        )
    )
    if table.newest_at is None or at >= table.newest_at:
        table.newest_at, table.newest_is_late = at, is_late
    session.execute(delete(GapRow).where(GapRow.table_id == table.id, GapRow.after == event.id))
    game.newest_seq, game.newest_at = max(game.newest_seq, event.seq), max(game.newest_at, at)
    game.is_closed = game.is_closed or kind == CLOSED
    taken.kept += 1
    if event.standing is not None and event.seq >= game.standing_seq:
        taken.standings |= _stand(game, event)
        session.flush()
        settle(session, game)


def _log_of(
    session: Session, table: TableRow, event: Event, now: datetime, taken: Taken
) -> int | None:
    """Return the number of the log that *event* is of, None if it is known already.

    A log is known by its events' ids, each of which names the one before; so the log of a second
    table of the same name, or one that was begun anew, is told from the table's own.
    """
    of_table = EventRow.table_id == table.id
    place = (EventRow.session == event.session) & (EventRow.seq == event.seq)
    here = {
        row.log: row.event_id for row in session.scalars(select(EventRow).where(of_table, place))
    }
    if event.id in here.values():
        return None
    before = session.scalar(
        select(EventRow.log).where(of_table, EventRow.event_id == event.after).limit(1)
    )
    if before is not None and before not in here:
        return before
    newest = session.scalar(select(func.max(EventRow.log)).where(of_table))
    if newest is None:  # whatever was before, this hub was not there
        return 1
    if newest in here:
        return newest + 1
    if event.after and (known := _newest_before(session, table, newest, event)):
        taken.gaps = True
        session.add(
            GapRow(table_id=table.id, known=known, after=event.after, before=event.id, found_at=now)
        )
    return newest


def _newest_before(session: Session, table: TableRow, log: int, event: Event) -> str | None:
    """Return the id of the newest event before *event* in its log, None if there is none."""
    place = tuple_(EventRow.session, EventRow.seq)
    return session.scalar(
        select(EventRow.event_id)
        .where(EventRow.table_id == table.id, EventRow.log == log)
        .where(place < tuple_(literal(event.session), literal(event.seq)))
        .order_by(EventRow.session.desc(), EventRow.seq.desc())
        .limit(1)
    )


def missing(session: Session, newest: Mapping[str, str] = MappingProxyType({})) -> dict[str, str]:
    """Return by table after which event something is missing, the first of each.

    newest: by table, the id of the newest entry that there is.  FROM_THE_START: nothing is known
    of a table.
    """
    known = set(
        session.scalars(select(EventRow.event_id).where(EventRow.event_id.in_([*newest.values()])))
    )
    found = {
        name: _newest_of(session, name) for name, entry in newest.items() if entry not in known
    }
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


def _game_of(session: Session, table: TableRow, log: int, event: Event, at: datetime) -> GameRow:
    """Return the game that *event* is of, begun if it is new."""
    found = _find_game(session, table.id, log, event.session)
    if found is None:
        found = GameRow(
            table_id=table.id,
            log=log,
            session=event.session,
            name=event.game,
            resumes=event.resumes,
            newest_seq=0,
            standing_seq=0,
            began_at=at,
            newest_at=at,
            is_over=False,
            is_closed=False,
            is_replaced=False,
        )
        found.seats = [
            SeatRow(seat=seat, name=name, folded=name.casefold(), score=0, is_winner=False)
            for seat, name in enumerate(event.players)
        ]
        session.add(found)
        earlier = _find_game(session, table.id, log, event.resumes) if event.resumes else None
        if earlier is not None:
            earlier.is_replaced = True
        session.flush()
    return found


def _find_game(session: Session, table: int, log: int, number: int) -> GameRow | None:
    return session.scalar(
        select(GameRow).where(
            GameRow.table_id == table, GameRow.log == log, GameRow.session == number
        )
    )


def _is_repeated(session: Session, game: GameRow, event: Event, at: datetime) -> bool:
    """Return whether *event* is one that a resumed game has again, with the time that it had."""
    if not game.resumes:
        return False
    earlier = session.get(EventRow, (game.table_id, game.log, game.resumes, event.seq))
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
