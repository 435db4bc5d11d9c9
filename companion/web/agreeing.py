"""Agreeing: the host, or anyone at a seat, says that the table is right, or that the game is."""

from collections.abc import Callable, Coroutine
from typing import Any, Final, TypeAlias

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from companion.referee.agreement import Agreement, CannotAgree
from companion.web import desk, seats
from companion.web.desk import NOT_HOST
from companion.web.forms import MOVED_ON, Refused, field, in_a_sentence, read_form
from companion.web.site import Site, site_of

Word: TypeAlias = Callable[[Agreement[Any, Any]], None]


def agree(say: Word) -> Callable[[Request], Coroutine[Any, Any, Response]]:
    """Return the endpoint for what people *say* of the table that is asked about.

    A seat may say it too: the table that is adopted is only taken once the host has confirmed it.
    """

    async def endpoint(request: Request) -> Response:
        site = site_of(request)
        form = await read_form(request)
        visitor = site.visitor(request)
        if visitor.seat is None and not visitor.is_host:
            raise Refused(403, NOT_HOST)
        at_seat = visitor.seat is not None and (form.get("back") == "seat" or not visitor.is_host)
        try:
            with in_a_sentence():
                _say(site, field(form, "mark"), say)
        except Refused as refused:
            show = seats.show if at_seat else desk.show
            return show(site, visitor, refused.sentence, refused.status)
        site.live_session.changed()
        return RedirectResponse("/seat" if at_seat else desk.back_to(form), 303)

    return endpoint


def _say(site: Site, mark: str, say: Word) -> None:
    question = site.board().question
    if question is None or question.mark != mark:
        raise Refused(409, MOVED_ON)
    try:
        say(site.live_session.referee.agreement)
    except CannotAgree as error:
        words = str(error)
        raise Refused(409, f"{words[0].upper()}{words[1:]}.") from None


ROUTES: Final = [
    Route("/table-is-right", agree(Agreement.ask_to_adopt), methods=["POST"]),
    Route("/game-is-right", agree(Agreement.lead_back), methods=["POST"]),
]
