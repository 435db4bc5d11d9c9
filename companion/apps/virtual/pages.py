"""The page of the virtual table, and its socket."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket

from companion.apps.virtual.room import Room
from companion.apps.virtual.room_trial_pages import routes as trial_routes
from companion.colours import COLOURS
from companion.language.message import say
from companion.language.speech import translated
from companion.registry import APPS_WITH_PAGES, load_app
from companion.web.admission import require_host
from companion.web.app_pages import AppPages
from companion.web.forms import Refused, read_form
from companion.web.pages.desk import desk_regions
from companion.web.pages.public import board_regions
from companion.web.pages.seats import seat_regions
from companion.web.site import Site, Visitor, site_of, unstored

if TYPE_CHECKING:
    from companion.apps.virtual.virtual_table import VirtualTable  # of which real tables have none

NO_FILM: Final = say(
    "No film is shown here in whose place a table could be laid: tiki demo shows one"
)
NO_TABLE: Final = say(
    "This companion watches a real table. A virtual one is begun by: tiki demo --play"
)
EYES: Final = "eyes"
"""The app whose pieces show beside the table what the eyes see."""
HOSTS: Final = ("turn", "question", "ending", "byhand", "undo")
SEATS: Final = ("turn", "question", "ending", "seat")
WATCHERS: Final = ("turn", "question", "ending")
"""Which pieces of the desk, of a seat's page and of the scoreboard are beside the table."""
MEASURED: Final = "measured"
"""The piece beside the slider of the lens."""
LEAVE_S: Final = 0.5
"""A film goes on so long for the page that says so to be fetched."""
STATIC: Final = Path(__file__).parent / "static"


_tables: Final[WeakKeyDictionary[Site, "VirtualTable"]] = WeakKeyDictionary()


def table_of(site: Site) -> "VirtualTable | None":
    """Return the virtual table that *site* plays at, None if it is a real one."""
    return _tables.get(site)


def _begin(site: Site) -> None:
    if site.table.virtual_camera is not None:
        _tables[site] = load_app("virtual", "virtual_table").VirtualTable(site)


async def show_table(request: Request) -> Response:
    """Show the page."""
    site = site_of(request)
    if table_of(site) is None:
        raise Refused(404, NO_TABLE)
    visitor = site.visitor(request)
    answer = site.page(
        "virtual.html",
        virtual_regions(site, visitor),
        title=site.live_session.game.title,
        is_host=visitor.is_host,
        players=list(site.live_session.header.players),
        colours=COLOURS,
    )
    return unstored(answer)


async def play_instead(request: Request) -> Response:
    """Put a virtual table in the place of the film; the page waits until it is served."""
    require_host(request)
    await read_form(request)
    require_host(request)
    site = site_of(request)
    if site.table.play_instead is None:
        raise Refused(409, NO_FILM)
    answer = site.page("virtual_begins.html", {}, key=site.keys.host)
    asyncio.get_running_loop().call_later(LEAVE_S, site.table.play_instead)
    return unstored(answer)


def virtual_regions(site: Site, visitor: Visitor) -> Mapping[str, str]:
    """Return what is beside the table: what is asked, what can be entered, what the eyes see."""
    if visitor.is_host:
        own: Mapping[str, str] = desk_regions(site, visitor)
        names: tuple[str, ...] = HOSTS
    elif visitor.seat is not None:
        own, names = seat_regions(site, visitor), SEATS
    else:
        own, names = board_regions(site, visitor), WATCHERS
    found = {name: own[name] for name in names}
    if visitor.is_host:
        found[MEASURED] = _measured(site)
    if EYES in APPS_WITH_PAGES:
        found |= load_app(EYES, "regions").eyes_regions(site, visitor)
    return found


def _measured(site: Site) -> str:
    """Return the piece that says what the companion has measured of the lens by itself."""
    setup = site.table.table_setup
    lens = setup.known_lens if setup is not None else None
    return site.render("region_measured.html", lens=lens)


async def follow_socket(socket: WebSocket) -> None:
    """Let a page follow the table, and move what is on it."""
    site: Site = socket.app.state.site
    table = table_of(site)
    if table is None:
        await socket.send_denial_response(Response(f"{translated(NO_TABLE)}\n", 404))
        return
    await table.follow(socket)


def _room_of(site: Site) -> tuple[str, Room]:
    """Return the game that is laid and the room as it is; raises Refused."""
    table = table_of(site)
    if table is None:
        raise Refused(404, NO_TABLE)
    return site.live_session.header.game, table.relay.room


PAGES: Final = AppPages(
    [
        Route("/virtual", show_table),
        Route("/virtual/begin", play_instead, methods=["POST"]),
        WebSocketRoute("/virtual/socket", follow_socket),
        *trial_routes(_room_of),
        Mount(
            "/static/virtual",
            StaticFiles(directory=STATIC),
            middleware=[Middleware(GZipMiddleware, compresslevel=9)],
        ),
    ],
    {"virtual": virtual_regions},
    begin=_begin,
)
