"""What the host may print, as downloads: tiles and stickers, a check ruler, cards for the seats."""

import asyncio
from typing import TYPE_CHECKING, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from companion.apps.printing.choices import PAPERS, RULER, SEATS, printable
from companion.apps.printing.dialogues import DIALOGUES
from companion.language.message import say
from companion.language.speech import spoken
from companion.registry import GAMES, game_of, with_mats
from companion.web.admission import require_host
from companion.web.app_pages import AppPages
from companion.web.forms import Refused
from companion.web.site import Site, site_of, unstored

if TYPE_CHECKING:
    from companion.apps.printing.sheets import Print

DEFAULT_PAPER: Final = "a4"


async def send_print(request: Request) -> Response:
    """Send the host a PDF, in the language of the request."""
    visitor, site = require_host(request), site_of(request)
    what, paper = request.path_params["what"], request.query_params.get("page", DEFAULT_PAPER)
    if what in GAMES and not GAMES[what].has_mat:
        title = game_of(what).title
        raise Refused(
            404, say("{game} is played without a mat, so it has no tiles to print.", game=title)
        )
    if what not in printable() or paper not in PAPERS:
        raise Refused(404, say("There is nothing of that name to print."))
    address = visitor.address
    if what == SEATS and not address:
        raise Refused(409, site.table.reach.obstacle)
    # To load what draws takes a Pi a second, in which nobody else should have to wait.
    data = await asyncio.to_thread(_draw, site, what, paper, address, spoken())
    name = f"tiki-{what}-{paper}.pdf"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return unstored(Response(data, media_type="application/pdf", headers=headers))


def _draw(site: Site, what: str, paper: str, address: str, language: str) -> bytes:
    # Loaded only now: nobody who plays needs it.
    from companion.apps.printing.sheets import check_ruler, game_sheets, seat_cards  # noqa: PLC0415

    printed: Print
    if what == RULER:
        printed = check_ruler()
    elif what == SEATS:
        printed = seat_cards(address, len(site.live_session.header.players))
    else:
        printed = game_sheets(what)
    return printed.to_pdf(paper, language)


def tiles_offered() -> tuple[tuple[str, str], ...]:
    """Return the games that have tiles to print, each with its title."""
    return tuple((game, game_of(game).title) for game in with_mats())


PAGES: Final = AppPages(
    [Route("/desk/print/{what}", send_print)],
    desk_values=lambda _: {
        "tiles": tiles_offered(),
        "papers": PAPERS,
        "print_dialogues": DIALOGUES,
    },
)
