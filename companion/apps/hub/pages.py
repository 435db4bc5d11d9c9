"""The hub's pages that everyone on the network may look at."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from math import ceil
from typing import Any, Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from companion.apps.hub import tournament_pages
from companion.apps.hub.background import in_thread
from companion.apps.hub.database import DatabaseTrouble
from companion.apps.hub.overview import EVENING, TableView, late_events, read_games
from companion.apps.hub.site import FOLDER, HubSite, site_of
from companion.language.message import say, say_count
from companion.language.speech import translated
from companion.web.admission import anybody
from companion.web.forms import Refused, form_route
from companion.web.http.guard import Guard
from companion.web.http.keys import HOST_COOKIE
from companion.web.http.streams import follow_regions, stream
from companion.web.http.versions import NameVersion
from companion.web.pages.installing import ROUTES as INSTALLING
from companion.web.pages.languages import choose_language
from companion.web.sentences import answer_refused, answer_sentence, answer_status
from companion.web.shell import FOLDER as WEB_FOLDER
from companion.web.shell import colour_sheet
from companion.web.site import Visitor, unstored

FEW: Final = 12
SOME: Final = 30
"""So many tables fit a television with all players, or with the first ones, of each."""
COOKIE_S: Final = 30 * 24 * 3600
SENTENCES: Final = {
    404: say("This page does not exist; all tables are at /."),
    405: say("This page does not accept that kind of request."),
}


def create_app(
    site: HubSite,
    *,
    names: Sequence[str] = (),
    origins: Sequence[str] = (),
) -> Starlette:
    """Return the pages of *site*; names, origins: as `[web]` of the settings has them."""
    app = Starlette(
        routes=[
            Route("/", show_tables),
            Route("/tables/{name}", show_table),
            Route("/standings", show_standings),
            *tournament_pages.ROUTES,
            Route("/live", follow_page),
            *(Route(path, show_state) for path in ("/api/v1/state", "/api/state")),
            *INSTALLING,
            form_route("/language", choose_language, anybody),
            Route("/static/games.css", style_colours),
            Mount("/static/hub", StaticFiles(directory=FOLDER / "static")),
            Mount("/static", StaticFiles(directory=WEB_FOLDER / "static")),
        ],
        middleware=[
            Middleware(NameVersion, origins=origins),
            Middleware(Guard, names=names, address=site.address),
        ],
        exception_handlers={
            Refused: answer_refused,
            HTTPException: partial(answer_status, sentences=SENTENCES),
            DatabaseTrouble: answer_trouble,
        },
    )
    app.state.site = site
    return app


def tables_regions(site: HubSite, visitor: Visitor, view: str) -> Mapping[str, str]:
    """Return the pieces of the page of all tables; *view*: a part of them, as "2/4"."""

    def more() -> dict[str, Any]:
        tables = part_of(site.overview.tables, view)
        size = "few" if len(tables) <= FEW else "some" if len(tables) <= SOME else "many"
        return {"tables": tables, "size": size, "part": view}

    return site.regions(visitor, "tables", view, more)


def part_of(tables: Sequence[TableView], view: str) -> Sequence[TableView]:
    """Return the part of *tables* that a screen of several shows; raises Refused.

    >>> part_of("abcdefg", "2/3"), part_of("ab", "")
    ('def', 'ab')
    """
    if not view:
        return tables
    part, _, parts = view.partition("/")
    digits = part.isascii() and part.isdigit() and parts.isascii() and parts.isdigit()
    if not digits or len(view) > 5 or not 1 <= int(part) <= int(parts):
        raise Refused(404, say("There is no such part; ?part=2/4 is the second of four screens."))
    share = ceil(len(tables) / int(parts))
    return tables[(int(part) - 1) * share : int(part) * share]


async def show_tables(request: Request) -> Response:
    """Show all tables; with the host's key in the address, let the host in first."""
    site = site_of(request)
    if "key" in request.query_params:
        return _let_host_in(site, request)
    view = request.query_params.get("part", "")
    regions = tables_regions(site, site.visitor(request), view)
    return site.page("hub_page.html", regions, kind="tables", path="/", view=view, title="")


