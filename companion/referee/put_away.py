"""The games that were put away: how each stood, and from where it can be taken up again."""

from contextlib import suppress
from dataclasses import dataclass

from companion.colours import seat_colours
from companion.referee.past import open_course
from companion.referee.record_reading import IMPORTED
from companion.referee.table_dispute import sentence_of
from companion.session.events import SessionClosed
from companion.session.log import Log, LogError
from companion.session.session import Header


@dataclass(frozen=True, slots=True)
class PutAway:
    """A session of the log that is not in play.

    number: of the session.  header: what it was opened with.
    at: when it was played last, ISO 8601 in UTC.
    scores: by seat, as it stood.  winners: the seats that won; () if none did.
    is_over: whether it was played to its end.  last: what would be taken back to go on with one
        that was, in a sentence; "" if nothing can be.
    colours: of the players, see `companion.colours`.
    is_imported: whether it came from a game record, and was not played here.
    """

    number: int
    header: Header
    at: str
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    is_over: bool
    colours: tuple[str, ...]
    last: str
    is_imported: bool


def put_away_numbers(log: Log, current: int) -> list[int]:
    """Return the numbers of the sessions that are not in play, the newest first.

    current: the number of the one in play.  Left out is what a later session goes on with.
    Raises LogError.
    """
    left_out = {*log.resumed(), current}
    return [number for number in reversed(log.opened()) if number not in left_out]


def put_away_game(log: Log, number: int) -> PutAway | None:
    """Return how session *number* stood; None if nothing happened in it or it cannot be read."""
    with suppress(LogError):
        course = open_course(log, number)
        session, game = course.session, course.game
        if not session.history.acts:
            return None
        players, fixed = session.header.players, game.colours(session.state)
        last, closed = session.history.newest(), session.entries[-1].event
        outcome = game.rules.outcome(session.state)
        return PutAway(
            number=number,
            header=session.header,
            at=session.entries[session.history.acts[-1].seq - 1].at,
            scores=tuple(game.scores(session.state)),
            winners=outcome.winners if outcome else (),
            is_over=outcome is not None,
            colours=tuple(seat_colours(len(players), session.header.colours, fixed)),
            last=sentence_of(last, [*map(game.public, last.forms)], game, players) if last else "",
            is_imported=closed == SessionClosed(IMPORTED),
        )
    return None
