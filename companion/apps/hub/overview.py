"""The overview: all that the pages show, read from the database and frozen at one instant."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from sqlalchemy import ColumnElement, Integer, and_, cast, func, select
from sqlalchemy.orm import Session

from companion.apps.hub.bracket import KNOCKOUT, LeagueLine, champion, league_table, ranks
from companion.apps.hub.published import Board
from companion.apps.hub.schema import (
    EventRow,
    GameRow,
    GapRow,
    MatchRow,
    SeatRow,
    TableRow,
    TournamentRow,
)
from companion.apps.hub.store import tables
from companion.apps.hub.tournaments import match_of
from companion.colours import seat_colours

TWIN: Final = timedelta(minutes=5)
"""A table that has the name of another asks for it again within a minute or so."""
EVENING: Final = timedelta(hours=18)
"""What counts as today's: a tournament may end after midnight."""
MAX_STANDINGS: Final = 200
"""So many of the best are shown."""
MAX_TOURNAMENTS: Final = 10
MAX_GAMES: Final = 40
MAX_LATE: Final = 12


@dataclass(frozen=True, slots=True)
class PlayerView:
    """A player at a table.  colour: of the pieces."""

    seat: int
    name: str
    score: int
    colour: str
    is_turn: bool = False
    is_winner: bool = False


@dataclass(frozen=True, slots=True)
class TableView:
    """A table as it stands.

    since: when it came or went.  title: of its game, "" if none is known.
    round, rounds: 0 where they are not known.  last: what happened last, and waits: what is waited
    for, in the words of the table.  newest_at: when its newest event happened; is_late: whether
    that came long after.  gaps: how often something is missing.  twin: whether another table has
    the same name.  refused: why it was not understood.
    """

    name: str
    is_online: bool
    since: datetime
    game: str = ""
    title: str = ""
    players: tuple[PlayerView, ...] = ()
    round: int = 0
    rounds: int = 0
    is_over: bool = False
    last: str = ""
    waits: str = ""
    history: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    newest_at: datetime | None = None
    is_late: bool = False
    gaps: int = 0
    twin: bool = False
    refused: str = ""

    @property
    def needs_look(self) -> bool:
        """Whether somebody should see to it."""
        return bool(self.twin or self.gaps or self.refused or self.warnings)


@dataclass(frozen=True, slots=True)
class StandingLine:
    """What somebody has played and won."""

    rank: int
    name: str
    games: int
    won: int


@dataclass(frozen=True, slots=True)
class MatchView:
    """A match on the page.  names: of both, "" if not known; scores: of its game, if it has one."""

    number: int
    round: int
    names: tuple[str, str]
    seeds: tuple[int | None, int | None]
    scores: tuple[int, int] | None
    winner: int | None
    is_drawn: bool
    is_bye: bool
    table: str
    is_playing: bool
    by_hand: bool

    @property
    def is_open(self) -> bool:
        """Whether it is to be played, and could be now."""
        return None not in self.seeds and self.winner is None and not self.is_drawn


@dataclass(frozen=True, slots=True)
class TournamentView:
    """A tournament; rounds: its matches, round by round."""

    number: int
    name: str
    kind: str
    is_over: bool
    rounds: tuple[tuple[MatchView, ...], ...]
    names: Mapping[int, str]
    champion: str
    lines: tuple[tuple[int, LeagueLine], ...] = ()


@dataclass(frozen=True, slots=True)
class Overview:
    """All of it.  tournaments: the newest first."""

    tables: tuple[TableView, ...] = ()
    standings: tuple[StandingLine, ...] = ()
    tonight: tuple[StandingLine, ...] = ()
    tournaments: tuple[TournamentView, ...] = ()
    by_name: Mapping[str, TableView] = field(default_factory=dict)


