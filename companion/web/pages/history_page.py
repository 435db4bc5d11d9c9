"""The page of one game: its board at any step, the move that led there, and why it counted."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from companion.language.message import Message, listed, say
from companion.referee.past import GameCourse
from companion.referee.turn_clock import spent_s
from companion.scoreboard import HistoryLine, Scoreboard, read_scoreboard
from companion.web.admission import require_host
from companion.web.forms import Refused
from companion.web.http.versions import BASE
from companion.web.pages.game_pages import pages_for
from companion.web.pages.past_games import NOBODY, course_asked, looking_back, step_asked
from companion.web.pages.public import board_values
from companion.web.pages.result_picture import result_picture
from companion.web.site import Site, site_of, unstored
from companion.web.times import date_and_time


@dataclass(frozen=True, slots=True)
class Moment:
    """A game at one step.

    table: its drawing.  line: what happened at that step, None at the beginning.
    """

    board: Scoreboard
    table: Markup
    line: HistoryLine | None


def moment_of(site: Site, course: GameCourse[Any, Any], step: int) -> Moment:
    """Return how the game looked after *step*, as everyone may see it."""
    with looking_back(site, course, step) as past:
        board = past.board()
        # The game's own drawing; what a page shows is escaped where it is made.
        drawn = past.regions(("table",), board_values(past, NOBODY))["table"]
        return Moment(board, Markup(drawn), board.history[0] if step else None)  # noqa: S704


def lines_of(course: GameCourse[Any, Any]) -> Sequence[HistoryLine]:
    """Return what happened at each step, from the first one on."""
    with course.at(course.steps) as past:
        return read_scoreboard(past).history[::-1]


def entry_of(course: GameCourse[Any, Any], step: int) -> int:
    """Return the number in the log of what happened at *step*, 0 for the beginning."""
    if step == 0:
        return 0
    return course.session.history.acts[course.acts[step - 1]].seq


async def show_frame(request: Request) -> Response:
    """Show the host the picture that a step rested on: it may show hands."""
    require_host(request)
    site = site_of(request)
    number, course = course_asked(site, request)
    seq = entry_of(course, step_asked(request, course))
    picture = await asyncio.to_thread(site.table.kept_frame, number, seq)
    if picture is None:
        raise Refused(404, say("There is no picture of that step."))
    return unstored(Response(picture, media_type="image/jpeg"))


async def show_game(request: Request) -> Response:
    """Show a game at the step that is asked for, the last one if none is."""
    site = site_of(request)
    number, course = course_asked(site, request)
    step = step_asked(request, course)
    visitor = site.visitor(request)
    seq = entry_of(course, step)
    kept = (
        visitor.is_host and await asyncio.to_thread(site.table.kept_frame, number, seq) is not None
    )
    return site.page(
        "game.html",
        {},
        number=number,
        began=date_and_time(datetime.fromisoformat(site.live_session.log.opened()[number])),
        moment=moment_of(site, course, step),
        step=step,
        steps=course.steps,
        lines=lines_of(course),
        is_over=course.is_over,
        is_current=number == site.live_session.session.number,
        outcome=outcome_of(course),
        record=f"{BASE}/games/{number}/record",
        highlights=[*pages_for(course.game.name).highlights(course)],
        times=[*map(int, spent_s(course.session, course.game))],
        visitor=visitor,
        has_frame=kept,
        picture=_picture(site, course) if course.is_over and step == course.steps else None,
    )


def _picture(site: Site, course: GameCourse[Any, Any]) -> dict[str, Any]:
    """Return what the picture of a finished game shows."""
    session, has_ranks = course.session, pages_for(course.game.name).ranks
    ended = session.entries[session.history.acts[-1].seq - 1].at
    with looking_back(site, course, course.steps) as past:
        return result_picture(
            past.board(),
            datetime.fromisoformat(ended),
            outcome_of(course),
            has_points=has_ranks and not course.game.together,
        )


def outcome_of(course: GameCourse[Any, Any]) -> Message:
    """Return in a sentence how the game ended, or that it has not."""
    outcome = course.session.rules.outcome(course.session.state)
    players = course.session.header.players
    if outcome is None:
        return say("This game was not finished.")
    if not outcome.winners:
        return say("Nobody won this game.")
    names = [players[seat] for seat in outcome.winners]
    if len(names) == 1:
        return say("{player} won this game.", player=names[0])
    if len(names) == len(players):
        return say("Everyone won this game together.")
    return say("{players} won this game.", players=listed(names))


ROUTES: Final = [
    Route("/games/{number}", show_game),
    Route("/games/{number}/frame", show_frame),
]
