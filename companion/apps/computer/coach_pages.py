"""What a seat's own page has of the coach: a switch, a hint, and the lights for it."""

from typing import Any, Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from companion.apps.computer.coach import coach_of
from companion.apps.computer.tasks import knows_enough
from companion.language.message import say
from companion.web.admission import require_seat
from companion.web.forms import Form, Refused, field, form_route
from companion.web.pages import seats
from companion.web.site import Site, Visitor, site_of

NO_COACH: Final = say("There are no hints for this game.")


def seat_values(site: Site, visitor: Visitor) -> dict[str, Any]:
    """Return what the coach's region shows to *visitor*; coach: None where there are no hints."""
    live, seat = site.live_session, visitor.seat
    if seat is None or not live.game.has_own_play or live.game.rules.outcome(live.session.state):
        return {"coach": None}
    is_turn = live.game.rules.turn(live.session.state) == seat
    return {
        "coach": {
            "is_on": seat in live.coached,
            "is_turn": is_turn,
            "is_blind": not knows_enough(live, seat),
            "hint": coach_of(live).hint_for(seat),
        }
    }


def switch(request: Request, visitor: Visitor, form: Form) -> Response:
    """Let the seat have hints or not, or let the lights show the one it has."""
    site, wanted = site_of(request), field(form, "hints")
    assert visitor.seat is not None
    if not site.live_session.game.has_own_play:
        raise Refused(409, NO_COACH)
    if wanted not in ("on", "off", "lights"):
        raise Refused(400, say("Hints are turned on or off."))
    coach = coach_of(site.live_session)
    if wanted == "lights":
        coach.light(visitor.seat)
    else:
        coach.switch(visitor.seat, is_on=wanted == "on")
    return RedirectResponse("/seat", 303)


def _refuse(request: Request, visitor: Visitor, form: Form, refused: Refused) -> Response:
    return seats.show(site_of(request), visitor, refused.sentence, refused.status, form)


ROUTES: Final = [form_route("/coach", switch, require_seat, _refuse)]