def read_tables(
    session: Session, boards: Mapping[str, Board], now: datetime | None = None
) -> tuple[TableView, ...]:
    """Return all tables; *boards*: their newest scoreboards, as far as they are known."""
    now = now or datetime.now(UTC)
    # Games that were imported have greater numbers, and are closed; the one in play is not.
    games = {**_newest_games(session), **_newest_games(session, GameRow.is_closed.is_(False))}
    counted = select(GapRow.table_id, func.count()).group_by(GapRow.table_id)
    gaps = {row[0]: row[1] for row in session.execute(counted)}
    return tuple(
        _table_view(table, games.get(table.id), boards.get(table.name), gaps.get(table.id, 0), now)
        for table in sorted(tables(session), key=lambda each: natural(each.name))
    )


def _newest_games(session: Session, *which: ColumnElement[bool]) -> dict[int, GameRow]:
    """Return by table the newest of the games *which* are meant, in its newest log."""
    newest = (
        select(GameRow.table_id, GameRow.log, func.max(GameRow.session).label("session"))
        .where(*which)
        .group_by(GameRow.table_id, GameRow.log)
        .subquery()
    )
    rows = session.scalars(
        select(GameRow)
        .join(
            newest,
            and_(
                newest.c.table_id == GameRow.table_id,
                newest.c.log == GameRow.log,
                newest.c.session == GameRow.session,
            ),
        )
        .join(TableRow, and_(TableRow.id == GameRow.table_id, TableRow.log == GameRow.log))
    )
    return {row.table_id: row for row in rows}


def natural(name: str) -> list[tuple[int, int, str]]:
    """Return the key by which names are in the order in which people count.

    >>> sorted(["table-10", "table-9", "bar"], key=natural)
    ['bar', 'table-9', 'table-10']
    """
    found: list[tuple[int, int, str]] = []
    digits, text = "", ""
    for letter in f"{name.casefold()}\0":
        if letter.isdecimal():
            if text:
                found.append((1, 0, text))
                text = ""
            digits += letter
        else:
            if digits:
                found.append((0, int(digits), ""))
                digits = ""
            text += letter
    return [*found, (1, 0, text)]


def _table_view(
    table: TableRow, game: GameRow | None, board: Board | None, gaps: int, now: datetime
) -> TableView:
    found: dict[str, Any] = {}
    if board is not None:
        found = _of_board(board)
    elif game is not None:
        found = _of_game(game)
    return TableView(
        name=table.name,
        is_online=table.is_online,
        since=table.since,
        newest_at=table.newest_at,
        is_late=table.newest_is_late,
        gaps=gaps,
        twin=table.twin_at is not None and now - table.twin_at < TWIN,
        refused=table.refused,
        **found,
    )


def _of_board(board: Board) -> dict[str, Any]:
    colours = seat_colours(len(board.players), [player.colour for player in board.players])
    return {
        "game": board.game,
        "title": board.title,
        "players": tuple(
            PlayerView(seat, each.name, each.score, colour, each.is_turn, each.is_winner)
            for seat, (each, colour) in enumerate(zip(board.players, colours, strict=True))
        ),
        "round": board.round,
        "rounds": board.rounds,
        "is_over": board.is_over,
        "last": board.last_move,
        "waits": board.waiting_for,
        "history": tuple(line.words for line in board.history),
        "warnings": board.warnings,
    }


def _of_game(game: GameRow) -> dict[str, Any]:
    colours = seat_colours(len(game.seats))
    return {
        "game": game.name,
        "title": game.name.replace("_", " ").title(),
        "players": tuple(
            PlayerView(each.seat, each.name, each.score, colour, is_winner=each.is_winner)
            for each, colour in zip(game.seats, colours, strict=True)
        ),
        "is_over": game.is_over,
    }


def read_standings(session: Session, since: datetime | None = None) -> tuple[StandingLine, ...]:
    """Return who has won how many finished games, the best first; *since*: of games from then on.

    At most MAX_STANDINGS of them.  One name is one person, however its letters are written.  A game
    that another one goes on with does not count.
    """
    won = func.sum(cast(SeatRow.is_winner, Integer))
    chosen = (
        select(func.max(SeatRow.name), func.count(), won)
        .join(GameRow, GameRow.id == SeatRow.game_id)
        .where(GameRow.is_over, GameRow.is_replaced.is_(False))
        .group_by(SeatRow.folded)
        .order_by(won.desc(), func.count(), SeatRow.folded)
        .limit(MAX_STANDINGS)
    )
    if since is not None:
        chosen = chosen.where(GameRow.newest_at >= since)
    lines = sorted(
        ((name, games, int(times)) for name, games, times in session.execute(chosen)),
        key=lambda line: (-line[2], line[1], line[0].casefold()),
    )
    found: list[StandingLine] = []
    for place, (name, games, times) in enumerate(lines, 1):
        equal = found and (found[-1].won, found[-1].games) == (times, games)
        found.append(StandingLine(found[-1].rank if equal else place, name, games, times))
    return tuple(found)


