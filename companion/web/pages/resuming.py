"""The games that were put away: a list for the host, who goes on with those that are unfinished."""

from datetime import datetime
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from companion.language.message import say
from companion.referee.put_away import PutAway, put_away_game, put_away_numbers
from companion.registry import game_of
from companion.web.admission import require_host
from companion.web.forms import MOVED_ON, Form, Refused, field, number
from companion.web.pages.desk import intent
from companion.web.site import Site, site_of, unstored
from companion.web.times import date_and_time

PAGE: Final = 12
"""So many games are shown at once: each is played through to know how it stood."""
MAX_NUMBER: Final = 999_999


def stood(site: Site, session: int) -> PutAway | None:
    """Return how *session* stood, found out once; None if there is nothing to show of it."""
    if session not in site.put_away:
        site.put_away[session] = put_away_game(site.live_session.log, session)
    return site.put_away[session]


def _values(past: PutAway) -> dict[str, Any]:
    """Return what the list shows of a game."""
    names, game = past.header.players, game_of(past.header.game)
    return {
        "number": past.number,
        "game": game,
        "at": date_and_time(datetime.fromisoformat(past.at)),
        "is_over": past.is_over,
        "winners": [names[seat] for seat in past.winners],
        "together": game.together,
        "players": [
            {"seat": seat, "name": name, "score": score, "colour": colour}
            for seat, (name, score, colour) in enumerate(
                zip(names, past.scores, past.colours, strict=True)
            )
        ],
    }


async def show_past_games(request: Request) -> Response:
    """Show the games that were put away, the newest first."""
    require_host(request)
    site, before = site_of(request), request.query_params.get("before", "")
    is_page = before.isascii() and before.isdigit() and len(before) < 7
    newest = int(before) if is_page else MAX_NUMBER
    live_session = site.live_session
    games: list[dict[str, Any]] = []
    following, current = 0, live_session.session.number
    for each in put_away_numbers(live_session.log, current):
        if each >= newest or (past := stood(site, each)) is None:
            continue
        if len(games) == PAGE:
            following = games[-1]["number"]
            break
        games.append(_values(past))
    return unstored(
        site.page("past_games.html", {}, games=games, following=following, current=current)
    )


def resume(site: Site, form: Form) -> str:
    """Go on with a game that was put away; the one in play is put away for it."""
    live_session = site.live_session
    if field(form, "current") != str(live_session.session.number):
        raise Refused(409, MOVED_ON)
    session = number(form, "session", 1, MAX_NUMBER)
    known = put_away_numbers(live_session.log, live_session.session.number)
    past = stood(site, session) if session in known else None
    if past is None:
        raise Refused(404, say("That past game does not exist."))
    if past.is_over:
        raise Refused(409, say("That game is over. Start a new one instead."))
    live_session.resume(past.number, "the host resumed an earlier game")
    return "/desk"


ROUTES: Final = [Route("/desk/past", show_past_games), intent("/resume", resume)]
