"""Tournaments in the database: made by the host, brought on by the games of their tables."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from companion.apps.hub.bracket import (
    KNOCKOUT,
    LEAGUE,
    MAX_ENTRANTS,
    MIN_ENTRANTS,
    Kind,
    Match,
    advance,
    draw,
    winner_of,
)
from companion.apps.hub.schema import EntrantRow, GameRow, MatchRow, TableRow, TournamentRow
from companion.language.message import say

KINDS: Final[tuple[Kind, ...]] = (KNOCKOUT, LEAGUE)
MAX_NAME_CHARS: Final = 40


class Impossible(ValueError):
    """A tournament cannot be that way; one sentence for people."""


def entrants_of(text: str) -> list[str]:
    r"""Return the names in *text*, one a line.

    >>> entrants_of("Ann\n  Bob \n\nCem\n")
    ['Ann', 'Bob', 'Cem']
    """
    return [name for line in text.splitlines() if (name := " ".join(line.split()))]


def begin(
    session: Session, name: str, kind: str, names: Sequence[str], now: datetime | None = None
) -> TournamentRow:
    """Begin a tournament between *names*, the best first; raises Impossible.

    The one before, if it goes on, is over with that.
    """
    title = " ".join(name.split())
    found = next((each for each in KINDS if each == kind), None)
    if found is None or not title:
        raise Impossible(say("A tournament needs a name, and is either a knockout or a league."))
    _check_names([title, *names])
    most = MAX_ENTRANTS[found]
    if not MIN_ENTRANTS <= len(names) <= most:
        raise Impossible(
            say(
                "You entered {number} players; a tournament of this kind takes {least} to"
                " {most}, one per line.",
                number=len(names), least=MIN_ENTRANTS, most=most,
            )
        )  # fmt: skip
    seen: set[str] = set()
    for each in names:
        if each.casefold() in seen:
            raise Impossible(
                say("{player} is in the list twice; give each a different name.", player=each)
            )
        seen.add(each.casefold())
    now = now or datetime.now(UTC)
    for before in session.scalars(select(TournamentRow).where(TournamentRow.ended_at.is_(None))):
        before.ended_at = now
    tournament = TournamentRow(name=title, kind=found, began_at=now)
    tournament.entrants = [EntrantRow(seed=seed, name=each) for seed, each in enumerate(names, 1)]
    session.add(tournament)
    session.flush()
    session.add_all(
        MatchRow(
            tournament_id=tournament.id,
            round=match.round,
            place=match.place,
            one=match.one,
            two=match.two,
            winner=match.winner,
        )
        for match in draw(found, len(names))
    )
    return tournament


def _check_names(names: Iterable[str]) -> None:
    for name in names:
        if len(name) > MAX_NAME_CHARS or not name.isprintable():
            raise Impossible(
                say("A name has at most {most} characters; shorten it.", most=MAX_NAME_CHARS)
            )


def end(session: Session, number: int, now: datetime | None = None) -> None:
    """End tournament *number*: its matches stay as they are; raises Impossible."""
    tournament = _open(session, number)
    tournament.ended_at = now or datetime.now(UTC)


def assign(session: Session, number: int, table: str, now: datetime | None = None) -> None:
    """Let match *number* be played at *table*, at none if it is ""; raises Impossible.

    The games that count are those which go on there from now.
    """
    match = _match(session, number)
    if table == "":
        match.table_id = match.assigned_at = match.game_id = None
        return
    row = session.scalar(select(TableRow).where(TableRow.name == table))
    if row is None:
        raise Impossible(say("The hub knows no table called “{table}”.", table=table))
    if match.one is None or match.two is None:
        raise Impossible(say("It is not known yet who plays that match."))
    others = select(MatchRow).where(
        MatchRow.table_id == row.id, MatchRow.winner.is_(None), MatchRow.is_drawn.is_(False)
    )
    for other in session.scalars(others.where(MatchRow.id != match.id)):
        if _tournament(session, other).ended_at is None:
            raise Impossible(
                say("Another match is being played at {table}; let it finish first.", table=table)
            )
    match.table_id, match.assigned_at = row.id, now or datetime.now(UTC)
    match.game_id, match.winner, match.is_drawn, match.by_hand = None, None, False, False
    _advance(session, _tournament(session, match))
    newest = session.scalar(
        select(GameRow)
        .where(GameRow.table_id == row.id, GameRow.log == row.log, GameRow.is_over.is_(False))
        .order_by(GameRow.session.desc())
        .limit(1)
    )
    if newest is not None and not newest.is_closed:
        settle(session, newest, is_on=True)


def decide(session: Session, number: int, winner: str) -> None:
    """Let the host say who has won match *number*: a seed, "draw", or "" for nobody yet.

    Raises Impossible.
    """
    match = _match(session, number)
    tournament = _tournament(session, match)
    seeds = {str(seed): seed for seed in (match.one, match.two) if seed is not None}
    is_drawn = winner == "draw" and tournament.kind == LEAGUE
    if len(seeds) < 2 or not (winner in seeds or winner == "" or is_drawn):
        raise Impossible(say("That match cannot end like that; choose one of its two players."))
    match.winner, match.is_drawn = seeds.get(winner), is_drawn
    match.by_hand = bool(winner)
    if not winner:
        match.game_id = None
    _advance(session, tournament)


def settle(session: Session, game: GameRow, *, is_on: bool = False) -> None:
    """Bring on the match that *game* is, if it is one.

    It is if both are at its table, and it has gone on since the match was assigned there.
    is_on: whether it is known to go on.
    """
    matches = session.scalars(
        select(MatchRow)
        .join(TournamentRow, TournamentRow.id == MatchRow.tournament_id)
        .where(
            MatchRow.table_id == game.table_id,
            MatchRow.by_hand.is_(False),
            TournamentRow.ended_at.is_(None),
        )
    ).all()
    for match in matches:
        if _counts(session, match, game, is_on=is_on):
            _take_over(session, match, game)


def _counts(session: Session, match: MatchRow, game: GameRow, *, is_on: bool) -> bool:
    if match.game_id == game.id:
        return True
    if match.assigned_at is None or not (is_on or game.newest_at >= match.assigned_at):
        return False
    names = {each.casefold() for each in _names(session, match).values()}
    if not names <= {seat.folded for seat in game.seats}:
        return False
    if match.game_id is None:
        return not (match.winner or match.is_drawn)
    before = session.get(GameRow, match.game_id)
    is_next = before is None or (game.log, game.session) > (before.log, before.session)
    is_undecided = match.winner is None and not match.is_drawn
    return is_next and (is_undecided or (before is not None and before.is_replaced))


def _take_over(session: Session, match: MatchRow, game: GameRow) -> None:
    tournament = _tournament(session, match)
    match.game_id, match.winner, match.is_drawn = game.id, None, False
    if game.is_over:
        winners = [seat.name for seat in game.seats if seat.is_winner]
        match.winner, is_drawn = winner_of(_names(session, match), winners)
        match.is_drawn = is_drawn and tournament.kind == LEAGUE
    _advance(session, tournament)


def _names(session: Session, match: MatchRow) -> dict[int, str]:
    """Return the entrants of *match*, by seed."""
    rows = session.scalars(
        select(EntrantRow).where(
            EntrantRow.tournament_id == match.tournament_id,
            EntrantRow.seed.in_([match.one, match.two]),
        )
    )
    return {row.seed: row.name for row in rows}


def _advance(session: Session, tournament: TournamentRow) -> None:
    """Put winners into the next rounds; a match that changes begins again."""
    if tournament.kind != KNOCKOUT:
        return
    session.flush()
    rows = {
        (row.round, row.place): row
        for row in session.scalars(select(MatchRow).where(MatchRow.tournament_id == tournament.id))
    }
    for match in advance(map(match_of, rows.values())):
        row = rows[match.round, match.place]
        if (row.one, row.two) != (match.one, match.two):
            row.one, row.two, row.winner = match.one, match.two, match.winner
            row.by_hand, row.game_id = False, None
    session.flush()


def match_of(row: MatchRow) -> Match:
    """Return *row* as brackets know it."""
    return Match(row.round, row.place, row.one, row.two, row.winner, row.is_drawn)


def newest(session: Session) -> int | None:
    """Return the number of the newest tournament, None if there was none."""
    return session.scalar(select(func.max(TournamentRow.id)))


def _open(session: Session, number: int) -> TournamentRow:
    found = session.get(TournamentRow, number)
    if found is None or found.ended_at is not None:
        raise Impossible(say("That tournament is over, or never existed."))
    return found


def _tournament(session: Session, match: MatchRow) -> TournamentRow:
    found = session.get(TournamentRow, match.tournament_id)
    assert found is not None
    return found


def _match(session: Session, number: int) -> MatchRow:
    found = session.get(MatchRow, number)
    if found is None:
        raise Impossible(say("That match does not exist."))
    _open(session, found.tournament_id)
    return found
