"""Past games on the pages: found by their number, and shown as they were at any step."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from starlette.requests import Request

from companion.language.message import say
from companion.referee.live_session import LiveSession
from companion.referee.past import GameCourse
from companion.referee.put_away import PutAway, put_away_game, put_away_numbers
from companion.session.log import LogError
from companion.web.forms import Refused
from companion.web.running_table import RunningTable
from companion.web.seat_links import count_moves
from companion.web.site import Site, Visitor

MAX_DIGITS: Final = 6
NOBODY: Final = Visitor((), is_host=False, seat=None, claim=None)


class PastSite(Site):
    """The pages of *site* as they were at a step of a game; nobody can change anything there."""

    def __init__(self, site: Site, past: LiveSession) -> None:
        table = site.table
        super().__init__(RunningTable(past, table.keys, table.outputs, table.reach))
        self.templates = site.templates

    def _changed(self) -> None:
        """Leave the seats' links to the game in play."""
        self.notifier.notify()


@contextmanager
def looking_back(site: Site, course: GameCourse[Any, Any], step: int) -> Iterator[PastSite]:
    """Give the pages as they were after *step*."""
    with course.at(step) as past:
        found = PastSite(site, past)
        try:
            yield found
        finally:
            found.close()


def course_asked(site: Site, request: Request) -> tuple[int, GameCourse[Any, Any]]:
    """Return the number in the address and its game; raises Refused."""
    text = str(request.path_params["number"])
    number = int(text) if text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS else 0
    if number not in site.live_session.log.opened():
        raise Refused(404, say("There is no game with that number."))
    try:
        return number, site.past_games.course(number)
    except LogError:
        # Without its own text, which is for whoever has the log before them.
        raise Refused(
            409,
            say("That game was saved by another version of the companion and cannot be shown."),
        ) from None


def step_asked(request: Request, course: GameCourse[Any, Any]) -> int:
    """Return the step in the address, the last one if none is named; raises Refused."""
    text = request.query_params.get("step", str(course.steps))
    step = int(text) if text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS else -1
    if not 0 <= step <= course.steps:
        raise Refused(
            404,
            say("That game has no such step; its steps go from 0 to {last}.", last=course.steps),
        )
    return step


def stood(site: Site, session: int) -> PutAway | None:
    """Return how *session* stood, found out once; None if there is nothing to show of it."""
    if session not in site.put_away:
        site.put_away[session] = put_away_game(site.live_session.log, session)
    return site.put_away[session]


def last_game(site: Site) -> PutAway | None:
    """Return the game before the one in play, None once a player has moved in this one."""
    session = site.live_session.session
    if count_moves(session):
        return None
    numbers = put_away_numbers(site.live_session.log, session.number)
    games = (stood(site, number) for number in numbers)
    return next((game for game in games if game and not game.is_imported), None)
