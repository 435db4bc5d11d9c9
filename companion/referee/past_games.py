"""The games of the log that were put away: how each stood, and whether it can be taken up again."""

import json
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from companion.colours import seat_colours
from companion.games import GAMES, game_of
from companion.session.log import Log, LogError
from companion.session.session import Header, Session


@dataclass(frozen=True, slots=True)
class PastGame:
    """A session of the log that is not in play.

    number: of the session.  header: what it was opened with.
    at: when it was played last, ISO 8601 in UTC.
    scores: by seat, as it stood.  winners: the seats that won; () if none did.
    colours: of the players, see `companion.colours`.
    is_over: whether it was played to its end; if not, it can be resumed.
    """

    number: int
    header: Header
    at: str
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    is_over: bool
    colours: tuple[str, ...]


def past_numbers(log: Log, current: int) -> list[int]:
    """Return the numbers of the sessions that are not in play, the newest first.

    current: the number of the one in play.  Left out is what a later session goes on with.
    Raises LogError.
    """
    sessions = log.sessions()
    resumed = {_resumes(header) for _, _, header in sessions}
    return [number for number, _, _ in reversed(sessions) if number not in {*resumed, current}]


def _resumes(header: str) -> int:
    with suppress(ValueError, AttributeError):
        return int(json.loads(header).get("resumes", 0))
    return 0


def past_session(log: Log, number: int) -> Session[Any, Any] | None:
    """Return session *number* of *log*, read anew; None if this version cannot read it."""
    with suppress(LogError):
        name = Header.from_json(log.header(number)).game
        if name in GAMES:
            game = game_of(name)
            return Session(log, number, game)
    return None


def past_game(log: Log, number: int) -> PastGame | None:
    """Return how session *number* stood; None if nothing happened in it or it cannot be read."""
    session = past_session(log, number)
    if session is None or not session.history.acts:
        return None
    game = game_of(session.header.game)
    players, fixed = session.header.players, game.colours(session.state)
    outcome = game.rules.outcome(session.state)
    return PastGame(
        number=number,
        header=session.header,
        at=session.entries[session.history.acts[-1].seq - 1].at,
        scores=tuple(game.scores(session.state)),
        winners=outcome.winners if outcome else (),
        is_over=outcome is not None,
        colours=tuple(seat_colours(len(players), session.header.colours, fixed)),
    )
