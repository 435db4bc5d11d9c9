"""Answering: what the host, or whoever sits at a seat, says to the question that stands."""

from collections.abc import Callable
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from companion.language.message import capitalised, message_of, say
from companion.referee.table_dispute import CannotAgree, TableDispute
from companion.scoreboard import Question
from companion.web.admission import require_player
from companion.web.forms import MOVED_ON, Form, Refused, back_to, field, form_route, number
from companion.web.pages.entering import is_from_seat, refuse
from companion.web.site import Site, Visitor, site_of

NOT_YOUR_MOVE: Final = say("Only the host, or whoever made that move, can answer so.")


def _asked(site: Site, form: Form) -> Question:
    """Return the question that *form* answers; raises Refused if it no longer stands."""
    question = site.board().question
    if question is None or question.mark != field(form, "mark"):
        raise Refused(409, MOVED_ON)
    return question


def choose(request: Request, visitor: Visitor, form: Form) -> Response:
    """Answer with one of the candidates, or the host with none of them.

    A seat may say what it has done itself, and nothing of another.
    """
    site, place = site_of(request), _place(visitor, form)
    question = _asked(site, form)
    if visitor.is_host and field(form, "choice") == "none":
        return RedirectResponse("/desk?none#by-hand", 303)
    choice = number(form, "choice", 0, len(question.candidates) - 1)
    if not visitor.is_host and question.seats[choice] != visitor.seat:
        raise Refused(403, NOT_YOUR_MOVE)
    if not site.live_session.referee.choose(choice):
        raise Refused(409, MOVED_ON)
    site.live_session.changed()
    return RedirectResponse(place, 303)


def _place(visitor: Visitor, form: Form) -> str:
    """Return the address of the page that is shown once it is answered; raises Refused."""
    return "/seat" if is_from_seat(visitor, form) else back_to({"back": "desk", **form})


def agree(path: str, act: Callable[[TableDispute[Any, Any]], None]) -> Route:
    """Return the route for what people say of the table that is asked about.

    A seat may say it too: the table that is adopted is only taken once the host has confirmed it.
    """

    def endpoint(request: Request, visitor: Visitor, form: Form) -> Response:
        site, place = site_of(request), _place(visitor, form)
        _asked(site, form)
        try:
            act(site.live_session.referee.dispute)
        except CannotAgree as error:
            words = capitalised(message_of(error))
            raise Refused(409, say("{sentence}.", sentence=words)) from None
        site.live_session.changed()
        return RedirectResponse(place, 303)

    return form_route(path, endpoint, require_player, refuse)


ROUTES: Final = [
    form_route("/choose", choose, require_player, refuse),
    agree("/table-is-right", TableDispute.ask_to_adopt),
    agree("/game-is-right", TableDispute.lead_back),
]
