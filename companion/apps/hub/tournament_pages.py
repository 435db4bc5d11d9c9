"""The tournament: for everyone to look at, for the host to make and to lead."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from sqlalchemy.orm import Session
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from companion.apps.hub.background import in_thread
from companion.apps.hub.database import DatabaseTrouble
from companion.apps.hub.overview import TournamentView
from companion.apps.hub.site import HubSite, site_of, unkept
from companion.apps.hub.tournaments import Impossible, assign, begin, decide, end, entrants_of
from companion.language.message import message_of, say
from companion.web.admission import require_host
from companion.web.forms import Form, Refused, field, number, read_form
from companion.web.site import Visitor

MAX_NUMBER: Final = 999_999


def tournament_regions(site: HubSite, visitor: Visitor, view: str) -> Mapping[str, str]:
    """Return the pieces of the page of tournament number *view*, "" the newest; raises Refused."""
    shown = _find(site, view)

    def more() -> dict[str, Any]:
        return {
            "shown": shown,
            "others": [each for each in site.overview.tournaments if each is not shown],
            "tables": site.overview.tables,
        }

    return site.regions(visitor, "tournament", view, more)


def _find(site: HubSite, view: str) -> TournamentView | None:
    found = site.overview.tournaments
    if not view:
        return found[0] if found else None
    for each in found:
        if str(each.number) == view:
            return each
    raise Refused(404, say("There is no tournament with that number."))


async def show_tournament(request: Request) -> Response:
    """Show a tournament's bracket or table."""
    site, view = site_of(request), request.query_params.get("number", "")
    visitor = site.visitor(request)
    regions = tournament_regions(site, visitor, view)
    return site.page(
        "hub_page.html", regions, kind="tournament", path="/tournament", view=view,
        title=say("Tournament"),
    )  # fmt: skip


def _route(path: str, act: Callable[[Session, Form], object]) -> Route:
    """Return the route of a form by which the host changes the tournament."""

    async def endpoint(request: Request) -> Response:
        site = site_of(request)
        require_host(request)  # a stranger's form is not even read
        form = await read_form(request)
        require_host(request)

        def keep() -> None:
            with site.database.write() as session:
                act(session, form)

        try:
            await in_thread(keep)
        except Impossible as error:
            raise Refused(409, message_of(error)) from None
        except DatabaseTrouble as trouble:
            raise unkept(trouble) from None
        await site.reload()
        return RedirectResponse("/tournament", 303)

    return Route(path, endpoint, methods=["POST"])


def _begin(session: Session, form: Form) -> None:
    begin(session, field(form, "name"), field(form, "kind"), entrants_of(field(form, "entrants")))


def _end(session: Session, form: Form) -> None:
    end(session, number(form, "number", 1, MAX_NUMBER))


def _assign(session: Session, form: Form) -> None:
    assign(session, number(form, "match", 1, MAX_NUMBER), field(form, "table"))


def _decide(session: Session, form: Form) -> None:
    decide(session, number(form, "match", 1, MAX_NUMBER), field(form, "winner"))


ROUTES: Final = [
    Route("/tournament", show_tournament),
    _route("/tournament/begin", _begin),
    _route("/tournament/end", _end),
    _route("/tournament/match", _assign),
    _route("/tournament/winner", _decide),
]