def _let_host_in(site: HubSite, request: Request) -> Response:
    source = request.client.host if request.client else ""
    wait_s = site.wrong_keys.wait_s(source)
    is_right = site.keys.opens_desk(request.query_params["key"])
    if wait_s and (site.keys.is_chosen or not is_right):
        words = say_count(
            "Too many wrong keys. Try again in {number} second.",
            "Too many wrong keys. Try again in {number} seconds.",
            ceil(wait_s),
        )
        raise Refused(429, words, retry_s=ceil(wait_s))
    if not is_right:
        site.wrong_keys.count(source)
        raise Refused(403, say("That is not the host’s key; use the address shown at the start."))
    answer = RedirectResponse("/tournament", 303)
    answer.set_cookie(
        HOST_COOKIE,
        site.keys.host_cookie,
        COOKIE_S,
        httponly=True,
        samesite="strict",
        secure=request.scope["scheme"] == "https",
    )
    return unstored(answer)


def table_regions(site: HubSite, visitor: Visitor, view: str) -> Mapping[str, str]:
    """Return the pieces of the page of the table called *view*; raises Refused."""
    table = site.overview.by_name.get(view)
    if table is None:
        raise Refused(404, say("The hub knows no table with that name; all tables are at /."))
    return site.regions(visitor, "table", view, lambda: {"table": table})


async def show_table(request: Request) -> Response:
    """Show a table's game, the games before it, and what came late."""
    site, name = site_of(request), str(request.path_params["name"])
    regions = table_regions(site, site.visitor(request), name)

    def read() -> dict[str, Any]:
        with site.database.read() as session:
            return {"games": read_games(session, name), "late": [*late_events(session, name)]}

    return site.page(
        "hub_page.html",
        regions,
        kind="table",
        path=f"/tables/{name}",
        view=name,
        title=name,
        **await in_thread(read),
    )


def standings_regions(site: HubSite, visitor: Visitor, view: str) -> Mapping[str, str]:
    """Return the pieces of the standings; *view*: "all" for those of all times."""

    def more() -> dict[str, Any]:
        known = {"": site.overview.tonight, "all": site.overview.standings}
        if view not in known:
            raise Refused(404, say("There are standings for tonight, and ?of=all for all time."))
        hours = int(EVENING.total_seconds() // 3600)
        return {"lines": known[view], "of": view, "hours": hours}

    return site.regions(visitor, "standings", view, more)


async def show_standings(request: Request) -> Response:
    """Show who has won how often."""
    site, view = site_of(request), request.query_params.get("of", "")
    regions = standings_regions(site, site.visitor(request), view)
    return site.page(
        "hub_page.html", regions, kind="standings", path="/standings", view=view,
        title=say("Standings"),
    )  # fmt: skip


LIVE_PAGES: Final[dict[str, Callable[[HubSite, Visitor, str], Mapping[str, str]]]] = {
    "tables": tables_regions,
    "table": table_regions,
    "standings": standings_regions,
    "tournament": tournament_pages.tournament_regions,
}


async def follow_page(request: Request) -> Response:
    """Stream the changing pieces of the page that is named in the address."""
    site, view = site_of(request), request.query_params.get("view", "")
    regions = LIVE_PAGES.get(request.query_params.get("page", ""))
    if regions is None:
        raise Refused(404, say("There is no page of that name with live updates."))
    regions(site, site.visitor(request), view)
    return stream(follow_regions(site.notifier, lambda: regions(site, site.visitor(request), view)))


async def show_state(request: Request) -> Response:
    """Answer with everything as JSON."""
    site = site_of(request)
    overview = asdict(site.overview)
    del overview["by_name"]
    found = {"schema": 1, "troubles": dict(site.troubles()), "counts": site.counts()}
    found |= overview
    return JSONResponse(_plain(found))


def _plain(value: Any) -> Any:
    """Return *value* as JSON has it."""
    if isinstance(value, Mapping):
        return {str(name): _plain(of) for name, of in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value.isoformat() if hasattr(value, "isoformat") else translated(value)


async def style_colours(_: Request) -> Response:
    """Answer with the players' colours."""
    return Response(colour_sheet(), media_type="text/css")


async def answer_trouble(request: Request, error: Exception) -> Response:
    """Answer that the database does not."""
    del error  # which the head of every page says
    return answer_sentence(
        request, 503, say("The database cannot be read just now; try again soon.")
    )
