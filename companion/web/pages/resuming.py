"""The games that were put away: a list for the host, who may go on with each of them."""

from datetime import datetime
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from companion.language.message import say
from companion.referee.put_away import PutAway, put_away_numbers
from companion.registry import game_of
from companion.web.admission import require_host
from companion.web.forms import MOVED_ON, Form, Refused, back_to, field, number
from companion.web.pages.desk import intent
from companion.web.pages.past_games import last_game, stood
from companion.web.site import Site, site_of, unstored
from companion.web.times import date_and_time

PAGE: Final = 12
"""So many games are shown at once: each is played through to know how it stood."""
MAX_NUMBER: Final = 999_999


def _values(past: PutAway) -> dict[str, Any]:
    """Return what the list shows of a game."""
    names, game = past.header.players, game_of(past.header.game)
    return {
        "number": past.number,
        "game": game,
        "at": date_and_time(datetime.fromisoformat(past.at)),
        "is_over": past.is_over,
        "last": past.last,
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
    """Go on with a game that was put away; the one in play is put away for it.

    One that was over is not over any more: what ended it is taken back.
    """
    live_session = site.live_session
    _require_current(site, form)
    session = number(form, "session", 1, MAX_NUMBER)
    known = put_away_numbers(live_session.log, live_session.session.number)
    past = stood(site, session) if session in known else None
    if past is None:
        raise Refused(404, say("That past game does not exist."))
    reason = "the host resumed an earlier game"
    live_session.resume(past.number, reason, reopen=past.is_over)
    return "/desk"


def go_back(site: Site, form: Form) -> str:
    """Go on with the last game as it stood, while nobody has moved in this one."""
    _require_current(site, form)
    back, last = back_to(form), last_game(site)
    if last is None:
        raise Refused(
            409, say("This game has already begun. Look for the last one under “Past games”.")
        )
    site.live_session.resume(last.number, "the host went back to the last game")
    return back


def _require_current(site: Site, form: Form) -> None:
    if field(form, "current") != str(site.live_session.session.number):
        raise Refused(409, MOVED_ON)


ROUTES: Final = [
    Route("/desk/past", show_past_games),
    intent("/resume", resume),
    intent("/last-game", go_back),
]
