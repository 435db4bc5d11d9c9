"""Past games: what was played at this table, to be looked at, and resumed if unfinished."""

from datetime import datetime
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from companion.games import game_of
from companion.language.message import say, sequence
from companion.language.speech import spoken
from companion.referee.agreement import sentence_of
from companion.referee.past_games import PastGame, past_game, past_numbers, past_session
from companion.web.admission import require_host
from companion.web.desk import intent
from companion.web.forms import MOVED_ON, Form, Refused, field, number
from companion.web.site import Site, site_of, unstored

PAGE: Final = 12
"""So many games are shown at once: each is played through to know how it stood."""
LOCALES: Final = {"en": "en_GB"}
"""Where dates are written in another way than the language alone says."""
MAX_NUMBER: Final = 999_999


def played(site: Site, session: int) -> PastGame | None:
    """Return how *session* stood, found out once; None if there is nothing to show of it."""
    if session not in site.past:
        site.past[session] = past_game(site.live_session.log, session)
    return site.past[session]


def date_words(at: str) -> str:
    """Return a time of the log, ISO 8601 in UTC, as the reader's language writes it, here."""
    from babel.dates import format_date, format_time  # noqa: PLC0415 - few pages want them

    when, locale = datetime.fromisoformat(at).astimezone(), LOCALES.get(spoken(), spoken())
    words = (format_date(when, "long", locale), format_time(when, "short", locale=locale))
    return sequence(words, ", ")


def _values(past: PastGame) -> dict[str, Any]:
    """Return what the pages show of a past game."""
    header = past.header
    names, game = header.players, game_of(header.game)
    return {
        "number": past.number,
        "game": game,
        "at": past.at,
        "date": date_words(past.at),
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
    newest = (
        int(before) if before.isascii() and before.isdigit() and len(before) < 7 else MAX_NUMBER
    )
    live_session = site.live_session
    games: list[dict[str, Any]] = []
    following, current = 0, live_session.session.number
    for each in past_numbers(live_session.log, current):
        if each >= newest or (past := played(site, each)) is None:
            continue
        if len(games) == PAGE:
            following = games[-1]["number"]
            break
        games.append(_values(past))
    return unstored(
        site.page("past_games.html", {}, games=games, following=following, current=current)
    )


async def show_past_game(request: Request) -> Response:
    """Show one of them, move by move."""
    require_host(request)
    site = site_of(request)
    past = _past(site, request.path_params["session"])
    session = past_session(site.live_session.log, past.number)
    assert session is not None
    game = game_of(past.header.game)
    lines = []
    for act in session.history.acts:
        if not act.secret:
            known = session.history.forms(act.seq)
            forms = [form for form in act.forms if form in known] or act.forms
            public = list(dict.fromkeys(map(game.public, forms)))
            lines.append(sentence_of(act, public, game, past.header.players))
    current = site.live_session.session.number
    values: dict[str, Any] = {"past": _values(past), "lines": lines, "current": current}
    return unstored(site.page("past_game.html", {}, **values))


def _past(site: Site, text: str) -> PastGame:
    try:
        session = number({"session": text}, "session", 1, MAX_NUMBER)
    except Refused:
        session = 0
    live_session = site.live_session
    known = past_numbers(live_session.log, live_session.session.number)
    past = played(site, session) if session in known else None
    if past is None:
        raise Refused(404, say("There is no such past game."))
    return past


def resume(site: Site, form: Form) -> str:
    """Go on with a game that was put away; the one in play is put away for it."""
    if field(form, "current") != str(site.live_session.session.number):
        raise Refused(409, MOVED_ON)
    past = _past(site, field(form, "session"))
    if past.is_over:
        raise Refused(409, say("That game is over. Begin a new one instead."))
    site.live_session.resume(past.number, "the host resumed an earlier game")
    return "/desk"


ROUTES: Final = [
    Route("/desk/past", show_past_games),
    Route("/desk/past/{session}", show_past_game),
    intent("/resume", resume),
]
