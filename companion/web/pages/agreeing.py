"""Agreeing: the host, or anyone at a seat, says that the table is right, or that the game is."""

from collections.abc import Callable
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from companion.language.message import capitalised, message_of, say
from companion.referee.table_dispute import CannotAgree, TableDispute
from companion.web.admission import require_player
from companion.web.forms import MOVED_ON, Form, Refused, field, form_route
from companion.web.pages import desk
from companion.web.pages.entering import is_from_seat, refuse
from companion.web.site import Visitor, site_of


def agree(path: str, act: Callable[[TableDispute[Any, Any]], None]) -> Route:
    """Return the route for what people say of the table that is asked about.

    A seat may say it too: the table that is adopted is only taken once the host has confirmed it.
    """

    def endpoint(request: Request, visitor: Visitor, form: Form) -> Response:
        site = site_of(request)
        question = site.board().question
        if question is None or question.mark != field(form, "mark"):
            raise Refused(409, MOVED_ON)
        try:
            act(site.live_session.referee.dispute)
        except CannotAgree as error:
            words = capitalised(message_of(error))
            raise Refused(409, say("{sentence}.", sentence=words)) from None
        site.live_session.changed()
        return RedirectResponse("/seat" if is_from_seat(visitor, form) else desk.back_to(form), 303)

    return form_route(path, endpoint, require_player, refuse)


ROUTES: Final = [
    agree("/table-is-right", TableDispute.ask_to_adopt),
    agree("/game-is-right", TableDispute.lead_back),
]
