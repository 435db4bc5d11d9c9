"""The page that tells which moves decided the game that is over."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from weakref import WeakKeyDictionary

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from companion.apps.computer.decisive import Decisive, find_decisive
from companion.apps.computer.engine import Engine, EngineLost
from companion.language.message import say
from companion.web.admission import require_player
from companion.web.forms import Form, Refused, form_route
from companion.web.site import Site, Visitor, site_of

PAGE: Final = "/computer/decisive"
NOT_OVER: Final = say("The game is not over yet. Look again when it is.")


@dataclass
class Review:
    """What is being found of a session, or was.

    moment: that session, and the number of its next entry.
    looked, of: so many moves of how many.  found: None while it goes on, or if it failed.
    """

    moment: tuple[int, int]
    looked: int = 0
    of: int = 0
    found: tuple[Decisive, ...] | None = None
    has_failed: bool = False
    task: asyncio.Task[None] | None = None


_reviews: Final[WeakKeyDictionary[Site, Review]] = WeakKeyDictionary()


def _is_over(site: Site) -> bool:
    live = site.live_session
    return live.game.has_own_play and bool(live.game.rules.outcome(live.session.state))


def _review_of(site: Site) -> Review | None:
    review = _reviews.get(site)
    return None if review is None or review.moment != _moment(site) else review


def _moment(site: Site) -> tuple[int, int]:
    session = site.live_session.session
    return session.number, session.next_seq


def regions(site: Site, visitor: Visitor) -> Mapping[str, str]:
    """Return what changes on the page."""
    values = {
        "is_over": _is_over(site),
        "review": _review_of(site),
        "players": site.board().players,
        "may_ask": visitor.is_host or visitor.seat is not None,
    }
    return site.regions(("decisive",), values)


async def show(request: Request) -> Response:
    """Show the page."""
    site = site_of(request)
    return site.page("decisive.html", regions(site, site.visitor(request)))


def begin(request: Request, _visitor: Visitor, _form: Form) -> Response:
    """Begin to look at the moves, once for all who ask."""
    site = site_of(request)
    if not _is_over(site):
        raise Refused(409, NOT_OVER)
    if _review_of(site) is None:
        review = _reviews[site] = Review(_moment(site))
        review.task = asyncio.create_task(_look(site, review))
    return RedirectResponse(PAGE, 303)


async def _look(site: Site, review: Review) -> None:
    engine = Engine()

    def tell(looked: int, of: int) -> None:
        review.looked, review.of = looked, of
        site.live_session.changed()
        if _review_of(site) is not review:
            raise EngineLost  # another game is on

    try:
        review.found = await find_decisive(site.live_session, engine.choose, tell)
    except EngineLost:
        review.has_failed = True
    finally:
        await engine.close()
    site.live_session.changed()


ROUTES: Final = [Route(PAGE, show), form_route(PAGE, begin, require_player)]
