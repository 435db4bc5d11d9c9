"""The page of the people who play here, and what the host may say of it."""

import asyncio
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from companion.apps.people import exporting
from companion.apps.people.known import MAX_LOOKED_AT, known_people
from companion.apps.people.names import forgetting, is_somebody, nobodies
from companion.apps.people.page_values import Question, people_values
from companion.apps.people.seasons import add_season, remove_season
from companion.apps.statistics.pages import summaries_of
from companion.apps.statistics.past_games import person_key
from companion.language.message import say
from companion.language.speech import speaking
from companion.web.admission import anybody, require_host
from companion.web.app_pages import AppPages
from companion.web.forms import UNREADABLE, Act, Form, Refused, field, form_route
from companion.web.site import Site, Visitor, site_of, unstored

ASKED: Final = ("year", "season", "one", "other")


def _page(
    site: Site, visitor: Visitor, question: Question, refused: Refused | None = None, **typed: str
) -> Response:
    """Return the page as far as games are counted; *typed* stands in its form again."""
    try:
        values = people_values(site, question)
    except Refused as misled:
        refused, values = misled, people_values(site, Question())
    more: dict[str, Any] = {
        "visitor": visitor,
        "alert": refused.sentence if refused else "",
        "typed": typed,
        "known": known_people(site.live_session.log) if visitor.is_host else [],
    }
    status = refused.status if refused else 200
    return unstored(site.page("people.html", {}, status, **values, **more))


async def show_people(request: Request) -> Response:
    """Show what the people here have won; of a season, and of two against each other, if asked."""
    site, visitor = site_of(request), anybody(request)
    if site.table.memory.keeps_people:
        await asyncio.to_thread(nobodies)  # it reads every language, which takes a Pi a while
        await summaries_of(site).within()
    asked = {name: request.query_params.get(name, "") for name in ASKED}
    return _page(site, visitor, Question(**asked))


def keep(site: Site, form: Form) -> None:
    """Count people's results from now on, or no longer; then nothing of it is kept."""
    wanted = field(form, "keep")
    if wanted not in ("yes", "no"):
        raise Refused(400, UNREADABLE)
    site.table.memory.keep(keeps_people=wanted == "yes")
    if wanted == "no":
        summaries_of(site).remove(site.live_session.log.beside("results.json"))


def forget(site: Site, form: Form) -> None:
    """Take somebody's name out of all games; their seats are somebody's from then on."""
    key = person_key(field(form, "person"))
    if key not in (each.key for each in known_people(site.live_session.log)):
        raise Refused(404, say("Nobody of that name has played here. Choose one from the list."))
    _forget(site, key)


def forget_all(site: Site, form: Form) -> None:
    """Take everybody's name out of all games."""
    if field(form, "all") != "yes":
        raise Refused(400, UNREADABLE)
    _forget(site, None)


def _forget(site: Site, key: str | None) -> None:
    """Forget the person *key*, None for everybody; raises Refused or LogError, and forgets nobody.

    A question that stands may name somebody, and is not asked again.
    """
    if site.live_session.referee.question is not None:
        raise Refused(409, say("Answer the question at the table first, then forget people."))

    def is_gone(name: str) -> bool:
        return is_somebody(name) if key is None else person_key(name) == key

    with speaking(site.table.memory.language):
        site.live_session.rename_players(forgetting(is_gone))
    summaries_of(site).read_names_anew()
    site.read_names_anew()


def name_season(site: Site, form: Form) -> None:
    """Name a span of days as a season."""
    memory = site.table.memory
    memory.keep(seasons=add_season(memory.seasons, form))


def forget_season(site: Site, form: Form) -> None:
    """Let a season go; its games stay."""
    memory = site.table.memory
    memory.keep(seasons=remove_season(memory.seasons, field(form, "name")))


def _form(path: str, act: Any) -> Route:
    def endpoint(request: Request, _visitor: Visitor, form: Form) -> Response:
        act(site_of(request), form)
        return RedirectResponse("/people", 303)

    def refuse(request: Request, visitor: Visitor, form: Form, refused: Refused) -> Response:
        typed = {name: form.get(name, "") for name in ("name", "first", "last")}
        return _page(site_of(request), visitor, Question(), refused, **typed)

    taking: Act = endpoint
    return form_route(path, taking, require_host, refuse)


def _welcome_values(site: Site) -> dict[str, Any]:
    """Return whose names a new game offers."""
    is_kept, log = site.table.memory.keeps_people, site.live_session.log
    return {"known_people": known_people(log, MAX_LOOKED_AT) if is_kept else []}


PAGES: Final = AppPages(
    [
        Route("/people", show_people),
        _form("/people/keep", keep),
        _form("/people/forget", forget),
        _form("/people/forget-all", forget_all),
        _form("/people/season", name_season),
        _form("/people/forget-season", forget_season),
        *exporting.ROUTES,
    ],
    welcome_values=_welcome_values,
)
