"""Joining by the table's code: a phone picks its seat by a tap on its player's name."""

from typing import Any, Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from companion.language.message import say
from companion.web.admission import JOINING_CLOSED, NO_CODE, anybody, check_code
from companion.web.forms import Form, Refused, form_route, number
from companion.web.http.keys import SEAT_COOKIE
from companion.web.pages.lobby import sees_code
from companion.web.pages.seats import sit
from companion.web.site import Site, Visitor, site_of, unstored

TAKEN: Final = say(
    "Another phone has already taken that seat. If that was a mistake, the host can free it."
)


def show(
    site: Site,
    visitor: Visitor,
    code: str,
    card: str = "",
    *,
    is_known: bool,
    alert: str = "",
    status: int = 200,
) -> Response:
    """Return the page for joining: the names if the code *is_known*, else a field for it.

    card: what the address has of the number of a printed seat card, 1 for the first seat.
    """
    board = site.board()
    numbers = [str(player.seat + 1) for player in board.players]
    values: dict[str, Any] = {
        "code": code,
        "is_known": is_known,
        "is_open": bool(site.keys.code),
        "players": board.players,
        "taken": [site.keys.is_taken(player.seat) for player in board.players],
        "own": visitor.seat,
        "card": card if card in numbers else "",
        "title": board.title,
        "alert": alert,
    }
    return unstored(site.page("join_table.html", {}, status, **values))


async def show_joining(request: Request) -> Response:
    """Show the names to whoever knows the code, or is in the room already; else ask for it."""
    site, visitor = site_of(request), anybody(request)
    code, card = (request.query_params.get(name, "") for name in ("code", "card"))
    if sees_code(site, visitor):
        return show(site, visitor, site.keys.code, card, is_known=True)
    if not code:
        return show(site, visitor, "", card, is_known=False)
    try:
        check_code(site, request, code)
    except Refused as refused:
        return _refuse(request, visitor, {"code": code, "card": card}, refused)
    return show(site, visitor, code, card, is_known=True)


def join(request: Request, visitor: Visitor, form: Form) -> Response:
    """Take the seat whose name was tapped."""
    site = site_of(request)
    if not site.keys.code:
        raise Refused(403, JOINING_CLOSED)
    if not sees_code(site, visitor):
        if "code" not in form:
            raise Refused(403, NO_CODE)
        check_code(site, request, form["code"])
    seat = number(form, "seat", 0, len(site.live_session.header.players) - 1)
    if seat == visitor.seat:
        return RedirectResponse("/seat", 303)
    invitation = site.keys.invitation(seat)
    if invitation is None:
        raise Refused(409, TAKEN)
    back = "/desk" if visitor.is_host and form.get("back") == "desk" else "/seat"
    answer = RedirectResponse(back, 303)
    sit(request, answer, invitation, held=request.cookies.get(SEAT_COOKIE, ""))
    return answer


def _refuse(request: Request, visitor: Visitor, form: Form, refused: Refused) -> Response:
    site = site_of(request)
    is_known = refused.status not in (403, 429) and bool(site.keys.code)
    answer = show(
        site,
        visitor,
        form.get("code", ""),
        form.get("card", ""),
        is_known=is_known,
        alert=refused.sentence,
        status=refused.status,
    )
    if refused.retry_s is not None:
        answer.headers["Retry-After"] = str(refused.retry_s)
    return answer


ROUTES: Final = [
    Route("/join", show_joining),
    form_route("/join", join, anybody, _refuse),
]
