"""The games that were put away: how each stood, and whether it can be taken up again."""

from contextlib import suppress
from dataclasses import dataclass

from companion.colours import seat_colours
from companion.referee.past import open_course
from companion.session.log import Log, LogError
from companion.session.session import Header


@dataclass(frozen=True, slots=True)
class PutAway:
    """A session of the log that is not in play.

    number: of the session.  header: what it was opened with.
    at: when it was played last, ISO 8601 in UTC.
    scores: by seat, as it stood.  winners: the seats that won; () if none did.
    is_over: whether it was played to its end; if not, it can be resumed.
    colours: of the players, see `companion.colours`.
    """

    number: int
    header: Header
    at: str
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    is_over: bool
    colours: tuple[str, ...]


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
        outcome = game.rules.outcome(session.state)
        return PutAway(
            number=number,
            header=session.header,
            at=session.entries[session.history.acts[-1].seq - 1].at,
            scores=tuple(game.scores(session.state)),
            winners=outcome.winners if outcome else (),
            is_over=outcome is not None,
            colours=tuple(seat_colours(len(players), session.header.colours, fixed)),
        )
    return None