def read_tournaments(session: Session) -> tuple[TournamentView, ...]:
    """Return the newest tournaments, at most MAX_TOURNAMENTS, the newest first."""
    newest = select(TournamentRow).order_by(TournamentRow.id.desc()).limit(MAX_TOURNAMENTS)
    rows = session.scalars(newest)
    return tuple(_tournament_view(session, row) for row in rows)


def _tournament_view(session: Session, row: TournamentRow) -> TournamentView:
    names = {each.seed: each.name for each in row.entrants}
    matches = [match_of(each) for each in row.matches]
    rounds: dict[int, list[MatchView]] = defaultdict(list)
    for each in row.matches:
        rounds[each.round].append(_match_view(session, each, names))
    lines = league_table(matches) if row.kind != KNOCKOUT else []
    best = champion(row.kind, matches)
    return TournamentView(
        number=row.id,
        name=row.name,
        kind=row.kind,
        is_over=row.ended_at is not None,
        rounds=tuple(tuple(rounds[number]) for number in sorted(rounds)),
        names=names,
        champion=names[best] if best is not None else "",
        lines=tuple(zip(ranks(lines), lines, strict=True)),
    )


def _match_view(session: Session, row: MatchRow, names: Mapping[int, str]) -> MatchView:
    table = session.get(TableRow, row.table_id) if row.table_id is not None else None
    game = session.get(GameRow, row.game_id) if row.game_id is not None else None
    pair = tuple(names.get(seed or 0, "") for seed in (row.one, row.two))
    scores = None
    if game is not None:
        by_name = {seat.folded: seat.score for seat in game.seats}
        scores = (by_name.get(pair[0].casefold(), 0), by_name.get(pair[1].casefold(), 0))
    return MatchView(
        number=row.id,
        round=row.round,
        names=(pair[0], pair[1]),
        seeds=(row.one, row.two),
        scores=scores,
        winner=row.winner,
        is_drawn=row.is_drawn,
        is_bye=row.round == 1 and (row.one is None or row.two is None),
        table=table.name if table is not None else "",
        is_playing=game is not None and not game.is_over,
        by_hand=row.by_hand,
    )


@dataclass(frozen=True, slots=True)
class GameView:
    """A game that was played at a table."""

    title: str
    began_at: datetime
    is_over: bool
    is_replaced: bool
    players: tuple[PlayerView, ...]


def read_games(session: Session, table: str) -> tuple[GameView, ...]:
    """Return the games of *table*, the newest first."""
    rows: Sequence[GameRow] = session.scalars(
        select(GameRow)
        .join(TableRow, TableRow.id == GameRow.table_id)
        .where(TableRow.name == table)
        .order_by(GameRow.log.desc(), GameRow.session.desc())
        .limit(MAX_GAMES)
    ).all()
    return tuple(
        GameView(
            title=row.name.replace("_", " ").title(),
            began_at=row.began_at,
            is_over=row.is_over,
            is_replaced=row.is_replaced,
            players=_of_game(row)["players"],
        )
        for row in rows
    )


def late_events(session: Session, table: str) -> Iterator[EventRow]:
    """Yield the newest events of *table* that came late, the newest first."""
    yield from session.scalars(
        select(EventRow)
        .join(TableRow, TableRow.id == EventRow.table_id)
        .where(TableRow.name == table, EventRow.is_late)
        .order_by(EventRow.received_at.desc(), EventRow.session.desc(), EventRow.seq.desc())
        .limit(MAX_LATE)
    )
