"""The hub's database, by SQLAlchemy: tables and what came from them, and tournaments."""

from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import Dialect, ForeignKey, ForeignKeyConstraint, Index, UniqueConstraint
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship
from sqlalchemy.types import DateTime, Text, TypeDecorator

SCHEMA: Final = 1
"""Counts up when an older hub could no longer use the database."""


class Instant(TypeDecorator[datetime]):
    """An instant in UTC; SQLite, which knows no zones, gets it without."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return what is stored."""
        if value is None or dialect.name != "sqlite":
            return value
        return value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        """Return what was stored, with its zone."""
        del dialect
        if value is None:
            return None
        found: datetime = value
        return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)


class Base(DeclarativeBase):
    """All of it."""

    type_annotation_map = {datetime: Instant, str: Text}  # noqa: RUF012 - as SQLAlchemy has it


class HubRow(Base):
    """The database itself: one row.

    client_id: by which the broker knows the hub that keeps its events here.
    """

    __tablename__ = "hub"
    id: Mapped[int] = mapped_column(primary_key=True)
    schema: Mapped[int]
    client_id: Mapped[str]
    made_at: Mapped[datetime]


class TableRow(Base):
    """A table.

    since: when it came or went, as far as the hub noticed.  instance: the companion that said so.
    log: the number of the log that its newest event is of; a table whose log was begun anew has
    several.  twin_at: when two tables of this name were noticed last.
    refused: why something that it published could not be read, "" if all could.
    """

    __tablename__ = "table_"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    is_online: Mapped[bool] = mapped_column(default=False)
    since: Mapped[datetime]
    instance: Mapped[str] = mapped_column(default="")
    log: Mapped[int] = mapped_column(default=1)
    newest_at: Mapped[datetime | None]
    newest_is_late: Mapped[bool] = mapped_column(default=False)
    twin_at: Mapped[datetime | None]
    refused: Mapped[str] = mapped_column(default="")


class GameRow(Base):
    """A session of a table's log.

    standing_seq: the entry that told how it stands, 0 if none did.  is_replaced: whether a later
    session goes on with it, which counts in its place.
    """

    __tablename__ = "game"
    __table_args__ = (UniqueConstraint("table_id", "log", "session"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    table_id: Mapped[int] = mapped_column(ForeignKey("table_.id"))
    log: Mapped[int]
    session: Mapped[int]
    name: Mapped[str]
    resumes: Mapped[int] = mapped_column(default=0)
    newest_seq: Mapped[int] = mapped_column(default=0)
    standing_seq: Mapped[int] = mapped_column(default=0)
    began_at: Mapped[datetime]
    newest_at: Mapped[datetime]
    is_over: Mapped[bool] = mapped_column(default=False)
    is_closed: Mapped[bool] = mapped_column(default=False)
    is_replaced: Mapped[bool] = mapped_column(default=False)
    seats: Mapped[list["SeatRow"]] = relationship(order_by="SeatRow.seat", lazy="selectin")
    table: Mapped[TableRow] = relationship(lazy="joined")


class SeatRow(Base):
    """A player of a game.  folded: the name as it is compared, whatever its letters' case."""

    __tablename__ = "seat"
    game_id: Mapped[int] = mapped_column(ForeignKey("game.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    folded: Mapped[str] = mapped_column(index=True)
    score: Mapped[int] = mapped_column(default=0)
    is_winner: Mapped[bool] = mapped_column(default=False)


class EventRow(Base):
    """An entry of a log, as it came.

    at: when it happened, by the table's clock; received_at: when it came, by ours.
    is_late: whether it came long after.  body: the entry as JSON.
    """

    __tablename__ = "event"
    table_id: Mapped[int] = mapped_column(primary_key=True)
    log: Mapped[int] = mapped_column(primary_key=True)
    session: Mapped[int] = mapped_column(primary_key=True)
    seq: Mapped[int] = mapped_column(primary_key=True)
    event_id: Mapped[str]
    type: Mapped[str]
    at: Mapped[datetime]
    received_at: Mapped[datetime]
    is_late: Mapped[bool]
    body: Mapped[str]
    __table_args__ = (
        ForeignKeyConstraint(
            ["table_id", "log", "session"], ["game.table_id", "game.log", "game.session"]
        ),
        Index("event_by_id", "table_id", "event_id"),
    )


class GapRow(Base):
    """Something is missing: between these two events of a table others were sent.

    known: the newest event before them that is kept, after which the table is asked for them.
    """

    __tablename__ = "gap"
    id: Mapped[int] = mapped_column(primary_key=True)
    table_id: Mapped[int] = mapped_column(ForeignKey("table_.id"))
    known: Mapped[str]
    after: Mapped[str]
    before: Mapped[str]
    found_at: Mapped[datetime]


class TournamentRow(Base):
    """A tournament.  kind: "knockout" or "league"."""

    __tablename__ = "tournament"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    kind: Mapped[str]
    began_at: Mapped[datetime]
    ended_at: Mapped[datetime | None]
    entrants: Mapped[list["EntrantRow"]] = relationship(order_by="EntrantRow.seed", lazy="selectin")
    matches: Mapped[list["MatchRow"]] = relationship(
        order_by="(MatchRow.round, MatchRow.place)", lazy="selectin", viewonly=True
    )


class EntrantRow(Base):
    """Who takes part; seed: from 1, the best first."""

    __tablename__ = "entrant"
    id: Mapped[int] = mapped_column(primary_key=True)
    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournament.id"))
    seed: Mapped[int]
    name: Mapped[str]


class MatchRow(Base):
    """A match of two entrants.

    round from 1, place from 0.  one, two: seeds, None while nobody knows; a bye has one of them.
    winner: a seed.  is_drawn: neither has won, and that counts.  by_hand: the host said so.
    table_id: where it is played; assigned_at: since when games there count.  game_id: its game.
    """

    __tablename__ = "match"
    __table_args__ = (UniqueConstraint("tournament_id", "round", "place"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournament.id"))
    round: Mapped[int]
    place: Mapped[int]
    one: Mapped[int | None]
    two: Mapped[int | None]
    winner: Mapped[int | None]
    is_drawn: Mapped[bool] = mapped_column(default=False)
    by_hand: Mapped[bool] = mapped_column(default=False)
    table_id: Mapped[int | None] = mapped_column(ForeignKey("table_.id"))
    assigned_at: Mapped[datetime | None]
    game_id: Mapped[int | None] = mapped_column(ForeignKey("game.id"))
