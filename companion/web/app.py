"""The web application: all pages of one companion put together."""

from functools import partial
from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from companion.language.message import say
from companion.registry import GAMES, folder_of
from companion.session.log import LogError
from companion.web.api import exporting, openapi, playing
from companion.web.app_pages import LivePage, app_pages
from companion.web.forms import Refused, unsaved
from companion.web.http.guard import Guard
from companion.web.http.portal import Portal
from companion.web.http.streams import follow_regions, stream
from companion.web.http.versions import NameVersion
from companion.web.pages import (
    answering,
    calibrating,
    correcting,
    desk,
    entering,
    history_page,
    installing,
    joining,
    languages,
    lobby,
    public,
    replays,
    resuming,
    rules_help,
    seats,
    set_up,
    support,
    welcome,
    wifi,
)
from companion.web.running_table import RunningTable
from companion.web.sentences import answer_refused, answer_sentence, answer_status
from companion.web.shell import FOLDER, colour_sheet
from companion.web.site import Site, site_of

LIVE_PAGES: Final[dict[str, LivePage]] = {
    "board": public.board_regions,
    "desk": desk.desk_regions,
    "seat": seats.seat_regions,
    "welcome": welcome.welcome_regions,
    "set-up": set_up.set_up_regions,
}
PLAIN_SIGN: Final = (
    '<circle cx="50" cy="50" r="40" fill="#ffb454"/><circle cx="50" cy="50" r="14" fill="#1c120c"/>'
)
"""Of a game that has drawn none."""
PACKED: Final = [Middleware(GZipMiddleware, compresslevel=5)]
"""Style sheets and scripts, which hold nothing secret, travel packed."""
SENTENCES: Final = {
    404: say("This page does not exist; the scoreboard is at /."),
    405: say("This page does not accept that kind of request."),
}


def create_app(table: RunningTable) -> Starlette:
    """Return the pages of *table*.

    `app.state.site.close()` ends all open streams; call it before the server is told to stop.
    """
    app = Starlette(
        routes=_routes(),
        middleware=[
            Middleware(Portal, own_wifi=table.own_wifi),
            Middleware(NameVersion, origins=table.origins),
            Middleware(Guard, names=table.names, address=table.reach.configured),
        ],
        exception_handlers={
            Refused: answer_refused,
            HTTPException: partial(answer_status, sentences=SENTENCES),
            LogError: answer_unsaved,
        },
    )
    site = Site(table)
    app.state.site = site
    for each in app_pages():
        each.begin(site)
    return app


def live_pages() -> dict[str, LivePage]:
    """Return all pages that change while they are open, by name."""
    pages = dict(LIVE_PAGES)
    for each in app_pages():
        pages |= each.live_pages
    return pages


def _routes() -> list[BaseRoute]:
    """Return where each page is, and what takes forms."""
    return [
        *public.ROUTES,
        *replays.ROUTES,
        *desk.ROUTES,
        *seats.ROUTES,
        *entering.ROUTES,
        *correcting.ROUTES,
        *calibrating.ROUTES,
        *set_up.ROUTES,
        *answering.ROUTES,
        *languages.ROUTES,
        *welcome.ROUTES,
        *wifi.ROUTES,
        *joining.ROUTES,
        *lobby.ROUTES,
        *resuming.ROUTES,
        *exporting.ROUTES,
        *playing.ROUTES,
        *(route for each in app_pages() for route in each.routes),
        *support.ROUTES,
        *history_page.ROUTES,
        *openapi.ROUTES,
        *rules_help.ROUTES,
        *installing.ROUTES,
        Route("/live", follow_page),
        Route("/static/games.css", style_games, middleware=PACKED),
        Route("/static/signs.svg", draw_signs),
        Route("/static/signs/{game}.svg", draw_sign),
        Mount("/static", StaticFiles(directory=FOLDER / "static"), middleware=PACKED),
    ]


async def follow_page(request: Request) -> Response:
    """Stream the changing pieces of the page that is named in the address."""
    site = site_of(request)
    regions = live_pages().get(request.query_params.get("page", ""))
    if regions is None:
        raise Refused(404, say("There is no page of that name with live updates."))
    public.check_view(site.visitor(request))
    return stream(follow_regions(site.notifier, lambda: regions(site, site.visitor(request))))


async def style_games(_: Request) -> Response:
    """Answer with the players' colours and the style sheets of games that have one of their own."""
    sheets = (folder_of(game) / "page.css" for game in GAMES)
    rules = [sheet.read_text(encoding="utf-8") for sheet in sheets if sheet.exists()]
    return Response("\n".join((colour_sheet(), *rules)), media_type="text/css")


async def draw_signs(_: Request) -> Response:
    """Answer with a sign for each game, to be used by its name."""
    drawn = [
        f'<symbol id="{game}" viewBox="0 0 100 100">{_shapes_of(game)}</symbol>' for game in GAMES
    ]
    return _svg("", "".join(drawn))


async def draw_sign(request: Request) -> Response:
    """Answer with the sign of one game, as a picture of its own."""
    game = request.path_params["game"]
    if game not in GAMES:
        raise Refused(404, SENTENCES[404])
    return _svg(' viewBox="0 0 100 100" width="512" height="512"', _shapes_of(game))


def _shapes_of(game: str) -> str:
    sign = folder_of(game) / "sign.svg"
    return sign.read_text(encoding="utf-8") if sign.exists() else PLAIN_SIGN


def _svg(attributes: str, shapes: str) -> Response:
    picture = f'<svg xmlns="http://www.w3.org/2000/svg"{attributes}>{shapes}</svg>'
    return Response(picture, media_type="image/svg+xml")


async def answer_unsaved(request: Request, error: Exception) -> Response:
    """Answer that the log cannot be written, wherever that comes to light."""
    assert isinstance(error, LogError)
    return answer_sentence(request, 503, unsaved(error))
